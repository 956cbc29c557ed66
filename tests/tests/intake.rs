//! The JSON document that language models submit.

use pawl_proto::v1::{
    GetIntakeSchemaRequest, Kind, Level, SubmitIntakeRequest, SubmitResponse, Verdict,
};
use serde_json::{Value, json};
use tonic::Status;

use crate::world::{Client, MODULE, World, accepted, item_error};

async fn take_in(client: &Client, document: Vec<u8>) -> Result<SubmitResponse, Status> {
    let request = SubmitIntakeRequest {
        board: client.board.clone(),
        module: MODULE.into(),
        document,
        ..Default::default()
    };
    Ok(client
        .assertions()
        .submit_intake(request)
        .await?
        .into_inner())
}

async fn item(client: &Client, content: &str) -> Value {
    let draft = client.draft(content).await;
    json!({
        "content": content,
        "source": draft.citations[0].source,
        "quote": content,
        "confidence": 0.9,
    })
}

fn document(items: &[Value]) -> Vec<u8> {
    json!({ "assertions": items }).to_string().into_bytes()
}

#[tokio::test]
async fn a_document_is_accepted_with_all_its_fields() {
    let world = World::new().await;
    let mut first = item(&world.ana, "Nordlys has 12.5 GW of wind power.").await;
    first["kind"] = "estimate".into();
    first["rationale"] = "Stated in the report.".into();
    first["entities"] = json!(["Nordlys"]);
    first["tags"] = json!(["energy"]);
    first["claim"] = json!({
        "subject": "Nordlys", "attribute": "capacity",
        "value": {"decimal": {"value": "12.50", "unit": "GW"}},
        "qualifiers": {"period": "2024"},
    });
    let second = item(&world.ana, "The harbour freezes in winter.").await;
    let answer = take_in(&world.ana, document(&[first, second]))
        .await
        .unwrap();
    let ids: Vec<String> = answer.outcomes.iter().map(accepted).collect();
    let stored = world.ben.assertion(&ids[0]).await.draft.unwrap();
    assert_eq!(
        (stored.level(), stored.kind()),
        (Level::Statement, Kind::Estimate)
    );
    assert_eq!(stored.confidence, Some(0.9));
    assert_eq!(stored.entities, ["Nordlys"]);
    assert_eq!(stored.claim.unwrap().qualifiers["period"], "2024");
}

#[tokio::test]
async fn items_are_answered_one_by_one() {
    let world = World::new().await;
    let good = item(&world.ana, "The harbour freezes in winter.").await;
    let mut invented = item(&world.ana, "The canal is 12 km long.").await;
    invented["quote"] = "The canal is 13 km long.".into();
    let answer = take_in(&world.ana, document(&[invented, good]))
        .await
        .unwrap();
    item_error(&answer.outcomes[0], "QUOTE_NOT_FOUND");
    assert_eq!(answer.outcomes[1].verdict(), Verdict::Accepted);
}

#[tokio::test]
async fn a_malformed_document_says_what_to_change_and_passes_once_it_is_changed() {
    let world = World::new().await;
    let mut wrong = item(&world.ana, "The canal is 12 km long.").await;
    wrong["confidence_"] = wrong["confidence"].take();
    wrong.as_object_mut().unwrap().remove("confidence");
    let sent = take_in(&world.ana, document(std::slice::from_ref(&wrong)));
    let metadata = world.denied(sent, "INTAKE_MALFORMED").await;
    let problems = &metadata["problems"];
    assert!(problems.contains("/assertions/0"), "{problems}");
    assert!(
        problems.contains("confidence"),
        "the right name is told: {problems}"
    );
    wrong["confidence"] = wrong["confidence_"].take();
    wrong.as_object_mut().unwrap().remove("confidence_");
    let answer = take_in(&world.ana, document(&[wrong])).await.unwrap();
    accepted(&answer.outcomes[0]);
}

#[tokio::test]
async fn what_is_not_one_json_document_is_denied() {
    let world = World::new().await;
    let good = document(&[item(&world.ana, "The canal is 12 km long.").await]);
    let text = String::from_utf8(good.clone()).unwrap();
    let invalid_utf8 = {
        let mut bytes = good.clone();
        let at = text.find("canal").unwrap();
        bytes[at] = 0xff;
        bytes
    };
    let wrong = [
        Vec::new(),
        b"{\"assertions\":[".to_vec(),
        format!("Here you are:\n```json\n{text}\n```").into_bytes(),
        format!("{text} {text}").into_bytes(),
        text.replace("0.9", "NaN").into_bytes(),
        text.replace("0.9", "9").into_bytes(),
        text.replace("0.9", "-0.1").into_bytes(),
        document(&[]),
        b"[]".to_vec(),
        invalid_utf8,
    ];
    for sent in wrong {
        let shown = String::from_utf8_lossy(&sent).into_owned();
        let metadata = world
            .denied(take_in(&world.ana, sent), "INTAKE_MALFORMED")
            .await;
        assert!(metadata["problems"].len() > 10, "{shown}: {metadata:?}");
    }
    let many: Vec<Value> = (0..10_000)
        .map(|number| json!({"content": format!("{number}")}))
        .collect();
    world
        .denied(take_in(&world.ana, document(&many)), "INTAKE_MALFORMED")
        .await;
}

#[tokio::test]
async fn the_published_schema_is_json_schema_and_names_every_field() {
    let world = World::new().await;
    let mut ana = world.ana.assertions();
    let answer = ana.get_intake_schema(GetIntakeSchemaRequest {}).await;
    let schema: Value = serde_json::from_str(&answer.unwrap().into_inner().schema).unwrap();
    assert!(schema["$schema"].as_str().unwrap().contains("2020-12"));
    let text = schema.to_string();
    for field in [
        "assertions",
        "content",
        "source",
        "quote",
        "confidence",
        "claim",
        "supports",
    ] {
        assert!(text.contains(&format!("\"{field}\"")), "{field}");
    }
}
