//! What agents do: read documents, submit, ask, doubt, take back.

use prost_reflect::prost::bytes::Bytes;
use serde_json::{Value, json};
use tonic::Status;

use crate::{
    people::Person,
    tally::is_broken,
    texts::{Fact, fact},
    wire::json as as_json,
};

/// How many facts a document holds.
const FACTS: usize = 24;

pub(super) async fn work(person: &mut Person) -> Result<(), Status> {
    match person.rng.u32(0..20) {
        0 | 1 => upload(person).await,
        2..11 => submit(person).await,
        11 => check(person).await,
        12 => intake(person).await,
        13 => register(person).await,
        14 => retract(person).await,
        15 => appeal(person).await,
        16 => flag(person).await,
        17 => infer(person).await,
        _ => brief(person).await,
    }
}

/// Uploads a document in which there is something to read.
async fn upload(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    let facts: Vec<Fact> = (0..FACTS).map(|_| fact(&mut person.rng)).collect();
    let text: Vec<&str> = facts.iter().map(|fact| fact.content.as_str()).collect();
    let text = format!(
        "Notes {} of {}.\n\n{}\n",
        person.rng.u32(..),
        person.name,
        text.join("\n")
    );
    let digest = upload_as(person, &board, "text/plain", text).await?;
    person.documents.push((board, digest, facts));
    if person.documents.len() > 8 {
        person.documents.remove(0);
    }
    Ok(())
}

/// Uploads a text; gives its digest.
pub(super) async fn upload_as(
    person: &mut Person,
    board: &str,
    media_type: &str,
    text: String,
) -> Result<String, Status> {
    let method = "SourceService/UploadSource";
    let header = json!({"header": {"board": board, "media_type": media_type}});
    let mut chunk = person.wire.message(method, &json!({"chunk": ""}));
    chunk.set_field_by_name("chunk", prost_reflect::Value::Bytes(Bytes::from(text)));
    let sent = vec![
        person.wire.message(method, &header),
        chunk,
        person.wire.message(method, &json!({"end": {}})),
    ];
    let answer = person.send(method, sent, 1).await?;
    Ok(last(&as_json(&answer[0])["name"]))
}

/// Facts from a document as drafts, each with its quote.
fn drafts(person: &mut Person, most: usize) -> Option<(String, Vec<Value>)> {
    if person.documents.is_empty() {
        return None;
    }
    let (board, digest, facts) = &person.documents[person.rng.usize(0..person.documents.len())];
    let count = 1 + person.rng.usize(0..most);
    let drafts = (0..count).map(|_| {
        let fact = &facts[person.rng.usize(0..facts.len())];
        let mut draft = json!({
            "module": fact.module,
            "content": fact.content,
            "confidence": 0.9 + f64::from(person.rng.u32(0..10)) / 100.0,
            "citations": [{"source": digest, "quote": fact.content}],
        });
        if let Some(claim) = &fact.claim {
            draft["claim"] = claim.clone();
        }
        draft
    });
    Some((board.clone(), drafts.collect()))
}

/// Submits, and asks again with the same request id when the connection broke meanwhile.
async fn submit(person: &mut Person) -> Result<(), Status> {
    let Some((board, items)) = drafts(person, 12) else {
        return upload(person).await;
    };
    let all_or_none = person.rng.u32(0..6) == 0;
    let body = json!({"board": board, "items": items, "request_id": person.request_id(), "all_or_none": all_or_none});
    let mut answer = person.ask("AssertionService/Submit", body.clone()).await;
    let mut tries = 0;
    while let Err(status) = &answer
        && is_broken(status)
        && tries < 100
    {
        tries += 1;
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        answer = person.ask("AssertionService/Submit", body.clone()).await;
    }
    acknowledge(person, &board, &answer?);
    Ok(())
}

fn acknowledge(person: &mut Person, board: &str, answer: &Value) {
    for outcome in answer["outcomes"].as_array().into_iter().flatten() {
        if let Some(reason) = outcome["error"]["reason"].as_str() {
            if reason.is_empty() {
                person
                    .tally
                    .wrong(format!("an item failed without a reason: {outcome}"));
            }
            person.tally.item(reason);
        }
        let id = last(&outcome["assertion"]);
        if answer["committed"] == json!(true) && !id.is_empty() {
            person.acknowledged.push((board.to_owned(), id));
        }
    }
}

