//! The answer to a submission: verdict, findings, remedies, and the same from a check.

use pawl_proto::v1::{
    self as proto, BoardPolicy, Draft, FindingKind, Outcome, SetPolicyRequest, Status,
    SubmitRequest, Verdict,
};

use crate::world::{World, accepted, capacity, claiming, contested, refused};

#[tokio::test]
async fn a_contradiction_of_what_stands_is_contested_and_explained() {
    let world = World::new().await;
    let standing = accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let content = "The plant in Lyon has 480 employees.";
    let outcome = world.ben.say(content).await;
    contested(&outcome);
    let finding = &outcome.findings[0];
    assert!(finding.standing.ends_with(&standing));
    assert_eq!(
        finding.standing_content,
        "The plant in Lyon has 500 employees."
    );
    assert_eq!(finding.kind(), FindingKind::Quantity);
    assert!(finding.exact && finding.conflict);
    assert!(finding.score > 0.5 && finding.score <= 1.0);
    assert!(
        finding.reason.contains("480") && finding.reason.contains("500"),
        "{}",
        finding.reason
    );
    let span = &finding.new_spans[0];
    let (start, end) = (span.start as usize, span.end as usize);
    assert_eq!(&content[start..end], span.text);
    assert!(span.text.contains("480"));
    assert!(finding.standing_spans[0].text.contains("500"));
    assert!(!finding.parts.is_empty());
    assert!(
        outcome.remedies.iter().any(|it| it.contains(&standing)),
        "{:?}",
        outcome.remedies
    );
}

#[tokio::test]
async fn only_exact_findings_refuse_against_a_hard_lock() {
    let world = World::new().await;
    let locked = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let outcome = world.ben.say("The plant in Lyon has 480 employees.").await;
    refused(&outcome);
    assert!(outcome.findings[0].exact);
    assert!(outcome.findings[0].standing.ends_with(&locked));
    assert!(
        outcome.remedies.iter().any(|it| it.contains("flag")),
        "{:?}",
        outcome.remedies
    );

    let rose = accepted(&world.ana.say("House prices rose last year.").await);
    world.vera.validate_as_cited(&rose).await;
    world.aron.seal("market").await.unwrap();
    let outcome = world.ben.say("House prices fell last year.").await;
    let (challenger, _) = contested(&outcome);
    assert_eq!(outcome.findings[0].kind(), FindingKind::Opposite);
    assert!(!outcome.findings[0].exact);
    assert_eq!(world.ben.status(&challenger).await, Status::Contested);
    assert_eq!(world.ben.status(&rose).await, Status::Locked);
}

#[tokio::test]
async fn what_only_looks_like_a_contradiction_passes() {
    let world = World::new().await;
    for content in [
        "Revenue in 2022 was 5 million euros.",
        "Revenue in 2023 was 6 million euros.",
        "Car sales in Europe rose.",
        "Car sales in Asia fell.",
        "The bridge is 300 metres long.",
        "The bridge is 0.3 km long.",
    ] {
        accepted(&world.ana.say(content).await);
    }
}

