//! What changed between snapshots, and how they came from each other.

use std::collections::BTreeSet;

use pawl_proto::v1::{
    self as proto, DiffSnapshotsRequest, DiffSnapshotsResponse, GetSnapshotGraphRequest,
    SnapshotChangeKind, SnapshotEdgeKind, SnapshotRelation,
};

use crate::world::{Client, MODULE, World, capacity, claiming, denied, short};

async fn diff(client: &Client, from: &str, to: &str) -> DiffSnapshotsResponse {
    let request = DiffSnapshotsRequest {
        board: client.board.clone(),
        from: from.into(),
        to: to.into(),
        ..Default::default()
    };
    let answer = client.seals().diff_snapshots(request).await;
    answer.unwrap().into_inner()
}

async fn graph(
    client: &Client,
    snapshot: &str,
    relation: SnapshotRelation,
) -> proto::SnapshotGraph {
    let request = GetSnapshotGraphRequest {
        board: client.board.clone(),
        snapshot: snapshot.into(),
        relation: relation.into(),
    };
    let answer = client.seals().get_snapshot_graph(request).await;
    answer.unwrap().into_inner()
}

fn told(answer: &DiffSnapshotsResponse) -> Vec<(SnapshotChangeKind, String, String)> {
    let changes = answer.changes.iter();
    changes
        .map(|it| (it.kind(), short(&it.old), short(&it.new)))
        .collect()
}

fn claimed(draft: proto::Draft, subject: &str, value: &str) -> proto::Draft {
    claiming(draft, capacity(subject, value))
}

