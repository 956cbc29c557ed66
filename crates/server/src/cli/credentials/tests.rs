//! The file keeps what it is given and is nobody else's business.

use std::{fs, os::unix::fs::PermissionsExt};

use super::*;

const LOCAL: &str = "http://127.0.0.1:7617";
const REMOTE: &str = "http://pawl.example.org:7617";

struct Home {
    _directory: tempfile::TempDir,
    file: CredentialsFile,
}

fn home() -> Home {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = CredentialsFile {
        directory: directory.path().join("pawl"),
    };
    Home {
        _directory: directory,
        file,
    }
}

impl Home {
    fn keep(&self, server: &str, principal: &str) {
        let credential = Credential {
            id: format!("id-{principal}"),
            token: format!("secret-{principal}"),
        };
        self.file.keep(server, principal, credential).expect("kept");
    }

    fn leave_operator_token(&self, mode: u32) {
        self.file.prepare().expect("prepared");
        let path = self.file.directory.join("operator.token");
        fs::write(&path, "secret-operator\n").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("mode set");
    }

    fn check(&self, wish: &Wish, server: &str, expected: Result<&str, &str>) {
        let chosen = choose(wish, server, || Ok(self.file.clone()));
        match (chosen, expected) {
            (Ok(token), Ok(expected)) => assert_eq!(token, expected),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (chosen, expected) => panic!("{chosen:?} is not {expected:?}"),
        }
    }
}

fn as_principal(name: &str) -> Wish {
    Wish {
        principal: Some(name.to_owned()),
        ..Wish::default()
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("exists").permissions().mode() & 0o777
}

#[test]
fn what_is_kept_is_found_again() {
    let home = home();
    home.keep(LOCAL, "ana");
    home.keep(LOCAL, "m.ben");
    home.keep(REMOTE, "ana");
    home.check(
        &as_principal("m.ben"),
        &format!("{LOCAL}/"),
        Ok("secret-m.ben"),
    );
    home.check(&as_principal("eve"), LOCAL, Err("known are `ana`, `m.ben`"));
    home.check(&Wish::default(), LOCAL, Err("several principals"));
    home.check(&Wish::default(), REMOTE, Ok("secret-ana"));
}

#[test]
fn a_token_for_another_address_of_the_server_is_pointed_to() {
    let home = home();
    home.keep(LOCAL, "ana");
    home.keep(REMOTE, "ben");
    home.check(
        &as_principal("ana"),
        "http://localhost:7617",
        Err("known on http://127.0.0.1:7617: pass --server"),
    );
    home.check(&as_principal("ana"), REMOTE, Err("known on http://127"));
    home.check(&as_principal("eve"), REMOTE, Err("known are `ben`"));
}

#[test]
fn file_and_directory_are_private() {
    let home = home();
    home.keep(LOCAL, "ana");
    assert_eq!(mode(&home.file.path()), 0o600);
    assert_eq!(mode(&home.file.directory), 0o700);

    fs::set_permissions(home.file.path(), fs::Permissions::from_mode(0o644)).expect("mode set");
    home.check(
        &as_principal("ana"),
        LOCAL,
        Err("can be read by others (mode 0644)"),
    );
}

#[test]
fn the_operator_token_is_found_but_stays_on_this_machine() {
    let home = home();
    home.check(&Wish::default(), LOCAL, Err("no token for"));
    home.leave_operator_token(0o600);
    home.check(&Wish::default(), LOCAL, Ok("secret-operator"));
    home.check(&as_principal("operator"), LOCAL, Ok("secret-operator"));
    home.check(&Wish::default(), REMOTE, Err("no token for"));
    home.check(&as_principal("operator"), REMOTE, Err("known are none"));
    home.leave_operator_token(0o640);
    home.check(&Wish::default(), LOCAL, Err("mode 0640"));
}

#[test]
fn the_command_line_wins_over_the_environment() {
    let home = home();
    home.keep(LOCAL, "ana");
    let environment = Wish {
        token_variable: Some("from-environment".to_owned()),
        ..Wish::default()
    };
    home.check(&environment, LOCAL, Ok("from-environment"));
    home.check(
        &Wish {
            principal: Some("ana".to_owned()),
            ..environment.clone()
        },
        LOCAL,
        Ok("secret-ana"),
    );
    home.check(
        &Wish {
            token: Some("said".to_owned()),
            ..environment
        },
        LOCAL,
        Ok("said"),
    );
}

#[test]
fn a_revoked_token_is_forgotten() {
    let home = home();
    home.file
        .forget(LOCAL, "id-ana")
        .expect("nothing to forget");
    home.keep(LOCAL, "ana");
    home.keep(LOCAL, "ben");
    home.file.forget(LOCAL, "id-ana").expect("forgotten");
    home.check(&Wish::default(), LOCAL, Ok("secret-ben"));
}

#[test]
fn a_broken_file_is_told_without_its_words() {
    let home = home();
    home.keep(LOCAL, "ana");
    fs::write(home.file.path(), "token = \"very-secret").expect("written");
    let error = home
        .file
        .of_server(LOCAL)
        .expect_err("malformed")
        .to_string();
    assert!(
        error.contains("is no credentials file") && !error.contains("very-secret"),
        "{error}"
    );
}

#[test]
fn two_writers_at_once_lose_nothing() {
    let home = home();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let home = &home;
            scope.spawn(move || home.keep(LOCAL, &format!("p{number}")));
        }
    });
    assert_eq!(home.file.of_server(LOCAL).expect("read").len(), 8);
}
