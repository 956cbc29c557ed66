//! Documents: kept, found, read back, listed, drifted.

use pawl_proto::v1::{self as proto, Role};
use tokio_stream::StreamExt;

use super::harness::{Client, Server, reason, text};

async fn read(client: &mut Client, board: &str, source: &str) -> Result<Vec<u8>, tonic::Status> {
    let request = proto::ReadSourceRequest {
        board: board.into(),
        source: source.into(),
    };
    let mut chunks = client.source.read_source(request).await?.into_inner();
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        bytes.extend(chunk?.chunk);
    }
    Ok(bytes)
}

fn get(source: &str) -> proto::GetSourceRequest {
    proto::GetSourceRequest {
        board: "b".into(),
        source: source.into(),
    }
}

fn digest_of(source: &proto::Source) -> &str {
    source.name.rsplit('/').next().unwrap()
}

#[tokio::test]
async fn an_upload_is_kept_and_found_by_digest_beginning_and_address() {
    let server = Server::start().await;
    server.board("b").await;
    let mut ana = server.member("ana", "b", Role::Agent).await;
    let document = "Revenue grew by 45% in 2024. ".repeat(20_000);
    let digest = blake3::hash(document.as_bytes()).to_hex().to_string();
    let header = proto::SourceHeader {
        uri: "https://example.org/report".into(),
        title: "Report".into(),
        digest: digest.to_uppercase(),
        ..text("b")
    };
    let kept = ana.upload(header, document.as_bytes()).await.unwrap();
    assert_eq!(kept.name, format!("boards/b/sources/{digest}"));
    assert_eq!(
        (kept.size_bytes, kept.kept, kept.drifted),
        (document.len() as u64, true, false)
    );
    assert_eq!(
        (kept.title.as_str(), kept.principal.as_str()),
        ("Report", "ana")
    );

    let server = server.restart().await;
    let mut operator = server.operator();
    for named in [
        &digest,
        &digest[..8],
        &digest[..63].to_uppercase(),
        "https://example.org/report",
        &kept.name,
    ] {
        let found = operator
            .source
            .get_source(get(named))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(found, kept, "{named}");
    }
    for (named, expected) in [
        ("", "FIELD_MISSING"),
        (&digest[..7], "SOURCE_UNKNOWN"),
        ("00000000", "SOURCE_UNKNOWN"),
        ("https://example.org/other", "SOURCE_UNKNOWN"),
        ("boards/c/sources/00000000", "OTHER_BOARD"),
        ("boards/b/modules/m", "FIELD_INVALID"),
    ] {
        assert_eq!(
            reason(operator.source.get_source(get(named)).await),
            expected,
            "{named}"
        );
    }
    assert_eq!(
        read(&mut operator, "b", &digest).await.unwrap(),
        document.as_bytes()
    );
}

#[tokio::test]
async fn bytes_are_seen_only_through_a_board_that_registered_them() {
    let server = Server::start().await;
    server.board("b").await;
    server.board("c").await;
    let mut operator = server.operator();
    let kept = operator
        .upload(text("b"), b"a secret of board b")
        .await
        .unwrap();
    let digest = digest_of(&kept).to_owned();
    assert_eq!(
        reason(read(&mut operator, "c", &digest).await),
        "SOURCE_UNKNOWN"
    );
    let register = proto::RegisterSourceRequest {
        board: "c".into(),
        uri: "https://example.org/guess".into(),
        digest: digest.clone(),
        media_type: "text/plain".into(),
        ..Default::default()
    };
    let registered = operator
        .source
        .register_source(register)
        .await
        .unwrap()
        .into_inner();
    assert!(!registered.kept);
    assert_eq!(
        reason(read(&mut operator, "c", &digest).await),
        "SOURCE_UNKNOWN"
    );

    let header = proto::SourceHeader {
        uri: "https://example.org/guess".into(),
        ..text("c")
    };
    let now_kept = operator
        .upload(header, b"a secret of board b")
        .await
        .unwrap();
    assert!(now_kept.kept && !now_kept.drifted);
    assert_eq!(
        read(&mut operator, "c", &digest).await.unwrap(),
        b"a secret of board b"
    );
}

