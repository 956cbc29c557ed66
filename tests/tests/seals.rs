//! Sealing: on which conditions, by whom, and the snapshot it makes.

use pawl_proto::v1::{
    self as proto, DeclareModuleRequest, Draft, SealFigures, SealMode, SealPolicy, SealRequest,
    SnapshotCause, Status,
};

use crate::world::{MODULE, World, accepted, capacity, claiming, contested, inference, short};

async fn with_policy(world: &World, policy: SealPolicy) {
    let declare = DeclareModuleRequest {
        module: MODULE.into(),
        expected_attributes: vec!["capacity".into()],
        seal_policy: Some(policy),
        ..Default::default()
    };
    world.operator.declare(declare).await.unwrap();
}

fn met() -> SealPolicy {
    SealPolicy {
        completeness: Some(0),
        ..Default::default()
    }
}

#[tokio::test]
async fn a_seal_says_which_condition_failed_on_which_members() {
    let world = World::new().await;
    with_policy(&world, SealPolicy::default()).await;
    let unsure = Draft {
        confidence: Some(0.5),
        ..world.ana.draft("The harbour freezes in winter.").await
    };
    let unsure = world.validated(unsure).await;
    let unread = accepted(&world.ana.say("The lighthouse was built of granite.").await);
    let metadata = world
        .denied(world.aron.seal(MODULE), "SEAL_CONDITIONS")
        .await;
    assert_eq!(metadata["validated"], unread);
    assert_eq!(metadata["confidence"], unsure);
    assert_eq!(metadata["completeness"], "capacity");

    world.ana.retract(&unsure).await.unwrap();
    world.vera.validate_as_cited(&unread).await;
    let metadata = world
        .denied(world.aron.seal(MODULE), "SEAL_CONDITIONS")
        .await;
    assert!(!metadata.contains_key("validated") && !metadata.contains_key("confidence"));
    let draft = claiming(
        world.ana.draft("What the register says.").await,
        capacity("Nordlys", "5.0"),
    );
    world.validated(draft).await;
    let snapshot = world.aron.seal(MODULE).await.unwrap();
    assert_eq!(snapshot.members.len(), 2);
}

#[tokio::test]
async fn confidence_alone_never_seals() {
    let world = World::new().await;
    let sure = Draft {
        confidence: Some(1.0),
        ..world.ana.draft("The harbour freezes in winter.").await
    };
    let id = accepted(&world.ana.submit_one(sure).await);
    let metadata = world
        .denied(world.aron.seal(MODULE), "SEAL_CONDITIONS")
        .await;
    assert_eq!(metadata["validated"], id);
}

#[tokio::test]
async fn a_member_that_lost_its_support_keeps_a_module_open() {
    let world = World::new().await;
    let rain = accepted(&world.ana.say("It rained a lot in spring.").await);
    let drawn = accepted(
        &world
            .ana
            .submit_one(inference("The reservoir is full.", &[&rain]))
            .await,
    );
    let quote = world.ana.assertion(&rain).await.draft.unwrap().citations;
    world.vera.validate(&drawn, quote).await.unwrap();
    world.ana.retract(&rain).await.unwrap();
    let metadata = world
        .denied(world.aron.seal(MODULE), "SEAL_CONDITIONS")
        .await;
    assert_eq!(metadata["support_lost"], drawn);
}

