//! Conflicts that a board decides by its own rules.

mod requests;

use pawl_proto::v1::{self as proto, ConflictState, Draft, ResolutionRule, Status, Verdict};

use crate::world::{Client, World, accepted, capacity, cite, cited, claiming, contested, short};

const AUTHORITY: ResolutionRule = ResolutionRule::Authority;
const RECENCY: ResolutionRule = ResolutionRule::Recency;
const FURTHER: ResolutionRule = ResolutionRule::FurtherSource;
const ARBITER: ResolutionRule = ResolutionRule::Arbiter;

/// The statistical office before the ministry's reports.
const RANKED: [&str; 2] = ["stat.example.org", "https://ministry.example.org/reports/"];

impl Client {
    async fn set_rules(
        &self,
        order: &[ResolutionRule],
        authority: &[&str],
    ) -> Result<proto::SetResolutionRulesResponse, tonic::Status> {
        let ranks = authority.iter().map(|rank| proto::AuthorityRank {
            sources: vec![(*rank).to_owned()],
        });
        let rules = proto::ResolutionRules {
            order: order.iter().map(|rule| (*rule).into()).collect(),
            authority: ranks.collect(),
        };
        let request = proto::SetResolutionRulesRequest {
            board: self.board.clone(),
            rules: Some(rules),
        };
        Ok(self
            .boards()
            .set_resolution_rules(request)
            .await?
            .into_inner())
    }

    async fn rules(&self) -> Result<proto::ResolutionRules, tonic::Status> {
        let board = self.board.clone();
        let request = proto::GetResolutionRulesRequest { board };
        Ok(self
            .boards()
            .get_resolution_rules(request)
            .await?
            .into_inner())
    }

    /// Uploads a document that says one thing, under an address and with a date.
    async fn document(&self, uri: &str, date: &str, text: &str) -> String {
        let header = proto::SourceHeader {
            media_type: "text/plain".to_owned(),
            uri: uri.to_owned(),
            date: date.to_owned(),
            ..Default::default()
        };
        let source = self.upload_as(header, text.as_bytes()).await.unwrap();
        short(&source.name)
    }
}

/// A claim about the capacity of a plant that quotes a source.
async fn claim(world: &World, uri: &str, date: &str, gigawatts: &str) -> Draft {
    let text = format!("The plant {uri} {date} has {gigawatts} GW.");
    let source = world.operator.document(uri, date, &text).await;
    claiming(
        cited(&text, cite(&source, &text)),
        capacity("Nordlys", gigawatts),
    )
}

/// Ana's claim, and what became of ben's that contradicts it.
async fn against(world: &World, ana: Draft, ben: Draft) -> (String, String, String) {
    let standing = accepted(&world.ana.submit_one(ana).await);
    let (challenger, conflict) = contested(&world.ben.submit_one(ben).await);
    (standing, challenger, conflict)
}

async fn check_won(world: &World, conflict: &str, rule: ResolutionRule, why: &str, won: bool) {
    let record = world.ana.conflict(conflict).await;
    assert_eq!(record.state(), ConflictState::Resolved, "{record:#?}");
    assert_eq!((record.rule(), record.challenger_won), (rule, won));
    assert_eq!(record.reason, why);
    assert_eq!(record.decided_by, world.ben.name);
}

#[tokio::test]
async fn the_source_of_the_higher_rank_wins() {
    let world = World::new().await;
    world
        .operator
        .set_rules(&[AUTHORITY], &RANKED)
        .await
        .unwrap();
    let office = claim(&world, "https://www.stat.example.org/energy", "", "5").await;
    let ministry = claim(&world, "https://ministry.example.org/reports/7", "", "9").await;
    let (standing, challenger, conflict) = against(&world, ministry, office).await;
    check_won(&world, &conflict, AUTHORITY, "rank 1 against 2", true).await;
    assert_eq!(world.ana.status(&challenger).await, Status::Proposed);
    assert_eq!(world.ana.status(&standing).await, Status::Rejected);

    let blog = claim(&world, "https://blog.example.com/", "", "7").await;
    let (rejected, conflict) = contested(&world.ben.submit_one(blog).await);
    check_won(&world, &conflict, AUTHORITY, "rank none against 1", false).await;
    assert_eq!(world.ana.status(&rejected).await, Status::Rejected);
    let told = world.ana.history().await;
    let resolved = told
        .iter()
        .rfind(|it| it.kind == "conflict_resolved")
        .unwrap();
    assert!(
        resolved
            .summary
            .contains("by the board's rule of authority"),
        "{}",
        resolved.summary
    );
    assert_eq!(resolved.detail, "rank none against 1");
}

