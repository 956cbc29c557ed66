//! Ways around a lock, each of them closed.

use pawl_proto::v1::{Draft, SealMode, SealRequest, Status, Verdict};

use crate::world::{MODULE, World, accepted, capacity, claiming, contested, refused, short};

#[tokio::test]
async fn every_way_around_a_hard_lock_is_closed() {
    let world = World::new().await;
    let draft = claiming(
        world.ana.draft("What the register says.").await,
        capacity("Nordlys", "5.0"),
    );
    let locked = world.locked(draft.clone()).await;
    world.operator.declare_module("other").await;
    let before = world.ana.assertion(&locked).await;

    let revision = Draft {
        replaces: locked.clone(),
        ..draft.clone()
    };
    let metadata = world.item_denied(revision, "LOCKED").await;
    assert_eq!(metadata["assertion"], locked);
    world.denied(world.ana.retract(&locked), "LOCKED").await;
    let evidence = vec![draft.citations[0].clone()];
    world
        .denied(world.vera.validate(&locked, evidence), "TRANSITION_ILLEGAL")
        .await;
    let moved = Draft {
        replaces: locked.clone(),
        module: "other".into(),
        ..draft.clone()
    };
    let metadata = world.item_denied(moved, "FIELD_INVALID").await;
    assert_eq!(metadata["field"], "module");
    world
        .denied(world.aron.seal(MODULE), "NOTHING_TO_SEAL")
        .await;

    for module in [MODULE, "other"] {
        let rival = world
            .ben
            .draft(&format!("Another number for {module}."))
            .await;
        let rival = claiming(
            Draft {
                module: module.into(),
                ..rival
            },
            capacity("Nordlys", "9"),
        );
        refused(&world.ben.submit_one(rival).await);
    }
    let soft = world.aron.seal_as(MODULE, SealMode::Soft);
    world.denied(soft, "NOTHING_TO_SEAL").await;
    let after = world.ana.assertion(&locked).await;
    assert_eq!(after.status(), Status::Locked);
    assert_eq!(
        (after.snapshot, after.draft),
        (before.snapshot, before.draft)
    );
}

#[tokio::test]
async fn a_challenger_that_was_there_before_the_lock_does_not_get_past_it() {
    let world = World::new().await;
    let standing = accepted(&world.ana.say("The museum is open on Monday.").await);
    let revision = Draft {
        replaces: standing.clone(),
        ..world.ben.draft("The museum is not open on Monday.").await
    };
    let (challenger, conflict) = contested(&world.ben.submit_one(revision).await);
    world.vera.validate_as_cited(&standing).await;
    world.aron.seal(MODULE).await.unwrap();
    world.denied(world.aron.dismiss(&conflict), "LOCKED").await;
    assert_eq!(world.ana.status(&standing).await, Status::Locked);
    assert_eq!(world.ana.status(&challenger).await, Status::Contested);
    // An arbiter's word for the challenger is an amendment, and recorded as one.
    world.aron.resolve(&conflict, &challenger).await.unwrap();
    assert_eq!(world.ana.status(&standing).await, Status::Superseded);
    assert_eq!(world.ana.status(&challenger).await, Status::Locked);
    let told = world.ana.history().await;
    assert!(told.iter().any(|it| it.kind == "amended"));
}

#[tokio::test]
async fn locks_hold_across_a_reseal_with_more_members() {
    let world = World::new().await;
    let first = world
        .locked(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    world
        .validated(
            world
                .ana
                .draft("The lighthouse was built of granite.")
                .await,
        )
        .await;
    let snapshot = world.aron.seal(MODULE).await.unwrap();
    assert!(snapshot.members.contains(&first));
    assert_eq!(snapshot.members.len(), 2);
    let one = SealRequest {
        assertion: first.clone(),
        ..Default::default()
    };
    world
        .denied(world.aron.seal_with(one), "NOTHING_TO_SEAL")
        .await;
}

#[tokio::test]
async fn a_soft_lock_yields_to_strictly_more_verified_sources_as_an_amendment() {
    let world = World::new().await;
    let locked = world
        .validated(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    world.aron.seal_as(MODULE, SealMode::Soft).await.unwrap();

    let content = "The plant in Lyon has 480 employees.";
    let (challenger, conflict) = contested(&world.ben.say(content).await);
    assert_eq!(
        world.ana.status(&locked).await,
        Status::Locked,
        "as many sources do not do"
    );
    assert!(world.ana.say(content).await.corroborated);
    assert_eq!(world.ana.status(&locked).await, Status::Superseded);
    let won = world.ana.assertion(&challenger).await;
    assert_eq!(won.status(), Status::Locked);
    let record = world.ana.conflict(&conflict).await;
    assert!(record.challenger_won);
    let snapshot = world.ana.snapshot(&won.snapshot).await;
    assert_eq!(snapshot.members, [challenger]);
    assert_eq!(
        snapshot.snapshot.unwrap().cause(),
        pawl_proto::v1::SnapshotCause::Amendment
    );
    let kinds: Vec<_> = world
        .ana
        .history()
        .await
        .into_iter()
        .map(|it| it.kind)
        .collect();
    assert!(
        kinds.ends_with(
            &[
                "corroborated",
                "conflict_resolved",
                "amended",
                "snapshot_taken"
            ]
            .map(String::from)
        ),
        "{kinds:?}"
    );
}

#[tokio::test]
async fn unverified_quotes_do_not_break_a_soft_lock() {
    let world = World::new().await;
    let locked = world
        .validated(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    world.aron.seal_as(MODULE, SealMode::Soft).await.unwrap();
    let content = "The plant in Lyon has 480 employees.";
    let mut draft = world.ben.draft(content).await;
    draft.citations.clear();
    for number in 0..3 {
        let pdf = world
            .ben
            .upload("application/pdf", format!("%PDF {number}").as_bytes())
            .await;
        draft.citations.push(crate::world::cite(&pdf, content));
    }
    contested(&world.ben.submit_one(draft).await);
    assert_eq!(world.ana.status(&locked).await, Status::Locked);
}

#[tokio::test]
async fn a_soft_lock_can_be_hardened() {
    let world = World::new().await;
    let locked = world
        .validated(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    world.aron.seal_as(MODULE, SealMode::Soft).await.unwrap();
    let hard = world.aron.seal(MODULE).await.unwrap();
    assert_eq!(hard.snapshot.unwrap().mode(), SealMode::Hard);
    let outcome = world.ben.say("The plant in Lyon has 480 employees.").await;
    assert_eq!(outcome.verdict(), Verdict::Refused);
    assert_eq!(short(&outcome.findings[0].standing), locked);
}
