//! One board's log from its first entry to its last, and what lies beside it.

use std::ops::ControlFlow;

use super::{
    Problem, ProblemKind, Report, derived,
    lawful::Lawful,
    sources::Kept,
    words::{self, Committed},
};
use crate::{
    board::Board,
    event::{Event, Recorded},
    evolve::{begin, evolve},
    id::{BoardName, Position},
    ledger::read_head,
    log::{
        Header, decode, encode,
        tree::{Frontier, NodeHash, leaf_hash},
    },
    store::{
        Store, StoreError,
        keys::{self, BoardNumber, read},
    },
};

/// How many entries are read at once.
const PAGE: usize = 512;

pub(super) fn check(
    store: &dyn Store,
    name: &BoardName,
    number: BoardNumber,
    kept: &mut Kept,
    report: &mut Report,
) -> Result<(), StoreError> {
    let head = store.get(&keys::head(number))?;
    let head = head.as_deref().and_then(read_head);
    let image = derived::image(store, name, number, report)?;
    let mut walk = Walk {
        name,
        head,
        image,
        kept,
        report,
        tree: Frontier::default(),
        next: 0,
        fold: Fold::Empty,
        lawful: Lawful::default(),
        committed: Committed::default(),
        foreign: false,
    };
    if head.is_none() {
        walk.find(None, ProblemKind::Head, "it is missing or cannot be read");
    }
    let mut words_from = Position(0);
    loop {
        let page = page(store, number, Position(walk.next))?;
        let last = page.len() < PAGE;
        for (position, bytes) in page {
            walk.entry(position, &bytes);
        }
        let to = Position(if last { u64::MAX } else { walk.next });
        let committed = std::mem::take(&mut walk.committed);
        let range = (words_from, to);
        words::check(store, (name, number), range, &committed, walk.report)?;
        words_from = to;
        if last {
            break;
        }
    }
    let size = head.map_or(walk.next, |(size, _)| size);
    walk.end();
    derived::usage(store, name, number, size, report)?;
    derived::requests(store, name, number, size, report)
}

