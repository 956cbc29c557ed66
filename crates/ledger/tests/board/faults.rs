//! Transactions on a store whose every durable step fails, before or after it took effect: what
//! was acknowledged is there after opening again, and everything agrees.

mod requests;

use std::{collections::BTreeMap, sync::Arc};

use pawl_ledger::{
    board::Board,
    command::{Command, Context},
    committer::CommitError,
    decide::decide,
    digest::{Commitment, Words},
    event::ModuleDeclaration,
    id::{BoardName, Position, Timestamp},
    ledger::{Ledger, OpenBoard, TransactError},
    module::SealMode,
    status::{Policy, Status},
    store::{Fault, MAX_VALUE_BYTES, MemoryStore, Store},
    verify::verify,
};

use crate::world::{World, name};

fn context() -> Context {
    Context {
        principal: name("olga"),
        server_operator: true,
        now: Timestamp(5_000),
    }
}

fn policy() -> Policy {
    Policy {
        conflict: pawl_ledger::finding::Score::clamped(7_000),
        note: pawl_ledger::finding::Score::clamped(4_000),
    }
}

fn board(text: &str) -> BoardName {
    name(text)
}

fn start(store: &MemoryStore) -> Ledger {
    Ledger::start(Arc::new(store.clone())).unwrap()
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(work)
}

async fn created(store: &MemoryStore) -> (Ledger, OpenBoard) {
    let ledger = start(store);
    ledger
        .create_board(&board("trial"), policy(), &context())
        .await
        .unwrap()
        .unwrap();
    let open = ledger.open(&board("trial")).unwrap().unwrap();
    (ledger, open)
}

/// Declares a module; says whether that was acknowledged.
async fn declare(
    ledger: &Ledger,
    open: &OpenBoard,
    module: &str,
) -> Result<Position, TransactError> {
    let command = Command::DeclareModule(name(module), ModuleDeclaration::default());
    transact(ledger, open, &command, &BTreeMap::new()).await
}

async fn transact(
    ledger: &Ledger,
    open: &OpenBoard,
    command: &Command,
    words: &BTreeMap<Commitment, Words>,
) -> Result<Position, TransactError> {
    let context = context();
    let ((), receipt) = ledger.transact(open, &context, |transaction| {
        let events = decide(transaction.board(), transaction.context(), command)?;
        transaction.apply(events, words)?;
        Ok::<_, TransactError>(())
    })?;
    let position = receipt.position;
    receipt.durable().await?;
    Ok(position)
}

#[track_caller]
fn check_clean(store: &MemoryStore) {
    let report = verify(store).unwrap();
    assert!(report.is_clean(), "{report}");
}

fn modules(open: &OpenBoard) -> Vec<String> {
    open.state
        .read()
        .modules
        .keys()
        .map(ToString::to_string)
        .collect()
}

const NAMES: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

#[test]
fn every_commit_fails_once_and_nothing_acknowledged_is_lost() {
    for fault in [Fault::Before, Fault::After] {
        for nth in 1..=NAMES.len() {
            let store = MemoryStore::new();
            let acknowledged = run(async {
                let (ledger, open) = created(&store).await;
                store.fail(nth as u64, fault);
                let mut acknowledged = Vec::new();
                for module in NAMES {
                    if declare(&ledger, &open, module).await.is_ok() {
                        acknowledged.push(module);
                    }
                }
                acknowledged
            });
            assert_eq!(acknowledged, NAMES[..nth - 1], "nothing after a failure");
            let after = store.crash();
            check_clean(&after);
            let ledger = start(&after);
            let open = ledger.open(&board("trial")).unwrap().unwrap();
            let there = modules(&open);
            for module in &acknowledged {
                assert!(there.contains(&(*module).to_owned()), "{module} was lost");
            }
            let unsure = usize::from(fault == Fault::After);
            assert_eq!(there.len(), acknowledged.len() + unsure);
            run(async { declare(&ledger, &open, "usable").await.unwrap() });
            check_clean(&after);
        }
    }
}

#[test]
fn a_failed_board_says_so_and_is_usable_once_opened_again() {
    let store = MemoryStore::new();
    run(async {
        let (ledger, open) = created(&store).await;
        store.fail(1, Fault::Before);
        let failed = declare(&ledger, &open, "one").await;
        assert!(matches!(
            failed,
            Err(TransactError::Commit(CommitError::Store(_)))
        ));
        let next = declare(&ledger, &open, "two").await;
        assert!(matches!(
            next,
            Err(TransactError::Commit(CommitError::Aborted))
        ));
        assert!(open.line().has_failed());
        assert!(open.settled(Position(3)).await.is_err());
        let open = ledger.open(&board("trial")).unwrap().unwrap();
        declare(&ledger, &open, "two").await.unwrap();
        assert_eq!(modules(&open), ["two"]);
    });
    check_clean(&store);
}

#[test]
fn a_full_disk_is_reported_and_left() {
    let store = MemoryStore::new();
    run(async {
        let (ledger, open) = created(&store).await;
        store.set_full(true);
        assert!(declare(&ledger, &open, "one").await.is_err());
        store.set_full(false);
        let open = ledger.open(&board("trial")).unwrap().unwrap();
        declare(&ledger, &open, "one").await.unwrap();
    });
    check_clean(&store);
}

#[test]
fn the_failure_of_one_board_is_not_that_of_another() {
    let store = MemoryStore::new();
    run(async {
        let (ledger, open) = created(&store).await;
        ledger
            .create_board(&board("other"), policy(), &context())
            .await
            .unwrap();
        let other = ledger.open(&board("other")).unwrap().unwrap();
        store.fail(1, Fault::After);
        assert!(declare(&ledger, &open, "one").await.is_err());
        declare(&ledger, &other, "one").await.unwrap();
    });
    check_clean(&store);
}