#[tokio::test]
async fn what_an_agent_says_of_a_sources_address_or_date_decides_nothing() {
    let world = World::new().await;
    world
        .operator
        .set_rules(&[AUTHORITY, RECENCY], &RANKED)
        .await
        .unwrap();
    let ministry = claim(
        &world,
        "https://ministry.example.org/reports/7",
        "2024-05-01",
        "9",
    )
    .await;
    let text = "The office says that it has 5 GW.";
    let source = world
        .ben
        .document("https://stat.example.org/energy", "2026-01-01", text)
        .await;
    let draft = claiming(cited(text, cite(&source, text)), capacity("Nordlys", "5"));
    let (_, challenger, conflict) = against(&world, ministry, draft).await;
    check_won(&world, &conflict, AUTHORITY, "rank none against 2", false).await;
    assert_eq!(world.ana.status(&challenger).await, Status::Rejected);
}

#[tokio::test]
async fn the_later_one_wins_by_valid_time_and_then_by_the_date_of_its_source() {
    let world = World::new().await;
    world.operator.set_rules(&[RECENCY], &[]).await.unwrap();
    let old = claim(&world, "", "2023-12-31", "5").await;
    let new = claim(&world, "", "2024-01-01", "9").await;
    let (_, _, conflict) = against(&world, old, new).await;
    let why = "source of 2024-01-01 against 2023-12-31";
    check_won(&world, &conflict, RECENCY, why, true).await;

    let from = |draft: Draft, day: &str| Draft {
        valid_from: day.to_owned(),
        ..draft
    };
    let other = World::new().await;
    other.operator.set_rules(&[RECENCY], &[]).await.unwrap();
    let early = from(claim(&other, "", "2024-01-01", "5").await, "2020");
    let late = from(claim(&other, "", "2023-01-01", "9").await, "2021-06");
    let (_, _, conflict) = against(&other, early, late).await;
    let why = "holds from 2021-06-01 against 2020-01-01";
    check_won(&other, &conflict, RECENCY, why, true).await;
}

#[tokio::test]
async fn a_further_source_turns_the_scale_and_the_same_bytes_do_not() {
    let world = World::new().await;
    world
        .operator
        .set_rules(&[FURTHER, ARBITER], &[])
        .await
        .unwrap();
    let standing = claim(&world, "", "", "5").await;
    let content = "A rival has another figure.";
    let (bytes, more) = (format!("{content} Once."), format!("{content} Twice."));
    let one = world
        .operator
        .document("https://a.example.org/", "", &bytes)
        .await;
    let draft = claiming(
        cited(content, cite(&one, content)),
        capacity("Nordlys", "9"),
    );
    let (_, challenger, conflict) = against(&world, standing, draft.clone()).await;
    let waiting = world.ana.conflict(&conflict).await;
    assert_eq!(waiting.state(), ConflictState::Open);
    let said: Vec<_> = waiting
        .rules
        .iter()
        .map(|it| (it.rule(), it.decides, it.reason.as_str()))
        .collect();
    assert_eq!(
        said,
        [
            (FURTHER, false, "sources: 1 on both sides"),
            (ARBITER, false, "an arbiter decides")
        ]
    );

    // The same bytes under another address are the same source.
    let again = world
        .ben
        .document("https://b.example.org/", "", &bytes)
        .await;
    assert_eq!(again, one);
    let corroborated = world.ben.submit_one(draft.clone()).await;
    assert!(corroborated.corroborated, "{corroborated:#?}");
    assert_eq!(world.ana.status(&challenger).await, Status::Contested);

    let two = world.ben.document("", "", &more).await;
    let further = Draft {
        citations: vec![cite(&two, content)],
        ..draft
    };
    assert!(world.ben.submit_one(further).await.corroborated);
    check_won(&world, &conflict, FURTHER, "sources: 2 against 1", true).await;
    assert_eq!(world.ana.status(&challenger).await, Status::Proposed);
}