/// Four snapshots of one module: one fact; another added; the first amended; back to the second.
async fn history(world: &World) -> [String; 4] {
    let draft = world.ana.draft("The plant gave 5.0 GW in 2024.").await;
    let one = world.locked(claimed(draft, "Nordlys", "5")).await;
    let first = short(&world.ana.assertion(&one).await.snapshot);
    let two = world
        .locked(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    let second = short(&world.ana.assertion(&two).await.snapshot);
    let draft = world.aron.draft("The plant gave 9.0 GW in 2024.").await;
    let amended = world.aron.amend(&one, claimed(draft, "Nordlys", "9")).await;
    let third = short(&amended.unwrap().snapshot.unwrap().name);
    let back = world.aron.rollback(MODULE, &second).await.unwrap();
    let fourth = short(&back.snapshot.unwrap().name);
    [first, second, third, fourth]
}

#[tokio::test]
async fn a_difference_says_what_was_added_amended_and_gone() {
    use SnapshotChangeKind::{Added, Amended, Gone};
    let world = World::new().await;
    let [first, second, third, fourth] = history(&world).await;
    let change = |kind, old: &str, new: &str| (kind, old.to_owned(), new.to_owned());
    let cases = [
        (&first, &second, vec![change(Added, "", "a2@1")]),
        (&second, &first, vec![change(Gone, "a2@1", "")]),
        (&second, &third, vec![change(Amended, "a1@1", "a1@2")]),
        (&third, &fourth, vec![change(Amended, "a1@2", "a1@1")]),
        (&second, &fourth, vec![]),
        (
            &first,
            &third,
            vec![change(Amended, "a1@1", "a1@2"), change(Added, "", "a2@1")],
        ),
    ];
    for (from, to, expected) in cases {
        let answer = diff(&world.ben, from, to).await;
        assert_eq!(told(&answer), expected);
        assert_eq!(
            [short(&answer.from), short(&answer.to)],
            [from.clone(), to.clone()]
        );
    }
    let answer = diff(&world.ben, &second, &third).await;
    assert_eq!(
        [answer.added, answer.amended, answer.gone, answer.kept],
        [0, 1, 0, 1]
    );
    let change = &answer.changes[0];
    assert_eq!(change.old_content, "The plant gave 5.0 GW in 2024.");
    assert_eq!(change.new_content, "The plant gave 9.0 GW in 2024.");
    let found = change.findings.iter().find(|it| it.exact).unwrap();
    assert_eq!(short(&found.standing), "a1@1");
    assert!(
        found.reason.contains('5') && found.reason.contains('9'),
        "{found:?}"
    );
    assert!(found.conflict);
}

#[tokio::test]
async fn a_difference_comes_in_pages() {
    let world = World::new().await;
    let first = world
        .locked(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    let first = short(&world.ana.assertion(&first).await.snapshot);
    for number in 0..5 {
        let draft = world
            .ana
            .draft(&format!("Line {number} of the book."))
            .await;
        world
            .validated(claimed(draft, &format!("plant {number}"), "1"))
            .await;
    }
    let last = short(&world.aron.seal(MODULE).await.unwrap().name);
    let whole = diff(&world.ben, &first, &last).await;
    assert_eq!(whole.changes.len(), 5);
    let (mut pages, mut token) = (Vec::new(), String::new());
    loop {
        let request = DiffSnapshotsRequest {
            board: world.board.clone(),
            from: first.clone(),
            to: last.clone(),
            page_size: 2,
            page_token: token,
        };
        let page = world.ben.seals().diff_snapshots(request).await;
        let page = page.unwrap().into_inner();
        assert_eq!(page.added, 5);
        pages.push(page.changes.len());
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(pages, [2, 2, 1]);
    let request = DiffSnapshotsRequest {
        board: world.board.clone(),
        from: first,
        to: last,
        page_token: "00".into(),
        ..Default::default()
    };
    let refused = world.ben.seals().diff_snapshots(request).await;
    denied(&refused.unwrap_err(), "PAGE_TOKEN_INVALID");
}

#[tokio::test]
async fn the_graph_says_what_came_from_what_and_why() {
    use SnapshotEdgeKind::{DependsOn, Follows, GoesBackTo};
    let world = World::new().await;
    let [first, second, third, fourth] = history(&world).await;
    let builds = proto::DeclareModuleRequest {
        module: "builds".into(),
        depends_on: vec![MODULE.into()],
        ..Default::default()
    };
    world.operator.declare(builds).await.unwrap();
    let draft = proto::Draft {
        module: "builds".into(),
        ..world
            .ana
            .draft("The lighthouse was built of granite.")
            .await
    };
    let above = world.locked(draft).await;
    let above = short(&world.ana.assertion(&above).await.snapshot);

    let whole = graph(&world.ben, "", SnapshotRelation::Unspecified).await;
    let nodes: Vec<String> = whole.nodes.iter().map(|it| short(&it.name)).collect();
    let all = [&first, &second, &third, &fourth, &above].map(Clone::clone);
    assert_eq!(nodes, all);
    let edges: Vec<_> = whole
        .edges
        .iter()
        .map(|it| (short(&it.child), short(&it.parent), it.kind()))
        .collect();
    let edge = |child: &String, parent: &String, kind| (child.clone(), parent.clone(), kind);
    let expected = [
        edge(&second, &first, Follows),
        edge(&third, &second, Follows),
        edge(&fourth, &third, Follows),
        edge(&fourth, &second, GoesBackTo),
        edge(&above, &fourth, DependsOn),
    ];
    assert_eq!(edges, expected);
    let current: Vec<bool> = whole.nodes.iter().map(|it| it.current).collect();
    assert_eq!(current, [false, false, false, true, true]);

    let around = async |snapshot: &str, relation| -> BTreeSet<String> {
        let graph = graph(&world.ben, snapshot, relation).await;
        graph.nodes.iter().map(|it| short(&it.name)).collect()
    };
    let set = |ids: &[&String]| ids.iter().map(|id| (*id).clone()).collect::<BTreeSet<_>>();
    assert_eq!(
        around(&third, SnapshotRelation::Ancestors).await,
        set(&[&first, &second, &third])
    );
    assert_eq!(
        around(&third[..8], SnapshotRelation::Dependents).await,
        set(&[&third, &fourth, &above])
    );
    assert_eq!(around(&above, SnapshotRelation::Unspecified).await.len(), 5);
}

#[tokio::test]
async fn bad_input_is_refused_with_a_reason() {
    let world = World::new().await;
    let [first, second, ..] = history(&world).await;
    world.operator.declare_module("other").await;
    let draft = proto::Draft {
        module: "other".into(),
        ..world
            .ana
            .draft("The lighthouse was built of granite.")
            .await
    };
    let other = world.locked(draft).await;
    let other = short(&world.ana.assertion(&other).await.snapshot);
    for (from, to, reason) in [
        ("", second.as_str(), "FIELD_MISSING"),
        (&first, "", "FIELD_MISSING"),
        (&first, "xyz", "FIELD_INVALID"),
        ("00000000", &second, "SNAPSHOT_UNKNOWN"),
        (&first, &other, "FIELD_INVALID"),
    ] {
        let request = DiffSnapshotsRequest {
            board: world.board.clone(),
            from: from.into(),
            to: to.into(),
            ..Default::default()
        };
        let refused = world.ben.seals().diff_snapshots(request).await;
        denied(&refused.unwrap_err(), reason);
    }
    for (snapshot, relation, reason) in [
        ("", 1, "FIELD_MISSING"),
        ("xyz", 0, "FIELD_INVALID"),
        ("00000000", 0, "SNAPSHOT_UNKNOWN"),
        (first.as_str(), 9, "FIELD_INVALID"),
    ] {
        let request = GetSnapshotGraphRequest {
            board: world.board.clone(),
            snapshot: snapshot.into(),
            relation,
        };
        let refused = world.ben.seals().get_snapshot_graph(request).await;
        denied(&refused.unwrap_err(), reason);
    }
    let stranger = World::new().await;
    let request = GetSnapshotGraphRequest {
        board: world.board.clone(),
        ..Default::default()
    };
    let refused = stranger.ben.seals().get_snapshot_graph(request).await;
    denied(&refused.unwrap_err(), "BOARD_UNKNOWN");
    let request = DiffSnapshotsRequest {
        board: world.board.clone(),
        from: first,
        to: second,
        ..Default::default()
    };
    let refused = stranger.ben.seals().diff_snapshots(request).await;
    denied(&refused.unwrap_err(), "BOARD_UNKNOWN");
}
