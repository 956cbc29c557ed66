//! Tells what happened to a board as a whole.

use super::text::counted;
use crate::{event::Event, quota::Quotas};

pub(super) fn act(event: &Event) -> String {
    match event {
        Event::PhasesDeclared { phases } if phases.is_empty() => "declared no phases".into(),
        Event::PhasesDeclared { phases } => {
            let names: Vec<&str> = phases.iter().map(|it| it.name.as_str()).collect();
            let count = counted(names.len(), "phase");
            format!("declared {count}: {}", names.join(", "))
        }
        Event::PhaseEntered {
            phase,
            reason: None,
        } => format!("moved the board on to phase {phase}"),
        Event::PhaseEntered { phase, .. } => format!("moved the board to phase {phase}"),
        Event::QuotasSet { quotas } => format!("set quotas for each principal: {}", set(quotas)),
        Event::BoardArchived { .. } => "archived the board".into(),
        Event::BoardReopened { .. } => "reopened the board".into(),
        Event::SourceRemoved { source } => {
            format!("removed source {}, which nothing cites", source.short())
        }
        _ => String::new(),
    }
}

fn set(quotas: &Quotas) -> String {
    let named = quotas.named().into_iter();
    let set: Vec<String> = named
        .filter_map(|(name, value)| Some(format!("{} {}", name.replace('_', " "), value?)))
        .collect();
    if set.is_empty() {
        "the server's".into()
    } else {
        set.join(", ")
    }
}
