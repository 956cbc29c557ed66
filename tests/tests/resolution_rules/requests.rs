//! Who sets rules and dates, and which are refused.

use pawl_proto::v1::{self as proto, ResolutionRule, Role};

use super::{ARBITER, AUTHORITY, RANKED, RECENCY};
use crate::world::World;

#[tokio::test]
async fn rules_are_for_operators_to_set_and_for_members_to_read() {
    let world = World::new().await;
    for nobody in [&world.ana, &world.ben, &world.vera, &world.aron] {
        world
            .denied(nobody.set_rules(&[RECENCY], &[]), "ROLE_MISSING")
            .await;
        nobody.rules().await.unwrap();
    }
    let other = World::new().await;
    for call in [
        world.server.client("x", &other.ana.token, &world.board),
        world.server.client("x", &other.aron.token, &world.board),
    ] {
        world.denied(call.rules(), "BOARD_UNKNOWN").await;
        world
            .denied(call.set_rules(&[RECENCY], &[]), "BOARD_UNKNOWN")
            .await;
    }
    let reader = world.principal("rita", &[Role::Reader]).await;
    assert_eq!(
        reader.rules().await.unwrap(),
        proto::ResolutionRules::default()
    );
}

#[tokio::test]
async fn bad_rules_are_refused_with_what_is_wrong() {
    let world = World::new().await;
    let unnamed = ResolutionRule::Unspecified;
    let check = async |order: &[ResolutionRule], authority: &[&str], reason, field: &str| {
        let call = world.operator.set_rules(order, authority);
        let metadata = world.denied(call, reason).await;
        assert_eq!(metadata["field"], field, "{order:?} {authority:?}");
    };
    check(&[ResolutionRule::Evidence], &[], "FIELD_INVALID", "order").await;
    check(&[unnamed], &[], "FIELD_MISSING", "order").await;
    check(&[RECENCY, RECENCY], &[], "FIELD_INVALID", "order").await;
    check(&[ARBITER, RECENCY], &[], "FIELD_INVALID", "order").await;
    check(&[AUTHORITY], &[], "FIELD_MISSING", "authority").await;
    check(&[RECENCY], &["example.org"], "FIELD_INVALID", "authority").await;
    for wrong in ["", "no host", "https://", "*.example.org", "abcdef0123"] {
        let reason = if wrong.is_empty() {
            "FIELD_MISSING"
        } else {
            "FIELD_INVALID"
        };
        check(&[AUTHORITY], &[wrong], reason, "authority").await;
    }
    let many: Vec<String> = (0..257)
        .map(|number| format!("h{number}.example.org"))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    check(&[AUTHORITY], &many, "FIELD_TOO_LONG", "authority").await;
    let request = proto::SetResolutionRulesRequest {
        board: world.board.clone(),
        rules: None,
    };
    let mut boards = world.operator.boards();
    world
        .denied(boards.set_resolution_rules(request), "FIELD_MISSING")
        .await;
}

#[tokio::test]
async fn a_date_of_a_source_is_a_day_that_has_come() {
    let world = World::new().await;
    for wrong in ["2024", "2024-13-01", "2999-01-01", "yesterday"] {
        let header = proto::SourceHeader {
            media_type: "text/plain".to_owned(),
            date: wrong.to_owned(),
            ..Default::default()
        };
        let metadata = world
            .denied(world.ana.upload_as(header, b"A report."), "FIELD_INVALID")
            .await;
        assert_eq!(metadata["field"], "date");
    }
    let digest = world
        .operator
        .document("https://stat.example.org/", "2024-02-29", "A leap.")
        .await;
    world
        .operator
        .set_rules(&[AUTHORITY], &RANKED)
        .await
        .unwrap();
    let get = proto::GetSourceRequest {
        board: world.board.clone(),
        source: digest,
    };
    let source = world
        .ana
        .sources()
        .get_source(get)
        .await
        .unwrap()
        .into_inner();
    assert_eq!((source.date.as_str(), source.rank), ("2024-02-29", 1));
}
