//! Many who write until their server is gone, and what they were told.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use parking_lot::Mutex;
use pawl_proto::v1::{ListAssertionsRequest, Role};

use crate::{
    caller::{BOARD, Caller, draft, submission},
    process::Process,
    texts,
};

const WRITERS: usize = 32;
/// The facts of a submission, which are there together or not at all.
const TOGETHER: usize = 3;

/// Who writes to one server, over all its restarts.
pub(crate) struct Writers {
    callers: Vec<Caller>,
    sources: Vec<String>,
    number: Arc<AtomicUsize>,
    /// The numbers of the submissions that were acknowledged.
    acknowledged: Arc<Mutex<BTreeSet<usize>>>,
    /// Set while a power cut is on its way: what is acknowledged from then on counts for nothing.
    pub(crate) late: Arc<AtomicBool>,
}

impl Writers {
    /// Makes a board and those who write to it; each has a document in which everything they will say stands.
    pub(crate) async fn settle(process: &Process) -> Self {
        let operator = Caller::new(&process.url(), &process.token());
        operator.make_board().await;
        let (mut callers, mut sources) = (Vec::new(), Vec::new());
        for number in 0..WRITERS {
            let caller = operator
                .somebody(&format!("writer-{number}"), Role::Agent)
                .await;
            sources.push(
                caller
                    .upload(format!("The notes of writer {number}."))
                    .await,
            );
            callers.push(caller);
        }
        Self {
            callers,
            sources,
            number: Arc::default(),
            acknowledged: Arc::default(),
            late: Arc::default(),
        }
    }

    /// Lets everybody write until the server is gone or `end` is set; waits for nobody.
    pub(crate) fn write(&self, end: &Arc<AtomicBool>) -> Vec<tokio::task::JoinHandle<()>> {
        let work = self.callers.iter().zip(&self.sources).enumerate();
        work.map(|(place, (caller, source))| {
            let (caller, source) = (caller.clone(), source.clone());
            let (number, acknowledged) = (self.number.clone(), self.acknowledged.clone());
            let (end, late) = (end.clone(), self.late.clone());
            tokio::spawn(async move {
                while !end.load(Ordering::Relaxed) {
                    let number = number.fetch_add(1, Ordering::Relaxed);
                    let quote = format!("The notes of writer {place}.");
                    let items = contents(number).map(|content| {
                        let mut draft = draft(&content, &source);
                        draft.citations[0].quote.clone_from(&quote);
                        draft
                    });
                    let mut request = submission(items.collect());
                    request.all_or_none = true;
                    let answer = caller.assertions().submit(request).await;
                    let Ok(answer) = answer.map(tonic::Response::into_inner) else {
                        return;
                    };
                    if answer.committed && !late.load(Ordering::SeqCst) {
                        acknowledged.lock().insert(number);
                    }
                }
            })
        })
        .collect()
    }

    /// How many submissions were acknowledged so far.
    pub(crate) fn acknowledged(&self) -> usize {
        self.acknowledged.lock().len()
    }

    /// What was acknowledged and is not there, and what is there in part.
    pub(crate) async fn lost(&self, process: &Process) -> Vec<String> {
        let operator = Caller::new(&process.url(), &process.token());
        let mut there: BTreeMap<usize, usize> = BTreeMap::new();
        for content in listed(&operator).await {
            *there.entry(number_of(&content)).or_default() += 1;
        }
        let acknowledged = self.acknowledged.lock();
        let gone = acknowledged
            .iter()
            .filter(|number| !there.contains_key(number));
        let gone = gone.map(|number| format!("submission {number} was acknowledged and is gone"));
        let halves = there.iter().filter(|(_, count)| **count != TOGETHER);
        let halves =
            halves.map(|(number, count)| format!("of submission {number} {count} facts are there"));
        gone.chain(halves).collect()
    }
}

/// What a submission says: of subjects of its own, so that nothing contradicts anything.
fn contents(number: usize) -> impl Iterator<Item = String> {
    (0..TOGETHER).map(move |place| {
        let subject = texts::subject_of(number * TOGETHER + place);
        format!("{subject} of batch {number} has {} gates.", 3 + place)
    })
}

fn number_of(content: &str) -> usize {
    let after = content.split(" of batch ").nth(1).unwrap_or_default();
    after.split(' ').next().unwrap_or_default().parse().unwrap()
}

/// The contents of every fact.
pub(crate) async fn listed(caller: &Caller) -> Vec<String> {
    let mut request = ListAssertionsRequest {
        board: BOARD.into(),
        page_size: 1_000,
        ..Default::default()
    };
    let mut all = Vec::new();
    loop {
        let page = caller
            .assertions()
            .list_assertions(request.clone())
            .await
            .unwrap();
        let page = page.into_inner();
        let drafts = page.assertions.into_iter().filter_map(|it| it.draft);
        all.extend(drafts.map(|draft| draft.content));
        if page.next_page_token.is_empty() {
            return all;
        }
        request.page_token = page.next_page_token;
    }
}
