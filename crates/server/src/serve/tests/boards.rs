//! Boards, what is declared on them, and who may.

use pawl_proto::v1::{self as proto, Role};

use super::harness::{Client, Server, metadata, reason};

fn module(name: &str) -> proto::DeclareModuleRequest {
    proto::DeclareModuleRequest {
        board: "b".into(),
        module: name.into(),
        ..Default::default()
    }
}

fn attribute(name: &str) -> proto::DeclareAttributeRequest {
    proto::DeclareAttributeRequest {
        board: "b".into(),
        attribute: name.into(),
        r#type: proto::ValueType::Decimal.into(),
        unit: "USD".into(),
        aliases: vec!["营收".into()],
        multi_valued: true,
        description: "What was sold".into(),
    }
}

fn grant(principal: &str, role: Role) -> proto::GrantRoleRequest {
    proto::GrantRoleRequest {
        board: "b".into(),
        principal: principal.into(),
        role: role.into(),
    }
}

async fn entries(client: &mut Client) -> u64 {
    let get = proto::GetBoardRequest {
        board: "b".into(),
        as_of: None,
    };
    client
        .board
        .get_board(get)
        .await
        .unwrap()
        .into_inner()
        .entries
}

#[tokio::test]
async fn a_board_is_created_declared_on_and_read_back_after_a_restart() {
    let server = Server::start().await;
    server.board("b").await;
    let mut operator = server.operator();
    let declared = operator
        .board
        .declare_attribute(attribute("revenue"))
        .await
        .unwrap();
    let mut request = module("sales");
    request.owners = vec!["operator".into()];
    request.expected_attributes = vec!["revenue".into()];
    let sales = operator
        .board
        .declare_module(request)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(sales.name, "boards/b/modules/sales");
    assert_eq!(sales.seal_policy.unwrap().confidence, Some(9_000));
    let policy = proto::BoardPolicy {
        conflict_threshold: 8_000,
        note_threshold: 100,
    };
    let set = proto::SetPolicyRequest {
        board: "boards/b".into(),
        policy: Some(policy),
    };
    let board = operator.board.set_policy(set).await.unwrap().into_inner();
    assert_eq!((board.entries, board.policy), (5, Some(policy)));

    let server = server.restart().await;
    let mut operator = server.operator();
    let list = proto::ListBoardsRequest {};
    let boards = operator
        .board
        .list_boards(list)
        .await
        .unwrap()
        .into_inner()
        .boards;
    assert_eq!(boards, [board]);
    let list = proto::ListAttributesRequest { board: "b".into() };
    let attributes = operator
        .board
        .list_attributes(list)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(attributes.attributes, [declared.into_inner()]);
    let list = proto::ListModulesRequest { board: "b".into() };
    let modules = operator
        .board
        .list_modules(list)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(modules.modules[0].owners, ["operator"]);
}

#[tokio::test]
async fn a_board_without_a_role_on_it_looks_as_if_it_were_not_there() {
    let server = Server::start().await;
    server.board("b").await;
    let mut ana = server.principal("ana").await;
    let get = |board: &str| proto::GetBoardRequest {
        board: board.into(),
        as_of: None,
    };
    let hidden = ana.board.get_board(get("b")).await.unwrap_err();
    let absent = ana.board.get_board(get("c")).await.unwrap_err();
    assert_eq!(
        hidden.message().replace('b', "c"),
        absent.message().replace('b', "c")
    );
    assert_eq!(hidden.code(), absent.code());
    assert_eq!(reason::<()>(Err(hidden)), "BOARD_UNKNOWN");
    let list = proto::ListBoardsRequest {};
    assert_eq!(
        ana.board
            .list_boards(list)
            .await
            .unwrap()
            .into_inner()
            .boards,
        []
    );

    let create = proto::CreatePrincipalRequest {
        principal: "root".into(),
        server_operator: true,
        ..Default::default()
    };
    server
        .operator()
        .identity
        .create_principal(create)
        .await
        .unwrap();
    let issue = proto::IssueTokenRequest {
        principal: "root".into(),
        lifetime: None,
    };
    let issued = server.operator().identity.issue_token(issue).await.unwrap();
    let mut root = server.client(&issued.into_inner().secret);
    assert_eq!(reason(root.board.get_board(get("b")).await), "ROLE_MISSING");
    root.board
        .grant_role(grant("root", Role::Auditor))
        .await
        .unwrap();
    assert!(root.board.get_board(get("b")).await.is_ok());
}

