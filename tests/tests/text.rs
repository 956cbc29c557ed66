//! Text of any origin: what is refused, what is stripped, what is kept.

use pawl_proto::v1::{Draft, FlagRequest};

use crate::world::{World, accepted, cite, cited};

#[tokio::test]
async fn text_is_stored_as_given_and_compared_normalised() {
    let world = World::new().await;
    let composed = "Malmö has a harbour.";
    let decomposed = "Malmo\u{308} has a harbour.";
    let first = accepted(&world.ana.say(decomposed).await);
    assert_eq!(
        world.ben.assertion(&first).await.draft.unwrap().content,
        decomposed
    );
    let again = world.ben.say(composed).await;
    assert!(again.corroborated, "the same up to its normal form");
    assert_eq!(accepted(&again), first);
}

#[tokio::test]
async fn invisible_characters_are_stripped_and_told_of() {
    let world = World::new().await;
    let clean = "The harbour freezes in winter.";
    let draft = Draft {
        content: "The har\u{200b}bour freezes in\u{feff} winter.".into(),
        ..world.ana.draft(clean).await
    };
    let outcome = world.ana.submit_one(draft).await;
    let id = accepted(&outcome);
    assert_eq!(world.ben.assertion(&id).await.draft.unwrap().content, clean);
    assert!(
        outcome.warnings.iter().any(|it| it.contains("invisible")),
        "{outcome:?}"
    );
    assert!(world.ben.say(clean).await.corroborated);
}

#[tokio::test]
async fn what_reorders_or_controls_text_is_refused_in_every_field() {
    let world = World::new().await;
    let draft = world.ana.draft("The harbour freezes in winter.").await;
    let bad = "a\u{202e}b".to_owned();
    let drafts = [
        Draft {
            content: bad.clone(),
            ..draft.clone()
        },
        Draft {
            content: "a\u{7}b".into(),
            ..draft.clone()
        },
        Draft {
            rationale: bad.clone(),
            ..draft.clone()
        },
        Draft {
            entities: vec![bad.clone()],
            ..draft.clone()
        },
        Draft {
            tags: vec![bad.clone()],
            ..draft.clone()
        },
        cited(
            "Something is quoted.",
            cite(&draft.citations[0].source, &bad),
        ),
    ];
    for draft in drafts {
        let metadata = world.item_denied(draft, "TEXT_INVALID").await;
        assert!(metadata["code_point"].starts_with("U+"), "{metadata:?}");
    }
    let id = world.locked(draft).await;
    let flag = FlagRequest {
        board: world.board.clone(),
        assertion: id,
        reason: bad,
        ..Default::default()
    };
    let mut ben = world.ben.assertions();
    let metadata = world.denied(ben.flag(flag), "TEXT_INVALID").await;
    assert_eq!(
        (metadata["field"].as_str(), metadata["code_point"].as_str()),
        ("reason", "U+202E")
    );
}

#[tokio::test]
async fn a_document_that_is_no_text_is_refused() {
    let world = World::new().await;
    for (media_type, bytes) in [
        ("text/plain", b"Malm\xf6 has a harbour.".as_slice()),
        ("text/markdown", b"# \xff"),
    ] {
        let header = pawl_proto::v1::SourceHeader {
            media_type: media_type.into(),
            ..Default::default()
        };
        let metadata = world
            .denied(world.ana.upload_as(header, bytes), "TEXT_INVALID")
            .await;
        assert!(metadata.contains_key("byte"), "{metadata:?}");
    }
    let header = pawl_proto::v1::SourceHeader {
        media_type: "application/json".into(),
        ..Default::default()
    };
    world
        .denied(world.ana.upload_as(header, b"{\"a\":"), "FIELD_INVALID")
        .await;
}

#[tokio::test]
async fn chinese_and_english_live_on_one_board() {
    let world = World::new().await;
    let content = "2023年公司营收增长了45%。";
    let id = accepted(&world.ana.say(content).await);
    assert_eq!(
        world.ben.assertion(&id).await.draft.unwrap().content,
        content
    );
    let other = world.ben.say("2023年公司营收增长了40%。").await;
    assert_eq!(
        other.verdict(),
        pawl_proto::v1::Verdict::Contested,
        "{other:#?}"
    );
}
