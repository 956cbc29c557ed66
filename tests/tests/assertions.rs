//! Assertions, their revisions and their statuses.

use pawl_proto::v1::{self as proto, Draft, Kind, Level, Status};

use crate::world::{
    World, accepted, capacity, cite, claiming, contested, denied, item_error, short,
};

#[tokio::test]
async fn a_revision_keeps_everything_its_author_said() {
    let world = World::new().await;
    let base = world.position().await;
    let draft = Draft {
        rationale: "Stated in the annual report.".into(),
        kind: Kind::Estimate.into(),
        confidence: Some(0.8125),
        entities: vec!["Nordlys".into()],
        tags: vec!["energy".into()],
        valid_from: "2024-01".into(),
        valid_to: "2024-12-31".into(),
        claim: Some(capacity("Nordlys", "12.50")),
        ..world.ana.draft("Nordlys has 12.5 GW of wind power.").await
    };
    let answer = world
        .ana
        .submit_with(proto::SubmitRequest {
            items: vec![draft.clone()],
            base: Some(base),
            ..Default::default()
        })
        .await
        .unwrap();
    let id = accepted(&answer.outcomes[0]);
    let stored = world.ben.assertion(&id).await;

    let kept = stored.draft.clone().unwrap();
    assert_eq!(kept.content, draft.content);
    assert_eq!(kept.rationale, draft.rationale);
    assert_eq!(kept.module, draft.module);
    assert_eq!(kept.level(), Level::Statement);
    assert_eq!(kept.kind(), Kind::Estimate);
    assert_eq!(kept.confidence, draft.confidence);
    assert_eq!(kept.entities, draft.entities);
    assert_eq!(kept.tags, draft.tags);
    assert_eq!(
        (kept.valid_from, kept.valid_to),
        (draft.valid_from, draft.valid_to)
    );
    assert_eq!(kept.claim, draft.claim);
    assert_eq!(kept.citations[0].quote, draft.citations[0].quote);
    assert_eq!(stored.principal, world.ana.name);
    assert_eq!(stored.base, base);
    assert_eq!(stored.status(), Status::Proposed);
    assert!(stored.create_time.is_some());
    assert_eq!(
        stored.name,
        format!("boards/{}/assertions/{id}", world.board)
    );
}

#[tokio::test]
async fn a_change_is_a_new_revision_that_names_the_one_it_replaces() {
    let world = World::new().await;
    let first = accepted(&world.ana.say("The ferry to Bergen takes 40 minutes.").await);
    let corrected = Draft {
        replaces: first.clone(),
        ..world
            .ana
            .draft("The ferry to Bergen takes 45 minutes.")
            .await
    };
    let second = accepted(&world.ana.submit_one(corrected).await);

    assert_eq!((first.as_str(), second.as_str()), ("a1@1", "a1@2"));
    let old = world.ana.assertion(&first).await;
    assert_eq!(
        old.draft.as_ref().unwrap().content,
        "The ferry to Bergen takes 40 minutes."
    );
    assert_eq!(old.status(), Status::Superseded);
    assert_eq!(short(&old.replaced_by), second);
    let new = world.ana.assertion("a1").await;
    assert_eq!(short(&new.name), second);
    assert_eq!(new.draft.unwrap().replaces, first);
}

#[tokio::test]
async fn an_illegal_transition_is_refused_with_the_legal_ones() {
    let world = World::new().await;
    let id = accepted(&world.ana.say("The harbour freezes in winter.").await);
    world.ana.retract(&id).await.unwrap();
    let metadata = world
        .denied(world.ana.retract(&id), "TRANSITION_ILLEGAL")
        .await;
    assert_eq!(metadata["assertion"], id);
    assert_eq!(metadata["status"], "retracted");
    assert!(metadata.contains_key("legal"));

    let other = accepted(&world.ana.say("The lighthouse was built of granite.").await);
    world.vera.validate_as_cited(&other).await;
    let evidence = world.ana.assertion(&other).await.draft.unwrap().citations;
    let metadata = world
        .denied(world.vera.validate(&other, evidence), "TRANSITION_ILLEGAL")
        .await;
    assert!(metadata["legal"].contains("seal"), "{metadata:?}");

    let again = Draft {
        replaces: id,
        ..world.ana.draft("The harbour freezes in January.").await
    };
    let metadata = world.item_denied(again, "TRANSITION_ILLEGAL").await;
    assert_eq!(metadata["status"], "retracted");
}

