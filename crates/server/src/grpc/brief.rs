//! Briefs on the wire.

use std::sync::Arc;

use pawl_ledger::id::Position;
use pawl_proto::v1 as proto;

use super::{
    draft::{MAX_CONTENT_CHARACTERS, accept},
    live,
    names::full,
    parse,
    views::{Drifted, SeenConflict, SeenRevision, Teller},
};
use crate::{
    app::{
        App,
        boards::LiveBoard,
        brief::{Asked, BriefText, FactLine, MarkLine, Selection, TOKENIZER, select, write},
        error::AppError,
    },
    auth::Caller,
};

/// The tokens of a brief unless more or fewer are asked for.
const DEFAULT_TOKENS: usize = 2_000;
/// The most tokens of a brief.
const MAX_TOKENS: usize = 100_000;
/// The most facts that are read for a brief; a token is a byte at least, a line some forty.
const MAX_FACTS: usize = MAX_TOKENS / 20;
/// How many digits of a digest a brief shows.
const SHOWN_DIGITS: usize = 12;

/// What was selected, with the words to it.
struct Told {
    facts: Vec<proto::Assertion>,
    gone: Vec<proto::Assertion>,
    conflicts: Vec<proto::Conflict>,
    flags: Vec<proto::FlagRecord>,
}

/// Writes a brief.
pub(super) async fn brief(
    app: &Arc<App>,
    caller: &Caller,
    request: &proto::GetBriefRequest,
) -> Result<proto::Brief, AppError> {
    let live = live(app, caller, &request.board).await?;
    let budget = match usize::try_from(request.token_budget).unwrap_or(MAX_TOKENS) {
        0 => DEFAULT_TOKENS,
        asked => asked.min(MAX_TOKENS),
    };
    let asked = Asked {
        modules: parse::ids("modules", &request.modules)?,
        task: accept("task", &request.task, MAX_CONTENT_CHARACTERS)?.text,
        since: request.since.map(Position),
    };
    let task = app.task(&live, &asked.task).await?;
    let (selection, seen) = app
        .read(&live, caller, |board| {
            let selection = select(board, &live.judge.read(), &asked, task.as_ref())?;
            let drifted = Drifted::of(board);
            let seen = |ids: &[_]| -> Vec<SeenRevision> {
                let some = ids.iter().take(MAX_FACTS);
                some.filter_map(|id| SeenRevision::new(board, *id, &drifted))
                    .collect()
            };
            let conflicts = selection.conflicts.iter();
            let conflicts = conflicts.filter_map(|id| SeenConflict::new(board, *id));
            let flags = selection.flags.iter();
            let flags = flags.filter_map(|id| Some((*id, board.flag(*id)?.clone())));
            let seen = (
                seen(&selection.facts),
                seen(&selection.gone),
                conflicts.collect::<Vec<_>>(),
                flags.collect::<Vec<_>>(),
            );
            Ok((selection, seen))
        })
        .await?;
    let (facts, gone, conflicts, flags) = seen;
    let teller = Teller { app, live: &live };
    let told = Told {
        facts: facts
            .iter()
            .map(|it| teller.assertion(it))
            .collect::<Result<_, AppError>>()?,
        gone: gone
            .iter()
            .map(|it| teller.assertion(it))
            .collect::<Result<_, AppError>>()?,
        conflicts: conflicts
            .iter()
            .map(|it| teller.conflict(it))
            .collect::<Result<_, _>>()?,
        flags: flags
            .iter()
            .map(|(id, it)| teller.flag(*id, it))
            .collect::<Result<_, _>>()?,
    };
    Ok(written(&live, &selection, &asked, told, budget))
}

fn written(
    live: &LiveBoard,
    selection: &Selection,
    asked: &Asked,
    mut told: Told,
    budget: usize,
) -> proto::Brief {
    let phase = selection.phase.as_ref().map(ToString::to_string);
    let text = BriefText {
        board: live.name.to_string(),
        position: selection.position.0,
        since: asked.since.map(|since| since.0),
        phase: phase.clone(),
        snapshots: selection
            .snapshots
            .iter()
            .map(|(module, id)| (module.to_string(), start(&id.to_string())))
            .collect(),
        tables: selection
            .tables
            .iter()
            .map(|(table, rows)| (table.to_string(), *rows))
            .collect(),
        facts: told.facts.iter().map(fact_line).collect(),
        gone: told.gone.iter().map(gone_line).collect(),
        conflicts: told.conflicts.iter().map(conflict_line).collect(),
        flags: told.flags.iter().map(flag_line).collect(),
    };
    let written = write(&text, budget);
    told.facts.truncate(written.facts);
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    proto::Brief {
        text: written.text,
        facts: told.facts,
        gone: told.gone,
        conflicts: told.conflicts,
        flags: told.flags,
        position: selection.position.0,
        snapshots: selection
            .snapshots
            .iter()
            .map(|(module, id)| (module.to_string(), full(&live.name, "snapshots", id)))
            .collect(),
        tokens: count(written.tokens),
        tokenizer: TOKENIZER.to_owned(),
        left_out: count(selection.facts.len() - written.facts),
        phase: phase.unwrap_or_default(),
    }
}

fn start(digits: &str) -> String {
    digits.chars().take(SHOWN_DIGITS).collect()
}

fn short(name: &str) -> String {
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

fn fact_line(fact: &proto::Assertion) -> FactLine {
    let draft = fact.draft.clone().unwrap_or_default();
    FactLine {
        id: short(&fact.name),
        module: draft.module,
        text: draft.content,
        confidence: draft.confidence.unwrap_or_default(),
        cites: draft
            .citations
            .into_iter()
            .map(|it| (start(&it.source), it.quote))
            .collect(),
        supports: draft.supports,
        support_lost: short(&fact.support_lost),
        challenged: fact.challenged,
    }
}

fn gone_line(fact: &proto::Assertion) -> MarkLine {
    MarkLine {
        id: short(&fact.name),
        about: short(&fact.replaced_by),
        text: fact
            .draft
            .as_ref()
            .map(|draft| draft.content.clone())
            .unwrap_or_default(),
        state: "",
    }
}

fn conflict_line(conflict: &proto::Conflict) -> MarkLine {
    MarkLine {
        id: short(&conflict.name),
        about: conflict
            .finding
            .as_ref()
            .map(|finding| short(&finding.standing))
            .unwrap_or_default(),
        text: conflict.challenger_content.clone(),
        state: if conflict.refusal.is_empty() {
            "contested"
        } else {
            "refused"
        },
    }
}

fn flag_line(flag: &proto::FlagRecord) -> MarkLine {
    MarkLine {
        id: short(&flag.name),
        about: short(&flag.assertion),
        text: flag.reason.clone(),
        state: "",
    }
}