#[tokio::test]
async fn other_bytes_under_the_same_address_mark_the_old_source_drifted() {
    let server = Server::start().await;
    server.board("b").await;
    let mut operator = server.operator();
    let header = proto::SourceHeader {
        uri: "https://example.org/a".into(),
        ..text("b")
    };
    let old = operator.upload(header.clone(), b"4 units").await.unwrap();
    let same = operator.upload(header.clone(), b"4 units").await.unwrap();
    assert_eq!(old, same);
    let server = server.restart().await;
    let mut operator = server.operator();
    let new = operator.upload(header, b"5 units").await.unwrap();
    let old = operator
        .source
        .get_source(get(digest_of(&old)))
        .await
        .unwrap()
        .into_inner();
    assert!(old.drifted && !new.drifted);
    let by_address = operator
        .source
        .get_source(get("https://example.org/a"))
        .await
        .unwrap();
    assert_eq!(by_address.into_inner(), new);
}

#[tokio::test]
async fn a_list_goes_on_where_its_page_ended() {
    let server = Server::start().await;
    server.board("b").await;
    server.board("c").await;
    let mut operator = server.operator();
    let mut names = Vec::new();
    for number in 0..5 {
        let bytes = format!("document {number}");
        names.push(
            operator
                .upload(text("b"), bytes.as_bytes())
                .await
                .unwrap()
                .name,
        );
    }
    let list = |page_size, page_token: &str, board: &str| proto::ListSourcesRequest {
        board: board.into(),
        page_size,
        page_token: page_token.into(),
        uncited: false,
    };
    let mut seen = Vec::new();
    let mut token = String::new();
    loop {
        let page = operator
            .source
            .list_sources(list(2, &token, "b"))
            .await
            .unwrap()
            .into_inner();
        seen.extend(page.sources.into_iter().map(|source| source.name));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
        let elsewhere = operator.source.list_sources(list(2, &token, "c")).await;
        assert_eq!(reason(elsewhere), "PAGE_TOKEN_INVALID");
        let bytes = format!("a later document {}", seen.len());
        names.push(
            operator
                .upload(text("b"), bytes.as_bytes())
                .await
                .unwrap()
                .name,
        );
    }
    assert_eq!(seen, names);
    let all = operator
        .source
        .list_sources(list(0, "", "b"))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        (all.sources.len(), all.next_page_token.as_str()),
        (names.len(), "")
    );
    let forged = operator.source.list_sources(list(0, "00", "b")).await;
    assert_eq!(reason(forged), "PAGE_TOKEN_INVALID");
}

#[tokio::test]
async fn what_cannot_be_registered_is_refused() {
    let server = Server::start().await;
    server.board("b").await;
    let mut operator = server.operator();
    let good = proto::RegisterSourceRequest {
        board: "b".into(),
        uri: "https://example.org/a".into(),
        digest: "ab".repeat(32),
        media_type: "text/html".into(),
        title: String::new(),
        date: String::new(),
    };
    let change = |change: fn(&mut proto::RegisterSourceRequest)| {
        let mut request = good.clone();
        change(&mut request);
        request
    };
    for (request, expected) in [
        (change(|it| it.uri.clear()), "FIELD_MISSING"),
        (change(|it| it.digest.clear()), "FIELD_MISSING"),
        (change(|it| it.digest = "abc".into()), "FIELD_INVALID"),
        (change(|it| it.media_type.clear()), "FIELD_MISSING"),
        (change(|it| it.media_type = "text".into()), "FIELD_INVALID"),
        (change(|it| it.uri = "abcdef01".into()), "FIELD_INVALID"),
        (change(|it| it.uri = "a b".into()), "FIELD_INVALID"),
        (change(|it| it.uri = "x:".repeat(2_000)), "FIELD_TOO_LONG"),
        (change(|it| it.title = "\u{7}".into()), "TEXT_INVALID"),
        (change(|it| it.board = "nowhere".into()), "BOARD_UNKNOWN"),
    ] {
        let answer = operator.source.register_source(request.clone()).await;
        assert_eq!(reason(answer), expected, "{request:?}");
    }
    assert!(operator.source.register_source(good).await.is_ok());
}
