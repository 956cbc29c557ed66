//! What happens when a challenger comes out of quarantine.

use pawl_proto::v1::{RangeValue, SealMode, Status, claim::Value};

use crate::world::{MODULE, World, accepted, capacity, claiming, contested};

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

#[tokio::test]
async fn of_several_challengers_that_come_out_together_one_stands() {
    let world = World::new().await;
    let first = accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let mut challengers = Vec::new();
    for figure in ["480", "470", "460"] {
        let content = format!("The plant in Lyon has {figure} employees.");
        challengers.push(contested(&world.ben.say(&content).await).0);
    }
    world.ana.retract(&first).await.unwrap();
    let mut statuses = Vec::new();
    for challenger in &challengers {
        statuses.push(world.ben.status(challenger).await);
    }
    let contested = Status::Contested;
    assert_eq!(statuses, [Status::Proposed, contested, contested]);
    for conflict in world.ben.open_conflicts().await {
        let finding = conflict.finding.unwrap();
        assert!(finding.standing.ends_with(&challengers[0]), "{finding:?}");
    }
}

#[tokio::test]
async fn a_challenger_overcomes_no_soft_lock_while_it_contradicts_another_lock() {
    let world = World::new().await;
    let between = |low: &str, high: &str| {
        let range = RangeValue {
            low: low.into(),
            high: high.into(),
            unit: "GW".into(),
        };
        let mut claim = capacity("Nordlys", "1");
        claim.value = Some(Value::Range(range));
        claim
    };
    let soft = claiming(
        world.ana.draft("Nordlys is small.").await,
        between("1", "5"),
    );
    let soft = world.validated(soft).await;
    world.aron.seal_as(MODULE, SealMode::Soft).await.unwrap();
    let large = || async {
        claiming(
            world.ben.draft("Nordlys is large.").await,
            between("9", "9"),
        )
    };
    let (challenger, _) = contested(&world.ben.submit_one(large().await).await);
    let middle = claiming(
        world.ana.draft("Nordlys is middling.").await,
        between("3", "7"),
    );
    let middle = world.validated(middle).await;
    world.aron.seal(MODULE).await.unwrap();

    let again = world.ana.submit_one(large().await).await;
    assert!(again.corroborated);
    assert_eq!(world.ben.status(&challenger).await, Status::Contested);
    for locked in [soft, middle] {
        assert_eq!(world.ben.status(&locked).await, Status::Locked);
    }
}

#[tokio::test]
async fn a_challenger_that_agrees_with_an_amendment_is_let_go() {
    let world = World::new().await;
    let draft = world
        .ana
        .draft("The plant in Lyon has 500 employees.")
        .await;
    let locked = world.locked(draft).await;
    let content = "The plant in Lyon employs about 480 people, not 500 employees.";
    let outcome = world.ben.say(content).await;
    let waiting = contested(&outcome).0;
    let amendment = world.aron.draft(content).await;
    world.aron.amend(&locked, amendment).await.unwrap();
    assert_ne!(world.ben.status(&waiting).await, Status::Contested);
    assert!(world.ben.open_conflicts().await.is_empty());
}

#[tokio::test]
async fn an_arbiter_takes_out_a_proposal_that_holds_up_a_seal() {
    let world = World::new().await;
    let draft = world
        .ana
        .draft("The plant in Lyon has 500 employees.")
        .await;
    world.validated(draft).await;
    let idle = accepted(&world.ben.say("The cafe in Nantes opens at nine.").await);
    world
        .denied(world.aron.seal(MODULE), "SEAL_CONDITIONS")
        .await;
    world.denied(world.ana.retract(&idle), "NOT_AUTHOR").await;
    world.aron.retract(&idle).await.unwrap();
    world.aron.seal(MODULE).await.unwrap();
}
