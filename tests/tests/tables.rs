//! Reference tables: mounted as a whole or not at all, taken as given, and gone when they go.

mod claims;
mod requests;

use std::collections::BTreeMap;

use pawl_ledger::store::Engine;
use pawl_proto::v1::{
    self as proto, Claim, Draft, MountTableRequest, MountTableResponse, Outcome, Reference,
};
use tonic::Status;

use crate::world::{
    Client, OwnServer, World, accepted, capacity, cited, claiming, contested, denied, refused,
    short,
};

const HEAD: &str = "subject,attribute,value,unit,valid_from,valid_to,authority,region";
const NORWAY: &str = "Norway,capacity,44,GW,2023,2023,Grid Office,\n\
    Norway,capacity,45,GW,2024,2024,Grid Office,\n";

async fn mount_with(
    client: &Client,
    table: &str,
    media_type: &str,
    text: &str,
    change: impl FnOnce(&mut MountTableRequest),
) -> Result<MountTableResponse, Status> {
    let source = client.upload(media_type, text.as_bytes()).await;
    let mut request = MountTableRequest {
        board: client.board.clone(),
        table: table.into(),
        source,
        ..Default::default()
    };
    change(&mut request);
    Ok(client.tables().mount_table(request).await?.into_inner())
}

async fn mount(client: &Client, table: &str, rows: &str) -> Result<MountTableResponse, Status> {
    let text = format!("{HEAD}\n{rows}");
    mount_with(client, table, "text/csv", &text, |_| {}).await
}

async fn unmount(client: &Client, table: &str) -> Result<proto::Table, Status> {
    let request = proto::UnmountTableRequest {
        board: client.board.clone(),
        table: table.into(),
        reason: "out of date".into(),
        ..Default::default()
    };
    Ok(client.tables().unmount_table(request).await?.into_inner())
}

async fn rows(
    client: &Client,
    table: &str,
    version: Option<u64>,
    (page_size, page_token): (u32, &str),
) -> Result<proto::ListRowsResponse, Status> {
    let request = proto::ListRowsRequest {
        board: client.board.clone(),
        table: table.into(),
        version,
        page_size,
        page_token: page_token.into(),
    };
    Ok(client.tables().list_rows(request).await?.into_inner())
}

fn of_period(claim: Claim, period: &str) -> Claim {
    Claim {
        qualifiers: BTreeMap::from([("period".to_owned(), period.to_owned())]),
        ..claim
    }
}

/// Claims a capacity of Norway in a text of its own.
async fn claim(client: &Client, gigawatts: &str, period: &str) -> Outcome {
    let content = format!("It came to {gigawatts} by what was read for {period}.");
    let claim = of_period(capacity("Norway", gigawatts), period);
    let draft = claiming(client.draft(&content).await, claim);
    client.submit_one(draft).await
}

fn given(outcome: &Outcome) -> Reference {
    outcome.findings[0].reference.clone().unwrap()
}

#[tokio::test]
async fn nobody_submits_to_a_table_or_declares_a_module_of_its_name() {
    let world = World::new().await;
    mount(&world.operator, "figures", NORWAY).await.unwrap();
    let draft = Draft {
        module: "figures".into(),
        ..world.ana.draft("Something was written.").await
    };
    world.item_denied(draft, "TABLE_READ_ONLY").await;
    let declare = world.operator.declare(proto::DeclareModuleRequest {
        module: "figures".into(),
        ..Default::default()
    });
    world.denied(declare, "ALREADY_EXISTS").await;
    world
        .denied(world.aron.seal("figures"), "MODULE_UNKNOWN")
        .await;
}

#[tokio::test]
async fn a_newer_version_frees_who_waited_and_is_looked_at_at_once() {
    let world = World::new().await;
    let first = mount(&world.operator, "figures", NORWAY).await.unwrap();
    let first = first.table.unwrap().versions[0].version;
    let say = async |gigawatts: &str| {
        let content = format!("The capacity of Norway was {gigawatts} GW in 2024.");
        contested(&world.ana.say(&content).await)
    };
    let (right, _) = say("31").await;
    let (wrong, _) = say("60").await;
    let newer = "Norway,capacity,31,GW,2024,2024,Grid Office,\n";
    let mounted = mount(&world.operator, "figures", newer).await.unwrap();
    assert_eq!(world.ana.status(&right).await, proto::Status::Proposed);
    assert_eq!(world.ana.status(&wrong).await, proto::Status::Contested);
    // It contradicts what came out beside it; once that is dismissed, the new row is met.
    let of_wrong = async || {
        let open = world.ana.open_conflicts().await.into_iter();
        let mut open = open.filter(|it| short(&it.challenger) == wrong);
        open.next().unwrap()
    };
    world
        .aron
        .dismiss(&short(&of_wrong().await.name))
        .await
        .unwrap();
    assert_eq!(world.ana.status(&wrong).await, proto::Status::Contested);
    let reference = of_wrong().await.finding.unwrap().reference.unwrap();
    assert_eq!(
        reference.content,
        "The capacity of Norway was 31 GW in 2024."
    );
    let versions = mounted.table.unwrap().versions;
    assert_eq!(reference.version, versions[0].version);
    assert_eq!((versions.len(), versions[1].version), (2, first));
    let earlier = rows(&world.ben, "figures", Some(first), (0, ""))
        .await
        .unwrap();
    assert_eq!(earlier.rows.len(), 2);
    assert_eq!(earlier.rows[1].id, "figures#3");
    let unknown = rows(&world.ben, "figures", Some(0), (0, ""))
        .await
        .unwrap_err();
    denied(&unknown, "TABLE_UNKNOWN");

    unmount(&world.operator, "figures").await.unwrap();
    accepted(&claim(&world.ana, "99", "2024").await);
    let told: Vec<String> = world
        .ana
        .history()
        .await
        .into_iter()
        .map(|record| record.summary)
        .filter(|summary| summary.contains("table figures"))
        .collect();
    assert_eq!(told.len(), 3, "{told:?}");
}

