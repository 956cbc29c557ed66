//! Every call there is, tried by everybody who may not make it.

mod asserting;
mod attempts;
mod calls;
mod declaring;
mod scene;
mod serving;

use pawl_proto::v1::{self as proto, Role};

use self::{
    attempts::attempt,
    calls::{CALLS, FREE, NOBODY, READ},
    scene::Scene,
};
use crate::world::{World, accepted, contested, reason_of};

pub(crate) use self::calls::methods;

#[test]
fn the_table_names_every_call() {
    let mut named: Vec<String> = CALLS.iter().map(|(call, ..)| (*call).to_owned()).collect();
    named.extend(FREE.iter().map(ToString::to_string));
    named.sort_unstable();
    let mut methods = methods();
    methods.sort_unstable();
    assert_eq!(named, methods);
}

#[tokio::test]
async fn nobody_makes_a_call_that_their_role_does_not_allow() {
    let scene = Scene::set().await;
    for role in READ {
        let name = format!(
            "only-{}",
            role.as_str_name().to_lowercase().replace('_', "-")
        );
        let client = scene.world.principal(&name, &[*role]).await;
        let before = scene.world.position().await;
        for (call, may, otherwise) in CALLS {
            if !may.contains(role) {
                let reason = attempt(call, &client, &scene).await;
                assert_eq!(reason.as_deref(), Some(*otherwise), "{role:?} {call}");
            }
        }
        assert_eq!(
            scene.world.position().await,
            before,
            "{role:?} changed the board"
        );
    }
}

#[tokio::test]
async fn whoever_has_a_role_reads_everything() {
    let scene = Scene::set().await;
    for role in READ {
        let name = format!(
            "reads-{}",
            role.as_str_name().to_lowercase().replace('_', "-")
        );
        let client = scene.world.principal(&name, &[*role]).await;
        let free = FREE.iter().copied();
        let read = CALLS
            .iter()
            .filter(|(_, may, _)| *may == READ)
            .map(|(call, ..)| *call);
        for call in read.chain(free) {
            assert_eq!(
                attempt(call, &client, &scene).await,
                None,
                "{role:?} {call}"
            );
        }
    }
}

#[tokio::test]
async fn without_a_role_there_is_no_such_board() {
    let scene = Scene::set().await;
    let stranger = scene.world.principal("stranger", &[]).await;
    let before = scene.world.position().await;
    for (call, may, otherwise) in CALLS {
        let server_wide = *may == NOBODY && *otherwise == "ROLE_MISSING";
        let expected = if server_wide {
            "ROLE_MISSING"
        } else {
            "BOARD_UNKNOWN"
        };
        let reason = attempt(call, &stranger, &scene).await;
        assert_eq!(reason.as_deref(), Some(expected), "{call}");
    }
    for call in FREE {
        assert_eq!(attempt(call, &stranger, &scene).await, None, "{call}");
    }
    assert_eq!(scene.world.position().await, before);
}

#[tokio::test]
async fn a_role_taken_back_is_gone_at_once() {
    let world = World::new().await;
    accepted(&world.ben.say("The harbour freezes in winter.").await);
    let revoke = proto::RevokeRoleRequest {
        board: world.board.clone(),
        principal: world.ben.name.clone(),
        role: Role::Agent.into(),
    };
    let draft = world.ben.draft("The canal is 12 km long.").await;
    world.operator.boards().revoke_role(revoke).await.unwrap();
    let before = world.position().await;
    let status = world.ben.submit(vec![draft]).await.unwrap_err();
    assert_eq!(reason_of(&status), "BOARD_UNKNOWN");
    assert_eq!(world.position().await, before);
    let kinds: Vec<_> = world
        .ana
        .history()
        .await
        .into_iter()
        .map(|it| it.kind)
        .collect();
    assert!(kinds.contains(&"role_granted".to_owned()));
    assert_eq!(kinds.last().unwrap(), "role_revoked");
}

#[tokio::test]
async fn writes_into_another_s_module_wait_until_an_owner_or_an_arbiter_agrees() {
    let world = World::new().await;
    let owned = proto::DeclareModuleRequest {
        module: "own".into(),
        owners: vec![world.ana.name.clone()],
        ..Default::default()
    };
    world.operator.declare(owned).await.unwrap();
    let draft = |draft: proto::Draft| proto::Draft {
        module: "own".into(),
        ..draft
    };
    let mine = draft(world.ana.draft("The harbour freezes in winter.").await);
    accepted(&world.ana.submit_one(mine).await);
    let mut waiting = Vec::new();
    for content in [
        "The lighthouse was built of granite.",
        "Beekeepers harvest honey in July.",
    ] {
        let outcome = world
            .ben
            .submit_one(draft(world.ben.draft(content).await))
            .await;
        let (id, conflict) = contested(&outcome);
        let finding = world.ana.conflict(&conflict).await.finding.unwrap();
        assert_eq!(
            (finding.kind(), finding.standing.as_str()),
            (proto::FindingKind::Ownership, "")
        );
        assert!(
            outcome.remedies.iter().any(|it| it.contains("own")),
            "{:?}",
            outcome.remedies
        );
        waiting.push((id, conflict));
    }
    let (first, conflict) = &waiting[0];
    assert_eq!(
        reason_of(&world.ben.resolve(conflict, first).await.unwrap_err()),
        "ROLE_MISSING"
    );
    world.ana.resolve(conflict, first).await.unwrap();
    assert_eq!(world.ana.status(first).await, proto::Status::Proposed);
    let (second, conflict) = &waiting[1];
    world.aron.dismiss(conflict).await.unwrap();
    assert_eq!(world.ana.status(second).await, proto::Status::Proposed);
}

#[tokio::test]
async fn a_revision_of_another_s_assertion_waits_too() {
    let world = World::new().await;
    let first = accepted(&world.ana.say("The harbour freezes in winter.").await);
    let change = proto::Draft {
        replaces: first.clone(),
        ..world.ben.draft("The harbour freezes in January.").await
    };
    let (second, conflict) = contested(&world.ben.submit_one(change).await);
    assert_eq!(
        world.ana.conflict(&conflict).await.finding.unwrap().kind(),
        proto::FindingKind::Replacement
    );
    assert_eq!(world.ana.status(&first).await, proto::Status::Proposed);
    world.aron.resolve(&conflict, &second).await.unwrap();
    assert_eq!(world.ana.status(&first).await, proto::Status::Superseded);
    assert_eq!(world.ana.status(&second).await, proto::Status::Proposed);
}

#[tokio::test]
async fn the_last_operator_cannot_be_removed() {
    let world = World::new().await;
    let revoke = proto::RevokeRoleRequest {
        board: world.board.clone(),
        principal: world
            .operator
            .identity()
            .who_am_i(proto::WhoAmIRequest {})
            .await
            .unwrap()
            .into_inner()
            .principal
            .unwrap()
            .principal,
        role: Role::Operator.into(),
    };
    let mut operator = world.operator.boards();
    world
        .denied(operator.revoke_role(revoke), "FIELD_INVALID")
        .await;
}
