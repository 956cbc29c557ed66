//! Lists narrowed in every way, held to one state over their pages, and as of any position; searches.

use std::collections::BTreeMap;

use pawl_ledger::store::Engine;
use pawl_proto::v1::{
    self as proto, Assertion, Draft, Kind, Level, ListAssertionsRequest, SearchAssertionsRequest,
    SearchBy, Status,
};

use crate::world::{
    Client, OwnServer, World, accepted, capacity, cite, cited, claiming, denied, inference,
    reason_of, short,
};

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

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

const WORDS: [&str; 5] = ["turbine", "Solar park", "harbour", "装机容量", "grid"];
const TAGS: [&str; 3] = ["energy", "Draft", "2024"];

/// A statement with some of everything that a list can be narrowed by.
fn draft(numbers: &mut Numbers, source: &str, number: usize) -> Draft {
    let word = WORDS[numbers.below(5)];
    let content = format!("Station {number} has a {word} of {number} GW.");
    let draft = Draft {
        level: [Level::Data, Level::Statement][numbers.below(2)].into(),
        kind: [Kind::Fact, Kind::Estimate, Kind::Forecast][numbers.below(3)].into(),
        entities: vec![word.to_owned()],
        tags: vec![TAGS[numbers.below(3)].to_owned()],
        valid_from: ["", "2023", "2024-06", "2024-07-01"][numbers.below(4)].to_owned(),
        valid_to: ["", "2024-12-31", "2025"][numbers.below(3)].to_owned(),
        ..cited(&content, cite(source, "Some register says so."))
    };
    if numbers.below(2) == 0 {
        claiming(
            draft,
            capacity(&format!("Station {}", number % 7), &number.to_string()),
        )
    } else {
        draft
    }
}

/// One act of somebody; whether it is allowed does not matter.
async fn act(world: &World, numbers: &mut Numbers, sources: &[String; 2], number: usize) {
    let known = everything(&world.ana, None).await;
    let some = |numbers: &mut Numbers| -> String {
        known
            .get(numbers.below(known.len().max(1)))
            .map_or("a1@1".into(), |it| short(&it.name))
    };
    let source = &sources[numbers.below(2)];
    match numbers.below(9) {
        0..=2 => {
            let draft = draft(numbers, source, number);
            let who = if numbers.below(2) == 0 {
                &world.ana
            } else {
                &world.ben
            };
            who.submit(vec![draft]).await.unwrap();
        }
        3 => {
            let evidence = vec![cite(source, "Some register says so.")];
            let _ = world.vera.validate(&some(numbers), evidence).await;
        }
        4 => {
            let _ = world.ana.retract(&some(numbers)).await;
        }
        5 => {
            let support = some(numbers);
            let content = format!("Conclusion {number} follows.");
            let _ = world
                .ana
                .submit(vec![inference(&content, &[&support])])
                .await;
        }
        6 => {
            // The same claim key with another value: contested.
            let draft = cited(
                &format!("A station has {number} GW."),
                cite(source, "Some register says so."),
            );
            let claim = capacity(
                &format!("Station {}", numbers.below(7)),
                &format!("{number}.5"),
            );
            world
                .ben
                .submit(vec![claiming(draft, claim)])
                .await
                .unwrap();
        }
        7 => {
            if let Some(conflict) = world.aron.open_conflicts().await.first() {
                let _ = world.aron.dismiss(&short(&conflict.name)).await;
            }
        }
        _ => {
            let replaced = some(numbers);
            let draft = Draft {
                replaces: replaced,
                ..draft(numbers, source, number)
            };
            world.ana.submit(vec![draft]).await.unwrap();
        }
    }
}

/// What was listed then.
type Then = (Vec<Assertion>, Vec<proto::Conflict>);

