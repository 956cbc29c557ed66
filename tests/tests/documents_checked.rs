//! A finished text against a board and against itself.

mod command;

use pawl_proto::v1::{
    CheckDocumentRequest, CheckDocumentResponse, DeclareModuleRequest, DocumentStatement, Draft,
    Standing, StatementKind, Status as RevisionStatus,
    document_service_client::DocumentServiceClient,
};
use tonic::Status;

use crate::world::{Client, MODULE, World, accepted, contested, denied, inference, short};

async fn try_check(
    client: &Client,
    request: CheckDocumentRequest,
) -> Result<CheckDocumentResponse, Status> {
    let request = CheckDocumentRequest {
        board: client.board.clone(),
        ..request
    };
    let mut documents = DocumentServiceClient::new(client.carried());
    Ok(documents.check_document(request).await?.into_inner())
}

/// Asks for a check, whatever comes of it.
pub(crate) async fn ask(client: &Client) -> Result<(), Status> {
    let request = CheckDocumentRequest {
        text: SOLAR.to_owned(),
        ..Default::default()
    };
    try_check(client, request).await.map(|_| ())
}

async fn check(client: &Client, text: &str) -> CheckDocumentResponse {
    let request = CheckDocumentRequest {
        text: text.to_owned(),
        ..Default::default()
    };
    try_check(client, request).await.unwrap()
}

/// The one statement of a text.
async fn check_one(client: &Client, text: &str) -> DocumentStatement {
    let answer = check(client, text).await;
    assert_eq!(answer.statements.len(), 1, "{answer:?}");
    answer.statements.into_iter().next().unwrap()
}

fn standings(answer: &CheckDocumentResponse) -> Vec<Standing> {
    let statements = answer.statements.iter();
    statements.map(DocumentStatement::standing).collect()
}

fn backed_by(statement: &DocumentStatement) -> Vec<String> {
    let backing = statement.backing.iter();
    backing.map(|it| short(&it.assertion)).collect()
}

const SOLAR: &str = "Solar capacity in the province was 24.8 GW at the end of 2024.";

#[tokio::test]
async fn each_statement_is_traced_to_what_stands() {
    let world = World::new().await;
    let solar = world.locked(world.ana.draft(SOLAR).await).await;
    let plants = "The province had 14 pumped storage plants at the end of 2024.";
    let plants = accepted(&world.ana.say(plants).await);
    let before = world.position().await;
    let text = "# Energy in the province\n\n\
        At the end of 2024 the province had 14 pumped storage plants. What does that mean?\n\n\
        - Solar capacity in the province was 21.5 GW at the end of 2024.\n\
        - Solar capacity in the province was 24.8 GW at the end of 2024, 30% of all capacity.\n\
        - The bridge was painted green.\n";
    let answer = check(&world.vera, text).await;
    assert_eq!(
        standings(&answer),
        [
            Standing::Backed,
            Standing::NotAClaim,
            Standing::Contradicted,
            Standing::PartlyBacked,
            Standing::Unbacked
        ],
        "{answer:#?}"
    );
    let [backed, _, contradicted, partly, _] = answer.statements.as_slice() else {
        panic!("five statements");
    };
    assert_eq!(backed_by(backed), [plants]);
    assert_eq!(backed.backing[0].status(), RevisionStatus::Proposed);
    assert!(backed.backing[0].similarity.unwrap() > 5_000, "{backed:?}");
    assert_eq!(backed.headings, ["Energy in the province"]);

    let finding = &contradicted.findings[0];
    assert!(finding.exact && finding.conflict);
    assert_eq!(short(&finding.standing), solar);
    assert_eq!(finding.new_spans[0].text, "21.5 GW");
    assert_eq!(contradicted.kind(), StatementKind::Item);
    let range = contradicted.range.unwrap();
    assert_eq!((range.line, range.column), (5, 3));
    assert_eq!(
        text.get(range.start as usize..range.end as usize),
        Some("Solar capacity in the province was 21.5 GW at the end of 2024.")
    );

    assert_eq!(backed_by(partly), [solar]);
    assert_eq!(partly.backing[0].status(), RevisionStatus::Locked);
    assert_eq!(partly.backing[0].figures, ["24.8 GW"]);
    assert_eq!(partly.bare_figures, ["30%"]);

    let summary = answer.summary.unwrap();
    assert_eq!((summary.statements, summary.contradicted), (5, 1));
    assert_eq!((summary.backed, summary.partly_backed), (1, 1));
    assert_eq!((summary.unbacked, summary.not_claims), (1, 1));
    assert!(answer.with_model);
    assert_eq!(answer.position, before);
    assert_eq!(world.position().await, before, "nothing is written");
}