#[tokio::test]
async fn a_validation_counts_with_the_sources_it_quotes() {
    let world = World::new().await;
    world.operator.set_rules(&[FURTHER], &[]).await.unwrap();
    let (ana, ben) = (
        claim(&world, "", "2024-01-01", "5").await,
        claim(&world, "", "2024-01-02", "9").await,
    );
    let (standing, challenger, conflict) = against(&world, ana, ben).await;
    let text = "It has 5 GW, we measured.";
    let source = world.vera.document("", "", text).await;
    world
        .vera
        .validate(&standing, vec![cite(&source, text)])
        .await
        .unwrap();
    assert_eq!(world.ana.status(&challenger).await, Status::Rejected);
    let record = world.ana.conflict(&conflict).await;
    assert_eq!(
        (record.rule(), record.decided_by),
        (FURTHER, world.vera.name.clone())
    );
}

#[tokio::test]
async fn rules_that_are_set_decide_what_waits() {
    let world = World::new().await;
    let (ana, ben) = (
        claim(&world, "https://a.example.org/", "", "5").await,
        claim(&world, "https://stat.example.org/", "", "9").await,
    );
    let (standing, challenger, conflict) = against(&world, ana, ben).await;
    let set = world
        .operator
        .set_rules(&[AUTHORITY], &RANKED)
        .await
        .unwrap();
    assert_eq!(set.decided_count, 1);
    assert_eq!(short(&set.decided[0]), conflict);
    assert_eq!(world.ana.status(&challenger).await, Status::Proposed);
    assert_eq!(world.ana.status(&standing).await, Status::Rejected);

    let rules = world.ana.rules().await.unwrap();
    assert_eq!(rules, set.rules.unwrap());
    assert_eq!(rules.order, [i32::from(AUTHORITY)]);
    assert_eq!(rules.authority[0].sources, [RANKED[0]]);
    world.operator.set_rules(&[], &[]).await.unwrap();
    assert_eq!(
        world.ana.rules().await.unwrap(),
        proto::ResolutionRules::default()
    );
}

#[tokio::test]
async fn what_a_rule_let_stand_is_compared_with_what_came_meanwhile() {
    let world = World::new().await;
    let (ana, ben) = (
        claim(&world, "https://a.example.org/", "", "5").await,
        claim(&world, "https://stat.example.org/", "", "9").await,
    );
    let (_, challenger, _) = against(&world, ana, ben).await;
    let later = claim(&world, "https://ministry.example.org/reports/1", "", "5").await;
    let later = accepted(&world.ana.submit_one(later).await);
    let set = world
        .operator
        .set_rules(&[AUTHORITY], &RANKED)
        .await
        .unwrap();
    assert_eq!(set.decided_count, 2, "{set:#?}");
    assert_eq!(world.ana.status(&challenger).await, Status::Proposed);
    assert_eq!(world.ana.status(&later).await, Status::Rejected);
}

#[tokio::test]
async fn a_locked_fact_loses_by_no_rule() {
    let world = World::new().await;
    world.operator.set_rules(&[FURTHER], &[]).await.unwrap();
    let locked = world
        .locked(world.ana.draft("Output in Lyon rises every year.").await)
        .await;
    let content = "Output in Lyon falls every year.";
    let mut draft = world.ben.draft(content).await;
    for number in 0..3 {
        let text = format!("{content} {number}");
        let source = world.ben.document("", "", &text).await;
        draft.citations.push(cite(&source, content));
    }
    let outcome = world.ben.submit_one(draft).await;
    assert_eq!(outcome.verdict(), Verdict::Contested, "{outcome:#?}");
    let (challenger, conflict) = contested(&outcome);
    let record = world.ana.conflict(&conflict).await;
    assert_eq!(record.state(), ConflictState::Open);
    assert!(
        record.rules[0].reason.contains("locked"),
        "{:?}",
        record.rules
    );
    assert!(!record.rules[0].decides);
    assert_eq!(world.ana.status(&locked).await, Status::Locked);
    assert_eq!(world.ana.status(&challenger).await, Status::Contested);
}
