//! The recorded way past a lock.

use pawl_proto::v1::{AmendRequest, Draft, SnapshotCause, Status, Verdict, WatchRequest};

use crate::world::{MODULE, World, accepted, capacity, cite, claiming, inference, refused, short};

#[tokio::test]
async fn an_amendment_replaces_a_locked_revision_and_makes_a_snapshot() {
    let world = World::new().await;
    let old = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let before = world.ana.assertion(&old).await;
    let drawn = accepted(
        &world
            .ana
            .submit_one(inference("Lyon is a large plant.", &[&old]))
            .await,
    );
    let position = world.position().await;
    let watch = WatchRequest {
        board: world.board.clone(),
        from: Some(position),
        kinds: vec!["amended".into()],
        ..Default::default()
    };
    let mut watched = world.ben.logs().watch(watch).await.unwrap().into_inner();

    let source = world
        .aron
        .upload("text/plain", b"Lyon hired 30 people.")
        .await;
    let amend = AmendRequest {
        board: world.board.clone(),
        assertion: old.clone(),
        draft: Some(
            world
                .aron
                .draft("The plant in Lyon has 530 employees.")
                .await,
        ),
        reason: "the plant hired".into(),
        evidence: vec![cite(&source, "Lyon hired 30 people.")],
        ..Default::default()
    };
    let amended = world.aron.seals().amend(amend).await.unwrap().into_inner();
    let new = amended.assertion.unwrap();
    assert_eq!(short(&new.name), "a1@2");
    assert_eq!(new.status(), Status::Locked);
    let snapshot = amended.snapshot.unwrap();
    let node = snapshot.snapshot.unwrap();
    assert_eq!(node.cause(), SnapshotCause::Amendment);
    let parent = blake3::Hash::from_bytes(node.parents[0].clone().try_into().unwrap());
    assert_eq!(parent.to_hex().to_string(), short(&before.snapshot));
    assert_eq!(snapshot.members, ["a1@2"]);
    assert_eq!(
        amended
            .support_lost
            .iter()
            .map(|it| short(it))
            .collect::<Vec<_>>(),
        [drawn]
    );

    let gone = world.ana.assertion(&old).await;
    assert_eq!(gone.status(), Status::Superseded);
    assert_eq!(short(&gone.replaced_by), "a1@2");
    let mut records = Vec::new();
    while records.is_empty() {
        records = watched.message().await.unwrap().unwrap().records;
    }
    assert_eq!(records[0].kind, "amended");
    assert_eq!(records[0].detail, "the plant hired");
    assert_eq!(records[0].principal, world.aron.name);
}

#[tokio::test]
async fn an_amendment_needs_the_right_a_reason_and_a_quote_that_stands() {
    let world = World::new().await;
    let old = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let draft = world
        .aron
        .draft("The plant in Lyon has 530 employees.")
        .await;
    for nobody in [&world.ana, &world.vera, &world.operator] {
        world
            .denied(nobody.amend(&old, draft.clone()), "ROLE_MISSING")
            .await;
    }
    let amend = |draft, reason: &str| AmendRequest {
        board: world.board.clone(),
        assertion: old.clone(),
        draft: Some(draft),
        reason: reason.into(),
        ..Default::default()
    };
    let mut aron = world.aron.seals();
    world
        .denied(aron.amend(amend(draft.clone(), "")), "FIELD_MISSING")
        .await;
    let invented = Draft {
        citations: vec![cite(&draft.citations[0].source, "540 employees")],
        ..draft.clone()
    };
    world
        .denied(aron.amend(amend(invented, "revised")), "QUOTE_NOT_FOUND")
        .await;
    let bare = Draft {
        citations: vec![],
        ..draft.clone()
    };
    world
        .denied(aron.amend(amend(bare, "revised")), "CITATION_MISSING")
        .await;
    let alone = Draft {
        supports: vec!["#0".into()],
        ..draft.clone()
    };
    world
        .denied(aron.amend(amend(alone, "revised")), "FIELD_INVALID")
        .await;
    let open = accepted(&world.ana.say("The lighthouse was built of granite.").await);
    world
        .denied(world.aron.amend(&open, draft), "NOT_LOCKED")
        .await;
}

#[tokio::test]
async fn an_amendment_may_not_contradict_what_else_is_locked() {
    let world = World::new().await;
    let first = claiming(
        world.ana.draft("What the register says.").await,
        capacity("Nordlys", "5.0"),
    );
    let second = claiming(
        world.ana.draft("What the firm says.").await,
        capacity("Nordlys", "5.00"),
    );
    let first = world.validated(first).await;
    let second = world.validated(second).await;
    world.aron.seal(MODULE).await.unwrap();
    let revised = claiming(
        world.aron.draft("What the register says now.").await,
        capacity("Nordlys", "9"),
    );
    let metadata = world
        .denied(world.aron.amend(&first, revised), "CONTRADICTS_LOCKED")
        .await;
    assert_eq!(metadata["standing"], second);
}

#[tokio::test]
async fn after_an_amendment_the_new_figure_is_what_holds() {
    let world = World::new().await;
    let old = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let draft = world
        .aron
        .draft("The plant in Lyon has 530 employees.")
        .await;
    world.aron.amend(&old, draft).await.unwrap();
    let outcome = world.ben.say("The plant in Lyon has 500 employees.").await;
    refused(&outcome);
    assert_eq!(short(&outcome.findings[0].standing), "a1@2");
    let agrees = world.ben.say("The plant in Lyon has 530 employees.").await;
    assert_eq!(agrees.verdict(), Verdict::Accepted);
    assert!(agrees.corroborated);
}

#[tokio::test]
async fn the_number_of_locked_facts_falls_by_nothing_but_amendments() {
    let world = World::new().await;
    let old = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let locked = async || world.operator.board_record().await.figures.unwrap().locked;
    assert_eq!(locked().await, 1);
    let (challenger, conflict) = {
        let rose = world
            .validated(world.ana.draft("House prices rose last year.").await)
            .await;
        world.aron.seal(MODULE).await.unwrap();
        assert_eq!(world.ana.status(&rose).await, Status::Locked);
        crate::world::contested(&world.ben.say("House prices fell last year.").await)
    };
    assert_eq!(locked().await, 2);
    world.aron.resolve(&conflict, &challenger).await.unwrap();
    assert_eq!(locked().await, 2, "one for one");
    let draft = world
        .aron
        .draft("The plant in Lyon has 530 employees.")
        .await;
    world.aron.amend(&old, draft).await.unwrap();
    assert_eq!(locked().await, 2, "one for one");
    let counted = world
        .ana
        .history()
        .await
        .iter()
        .filter(|it| it.kind == "amended")
        .count();
    assert_eq!(counted, 2);
}
