//! Reference tables: mounted as a whole or not at all, taken as given, and gone when they go.

use std::collections::BTreeMap;

use pawl_ledger::store::Engine;
use pawl_proto::v1::{
    self as proto, Claim, Draft, FindingKind, MountTableRequest, MountTableResponse, Outcome,
    Reference, Role, ValueType, claim::Value,
};
use tonic::Status;

use crate::world::{
    Client, MODULE, OwnServer, World, accepted, capacity, cited, claiming, contested, denied,
    refused, short,
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

#[tokio::test]
async fn a_table_with_a_bad_row_is_not_mounted_and_every_bad_row_is_told() {
    let world = World::new().await;
    let refused = async |rows: &str, told: &[&str]| {
        let before = world.position().await;
        let status = mount(&world.operator, "figures", rows).await.unwrap_err();
        denied(&status, "TABLE_INVALID");
        for part in told {
            assert!(
                status.message().contains(part),
                "{part}: {}",
                status.message()
            );
        }
        // The upload is one entry, and nothing else was written.
        assert_eq!(world.position().await, before + 1);
    };
    refused(
        "Norway,capacity,much,GW,,,,\n,capacity,1,GW,,,,\n",
        &["line 3, `subject`"],
    )
    .await;
    refused(
        "Norway,capacity,much,GW,,,,\nSweden,capacity,1,kg,,,,\n",
        &["line 2, `value` is `much`", "line 3, `unit` is `kg`"],
    )
    .await;
    refused(
        "Norway,capacity,45,GW,,,,\n\nNorway,capacity,46,GW,2024,2024,,\n",
        &["line 4", "line 2 gives 45 GW"],
    )
    .await;
    refused("Norway,capacity,1\n", &["line 2", "3 cells"]).await;
    let open = format!("{HEAD}\n\"Norway,capacity,1,GW,,,,\n");
    let as_csv = |it: &mut MountTableRequest| it.format = proto::TableFormat::Csv.into();
    let status = mount_with(&world.operator, "figures", "text/plain", &open, as_csv)
        .await
        .unwrap_err();
    denied(&status, "TABLE_INVALID");
    let many = "Norway,capacity,45,GW,,,,\n".repeat(100_001);
    refused(&many, &["line 100002", "at most 100000 rows"]).await;
    let good = format!("\u{feff}{HEAD}\r\nNorway,capacity,45,GW,,,,\r\n");
    let mounted = mount_with(&world.operator, "figures", "text/csv", &good, |_| {}).await;
    assert_eq!(mounted.unwrap().rows, 1);
}

#[tokio::test]
async fn bad_requests_are_told_what_to_change() {
    let world = World::new().await;
    let with = async |media_type: &str, change: fn(&mut MountTableRequest)| {
        // Other bytes, so that the source is another one.
        let text = format!("{HEAD}\n{NORWAY}{}", "\n".repeat(media_type.len()));
        mount_with(&world.operator, "figures", media_type, &text, change)
            .await
            .unwrap_err()
    };
    denied(
        &with("text/csv", |it| it.table = "Figures".into()).await,
        "FIELD_INVALID",
    );
    denied(
        &with("text/csv", |it| it.table = MODULE.into()).await,
        "ALREADY_EXISTS",
    );
    denied(
        &with("text/csv", |it| it.source = "00000000".into()).await,
        "SOURCE_UNKNOWN",
    );
    denied(
        &with("text/csv", |it| it.source = String::new()).await,
        "FIELD_MISSING",
    );
    denied(&with("text/csv", |it| it.format = 9).await, "FIELD_INVALID");
    denied(&with("text/plain", |_| {}).await, "FIELD_MISSING");
    let odd = |it: &mut MountTableRequest| {
        it.columns = BTreeMap::from([("colour".into(), "region".into())]);
    };
    denied(&with("text/csv", odd).await, "FIELD_INVALID");
    let other = |it: &mut MountTableRequest| it.table = "boards/other/tables/figures".into();
    denied(&with("text/csv", other).await, "OTHER_BOARD");
    denied(
        &unmount(&world.operator, "figures").await.unwrap_err(),
        "TABLE_UNKNOWN",
    );
    let unknown = rows(&world.ana, "figures", None, (0, ""))
        .await
        .unwrap_err();
    denied(&unknown, "TABLE_UNKNOWN");
    let registered = proto::RegisterSourceRequest {
        board: world.board.clone(),
        uri: "https://example.org/table.csv".into(),
        digest: "ab".repeat(32),
        media_type: "text/csv".into(),
        ..Default::default()
    };
    world
        .ana
        .sources()
        .register_source(registered)
        .await
        .unwrap();
    denied(
        &with("text/csv", |it| it.source = "ab".repeat(32)).await,
        "SOURCE_UNKNOWN",
    );
}

#[tokio::test]
async fn only_operators_mount_and_only_readers_read() {
    let world = World::new().await;
    mount(&world.operator, "figures", NORWAY).await.unwrap();
    for client in [&world.ana, &world.vera, &world.aron] {
        let text = format!("{HEAD}\nSweden,capacity,1,GW,,,,\n");
        let source = world.ana.upload("text/csv", text.as_bytes()).await;
        let request = MountTableRequest {
            board: world.board.clone(),
            table: "figures".into(),
            source,
            ..Default::default()
        };
        let status = client.tables().mount_table(request).await.unwrap_err();
        denied(&status, "ROLE_MISSING");
        denied(
            &unmount(client, "figures").await.unwrap_err(),
            "ROLE_MISSING",
        );
        assert_eq!(
            rows(client, "figures", None, (0, ""))
                .await
                .unwrap()
                .rows
                .len(),
            2
        );
    }
    let auditor = world.principal("aude", &[Role::Auditor]).await;
    rows(&auditor, "figures", None, (0, "")).await.unwrap();
    let stranger = Client {
        board: world.board.clone(),
        ..World::new().await.ana
    };
    let status = rows(&stranger, "figures", None, (0, "")).await.unwrap_err();
    denied(&status, "BOARD_UNKNOWN");
    let status = mount_of(&stranger, "figures").await.unwrap_err();
    denied(&status, "BOARD_UNKNOWN");
}

async fn mount_of(client: &Client, table: &str) -> Result<MountTableResponse, Status> {
    let request = MountTableRequest {
        board: client.board.clone(),
        table: table.into(),
        source: "00000000".into(),
        ..Default::default()
    };
    Ok(client.tables().mount_table(request).await?.into_inner())
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
async fn rows_come_in_pages_and_what_is_looked_up_is_found() {
    let world = World::new().await;
    let table = (1..=25).map(|it| format!("Plant {it},capacity,{it},GW,,,Grid Office,\n"));
    mount(&world.operator, "figures", &table.collect::<String>())
        .await
        .unwrap();
    let (mut lines, mut token) = (Vec::new(), String::new());
    loop {
        let page = rows(&world.ana, "figures", None, (10, &token))
            .await
            .unwrap();
        lines.extend(
            page.rows
                .iter()
                .map(|row| row.reference.clone().unwrap().line),
        );
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(lines, (2..=26).collect::<Vec<u32>>());
    let status = rows(&world.ana, "figures", Some(7), (10, "00"))
        .await
        .unwrap_err();
    denied(&status, "PAGE_TOKEN_INVALID");
    let ask = async |subject: &str, attribute: &str| {
        let request = proto::LookUpRequest {
            board: world.board.clone(),
            subject: subject.into(),
            attribute: attribute.into(),
        };
        world.ana.tables().look_up(request).await
    };
    let found = ask("plant 7", "capacity").await.unwrap().into_inner();
    assert_eq!(found.found[0].line, 8);
    assert!(
        ask("plant 70", "capacity")
            .await
            .unwrap()
            .into_inner()
            .found
            .is_empty()
    );
    denied(&ask("", "capacity").await.unwrap_err(), "FIELD_MISSING");
}

#[tokio::test]
async fn a_repeated_request_mounts_once() {
    let world = World::new().await;
    let text = format!("{HEAD}\n{NORWAY}");
    let once = async || {
        mount_with(&world.operator, "figures", "text/csv", &text, |it| {
            it.request_id = "mount-1".into();
        })
        .await
        .unwrap()
    };
    let first = once().await;
    let entries = world.position().await;
    assert_eq!(once().await, first);
    assert_eq!(world.position().await, entries);
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
