//! Lists narrowed in every way, held to one state over their pages, and as of any position; searches.

mod filters;
mod histories;
mod searches;

use pawl_proto::v1::{
    self as proto, Assertion, ListAssertionsRequest, SearchAssertionsRequest, Status,
};

use self::histories::history;
use crate::world::{Client, World, accepted, denied, inference, reason_of, short};

const EVERY_STATUS: [Status; 7] = [
    Status::Proposed,
    Status::Validated,
    Status::Locked,
    Status::Contested,
    Status::Rejected,
    Status::Superseded,
    Status::Retracted,
];

fn every_status() -> Vec<i32> {
    EVERY_STATUS.map(i32::from).to_vec()
}

/// All pages of a list.
async fn listed(client: &Client, request: ListAssertionsRequest) -> Vec<Assertion> {
    let mut request = ListAssertionsRequest {
        board: client.board.clone(),
        ..request
    };
    let mut all = Vec::new();
    loop {
        let page = client.assertions().list_assertions(request.clone()).await;
        let page = page.unwrap().into_inner();
        all.extend(page.assertions);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            return all;
        }
    }
}

async fn everything(client: &Client, as_of: Option<u64>) -> Vec<Assertion> {
    let request = ListAssertionsRequest {
        statuses: every_status(),
        as_of,
        ..Default::default()
    };
    listed(client, request).await
}

