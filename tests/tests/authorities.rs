//! Authorities: asked while a submission is checked, recorded when used, and never trusted to
//! answer well.

mod registry;

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use pawl_ledger::store::Engine;
use pawl_proto::v1::{
    self as proto, DeclareAuthorityRequest, LookUpRequest, Outcome, Role, WhenUnavailable,
};
use tonic::Status;

use self::registry::Registry;
use crate::world::{
    Client, OwnServer, World, accepted, capacity, claiming, contested, denied, item_error, refused,
    short,
};

const SUBJECT: &str = "Norway & sons";

/// A server that may ask the registry.
async fn server(registry: &Registry, allow_private: bool) -> OwnServer {
    server_for(registry.address, allow_private).await
}

async fn server_for(address: SocketAddr, allow_private: bool) -> OwnServer {
    let host = address.to_string();
    OwnServer::start_with(Engine::Fjall, false, |config| {
        config.authorities.allowed_hosts = vec![host];
        config.authorities.allow_private_addresses = allow_private;
    })
    .await
}

async fn declare(
    client: &Client,
    request: DeclareAuthorityRequest,
) -> Result<proto::Authority, Status> {
    let request = DeclareAuthorityRequest {
        board: client.board.clone(),
        authority: "registry".into(),
        attributes: vec!["capacity".into()],
        ..request
    };
    Ok(client
        .tables()
        .declare_authority(request)
        .await?
        .into_inner())
}

async fn declare_at(client: &Client, url: String, when: WhenUnavailable) {
    let request = DeclareAuthorityRequest {
        url,
        when_unavailable: when.into(),
        ..Default::default()
    };
    declare(client, request).await.unwrap();
}

async fn remove(client: &Client) -> Result<(), Status> {
    let request = proto::RemoveAuthorityRequest {
        board: client.board.clone(),
        authority: "registry".into(),
    };
    client.tables().remove_authority(request).await?;
    Ok(())
}

async fn claim(client: &Client, content: &str, gigawatts: &str) -> Outcome {
    let draft = client.draft(content).await;
    client
        .submit_one(claiming(draft, capacity(SUBJECT, gigawatts)))
        .await
}

async fn look_up(client: &Client, subject: &str) -> proto::LookUpResponse {
    let request = LookUpRequest {
        board: client.board.clone(),
        subject: subject.into(),
        attribute: "capacity".into(),
    };
    client.tables().look_up(request).await.unwrap().into_inner()
}

