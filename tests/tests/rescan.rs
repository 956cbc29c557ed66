//! Standing facts compared anew, after the rules of comparing changed.

use pawl_ledger::{
    store::{Engine, open},
    verify::verify,
};
use pawl_proto::v1::{self as proto, ConflictState, Draft, Role, Status, claim::Value};

use crate::world::{
    Client, MODULE, OwnServer, World, accepted, capacity, claiming, contested, short,
};

impl Client {
    async fn rescan(
        &self,
        module: &str,
        validate_only: bool,
    ) -> Result<proto::RescanResponse, tonic::Status> {
        let request = proto::RescanRequest {
            board: self.board.clone(),
            module: module.to_owned(),
            validate_only,
        };
        let mut answers = self.conflicts().rescan(request).await?.into_inner();
        let mut whole = proto::RescanResponse::default();
        while let Some(answer) = answers.message().await? {
            let mut found = std::mem::take(&mut whole.found);
            found.extend(answer.found);
            whole = proto::RescanResponse { found, ..answer };
        }
        assert!(whole.done);
        Ok(whole)
    }
}

/// What platforms there are: several values may hold at once, until it is declared otherwise.
async fn platform(world: &World, multi_valued: bool) {
    let declare = proto::DeclareAttributeRequest {
        attribute: "platform".to_owned(),
        r#type: proto::ValueType::Text.into(),
        multi_valued,
        ..Default::default()
    };
    world.operator.declare_attribute(declare).await.unwrap();
}

async fn runs_on(world: &World, content: &str, system: &str) -> Draft {
    let claim = proto::Claim {
        subject: "the tool".to_owned(),
        attribute: "platform".to_owned(),
        value: Some(Value::Text(system.to_owned())),
        ..Default::default()
    };
    claiming(world.ana.draft(content).await, claim)
}

/// Two validated facts that stand beside each other until the attribute is declared single-valued.
async fn two(world: &World) -> (String, String) {
    platform(world, true).await;
    let one = runs_on(world, "The first manual names a system.", "linux").await;
    let other = runs_on(world, "Another page lists where it goes.", "windows").await;
    let both = (world.validated(one).await, world.validated(other).await);
    platform(world, false).await;
    both
}

#[tokio::test]
async fn facts_that_contradict_by_the_new_rules_stay_and_are_marked() {
    let world = World::new().await;
    let (one, other) = two(&world).await;
    let trial = world.aron.rescan("", true).await.unwrap();
    assert_eq!((trial.facts, trial.total, trial.opened), (2, 2, 1));
    assert_eq!(trial.found[0].conflict, "");
    assert!(world.ana.open_conflicts().await.is_empty());

    let rescan = world.aron.rescan("", false).await.unwrap();
    assert_eq!(rescan.opened, 1, "{rescan:#?}");
    assert!(rescan.compared >= 1);
    let found = &rescan.found[0];
    assert_eq!(short(&found.challenger), other);
    let finding = found.finding.as_ref().unwrap();
    assert_eq!(short(&finding.standing), one);
    assert!(!finding.reason.is_empty());
    for side in [&one, &other] {
        let record = world.ana.assertion(side).await;
        assert_eq!(record.status(), Status::Validated);
        assert!(record.challenged);
    }
    let conflict = world.ana.conflict(&short(&found.conflict)).await;
    assert!(conflict.rescan);
    let told = conflict.finding.unwrap();
    assert_eq!(told.reason, finding.reason);
    assert_eq!(told.standing_content, "The first manual names a system.");

    let again = world.aron.rescan("", false).await.unwrap();
    assert_eq!(again.opened, 0, "{again:#?}");
    let history = world.ana.history().await;
    let rescans = history.iter().filter(|it| it.kind == "rescanned");
    let told: Vec<&str> = rescans.map(|it| it.summary.as_str()).collect();
    assert_eq!(told.len(), 2);
    assert!(told[0].ends_with("1 conflict opened"), "{told:?}");
}