/// A board with a random history; each listing that was made on the way, by position.
async fn history(seed: u64, acts: usize) -> (World, [String; 2], BTreeMap<u64, Then>) {
    let world = World::new().await;
    let mut sources = [String::new(), String::new()];
    for (number, source) in sources.iter_mut().enumerate() {
        let text = format!("Register {seed} {number}. Some register says so.");
        *source = world.ana.upload("text/plain", text.as_bytes()).await;
    }
    let (mut numbers, mut seen) = (Numbers(seed), BTreeMap::new());
    for number in 0..acts {
        act(&world, &mut numbers, &sources, number).await;
        let then = (
            everything(&world.ana, None).await,
            conflicts(&world.ana, None).await,
        );
        seen.insert(world.position().await, then);
    }
    (world, sources, seen)
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

/// Lists what a request asks for, and compares with what a look at everything says.
async fn check(
    world: &World,
    all: &[Assertion],
    request: ListAssertionsRequest,
    wanted: impl Fn(&Assertion, &Draft) -> bool,
) -> usize {
    let request = ListAssertionsRequest {
        statuses: if request.statuses.is_empty() {
            every_status()
        } else {
            request.statuses
        },
        page_size: 3,
        ..request
    };
    let found = listed(&world.vera, request.clone()).await;
    let expected: Vec<Assertion> = all
        .iter()
        .filter(|it| wanted(it, it.draft.as_ref().unwrap()))
        .cloned()
        .collect();
    assert_eq!(found, expected, "{request:#?}");
    found.len()
}

fn request(change: impl FnOnce(&mut ListAssertionsRequest)) -> ListAssertionsRequest {
    let mut request = ListAssertionsRequest::default();
    change(&mut request);
    request
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_filter_finds_what_a_look_at_everything_finds() {
    let (world, sources, _) = history(7, 70).await;
    let all = everything(&world.ana, None).await;
    let mut found = Vec::new();
    for status in EVERY_STATUS {
        let asked = request(|it| it.statuses = vec![status.into()]);
        check(&world, &all, asked, |it, _| it.status() == status).await;
    }
    for kind in [Kind::Fact, Kind::Estimate, Kind::Forecast] {
        let asked = request(|it| it.kinds = vec![kind.into()]);
        found.push(check(&world, &all, asked, |_, draft| draft.kind() == kind).await);
    }
    for level in [Level::Data, Level::Statement, Level::Inference] {
        let asked = request(|it| it.levels = vec![level.into()]);
        check(&world, &all, asked, |_, draft| draft.level() == level).await;
    }
    for word in WORDS {
        let asked = request(|it| it.entity = format!(" {} ", word.to_uppercase()));
        found.push(check(&world, &all, asked, |_, it| it.entities == [word]).await);
        let asked = request(|it| it.text = format!("\"{word}\" station"));
        let has = |_: &Assertion, it: &Draft| {
            it.content.contains(word) && it.content.starts_with("Station")
        };
        found.push(check(&world, &all, asked, has).await);
    }
    let asked = request(|it| it.text = "7 gw".into());
    let words = |it: &Draft| {
        it.content
            .split([' ', '.'])
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    check(&world, &all, asked, |_, it| {
        words(it).contains(&"7".into()) && words(it).contains(&"GW".into())
    })
    .await;
    for tag in TAGS {
        let asked = request(|it| it.tag = tag.to_lowercase());
        found.push(check(&world, &all, asked, |_, it| it.tags == [tag]).await);
    }
    for author in [&world.ana, &world.ben] {
        let asked = request(|it| it.principal = author.name.clone());
        found.push(check(&world, &all, asked, |it, _| it.principal == author.name).await);
    }
    for source in &sources {
        let asked = request(|it| it.source = source[..16].to_owned());
        found.push(
            check(&world, &all, asked, |_, it| {
                it.citations.iter().any(|it| it.source == *source)
            })
            .await,
        );
    }
    let asked = request(|it| it.subject = "station 3".into());
    check(&world, &all, asked, |_, it| {
        it.claim
            .as_ref()
            .is_some_and(|it| it.subject == "Station 3")
    })
    .await;
    let asked = request(|it| it.attribute = "capacity".into());
    found.push(check(&world, &all, asked, |_, it| it.claim.is_some()).await);
    for lost in [true, false] {
        let asked = request(|it| it.support_lost = Some(lost));
        check(&world, &all, asked, |it, _| {
            it.support_lost.is_empty() != lost
        })
        .await;
        let asked = request(|it| it.challenged = Some(lost));
        check(&world, &all, asked, |it, _| it.challenged == lost).await;
    }
    let asked = request(|it| it.valid_at = "2024-06-15".into());
    let holds = |it: &Draft| {
        ["", "2023", "2024-06"].contains(&it.valid_from.as_str())
            && ["", "2024-12-31", "2025"].contains(&it.valid_to.as_str())
    };
    found.push(check(&world, &all, asked, |_, it| holds(it)).await);
    let middle = all[all.len() / 2].create_time.unwrap();
    let at = |it: &Assertion| it.create_time.map(|it| (it.seconds, it.nanos)).unwrap();
    let after = (middle.seconds, middle.nanos);
    let asked = request(|it| it.created_from = Some(middle));
    found.push(check(&world, &all, asked, |it, _| at(it) >= after).await);
    let asked = request(|it| it.created_to = Some(middle));
    found.push(check(&world, &all, asked, |it, _| at(it) < after).await);
    let asked = request(|it| {
        it.kinds = vec![Kind::Fact.into()];
        it.principal = world.ana.name.clone();
        it.tag = "energy".into();
    });
    let both = |it: &Assertion, draft: &Draft| {
        draft.kind() == Kind::Fact && it.principal == world.ana.name && draft.tags == ["energy"]
    };
    check(&world, &all, asked, both).await;
    assert!(
        found.iter().all(|found| *found > 0),
        "a filter was tried on nothing: {found:?}"
    );
    let first = &all[0];
    let ids = request(|it| it.ids = vec![short(&first.name)]);
    let one = listed(&world.vera, ids).await;
    assert_eq!(one, [first.clone()], "ids are of every status");
    let assertion = short(&first.name).split('@').next().unwrap().to_owned();
    let ids = request(|it| it.ids = vec![assertion.clone()]);
    let prefix = format!("{}@", first.name.split('@').next().unwrap());
    check(&world, &all, ids, |it, _| it.name.starts_with(&prefix)).await;
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

async fn search(client: &Client, query: &str, by: SearchBy) -> Vec<String> {
    let request = SearchAssertionsRequest {
        board: client.board.clone(),
        query: query.to_owned(),
        by: by.into(),
        limit: 2,
        ..Default::default()
    };
    let found = client
        .assertions()
        .search_assertions(request)
        .await
        .unwrap();
    let hits = found.into_inner().hits;
    hits.into_iter()
        .map(|hit| short(&hit.assertion.unwrap().name))
        .collect()
}

#[tokio::test]
async fn a_search_finds_what_is_in_force_by_meaning_and_by_words() {
    let world = World::new().await;
    let mut ids = Vec::new();
    for content in [
        "The ferry to Bergen takes 40 minutes.",
        "The museum is open on Monday.",
        "Cats sleep for most of the day.",
        "Wind turbines in the north produce 3 TWh a year.",
    ] {
        ids.push(accepted(&world.ana.say(content).await));
    }
    let by_meaning = search(
        &world.ben,
        "How long does the boat trip last?",
        SearchBy::Meaning,
    )
    .await;
    assert_eq!(by_meaning[0], ids[0]);
    assert_eq!(by_meaning.len(), 2);
    let by_words = search(&world.ben, "turbines of the north", SearchBy::Text).await;
    assert_eq!(by_words[0], ids[3]);
    assert_eq!(
        search(&world.ben, "zeppelin", SearchBy::Text).await,
        Vec::<String>::new()
    );
    let common = search(&world.ben, "most turbines of Monday", SearchBy::Text).await;
    assert_eq!(common.len(), 2, "at most as many as asked for");
    world.ana.retract(&ids[0]).await.unwrap();
    let without = search(
        &world.ben,
        "How long does the boat trip last?",
        SearchBy::Meaning,
    )
    .await;
    assert!(!without.contains(&ids[0]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_model_a_search_is_by_words_only() {
    let own = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(own.server.clone()).await;
    let id = accepted(
        &world
            .ana
            .say("Wind turbines in the north stand still.")
            .await,
    );
    let request = SearchAssertionsRequest {
        board: world.board.clone(),
        query: "turbines".into(),
        ..Default::default()
    };
    let refused = world.ana.assertions().search_assertions(request).await;
    assert_eq!(reason_of(&refused.map(drop).unwrap_err()), "EMBEDDING_OFF");
    assert_eq!(search(&world.ana, "turbines", SearchBy::Text).await, [id]);
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
