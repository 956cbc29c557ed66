//! Time and order.

use pawl_proto::v1 as proto;
use prost::Message;

use crate::world::{
    MODULE, OwnServer, World, accepted, capacity, cite, cited, claiming, item_error, refused,
};

#[tokio::test]
async fn the_clock_never_goes_back_and_order_is_by_position() {
    let world = World::new().await;
    let source = world
        .ana
        .upload("text/plain", b"Some register says so.")
        .await;
    let say = |number: usize| {
        let (ana, citation) = (world.ana.clone(), cite(&source, "Some register says so."));
        async move {
            let draft = cited(&format!("Note {number} of the register."), citation);
            let claim = capacity(&format!("plant {number}"), "1");
            accepted(&ana.submit_one(claiming(draft, claim)).await);
        }
    };
    let said: Vec<_> = (0..24).map(|number| tokio::spawn(say(number))).collect();
    for one in said {
        one.await.unwrap();
    }
    let history = world.ben.history().await;
    let mut last = 0;
    for (position, record) in history.iter().enumerate() {
        let entry = proto::Entry::decode(record.entry.as_slice()).unwrap();
        assert_eq!(
            (record.position, entry.position),
            (position as u64, position as u64)
        );
        assert!(
            entry.at_ms >= last,
            "entry {position} is before the one before it"
        );
        last = entry.at_ms;
    }
    assert!(last > 1_600_000_000_000, "the server's own clock");
}

#[tokio::test]
async fn refusals_are_entries_and_invalid_input_is_not() {
    let world = World::new().await;
    world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let draft = world
        .ben
        .draft("The plant in Lyon has 480 employees.")
        .await;
    let before = world.position().await;
    refused(&world.ben.submit_one(draft.clone()).await);
    assert_eq!(
        world.position().await,
        before + 2,
        "the refusal and its conflict"
    );
    let invalid = proto::Draft {
        module: "nowhere".into(),
        ..draft
    };
    item_error(&world.ben.submit_one(invalid).await, "MODULE_UNKNOWN");
    assert_eq!(world.position().await, before + 2);
}

/// Lets the module seal itself once nothing changed for some seconds.
async fn seals_itself_after(world: &World, seconds: u32) {
    let declare = proto::DeclareModuleRequest {
        module: MODULE.into(),
        seal_policy: Some(proto::SealPolicy {
            stable_seconds: seconds,
            automatic: true,
            ..Default::default()
        }),
        ..Default::default()
    };
    world.operator.declare(declare).await.unwrap();
}

/// Waits for the next snapshot, while nobody does anything.
async fn next_snapshot(world: &World) -> proto::Record {
    let watch = proto::WatchRequest {
        board: world.board.clone(),
        from: Some(0),
        kinds: vec!["snapshot_taken".into()],
        ..Default::default()
    };
    let mut watched = world.ben.logs().watch(watch).await.unwrap().into_inner();
    let waited = tokio::time::timeout(std::time::Duration::from_secs(60), async {
        loop {
            let message = watched.message().await.unwrap().unwrap();
            if let Some(record) = message.records.into_iter().next() {
                return record;
            }
        }
    });
    waited.await.expect("the module is sealed by itself")
}

#[tokio::test]
async fn a_module_is_sealed_on_time_though_nothing_else_happens() {
    let world = World::new().await;
    seals_itself_after(&world, 1).await;
    let draft = world.ana.draft("The harbour freezes in winter.").await;
    let id = world.validated(draft).await;
    let record = next_snapshot(&world).await;
    assert_eq!(record.principal, "pawl");
    let assertion = world.ana.assertion(&id).await;
    assert_eq!(assertion.status(), proto::Status::Locked);
    let snapshot = world.ana.snapshot(&assertion.snapshot).await;
    assert_eq!(snapshot.snapshot.unwrap().sealed_by, "pawl");
}

#[tokio::test]
async fn a_module_is_sealed_on_time_after_a_restart() {
    let server = OwnServer::start(pawl_ledger::store::Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    seals_itself_after(&world, 2).await;
    let draft = world.ana.draft("The harbour freezes in winter.").await;
    let id = world.validated(draft).await;
    let server = server.restart().await;
    let world = world.after_restart(server.server.clone());
    let record = next_snapshot(&world).await;
    assert_eq!(record.principal, "pawl");
    assert_eq!(world.ana.status(&id).await, proto::Status::Locked);
    server.stop().await;
}

#[tokio::test]
async fn nobody_gets_the_name_of_the_server() {
    let world = World::new().await;
    let create = proto::CreatePrincipalRequest {
        principal: "pawl".into(),
        ..Default::default()
    };
    let refused = world.operator.identity().create_principal(create).await;
    crate::world::denied(&refused.unwrap_err(), "ALREADY_EXISTS");
}
