//! What a principal may take of a board, and what becomes of who takes more.

use pawl_ledger::store::Engine;
use pawl_proto::v1::{self as proto, Draft, Quotas, Role, SetQuotasRequest};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::world::{
    Client, OwnServer, World, accepted, capacity, cite, cited, claiming, denied, item_error,
    refused,
};

async fn set(client: &Client, quotas: Quotas) -> Result<proto::BoardUsage, Status> {
    let request = SetQuotasRequest {
        board: client.board.clone(),
        quotas: Some(quotas),
    };
    Ok(client.upkeep().set_quotas(request).await?.into_inner())
}

async fn taken(world: &World, client: &Client) -> proto::PrincipalUsage {
    let board = world.board.clone();
    let request = proto::GetBoardUsageRequest { board };
    let usage = world
        .operator
        .upkeep()
        .get_board_usage(request)
        .await
        .unwrap();
    let principals = usage.into_inner().principals;
    let mut principals = principals
        .into_iter()
        .filter(|it| it.principal == client.name);
    principals.next().unwrap_or_default()
}

/// Many statements from one source.
async fn many(client: &Client, count: usize) -> Vec<Draft> {
    let contents: Vec<String> = (0..count)
        .map(|number| format!("Well {number} of the field was drilled by crew {number}."))
        .collect();
    let source = client
        .upload("text/plain", contents.join("\n").as_bytes())
        .await;
    contents
        .iter()
        .map(|it| cited(it, cite(&source, it)))
        .collect()
}

#[tokio::test]
async fn who_writes_too_fast_is_told_to_wait_and_nobody_else() {
    let world = World::new().await;
    let items = many(&world.ana, 40).await;
    let quotas = Quotas {
        entries_per_second: Some(1),
        entries_burst: Some(2),
        ..Quotas::default()
    };
    let usage = set(&world.operator, quotas).await.unwrap();
    assert_eq!(usage.own_quotas, Some(quotas));
    // The call that empties the bucket may overdraw it.
    assert!(world.ana.submit(items).await.unwrap().committed);
    assert_eq!(taken(&world, &world.ana).await.entries_left, 0);
    let more = cited("Well 7 is dry.", proto::Citation::default());
    let before = world.position().await;
    let status = world.ana.submit(vec![more.clone()]).await.unwrap_err();
    let told = denied(&status, "QUOTA_EXCEEDED");
    assert_eq!(status.code(), Code::ResourceExhausted);
    assert_eq!(
        (told["quota"].as_str(), told["limit"].as_str()),
        ("entries_per_second", "1")
    );
    let wait = status
        .get_details_retry_info()
        .unwrap()
        .retry_delay
        .unwrap();
    assert_eq!(wait.as_millis().to_string(), told["retry_after_ms"]);
    assert!(wait.as_secs() >= 20, "{wait:?}");
    let upload = proto::SourceHeader {
        media_type: "text/plain".into(),
        ..Default::default()
    };
    denied(
        &world.ana.upload_as(upload, b"more").await.unwrap_err(),
        "QUOTA_EXCEEDED",
    );
    assert_eq!(world.position().await, before);
    world.ana.check(vec![more]).await.unwrap();

    let ben = world
        .ben
        .upload("text/plain", b"The canal is 12 km long.")
        .await;
    assert_eq!(ben.len(), 64);
    set(&world.operator, Quotas::default()).await.unwrap();
    accepted(&world.ana.say("The harbour freezes in winter.").await);
}

#[tokio::test]
async fn the_answer_to_a_repeated_request_takes_nothing() {
    let world = World::new().await;
    let items = many(&world.ana, 40).await;
    let quotas = Quotas {
        entries_per_second: Some(1),
        entries_burst: Some(2),
        ..Quotas::default()
    };
    set(&world.operator, quotas).await.unwrap();
    let request = proto::SubmitRequest {
        items,
        request_id: "once".into(),
        ..Default::default()
    };
    let first = world.ana.submit_with(request.clone()).await.unwrap();
    assert_eq!(world.ana.submit_with(request).await.unwrap(), first);
}

#[tokio::test]
async fn words_are_counted_over_restarts() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    accepted(&world.ana.say("The harbour freezes in winter.").await);
    let short = world.ana.draft("The canal is 12 km long.").await;
    let written = taken(&world, &world.ana).await.word_bytes;
    assert!(written > 200, "{written}");
    let quotas = Quotas {
        word_bytes: Some(written + 10),
        ..Quotas::default()
    };
    set(&world.operator, quotas).await.unwrap();
    let server = server.restart().await;
    let world = world.after_restart(server.server.clone());
    assert_eq!(taken(&world, &world.ana).await.word_bytes, written);
    let told = world
        .denied(world.ana.submit(vec![short.clone()]), "QUOTA_EXCEEDED")
        .await;
    assert_eq!(
        (told["quota"].as_str(), told["left"].as_str()),
        ("word_bytes", "10")
    );
    accepted(&world.ben.submit_one(short.clone()).await);
    // What takes no words is not held up.
    world.operator.declare_module("other").await;
    set(&world.operator, Quotas::default()).await.unwrap();
    accepted(
        &world
            .ana
            .submit_one(Draft {
                module: "other".into(),
                ..short
            })
            .await,
    );
}

