//! The model's acts as calls, and answers as the model tells them.

use std::collections::BTreeSet;

use pawl_proto::v1::{
    self as proto, Assertion, Draft, Finding, SealMode, SealRequest, SubmitResponse, claim::Value,
};
use tonic::Status as Refusal;

use super::model::{Act, Answer, Revision, Said, Seen, Status, Verdict};
use crate::world::{Client, MODULE, capacity, cite, cited, claiming, reason_of, short};

const SUBJECTS: [&str; 2] = ["Nordlys", "Fossen"];
const VALUES: [&str; 3] = ["5", "7", "9"];
/// What is quoted for a value of a subject. The sentences have nothing in common, so that the claims
/// alone contradict each other.
const SENTENCES: [[&str; 3]; 2] = [
    [
        "The harbour freezes in winter.",
        "Lighthouses were built of granite.",
        "Ferry crews sleep on board.",
    ],
    [
        "Geese graze along the canal.",
        "A choir rehearses every Monday.",
        "Snow covered that vineyard.",
    ],
];
/// The reasons that the model gives, too.
const REASONS: [&str; 4] = [
    "ASSERTION_UNKNOWN",
    "CONTRADICTS_LOCKED",
    "NOTHING_TO_SEAL",
    "NOT_LOCKED",
];

impl Said {
    pub(super) fn any(random: &mut fastrand::Rng) -> Self {
        Self {
            subject: random.usize(..SUBJECTS.len()),
            value: random.usize(..VALUES.len()),
        }
    }

    fn draft(self, source: &str) -> Draft {
        let sentence = SENTENCES[self.subject][self.value];
        let claim = capacity(SUBJECTS[self.subject], VALUES[self.value]);
        claiming(cited(sentence, cite(source, sentence)), claim)
    }

    fn of(draft: &Draft) -> Self {
        let claim = draft.claim.as_ref().unwrap();
        let Some(Value::Decimal(value)) = &claim.value else {
            panic!("no decimal: {draft:?}");
        };
        let place = |all: &[&str], one: &str| all.iter().position(|it| *it == one).unwrap();
        Self {
            subject: place(&SUBJECTS, &claim.subject),
            value: place(&VALUES, &value.value),
        }
    }
}

/// The document that everything said is quoted from.
pub(super) fn document() -> String {
    SENTENCES.concat().join("\n")
}

/// Does an act over the API.
pub(super) async fn call(client: &Client, source: &str, act: &Act) -> Answer {
    let answer = match act {
        Act::Submit(said) => client
            .submit(vec![said.draft(source)])
            .await
            .map(|it| judged(&it, true)),
        Act::Check(said) => client
            .check(vec![said.draft(source)])
            .await
            .map(|it| judged(&it, false)),
        Act::Seal => seal(client).await,
        Act::Amend((assertion, revision), said) => client
            .amend(&format!("a{assertion}@{revision}"), said.draft(source))
            .await
            .map(|it| Answer::Amended {
                new: revision_of(&it.assertion.unwrap().name),
                against: exact(&it.findings),
            }),
        Act::Read => read(client).await,
    };
    answer.unwrap_or_else(|refusal| denied(&refusal))
}

fn judged(answer: &SubmitResponse, stores: bool) -> Answer {
    let [outcome] = answer.outcomes.as_slice() else {
        panic!("not one outcome: {answer:?}");
    };
    let verdict = match outcome.verdict() {
        proto::Verdict::Accepted => Verdict::Accepted,
        proto::Verdict::Contested => Verdict::Contested,
        proto::Verdict::Refused => Verdict::Refused,
        proto::Verdict::Unspecified => panic!("no verdict: {outcome:?}"),
    };
    let stored = (stores && !outcome.assertion.is_empty()).then(|| revision_of(&outcome.assertion));
    Answer::Judged {
        verdict,
        stored,
        corroborated: outcome.corroborated,
        against: exact(&outcome.findings),
    }
}

async fn seal(client: &Client) -> Result<Answer, Refusal> {
    let request = SealRequest {
        module: MODULE.into(),
        mode: SealMode::Hard.into(),
        ..Default::default()
    };
    let snapshot = client.seal_with(request).await?;
    let members = snapshot.members.iter().map(|it| revision_of(it));
    Ok(Answer::Sealed(members.collect()))
}

async fn read(client: &Client) -> Result<Answer, Refusal> {
    let statuses = [
        proto::Status::Proposed,
        proto::Status::Validated,
        proto::Status::Locked,
        proto::Status::Contested,
        proto::Status::Superseded,
        proto::Status::Rejected,
        proto::Status::Retracted,
    ];
    let list = proto::ListAssertionsRequest {
        board: client.board.clone(),
        statuses: statuses.map(Into::into).into(),
        page_size: 1_000,
        ..Default::default()
    };
    let listed = client.assertions().list_assertions(list).await?;
    let assertions = listed.into_inner().assertions;
    Ok(Answer::Listed(assertions.iter().map(seen).collect()))
}

fn seen(assertion: &Assertion) -> Seen {
    let status = match assertion.status() {
        proto::Status::Proposed => Status::Proposed,
        proto::Status::Locked => Status::Locked,
        proto::Status::Contested => Status::Contested,
        proto::Status::Superseded => Status::Superseded,
        other => panic!("nothing here becomes {other:?}"),
    };
    Seen {
        revision: revision_of(&assertion.name),
        said: Said::of(assertion.draft.as_ref().unwrap()),
        status,
        challenged: assertion.challenged,
        corroborations: assertion.corroborations,
    }
}

fn exact(findings: &[Finding]) -> BTreeSet<Revision> {
    let exact = findings.iter().filter(|it| it.exact);
    exact.map(|it| revision_of(&it.standing)).collect()
}

fn revision_of(name: &str) -> Revision {
    let name = short(name);
    let numbers = name.strip_prefix('a').and_then(|it| it.split_once('@'));
    let (assertion, revision) = numbers.unwrap();
    (assertion.parse().unwrap(), revision.parse().unwrap())
}

fn denied(refusal: &Refusal) -> Answer {
    let reason = reason_of(refusal);
    let known = REASONS.into_iter().find(|it| *it == reason);
    Answer::Denied(known.unwrap_or_else(|| panic!("nothing here is denied so: {refusal:?}")))
}