#[tokio::test]
async fn what_an_authority_answers_is_taken_as_given_and_recorded_when_used() {
    let registry = Registry::start().await;
    let own = server(&registry, true).await;
    let world = World::on(own.server.clone()).await;
    declare_at(&world.operator, registry.url("good"), WhenUnavailable::Note).await;

    let outcome = claim(&world.ana, "The first count came to 46.", "46").await;
    let conflict = refused(&outcome);
    let given = outcome.findings[0].reference.clone().unwrap();
    assert_eq!(short(&given.authority), "registry");
    assert_eq!(given.vouched_by, "Grid Office");
    let told = world
        .ben
        .conflict(&conflict)
        .await
        .finding
        .unwrap()
        .reference
        .unwrap();
    assert_eq!((told.lookup.as_str(), told.content), ("l1", given.content));

    let agreeing = claim(&world.ana, "The second count came to 45.", "45").await;
    accepted(&agreeing);
    assert_eq!(agreeing.agreements[0].lookup, "l1");
    assert_eq!(registry.asked(), 1, "the answer is remembered");
    let recorded = world.ana.history().await.into_iter();
    let recorded = recorded.filter(|it| it.kind == "lookup_recorded").count();
    assert_eq!(recorded, 1, "the same answer is recorded once");

    // Somebody it does not know, and something it is not asked about.
    let other = world.ana.draft("Another firm came to 99.").await;
    accepted(
        &world
            .ana
            .submit_one(claiming(other, capacity("Denmark", "99")))
            .await,
    );
    world.operator.declare_decimal("load", "MW").await;
    let mut about_load = capacity(SUBJECT, "3");
    about_load.attribute = "load".into();
    let other = world.ana.draft("The load came to 3.").await;
    accepted(&world.ana.submit_one(claiming(other, about_load)).await);
    assert_eq!(registry.asked(), 2);

    // An arbiter dismisses it: the same submission passes, also after a restart.
    world.aron.dismiss(&conflict).await.unwrap();
    let own = own.restart().await;
    let world = world.after_restart(own.server.clone());
    let again = claim(&world.ana, "The first count came to 46.", "46").await;
    // What stands by then still counts.
    let (_, other) = contested(&again);
    let finding = world.ana.conflict(&other).await.finding.unwrap();
    assert!(finding.reference.is_none(), "{finding:#?}");
    refused(&claim(&world.ana, "A third count came to 47.", "47").await);
    remove(&world.operator).await.unwrap();
    let (config, _directory) = own.stop().await;
    let store = pawl_ledger::store::open(&config.data.join("store"), None).unwrap();
    let report = pawl_ledger::verify::verify(store.as_ref()).unwrap();
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn one_that_does_not_answer_well_is_noted_or_keeps_submissions_out() {
    let registry = Registry::start().await;
    let own = server(&registry, true).await;
    let world = World::on(own.server.clone()).await;
    let mut count = 0;
    for (path, told) in [
        ("huge", "more than 65536 bytes"),
        ("broken", "no JSON"),
        ("nothing", "has a value"),
        ("lying", "write a number"),
        ("hidden", "reorder"),
        ("failing", "answered 500"),
        ("moved", "redirects are not followed"),
    ] {
        count += 1;
        let subject = format!("Firm {count}");
        let say = async |content: String| {
            let draft = world.ana.draft(&content).await;
            world
                .ana
                .submit_one(claiming(draft, capacity(&subject, "46")))
                .await
        };
        declare_at(&world.operator, registry.url(path), WhenUnavailable::Note).await;
        let outcome = say(format!("Count {count} came to 46.")).await;
        accepted(&outcome);
        let warnings = outcome.warnings.join("\n");
        assert!(
            warnings.contains("`registry` could not be asked"),
            "{path}: {warnings}"
        );
        assert!(warnings.contains(told), "{path}: {warnings}");
        declare_at(&world.operator, registry.url(path), WhenUnavailable::Refuse).await;
        let outcome = say(format!("Count {count} came to 46 again.")).await;
        let metadata = item_error(&outcome, "AUTHORITY_UNAVAILABLE");
        assert_eq!(metadata["authority"], "registry");
        let found = look_up(&world.ana, &subject).await;
        assert!(found.found.is_empty());
        assert!(
            found.unavailable[0].contains(told),
            "{:?}",
            found.unavailable
        );
    }
}

#[tokio::test]
async fn a_slow_one_is_waited_for_once_a_batch_and_not_for_long() {
    let registry = Registry::start().await;
    let own = server(&registry, true).await;
    let world = World::on(own.server.clone()).await;
    declare_at(&world.operator, registry.url("slow"), WhenUnavailable::Note).await;
    let mut drafts = Vec::new();
    for number in 0..5 {
        let draft = world
            .ana
            .draft(&format!("Plant {number} was counted."))
            .await;
        drafts.push(claiming(draft, capacity(&format!("Plant {number}"), "1")));
    }
    let start = Instant::now();
    let answer = world.ana.submit(drafts).await.unwrap();
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(registry.asked(), 1);
    for outcome in &answer.outcomes {
        accepted(outcome);
        assert!(
            outcome.warnings[0].contains("longer than 2 seconds"),
            "{outcome:#?}"
        );
    }
}

#[tokio::test]
async fn one_that_is_down_is_noted() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let own = server_for(address, true).await;
    let world = World::on(own.server.clone()).await;
    declare_at(
        &world.operator,
        format!("http://{address}/"),
        WhenUnavailable::Note,
    )
    .await;
    let outcome = claim(&world.ana, "A count came to 46.", "46").await;
    accepted(&outcome);
    assert!(
        outcome.warnings[0].contains("could not be reached"),
        "{outcome:#?}"
    );
}

