//! The story as data: who takes part, what each does, and what has to come of it.
//!
//! It lies in `fixtures/demo/story.json`. A step's request is the JSON form of the API's own message;
//! `{name}` in it stands for what an earlier step named.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::expectation::Expectation;

/// The whole of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Story {
    /// Who takes part besides the operator.
    pub(crate) cast: Vec<Member>,
    /// What happens, in order.
    pub(crate) chapters: Vec<Chapter>,
}

/// Somebody who takes part.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Member {
    /// The principal.
    pub(crate) name: String,
    /// The role on the board, as in the API: `ROLE_AGENT`. Agents get a process of their own.
    pub(crate) role: String,
    /// For people.
    pub(crate) description: String,
}

/// Some steps under a heading.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chapter {
    /// The heading.
    pub(crate) title: String,
    /// What it is about.
    pub(crate) text: String,
    /// What is done.
    pub(crate) steps: Vec<Step>,
}

/// One thing that is done, and what has to come of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// Who: a member of the cast, `operator`, or `house` for what needs the server itself.
    pub(crate) who: String,
    /// What, for people; follows the name.
    pub(crate) does: String,
    /// What, for the machine.
    pub(crate) act: Act,
    /// Names for later steps, by where in the answer they are found (JSON pointers).
    #[serde(default)]
    pub(crate) names: BTreeMap<String, String>,
    /// What the answer has to hold, by where (JSON pointers).
    pub(crate) expect: BTreeMap<String, Expectation>,
}

/// What is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Act {
    /// Something the house does.
    House(House),
    /// A call of the API.
    Call(Call),
}

/// What no principal can do over the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum House {
    /// Counts what the log holds and compares every pair of standing facts.
    Count,
    /// Ends the agents and stops the server.
    Stop,
    /// Rederives the store from its log and compares.
    Verify,
}

/// A call of the API.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Call {
    /// Which.
    pub(crate) method: Method,
    /// The request, or several to make one after the other; the board is filled in.
    pub(crate) request: Value,
}

/// The calls a story can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Method {
    /// Declares a module.
    DeclareModule,
    /// Declares an attribute.
    DeclareAttribute,
    /// Uploads a report: `report` names it, `title` says what it is.
    Upload,
    /// Submits an intake document: `document` names it.
    SubmitIntake,
    /// Reads the brief.
    GetBrief,
    /// Reads one revision.
    GetAssertion,
    /// Reads what a revision rests on.
    GetEvidence,
    /// Lists conflicts.
    ListConflicts,
    /// Validates a revision.
    Validate,
    /// Decides a conflict.
    Resolve,
    /// Finds a conflict to be none.
    Dismiss,
    /// Asks for another look at a refusal.
    Appeal,
    /// Locks a module.
    Seal,
    /// Doubts what is locked.
    Flag,
    /// Answers a doubt.
    CloseFlag,
    /// Replaces what is locked.
    Amend,
    /// Confirms what lost a support.
    Reaffirm,
    /// Reads the history.
    Replay,
}
