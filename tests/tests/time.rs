//! Time and order.

use pawl_proto::v1 as proto;
use prost::Message;

use crate::world::{World, accepted, capacity, cite, cited, claiming, item_error, refused};

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