async fn check(person: &mut Person) -> Result<(), Status> {
    let Some((board, items)) = drafts(person, 4) else {
        return upload(person).await;
    };
    person
        .ask(
            "AssertionService/Check",
            json!({"board": board, "items": items}),
        )
        .await?;
    Ok(())
}

/// Hands in a document as a language model writes it.
async fn intake(person: &mut Person) -> Result<(), Status> {
    let Some((board, items)) = drafts(person, 4) else {
        return upload(person).await;
    };
    person
        .ask("AssertionService/GetIntakeSchema", json!({}))
        .await?;
    let assertions: Vec<Value> = items
        .iter()
        .map(|item| {
            json!({
                "content": item["content"],
                "confidence": item["confidence"],
                "source": item["citations"][0]["source"],
                "quote": item["content"],
            })
        })
        .collect();
    let document = json!({"assertions": assertions}).to_string();
    let method = "AssertionService/SubmitIntake";
    let module = person.module();
    let body = json!({"board": board, "module": module, "request_id": person.request_id()});
    let mut message = person.wire.message(method, &body);
    message.set_field_by_name("document", prost_reflect::Value::Bytes(document.into()));
    let answer = person.send(method, vec![message], 1).await;
    acknowledge(person, &board, &as_json(&answer?[0]));
    Ok(())
}

async fn register(person: &mut Person) -> Result<(), Status> {
    let digest: String = (0..64)
        .map(|_| format!("{:x}", person.rng.u8(0..16)))
        .collect();
    let board = person.board();
    let uri = format!("https://example.org/reports/{}", person.rng.u32(0..40));
    let body = json!({"board": board, "uri": uri, "digest": digest, "media_type": "text/plain"});
    person.ask("SourceService/RegisterSource", body).await?;
    Ok(())
}

/// Something of one's own, out of what was acknowledged.
fn mine(person: &mut Person) -> Option<(String, String)> {
    let many = person.acknowledged.len();
    (many > 0).then(|| person.acknowledged[person.rng.usize(0..many)].clone())
}

async fn retract(person: &mut Person) -> Result<(), Status> {
    let Some((board, id)) = mine(person) else {
        return submit(person).await;
    };
    let body = json!({"board": board, "assertion": id, "reason": "read from the wrong line", "request_id": person.request_id()});
    person.ask("AssertionService/Retract", body).await?;
    Ok(())
}

async fn appeal(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    let listed = person
        .ask(
            "ConflictService/ListConflicts",
            json!({"board": board, "page_size": 50}),
        )
        .await?;
    let conflicts = listed["conflicts"].as_array().cloned().unwrap_or_default();
    let Some(conflict) = person.one_of(&conflicts) else {
        return Ok(());
    };
    let body = json!({"board": board, "conflict": last(&conflict["name"]), "reason": "it is about another plant"});
    person.ask("ConflictService/Appeal", body).await?;
    Ok(())
}

async fn flag(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    let listed = person
        .ask(
            "AssertionService/ListAssertions",
            json!({"board": board, "statuses": ["STATUS_LOCKED"], "page_size": 50}),
        )
        .await?;
    let locked = listed["assertions"].as_array().cloned().unwrap_or_default();
    let Some(fact) = person.one_of(&locked) else {
        return Ok(());
    };
    let body = json!({"board": board, "assertion": last(&fact["name"]), "reason": "the newer report gives another figure"});
    person.ask("AssertionService/Flag", body).await?;
    Ok(())
}

/// Infers something from what was acknowledged.
async fn infer(person: &mut Person) -> Result<(), Status> {
    let Some((board, id)) = mine(person) else {
        return submit(person).await;
    };
    let item = json!({
        "module": "outlook", "content": format!("What {id} says calls for another line, case {}.", person.rng.u32(..)),
        "level": "LEVEL_INFERENCE", "confidence": 0.91, "supports": [id],
    });
    let answer = person
        .ask(
            "AssertionService/Submit",
            json!({"board": board, "items": [item]}),
        )
        .await?;
    acknowledge(person, &board, &answer);
    Ok(())
}

async fn brief(person: &mut Person) -> Result<(), Status> {
    let (board, module) = (person.board(), person.module());
    let body = json!({"board": board, "modules": [module], "token_budget": 500, "task": "write about plant 7"});
    person.ask("LogService/GetBrief", body).await?;
    Ok(())
}

/// The last part of a resource name.
pub(crate) fn last(name: &Value) -> String {
    let name = name.as_str().unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default().to_owned()
}