/// All conflicts, two a page.
async fn conflicts(client: &Client, as_of: Option<u64>) -> Vec<proto::Conflict> {
    let (mut all, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = proto::ListConflictsRequest {
            board: client.board.clone(),
            all: true,
            page_size: 2,
            page_token,
            as_of,
        };
        let page = client.conflicts().list_conflicts(request).await.unwrap();
        let page = page.into_inner();
        all.extend(page.conflicts);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return all;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_is_what_was_listed_then() {
    for seed in [1, 2] {
        let (world, _, seen) = history(seed, 40).await;
        let positions: Vec<u64> = seen.keys().copied().collect();
        assert!(positions.len() > 15, "{positions:?}");
        assert!(seen.values().any(|(_, conflicts)| conflicts.len() > 2));
        // Neither in order nor against it, so that states are folded on others and from the log.
        let forth = positions.iter().step_by(2);
        for position in forth.chain(positions.iter().rev()) {
            let then = everything(&world.vera, Some(*position)).await;
            let open = conflicts(&world.vera, Some(*position)).await;
            let (was, were) = &seen[position];
            assert_eq!((&then, &open), (was, were), "seed {seed}, as of {position}");
            if let Some(last) = then.last() {
                let get = proto::GetAssertionRequest {
                    board: world.board.clone(),
                    assertion: short(&last.name),
                    as_of: Some(*position),
                };
                let got = world.vera.assertions().get_assertion(get).await.unwrap();
                assert_eq!(got.into_inner(), *last);
            }
            let get = proto::GetBoardRequest {
                board: world.board.clone(),
                as_of: Some(*position),
            };
            let board = world
                .vera
                .boards()
                .get_board(get)
                .await
                .unwrap()
                .into_inner();
            let proposed = then.iter().filter(|it| it.status() == Status::Proposed);
            assert_eq!(board.entries, *position);
            assert_eq!(board.figures.unwrap().proposed as usize, proposed.count());
        }
    }
}

fn request(change: impl FnOnce(&mut ListAssertionsRequest)) -> ListAssertionsRequest {
    let mut request = ListAssertionsRequest::default();
    change(&mut request);
    request
}

#[tokio::test]
async fn pages_are_of_one_state() {
    let world = World::new().await;
    let mut ids = Vec::new();
    for content in [
        "The harbour freezes.",
        "It rains in May.",
        "The bridge is red.",
        "A mill burned down.",
    ] {
        ids.push(accepted(&world.ana.say(content).await));
    }
    let expected = listed(&world.ben, request(|_| {})).await;
    let mut asked = request(|it| {
        it.board = world.board.clone();
        it.page_size = 1;
    });
    let mut found = Vec::new();
    let changes = [&ids[3], &ids[0], &ids[1]];
    for change in changes {
        let page = world.ben.assertions().list_assertions(asked.clone()).await;
        let page = page.unwrap().into_inner();
        found.extend(page.assertions);
        asked.page_token = page.next_page_token;
        world.ana.retract(change).await.unwrap();
        world
            .ana
            .say(&format!("Something new after {change}."))
            .await;
    }
    found.extend(listed(&world.ben, asked).await);
    assert_eq!(found, expected);
}

#[tokio::test]
async fn bad_queries_get_a_reason() {
    let world = World::new().await;
    accepted(&world.ana.say("The harbour freezes.").await);
    let ahead = world.position().await + 1;
    let try_list = async |request: ListAssertionsRequest| {
        let request = ListAssertionsRequest {
            board: world.board.clone(),
            ..request
        };
        world
            .ben
            .assertions()
            .list_assertions(request)
            .await
            .map(drop)
            .unwrap_err()
    };
    let cases: Vec<(&str, &str, ListAssertionsRequest)> = vec![
        (
            "FIELD_INVALID",
            "ids",
            request(|it| it.ids = vec!["x9".into()]),
        ),
        (
            "OTHER_BOARD",
            "",
            request(|it| it.ids = vec!["boards/other/assertions/a1".into()]),
        ),
        (
            "FIELD_TOO_LONG",
            "ids",
            request(|it| it.ids = vec!["a1".into(); 1_001]),
        ),
        (
            "FIELD_INVALID",
            "levels",
            request(|it| it.levels = vec![99]),
        ),
        ("FIELD_INVALID", "kinds", request(|it| it.kinds = vec![99])),
        (
            "FIELD_INVALID",
            "statuses",
            request(|it| it.statuses = vec![99]),
        ),
        (
            "FIELD_INVALID",
            "principal",
            request(|it| it.principal = "No Name".into()),
        ),
        (
            "FIELD_TOO_LONG",
            "entity",
            request(|it| it.entity = "x".repeat(513)),
        ),
        ("FIELD_INVALID", "tag", request(|it| it.tag = "  ".into())),
        (
            "FIELD_INVALID",
            "attribute",
            request(|it| it.attribute = "No Name".into()),
        ),
        (
            "SOURCE_UNKNOWN",
            "",
            request(|it| it.source = "ffffffff".into()),
        ),
        (
            "MODULE_UNKNOWN",
            "",
            request(|it| it.module = "nowhere".into()),
        ),
        (
            "FIELD_INVALID",
            "text",
            request(|it| it.text = "\"\"".into()),
        ),
        (
            "FIELD_TOO_LONG",
            "text",
            request(|it| it.text = "x ".repeat(65)),
        ),
        (
            "TEXT_INVALID",
            "text",
            request(|it| it.text = "\u{202e}x".into()),
        ),
        (
            "FIELD_INVALID",
            "valid_at",
            request(|it| it.valid_at = "2024".into()),
        ),
        (
            "FIELD_INVALID",
            "created_from",
            request(|it| {
                it.created_from = Some(prost_types::Timestamp {
                    seconds: -1,
                    nanos: 0,
                });
            }),
        ),
        (
            "FIELD_INVALID",
            "created_to",
            request(|it| {
                it.created_from = Some(prost_types::Timestamp {
                    seconds: 9,
                    nanos: 0,
                });
                it.created_to = Some(prost_types::Timestamp {
                    seconds: 8,
                    nanos: 0,
                });
            }),
        ),
        ("FIELD_INVALID", "as_of", request(|it| it.as_of = Some(0))),
        ("BASE_IN_FUTURE", "", request(|it| it.as_of = Some(ahead))),
        (
            "PAGE_TOKEN_INVALID",
            "",
            request(|it| it.page_token = "00".into()),
        ),
    ];
    for (reason, field, request) in cases {
        let metadata = denied(&try_list(request).await, reason);
        let found = metadata.get("field").map_or("", String::as_str);
        assert!(field.is_empty() || found == field, "{reason}: {metadata:?}");
    }
    let search = async |request: SearchAssertionsRequest| {
        let request = SearchAssertionsRequest {
            board: world.board.clone(),
            ..request
        };
        let status = world.ben.assertions().search_assertions(request).await;
        reason_of(&status.map(drop).unwrap_err())
    };
    assert_eq!(search(Default::default()).await, "FIELD_MISSING");
    let long = "x".repeat(4_001);
    assert_eq!(
        search(SearchAssertionsRequest {
            query: long,
            ..Default::default()
        })
        .await,
        "FIELD_TOO_LONG"
    );
    let by = SearchAssertionsRequest {
        query: "x".into(),
        by: 9,
        ..Default::default()
    };
    assert_eq!(search(by).await, "FIELD_INVALID");
    let module = SearchAssertionsRequest {
        query: "x".into(),
        module: "nowhere".into(),
        ..Default::default()
    };
    assert_eq!(search(module).await, "MODULE_UNKNOWN");
}

#[tokio::test]
async fn evidence_goes_down_to_the_quotes_as_of_then_too() {
    let world = World::new().await;
    let support = accepted(&world.ana.say("The harbour freezes in winter.").await);
    let above = inference("Ships cannot call in winter.", &[&support]);
    let above = accepted(&world.ana.submit_one(above).await);
    let then = world.position().await;
    world.ana.retract(&support).await.unwrap();
    let evidence = async |as_of| {
        let get = proto::GetEvidenceRequest {
            board: world.board.clone(),
            assertion: above.clone(),
            as_of,
        };
        let chain = world.vera.assertions().get_evidence(get).await.unwrap();
        chain.into_inner().nodes
    };
    let (now, before) = (evidence(None).await, evidence(Some(then)).await);
    let status = |nodes: &[proto::EvidenceNode], place: usize| {
        nodes[place].assertion.as_ref().unwrap().status()
    };
    assert_eq!(status(&now, 1), Status::Retracted);
    assert_eq!(status(&before, 1), Status::Proposed);
    let quoted = &before[1]
        .assertion
        .as_ref()
        .unwrap()
        .draft
        .as_ref()
        .unwrap()
        .citations[0];
    assert_eq!(quoted.quote, "The harbour freezes in winter.");
    assert_eq!(quoted.source.len(), 64);
}
