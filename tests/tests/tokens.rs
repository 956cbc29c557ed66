//! Who is calling: tokens, and that nobody calls without one.

use std::os::unix::fs::PermissionsExt;

use pawl_ledger::store::Engine;
use pawl_proto::v1::{self as proto, IssueTokenRequest, RevokeTokenRequest, WhoAmIRequest};
use tonic::{Request, Status, client::Grpc, codegen::http::uri::PathAndQuery};
use tonic_prost::ProstCodec;

use crate::{
    rights::methods,
    world::{OwnServer, World, denied},
};

/// Calls a method with an empty message and the header given.
async fn bare(world: &World, method: &str, authorization: Option<&str>) -> Status {
    let mut grpc = Grpc::new(world.operator.channel.clone());
    grpc.ready().await.unwrap();
    let mut request = Request::new(());
    if let Some(header) = authorization {
        request
            .metadata_mut()
            .insert("authorization", header.parse().unwrap());
    }
    let path = PathAndQuery::try_from(format!("/pawl.v1.{method}")).unwrap();
    let codec: ProstCodec<(), ()> = ProstCodec::default();
    grpc.unary(request, path, codec).await.unwrap_err()
}

#[tokio::test]
async fn no_call_is_answered_without_a_good_token() {
    let world = World::new().await;
    let before = world.position().await;
    let cut = &world.operator.token[..world.operator.token.len() - 1];
    let wrong = [
        (None, "TOKEN_MISSING"),
        (Some(String::new()), "TOKEN_MISSING"),
        (
            Some(format!("Basic {}", world.operator.token)),
            "TOKEN_MISSING",
        ),
        (Some(format!("Bearer {cut}")), "TOKEN_INVALID"),
        (Some("Bearer pawl_0".to_owned()), "TOKEN_INVALID"),
    ];
    for method in methods() {
        for (header, reason) in &wrong {
            let status = bare(&world, &method, header.as_deref()).await;
            assert_eq!(status.code(), tonic::Code::Unauthenticated, "{method}");
            denied(&status, reason);
        }
    }
    assert_eq!(world.position().await, before);
}

#[tokio::test]
async fn an_expired_token_and_a_revoked_one_are_told_apart() {
    let world = World::new().await;
    let mut identity = world.operator.identity();
    let issue = |lifetime| IssueTokenRequest {
        principal: world.ana.name.clone(),
        lifetime,
    };
    let short = prost_types::Duration {
        seconds: 0,
        nanos: 1_000_000,
    };
    let issued = identity
        .issue_token(issue(Some(short)))
        .await
        .unwrap()
        .into_inner();
    assert!(issued.token.as_ref().unwrap().expire_time.is_some());
    let brief = world
        .server
        .client(&world.ana.name, &issued.secret, &world.board);
    let status = loop {
        if let Err(status) = brief.identity().who_am_i(WhoAmIRequest {}).await {
            break status;
        }
    };
    let metadata = denied(&status, "TOKEN_EXPIRED");
    assert_eq!(metadata["token"], issued.token.unwrap().token);

    let issued = identity
        .issue_token(issue(None))
        .await
        .unwrap()
        .into_inner();
    let client = world
        .server
        .client(&world.ana.name, &issued.secret, &world.board);
    client.identity().who_am_i(WhoAmIRequest {}).await.unwrap();
    let token = issued.token.unwrap().token;
    let revoke = RevokeTokenRequest {
        token: token.clone(),
    };
    let revoked = identity.revoke_token(revoke).await.unwrap().into_inner();
    assert!(revoked.revoke_time.is_some());
    let status = client
        .identity()
        .who_am_i(WhoAmIRequest {})
        .await
        .unwrap_err();
    assert_eq!(denied(&status, "TOKEN_REVOKED")["token"], token);
    world
        .ana
        .identity()
        .who_am_i(WhoAmIRequest {})
        .await
        .expect("the other token is good");
    let unknown = identity
        .revoke_token(RevokeTokenRequest {
            token: "t999999".into(),
        })
        .await;
    denied(&unknown.unwrap_err(), "TOKEN_UNKNOWN");
}

#[tokio::test]
async fn a_caller_learns_who_it_is() {
    let world = World::new().await;
    let told = world
        .vera
        .identity()
        .who_am_i(WhoAmIRequest {})
        .await
        .unwrap()
        .into_inner();
    let principal = told.principal.unwrap();
    assert_eq!(
        (principal.principal, principal.server_operator),
        (world.vera.name.clone(), false)
    );
    assert_eq!(
        told.roles[&world.board].roles,
        [i32::from(proto::Role::Verifier)]
    );
}

#[tokio::test]
async fn the_first_operator_s_token_lies_in_a_private_file_and_is_kept_over_restarts() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let file = server.config.operator_token();
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let token = server.server.operator_token.clone();
    let server = server.restart().await;
    assert_eq!(server.server.operator_token, token);
    let operator = server.server.operator("");
    let told = operator
        .identity()
        .who_am_i(WhoAmIRequest {})
        .await
        .unwrap()
        .into_inner();
    assert!(told.principal.unwrap().server_operator);
    server.stop().await;
}

#[tokio::test]
async fn a_secret_is_in_no_file_of_the_store() {
    for engine in [Engine::Fjall, Engine::Sled] {
        let server = OwnServer::start(engine, false).await;
        let world = World::on(server.server.clone()).await;
        let secrets = [world.ana.token.clone(), world.operator.token.clone()];
        drop(world);
        let (config, _directory) = server.stop().await;
        let mut searched = 0_u64;
        let mut waiting = vec![config.data.join("store")];
        while let Some(path) = waiting.pop() {
            if path.is_dir() {
                waiting.extend(
                    std::fs::read_dir(path)
                        .unwrap()
                        .map(|it| it.unwrap().path()),
                );
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            searched += bytes.len() as u64;
            for secret in &secrets {
                let secret = secret.strip_prefix("pawl_").unwrap().as_bytes();
                let found = bytes.windows(secret.len()).any(|window| window == secret);
                assert!(!found, "a secret is in {}", path.display());
            }
        }
        assert!(searched > 1_000);
    }
}