#[test]
fn a_board_whose_creation_failed_halfway_does_not_lend_its_number() {
    for fault in [Fault::Before, Fault::After] {
        let store = MemoryStore::new();
        run(async {
            let ledger = start(&store);
            store.fail(1, fault);
            let first = ledger
                .create_board(&board("first"), policy(), &context())
                .await;
            assert!(first.is_err());
            ledger
                .create_board(&board("second"), policy(), &context())
                .await
                .unwrap()
                .unwrap();
            let again = ledger
                .create_board(&board("first"), policy(), &context())
                .await
                .unwrap();
            assert_eq!(again.is_none(), fault == Fault::After);
            for name in ["first", "second"] {
                assert_eq!(
                    ledger
                        .open(&board(name))
                        .unwrap()
                        .unwrap()
                        .state
                        .read()
                        .name,
                    board(name)
                );
            }
        });
        check_clean(&store);
    }
}

#[test]
fn words_that_no_store_takes_are_refused_before_anything_changes() {
    let store = MemoryStore::new();
    run(async {
        let (ledger, open) = created(&store).await;
        for (length, taken) in [(MAX_VALUE_BYTES - 31, false), (MAX_VALUE_BYTES - 32, true)] {
            let words = Words::new([1; 32], vec![b'x'; length]);
            let command = Command::DeclareAttribute {
                attribute: name("revenue"),
                value_type: pawl_ledger::status::ValueType::Decimal,
                multi_valued: false,
                definition: words.commitment(),
            };
            let words = BTreeMap::from([(words.commitment(), words)]);
            assert_eq!(
                transact(&ledger, &open, &command, &words).await.is_ok(),
                taken
            );
            assert!(!open.line().has_failed());
        }
    });
    check_clean(&store);
}

#[test]
fn a_value_that_no_store_takes_fails_alone() {
    let store = MemoryStore::new();
    run(async {
        let (ledger, open) = created(&store).await;
        let mut batch = pawl_ledger::store::Batch::default();
        batch.put(b"t1".to_vec(), vec![0; MAX_VALUE_BYTES + 1]);
        let (bad, good) = tokio::join!(ledger.write(batch), declare(&ledger, &open, "one"));
        assert!(bad.is_err());
        good.unwrap();
    });
    check_clean(&store);
}

/// The state without what an image leaves out.
fn state(open: &OpenBoard) -> Board {
    open.state.read().clone()
}

#[test]
fn an_image_opens_to_the_same_state_and_is_never_needed() {
    let store = MemoryStore::new();
    run(async {
        let (ledger, open) = created(&store).await;
        for (number, module) in NAMES.into_iter().enumerate() {
            declare(&ledger, &open, module).await.unwrap();
            if number == 3 {
                ledger.write_image(&open).await.unwrap();
            }
        }
        let folded = state(&open);
        assert!(state(&ledger.open(&board("trial")).unwrap().unwrap()) == folded);
    });
    check_clean(&store);
    let (from, to) = pawl_ledger::store::keys::images(pawl_ledger::store::keys::BoardNumber(0));
    let mut batch = pawl_ledger::store::Batch::default();
    store
        .scan(&from, &to, &mut |key, value| {
            let mut damaged = value.to_vec();
            damaged[60] ^= 1;
            batch.put(key.to_vec(), damaged);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert!(!batch.is_empty());
    store.commit(&batch).unwrap();
    let ledger = start(&store);
    assert_eq!(
        modules(&ledger.open(&board("trial")).unwrap().unwrap()).len(),
        NAMES.len()
    );
    assert!(!verify(&store).unwrap().is_clean());
}

#[test]
fn a_rollback_is_there_whole_or_not_at_all() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let to = world.state(old).snapshot.unwrap();
    let new = world.amend("axel", old).unwrap();
    let (challenger, _) = world.contested("ben", new);
    let reason = Words::new([7; 32], b"it was a mistake".to_vec());
    let command = Command::Rollback {
        module: name("market"),
        to,
        reason: reason.commitment(),
        evidence: Vec::new(),
        findings: Vec::new(),
    };
    let words = BTreeMap::from([(reason.commitment(), reason)]);
    for fault in [None, Some(Fault::Before), Some(Fault::After)] {
        let store = world.store();
        let done = run(async {
            let ledger = start(&store);
            let open = ledger.open(&board("trial")).unwrap().unwrap();
            if let Some(fault) = fault {
                store.fail(1, fault);
            }
            let context = world.context("axel");
            let ((), receipt) = ledger
                .transact(&open, &context, |transaction| {
                    let events = decide(transaction.board(), transaction.context(), &command)?;
                    transaction.apply(events, &words)?;
                    Ok::<_, TransactError>(())
                })
                .unwrap();
            receipt.durable().await.is_ok()
        });
        assert_eq!(done, fault.is_none());
        let after = store.crash();
        check_clean(&after);
        let ledger = start(&after);
        let open = ledger.open(&board("trial")).unwrap().unwrap();
        let state = open.state.read();
        let status = |id| state.revision(id).unwrap().status;
        let statuses = [old, new, challenger].map(status);
        let expected = if fault == Some(Fault::Before) {
            [Status::Superseded, Status::Locked, Status::Contested]
        } else {
            [Status::Locked, Status::RolledBack, Status::Contested]
        };
        assert_eq!(statuses, expected, "{fault:?}");
    }
}