#[tokio::test]
async fn an_arbiter_picks_a_winner_or_lets_both_stand() {
    let world = World::new().await;
    let (one, other) = two(&world).await;
    let rescan = world.aron.rescan(MODULE, false).await.unwrap();
    let conflict = short(&rescan.found[0].conflict);
    world
        .denied(world.operator.resolve(&conflict, &one), "ROLE_MISSING")
        .await;
    world
        .denied(world.ana.dismiss(&conflict), "ROLE_MISSING")
        .await;
    let record = world.aron.resolve(&conflict, &one).await.unwrap();
    assert!(!record.challenger_won);
    assert_eq!(world.ana.status(&one).await, Status::Validated);
    assert_eq!(world.ana.status(&other).await, Status::Rejected);

    let world = World::new().await;
    let (one, other) = two(&world).await;
    let rescan = world.operator.rescan("", false).await.unwrap();
    let conflict = short(&rescan.found[0].conflict);
    world.aron.dismiss(&conflict).await.unwrap();
    assert_eq!(world.operator.rescan("", false).await.unwrap().opened, 0);
    for side in [&one, &other] {
        let record = world.ana.assertion(side).await;
        assert_eq!(
            (record.status(), record.challenged),
            (Status::Validated, false)
        );
    }
    world.aron.seal(MODULE).await.unwrap();
    // One side changes: the pair is looked at again, when it comes.
    let changed = Draft {
        module: "other".to_owned(),
        ..runs_on(&world, "A third page says so.", "macos").await
    };
    world.operator.declare_module("other").await;
    let outcome = world.ana.submit_one(changed).await;
    assert_ne!(outcome.verdict(), proto::Verdict::Accepted);
}

#[tokio::test]
async fn a_lock_stands_and_its_end_is_an_amendment() {
    let world = World::new().await;
    platform(&world, true).await;
    let one = runs_on(&world, "The first manual names a system.", "linux").await;
    let locked = world.locked(one).await;
    let other = runs_on(&world, "Another page lists where it goes.", "windows").await;
    let other = accepted(&world.ana.submit_one(other).await);
    platform(&world, false).await;
    let rescan = world.aron.rescan("", false).await.unwrap();
    let conflict = short(&rescan.found[0].conflict);
    assert_eq!(world.ana.status(&locked).await, Status::Locked);
    let metadata = world
        .denied(world.aron.resolve(&conflict, &other), "LOCKED")
        .await;
    assert!(metadata["remedy"].contains("amend"));
    let revised = runs_on(&world, "The first manual was revised.", "windows").await;
    world.aron.amend(&locked, revised).await.unwrap();
    assert_eq!(
        world.ana.conflict(&conflict).await.state(),
        ConflictState::Resolved
    );
    assert_eq!(world.ana.status(&other).await, Status::Proposed);
    assert!(!world.ana.assertion(&other).await.challenged);
}

#[tokio::test]
async fn what_contradicts_by_the_rules_in_force_is_not_sealed_side_by_side() {
    let world = World::new().await;
    let (one, other) = two(&world).await;
    let failed = world.aron.seal(MODULE).await.unwrap_err();
    let metadata = crate::world::denied(&failed, "SEAL_CONDITIONS");
    assert_eq!(metadata["in_conflict"], format!("{one},{other}"));
    assert!(!metadata.contains_key("not_compared"), "{metadata:?}");
    let conflicts = world.ana.open_conflicts().await;
    assert_eq!(conflicts.len(), 1);
    let conflict = short(&conflicts[0].name);
    world.aron.resolve(&conflict, &other).await.unwrap();
    let sealed = world.aron.seal(MODULE).await.unwrap();
    assert_eq!(
        sealed
            .members
            .iter()
            .map(|it| short(it))
            .collect::<Vec<_>>(),
        [other]
    );
}

#[tokio::test]
async fn a_module_seals_itself_only_after_it_was_compared() {
    let world = World::new().await;
    let automatic = proto::DeclareModuleRequest {
        module: MODULE.to_owned(),
        seal_policy: Some(proto::SealPolicy {
            completeness: Some(0),
            automatic: true,
            ..Default::default()
        }),
        ..Default::default()
    };
    platform(&world, true).await;
    let one = runs_on(&world, "The first manual names a system.", "linux").await;
    let one = accepted(&world.ana.submit_one(one).await);
    let other = runs_on(&world, "Another page lists where it goes.", "windows").await;
    let other = accepted(&world.ana.submit_one(other).await);
    platform(&world, false).await;
    world.operator.declare(automatic).await.unwrap();
    world.vera.validate_as_cited(&one).await;
    world.vera.validate_as_cited(&other).await;
    for side in [&one, &other] {
        assert_eq!(world.ana.status(side).await, Status::Validated);
    }
    let conflicts = world.ana.open_conflicts().await;
    assert_eq!(conflicts.len(), 1, "{conflicts:#?}");
    let conflict = short(&conflicts[0].name);
    world.aron.resolve(&conflict, &one).await.unwrap();
    assert_eq!(world.ana.status(&one).await, Status::Locked);
    assert_eq!(world.ana.status(&other).await, Status::Rejected);
}

