//! The structured part of an assertion.

use std::collections::BTreeMap;

use pawl_proto::v1::{Claim, DecimalValue, Draft, FindingKind, RangeValue, Verdict, claim::Value};

use crate::world::{World, accepted, capacity, claiming, contested};

fn valued(value: Value) -> Claim {
    Claim {
        subject: "Nordlys".into(),
        attribute: "trait".into(),
        value: Some(value),
        qualifiers: BTreeMap::from([("period".to_owned(), "2024".to_owned())]),
    }
}

fn decimal(value: &str) -> Value {
    Value::Decimal(DecimalValue {
        value: value.into(),
        unit: "GW".into(),
    })
}

#[tokio::test]
async fn claims_of_every_type_come_back_as_they_were_given() {
    let world = World::new().await;
    let values = [
        decimal("-12.50"),
        decimal("9999999999999999999999999.999"),
        Value::Text("offshore".into()),
        Value::Boolean(true),
        Value::Date("2024-06".into()),
        Value::Range(RangeValue {
            low: "1.10".into(),
            high: String::new(),
            unit: "GW".into(),
        }),
        Value::Enumeration("planned".into()),
    ];
    for (number, value) in values.into_iter().enumerate() {
        let draft = world
            .ana
            .draft(&format!("Trait number {number} of a firm."))
            .await;
        let claim = Claim {
            subject: format!("firm {number}"),
            ..valued(value)
        };
        let id = accepted(&world.ana.submit_one(claiming(draft, claim.clone())).await);
        let stored = world.ben.assertion(&id).await.draft.unwrap();
        assert_eq!(stored.claim, Some(claim));
    }
}

#[tokio::test]
async fn decimals_are_exact() {
    let world = World::new().await;
    let say = async |content: &str, value: &str| {
        let draft = claiming(world.ana.draft(content).await, capacity("Nordlys", value));
        world.ana.submit_one(draft).await
    };
    // The two are the same number to a binary float.
    accepted(
        &say(
            "The capacity of Nordlys was measured.",
            "9007199254740992.5",
        )
        .await,
    );
    let outcome = say(
        "Nordlys was measured again by others.",
        "9007199254740992.7",
    )
    .await;
    contested(&outcome);
    assert_eq!(outcome.findings[0].kind(), FindingKind::ClaimKey);
    accepted(
        &say(
            "A third measurement of Nordlys agrees.",
            "9007199254740992.50",
        )
        .await,
    );
}

#[tokio::test]
async fn values_agree_over_units_and_differ_by_them() {
    let world = World::new().await;
    let in_unit = async |content: &str, value: &str, unit: &str| {
        let claim = Claim {
            value: Some(Value::Decimal(DecimalValue {
                value: value.into(),
                unit: unit.into(),
            })),
            ..capacity("Nordlys", "0")
        };
        world
            .ana
            .submit_one(claiming(world.ana.draft(content).await, claim))
            .await
    };
    accepted(&in_unit("The capacity of Nordlys was measured.", "1.5", "GW").await);
    accepted(&in_unit("Nordlys was measured again by others.", "1500", "MW").await);
    contested(&in_unit("A third measurement of Nordlys came.", "1600", "MW").await);
}

#[tokio::test]
async fn different_qualifiers_keep_claims_apart() {
    let world = World::new().await;
    let of = async |content: &str, value: &str, name: &str, qualifier: &str| {
        let claim = Claim {
            qualifiers: BTreeMap::from([(name.to_owned(), qualifier.to_owned())]),
            ..capacity("Nordlys", value)
        };
        world
            .ana
            .submit_one(claiming(world.ana.draft(content).await, claim))
            .await
    };
    accepted(&of("Capacity in the year before last.", "1", "period", "2023").await);
    accepted(&of("Capacity in the year that ended.", "2", "period", "2024").await);
    contested(&of("Capacity as somebody else counts.", "3", "period", "2024").await);
}

#[tokio::test]
async fn a_claim_that_cannot_be_read_is_denied_with_its_value() {
    let world = World::new().await;
    let draft = world.ana.draft("Nordlys has some trait.").await;
    let wrong = [
        decimal("twelve"),
        decimal("1e5"),
        decimal("NaN"),
        decimal("123456789012345678901234567890"),
        Value::Date("2024-02-30".into()),
        Value::Range(RangeValue {
            low: "5".into(),
            high: "4".into(),
            unit: String::new(),
        }),
    ];
    for value in wrong {
        let shown = format!("{value:?}");
        let claimed = claiming(draft.clone(), valued(value));
        let metadata = world.item_denied(claimed, "CLAIM_INVALID").await;
        assert!(
            metadata.contains_key("field") && metadata.contains_key("value"),
            "{shown}"
        );
    }
    for claim in [
        Claim {
            value: None,
            ..valued(Value::Boolean(true))
        },
        Claim {
            subject: String::new(),
            ..valued(Value::Boolean(true))
        },
        Claim {
            attribute: String::new(),
            ..valued(Value::Boolean(true))
        },
    ] {
        world
            .item_denied(claiming(draft.clone(), claim), "CLAIM_INVALID")
            .await;
    }
}

#[tokio::test]
async fn a_claim_is_optional() {
    let world = World::new().await;
    let draft: Draft = world.ana.draft("The harbour has three piers.").await;
    assert_eq!(draft.claim, None);
    assert_eq!(
        world.ana.submit_one(draft).await.verdict(),
        Verdict::Accepted
    );
}
