//! What everybody reads, and what auditors read.

use serde_json::json;
use tonic::Status;

use super::writing::last;
use crate::people::Person;

pub(super) async fn look(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    match person.rng.u32(0..10) {
        0 => assertion(person, &board).await,
        1 => watch(person, &board).await,
        2 => snapshot(person, &board).await,
        3 => source(person, &board).await,
        number => {
            let method = [
                "BoardService/GetBoard",
                "BoardService/ListModules",
                "BoardService/ListAttributes",
                "BoardService/ListBoards",
                "IdentityService/WhoAmI",
                "AssertionService/ListFlags",
            ][number as usize - 4];
            let named = ["BoardService/ListBoards", "IdentityService/WhoAmI"].contains(&method);
            let body = if named {
                json!({})
            } else {
                json!({"board": board})
            };
            person.ask(method, body).await?;
            Ok(())
        }
    }
}

/// Reads a board's history in pieces of different kinds.
pub(super) async fn audit(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    match person.rng.u32(0..4) {
        0 => watch(person, &board).await,
        1 => assertion(person, &board).await,
        2 => snapshot(person, &board).await,
        _ => {
            let module = person.module();
            person
                .read(
                    "LogService/Replay",
                    json!({"board": board, "module": module}),
                    20,
                )
                .await?;
            Ok(())
        }
    }
}

async fn assertion(person: &mut Person, board: &str) -> Result<(), Status> {
    let mut token = String::new();
    for _ in 0..1 + person.rng.u32(0..3) {
        let body = json!({"board": board, "page_size": 40, "page_token": token});
        let listed = person.ask("AssertionService/ListAssertions", body).await?;
        let page = listed["assertions"].as_array().cloned().unwrap_or_default();
        if let Some(assertion) = person.one_of(&page) {
            let body = json!({"board": board, "assertion": last(&assertion["name"])});
            person
                .ask("AssertionService/GetAssertion", body.clone())
                .await?;
            person.ask("AssertionService/GetEvidence", body).await?;
        }
        token = listed["next_page_token"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        if token.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Watches from some place on, and stops reading in the middle.
async fn watch(person: &mut Person, board: &str) -> Result<(), Status> {
    let entries = person
        .ask("BoardService/GetBoard", json!({"board": board}))
        .await?["entries"]
        .as_u64();
    let from = person.rng.u64(0..entries.unwrap_or(0).max(1));
    person
        .read("LogService/Watch", json!({"board": board, "from": from}), 2)
        .await?;
    Ok(())
}

async fn snapshot(person: &mut Person, board: &str) -> Result<(), Status> {
    let listed = person
        .ask("SealService/ListSnapshots", json!({"board": board}))
        .await?;
    let all = listed["snapshots"].as_array().cloned().unwrap_or_default();
    if let Some(snapshot) = person.one_of(&all) {
        let body = json!({"board": board, "snapshot": last(&snapshot["name"])});
        person.ask("SealService/GetSnapshot", body).await?;
    }
    Ok(())
}

async fn source(person: &mut Person, board: &str) -> Result<(), Status> {
    let listed = person
        .ask(
            "SourceService/ListSources",
            json!({"board": board, "page_size": 30}),
        )
        .await?;
    let all = listed["sources"].as_array().cloned().unwrap_or_default();
    if let Some(source) = person.one_of(&all) {
        let body = json!({"board": board, "source": last(&source["name"])});
        person.ask("SourceService/GetSource", body.clone()).await?;
        if source["kept"] == json!(true) {
            person.read("SourceService/ReadSource", body, 10).await?;
        }
    }
    Ok(())
}