#[tokio::test]
async fn under_the_threshold_a_finding_is_only_noted() {
    let world = World::new().await;
    accepted(&world.ana.say("House prices rose last year.").await);
    let fell = world.ben.draft("House prices fell last year.").await;
    let score = world.ben.check(vec![fell.clone()]).await.unwrap().outcomes[0].findings[0].score;
    let set = |conflict_threshold| SetPolicyRequest {
        board: world.board.clone(),
        policy: Some(BoardPolicy {
            conflict_threshold,
            note_threshold: 100,
        }),
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let scored = (score * 10_000.0).round() as u32;
    assert!(
        scored < 10_000,
        "a scored finding is never certain: {scored}"
    );
    world
        .operator
        .boards()
        .set_policy(set(scored + 1))
        .await
        .unwrap();
    let outcome = world
        .ben
        .check(vec![fell.clone()])
        .await
        .unwrap()
        .outcomes
        .remove(0);
    assert_eq!(outcome.verdict(), Verdict::Accepted, "{outcome:#?}");
    assert!(!outcome.findings[0].conflict);
    world
        .operator
        .boards()
        .set_policy(set(scored))
        .await
        .unwrap();
    contested(&world.ben.submit_one(fell).await);
}

#[tokio::test]
async fn a_check_gives_the_verdicts_of_a_submission_and_writes_nothing() {
    let world = World::new().await;
    world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    accepted(&world.ana.say("The museum is open on Monday.").await);
    let drafts = vec![
        world
            .ben
            .draft("The plant in Lyon has 480 employees.")
            .await,
        world.ben.draft("The museum is not open on Monday.").await,
        world
            .ben
            .draft("The lighthouse was built of granite.")
            .await,
        world
            .ben
            .draft("The lighthouse was not built of granite.")
            .await,
        world
            .ben
            .draft("The plant in Lyon has 500 employees.")
            .await,
    ];
    let before = world.position().await;
    let checked = world.ben.check(drafts.clone()).await.unwrap();
    let tried = SubmitRequest {
        items: drafts.clone(),
        validate_only: true,
        ..Default::default()
    };
    let tried = world.ben.submit_with(tried).await.unwrap();
    assert_eq!(checked, tried);
    assert!(!checked.committed);
    assert_eq!(world.position().await, before);
    let submitted = world.ben.submit(drafts).await.unwrap();
    let told = |answer: &proto::SubmitResponse| -> Vec<_> {
        let each = answer.outcomes.iter();
        each.map(|it| {
            let findings = it.findings.iter();
            let kinds = findings.map(|it| (it.kind, it.score.to_bits(), it.reason.clone()));
            (it.verdict, it.corroborated, kinds.collect::<Vec<_>>())
        })
        .collect()
    };
    assert_eq!(told(&checked), told(&submitted));
    let verdicts: Vec<_> = submitted.outcomes.iter().map(Outcome::verdict).collect();
    use Verdict::{Accepted, Contested, Refused};
    assert_eq!(
        verdicts,
        [Refused, Contested, Accepted, Contested, Accepted]
    );
}

#[tokio::test]
async fn who_may_only_read_may_check() {
    let world = World::new().await;
    let reader = world.principal("rea", &[proto::Role::Reader]).await;
    accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let draft = world
        .ana
        .draft("The plant in Lyon has 480 employees.")
        .await;
    let answer = reader.check(vec![draft]).await.unwrap();
    assert_eq!(
        answer.outcomes[0].verdict(),
        Verdict::Contested,
        "{answer:#?}"
    );
}

#[tokio::test]
async fn all_or_none_writes_nothing_unless_every_item_is_accepted() {
    let world = World::new().await;
    accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let good = world
        .ben
        .draft("The lighthouse was built of granite.")
        .await;
    let bad = world
        .ben
        .draft("The plant in Lyon has 480 employees.")
        .await;
    let together = |items: Vec<Draft>| SubmitRequest {
        items,
        all_or_none: true,
        ..Default::default()
    };
    let before = world.position().await;
    let answer = world
        .ben
        .submit_with(together(vec![good.clone(), bad]))
        .await
        .unwrap();
    assert!(!answer.committed);
    let verdicts: Vec<_> = answer.outcomes.iter().map(Outcome::verdict).collect();
    assert_eq!(verdicts, [Verdict::Accepted, Verdict::Contested]);
    assert!(answer.outcomes.iter().all(|it| it.assertion.is_empty()));
    assert_eq!(world.position().await, before);
    let answer = world.ben.submit_with(together(vec![good])).await.unwrap();
    assert!(answer.committed);
}

#[tokio::test]
async fn locked_facts_come_before_others_in_what_is_found() {
    let world = World::new().await;
    let claim = |value| capacity("Nordlys", value);
    let locked = world.ana.draft("What the register says.").await;
    let locked = world.locked(claiming(locked, claim("5"))).await;
    let other = world.ana.draft("What the firm itself says.").await;
    accepted(&world.ana.submit_one(claiming(other, claim("5.0"))).await);
    let rival = claiming(world.ben.draft("What a rival says.").await, claim("9"));
    let outcome = world.ben.submit_one(rival).await;
    refused(&outcome);
    assert_eq!(outcome.findings.len(), 2);
    assert!(
        outcome.findings[0].standing.ends_with(&locked),
        "{:#?}",
        outcome.findings
    );
}

#[tokio::test]
async fn items_of_one_batch_are_checked_against_each_other() {
    let world = World::new().await;
    let items = vec![
        world
            .ana
            .draft("The plant in Lyon has 500 employees.")
            .await,
        world
            .ana
            .draft("The plant in Lyon has 480 employees.")
            .await,
    ];
    let answer = world.ana.submit(items).await.unwrap();
    let first = accepted(&answer.outcomes[0]);
    contested(&answer.outcomes[1]);
    assert!(answer.outcomes[1].findings[0].standing.ends_with(&first));
}

#[tokio::test]
async fn of_findings_that_make_no_conflict_the_strongest_are_told() {
    let world = World::new().await;
    let fact = |place: &str, megawatts: u32| {
        format!("{place} plant has an installed capacity of {megawatts} MW.")
    };
    let places = [
        "Aldermoor",
        "Birkholt",
        "Carrowin",
        "Dunmere",
        "Eastvale",
        "Fennimore",
        "Glasdrum",
    ];
    let mut told = Vec::new();
    for (place, megawatts) in places.into_iter().zip(100..) {
        let outcome = world.ana.say(&fact(place, megawatts)).await;
        accepted(&outcome);
        told.push(outcome.findings.len());
        assert!(outcome.findings.iter().all(|it| !it.conflict));
        let scores: Vec<f64> = outcome.findings.iter().map(|it| it.score).collect();
        assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
    }
    assert_eq!(told, [0, 1, 2, 3, 4, 4, 4]);
}