#[tokio::test]
async fn roles_decide_who_may_declare() {
    let server = Server::start().await;
    server.board("b").await;
    for role in [
        Role::Reader,
        Role::Agent,
        Role::Verifier,
        Role::Arbiter,
        Role::Auditor,
    ] {
        let name = role.as_str_name().to_lowercase();
        let mut client = server.member(&name, "b", role).await.board;
        assert_eq!(
            reason(client.declare_module(module("m")).await),
            "ROLE_MISSING",
            "{name}"
        );
        assert_eq!(
            reason(client.declare_attribute(attribute("a")).await),
            "ROLE_MISSING"
        );
        assert_eq!(
            reason(client.grant_role(grant(&name, Role::Operator)).await),
            "ROLE_MISSING"
        );
        let create = proto::CreateBoardRequest {
            board: "mine".into(),
            policy: None,
        };
        assert_eq!(reason(client.create_board(create).await), "ROLE_MISSING");
    }
    let mut operator = server.member("second", "b", Role::Operator).await;
    let before = entries(&mut operator).await;
    operator.board.declare_module(module("m")).await.unwrap();
    assert_eq!(entries(&mut operator).await, before + 1);
    let list = proto::ListRolesRequest { board: "b".into() };
    let grants = operator
        .board
        .list_roles(list)
        .await
        .unwrap()
        .into_inner()
        .grants;
    assert_eq!(grants.len(), 7);

    let revoke = |principal: &str| proto::RevokeRoleRequest {
        board: "b".into(),
        principal: principal.into(),
        role: Role::Operator.into(),
    };
    operator
        .board
        .revoke_role(revoke("operator"))
        .await
        .unwrap();
    assert_eq!(
        reason(operator.board.revoke_role(revoke("second")).await),
        "FIELD_INVALID"
    );
    let who = server
        .operator()
        .identity
        .who_am_i(proto::WhoAmIRequest {})
        .await
        .unwrap();
    assert!(who.into_inner().roles.is_empty());
    let who = operator
        .identity
        .who_am_i(proto::WhoAmIRequest {})
        .await
        .unwrap();
    assert_eq!(
        who.into_inner().roles["b"].roles,
        [i32::from(Role::Operator)]
    );
}

#[tokio::test]
async fn what_cannot_be_declared_is_refused_with_its_value() {
    let server = Server::start().await;
    server.board("b").await;
    let mut operator = server.operator();
    let before = entries(&mut operator).await;
    let board = |name: &str, policy| proto::CreateBoardRequest {
        board: name.into(),
        policy,
    };
    let inverted = Some(proto::BoardPolicy {
        conflict_threshold: 1,
        note_threshold: 2,
    });
    let boards = &mut operator.board;
    for (request, expected) in [
        (board("", None), "FIELD_MISSING"),
        (board("B", None), "FIELD_INVALID"),
        (board("b", None), "ALREADY_EXISTS"),
        (board("c", inverted), "FIELD_INVALID"),
    ] {
        assert_eq!(reason(boards.create_board(request).await), expected);
    }
    let unknown = boards.create_board(board("Größe", None)).await.unwrap_err();
    assert_eq!(metadata(&unknown, "value"), "Größe");

    let mut needs = module("m");
    needs.depends_on = vec!["n".into()];
    assert_eq!(reason(boards.declare_module(needs).await), "MODULE_UNKNOWN");
    let mut circle = module("m");
    circle.depends_on = vec!["m".into()];
    assert_eq!(reason(boards.declare_module(circle).await), "MODULE_CYCLE");
    let mut owned = module("m");
    owned.owners = vec!["nobody".into()];
    assert_eq!(
        reason(boards.declare_module(owned).await),
        "PRINCIPAL_UNKNOWN"
    );
    let mut expecting = module("m");
    expecting.expected_attributes = vec!["a".into()];
    assert_eq!(
        reason(boards.declare_module(expecting).await),
        "ATTRIBUTE_UNKNOWN"
    );

    let mut untyped = attribute("a");
    untyped.r#type = 0;
    assert_eq!(
        reason(boards.declare_attribute(untyped).await),
        "FIELD_MISSING"
    );
    let mut strange = attribute("a");
    strange.r#type = 99;
    assert_eq!(
        reason(boards.declare_attribute(strange).await),
        "FIELD_INVALID"
    );
    let mut long = attribute("a");
    long.unit = "x".repeat(65);
    assert_eq!(
        reason(boards.declare_attribute(long).await),
        "FIELD_TOO_LONG"
    );
    let mut many = attribute("a");
    many.aliases = vec!["x".into(); 65];
    assert_eq!(
        reason(boards.declare_attribute(many).await),
        "FIELD_TOO_LONG"
    );

    let nobody = grant("nobody", Role::Agent);
    assert_eq!(reason(boards.grant_role(nobody).await), "PRINCIPAL_UNKNOWN");
    let mut no_role = grant("operator", Role::Agent);
    no_role.role = 0;
    assert_eq!(reason(boards.grant_role(no_role).await), "FIELD_MISSING");
    let set = proto::SetPolicyRequest {
        board: "b".into(),
        policy: None,
    };
    assert_eq!(reason(boards.set_policy(set).await), "FIELD_MISSING");
    assert_eq!(entries(&mut operator).await, before);
}

#[tokio::test]
async fn what_is_declared_is_understood_at_once_and_the_same_after_a_restart() {
    let server = Server::start().await;
    server.board("b").await;
    let mut boards = server.operator().board;
    let vocabulary = async |server: &Server| {
        let live = server.running.app.board(&"b".parse().unwrap()).await;
        live.unwrap().judge.read().vocabulary.digest()
    };
    let shipped = vocabulary(&server).await;
    boards.declare_attribute(attribute("sales")).await.unwrap();
    let mut other = attribute("assets");
    assert_eq!(
        reason(boards.declare_attribute(other.clone()).await),
        "FIELD_INVALID"
    );
    other.aliases = vec!["资产".into()];
    boards.declare_attribute(other).await.unwrap();
    let declared = vocabulary(&server).await;
    assert_ne!(shipped, declared);
    drop(boards);
    let server = server.restart().await;
    assert_eq!(vocabulary(&server).await, declared);
}
