//! A request that is made again is done once.

use std::collections::BTreeMap;

use pawl_ledger::{
    command::{Command, Context},
    decide::decide,
    digest::Digest,
    event::ModuleDeclaration,
    id::Timestamp,
    ledger::{Ledger, OpenBoard, RequestKey, TransactError},
    store::{Fault, MAX_VALUE_BYTES, MemoryStore},
};

use super::{board, check_clean, context, created, modules, run, start};
use crate::world::name;

/// Answers a repeatable request; says whether it was done now.
async fn once(
    ledger: &Ledger,
    open: &OpenBoard,
    id: &str,
    answer: &[u8],
    now: u64,
) -> (bool, Vec<u8>) {
    let context = Context {
        now: Timestamp(now),
        ..context()
    };
    let key = RequestKey {
        principal: name("olga"),
        id: id.to_owned(),
    };
    let (outcome, receipt) = ledger
        .transact(open, &context, |transaction| {
            if let Some(remembered) = transaction.remembered(&key)? {
                return Ok::<_, TransactError>((false, remembered.answer));
            }
            let number = transaction.board().modules.len();
            let module = name(&format!("m{number}"));
            let command = Command::DeclareModule(module, ModuleDeclaration::default());
            let events = decide(transaction.board(), transaction.context(), &command)?;
            transaction.apply(events, &BTreeMap::new())?;
            transaction.remember(key, Digest::of(id.as_bytes()), answer.to_vec());
            Ok((true, answer.to_vec()))
        })
        .unwrap();
    receipt.durable().await.unwrap();
    outcome
}

#[test]
fn a_request_is_done_once_in_the_race_and_after_opening_again() {
    let store = MemoryStore::new();
    run(async {
        let (ledger, open) = created(&store).await;
        // Not awaited one after the other: the second comes while the first waits for its sync.
        let (one, two) = tokio::join!(
            once(&ledger, &open, "r1", b"yes", 5_000),
            once(&ledger, &open, "r1", b"no", 5_000)
        );
        assert_eq!(
            (one, two),
            ((true, b"yes".to_vec()), (false, b"yes".to_vec()))
        );
        assert!(once(&ledger, &open, "r2", b"yes", 5_000).await.0);
    });
    let store = store.crash();
    run(async {
        let ledger = start(&store);
        let open = ledger.open(&board("trial")).unwrap().unwrap();
        assert_eq!(
            once(&ledger, &open, "r1", b"no", 6_000).await,
            (false, b"yes".to_vec())
        );
        let week = 7 * 24 * 60 * 60 * 1_000;
        assert!(!once(&ledger, &open, "r1", b"no", 5_000 + week - 1).await.0);
        assert!(once(&ledger, &open, "r1", b"later", 5_000 + week).await.0);
        assert_eq!(modules(&open).len(), 3);
    });
    check_clean(&store);
}

#[test]
fn a_request_whose_commit_failed_can_be_made_again() {
    let store = MemoryStore::new();
    run(async {
        let (ledger, open) = created(&store).await;
        store.fail(1, Fault::Before);
        let key = RequestKey {
            principal: name("olga"),
            id: "r1".into(),
        };
        let context = context();
        let ((), receipt) = ledger
            .transact(&open, &context, |transaction| {
                transaction.remember(key, Digest::of(b""), b"lost".to_vec());
                Ok::<_, TransactError>(())
            })
            .unwrap();
        assert!(receipt.durable().await.is_err());
        let open = ledger.open(&board("trial")).unwrap().unwrap();
        assert!(once(&ledger, &open, "r1", b"kept", 5_000).await.0);
    });
    check_clean(&store);
}

#[test]
fn an_answer_of_any_length_is_remembered() {
    let store = MemoryStore::new();
    let lengths: Vec<usize> = (0..90)
        .map(|less| MAX_VALUE_BYTES - less)
        .chain([0, 300_000])
        .collect();
    run(async {
        let (ledger, open) = created(&store).await;
        for length in &lengths {
            once(
                &ledger,
                &open,
                &format!("r{length}"),
                &vec![7; *length],
                5_000,
            )
            .await;
        }
    });
    let store = store.crash();
    run(async {
        let ledger = start(&store);
        let open = ledger.open(&board("trial")).unwrap().unwrap();
        for length in lengths {
            let answer = once(&ledger, &open, &format!("r{length}"), b"", 5_000).await;
            assert_eq!(answer, (false, vec![7; length]));
        }
        let week = 7 * 24 * 60 * 60 * 1_000;
        assert!(
            once(&ledger, &open, "r300000", b"short", 5_000 + week)
                .await
                .0
        );
        assert!(!once(&ledger, &open, "r300000", b"", 5_000 + week).await.0);

        let late = Timestamp(5_000 + week);
        assert!(ledger.forget_answers(&open, late).await.unwrap() > 90);
        assert_eq!(ledger.forget_answers(&open, late).await.unwrap(), 0);
        assert!(!once(&ledger, &open, "r300000", b"", 5_000 + week).await.0);
    });
    check_clean(&store);
}
