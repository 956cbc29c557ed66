//! Contradictions sent at once: at most one is accepted clean.

use std::sync::Arc;

use pawl_proto::v1::{Draft, Outcome, Role, Status, Verdict};
use tokio::sync::Barrier;

use crate::world::{
    Client, MODULE, World, accepted, capacity, cite, cited, claiming, contested, short,
};

/// How many clients write at once.
const CLIENTS: usize = 16;
/// How many pairs are sent.
const PAIRS: usize = 300;
/// How many assertions are submitted beside the one that runs against a dismissal.
const BESIDE: usize = 12;
/// How often a submission runs against an amendment, and against a dismissal.
const ROUNDS: usize = 24;

/// Sends what `draft` makes of every number from many clients at once; a client takes every
/// sixteenth number.
async fn send_all(clients: &[Client], drafts: &[Draft]) -> Vec<Outcome> {
    let barrier = Arc::new(Barrier::new(clients.len()));
    let sent: Vec<_> = clients
        .iter()
        .enumerate()
        .map(|(place, client)| {
            let mine: Vec<(usize, Draft)> = drafts
                .iter()
                .cloned()
                .enumerate()
                .filter(|(number, _)| number % clients.len() == place)
                .collect();
            let (client, barrier) = (client.clone(), barrier.clone());
            tokio::spawn(async move {
                barrier.wait().await;
                let mut outcomes = Vec::new();
                for (number, draft) in mine {
                    outcomes.push((number, client.submit_one(draft).await));
                }
                outcomes
            })
        })
        .collect();
    let mut outcomes = Vec::new();
    for one in sent {
        outcomes.extend(one.await.unwrap());
    }
    outcomes.sort_unstable_by_key(|(number, _)| *number);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// The two sides of a pair follow one another, so that two clients send them at the same time.
fn pairs(source: &str, quotes: &[String], claimed: bool) -> Vec<Draft> {
    let each = quotes.iter().enumerate();
    each.map(|(number, quote)| {
        let draft = cited(quote, cite(source, quote));
        let value = if number % 2 == 0 { "5" } else { "9" };
        if claimed {
            claiming(draft, capacity(&format!("plant {}", number / 2), value))
        } else {
            draft
        }
    })
    .collect()
}

async fn contradictory_pairs(quotes: Vec<String>, claimed: bool) {
    let world = World::new().await;
    let source = world
        .ana
        .upload("text/plain", quotes.join("\n").as_bytes())
        .await;
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        clients.push(
            world
                .principal(&format!("agent{number}"), &[Role::Agent])
                .await,
        );
    }
    let outcomes = send_all(&clients, &pairs(&source, &quotes, claimed)).await;
    let (mut decided, mut second_first) = (0, 0);
    for pair in outcomes.chunks(2) {
        let clean = |outcome: &Outcome| outcome.verdict() == Verdict::Accepted;
        assert!(
            !(clean(&pair[0]) && clean(&pair[1])),
            "both got in: {pair:#?}"
        );
        decided += usize::from(clean(&pair[0]) || clean(&pair[1]));
        second_first += usize::from(clean(&pair[1]));
    }
    assert_eq!(
        decided,
        outcomes.len() / 2,
        "the first of every pair gets in"
    );
    println!("of {decided} pairs the second was first in {second_first}");
    let figures = world.operator.board_record().await.figures.unwrap();
    assert_eq!(figures.proposed as usize, outcomes.len() / 2);
    assert_eq!(figures.contested as usize, outcomes.len() / 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_claims_that_exclude_each_other_one_gets_in() {
    let quotes = (0..2 * PAIRS).map(|number| format!("Line {number} of the register."));
    contradictory_pairs(quotes.collect(), true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_texts_that_contradict_each_other_one_gets_in() {
    let towns = [
        "Oslo", "Lima", "Quito", "Dakar", "Hanoi", "Perth", "Turin", "Bergen", "Lagos", "Osaka",
    ];
    let things = ["museum", "library", "castle", "garden", "swimming pool"];
    let quotes = towns.iter().flat_map(|town| {
        things.iter().flat_map(move |thing| {
            ["open", "closed"].map(|state| format!("The {thing} in {town} is {state} on Sunday."))
        })
    });
    contradictory_pairs(quotes.collect(), false).await;
}

/// Comes a little later with every round, so that either side is first in some of them.
async fn hold_back(client: &Client, round: usize) {
    for _ in 0..round {
        client.board_record().await;
    }
}

/// The position of the first entry of a kind that concerns a revision.
async fn position_of(world: &World, kind: &str, revision: &str) -> Option<u64> {
    let history = world.operator.history().await;
    let found = history
        .into_iter()
        .find(|it| it.kind == kind && it.assertions.iter().any(|id| id == revision));
    found.map(|it| it.position)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_against_an_amendment() {
    let world = World::new().await;
    let mut locked = Vec::new();
    for number in 0..ROUNDS {
        let draft = world
            .ana
            .draft(&format!("Line {number} of the register."))
            .await;
        let claim = capacity(&format!("plant {number}"), "5");
        locked.push(world.validated(claiming(draft, claim)).await);
    }
    world.aron.seal(MODULE).await.unwrap();
    let (mut before, mut after) = (0, 0);
    for (number, old) in locked.iter().enumerate() {
        let subject = format!("plant {number}");
        let revised = world
            .aron
            .draft(&format!("Line {number}, as revised."))
            .await;
        let revised = claiming(revised, capacity(&subject, "9"));
        let agreeing = world
            .ben
            .draft(&format!("Line {number}, seen by another."))
            .await;
        let agreeing = claiming(agreeing, capacity(&subject, "5"));
        let (amended, outcome) = tokio::join!(
            async {
                hold_back(&world.aron, number).await;
                world.aron.amend(old, revised).await
            },
            world.ben.submit_one(agreeing)
        );
        let amended = amended.unwrap();
        if outcome.verdict() == Verdict::Accepted {
            let stored = short(&outcome.assertion);
            let submitted = position_of(&world, "submitted", &stored).await.unwrap();
            let ended = position_of(&world, "amended", old).await.unwrap();
            assert!(
                submitted < ended,
                "it came after the amendment that it contradicts"
            );
            let told = amended
                .findings
                .iter()
                .any(|it| short(&it.standing) == stored);
            assert!(
                told,
                "the amendment was not checked against {stored}: {amended:#?}"
            );
            before += 1;
        } else {
            assert_eq!(outcome.verdict(), Verdict::Refused);
            after += 1;
        }
    }
    println!("the submission came first in {before}, the amendment in {after}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_against_a_rollback() {
    let world = World::new().await;
    let (mut first, mut last) = (0, 0);
    for number in 0..ROUNDS {
        let subject = format!("plant {number}");
        let make = async |client: &Client, what: &str, value: &str| {
            let draft = client.draft(&format!("Line {number}, {what}.")).await;
            claiming(draft, capacity(&subject, value))
        };
        let old = make(&world.ana, "as registered", "5").await;
        let old = world.locked(old).await;
        let before = short(&world.ana.assertion(&old).await.snapshot);
        let revised = make(&world.aron, "as revised", "9").await;
        world.aron.amend(&old, revised).await.unwrap();
        let agreeing = make(&world.ben, "as seen by another", "9").await;
        let (rolled_back, outcome) = tokio::join!(
            async {
                hold_back(&world.aron, number).await;
                world.aron.rollback(MODULE, &before).await
            },
            world.ben.submit_one(agreeing)
        );
        let contested = rolled_back.unwrap().contested;
        // Whichever came first, it does not stand beside what is locked again.
        if outcome.verdict() == Verdict::Accepted {
            let stored = short(&outcome.assertion);
            assert_eq!(world.ben.status(&stored).await, Status::Contested);
            assert_eq!(contested.len(), 1);
            world.ben.retract(&stored).await.unwrap();
            first += 1;
        } else {
            assert_eq!(outcome.verdict(), Verdict::Refused, "{outcome:#?}");
            last += 1;
        }
    }
    println!("the submission came first in {first}, the rollback in {last}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_against_a_dismissal() {
    let world = World::new().await;
    let (mut before, mut after) = (0, 0);
    let lines: Vec<String> = (0..BESIDE)
        .map(|number| format!("Shed {number} of the harbour is painted in another colour."))
        .collect();
    let source = world
        .ana
        .upload("text/plain", lines.join("\n").as_bytes())
        .await;
    for number in 0..ROUNDS {
        let subject = format!("plant {number}");
        let make = async |client: &Client, what: &str, value: &str| {
            let draft = client.draft(&format!("Line {number}, {what}.")).await;
            claiming(draft, capacity(&subject, value))
        };
        accepted(
            &world
                .ana
                .submit_one(make(&world.ana, "as registered", "5").await)
                .await,
        );
        let rival = make(&world.ben, "as a rival has it", "9").await;
        let (rival, conflict) = contested(&world.ben.submit_one(rival).await);
        // What comes beside it keeps the check busy, so that the dismissal falls between the check
        // and the decision.
        let agreeing = make(&world.ana, "as seen by another", "5").await;
        let beside = lines.iter().map(|line| cited(line, cite(&source, line)));
        let batch: Vec<Draft> = std::iter::once(agreeing).chain(beside).collect();
        let (dismissed, outcome) = tokio::join!(
            async {
                hold_back(&world.aron, number * BESIDE).await;
                world.aron.dismiss(&conflict).await
            },
            world.ana.submit(batch)
        );
        dismissed.unwrap();
        let outcome = outcome.unwrap().outcomes.remove(0);
        let stored = short(&outcome.assertion);
        let submitted = position_of(&world, "submitted", &stored).await.unwrap();
        let ended = position_of(&world, "conflict_dismissed", &rival)
            .await
            .unwrap();
        if submitted > ended {
            assert_eq!(
                outcome.verdict(),
                Verdict::Contested,
                "{rival} stood already"
            );
            after += 1;
        } else {
            before += 1;
        }
    }
    println!("the submission came first in {before}, the dismissal in {after}");
}
