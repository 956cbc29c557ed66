//! Who gets in.

use std::os::unix::fs::PermissionsExt;

use pawl_proto::v1 as proto;
use prost_types::Duration;

use super::harness::{Server, reason};

async fn who(server: &Server, authorization: &str) -> String {
    let mut client = server.client_with(authorization);
    let answer = client.identity.who_am_i(proto::WhoAmIRequest {}).await;
    match answer {
        Ok(answer) => answer.into_inner().principal.unwrap().principal,
        Err(status) => {
            assert_eq!(status.code(), tonic::Code::Unauthenticated);
            reason::<()>(Err(status))
        }
    }
}

async fn issue(server: &Server, lifetime: Option<Duration>) -> proto::IssueTokenResponse {
    let request = proto::IssueTokenRequest {
        principal: "operator".into(),
        lifetime,
    };
    let mut operator = server.operator();
    operator
        .identity
        .issue_token(request)
        .await
        .unwrap()
        .into_inner()
}

#[tokio::test]
async fn only_a_good_token_gets_in() {
    let server = Server::start().await;
    let good = issue(&server, None).await;
    let secret = &good.secret;
    assert!(secret.starts_with("pawl_") && secret.len() == 69);
    let revoked = issue(&server, None).await;
    let revoke = proto::RevokeTokenRequest {
        token: revoked.token.unwrap().token,
    };
    let mut operator = server.operator();
    let first = operator
        .identity
        .revoke_token(revoke.clone())
        .await
        .unwrap();
    let again = operator.identity.revoke_token(revoke).await.unwrap();
    assert_eq!(first.get_ref(), again.get_ref());
    let shortest = Duration {
        seconds: 0,
        nanos: 1,
    };
    let expired = issue(&server, Some(shortest)).await;

    for (authorization, expected) in [
        (format!("Bearer {secret}"), "operator"),
        (format!("bearer  {secret} "), "operator"),
        (String::new(), "TOKEN_MISSING"),
        ("Bearer ".to_owned(), "TOKEN_MISSING"),
        (secret.clone(), "TOKEN_MISSING"),
        (format!("Basic {secret}"), "TOKEN_MISSING"),
        (format!("Bearer {secret}0"), "TOKEN_INVALID"),
        ("Bearer pawl_0".to_owned(), "TOKEN_INVALID"),
        (format!("Bearer {}", revoked.secret), "TOKEN_REVOKED"),
        (format!("Bearer {}", expired.secret), "TOKEN_EXPIRED"),
    ] {
        assert_eq!(
            who(&server, &authorization).await,
            expected,
            "{authorization}"
        );
    }
}

#[tokio::test]
async fn identities_outlive_the_server_and_secrets_are_not_kept() {
    let server = Server::start().await;
    let path = &server.running.operator_token;
    let mode = std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let first = std::fs::read_to_string(path).unwrap();
    let issued = issue(&server, None).await;
    let server = server.restart().await;
    let second = std::fs::read_to_string(&server.running.operator_token).unwrap();
    assert_eq!(first, second);
    assert_eq!(
        who(&server, &format!("Bearer {}", issued.secret)).await,
        "operator"
    );
    let mut operator = server.operator();
    let listed = operator
        .identity
        .list_tokens(proto::ListTokensRequest::default())
        .await
        .unwrap();
    let listed = listed.into_inner().tokens;
    assert_eq!(listed.len(), 2);
    assert!(!format!("{listed:?}").contains("pawl_"));
    assert_eq!(listed[0].expire_time, None);
    let (issued, expires) = (
        listed[1].create_time.unwrap(),
        listed[1].expire_time.unwrap(),
    );
    assert_eq!((expires.seconds - issued.seconds + 43_200) / 86_400, 90);
}

#[tokio::test]
async fn a_server_without_a_good_operators_token_makes_one_at_its_start() {
    let server = Server::start().await;
    let mut operator = server.operator();
    let listed = operator
        .identity
        .list_tokens(proto::ListTokensRequest::default())
        .await
        .unwrap();
    let token = listed.into_inner().tokens[0].token.clone();
    operator
        .identity
        .revoke_token(proto::RevokeTokenRequest { token })
        .await
        .unwrap();
    let refused = operator.identity.who_am_i(proto::WhoAmIRequest {}).await;
    assert_eq!(reason(refused), "TOKEN_REVOKED");
    let server = server.restart().await;
    assert!(
        server
            .operator()
            .identity
            .who_am_i(proto::WhoAmIRequest {})
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn principals_and_tokens_are_for_server_operators() {
    let server = Server::start().await;
    let mut ana = server.principal("ana").await.identity;
    let create = proto::CreatePrincipalRequest {
        principal: "bob".into(),
        ..Default::default()
    };
    let issue = proto::IssueTokenRequest {
        principal: "ana".into(),
        lifetime: None,
    };
    let revoke = proto::RevokeTokenRequest { token: "0".into() };
    assert_eq!(
        reason(ana.create_principal(create.clone()).await),
        "ROLE_MISSING"
    );
    assert_eq!(reason(ana.issue_token(issue).await), "ROLE_MISSING");
    assert_eq!(
        reason(ana.revoke_token(revoke.clone()).await),
        "ROLE_MISSING"
    );
    assert_eq!(
        reason(ana.list_principals(proto::ListPrincipalsRequest {}).await),
        "ROLE_MISSING"
    );
    let tokens = proto::ListTokensRequest::default();
    assert_eq!(reason(ana.list_tokens(tokens).await), "ROLE_MISSING");

    let mut operator = server.operator().identity;
    operator.create_principal(create.clone()).await.unwrap();
    assert_eq!(
        reason(operator.create_principal(create.clone()).await),
        "ALREADY_EXISTS"
    );
    let bad = proto::CreatePrincipalRequest {
        principal: "Bob".into(),
        ..create.clone()
    };
    assert_eq!(
        reason(operator.create_principal(bad).await),
        "FIELD_INVALID"
    );
    let hidden = proto::CreatePrincipalRequest {
        principal: "eve".into(),
        description: "a\u{202e}b".into(),
        server_operator: true,
    };
    let refused = operator.create_principal(hidden).await;
    let status = refused.as_ref().unwrap_err();
    assert_eq!(super::harness::metadata(status, "code_point"), "U+202E");
    assert_eq!(super::harness::metadata(status, "position"), "1");
    assert_eq!(reason(refused), "TEXT_INVALID");
    assert_eq!(reason(operator.revoke_token(revoke).await), "TOKEN_UNKNOWN");
    for (principal, seconds, expected) in [
        ("nobody", 60, "PRINCIPAL_UNKNOWN"),
        ("bob", -1, "FIELD_INVALID"),
        ("bob", 0, "FIELD_INVALID"),
        ("bob", i64::MAX, "FIELD_INVALID"),
        ("", 60, "FIELD_MISSING"),
    ] {
        let issue = proto::IssueTokenRequest {
            principal: principal.into(),
            lifetime: Some(Duration { seconds, nanos: 0 }),
        };
        assert_eq!(
            reason(operator.issue_token(issue).await),
            expected,
            "{principal} {seconds}"
        );
    }
    let all = operator
        .list_principals(proto::ListPrincipalsRequest {})
        .await
        .unwrap();
    let names = all
        .into_inner()
        .principals
        .into_iter()
        .map(|it| it.principal);
    assert_eq!(names.collect::<Vec<_>>(), ["ana", "bob", "operator"]);
}
