//! What the operator of a board does.

use serde_json::json;
use tonic::Status;

use crate::people::Person;

pub(super) async fn run(person: &mut Person) -> Result<(), Status> {
    let board = person.board();
    match person.rng.u32(0..7) {
        0 => declare(person, &board).await,
        1 => policy(person, &board).await,
        2 => roles(person, &board).await,
        3 => {
            person
                .ask("BoardService/ListRoles", json!({"board": board}))
                .await?;
            Ok(())
        }
        4 => {
            person
                .ask("IdentityService/ListPrincipals", json!({}))
                .await?;
            Ok(())
        }
        5 => token(person).await,
        _ => {
            let body = json!({"principal": person.name});
            person.ask("IdentityService/ListTokens", body).await?;
            Ok(())
        }
    }
}

async fn declare(person: &mut Person, board: &str) -> Result<(), Status> {
    let number = person.rng.u32(0..20);
    if person.rng.bool() {
        let body = json!({"board": board, "attribute": format!("attribute-{number}"), "type": "VALUE_TYPE_TEXT", "aliases": [format!("name {number}")]});
        person.ask("BoardService/DeclareAttribute", body).await?;
    } else {
        let body =
            json!({"board": board, "module": format!("module-{number}"), "depends_on": ["supply"]});
        person.ask("BoardService/DeclareModule", body).await?;
    }
    Ok(())
}

async fn policy(person: &mut Person, board: &str) -> Result<(), Status> {
    let conflict = 5_500 + person.rng.u32(0..1_000);
    let policy = json!({"conflict_threshold": conflict, "note_threshold": 3_500});
    person
        .ask(
            "BoardService/SetPolicy",
            json!({"board": board, "policy": policy}),
        )
        .await?;
    Ok(())
}

/// Gives somebody a role and takes it back.
async fn roles(person: &mut Person, board: &str) -> Result<(), Status> {
    let other = format!("person-{}", person.rng.u32(0..10));
    let body = json!({"board": board, "principal": other, "role": "ROLE_READER"});
    person.ask("BoardService/GrantRole", body.clone()).await?;
    person.ask("BoardService/RevokeRole", body).await?;
    Ok(())
}

/// Issues a token and takes it back.
async fn token(person: &mut Person) -> Result<(), Status> {
    let body = json!({"principal": person.name, "lifetime": "3600s"});
    let issued = person.ask("IdentityService/IssueToken", body).await?;
    let body = json!({"token": issued["token"]["token"]});
    person.ask("IdentityService/RevokeToken", body).await?;
    Ok(())
}
