//! An agent: a process of its own that makes its calls over gRPC with its own token.
//!
//! The story hands it one order a line on its standard input, and it answers each with a line on its
//! standard output. It ends where its input ends.

use std::{
    collections::BTreeMap,
    io::{self, BufRead},
    process::Stdio,
};

use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use super::{
    DemoError,
    act::{Answer, perform},
    names::Names,
    story::Call,
};
use crate::cli::{failure::Failure, output::Page, session::Session};

/// What an agent is told to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) call: Call,
    pub(crate) names: Names,
    /// The columns its telling may take; none for no limit.
    pub(crate) width: Option<u16>,
}

/// Carries out orders until there are no more: what the agent's process runs.
pub(crate) async fn obey(session: &mut Session) -> Result<(), Failure> {
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|cause| Failure::File {
            file: "-".to_owned(),
            cause,
        })?;
        let order: Order = serde_json::from_str(&line)
            .map_err(|error| Failure::Usage(format!("this is no order: {error}")))?;
        let page = Page::of_width(order.width);
        let answer = perform(&order.call, &order.names, session, page).await;
        let line =
            serde_json::to_string(&answer).map_err(|error| Failure::Answer(error.to_string()))?;
        session.output.print(&(line + "\n"))?;
    }
    Ok(())
}

/// An agent's process as the story sees it.
pub(crate) struct AgentProcess {
    name: String,
    child: Child,
    orders: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl AgentProcess {
    /// Starts this same program as an agent. Its token is in its environment, where other users cannot read it.
    pub(crate) fn start(name: &str, variables: &BTreeMap<&str, String>) -> Result<Self, DemoError> {
        let failed = |cause| DemoError::Agent {
            name: name.to_owned(),
            cause,
        };
        let program = std::env::current_exe().map_err(failed)?;
        let mut child = Command::new(program)
            .args(["demo-agent", name])
            .envs(variables)
            .env_remove("PAWL_AS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let (orders, answers) = child
            .stdin
            .take()
            .zip(child.stdout.take())
            .ok_or_else(|| failed(io::Error::other("it has no pipes")))?;
        Ok(Self {
            name: name.to_owned(),
            child,
            orders,
            answers: BufReader::new(answers).lines(),
        })
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> Option<u32> {
        self.child.id()
    }

    /// Gives an order and waits for the answer.
    pub(crate) async fn ask(&mut self, order: &Order) -> Result<Answer, DemoError> {
        let asked = async {
            let line = serde_json::to_string(order)?;
            self.orders.write_all((line + "\n").as_bytes()).await?;
            let answer = self.answers.next_line().await?;
            let answer = answer.ok_or_else(|| io::Error::other("it ended"))?;
            Ok(serde_json::from_str(&answer)?)
        };
        let answer: io::Result<Answer> = asked.await;
        answer.map_err(|cause| DemoError::Agent {
            name: self.name.clone(),
            cause,
        })
    }

    /// Ends it and waits until it has ended.
    pub(crate) async fn end(mut self) -> Result<(), DemoError> {
        drop(self.orders);
        let status = self.child.wait().await.map_err(|cause| DemoError::Agent {
            name: self.name.clone(),
            cause,
        })?;
        if status.success() {
            return Ok(());
        }
        Err(DemoError::Agent {
            name: self.name,
            cause: io::Error::other(format!("it ended with {status}")),
        })
    }
}