/// The next entries, by the positions of their keys.
fn page(
    store: &dyn Store,
    number: BoardNumber,
    from: Position,
) -> Result<Vec<(Position, Vec<u8>)>, StoreError> {
    let (from, to) = keys::entries(number, from, Position(u64::MAX));
    let mut page = Vec::new();
    store.scan(&from, &to, &mut |key, bytes| {
        if let Some((position, _)) = read::position(key) {
            page.push((position, bytes.to_vec()));
        }
        if page.len() < PAGE {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    Ok(page)
}

/// How far the log could be folded.
enum Fold {
    /// There was no entry yet.
    Empty,
    /// The state.
    At(Box<Board>),
    /// An entry was wrong; what comes after it can be read but not judged.
    Broken,
}

struct Walk<'a> {
    name: &'a BoardName,
    head: Option<(u64, NodeHash)>,
    image: Option<Board>,
    kept: &'a mut Kept,
    report: &'a mut Report,
    tree: Frontier,
    next: u64,
    fold: Fold,
    lawful: Lawful,
    committed: Committed,
    /// An entry of another board was named already.
    foreign: bool,
}

impl Walk<'_> {
    fn find(&mut self, position: Option<Position>, kind: ProblemKind, what: impl Into<String>) {
        let mut problem = Problem::new(kind, what).on(self.name);
        problem.position = position;
        self.report.find(problem);
    }

    fn entry(&mut self, position: Position, bytes: &[u8]) {
        self.report.entries += 1;
        if position.0 > self.next {
            self.missing(position.0);
        }
        if position.0 < self.next {
            let what = "it is kept under a second key";
            return self.find(Some(position), ProblemKind::EntryStray, what);
        }
        self.next = position.0.saturating_add(1);
        if self.head.is_some_and(|(size, _)| position.0 >= size) {
            self.committed.add_unknown(position);
            let what = "it lies beyond the size that the head records";
            return self.find(Some(position), ProblemKind::EntryStray, what);
        }
        self.tree.push(leaf_hash(bytes));
        match decode(bytes) {
            Err(error) => {
                self.committed.add_unknown(position);
                self.broken(position, ProblemKind::EntryUnreadable, error.to_string());
            }
            Ok(recorded) => self.recorded(position, &recorded, bytes),
        }
    }

    /// Entries from the next one up to `position` are not there.
    fn missing(&mut self, position: u64) {
        let first = Position(self.next);
        let what = match position - first.0 {
            1 => "it is not there".to_owned(),
            count => format!("it and {} after it are not there", count - 1),
        };
        self.broken(first, ProblemKind::EntryMissing, what);
    }

    fn recorded(&mut self, position: Position, recorded: &Recorded, bytes: &[u8]) {
        if recorded.position != position || recorded.board != *self.name {
            self.committed.add_unknown(position);
            // One is enough where the whole log is another board's.
            let foreign = recorded.board != *self.name;
            if foreign && std::mem::replace(&mut self.foreign, true) {
                return;
            }
            let what = format!(
                "it says that it is entry {} of board `{}`",
                recorded.position, recorded.board
            );
            return self.broken(position, ProblemKind::EntryUnreadable, what);
        }
        if rewritten(recorded) != bytes {
            let what = "its bytes are not how what it says is written";
            self.find(Some(position), ProblemKind::EntryUnreadable, what);
        }
        self.committed.add(position, recorded.event.commitments());
        if let Event::SourceRegistered {
            source,
            size_bytes,
            kept: true,
            ..
        } = recorded.event
        {
            self.kept.add(source, self.name, position, size_bytes);
        }
        if let Event::SourceRemoved { source } = recorded.event {
            self.kept.remove(source, self.name);
        }
        self.follow(recorded);
        self.compare_image();
    }

    /// Judges an entry and folds it.
    fn follow(&mut self, recorded: &Recorded) {
        let followed = match &mut self.fold {
            Fold::Broken => return,
            Fold::Empty => begin(recorded).map(|board| self.fold = Fold::At(Box::new(board))),
            Fold::At(board) => {
                for what in self.lawful.before(board, recorded) {
                    self.report.find(
                        Problem::new(ProblemKind::EntryUnlawful, what)
                            .on(self.name)
                            .at(recorded.position),
                    );
                }
                evolve(board, recorded)
            }
        };
        if let Err(error) = followed {
            return self.broken(
                recorded.position,
                ProblemKind::EntryNotFollowing,
                error.what,
            );
        }
        if let Fold::At(board) = &self.fold
            && let Some(what) = self.lawful.after(board, recorded)
        {
            self.find(Some(recorded.position), ProblemKind::EntryUnlawful, what);
        }
    }

    fn compare_image(&mut self) {
        if let (Fold::At(board), Some(image)) = (&self.fold, &self.image)
            && board.position() == image.position()
        {
            derived::compare_image(image, board, self.report);
            self.image = None;
        }
    }

    fn broken(&mut self, position: Position, kind: ProblemKind, what: String) {
        self.fold = Fold::Broken;
        self.find(Some(position), kind, what);
    }

    fn end(&mut self) {
        let Some((size, root)) = self.head else {
            return;
        };
        if self.next < size {
            self.missing(size);
        }
        if self.tree.size() == size && self.tree.root() != root {
            let what = "the entries give another tree hash than the head records: at least one of \
                        them, or the head, was changed";
            self.find(None, ProblemKind::Tree, what);
        }
        if let Fold::At(board) = &self.fold {
            let unfinished = self.lawful.end(board);
            for what in unfinished {
                let last = Position(self.next.saturating_sub(1));
                self.find(Some(last), ProblemKind::EntryUnlawful, what);
            }
        }
        if let Some(image) = self
            .image
            .as_ref()
            .filter(|image| image.position().0 > size)
        {
            let what = format!("it is of {} entries, the log has {size}", image.position());
            self.find(None, ProblemKind::Image, what);
        }
    }
}

fn rewritten(recorded: &Recorded) -> Vec<u8> {
    let header = Header {
        board: recorded.board.clone(),
        position: recorded.position,
        at: recorded.at,
        principal: recorded.principal.clone(),
    };
    encode(&header, &recorded.event)
}
