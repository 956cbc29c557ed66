//! Submissions that a table is about.

use std::collections::BTreeMap;

use pawl_proto::v1::{self as proto, Claim, FindingKind, ValueType, claim::Value};

use super::{NORWAY, claim, given, mount, mount_with, of_period};
use crate::world::{World, accepted, capacity, claiming, contested, denied, refused, short};

#[tokio::test]
async fn a_claim_that_a_row_excludes_is_refused_and_one_that_agrees_is_told_so() {
    let world = World::new().await;
    let mounted = mount(&world.operator, "figures", NORWAY).await.unwrap();
    assert_eq!((mounted.rows, mounted.contradicted.len()), (2, 0));

    let outcome = claim(&world.ana, "46", "2024").await;
    let conflict = refused(&outcome);
    let row = given(&outcome);
    assert_eq!((short(&row.table).as_str(), row.line), ("figures", 3));
    assert_eq!(row.vouched_by, "Grid Office");
    let finding = &outcome.findings[0];
    assert_eq!(
        (finding.kind(), finding.exact),
        (FindingKind::ClaimKey, true)
    );
    assert_eq!(
        finding.standing_content,
        "The capacity of Norway was 45 GW in 2024."
    );
    assert_eq!(finding.standing_spans[0].text, "45");
    assert!(finding.new_spans[0].text.contains("46"));
    let remedies = outcome.remedies.join("\n");
    assert!(
        remedies.contains("figures#3") && remedies.contains("appeal"),
        "{remedies}"
    );
    let told = world.ben.conflict(&conflict).await.finding.unwrap();
    assert_eq!(told.reference.unwrap(), row);
    assert_eq!(told.reason, finding.reason);

    let agreeing = claim(&world.ana, "45", "2024").await;
    accepted(&agreeing);
    assert_eq!(agreeing.agreements[0].line, 3);
    // Another time, another region: nothing to say.
    let outcome = claim(&world.ana, "50", "2022").await;
    accepted(&outcome);
    assert!(outcome.agreements.is_empty() && outcome.findings.is_empty());
}

#[tokio::test]
async fn check_tells_the_same_and_writes_nothing() {
    let world = World::new().await;
    mount(&world.operator, "figures", NORWAY).await.unwrap();
    let draft = claiming(
        world.ana.draft("It came to 46 in all.").await,
        of_period(capacity("norway", "46"), "2024"),
    );
    let before = world.position().await;
    let answer = world.aron.check(vec![draft]).await.unwrap();
    let outcome = &answer.outcomes[0];
    assert_eq!(outcome.verdict(), proto::Verdict::Refused);
    assert_eq!(given(outcome).line, 3);
    assert_eq!(world.position().await, before);
}

#[tokio::test]
async fn a_text_that_seems_to_contradict_a_row_is_contested() {
    let world = World::new().await;
    mount(&world.operator, "figures", NORWAY).await.unwrap();
    let outcome = world
        .ana
        .say("The capacity of Norway was 31 GW in 2024.")
        .await;
    let (id, conflict) = contested(&outcome);
    assert_eq!(given(&outcome).line, 3);
    world.aron.dismiss(&conflict).await.unwrap();
    assert_eq!(world.ana.status(&id).await, proto::Status::Proposed);
    accepted(
        &world
            .ana
            .say("The capacity of Norway was 44 GW in 2023.")
            .await,
    );
    accepted(
        &world
            .ana
            .say("The capacity of Iceland was 31 GW in 2024.")
            .await,
    );
}

#[tokio::test]
async fn once_an_arbiter_dismisses_it_the_same_submission_passes() {
    let world = World::new().await;
    mount(&world.operator, "figures", NORWAY).await.unwrap();
    let conflict = refused(&claim(&world.ana, "46", "2024").await);
    world.ana.appeal(&conflict).await.unwrap();
    let resolve = world.aron.resolve(&conflict, "a1@1").await.unwrap_err();
    denied(&resolve, "FIELD_INVALID");
    refused(&claim(&world.ana, "46", "2024").await);
    world.aron.dismiss(&conflict).await.unwrap();
    let outcome = claim(&world.ana, "46", "2024").await;
    accepted(&outcome);
    assert!(
        outcome.warnings.iter().any(|it| it.contains("figures#3")),
        "{outcome:#?}"
    );
}

#[tokio::test]
async fn aliases_units_and_other_types_are_understood() {
    let world = World::new().await;
    let declare = |name: &str, value_type: ValueType, alias: &str| {
        world
            .operator
            .declare_attribute(proto::DeclareAttributeRequest {
                attribute: name.into(),
                r#type: value_type.into(),
                aliases: vec![alias.into()],
                ..Default::default()
            })
    };
    declare("state", ValueType::Enum, "condition")
        .await
        .unwrap();
    declare("opened", ValueType::Date, "opening").await.unwrap();
    let lines = "{\"subject\":\"Norway\",\"attribute\":\"capacity\",\"value\":45000,\"unit\":\"MW\"}\n\
        {\"subject\":\"Norway\",\"attribute\":\"condition\",\"value\":\"open\"}\n\
        {\"subject\":\"Norway\",\"attribute\":\"opened\",\"value\":\"2024-06\"}\n";
    mount_with(
        &world.operator,
        "figures",
        "application/jsonl",
        lines,
        |_| {},
    )
    .await
    .unwrap();
    let mut said = 0;
    for (attribute, value, good) in [
        ("capacity", Value::Decimal(decimal("46", "GW")), false),
        ("capacity", Value::Decimal(decimal("45", "GW")), true),
        ("state", Value::Enumeration("shut".into()), false),
        ("condition", Value::Enumeration("open".into()), true),
        ("opening", Value::Date("2023".into()), false),
        ("opened", Value::Date("2024".into()), true),
    ] {
        said += 1;
        let claim = Claim {
            subject: "Norway".into(),
            attribute: attribute.into(),
            value: Some(value),
            qualifiers: BTreeMap::new(),
        };
        let draft = world
            .ana
            .draft(&format!("Note {said} of the register."))
            .await;
        let outcome = world.ana.submit_one(claiming(draft, claim)).await;
        if good {
            accepted(&outcome);
            assert_eq!(outcome.agreements.len(), 1, "{attribute}");
        } else {
            refused(&outcome);
        }
    }
}

fn decimal(value: &str, unit: &str) -> proto::DecimalValue {
    proto::DecimalValue {
        value: value.into(),
        unit: unit.into(),
    }
}