#[tokio::test]
async fn what_an_arbiter_let_pass_after_a_refusal_is_not_raised() {
    let world = World::new().await;
    let draft = claiming(
        world.ana.draft("As the register has it.").await,
        capacity("Nordlys", "5"),
    );
    world.locked(draft).await;
    let draft = claiming(
        world.ben.draft("As a rival has it.").await,
        capacity("Nordlys", "9"),
    );
    let conflict = crate::world::refused(&world.ben.submit_one(draft.clone()).await);
    world.aron.dismiss(&conflict).await.unwrap();
    accepted(&world.ben.submit_one(draft).await);
    let rescan = world.aron.rescan("", false).await.unwrap();
    assert_eq!(rescan.opened, 0, "{rescan:#?}");
}

#[tokio::test]
async fn a_threshold_that_was_lowered_raises_what_was_only_noted() {
    let world = World::new().await;
    let set = async |conflict_threshold, note_threshold| {
        let policy = proto::BoardPolicy {
            conflict_threshold,
            note_threshold,
        };
        let request = proto::SetPolicyRequest {
            board: world.board.clone(),
            policy: Some(policy),
        };
        world.operator.boards().set_policy(request).await.unwrap();
    };
    set(10_000, 3_500).await;
    accepted(&world.ana.say("Output in Lyon rises every year.").await);
    accepted(&world.ben.say("Output in Lyon falls every year.").await);
    assert_eq!(world.aron.rescan("", false).await.unwrap().opened, 0);
    set(5_000, 3_500).await;
    assert_eq!(world.aron.rescan("", false).await.unwrap().opened, 1);
}

#[tokio::test]
async fn a_pair_with_an_open_conflict_is_not_raised_again() {
    let world = World::new().await;
    accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    contested(&world.ben.say("The plant in Lyon has 480 employees.").await);
    let rescan = world.aron.rescan("", false).await.unwrap();
    assert_eq!((rescan.facts, rescan.opened), (1, 0));
}

#[tokio::test]
async fn rescans_are_for_arbiters_and_operators() {
    let world = World::new().await;
    for nobody in [&world.ana, &world.ben, &world.vera] {
        world.denied(nobody.rescan("", false), "ROLE_MISSING").await;
        world.denied(nobody.rescan("", true), "ROLE_MISSING").await;
        world
            .denied(nobody.rescan(MODULE, false), "ROLE_MISSING")
            .await;
    }
    let auditor = world.principal("aude", &[Role::Auditor]).await;
    world.denied(auditor.rescan("", true), "ROLE_MISSING").await;
    world
        .denied(world.aron.rescan("nowhere", false), "MODULE_UNKNOWN")
        .await;
    world
        .denied(world.aron.rescan("No Module", false), "FIELD_INVALID")
        .await;
    let other = World::new().await;
    let stranger = world.server.client("x", &other.aron.token, &world.board);
    world
        .denied(stranger.rescan("", false), "BOARD_UNKNOWN")
        .await;
}

#[tokio::test]
async fn a_log_with_rules_and_rescans_verifies_and_opens_again() {
    let own = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(own.server.clone()).await;
    let (one, other) = two(&world).await;
    let rescan = world.aron.rescan("", false).await.unwrap();
    let conflict = short(&rescan.found[0].conflict);
    let own = own.restart().await;
    let world = world.after_restart(own.server.clone());
    assert!(world.ana.assertion(&one).await.challenged);
    assert_eq!(world.aron.rescan("", false).await.unwrap().opened, 0);
    world.aron.resolve(&conflict, &other).await.unwrap();
    let (config, _directory) = own.stop().await;
    let store = open(&config.data.join("store"), None).unwrap();
    let report = verify(store.as_ref()).unwrap();
    assert!(report.is_clean(), "{report}");
}
