//! Somebody else's client: Python that knows of this project what the server's reflection tells.

use std::{path::PathBuf, process::Command};

use crate::world::World;

/// The interpreter with the gRPC packages that `make test` prepares.
pub(crate) fn python() -> PathBuf {
    let named = std::env::var_os("PAWL_TEST_PYTHON").map(PathBuf::from);
    named.unwrap_or_else(|| {
        let home = || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache");
        let cache = std::env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from);
        cache.join("pawl/python/bin/python")
    })
}

#[tokio::test]
async fn a_client_made_from_reflection_submits_checks_seals_briefs_and_watches() {
    let python = python();
    assert!(
        python.is_file(),
        "there is no Python with gRPC at `{}`; run `make test`, which prepares it",
        python.display()
    );
    let world = World::new().await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/walk.py");
    let walk = async {
        let mut command = Command::new(python);
        command
            .arg(script)
            .env("PAWL_ADDRESS", world.server.address.to_string())
            .env("PAWL_BOARD", &world.board)
            .env("ANA", &world.ana.token)
            .env("BEN", &world.ben.token)
            .env("VERA", &world.vera.token)
            .env("ARON", &world.aron.token);
        tokio::task::spawn_blocking(move || command.output().unwrap())
            .await
            .unwrap()
    };
    let walked = walk.await;
    let said = String::from_utf8_lossy(&walked.stdout).into_owned();
    assert!(
        walked.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&walked.stderr)
    );
    assert!(said.trim_end().ends_with("the walk is done"), "{said}");
}
