//! Who works on the boards, and the boards.

use std::sync::Arc;

use fastrand::Rng;
use prost_reflect::DynamicMessage;
use serde_json::{Value, json};
use tonic::Status;

use crate::{
    quotas,
    tally::Tally,
    texts::{Fact, MODULES},
    wire::{Methods, Wire, json},
};

/// What somebody does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Agent,
    Verifier,
    Arbiter,
    Auditor,
    Operator,
}

impl Job {
    fn role(self) -> &'static str {
        match self {
            Self::Agent => "ROLE_AGENT",
            Self::Verifier => "ROLE_VERIFIER",
            Self::Arbiter => "ROLE_ARBITER",
            Self::Auditor => "ROLE_AUDITOR",
            Self::Operator => "ROLE_OPERATOR",
        }
    }

    /// Of every ten, six write, two verify, one decides; one looks on or runs things.
    fn of(number: usize) -> Self {
        match number % 10 {
            0..6 => Self::Agent,
            6 | 7 => Self::Verifier,
            8 => Self::Arbiter,
            _ if number % 20 == 9 => Self::Auditor,
            _ => Self::Operator,
        }
    }
}

/// Somebody who works on all boards.
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) job: Job,
    pub(crate) wire: Wire,
    pub(crate) rng: Rng,
    pub(crate) boards: Arc<Vec<String>>,
    pub(crate) tally: Arc<Tally>,
    /// What they uploaded: board, digest, the facts in it.
    pub(crate) documents: Vec<(String, String, Vec<Fact>)>,
    /// What was acknowledged to them: board and revision.
    pub(crate) acknowledged: Vec<(String, String)>,
    pub(crate) requests: u64,
}

impl Person {
    /// Calls with one message and gives the one that answers.
    pub(crate) async fn ask(&self, method: &str, body: Value) -> Result<Value, Status> {
        let sent = vec![self.wire.message(method, &body)];
        let answers = self.send(method, sent, 1).await?;
        Ok(answers.first().map(json).unwrap_or_default())
    }

    /// Calls with messages and gives at most some of the answers.
    pub(crate) async fn send(
        &self,
        method: &str,
        sent: Vec<DynamicMessage>,
        most: usize,
    ) -> Result<Vec<DynamicMessage>, Status> {
        self.tally.calls(method);
        let answers = self.wire.call(method, sent, most).await;
        self.tally.called(method, &answers);
        answers
    }

    /// Calls for a stream and reads at most some messages of it.
    pub(crate) async fn read(
        &self,
        method: &str,
        body: Value,
        most: usize,
    ) -> Result<Vec<Value>, Status> {
        let sent = vec![self.wire.message(method, &body)];
        Ok(self
            .send(method, sent, most)
            .await?
            .iter()
            .map(json)
            .collect())
    }

    pub(crate) fn board(&mut self) -> String {
        let number = self.rng.usize(0..self.boards.len());
        self.boards[number].clone()
    }

    pub(crate) fn module(&mut self) -> &'static str {
        MODULES[self.rng.usize(0..MODULES.len())]
    }

    /// A request id that nobody used.
    pub(crate) fn request_id(&mut self) -> String {
        self.requests += 1;
        format!("{}-{}", self.name, self.requests)
    }

    pub(crate) fn one_of<'a>(&mut self, values: &'a [Value]) -> Option<&'a Value> {
        (!values.is_empty()).then(|| &values[self.rng.usize(0..values.len())])
    }
}

/// Makes the boards, and the people with their roles.
pub(crate) async fn settle(
    methods: &Methods,
    url: &str,
    operator_token: &str,
    tally: &Arc<Tally>,
    (agents, boards, seed): (usize, usize, u64),
) -> Vec<Person> {
    let operator = Wire::new(methods, url, operator_token);
    let must = async |method: &str, body: Value| {
        let answer = operator.ask(method, body).await;
        tally.called(method, &answer);
        answer.unwrap_or_else(|status| panic!("{method}: {status:?}"))
    };
    let names: Vec<String> = (1..=boards)
        .map(|number| format!("board-{number}"))
        .collect();
    for board in &names {
        must("BoardService/CreateBoard", json!({"board": board})).await;
        for (attribute, unit) in [("capacity", "GW"), ("voltage", "kV")] {
            let declared = json!({"board": board, "attribute": attribute, "unit": unit, "type": "VALUE_TYPE_DECIMAL"});
            must("BoardService/DeclareAttribute", declared).await;
        }
        for module in MODULES {
            let declared = json!({"board": board, "module": module, "depends_on": if module == "outlook" { vec!["supply"] } else { vec![] }});
            must("BoardService/DeclareModule", declared).await;
        }
    }
    let limited = json!({"board": quotas::LIMITED, "quotas": quotas::asked()});
    must("UpkeepService/SetQuotas", limited).await;
    let names = Arc::new(names);
    let mut people = Vec::new();
    for number in 0..agents {
        let name = format!("person-{number}");
        let job = Job::of(number);
        must(
            "IdentityService/CreatePrincipal",
            json!({"principal": name, "server_operator": job == Job::Operator}),
        )
        .await;
        let issued = must("IdentityService/IssueToken", json!({"principal": name})).await;
        for board in names.iter() {
            let grant = json!({"board": board, "principal": name, "role": job.role()});
            must("BoardService/GrantRole", grant).await;
        }
        people.push(Person {
            wire: Wire::new(methods, url, issued["secret"].as_str().unwrap()),
            rng: Rng::with_seed(seed.wrapping_mul(1_000).wrapping_add(number as u64)),
            boards: names.clone(),
            tally: tally.clone(),
            documents: Vec::new(),
            acknowledged: Vec::new(),
            requests: 0,
            name,
            job,
        });
    }
    people
}
