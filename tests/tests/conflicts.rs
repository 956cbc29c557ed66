//! Conflicts: opened, decided, dismissed, appealed.

use pawl_proto::v1::{ConflictState, FindingKind, ListConflictsRequest, Role, Status, Verdict};

use crate::world::{World, accepted, capacity, claiming, contested, refused, short};

/// A standing fact of `ana` and a challenger of `ben`, with their conflict.
async fn dispute(world: &World) -> (String, String, String) {
    let standing = accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let (challenger, conflict) =
        contested(&world.ben.say("The plant in Lyon has 480 employees.").await);
    (standing, challenger, conflict)
}

#[tokio::test]
async fn only_the_challenger_is_quarantined_and_the_standing_one_is_marked() {
    let world = World::new().await;
    let (standing, challenger, conflict) = dispute(&world).await;
    let stands = world.ana.assertion(&standing).await;
    assert_eq!(stands.status(), Status::Proposed);
    assert!(stands.challenged);
    let waits = world.ana.assertion(&challenger).await;
    assert_eq!(
        (waits.status(), waits.verdict()),
        (Status::Contested, Verdict::Contested)
    );
    assert!(!waits.challenged);
    for record in [&stands, &waits] {
        assert_eq!(
            record
                .conflicts
                .iter()
                .map(|it| short(it))
                .collect::<Vec<_>>(),
            [conflict.clone()]
        );
    }
    world.vera.validate_as_cited(&standing).await;
    world.aron.seal("market").await.unwrap();
    assert_eq!(world.ana.status(&standing).await, Status::Locked);
    assert_eq!(world.ana.status(&challenger).await, Status::Contested);
}

#[tokio::test]
async fn a_conflict_is_a_record_of_both_sides() {
    let world = World::new().await;
    let (standing, challenger, conflict) = dispute(&world).await;
    let record = world.ana.conflict(&conflict).await;
    assert_eq!(record.state(), ConflictState::Open);
    assert_eq!(short(&record.challenger), challenger);
    assert_eq!(
        record.challenger_content,
        "The plant in Lyon has 480 employees."
    );
    assert_eq!(record.principal, world.ben.name);
    let finding = record.finding.unwrap();
    assert_eq!(short(&finding.standing), standing);
    assert_eq!(finding.kind(), FindingKind::Quantity);
    assert!(finding.reason.contains("480"));
    let list = world.ana.open_conflicts().await;
    assert_eq!(list.len(), 1);
}

#[tokio::test]
async fn the_loser_of_a_resolution_keeps_its_history() {
    let world = World::new().await;
    let (standing, challenger, conflict) = dispute(&world).await;
    let record = world.aron.resolve(&conflict, &challenger).await.unwrap();
    assert_eq!(record.state(), ConflictState::Resolved);
    assert!(record.challenger_won);
    assert_eq!(record.decided_by, world.aron.name);
    assert!(record.reason.contains("final statistics"));
    assert_eq!(world.ana.status(&challenger).await, Status::Proposed);
    let loser = world.ana.assertion(&standing).await;
    assert!(matches!(
        loser.status(),
        Status::Superseded | Status::Rejected
    ));
    assert_eq!(
        loser.draft.unwrap().content,
        "The plant in Lyon has 500 employees."
    );

    let (rival, conflict) = contested(&world.ana.say("The plant in Lyon has 610 employees.").await);
    let record = world.aron.resolve(&conflict, &challenger).await.unwrap();
    assert!(!record.challenger_won);
    assert_eq!(world.ana.status(&rival).await, Status::Rejected);
    assert!(!world.ana.assertion(&challenger).await.challenged);

    let metadata = world
        .denied(world.aron.resolve(&conflict, &rival), "CONFLICT_CLOSED")
        .await;
    assert_eq!(metadata["conflict"], conflict);
    let list = ListConflictsRequest {
        board: world.board.clone(),
        all: true,
        ..Default::default()
    };
    let all = world
        .ana
        .conflicts()
        .list_conflicts(list)
        .await
        .unwrap()
        .into_inner()
        .conflicts;
    assert_eq!(all.len(), 2);
    assert!(world.ana.open_conflicts().await.is_empty());
}

#[tokio::test]
async fn a_resolution_names_one_of_the_two_sides_and_is_for_arbiters() {
    let world = World::new().await;
    let (standing, _, conflict) = dispute(&world).await;
    let other = accepted(&world.ana.say("The lighthouse was built of granite.").await);
    let metadata = world
        .denied(world.aron.resolve(&conflict, &other), "FIELD_INVALID")
        .await;
    assert_eq!(metadata["standing"], standing);
    for nobody in [&world.ana, &world.ben, &world.vera, &world.operator] {
        world
            .denied(nobody.resolve(&conflict, &standing), "ROLE_MISSING")
            .await;
    }
    world.operator.grant(&world.ben.name, Role::Arbiter).await;
    world
        .denied(world.ben.resolve(&conflict, &standing), "OWN_ASSERTION")
        .await;
    world
        .denied(world.aron.resolve("c9", &standing), "CONFLICT_UNKNOWN")
        .await;
}

