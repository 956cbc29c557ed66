//! What cannot be processed: each with its reason, the offending value, and nothing applied.

mod messages;
mod names;

use pawl_ledger::store::Engine;
use pawl_proto::v1::{self as proto, Draft, SubmitRequest};
use tonic::Request;

use self::names::ZEROS;
use crate::world::{OwnServer, World, accepted, cite, item_error};

#[tokio::test]
async fn fields_that_are_missing_too_long_or_wrong() {
    let world = World::new().await;
    let good = world.ana.draft("The canal is 12 km long.").await;
    let long = |bytes: usize| "x".repeat(bytes);
    let many = |count: usize| vec!["x".to_owned(); count];
    let quote = || cite(&good.citations[0].source, "The canal is 12 km long.");
    let with = |citation| Draft {
        citations: vec![citation],
        ..good.clone()
    };
    let cases: Vec<(Draft, &str, &str, &str)> = vec![
        (
            Draft {
                content: String::new(),
                ..good.clone()
            },
            "FIELD_MISSING",
            "field",
            "content",
        ),
        (
            Draft {
                content: " \n\t".into(),
                ..good.clone()
            },
            "FIELD_MISSING",
            "field",
            "content",
        ),
        (
            Draft {
                content: long(4_001),
                ..good.clone()
            },
            "FIELD_TOO_LONG",
            "characters",
            "4001",
        ),
        (
            Draft {
                rationale: long(8_001),
                ..good.clone()
            },
            "FIELD_TOO_LONG",
            "field",
            "rationale",
        ),
        (
            Draft {
                module: String::new(),
                ..good.clone()
            },
            "FIELD_MISSING",
            "field",
            "module",
        ),
        (
            Draft {
                module: "nowhere".into(),
                ..good.clone()
            },
            "MODULE_UNKNOWN",
            "module",
            "nowhere",
        ),
        (
            Draft {
                module: "No Where".into(),
                ..good.clone()
            },
            "FIELD_INVALID",
            "value",
            "No Where",
        ),
        (
            Draft {
                confidence: None,
                ..good.clone()
            },
            "FIELD_MISSING",
            "field",
            "confidence",
        ),
        (
            Draft {
                confidence: Some(1.01),
                ..good.clone()
            },
            "CONFIDENCE_OUT_OF_RANGE",
            "confidence",
            "1.01",
        ),
        (
            Draft {
                confidence: Some(-0.1),
                ..good.clone()
            },
            "CONFIDENCE_OUT_OF_RANGE",
            "confidence",
            "-0.1",
        ),
        (
            Draft {
                confidence: Some(f64::NAN),
                ..good.clone()
            },
            "CONFIDENCE_OUT_OF_RANGE",
            "confidence",
            "NaN",
        ),
        (
            Draft {
                confidence: Some(f64::INFINITY),
                ..good.clone()
            },
            "CONFIDENCE_OUT_OF_RANGE",
            "confidence",
            "inf",
        ),
        (
            Draft {
                level: 9,
                ..good.clone()
            },
            "FIELD_INVALID",
            "field",
            "level",
        ),
        (
            Draft {
                kind: 99,
                ..good.clone()
            },
            "FIELD_INVALID",
            "field",
            "kind",
        ),
        (
            Draft {
                entities: many(65),
                ..good.clone()
            },
            "FIELD_TOO_LONG",
            "field",
            "entities",
        ),
        (
            Draft {
                tags: many(65),
                ..good.clone()
            },
            "FIELD_TOO_LONG",
            "field",
            "tags",
        ),
        (
            Draft {
                tags: vec![long(513)],
                ..good.clone()
            },
            "FIELD_TOO_LONG",
            "field",
            "tags",
        ),
        (
            Draft {
                citations: vec![quote(); 65],
                ..good.clone()
            },
            "FIELD_TOO_LONG",
            "field",
            "citations",
        ),
        (
            Draft {
                supports: many(65),
                ..good.clone()
            },
            "FIELD_TOO_LONG",
            "field",
            "supports",
        ),
        (
            Draft {
                valid_from: "yesterday".into(),
                ..good.clone()
            },
            "FIELD_INVALID",
            "value",
            "yesterday",
        ),
        (
            Draft {
                valid_from: "2024".into(),
                valid_to: "2023".into(),
                ..good.clone()
            },
            "FIELD_INVALID",
            "field",
            "valid_to",
        ),
        (
            Draft {
                supports: vec!["a9@1".into()],
                ..good.clone()
            },
            "ASSERTION_UNKNOWN",
            "assertion",
            "a9@1",
        ),
        (
            Draft {
                supports: vec!["nonsense".into()],
                ..good.clone()
            },
            "FIELD_INVALID",
            "value",
            "nonsense",
        ),
        (
            Draft {
                replaces: "a9@1".into(),
                ..good.clone()
            },
            "ASSERTION_UNKNOWN",
            "assertion",
            "a9@1",
        ),
        (
            with(proto::Citation {
                source: String::new(),
                ..quote()
            }),
            "FIELD_MISSING",
            "field",
            "source",
        ),
        (
            with(proto::Citation {
                quote: String::new(),
                ..quote()
            }),
            "FIELD_MISSING",
            "field",
            "quote",
        ),
        (
            with(cite(&"0".repeat(64), "x")),
            "SOURCE_UNKNOWN",
            "source",
            &ZEROS,
        ),
        (
            with(cite("https://example.org/nowhere", "x")),
            "SOURCE_UNKNOWN",
            "",
            "",
        ),
        (
            with(cite(&good.citations[0].source, &long(5_000))),
            "QUOTE_NOT_FOUND",
            "miss",
            "longer_than_source",
        ),
        (
            with(cite(&good.citations[0].source, &long(32_001))),
            "FIELD_TOO_LONG",
            "field",
            "quote",
        ),
    ];
    for (draft, reason, key, value) in cases {
        let metadata = world.item_denied(draft, reason).await;
        if !key.is_empty() {
            assert_eq!(
                metadata.get(key).map(String::as_str),
                Some(value),
                "{reason} {metadata:?}"
            );
        }
    }
    accepted(&world.ana.submit_one(good).await);
}

