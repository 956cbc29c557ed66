//! What has to hold after the run.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    acts::last,
    people::Person,
    process::{self, Held, Process},
    quotas,
    tally::{Counts, Tally},
    wire::{Methods, Wire},
};

/// How much more a server may hold after a month than one that has just opened the same boards.
const MORE_MEMORY: f64 = 1.5;
const MORE_MEMORY_BYTES: u64 = 128 << 20;
const MORE_FILES: usize = 16;

/// The statuses of what is in force, and all.
const IN_FORCE: [&str; 3] = ["STATUS_PROPOSED", "STATUS_VALIDATED", "STATUS_LOCKED"];
const ALL: [&str; 8] = [
    "STATUS_PROPOSED",
    "STATUS_VALIDATED",
    "STATUS_LOCKED",
    "STATUS_CONTESTED",
    "STATUS_REJECTED",
    "STATUS_SUPERSEDED",
    "STATUS_RETRACTED",
    "STATUS_ROLLED_BACK",
];

/// A promise, and whether it held.
pub(crate) struct Check {
    pub(crate) what: &'static str,
    pub(crate) held: bool,
    pub(crate) figure: String,
}

/// Looks at everything.
pub(crate) async fn look(
    process: &mut Process,
    data: &Path,
    people: Vec<Person>,
    methods: &Methods,
    tally: &Arc<Tally>,
    (seconds, starts): (f64, u64),
) -> Vec<Check> {
    println!("everybody has gone home; looking at what they left");
    let boards = people[0].boards.clone();
    let auditor = Wire::new(methods, &process.url(), &process.token());
    let mut checks = vec![
        acknowledged(&auditor, &people, &boards).await,
        contradictions(&auditor, &boards).await,
        quotas::look(&auditor, &people, &tally.counts(), (seconds, starts)).await,
    ];
    drop(people);
    drop(auditor);
    println!("comparing what the server holds with what a fresh one holds");
    let worn = settled(process).await;
    process.again(false);
    let fresh = fresh(process, &boards, methods).await;
    checks.extend(resources(worn, fresh));
    process.end(false);
    let verified = process::verify(data);
    checks.push(Check {
        what: "verify finds nothing wrong",
        held: verified.is_ok(),
        figure: verified.unwrap_or_else(|told| told).trim().to_owned(),
    });
    checks.push(all_called(methods, &tally.counts()));
    checks.push(reasons(&tally.counts()));
    checks
}

/// Every revision that somebody was told of is there.
async fn acknowledged(auditor: &Wire, people: &[Person], boards: &[String]) -> Check {
    let mut there = BTreeSet::new();
    for board in boards {
        for revision in revisions(auditor, board, &ALL).await {
            there.insert((board.clone(), last(&revision["name"])));
        }
    }
    let told: BTreeSet<_> = people
        .iter()
        .flat_map(|person| person.acknowledged.iter().cloned())
        .collect();
    let lost: Vec<_> = told.difference(&there).collect();
    Check {
        what: "nothing acknowledged is lost",
        held: lost.is_empty() && !told.is_empty(),
        figure: format!("{} of {} {lost:?}", lost.len(), told.len()),
    }
}

/// No two facts in force claim two values of one thing, but where somebody decided that they may.
async fn contradictions(auditor: &Wire, boards: &[String]) -> Check {
    let (mut pairs, mut facts) = (Vec::new(), 0);
    for board in boards {
        let excused = dismissed(auditor, board).await;
        let mut claims: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for fact in revisions(auditor, board, &IN_FORCE).await {
            facts += 1;
            let claim = &fact["draft"]["claim"];
            if claim.is_null() {
                continue;
            }
            let key = json!([claim["subject"], claim["attribute"], claim["qualifiers"]]);
            let id = last(&fact["name"]);
            let value = claim["decimal"]["value"].to_string();
            claims.entry(key.to_string()).or_default().push((id, value));
        }
        for (key, values) in claims {
            for (number, (first, one)) in values.iter().enumerate() {
                for (second, other) in &values[number + 1..] {
                    let pair = [first.clone(), second.clone()];
                    let excused = excused.contains(&pair)
                        || excused.contains(&[pair[1].clone(), pair[0].clone()]);
                    if one != other && !excused {
                        pairs.push(format!("{board} {key}: {first} {one}, {second} {other}"));
                    }
                }
            }
        }
    }
    Check {
        what: "no two facts in force contradict each other",
        held: pairs.is_empty() && facts > 0,
        figure: format!("{} among {facts}; {}", pairs.len(), pairs.join(", ")),
    }
}

