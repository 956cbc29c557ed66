//! A module goes back to an earlier snapshot.

use pawl_proto::v1::{
    self as proto, Role, RollbackRequest, SnapshotCause, Status, Verdict, WatchRequest,
};

use crate::world::{
    MODULE, World, accepted, capacity, cite, claiming, denied, inference, item_error, short,
};

fn ids(names: &[String]) -> Vec<String> {
    names.iter().map(|name| short(name)).collect()
}

/// A sealed fact that was amended: the old revision, the new one, the snapshot from before.
async fn amended(world: &World, subject: &str) -> (String, String, String) {
    let draft = world.ana.draft(&format!("What {subject} gives.")).await;
    let old = world.locked(claiming(draft, capacity(subject, "5"))).await;
    let before = short(&world.ana.assertion(&old).await.snapshot);
    let draft = world
        .aron
        .draft(&format!("What {subject} gives, as revised."))
        .await;
    let draft = claiming(draft, capacity(subject, "9"));
    let new = world.aron.amend(&old, draft).await.unwrap();
    (old, short(&new.assertion.unwrap().name), before)
}

#[tokio::test]
async fn an_amendment_is_taken_back() {
    let world = World::new().await;
    let (old, new, before) = amended(&world, "Nordlys").await;
    let drawn = world
        .ana
        .submit_one(inference("Nordlys is large.", &[&new]))
        .await;
    let drawn = accepted(&drawn);
    let position = world.position().await;
    let source = world.aron.upload("text/plain", b"It was misread.").await;
    let rollback = RollbackRequest {
        module: MODULE.into(),
        to: before.clone(),
        reason: "the revision was misread".into(),
        evidence: vec![cite(&source, "It was misread.")],
        ..Default::default()
    };
    let planned = RollbackRequest {
        validate_only: true,
        ..rollback.clone()
    };
    let at = world.position().await;
    let planned = world.aron.rollback_with(planned).await.unwrap();
    assert_eq!(world.position().await, at, "nothing was written");
    assert_eq!(planned.snapshot.as_ref().unwrap().name, "");

    let done = world.aron.rollback_with(rollback).await.unwrap();
    assert_eq!(
        proto::RollbackResponse {
            snapshot: None,
            ..planned.clone()
        },
        proto::RollbackResponse {
            snapshot: None,
            ..done.clone()
        },
        "what was foretold"
    );
    assert_eq!(ids(&done.reinstated), [old.clone()]);
    assert_eq!(ids(&done.rolled_back), [new.clone()]);
    assert_eq!(ids(&done.support_lost), [drawn.clone()]);
    let record = done.snapshot.unwrap();
    assert_eq!(record.members, [old.clone()]);
    assert_eq!(record.members, planned.snapshot.unwrap().members);
    assert!(record.current);
    let snapshot = record.snapshot.unwrap();
    assert_eq!(snapshot.cause(), SnapshotCause::Rollback);
    assert_eq!(snapshot.parents.len(), 2);
    assert_eq!(hex(&snapshot.parents[1]), before);

    assert_eq!(world.ana.status(&old).await, Status::Locked);
    let gone = world.ana.assertion(&new).await;
    assert_eq!(gone.status(), Status::RolledBack);
    assert_eq!(short(&gone.replaced_by), old);
    assert!(!gone.draft.unwrap().content.is_empty(), "it stays readable");
    assert_eq!(short(&world.ana.assertion(&drawn).await.support_lost), new);

    let brief = world
        .ana
        .brief(proto::GetBriefRequest {
            modules: vec![MODULE.into()],
            since: Some(position),
            ..Default::default()
        })
        .await;
    let named = |all: &[proto::Assertion]| -> Vec<String> {
        all.iter().map(|it| short(&it.name)).collect()
    };
    assert_eq!(named(&brief.facts), [old]);
    assert!(named(&brief.gone).contains(&new));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_watcher_sees_it_and_a_replay_tells_it() {
    let world = World::new().await;
    let (_, _, before) = amended(&world, "Nordlys").await;
    let watch = WatchRequest {
        board: world.board.clone(),
        from: Some(world.position().await),
        kinds: vec!["rolled_back".into()],
        ..Default::default()
    };
    let mut watched = world.ben.logs().watch(watch).await.unwrap().into_inner();
    world.aron.rollback(MODULE, &before).await.unwrap();
    let mut records = Vec::new();
    while records.is_empty() {
        records = watched.message().await.unwrap().unwrap().records;
    }
    assert_eq!(records[0].kind, "rolled_back");
    assert_eq!(records[0].detail, "the amendment was a mistake");
    assert_eq!(records[0].principal, world.aron.name);
    assert!(records[0].summary.contains(&before[..8]), "{records:?}");
}

#[tokio::test]
async fn what_contradicts_what_is_locked_again_is_contested() {
    let world = World::new().await;
    let (_, _, before) = amended(&world, "Nordlys").await;
    // It agrees with what stands now, and disagrees with what stood before.
    let draft = world
        .ben
        .draft("What Nordlys gives, seen by another.")
        .await;
    let agreeing = claiming(draft, capacity("Nordlys", "9"));
    let agreeing = accepted(&world.ben.submit_one(agreeing).await);
    let planned = RollbackRequest {
        module: MODULE.into(),
        to: before.clone(),
        reason: "misread".into(),
        validate_only: true,
        ..Default::default()
    };
    let planned = world.aron.rollback_with(planned).await.unwrap();
    let done = world.aron.rollback(MODULE, &before).await.unwrap();
    assert_eq!(ids(&done.contested), [agreeing.clone()]);
    assert_eq!(ids(&planned.contested), [agreeing.clone()]);
    assert_eq!(world.ben.status(&agreeing).await, Status::Contested);
    assert_eq!(world.aron.open_conflicts().await.len(), 1);
}

#[tokio::test]
async fn a_pair_that_met_before_meets_again() {
    let world = World::new().await;
    let (_, new, before) = amended(&world, "Nordlys").await;
    let after = short(&world.ana.assertion(&new).await.snapshot);
    let draft = world
        .ben
        .draft("What Nordlys gives, seen by another.")
        .await;
    let agreeing = claiming(draft, capacity("Nordlys", "9"));
    let agreeing = accepted(&world.ben.submit_one(agreeing).await);
    world.aron.rollback(MODULE, &before).await.unwrap();
    assert_eq!(world.ben.status(&agreeing).await, Status::Contested);
    // Nobody decided that conflict: it ends when what it is against leaves force again.
    world.aron.rollback(MODULE, &after).await.unwrap();
    assert_eq!(world.ben.status(&agreeing).await, Status::Proposed);
    world.aron.rollback(MODULE, &before).await.unwrap();
    assert_eq!(world.ben.status(&agreeing).await, Status::Contested);
}

#[tokio::test]
async fn what_another_module_holds_for_sure_keeps_it_from_happening() {
    let world = World::new().await;
    let (old, _, before) = amended(&world, "Nordlys").await;
    world.operator.declare_module("other").await;
    let draft = proto::Draft {
        module: "other".into(),
        ..world.ana.draft("What Nordlys gives, elsewhere.").await
    };
    let elsewhere = world
        .locked(claiming(draft, capacity("Nordlys", "9")))
        .await;
    let metadata = world
        .denied(world.aron.rollback(MODULE, &before), "CONTRADICTS_LOCKED")
        .await;
    assert_eq!(metadata["standing"], elsewhere);
    assert!(metadata["findings"].contains(&old), "{metadata:?}");
}

#[tokio::test]
async fn bad_input_is_refused_with_a_reason() {
    let world = World::new().await;
    let (_, new, before) = amended(&world, "Nordlys").await;
    let current = short(&world.ana.assertion(&new).await.snapshot);
    world.operator.declare_module("other").await;
    let base = RollbackRequest {
        module: MODULE.into(),
        to: before.clone(),
        reason: "because".into(),
        ..Default::default()
    };
    let with = |change: fn(&mut RollbackRequest)| {
        let mut request = base.clone();
        change(&mut request);
        request
    };
    let cases = [
        (with(|it| it.module.clear()), "FIELD_MISSING"),
        (with(|it| it.module = "No Name".into()), "FIELD_INVALID"),
        (with(|it| it.module = "nowhere".into()), "MODULE_UNKNOWN"),
        (with(|it| it.module = "other".into()), "FIELD_INVALID"),
        (with(|it| it.to.clear()), "FIELD_MISSING"),
        (with(|it| it.to = "abc".into()), "FIELD_INVALID"),
        (with(|it| it.to = "00000000".into()), "SNAPSHOT_UNKNOWN"),
        (
            with(|it| it.to = "boards/other/snapshots/00000000".into()),
            "OTHER_BOARD",
        ),
        (with(|it| it.reason.clear()), "FIELD_MISSING"),
        (with(|it| it.reason = "x".repeat(4_001)), "FIELD_TOO_LONG"),
        (
            with(|it| it.evidence = vec![cite(&"0".repeat(64), "no")]),
            "SOURCE_UNKNOWN",
        ),
    ];
    for (request, reason) in cases {
        for validate_only in [false, true] {
            let request = RollbackRequest {
                validate_only,
                ..request.clone()
            };
            world
                .denied(world.aron.rollback_with(request), reason)
                .await;
        }
    }
    let same = world.aron.rollback(MODULE, &current);
    world.denied(same, "NOTHING_TO_ROLL_BACK").await;
}

#[tokio::test]
async fn only_arbiters_of_the_board_roll_back() {
    let world = World::new().await;
    let (_, _, before) = amended(&world, "Nordlys").await;
    for role in [
        Role::Reader,
        Role::Agent,
        Role::Verifier,
        Role::Auditor,
        Role::Operator,
    ] {
        let who = world.principal(&format!("r{}", role as i32), &[role]).await;
        for validate_only in [false, true] {
            let request = RollbackRequest {
                module: MODULE.into(),
                to: before.clone(),
                reason: "because".into(),
                validate_only,
                ..Default::default()
            };
            world
                .denied(who.rollback_with(request), "ROLE_MISSING")
                .await;
        }
    }
    let stranger = World::new().await;
    let request = RollbackRequest {
        board: world.board.clone(),
        module: MODULE.into(),
        to: before,
        reason: "because".into(),
        ..Default::default()
    };
    let refused = stranger.aron.seals().rollback(request).await.unwrap_err();
    denied(&refused, "BOARD_UNKNOWN");
}

#[tokio::test]
async fn a_repeated_rollback_is_done_once() {
    let world = World::new().await;
    let (_, _, before) = amended(&world, "Nordlys").await;
    let request = RollbackRequest {
        module: MODULE.into(),
        to: before,
        reason: "because".into(),
        request_id: "once".into(),
        ..Default::default()
    };
    let first = world.aron.rollback_with(request.clone()).await.unwrap();
    let position = world.position().await;
    let again = world.aron.rollback_with(request).await.unwrap();
    assert_eq!(first, again);
    assert_eq!(world.position().await, position);
}

#[tokio::test]
async fn who_read_before_it_is_told_to_read_again() {
    let world = World::new().await;
    let (old, new, before) = amended(&world, "Nordlys").await;
    let base = world.position().await;
    world.aron.rollback(MODULE, &before).await.unwrap();
    let draft = world.ben.draft("Something else entirely.").await;
    let submit = proto::SubmitRequest {
        items: vec![draft],
        base: Some(base),
        ..Default::default()
    };
    let answer = world.ben.submit_with(submit).await;
    let outcome = answer.unwrap().outcomes.remove(0);
    let metadata = item_error(&outcome, "STALE_BASE");
    assert_eq!(metadata["missed"], format!("{old},{new}"));
}

#[tokio::test]
async fn it_holds_after_a_restart() {
    let server = crate::world::OwnServer::start(pawl_ledger::store::Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    let (old, new, before) = amended(&world, "Nordlys").await;
    world.aron.rollback(MODULE, &before).await.unwrap();
    let server = server.restart().await;
    let world = world.after_restart(server.server.clone());
    assert_eq!(world.ana.status(&old).await, Status::Locked);
    assert_eq!(world.ana.status(&new).await, Status::RolledBack);
    // The checker knows the text of what was locked again.
    let draft = world.ben.draft("What Nordlys gives, wrongly.").await;
    let wrong = world
        .ben
        .submit_one(claiming(draft, capacity("Nordlys", "7")))
        .await;
    assert_eq!(wrong.verdict(), Verdict::Refused);
    server.stop().await;
}