#[tokio::test]
async fn a_bad_item_takes_nothing_else_down() {
    let world = World::new().await;
    let good = world.ana.draft("The canal is 12 km long.").await;
    let bad = Draft {
        confidence: Some(2.0),
        ..world.ana.draft("The harbour freezes.").await
    };
    let items = vec![bad.clone(), good.clone()];
    let together = SubmitRequest {
        items,
        all_or_none: true,
        ..Default::default()
    };
    let before = world.position().await;
    let answer = world.ana.submit_with(together).await.unwrap();
    assert!(!answer.committed);
    item_error(&answer.outcomes[0], "CONFIDENCE_OUT_OF_RANGE");
    assert_eq!(world.position().await, before);
    let answer = world.ana.submit(vec![bad, good]).await.unwrap();
    item_error(&answer.outcomes[0], "CONFIDENCE_OUT_OF_RANGE");
    accepted(&answer.outcomes[1]);
}

#[tokio::test]
async fn a_limit_of_the_settings_and_a_deadline() {
    let server =
        OwnServer::start_with(Engine::Fjall, false, |config| config.limits.batch_items = 3).await;
    let world = World::on(server.server.clone()).await;
    let draft = world.ana.draft("The canal is 12 km long.").await;
    let metadata = world
        .denied(world.ana.submit(vec![draft; 4]), "BATCH_TOO_LARGE")
        .await;
    assert_eq!(metadata["limit"], "3");
    server.stop().await;

    let world = World::new().await;
    let items = vec![world.ana.draft("The canal is 12 km long.").await; 200];
    let mut late = Request::new(proto::CheckRequest {
        board: world.board.clone(),
        items,
        base: None,
    });
    late.metadata_mut()
        .insert("grpc-timeout", "1m".parse().unwrap());
    let status = world.ana.assertions().check(late).await.unwrap_err();
    // The client's own clock may run out first.
    let over = [tonic::Code::DeadlineExceeded, tonic::Code::Cancelled];
    assert!(over.contains(&status.code()), "{status:?}");
}