async fn revisions(auditor: &Wire, board: &str, statuses: &[&str]) -> Vec<Value> {
    let body = json!({"board": board, "statuses": statuses});
    pages(
        auditor,
        "AssertionService/ListAssertions",
        "assertions",
        body,
    )
    .await
}

async fn dismissed(auditor: &Wire, board: &str) -> BTreeSet<[String; 2]> {
    let body = json!({"board": board, "all": true});
    let all = pages(auditor, "ConflictService/ListConflicts", "conflicts", body).await;
    all.iter()
        .filter(|conflict| conflict["state"] != json!("CONFLICT_STATE_RESOLVED"))
        .map(|conflict| {
            let challenger = last(&conflict["challenger"]);
            [challenger, last(&conflict["finding"]["standing"])]
        })
        .collect()
}

pub(crate) async fn pages(
    auditor: &Wire,
    method: &str,
    field: &str,
    mut body: Value,
) -> Vec<Value> {
    let mut all = Vec::new();
    body["page_size"] = json!(1_000);
    loop {
        let page = auditor.ask(method, body.clone()).await.unwrap();
        all.extend(page[field].as_array().cloned().unwrap_or_default());
        body["page_token"] = page["next_page_token"].clone();
        if body["page_token"] == json!("") {
            return all;
        }
    }
}

/// What the server holds once nobody calls any more.
async fn settled(process: &Process) -> Held {
    let mut held = process.held();
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = process.held();
        if now.files >= held.files && now.memory >= held.memory {
            break;
        }
        held = now;
    }
    held
}

/// What a server holds that has just opened all boards and answered a check on each.
async fn fresh(process: &Process, boards: &[String], methods: &Methods) -> Held {
    let auditor = Wire::new(methods, &process.url(), &process.token());
    for board in boards {
        revisions(&auditor, board, &IN_FORCE).await;
    }
    drop(auditor);
    settled(process).await
}

fn resources(worn: Held, fresh: Held) -> [Check; 2] {
    let most = (fresh.memory as f64 * MORE_MEMORY) as u64 + MORE_MEMORY_BYTES;
    [
        Check {
            what: "memory is back where it was",
            held: worn.memory <= most,
            figure: format!(
                "{} MiB, freshly opened {} MiB",
                worn.memory >> 20,
                fresh.memory >> 20
            ),
        },
        Check {
            what: "open files are back where they were",
            held: worn.files <= fresh.files + MORE_FILES,
            figure: format!("{}, freshly opened {}", worn.files, fresh.files),
        },
    ]
}

/// Every call of the API was made and went through at least once.
fn all_called(methods: &Methods, counts: &Counts) -> Check {
    let never: Vec<&str> = methods
        .keys()
        .filter(|method| !counts.answered.contains_key(*method))
        .map(String::as_str)
        .collect();
    Check {
        what: "every call of the API went through at least once",
        held: never.is_empty(),
        figure: format!(
            "{} of {} never; {}",
            never.len(),
            methods.len(),
            never.join(", ")
        ),
    }
}

fn reasons(counts: &Counts) -> Check {
    let shown: Vec<_> = counts.wrong.iter().take(10).cloned().collect();
    Check {
        what: "no error without a reason, none from inside",
        held: counts.wrong.is_empty(),
        figure: format!("{}; {}", counts.wrong.len(), shown.join("\n    ")),
    }
}

/// Prints what was done and what held.
pub(crate) fn report(counts: &Counts, checks: &[Check], seconds: f64) -> ExitCode {
    println!("\n{:<44} {:>9} {:>9}", "call", "made", "answered");
    for (method, made) in &counts.calls {
        let answered = counts.answered.get(method).unwrap_or(&0);
        println!("{method:<44} {made:>9} {answered:>9}");
    }
    println!("\nreasons");
    for (reason, times) in &counts.reasons {
        println!("{reason:<44} {times:>9}");
    }
    let made: u64 = counts.calls.values().sum();
    println!(
        "\n{made} calls in {seconds:.0} s, {} broken by restarts\n",
        counts.broken
    );
    for check in checks {
        let told = if check.held { "held  " } else { "BROKEN" };
        println!("{told}  {}: {}", check.what, check.figure);
    }
    if checks.iter().all(|check| check.held) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