#[tokio::test]
async fn a_module_has_to_be_stable_where_its_policy_says_so() {
    let world = World::new().await;
    with_policy(
        &world,
        SealPolicy {
            stable_submissions: 2,
            ..met()
        },
    )
    .await;
    world.operator.declare_module("other").await;
    world
        .validated(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    let metadata = world
        .denied(world.aron.seal(MODULE), "SEAL_CONDITIONS")
        .await;
    assert_eq!(metadata["stable_submissions"], "0");
    for content in [
        "The lighthouse was built of granite.",
        "The canal is 12 km long.",
    ] {
        let elsewhere = Draft {
            module: "other".into(),
            ..world.ana.draft(content).await
        };
        accepted(&world.ana.submit_one(elsewhere).await);
    }
    world.aron.seal(MODULE).await.unwrap();

    let world = World::new().await;
    with_policy(
        &world,
        SealPolicy {
            stable_seconds: 3_600,
            ..met()
        },
    )
    .await;
    world
        .validated(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    let metadata = world
        .denied(world.aron.seal(MODULE), "SEAL_CONDITIONS")
        .await;
    assert!(metadata.contains_key("stable_seconds"));
}

#[tokio::test]
async fn an_automatic_seal_comes_by_itself_and_is_soft_unless_the_policy_says_hard() {
    for (automatic_mode, mode) in [
        (SealMode::Unspecified, SealMode::Soft),
        (SealMode::Hard, SealMode::Hard),
    ] {
        let world = World::new().await;
        let policy = SealPolicy {
            automatic: true,
            automatic_mode: automatic_mode.into(),
            ..met()
        };
        with_policy(&world, policy).await;
        let id = world
            .validated(world.ana.draft("The harbour freezes in winter.").await)
            .await;
        let sealed = world.ana.assertion(&id).await;
        assert_eq!(sealed.status(), Status::Locked);
        let snapshot = world.ana.snapshot(&sealed.snapshot).await;
        assert_eq!(snapshot.snapshot.unwrap().mode(), mode);
    }
}

#[tokio::test]
async fn challengers_are_left_out_so_that_nobody_freezes_a_module() {
    let world = World::new().await;
    let id = world
        .validated(world.ana.draft("The museum is open on Monday.").await)
        .await;
    let (challenger, _) = contested(&world.ben.say("The museum is not open on Monday.").await);
    let snapshot = world.aron.seal(MODULE).await.unwrap();
    assert_eq!(snapshot.members, [id.clone()]);
    assert_eq!(
        snapshot
            .snapshot
            .unwrap()
            .figures
            .unwrap()
            .challengers_left_out,
        1
    );
    assert_eq!(world.ana.status(&id).await, Status::Locked);
    assert_eq!(world.ana.status(&challenger).await, Status::Contested);
}

#[tokio::test]
async fn arbiters_and_owners_seal_and_nobody_else() {
    let world = World::new().await;
    world
        .validated(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    for nobody in [&world.ana, &world.ben, &world.vera, &world.operator] {
        world.denied(nobody.seal(MODULE), "ROLE_MISSING").await;
    }
    let owned = DeclareModuleRequest {
        module: MODULE.into(),
        owners: vec![world.ana.name.clone()],
        ..Default::default()
    };
    world.operator.declare(owned).await.unwrap();
    let snapshot = world.ana.seal(MODULE).await.unwrap();
    assert_eq!(snapshot.snapshot.unwrap().sealed_by, world.ana.name);
    world
        .denied(world.aron.seal(MODULE), "NOTHING_TO_SEAL")
        .await;
}

#[tokio::test]
async fn asking_for_the_figures_writes_nothing() {
    let world = World::new().await;
    world
        .validated(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    let before = world.position().await;
    let asked = world
        .aron
        .seal_with(SealRequest {
            module: MODULE.into(),
            validate_only: true,
            ..Default::default()
        })
        .await
        .unwrap();
    let expected = SealFigures {
        members: 1,
        validated: 1,
        least_confidence: 9_500,
        completeness: 10_000,
        challengers_left_out: 0,
    };
    assert_eq!(asked.snapshot.unwrap().figures, Some(expected));
    assert_eq!(world.position().await, before);
}

#[tokio::test]
async fn a_snapshot_is_named_by_its_bytes_and_has_its_parents() {
    let world = World::new().await;
    let below = DeclareModuleRequest {
        module: "grid".into(),
        depends_on: vec![MODULE.into()],
        ..Default::default()
    };
    world.operator.declare(below).await.unwrap();
    let first = world
        .validated(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    let base = world.aron.seal(MODULE).await.unwrap();
    assert_eq!(
        short(&base.name),
        blake3::hash(&base.bytes).to_hex().to_string()
    );
    let node: proto::Snapshot = prost::Message::decode(base.bytes.as_slice()).unwrap();
    assert_eq!(Some(&node), base.snapshot.as_ref());
    assert_eq!(
        (node.module.as_str(), node.cause()),
        (MODULE, SnapshotCause::Seal)
    );
    assert_eq!((node.member_count, node.member_root.len()), (1, 32));
    assert!(node.parents.is_empty());
    assert_eq!(base.members, [first.clone()]);
    assert!(base.current);

    let second = Draft {
        module: "grid".into(),
        ..world.ana.draft("The grid has 40 nodes.").await
    };
    world.validated(second).await;
    let above = world.aron.seal("grid").await.unwrap();
    assert_eq!(
        above.snapshot.unwrap().parents,
        [blake3::hash(&base.bytes).as_bytes().to_vec()]
    );

    world
        .validated(
            world
                .ana
                .draft("The lighthouse was built of granite.")
                .await,
        )
        .await;
    let next = world.aron.seal(MODULE).await.unwrap();
    assert_eq!(
        next.snapshot.as_ref().unwrap().parents,
        [blake3::hash(&base.bytes).as_bytes().to_vec()]
    );
    assert_eq!(next.members.len(), 2);
    let list = proto::ListSnapshotsRequest {
        board: world.board.clone(),
        module: MODULE.into(),
        as_of: None,
    };
    let listed = world
        .ben
        .seals()
        .list_snapshots(list)
        .await
        .unwrap()
        .into_inner()
        .snapshots;
    let names: Vec<_> = listed
        .iter()
        .map(|it| (it.name.clone(), it.current))
        .collect();
    assert_eq!(names, [(base.name.clone(), false), (next.name, true)]);
    let kept = world.ben.snapshot(&base.name).await;
    assert_eq!((kept.bytes, kept.members), (base.bytes, base.members));
}

#[tokio::test]
async fn one_assertion_may_be_sealed_alone() {
    let world = World::new().await;
    let one = world
        .validated(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    let other = accepted(&world.ana.say("The lighthouse was built of granite.").await);
    let only = |id: &str| SealRequest {
        assertion: id.into(),
        ..Default::default()
    };
    let snapshot = world.aron.seal_with(only(&one)).await.unwrap();
    assert_eq!(snapshot.members, [one.clone()]);
    assert_eq!(world.ana.status(&one).await, Status::Locked);
    assert_eq!(world.ana.status(&other).await, Status::Proposed);
    world
        .denied(world.aron.seal_with(only(&one)), "NOTHING_TO_SEAL")
        .await;
    world
        .denied(world.aron.seal_with(only(&other)), "SEAL_CONDITIONS")
        .await;
}
