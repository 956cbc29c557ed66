//! What is asked for and refused, and by whom.

use std::collections::BTreeMap;

use pawl_proto::v1::{self as proto, MountTableRequest, MountTableResponse, Role};
use tonic::Status;

use super::{HEAD, NORWAY, mount, mount_with, rows, unmount};
use crate::world::{Client, MODULE, World, denied};

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