#[tokio::test]
async fn sources_are_counted_and_weighed() {
    let world = World::new().await;
    let header = || proto::SourceHeader {
        media_type: "text/plain".into(),
        ..Default::default()
    };
    let first = world.ana.upload("text/plain", b"one").await;
    let quotas = Quotas {
        sources: Some(2),
        source_bytes: Some(10),
        ..Quotas::default()
    };
    set(&world.operator, quotas).await.unwrap();
    let heavy = world.ana.upload_as(header(), b"far too long");
    let told = world.denied(heavy, "QUOTA_EXCEEDED").await;
    assert_eq!(told["quota"], "source_bytes");
    world.ana.upload("text/plain", b"two").await;
    let told = world
        .denied(world.ana.upload_as(header(), b"3"), "QUOTA_EXCEEDED")
        .await;
    assert_eq!(
        (told["quota"].as_str(), told["limit"].as_str()),
        ("sources", "2")
    );
    let register = proto::RegisterSourceRequest {
        board: world.board.clone(),
        uri: "https://example.org/three".into(),
        digest: blake3::hash(b"three").to_hex().to_string(),
        media_type: "text/plain".into(),
        title: String::new(),
        ..Default::default()
    };
    let mut sources = world.ana.sources();
    world
        .denied(sources.register_source(register), "QUOTA_EXCEEDED")
        .await;
    // What is there already takes nothing more, and what was removed takes nothing at all.
    let known = proto::SourceHeader {
        digest: blake3::hash(b"two").to_hex().to_string(),
        ..header()
    };
    world.ana.upload_as(known, b"two").await.unwrap();
    world.ben.upload("text/plain", b"three").await;
    let remove = proto::RemoveSourceRequest {
        board: world.board.clone(),
        source: first,
    };
    world.ana.sources().remove_source(remove).await.unwrap();
    world.ana.upload("text/plain", b"four").await;
}

#[tokio::test]
async fn refusals_beyond_the_quota_are_answered_and_not_recorded() {
    let world = World::new().await;
    let draft = world.ana.draft("The register gives a figure.").await;
    world
        .locked(claiming(draft, capacity("Nordlys", "5")))
        .await;
    set(
        &world.operator,
        Quotas {
            refusals_per_hour: Some(1),
            ..Quotas::default()
        },
    )
    .await
    .unwrap();
    let contradiction = async |client: &Client, figure: &str| {
        let draft = client.draft(&format!("A newspaper gives {figure}.")).await;
        claiming(draft, capacity("Nordlys", figure))
    };
    refused(
        &world
            .ben
            .submit_one(contradiction(&world.ben, "6").await)
            .await,
    );
    let again = contradiction(&world.ben, "7").await;
    let check = world.ben.check(vec![again.clone()]).await.unwrap();
    assert_eq!(check.outcomes[0].verdict(), proto::Verdict::Refused);
    let fine = world.ben.draft("The canal is 12 km long.").await;
    let third = contradiction(&world.ben, "8").await;
    let before = world.ben.board_record().await;
    let answer = world.ben.submit(vec![again, fine, third]).await.unwrap();
    for place in [0, 2] {
        let told = item_error(&answer.outcomes[place], "QUOTA_EXCEEDED");
        assert_eq!(told["quota"], "refusals_per_hour");
        assert!(told["retry_after_ms"].parse::<u64>().unwrap() > 1_000_000);
    }
    accepted(&answer.outcomes[1]);
    let after = world.ben.board_record().await;
    assert_eq!(after.entries, before.entries + 1);
    assert_eq!(after.figures.unwrap().refusals, 1);
    refused(
        &world
            .ana
            .submit_one(contradiction(&world.ana, "9").await)
            .await,
    );
}

#[tokio::test]
async fn a_quota_is_a_number_and_only_a_server_operator_raises_it_over_the_server_s() {
    let server = OwnServer::start_with(Engine::Fjall, false, |config| {
        config.limits.quotas.sources = 10;
    })
    .await;
    let world = World::on(server.server.clone()).await;
    let olga = world.principal("olga", &[Role::Operator]).await;
    for value in [0, u64::MAX] {
        let quotas = Quotas {
            word_bytes: Some(value),
            ..Quotas::default()
        };
        let told = world
            .denied(set(&world.operator, quotas), "FIELD_INVALID")
            .await;
        assert_eq!(told["field"], "word_bytes");
    }
    let mut upkeep = world.operator.upkeep();
    let nothing = SetQuotasRequest {
        board: world.board.clone(),
        quotas: None,
    };
    world
        .denied(upkeep.set_quotas(nothing), "FIELD_MISSING")
        .await;
    let more = Quotas {
        sources: Some(11),
        ..Quotas::default()
    };
    let told = world.denied(set(&olga, more), "ROLE_MISSING").await;
    assert_eq!(told["field"], "sources");
    let usage = set(
        &olga,
        Quotas {
            sources: Some(9),
            ..Quotas::default()
        },
    )
    .await
    .unwrap();
    assert_eq!(usage.quotas.unwrap().sources, Some(9));
    let usage = set(&world.operator, more).await.unwrap();
    assert_eq!(usage.quotas.unwrap().sources, Some(11));
    server.stop().await;
}