#[tokio::test]
async fn mounting_names_what_it_contradicts_and_changes_nothing_of_it() {
    let world = World::new().await;
    let standing = accepted(&claim(&world.ana, "46", "2024").await);
    let text = format!("{HEAD}\n{NORWAY}");
    let trial = mount_with(&world.operator, "figures", "text/csv", &text, |it| {
        it.validate_only = true;
    });
    let trial = trial.await.unwrap();
    assert!(trial.table.is_none());
    let mounted = mount(&world.operator, "figures", NORWAY).await.unwrap();
    for answer in [trial, mounted] {
        let contradicted: Vec<String> = answer.contradicted.iter().map(|it| short(it)).collect();
        assert_eq!(contradicted, [standing.clone()]);
    }
    assert_eq!(world.ana.status(&standing).await, proto::Status::Proposed);
}

#[tokio::test]
async fn a_brief_names_the_mounted_tables() {
    let world = World::new().await;
    mount(&world.operator, "figures", NORWAY).await.unwrap();
    let text = async || {
        world
            .ana
            .brief(proto::GetBriefRequest::default())
            .await
            .text
    };
    let line = "Reference table figures: 2 rows, taken as given";
    assert!(text().await.contains(line));
    unmount(&world.operator, "figures").await.unwrap();
    assert!(!text().await.contains(line));
}

#[tokio::test]
async fn a_table_that_is_mounted_while_a_submission_is_checked_is_seen() {
    let world = World::new().await;
    // Submitted and mounted at once: the one that comes second sees the other.
    for round in 0..8 {
        let subject = format!("Race {round}");
        let row = format!("{subject},capacity,45,GW,,,,\n");
        let draft = world
            .ana
            .draft(&format!("It came to 46 in race {round}."))
            .await;
        let draft = claiming(draft, capacity(&subject, "46"));
        let table = format!("race{round}");
        let (outcome, mounted) = tokio::join!(
            world.ana.submit_one(draft),
            mount(&world.operator, &table, &row),
        );
        let version = mounted.unwrap().table.unwrap().versions[0].version;
        if outcome.verdict() == proto::Verdict::Accepted {
            let position = world
                .ana
                .assertion(&short(&outcome.assertion))
                .await
                .position;
            assert!(
                position < version,
                "it was accepted at {position} after {version}"
            );
        } else {
            refused(&outcome);
        }
    }
}

#[tokio::test]
async fn an_amendment_may_not_contradict_a_row() {
    let world = World::new().await;
    let claim = of_period(capacity("Norway", "45"), "2024");
    let draft = claiming(world.ana.draft("It came to 45 in the year.").await, claim);
    let locked = world.locked(draft).await;
    mount(&world.operator, "figures", NORWAY).await.unwrap();
    let new = |gigawatts: &str| of_period(capacity("Norway", gigawatts), "2024");
    let source = world.ana.upload("text/plain", b"It was 46, or 45.2.").await;
    let cite = |quote: &str| crate::world::cite(&source, quote);
    let wrong = claiming(cited("It came to 46.", cite("It was 46")), new("46"));
    let metadata = world
        .denied(world.aron.amend(&locked, wrong), "CONTRADICTS_LOCKED")
        .await;
    assert_eq!(metadata["standing"], "figures#3");
    let right = claiming(cited("It came to 45.2.", cite("45.2")), new("45.2"));
    world.aron.amend(&locked, right).await.unwrap();
}

#[tokio::test]
async fn tables_live_through_a_restart_and_verify_finds_nothing() {
    let own = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(own.server.clone()).await;
    mount(&world.operator, "figures", NORWAY).await.unwrap();
    let conflict = refused(&claim(&world.ana, "46", "2024").await);
    contested(
        &world
            .ana
            .say("The capacity of Norway was 31 GW in 2024.")
            .await,
    );
    let own = own.restart().await;
    let world = world.after_restart(own.server.clone());
    refused(&claim(&world.ana, "47", "2024").await);
    world.operator.declare_decimal("load", "MW").await;
    refused(&claim(&world.ben, "48", "2024").await);
    let told = world.ana.conflict(&conflict).await.finding.unwrap();
    assert_eq!(told.reference.unwrap().line, 3);
    mount(&world.operator, "figures", "Norway,capacity,47,GW,,,,\n")
        .await
        .unwrap();
    let (config, _directory) = own.stop().await;
    let store = pawl_ledger::store::open(&config.data.join("store"), None).unwrap();
    let report = pawl_ledger::verify::verify(store.as_ref()).unwrap();
    assert!(report.is_clean(), "{report}");
}
