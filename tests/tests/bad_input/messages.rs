//! Messages that are too long, empty or no messages at all.

use pawl_proto::v1::{Draft, SubmitResponse};
use tonic::{Request, Status, client::Grpc, codegen::http::uri::PathAndQuery};
use tonic_prost::ProstCodec;

use crate::world::{Client, World};

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