#[tokio::test]
async fn a_dismissed_pair_is_not_raised_again_unless_one_side_changes() {
    let world = World::new().await;
    let (standing, challenger, conflict) = dispute(&world).await;
    let record = world.aron.dismiss(&conflict).await.unwrap();
    assert_eq!(record.state(), ConflictState::Dismissed);
    assert_eq!(world.ana.status(&challenger).await, Status::Proposed);
    assert_eq!(world.ana.status(&standing).await, Status::Proposed);
    assert!(!world.ana.assertion(&standing).await.challenged);
    assert!(
        world
            .ben
            .say("The plant in Lyon has 480 employees.")
            .await
            .corroborated
    );
    assert!(world.ana.open_conflicts().await.is_empty());

    let changed = pawl_proto::v1::Draft {
        replaces: standing,
        ..world
            .ana
            .draft("The plant in Lyon has 510 employees.")
            .await
    };
    let (_, conflict) = contested(&world.ana.submit_one(changed).await);
    assert_eq!(
        short(
            &world
                .ana
                .conflict(&conflict)
                .await
                .finding
                .unwrap()
                .standing
        ),
        challenger
    );
}

#[tokio::test]
async fn a_conflict_may_have_more_than_two_sides() {
    let world = World::new().await;
    let claim = |value| capacity("Nordlys", value);
    for (content, low) in [
        ("What the register says.", "5.0"),
        ("What the firm itself says.", "5.00"),
    ] {
        accepted(
            &world
                .ana
                .submit_one(claiming(world.ana.draft(content).await, claim(low)))
                .await,
        );
    }
    let draft = claiming(world.ben.draft("What a rival says.").await, claim("9"));
    let outcome = world.ben.submit_one(draft).await;
    contested(&outcome);
    assert_eq!(outcome.conflicts.len(), 2);
    let first = short(&outcome.conflicts[0]);
    let rival = short(&outcome.assertion);
    world.aron.resolve(&first, &rival).await.unwrap();
    assert_eq!(
        world.ana.status(&rival).await,
        Status::Contested,
        "one side is still open"
    );
    world
        .aron
        .resolve(&short(&outcome.conflicts[1]), &rival)
        .await
        .unwrap();
    assert_eq!(world.ana.status(&rival).await, Status::Proposed);
}

#[tokio::test]
async fn a_refusal_is_recorded_and_passes_once_an_arbiter_dismisses_it() {
    let world = World::new().await;
    let locked = world
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
    let conflict = refused(&world.ben.submit_one(draft.clone()).await);
    let record = world.ben.conflict(&conflict).await;
    assert_eq!(
        (record.refusal.as_str(), record.challenger.as_str()),
        ("r1", "")
    );
    assert_eq!(record.challenger_content, draft.content);
    assert_eq!(
        world
            .operator
            .board_record()
            .await
            .figures
            .unwrap()
            .refusals,
        1
    );

    world
        .denied(world.ana.appeal(&conflict), "NOT_AUTHOR")
        .await;
    assert!(world.ben.appeal(&conflict).await.unwrap().appealed);
    world
        .denied(world.ben.dismiss(&conflict), "ROLE_MISSING")
        .await;
    refused(&world.ben.submit_one(draft.clone()).await);
    world.aron.dismiss(&conflict).await.unwrap();
    let id = accepted(&world.ben.submit_one(draft).await);
    assert_eq!(world.ana.status(&id).await, Status::Proposed);
    assert_eq!(world.ana.status(&locked).await, Status::Locked);
    let kinds: Vec<String> = world
        .ana
        .history()
        .await
        .into_iter()
        .map(|it| it.kind)
        .collect();
    for kind in [
        "refused",
        "conflict_opened",
        "conflict_appealed",
        "conflict_dismissed",
    ] {
        assert!(kinds.iter().any(|it| it == kind), "{kind}");
    }
}

#[tokio::test]
async fn a_rewording_of_what_one_was_refused_is_contested_and_attempts_are_counted() {
    let world = World::new().await;
    world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    refused(&world.ben.say("The plant in Lyon has 480 employees.").await);
    let again = world.ben.say("The plant in Lyon has 480 employees.").await;
    refused(&again);
    assert!(
        again.remedies.iter().any(|it| it.contains("1 time")),
        "{:?}",
        again.remedies
    );

    let reworded = world
        .ben
        .say("At the Lyon plant there are 480 people employed.")
        .await;
    assert_ne!(reworded.verdict(), Verdict::Accepted, "{reworded:#?}");
    let reworded = world
        .ben
        .say("480 employees work at the plant in Lyon.")
        .await;
    assert_ne!(reworded.verdict(), Verdict::Accepted, "{reworded:#?}");
}