#[tokio::test]
async fn a_text_that_says_what_was_superseded_is_outdated() {
    let world = World::new().await;
    let old = world.locked(world.ana.draft(SOLAR).await).await;
    let revised = "Solar capacity in the province was 25.1 GW at the end of 2024.";
    world
        .aron
        .amend(&old, world.aron.draft(revised).await)
        .await
        .unwrap();
    let statement = check_one(&world.ben, SOLAR).await;
    assert_eq!(statement.standing(), Standing::Outdated);
    let superseded = statement.superseded.unwrap();
    assert_eq!(short(&superseded.assertion), old);
    assert_eq!(superseded.content, SOLAR);
    assert_eq!(short(&superseded.replaced_by), "a1@2");

    let other = SOLAR.replace("24.8", "19.3");
    let statement = check_one(&world.ben, &other).await;
    assert_eq!(statement.standing(), Standing::Contradicted);
    assert!(statement.superseded.is_none());
    assert_eq!(
        check_one(&world.ben, revised).await.standing(),
        Standing::Backed
    );
}

#[tokio::test]
async fn what_is_contested_or_gone_backs_nothing() {
    let world = World::new().await;
    let solar = accepted(&world.ana.say(SOLAR).await);
    let other = SOLAR.replace("24.8", "21.5");
    contested(&world.ben.say(&other).await);
    let statement = check_one(&world.ben, &other).await;
    assert_eq!(statement.standing(), Standing::Contradicted);
    assert!(statement.backing.is_empty());

    let statement = check_one(&world.ben, SOLAR).await;
    assert_eq!(statement.standing(), Standing::Backed);
    assert!(statement.backing[0].challenged);
    assert!(statement.notes[0].contains("challenged"), "{statement:?}");

    world.ana.retract(&solar).await.unwrap();
    let statement = check_one(&world.ben, "Solar capacity there is large and old.").await;
    assert_eq!(statement.standing(), Standing::Unbacked);
}

#[tokio::test]
async fn what_the_board_holds_together_is_no_contradiction() {
    let world = World::new().await;
    let open = "The museum is open on Monday.";
    accepted(&world.ana.say(open).await);
    let (_, conflict) = contested(&world.ben.say("The museum is not open on Monday.").await);
    world.aron.dismiss(&conflict).await.unwrap();
    let statement = check_one(&world.ben, open).await;
    assert_eq!(statement.standing(), Standing::Backed, "{statement:?}");
    assert!(!statement.findings.is_empty(), "it is noted all the same");
    assert!(statement.findings.iter().all(|finding| !finding.conflict));
}

#[tokio::test]
async fn a_fact_that_lost_a_support_says_so() {
    let world = World::new().await;
    let ground = accepted(&world.ana.say("The museum has 40 paintings.").await);
    let above = "The museum needs a second guard.";
    let above = accepted(&world.ana.submit_one(inference(above, &[&ground])).await);
    world.ana.retract(&ground).await.unwrap();
    let statement = check_one(&world.ben, "The museum needs a second guard.").await;
    assert_eq!(backed_by(&statement), [above]);
    assert!(statement.backing[0].support_lost);
    assert!(statement.notes[0].contains("lost a support"));
}

#[tokio::test]
async fn locked_facts_come_before_others() {
    let world = World::new().await;
    world.operator.declare_module("grid").await;
    let proposed = Draft {
        module: "grid".into(),
        ..world.ana.draft(SOLAR).await
    };
    let proposed = accepted(&world.ana.submit_one(proposed).await);
    let locked = world.locked(world.ana.draft(SOLAR).await).await;
    let statement = check_one(&world.ben, SOLAR).await;
    assert_eq!(backed_by(&statement), [locked, proposed]);
}