#[tokio::test]
async fn a_check_asks_a_bounded_number_of_questions() {
    let registry = Registry::start().await;
    let own = server(&registry, true).await;
    let world = World::on(own.server.clone()).await;
    declare_at(&world.operator, registry.url("good"), WhenUnavailable::Note).await;
    let mut drafts = Vec::new();
    for number in 0..20 {
        let draft = world
            .ana
            .draft(&format!("Mill {number} was counted."))
            .await;
        drafts.push(claiming(draft, capacity(&format!("Mill {number}"), "1")));
    }
    let answer = world.ana.submit(drafts).await.unwrap();
    let noted = answer
        .outcomes
        .iter()
        .filter(|it| !it.warnings.is_empty())
        .count();
    assert_eq!((registry.asked(), noted), (16, 4));
}

#[tokio::test]
async fn nobody_is_asked_unless_the_server_is_set_so() {
    let registry = Registry::start().await;
    let own = server(&registry, false).await;
    let world = World::on(own.server.clone()).await;
    declare_at(
        &world.operator,
        registry.url("good"),
        WhenUnavailable::Refuse,
    )
    .await;
    let outcome = claim(&world.ana, "A count came to 46.", "46").await;
    let error = outcome.error.clone().unwrap();
    item_error(&outcome, "AUTHORITY_UNAVAILABLE");
    assert!(
        error.message.contains("no public address"),
        "{}",
        error.message
    );
    assert_eq!(registry.asked(), 0);
    for (url, reason) in [
        ("https://elsewhere.example/v1", "AUTHORITY_NOT_ALLOWED"),
        ("http://127.0.0.1:1/", "AUTHORITY_NOT_ALLOWED"),
        ("http://user@127.0.0.1/", "FIELD_INVALID"),
        ("http://127.0.0.1:70000/", "FIELD_INVALID"),
        ("file:///etc/passwd", "FIELD_INVALID"),
        ("", "FIELD_MISSING"),
    ] {
        let request = DeclareAuthorityRequest {
            url: url.into(),
            ..Default::default()
        };
        let metadata = denied(
            &declare(&world.operator, request).await.unwrap_err(),
            reason,
        );
        assert_eq!(metadata["field"], "url", "{url}");
    }
}

#[tokio::test]
async fn only_operators_declare_and_only_declared_attributes_are_asked_about() {
    let registry = Registry::start().await;
    let own = server(&registry, true).await;
    let world = World::on(own.server.clone()).await;
    let request = || DeclareAuthorityRequest {
        url: registry.url("good"),
        ..Default::default()
    };
    for client in [&world.ana, &world.vera, &world.aron] {
        denied(
            &declare(client, request()).await.unwrap_err(),
            "ROLE_MISSING",
        );
        denied(&remove(client).await.unwrap_err(), "ROLE_MISSING");
    }
    denied(
        &remove(&world.operator).await.unwrap_err(),
        "AUTHORITY_UNKNOWN",
    );
    let of = async |attributes: &[&str]| {
        let request = DeclareAuthorityRequest {
            board: world.board.clone(),
            authority: "registry".into(),
            attributes: attributes.iter().map(ToString::to_string).collect(),
            ..request()
        };
        world
            .operator
            .tables()
            .declare_authority(request)
            .await
            .unwrap_err()
    };
    denied(&of(&[]).await, "FIELD_MISSING");
    denied(&of(&["colour"]).await, "ATTRIBUTE_UNKNOWN");
    let declared = declare(&world.operator, request()).await.unwrap();
    assert_eq!(declared.when_unavailable(), WhenUnavailable::Note);
    let reader = world.principal("rita", &[Role::Reader]).await;
    assert_eq!(look_up(&reader, SUBJECT).await.found.len(), 1);
    let board = world.board.clone();
    let mut tables = reader.tables();
    let list = tables.list_authorities(proto::ListAuthoritiesRequest { board });
    assert_eq!(list.await.unwrap().into_inner().authorities, [declared]);
    let stranger = Client {
        board: world.board.clone(),
        ..World::on(own.server.clone()).await.ana
    };
    denied(
        &declare(&stranger, request()).await.unwrap_err(),
        "BOARD_UNKNOWN",
    );
    remove(&world.operator).await.unwrap();
    assert!(look_up(&reader, SUBJECT).await.found.is_empty());
}
