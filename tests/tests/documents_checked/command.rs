//! The same by `pawl`.

use super::SOLAR;
use crate::{
    crash::PAWL,
    world::{Client, World},
};

/// What `pawl check-document` said.
struct Said {
    status: i32,
    out: String,
    err: String,
}

fn pawl(client: &Client, world: &World, arguments: &[&str]) -> Said {
    let output = std::process::Command::new(PAWL)
        .args(["check-document"])
        .args(arguments)
        .env("PAWL_SERVER", format!("http://{}", world.server.address))
        .env("PAWL_BOARD", &world.board)
        .env("PAWL_TOKEN", &client.token)
        .env_remove("PAWL_AS")
        .output()
        .unwrap();
    Said {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[tokio::test]
async fn the_command_answers_pipelines_by_its_status() {
    let world = World::new().await;
    world.locked(world.ana.draft(SOLAR).await).await;
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let ends = |status: i32, arguments: &[&str]| {
        let said = pawl(&world.vera, &world, arguments);
        assert_eq!(
            said.status, status,
            "{arguments:?}\n{}{}",
            said.out, said.err
        );
        said
    };
    let good = file("good.md", SOLAR.as_bytes());
    let open = file("open.md", b"The bridge was painted green.");
    let wrong = SOLAR.replace("24.8", "21.5");
    let bad = file("bad.md", wrong.as_bytes());
    assert!(ends(0, &[&good]).out.contains("1 backed"));
    ends(0, &[&open]);
    ends(1, &[&open, "--fail-on", "unbacked"]);
    ends(0, &[&bad, "--fail-on", "never"]);
    let said = ends(1, &[&bad]).out;
    for piece in ["bad.md:1:1: contradicted", "a1@1", "24.8 GW", "~~~~~~~"] {
        assert!(said.contains(piece), "{piece}: {said}");
    }
    let json: serde_json::Value = serde_json::from_str(&ends(1, &[&bad, "--json"]).out).unwrap();
    assert_eq!(json["statements"][0]["standing"], "STANDING_CONTRADICTED");
    assert_eq!(json["summary"]["contradicted"], 1);

    let annotated = ends(1, &[&bad, "--format", "annotated"]).out;
    assert!(annotated.starts_with(&format!("{wrong}[^pawl-1]\n\n[^pawl-1]: **Contradicted.**")));

    let binary = file("binary.md", b"caf\xe9");
    assert!(ends(3, &[&binary]).err.contains("not UTF-8 from byte 3"));
    ends(3, &["no-such-file.md"]);
    assert!(
        ends(3, &[&file("table.csv", b"a,b\n")])
            .err
            .contains("text/csv")
    );
    ends(2, &[&good, "--fail-on", "everything"]);

    let twice = file("twice.txt", format!("{SOLAR} {wrong}").as_bytes());
    let said = ends(1, &[&twice, "--alone"]).out;
    assert!(said.contains("contradicts what line 1:1 says"), "{said}");
    ends(0, &[&bad, "--alone"]);
}
