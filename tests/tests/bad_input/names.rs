//! Names and ids that stand for nothing, or for something elsewhere.

use pawl_proto::v1::{self as proto, Draft};

use crate::world::{Client, World, accepted, cite, denied};

pub(super) static ZEROS: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| "0".repeat(64));

#[tokio::test]
async fn names_that_stand_for_nothing() {
    let world = World::new().await;
    let elsewhere = World::new().await;
    let unknown = Client {
        board: "no-such-board".into(),
        ..world.ana.clone()
    };
    let foreign = Client {
        board: elsewhere.board.clone(),
        ..world.ana.clone()
    };
    for client in [unknown, foreign] {
        let error = client
            .submit(vec![world.ana.draft("x y z").await])
            .await
            .unwrap_err();
        assert_eq!(denied(&error, "BOARD_UNKNOWN")["board"], client.board);
    }
    let invalid = Client {
        board: "No Board".into(),
        ..world.ana.clone()
    };
    let error = invalid.submit(vec![]).await.unwrap_err();
    assert_eq!(denied(&error, "FIELD_INVALID")["value"], "No Board");
    let metadata = world
        .denied(world.ana.try_assertion("a9"), "ASSERTION_UNKNOWN")
        .await;
    assert_eq!(metadata["assertion"], "a9");
    world
        .denied(world.ana.try_assertion("a9@1"), "ASSERTION_UNKNOWN")
        .await;
    let metadata = world
        .denied(world.ana.try_assertion("b7"), "FIELD_INVALID")
        .await;
    assert_eq!(metadata["value"], "b7");
    world
        .denied(world.aron.resolve("c7", "a1@1"), "CONFLICT_UNKNOWN")
        .await;
    world
        .denied(world.aron.seal("nowhere"), "MODULE_UNKNOWN")
        .await;
    let snapshot = proto::GetSnapshotRequest {
        board: world.board.clone(),
        snapshot: "0".repeat(64),
    };
    let mut seals = world.ana.seals();
    world
        .denied(seals.get_snapshot(snapshot), "SNAPSHOT_UNKNOWN")
        .await;
    let flag = proto::CloseFlagRequest {
        board: world.board.clone(),
        flag: "f7".into(),
        reason: "x".into(),
        ..Default::default()
    };
    let mut aron = world.aron.assertions();
    world.denied(aron.close_flag(flag), "FLAG_UNKNOWN").await;
}

#[tokio::test]
async fn ids_of_another_board() {
    let world = World::new().await;
    let other = World::new().await;
    let foreign = accepted(&other.ana.say("The canal is 12 km long.").await);
    let foreign = format!("boards/{}/assertions/{foreign}", other.board);
    accepted(&world.ana.say("The harbour freezes in winter.").await);
    let metadata = world
        .denied(world.ana.try_assertion(&foreign), "OTHER_BOARD")
        .await;
    assert_eq!(
        (metadata["board"].as_str(), metadata["value"].as_str()),
        (world.board.as_str(), foreign.as_str())
    );
    world
        .denied(world.ana.retract(&foreign), "OTHER_BOARD")
        .await;
    world
        .denied(world.vera.reaffirm("a1@1", &[&foreign]), "OTHER_BOARD")
        .await;
    let draft = world
        .ana
        .draft("The lighthouse was built of granite.")
        .await;
    let replaces = Draft {
        replaces: foreign.clone(),
        ..draft.clone()
    };
    world.item_denied(replaces, "OTHER_BOARD").await;
    let supports = Draft {
        supports: vec![foreign],
        ..draft.clone()
    };
    world.item_denied(supports, "OTHER_BOARD").await;

    // A source is of the board it was registered on, even where the server has its bytes.
    let source = other
        .ana
        .upload("text/plain", b"Only the other board may cite this.")
        .await;
    let cites = Draft {
        citations: vec![cite(&source, "Only the other board")],
        ..draft
    };
    world.item_denied(cites, "SOURCE_UNKNOWN").await;
    let conflict = format!("boards/{}/conflicts/c1", other.board);
    world
        .denied(world.aron.dismiss(&conflict), "OTHER_BOARD")
        .await;
}
