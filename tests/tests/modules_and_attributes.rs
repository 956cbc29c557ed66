//! What is declared on a board.

use pawl_proto::v1::{
    self as proto, Claim, DeclareAttributeRequest, DeclareModuleRequest, FindingKind, SealPolicy,
    ValueType, claim::Value,
};

use crate::world::{World, accepted, capacity, claiming, contested};

fn text(subject: &str, attribute: &str, value: &str) -> Claim {
    Claim {
        subject: subject.into(),
        attribute: attribute.into(),
        value: Some(Value::Text(value.into())),
        ..Default::default()
    }
}

#[tokio::test]
async fn a_module_keeps_what_it_was_declared_with() {
    let world = World::new().await;
    let policy = SealPolicy {
        validated: Some(true),
        confidence: Some(8_500),
        completeness: Some(5_000),
        stable_submissions: 3,
        stable_seconds: 4,
        automatic: true,
        automatic_mode: proto::SealMode::Hard.into(),
    };
    let declare = DeclareModuleRequest {
        module: "supply".into(),
        owners: vec![world.ana.name.clone()],
        depends_on: vec!["market".into()],
        expected_attributes: vec!["capacity".into()],
        seal_policy: Some(policy),
        ..Default::default()
    };
    world.operator.declare(declare.clone()).await.unwrap();
    let list = proto::ListModulesRequest {
        board: world.board.clone(),
    };
    let modules = world
        .ben
        .boards()
        .list_modules(list)
        .await
        .unwrap()
        .into_inner()
        .modules;
    let supply = modules
        .iter()
        .find(|it| it.name.ends_with("/supply"))
        .unwrap();
    assert_eq!(supply.owners, declare.owners);
    assert_eq!(supply.depends_on, declare.depends_on);
    assert_eq!(supply.expected_attributes, declare.expected_attributes);
    assert_eq!(supply.seal_policy, declare.seal_policy);
    let told = world.ben.history().await;
    assert_eq!(told.last().unwrap().kind, "module_declared");
}

#[tokio::test]
async fn a_declaration_that_does_not_fit_is_denied() {
    let world = World::new().await;
    let module = |module: &str, depends_on: &str| DeclareModuleRequest {
        module: module.into(),
        depends_on: vec![depends_on.into()],
        ..Default::default()
    };
    let declare = |request| world.operator.declare(request);
    world
        .denied(declare(module("supply", "nowhere")), "MODULE_UNKNOWN")
        .await;
    world
        .denied(declare(module("supply", "supply")), "MODULE_CYCLE")
        .await;
    declare(module("supply", "market")).await.unwrap();
    world
        .denied(declare(module("market", "supply")), "MODULE_CYCLE")
        .await;
    let expects = DeclareModuleRequest {
        module: "supply".into(),
        expected_attributes: vec!["colour".into()],
        ..Default::default()
    };
    let metadata = world.denied(declare(expects), "ATTRIBUTE_UNKNOWN").await;
    assert_eq!(metadata["attribute"], "colour");
    let owned = DeclareModuleRequest {
        module: "supply".into(),
        owners: vec!["nobody".into()],
        ..Default::default()
    };
    world.denied(declare(owned), "PRINCIPAL_UNKNOWN").await;
    let bad_name = DeclareModuleRequest {
        module: "Supply Chain".into(),
        ..Default::default()
    };
    let metadata = world.denied(declare(bad_name), "FIELD_INVALID").await;
    assert_eq!(metadata["value"], "Supply Chain");
}

#[tokio::test]
async fn aliases_of_any_language_name_the_same_attribute() {
    let world = World::new().await;
    let declare = DeclareAttributeRequest {
        attribute: "revenue".into(),
        r#type: ValueType::Decimal.into(),
        unit: "EUR".into(),
        aliases: vec!["turnover".into(), "营收".into()],
        ..Default::default()
    };
    let declared = world
        .operator
        .declare_attribute(declare.clone())
        .await
        .unwrap();
    assert_eq!(
        (declared.aliases, declared.unit),
        (declare.aliases, declare.unit)
    );
    let say = async |content: &str, attribute: &str, value: &str| {
        let claim = Claim {
            attribute: attribute.into(),
            value: Some(Value::Decimal(proto::DecimalValue {
                value: value.into(),
                unit: "EUR".into(),
            })),
            ..capacity("Nordlys", "0")
        };
        world
            .ana
            .submit_one(claiming(world.ana.draft(content).await, claim))
            .await
    };
    accepted(&say("What the annual report gives.", "revenue", "5000000").await);
    let outcome = say("依据年度报告的数字。", "营收", "6000000").await;
    contested(&outcome);
    assert_eq!(outcome.findings[0].kind(), FindingKind::ClaimKey);
    contested(&say("What a newspaper made of it.", "turnover", "7000000").await);
}

#[tokio::test]
async fn single_valued_attributes_conflict_and_multi_valued_and_undeclared_texts_do_not() {
    let world = World::new().await;
    for (attribute, multi_valued) in [("capital", false), ("platform", true)] {
        let declare = DeclareAttributeRequest {
            attribute: attribute.into(),
            r#type: ValueType::Text.into(),
            multi_valued,
            ..Default::default()
        };
        world.operator.declare_attribute(declare).await.unwrap();
    }
    let say = async |content: &str, claim: Claim| {
        world
            .ana
            .submit_one(claiming(world.ana.draft(content).await, claim))
            .await
    };
    accepted(
        &say(
            "The atlas lists a seat of government.",
            text("Ruritania", "capital", "Strelsau"),
        )
        .await,
    );
    let outcome = say(
        "A travel guide lists it as well.",
        text("Ruritania", "capital", "Zenda"),
    )
    .await;
    contested(&outcome);
    assert!(outcome.findings[0].exact);

    accepted(
        &say(
            "The manual names one system.",
            text("Tool", "platform", "Linux"),
        )
        .await,
    );
    accepted(
        &say(
            "The release notes name one more.",
            text("Tool", "platform", "Windows"),
        )
        .await,
    );
    accepted(
        &say(
            "One paper gives a nickname.",
            text("Tool", "nickname", "Bolt"),
        )
        .await,
    );
    accepted(
        &say(
            "Somebody else calls it differently.",
            text("Tool", "nickname", "Nut"),
        )
        .await,
    );
}
