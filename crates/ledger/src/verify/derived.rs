//! What is derived from a log and kept beside it: the image of the state, and answers.

use std::ops::ControlFlow;

use super::{Problem, ProblemKind, Report};
use crate::{
    board::Board,
    id::{BoardName, Position},
    ledger::{
        Remembered, RequestKey,
        image::{Image, inspect},
        requests::read_chunks,
        usage,
    },
    store::{
        Store, StoreError,
        keys::{self, BoardNumber, read},
    },
};

/// Reads a board's image; says what is wrong with one that cannot be compared.
pub(super) fn image(
    store: &dyn Store,
    name: &BoardName,
    number: BoardNumber,
    report: &mut Report,
) -> Result<Option<Board>, StoreError> {
    let problem = |what: String| Problem::new(ProblemKind::Image, what).on(name);
    match inspect(store, number)? {
        Image::None => {}
        Image::Of(board) => return Ok(Some(*board)),
        Image::OtherVersion(version) => report.notes.push(problem(format!(
            "it is of version {version} and not used by this program"
        ))),
        Image::Damaged => report.find(problem("its bytes are not what its digest says".into())),
    }
    Ok(None)
}

/// Compares an image with the fold at its position.
pub(super) fn compare_image(image: &Board, folded: &Board, report: &mut Report) {
    if image != folded {
        let what = format!(
            "it is not the state that the log gives after {} entries",
            folded.position()
        );
        report.find(Problem::new(ProblemKind::Image, what).on(&folded.name));
    }
}

/// Reads every kept answer to a repeatable request.
pub(super) fn requests(
    store: &dyn Store,
    name: &BoardName,
    number: BoardNumber,
    size: u64,
    report: &mut Report,
) -> Result<(), StoreError> {
    let (from, to) = keys::requests(number);
    let mut answers = Vec::new();
    let mut strange = Vec::new();
    store.scan(&from, &to, &mut |key, _| {
        match read::request(key) {
            Some((principal, id, 0)) => answers.push(RequestKey { principal, id }),
            // A later chunk is read with its first.
            Some(_) => {}
            None => strange.push(format!("`{}` is no key of an answer", key.escape_ascii())),
        }
        ControlFlow::Continue(())
    })?;
    for key in answers {
        let what = match read_chunks(store, number, &key)? {
            Some(stored) => wrong(&stored, size),
            None => continue,
        };
        if let Some(what) = what {
            strange.push(format!(
                "the answer to request `{}` of `{}` {what}",
                key.id.escape_debug(),
                key.principal
            ));
        }
    }
    for what in strange {
        report.find(Problem::new(ProblemKind::Request, what).on(name));
    }
    Ok(())
}

/// Compares what is counted of each principal with what is there.
pub(super) fn usage(
    store: &dyn Store,
    name: &BoardName,
    number: BoardNumber,
    size: u64,
    report: &mut Report,
) -> Result<(), StoreError> {
    // What is missing or changed elsewhere shows in the counts too, and is named there.
    if report
        .findings
        .iter()
        .any(|it| it.board.as_ref() == Some(name))
    {
        return Ok(());
    }
    let problem = |what: &str| Problem::new(ProblemKind::Usage, what).on(name);
    match usage::recorded(store, number)? {
        None => report.find(problem("a count cannot be read")),
        Some(counts) if counts.is_empty() => report.notes.push(problem(
            "nothing was counted yet, as by an earlier version; it is when the board is opened",
        )),
        Some(counts) if counts != usage::count(store, number, Position(size))? => {
            report.find(problem("what is counted is not what is there"));
        }
        Some(_) => {}
    }
    Ok(())
}

fn wrong(stored: &[u8], size: u64) -> Option<String> {
    match postcard::take_from_bytes::<Remembered>(stored) {
        Ok((remembered, [])) if remembered.position.0 <= size => None,
        Ok((remembered, [])) => Some(format!(
            "was given after {} entries, the log has {size}",
            remembered.position
        )),
        _ => Some("cannot be read".into()),
    }
}
