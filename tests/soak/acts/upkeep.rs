//! What is done now and then to boards and servers as a whole.

use serde_json::json;
use tonic::Status;

use super::writing::{last, upload_as};
use crate::{
    people::Person,
    quotas::{self, LIMITED},
};

/// A reference table that nothing in the texts contradicts.
const TABLE: &str = "subject,attribute,value,unit\nthe reservoir,capacity,3,GW\n";

/// What the operators of a board and of the server do.
pub(super) async fn keep(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    match person.rng.u32(0..6) {
        0 => tables(person, &board).await,
        1 => authorities(person, &board).await,
        2 => whole_life(person).await,
        3 => rules(person, &board).await,
        4 => server(person, &board).await,
        _ => copies(person, &board).await,
    }
}

async fn tables(person: &mut Person, board: &str) -> Result<(), Status> {
    let table = format!("given-{}", person.rng.u32(0..3));
    let source = upload_as(person, board, "text/csv", TABLE.to_owned()).await?;
    let body =
        json!({"board": board, "table": table, "source": source, "format": "TABLE_FORMAT_CSV"});
    person.ask("TableService/MountTable", body).await?;
    person
        .ask("TableService/ListTables", json!({"board": board}))
        .await?;
    person
        .ask(
            "TableService/ListRows",
            json!({"board": board, "table": table}),
        )
        .await?;
    let body = json!({"board": board, "table": table, "reason": "a newer one comes"});
    person.ask("TableService/UnmountTable", body).await?;
    Ok(())
}

async fn authorities(person: &mut Person, board: &str) -> Result<(), Status> {
    let attribute = "depth";
    let body =
        json!({"board": board, "attribute": attribute, "unit": "m", "type": "VALUE_TYPE_DECIMAL"});
    person.ask("BoardService/DeclareAttribute", body).await?;
    let authority = "register";
    let body = json!({"board": board, "authority": authority, "url": "https://example.org/figures", "attributes": [attribute]});
    person.ask("TableService/DeclareAuthority", body).await?;
    person
        .ask("TableService/ListAuthorities", json!({"board": board}))
        .await?;
    let body = json!({"board": board, "subject": "the reservoir", "attribute": "capacity"});
    person.ask("TableService/LookUp", body).await?;
    let body = json!({"board": board, "authority": authority});
    person.ask("TableService/RemoveAuthority", body).await?;
    Ok(())
}

/// A board from its making to its end.
async fn whole_life(person: &mut Person) -> Result<(), Status> {
    person.requests += 1;
    let board = format!("side-{}-{}", person.name, person.requests);
    person
        .ask("BoardService/CreateBoard", json!({"board": board}))
        .await?;
    let phases = json!([
        {"phase": "first", "mover_roles": ["ROLE_OPERATOR"]},
        {"phase": "second", "mover_roles": ["ROLE_OPERATOR"]},
    ]);
    person
        .ask(
            "BoardService/DeclarePhases",
            json!({"board": board, "phases": phases}),
        )
        .await?;
    person
        .ask(
            "BoardService/EnterPhase",
            json!({"board": board, "phase": "second"}),
        )
        .await?;
    person
        .ask("BoardService/ListPhases", json!({"board": board}))
        .await?;
    let source = upload_as(
        person,
        &board,
        "text/plain",
        format!("A note for {board}.\n"),
    )
    .await?;
    person
        .ask(
            "SourceService/RemoveSource",
            json!({"board": board, "source": source}),
        )
        .await?;
    let body = json!({"board": board, "reason": "it is done"});
    person
        .ask("UpkeepService/ArchiveBoard", body.clone())
        .await?;
    person
        .ask("UpkeepService/ReopenBoard", body.clone())
        .await?;
    person.ask("UpkeepService/ArchiveBoard", body).await?;
    person
        .ask(
            "UpkeepService/DeleteBoard",
            json!({"board": board, "confirm": board}),
        )
        .await?;
    Ok(())
}

async fn rules(person: &mut Person, board: &str) -> Result<(), Status> {
    let orders = [
        json!(["RESOLUTION_RULE_RECENCY", "RESOLUTION_RULE_ARBITER"]),
        json!([]),
    ];
    let order = orders[person.rng.usize(0..2)].clone();
    person
        .ask(
            "BoardService/SetResolutionRules",
            json!({"board": board, "rules": {"order": order}}),
        )
        .await?;
    person
        .ask("BoardService/GetResolutionRules", json!({"board": board}))
        .await?;
    let quotas = match board {
        LIMITED => quotas::asked(),
        _ => json!({"sources": 5_000 + person.rng.u32(0..100)}),
    };
    person
        .ask(
            "UpkeepService/SetQuotas",
            json!({"board": board, "quotas": quotas}),
        )
        .await?;
    person
        .read("ConflictService/Rescan", json!({"board": board}), 1_000)
        .await?;
    Ok(())
}

async fn server(person: &mut Person, board: &str) -> Result<(), Status> {
    person.ask("ServerService/GetStatus", json!({})).await?;
    person.ask("ServerService/Reload", json!({})).await?;
    person
        .ask("UpkeepService/GetServerUsage", json!({}))
        .await?;
    person
        .ask("UpkeepService/GetBoardUsage", json!({"board": board}))
        .await?;
    Ok(())
}

async fn copies(person: &mut Person, board: &str) -> Result<(), Status> {
    person
        .read("BackupService/Export", json!({"board": board}), usize::MAX)
        .await?;
    person
        .read("BackupService/Backup", json!({}), usize::MAX)
        .await?;
    Ok(())
}

/// What anybody asks of a board.
pub(super) async fn ask(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    if person.rng.bool() {
        let by = ["SEARCH_BY_MEANING", "SEARCH_BY_TEXT"][person.rng.usize(0..2)];
        let body = json!({"board": board, "query": "capacity of plant 7", "by": by, "limit": 5});
        person
            .ask("AssertionService/SearchAssertions", body)
            .await?;
        return Ok(());
    }
    let text: Vec<String> = (0..10)
        .map(|_| crate::texts::fact(&mut person.rng).content)
        .collect();
    let body = json!({"board": board, "text": text.join(" "), "media_type": "text/markdown"});
    person.ask("DocumentService/CheckDocument", body).await?;
    Ok(())
}

/// What is asked of a board's snapshots, and the way back to one.
pub(super) async fn snapshots(person: &mut Person, back: bool) -> Result<(), Status> {
    let (board, module) = (person.board(), person.module());
    person
        .ask("SealService/GetSnapshotGraph", json!({"board": board}))
        .await?;
    let listed = person
        .ask(
            "SealService/ListSnapshots",
            json!({"board": board, "module": module}),
        )
        .await?;
    let all = listed["snapshots"].as_array().cloned().unwrap_or_default();
    let whole: Vec<_> = all
        .into_iter()
        .filter(|it| it["snapshot"]["only"].is_null())
        .collect();
    let Some(one) = person.one_of(&whole).map(|it| last(&it["name"])) else {
        return Ok(());
    };
    let newest = whole.last().map(|it| last(&it["name"])).unwrap_or_default();
    let body = json!({"board": board, "from": one, "to": newest});
    person.ask("SealService/DiffSnapshots", body).await?;
    if back {
        let body = json!({"board": board, "module": module, "to": one, "reason": "the figures were right then"});
        person.ask("SealService/Rollback", body).await?;
    }
    Ok(())
}