#[tokio::test]
async fn statuses_follow_the_life_of_a_revision() {
    let world = World::new().await;
    let id = accepted(&world.ana.say("The museum is open on Monday.").await);
    assert_eq!(world.ana.status(&id).await, Status::Proposed);
    let (rival, conflict) = contested(&world.ben.say("The museum is not open on Monday.").await);
    assert_eq!(world.ana.status(&rival).await, Status::Contested);
    world.aron.resolve(&conflict, &id).await.unwrap();
    assert_eq!(world.ana.status(&rival).await, Status::Rejected);
    world.vera.validate_as_cited(&id).await;
    assert_eq!(world.ana.status(&id).await, Status::Validated);
    world.aron.seal("market").await.unwrap();
    assert_eq!(world.ana.status(&id).await, Status::Locked);
}

#[tokio::test]
async fn a_validation_is_of_another_verifier_and_quotes_what_was_read() {
    let world = World::new().await;
    world
        .operator
        .grant(&world.ana.name, proto::Role::Verifier)
        .await;
    let id = accepted(&world.ana.say("The tower opened in 1998.").await);
    let evidence = world.ana.assertion(&id).await.draft.unwrap().citations;

    let own = world.ana.validate(&id, evidence.clone());
    assert_eq!(world.denied(own, "OWN_ASSERTION").await["assertion"], id);
    world
        .denied(world.ben.validate(&id, evidence.clone()), "ROLE_MISSING")
        .await;
    world
        .denied(world.vera.validate(&id, vec![]), "CITATION_MISSING")
        .await;
    let invented = vec![cite(&evidence[0].source, "The tower opened in 1997.")];
    world
        .denied(world.vera.validate(&id, invented), "QUOTE_NOT_FOUND")
        .await;

    let validated = world.vera.validate(&id, evidence).await.unwrap();
    assert_eq!(validated.status(), Status::Validated);
    assert_eq!(validated.validated_by, world.vera.name);
}

#[tokio::test]
async fn an_assertion_without_a_citation_is_denied() {
    let world = World::new().await;
    let bare = Draft {
        citations: vec![],
        ..world.ana.draft("The bridge is 300 metres long.").await
    };
    let metadata = world.item_denied(bare, "CITATION_MISSING").await;
    assert_eq!(metadata["field"], "citations");
}

#[tokio::test]
async fn lists_come_in_pages_that_miss_and_repeat_nothing() {
    let world = World::new().await;
    let names = ["Oslo", "Lima", "Quito", "Dakar", "Hanoi", "Perth", "Turin"];
    for name in names {
        let draft = world
            .ana
            .draft(&format!("{name} has a large harbour."))
            .await;
        accepted(
            &world
                .ana
                .submit_one(claiming(draft, capacity(name, "1")))
                .await,
        );
    }
    let mut token = String::new();
    let mut seen = Vec::new();
    loop {
        let list = proto::ListAssertionsRequest {
            board: world.board.clone(),
            page_size: 3,
            page_token: token,
            ..Default::default()
        };
        let page = world
            .ben
            .assertions()
            .list_assertions(list)
            .await
            .unwrap()
            .into_inner();
        seen.extend(page.assertions.iter().map(|it| short(&it.name)));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let all: Vec<String> = (1..=names.len())
        .map(|number| format!("a{number}@1"))
        .collect();
    assert_eq!(seen, all);

    let list = proto::ListAssertionsRequest {
        board: world.board.clone(),
        page_token: "nonsense".into(),
        ..Default::default()
    };
    let error = world
        .ben
        .assertions()
        .list_assertions(list)
        .await
        .unwrap_err();
    denied(&error, "PAGE_TOKEN_INVALID");
}

#[tokio::test]
async fn a_batch_answers_for_each_item_and_commits_what_passes_together() {
    let world = World::new().await;
    let good = world.ana.draft("The canal is 12 km long.").await;
    let bad = Draft {
        module: "nowhere".into(),
        ..good.clone()
    };
    let before = world.position().await;
    let answer = world.ana.submit(vec![bad, good]).await.unwrap();
    assert_eq!(
        item_error(&answer.outcomes[0], "MODULE_UNKNOWN")["module"],
        "nowhere"
    );
    accepted(&answer.outcomes[1]);
    assert!(answer.committed);
    assert_eq!(answer.position, before + 1);
}
