//! What cannot be processed: each with its reason, the offending value, and nothing applied.

use pawl_ledger::store::Engine;
use pawl_proto::v1::{self as proto, Draft, SubmitRequest, SubmitResponse};
use tonic::{Request, Status, client::Grpc, codegen::http::uri::PathAndQuery};
use tonic_prost::ProstCodec;

use crate::world::{Client, OwnServer, World, accepted, cite, denied, item_error};

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

static ZEROS: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| "0".repeat(64));

#[tokio::test]
async fn names_that_stand_for_nothing() {
    let world = World::new().await;
    let elsewhere = World::new().await;
    let unknown = Client {
        board: "no-such-board".into(),
        ..world.ana.clone()
    };
    let foreign = Client {
        board: elsewhere.board.clone(),
        ..world.ana.clone()
    };
    for client in [unknown, foreign] {
        let error = client
            .submit(vec![world.ana.draft("x y z").await])
            .await
            .unwrap_err();
        assert_eq!(denied(&error, "BOARD_UNKNOWN")["board"], client.board);
    }
    let invalid = Client {
        board: "No Board".into(),
        ..world.ana.clone()
    };
    let error = invalid.submit(vec![]).await.unwrap_err();
    assert_eq!(denied(&error, "FIELD_INVALID")["value"], "No Board");
    let metadata = world
        .denied(world.ana.try_assertion("a9"), "ASSERTION_UNKNOWN")
        .await;
    assert_eq!(metadata["assertion"], "a9");
    world
        .denied(world.ana.try_assertion("a9@1"), "ASSERTION_UNKNOWN")
        .await;
    let metadata = world
        .denied(world.ana.try_assertion("b7"), "FIELD_INVALID")
        .await;
    assert_eq!(metadata["value"], "b7");
    world
        .denied(world.aron.resolve("c7", "a1@1"), "CONFLICT_UNKNOWN")
        .await;
    world
        .denied(world.aron.seal("nowhere"), "MODULE_UNKNOWN")
        .await;
    let snapshot = proto::GetSnapshotRequest {
        board: world.board.clone(),
        snapshot: "0".repeat(64),
    };
    let mut seals = world.ana.seals();
    world
        .denied(seals.get_snapshot(snapshot), "SNAPSHOT_UNKNOWN")
        .await;
    let flag = proto::CloseFlagRequest {
        board: world.board.clone(),
        flag: "f7".into(),
        reason: "x".into(),
        ..Default::default()
    };
    let mut aron = world.aron.assertions();
    world.denied(aron.close_flag(flag), "FLAG_UNKNOWN").await;
}

#[tokio::test]
async fn ids_of_another_board() {
    let world = World::new().await;
    let other = World::new().await;
    let foreign = accepted(&other.ana.say("The canal is 12 km long.").await);
    let foreign = format!("boards/{}/assertions/{foreign}", other.board);
    accepted(&world.ana.say("The harbour freezes in winter.").await);
    let metadata = world
        .denied(world.ana.try_assertion(&foreign), "OTHER_BOARD")
        .await;
    assert_eq!(
        (metadata["board"].as_str(), metadata["value"].as_str()),
        (world.board.as_str(), foreign.as_str())
    );
    world
        .denied(world.ana.retract(&foreign), "OTHER_BOARD")
        .await;
    world
        .denied(world.vera.reaffirm("a1@1", &[&foreign]), "OTHER_BOARD")
        .await;
    let draft = world
        .ana
        .draft("The lighthouse was built of granite.")
        .await;
    let replaces = Draft {
        replaces: foreign.clone(),
        ..draft.clone()
    };
    world.item_denied(replaces, "OTHER_BOARD").await;
    let supports = Draft {
        supports: vec![foreign],
        ..draft.clone()
    };
    world.item_denied(supports, "OTHER_BOARD").await;

    // A source is of the board it was registered on, even where the server has its bytes.
    let source = other
        .ana
        .upload("text/plain", b"Only the other board may cite this.")
        .await;
    let cites = Draft {
        citations: vec![cite(&source, "Only the other board")],
        ..draft
    };
    world.item_denied(cites, "SOURCE_UNKNOWN").await;
    let conflict = format!("boards/{}/conflicts/c1", other.board);
    world
        .denied(world.aron.dismiss(&conflict), "OTHER_BOARD")
        .await;
}

#[tokio::test]
async fn too_many_items_none_and_a_message_over_the_limit() {
    let world = World::new().await;
    let draft = world.ana.draft("The canal is 12 km long.").await;
    let small = Draft {
        module: "m".into(),
        content: "x".into(),
        ..Default::default()
    };
    let metadata = world
        .denied(world.ana.submit(vec![small; 10_000]), "BATCH_TOO_LARGE")
        .await;
    assert_eq!(
        (metadata["items"].as_str(), metadata["limit"].as_str()),
        ("10000", "256")
    );
    let metadata = world
        .denied(world.ana.check(vec![draft.clone(); 257]), "BATCH_TOO_LARGE")
        .await;
    assert_eq!(metadata["items"], "257");
    let metadata = world
        .denied(world.ana.submit(vec![]), "FIELD_MISSING")
        .await;
    assert_eq!(metadata["field"], "items");
    let huge = Draft {
        rationale: "x".repeat(5 << 20),
        ..draft
    };
    world
        .denied(world.ana.submit(vec![huge]), "MESSAGE_TOO_LARGE")
        .await;
}

/// The wire form of a submission with bytes where texts belong.
#[derive(Clone, PartialEq, prost::Message)]
struct RawSubmit {
    #[prost(bytes = "vec", tag = "1")]
    board: Vec<u8>,
    #[prost(message, repeated, tag = "2")]
    items: Vec<RawDraft>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct RawDraft {
    #[prost(bytes = "vec", tag = "1")]
    module: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    content: Vec<u8>,
}

async fn raw<M: prost::Message + 'static>(client: &Client, message: M) -> Result<(), Status> {
    let mut grpc = Grpc::new(client.carried());
    grpc.ready().await.unwrap();
    let path = PathAndQuery::from_static("/pawl.v1.AssertionService/Submit");
    let codec: ProstCodec<M, SubmitResponse> = ProstCodec::default();
    grpc.unary(Request::new(message), path, codec)
        .await
        .map(drop)
}

#[tokio::test]
async fn bytes_that_are_no_utf8_and_no_message() {
    let world = World::new().await;
    let broken = RawSubmit {
        board: world.board.clone().into_bytes(),
        items: vec![RawDraft {
            module: b"market".to_vec(),
            content: b"Malm\xf6".to_vec(),
        }],
    };
    let status = world.denied(raw(&world.ana, broken), "TEXT_INVALID").await;
    drop(status);
    let board = RawSubmit {
        board: vec![0xff, 0xfe],
        items: vec![],
    };
    world.denied(raw(&world.ana, board), "TEXT_INVALID").await;

    #[derive(Clone, PartialEq, prost::Message)]
    struct OtherShape {
        #[prost(uint64, tag = "1")]
        board: u64,
    }
    world
        .denied(raw(&world.ana, OtherShape { board: 7 }), "FIELD_INVALID")
        .await;
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