#[tokio::test]
async fn modules_narrow_what_is_looked_at() {
    let world = World::new().await;
    let declare = DeclareModuleRequest {
        module: "grid".into(),
        depends_on: vec![MODULE.into()],
        ..Default::default()
    };
    world.operator.declare(declare).await.unwrap();
    world.operator.declare_module("museums").await;
    accepted(&world.ana.say(SOLAR).await);
    let ask = |module: &str| CheckDocumentRequest {
        text: SOLAR.into(),
        modules: vec![module.into()],
        ..Default::default()
    };
    for (module, expected) in [
        (MODULE, Standing::Backed),
        ("grid", Standing::Backed),
        ("museums", Standing::Unbacked),
    ] {
        let answer = try_check(&world.ben, ask(module)).await.unwrap();
        assert_eq!(standings(&answer), [expected], "{module}");
    }
    let error = try_check(&world.ben, ask("nowhere")).await.unwrap_err();
    assert_eq!(denied(&error, "MODULE_UNKNOWN")["module"], "nowhere");
    let error = try_check(&world.ben, ask("no name")).await.unwrap_err();
    assert_eq!(denied(&error, "FIELD_INVALID")["field"], "modules");
}

#[tokio::test]
async fn a_text_that_contradicts_itself_is_found_without_any_fact() {
    let world = World::new().await;
    let text = "## 摘要\n\n集团共有员工5200人。\n\n## 人员\n\n集团共有员工4800人。平均年龄38岁。\n";
    let answer = check(&world.ben, text).await;
    assert_eq!(answer.self_contradictions.len(), 1, "{answer:?}");
    let found = &answer.self_contradictions[0];
    assert_eq!((found.first, found.second), (0, 1));
    let finding = found.finding.as_ref().unwrap();
    assert_eq!(finding.standing_content, "集团共有员工5200人。");
    assert!(finding.standing.is_empty() && !finding.reason.is_empty());
    assert_eq!(answer.summary.unwrap().self_contradictions, 1);
}

#[tokio::test]
async fn what_it_stands_for_is_carried_on_or_asked_for() {
    let world = World::new().await;
    accepted(&world.ana.say(SOLAR).await);
    let text = "Solar capacity in the province is growing. It was 21.5 GW at the end of 2024.";
    let answer = check(&world.ben, text).await;
    let second = &answer.statements[1];
    assert_eq!(
        second.compared,
        "Solar capacity in the province was 21.5 GW at the end of 2024."
    );
    assert_eq!(second.standing(), Standing::Contradicted);

    assert_eq!(answer.summary.unwrap().not_compared, 0);

    let answer = check(&world.ben, "It was 21.5 GW at the end of 2024.").await;
    let summary = answer.summary.unwrap();
    assert_eq!((summary.unbacked, summary.not_compared), (1, 1));
    let alone = &answer.statements[0];
    assert_eq!(alone.standing(), Standing::Unbacked);
    assert!(
        alone.findings.is_empty() && alone.notes[0].contains("`It`"),
        "{alone:?}"
    );
}

#[tokio::test]
async fn a_text_that_cannot_be_checked_is_told_why() {
    let world = World::new().await;
    let text = |text: &str| CheckDocumentRequest {
        text: text.to_owned(),
        ..Default::default()
    };
    let ask = |request| world.denied(try_check(&world.ben, request), "FIELD_TOO_LONG");
    assert_eq!(ask(text(&"a".repeat((1 << 20) + 1))).await["field"], "text");
    let many = ask(text(&"The plant has 5 doors.\n\n".repeat(2_001))).await;
    assert_eq!(
        (many["field"].as_str(), many["limit"].as_str()),
        ("text", "2000")
    );

    for empty in ["", "  \n\t\n"] {
        let told = try_check(&world.ben, text(empty));
        assert_eq!(world.denied(told, "FIELD_MISSING").await["field"], "text");
    }
    let told = try_check(&world.ben, text("The plant \u{202e}has 5 doors."));
    assert_eq!(world.denied(told, "TEXT_INVALID").await["field"], "text");
    let table = CheckDocumentRequest {
        media_type: "text/csv".into(),
        ..text("a,b\n1,2\n")
    };
    let told = world
        .denied(try_check(&world.ben, table), "FIELD_INVALID")
        .await;
    assert_eq!(
        (told["field"].as_str(), told["value"].as_str()),
        ("media_type", "text/csv")
    );

    let answer = check(&world.ben, "# Only a heading\n\n```\nx = 5\n```\n").await;
    assert!(answer.statements.is_empty());
}

#[tokio::test]
async fn nobody_checks_against_a_board_of_others() {
    let (world, other) = (World::new().await, World::new().await);
    let request = CheckDocumentRequest {
        board: other.board.clone(),
        text: SOLAR.into(),
        ..Default::default()
    };
    let told = DocumentServiceClient::new(world.ben.carried())
        .check_document(request)
        .await;
    denied(&told.unwrap_err(), "BOARD_UNKNOWN");
}
