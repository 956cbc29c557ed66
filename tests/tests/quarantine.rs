//! What happens when a challenger comes out of quarantine.

use pawl_proto::v1::Status;

use crate::world::{World, accepted, contested};

#[tokio::test]
async fn what_comes_out_of_quarantine_is_compared_with_what_was_accepted_meanwhile() {
    let world = World::new().await;
    let first = accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let (challenger, conflict) =
        contested(&world.ben.say("The plant in Lyon has 480 employees.").await);
    // Agrees with what stands, and contradicts the one that waits.
    let meanwhile = accepted(
        &world
            .ben
            .say("In all, the plant in Lyon has 500 employees.")
            .await,
    );

    world.ana.retract(&first).await.unwrap();
    let decided = world.ben.conflict(&conflict).await;
    assert!(decided.challenger_won);
    assert_eq!(world.ben.status(&challenger).await, Status::Contested);
    let open = world.ben.open_conflicts().await;
    let finding = open[0].finding.as_ref().unwrap();
    assert!(finding.standing.ends_with(&meanwhile), "{open:?}");
    assert!(!finding.reason.is_empty());
}

#[tokio::test]
async fn a_challenger_that_nothing_contradicts_any_more_stands() {
    let world = World::new().await;
    let first = accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let (challenger, _) = contested(&world.ben.say("The plant in Lyon has 480 employees.").await);
    world.ana.retract(&first).await.unwrap();
    assert_eq!(world.ben.status(&challenger).await, Status::Proposed);
    assert!(world.ben.open_conflicts().await.is_empty());
}

#[tokio::test]
async fn what_an_amendment_contradicts_goes_into_quarantine() {
    let world = World::new().await;
    let draft = world
        .ana
        .draft("The plant in Lyon has 500 employees.")
        .await;
    let locked = world.locked(draft).await;
    // Agrees with what is locked now, not with what is going to be.
    let agreeing = world
        .ben
        .say("In all, the plant in Lyon has 500 employees.")
        .await;
    let agreeing = accepted(&agreeing);
    let amendment = world
        .aron
        .draft("The plant in Lyon has 480 employees.")
        .await;
    world.aron.amend(&locked, amendment).await.unwrap();
    assert_eq!(world.ben.status(&agreeing).await, Status::Contested);
    assert_eq!(world.ben.open_conflicts().await.len(), 1);
}
