//! What verifiers and arbiters do.

use serde_json::{Value, json};
use tonic::Status;

use super::writing::last;
use crate::people::Person;

pub(super) async fn verify(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    if person.rng.u32(0..6) == 0 {
        return reaffirm(person, &board).await;
    }
    let Some(proposed) = some(person, &board, "STATUS_PROPOSED").await? else {
        return Ok(());
    };
    let citations = &proposed["draft"]["citations"];
    let evidence: Vec<Value> = citations
        .as_array()
        .into_iter()
        .flatten()
        .map(|citation| json!({"source": citation["source"], "quote": citation["quote"]}))
        .collect();
    let body = json!({"board": board, "assertion": last(&proposed["name"]), "evidence": evidence, "request_id": person.request_id()});
    person.ask("AssertionService/Validate", body).await?;
    Ok(())
}

/// A revision of a status, out of a page.
async fn some(person: &mut Person, board: &str, status: &str) -> Result<Option<Value>, Status> {
    let body = json!({"board": board, "statuses": [status], "page_size": 60});
    let listed = person.ask("AssertionService/ListAssertions", body).await?;
    let all = listed["assertions"].as_array().cloned().unwrap_or_default();
    Ok(person.one_of(&all).cloned())
}

async fn reaffirm(person: &mut Person, board: &str) -> Result<(), Status> {
    let listed = person
        .ask(
            "AssertionService/ListAssertions",
            json!({"board": board, "page_size": 500}),
        )
        .await?;
    let lost: Vec<Value> = listed["assertions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|assertion| assertion["support_lost"] != json!(""))
        .cloned()
        .collect();
    let Some(dependent) = person.one_of(&lost) else {
        return Ok(());
    };
    let body = json!({"board": board, "assertion": last(&dependent["name"]), "reason": "it holds on the new figure too"});
    person.ask("AssertionService/Reaffirm", body).await?;
    Ok(())
}

pub(super) async fn arbitrate(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    match person.rng.u32(0..11) {
        0..6 => decide(person, &board).await,
        6 | 7 => seal(person, &board).await,
        8 => amend(person, &board).await,
        9 => close_flag(person, &board).await,
        _ => super::upkeep::snapshots(person, true).await,
    }
}

async fn decide(person: &mut Person, board: &str) -> Result<(), Status> {
    let listed = person
        .ask(
            "ConflictService/ListConflicts",
            json!({"board": board, "page_size": 100}),
        )
        .await?;
    let open = listed["conflicts"].as_array().cloned().unwrap_or_default();
    let Some(conflict) = person.one_of(&open) else {
        return Ok(());
    };
    let name = last(&conflict["name"]);
    let sides = [
        last(&conflict["challenger"]),
        last(&conflict["finding"]["standing"]),
    ];
    let winner = &sides[person.rng.usize(0..2)];
    if winner.is_empty() || person.rng.u32(0..4) == 0 {
        let body = json!({"board": board, "conflict": name, "reason": "they speak of two things", "request_id": person.request_id()});
        person.ask("ConflictService/Dismiss", body).await?;
    } else {
        let body = json!({"board": board, "conflict": name, "winner": winner, "reason": "it cites the final report", "request_id": person.request_id()});
        person.ask("ConflictService/Resolve", body).await?;
    }
    person
        .ask(
            "ConflictService/GetConflict",
            json!({"board": board, "conflict": name}),
        )
        .await?;
    Ok(())
}

/// Seals a module, or one validated assertion where the module is not ready.
async fn seal(person: &mut Person, board: &str) -> Result<(), Status> {
    let module = person.module();
    let mode = ["SEAL_MODE_HARD", "SEAL_MODE_SOFT"][person.rng.usize(0..2)];
    if person.rng.bool() {
        person
            .ask(
                "SealService/Seal",
                json!({"board": board, "module": module, "mode": mode}),
            )
            .await?;
        return Ok(());
    }
    let Some(validated) = some(person, board, "STATUS_VALIDATED").await? else {
        return Ok(());
    };
    let body = json!({"board": board, "assertion": last(&validated["name"]), "mode": mode, "request_id": person.request_id()});
    person.ask("SealService/Seal", body).await?;
    Ok(())
}

async fn amend(person: &mut Person, board: &str) -> Result<(), Status> {
    let Some(locked) = some(person, board, "STATUS_LOCKED").await? else {
        return Ok(());
    };
    let draft = &locked["draft"];
    let quote = &draft["citations"][0];
    let body = json!({
        "board": board, "assertion": last(&locked["name"]), "reason": "the figure was revised", "request_id": person.request_id(),
        "draft": {
            "module": draft["module"], "confidence": 0.95,
            "content": format!("{} (revised, note {})", draft["content"].as_str().unwrap_or_default(), person.rng.u32(..)),
            "citations": [{"source": quote["source"], "quote": quote["quote"]}],
        },
    });
    person.ask("SealService/Amend", body).await?;
    Ok(())
}

async fn close_flag(person: &mut Person, board: &str) -> Result<(), Status> {
    let listed = person
        .ask("AssertionService/ListFlags", json!({"board": board}))
        .await?;
    let open = listed["flags"].as_array().cloned().unwrap_or_default();
    let Some(flag) = person.one_of(&open) else {
        return Ok(());
    };
    let body = json!({"board": board, "flag": last(&flag["name"]), "reason": "the report was looked at again"});
    person.ask("AssertionService/CloseFlag", body).await?;
    Ok(())
}
