//! Deleting a board: whatever step fails, it is either whole or on its way out, and the next start
//! goes on with it.

use std::{ops::ControlFlow, sync::Arc};

use pawl_ledger::{
    command::{Command, Context},
    decide::Reason,
    id::BoardName,
    ledger::{DeleteError, Ledger},
    status::Policy,
    store::{Batch, Fault, MemoryStore, Store, keys},
    verify::verify,
};

use crate::world::{NUMBER, World, digest, name};

fn archived() -> (MemoryStore, Context) {
    let mut world = World::new();
    world.accepted("ann", "market");
    let reason = world.says("done");
    world.act("olga", Command::Archive { reason }).unwrap();
    (world.store(), world.context("olga"))
}

fn keys_of(store: &MemoryStore) -> Vec<u8> {
    let mut firsts = Vec::new();
    let mut visit = |key: &[u8], _: &[u8]| {
        firsts.push(key[0]);
        ControlFlow::Continue(())
    };
    store.scan(&[0], &[0xff], &mut visit).unwrap();
    firsts.dedup();
    firsts
}

async fn delete(ledger: &Ledger, context: &Context) -> Result<u64, DeleteError> {
    let name: BoardName = name("trial");
    if let Some(open) = ledger.open(&name).unwrap() {
        ledger.mark_deleted(&open, context).await?;
    }
    go_on(ledger).await
}

/// What a start does.
async fn go_on(ledger: &Ledger) -> Result<u64, DeleteError> {
    let mut removed = 0;
    for number in ledger.being_deleted()? {
        removed += ledger.remove_marked(number).await?;
    }
    for source in ledger.unkept_sources()? {
        ledger.settle_source(source, true).await?;
    }
    Ok(removed)
}

#[tokio::test]
async fn nothing_is_left_but_the_marker() {
    let (store, context) = archived();
    let ledger = Ledger::start(Arc::new(store.clone())).unwrap();
    assert!(delete(&ledger, &context).await.unwrap() > 20);
    assert_eq!(keys_of(&store), b"d");
    assert!(!ledger.has_board(&name("trial")));
    let report = verify(&store).unwrap();
    assert!(report.is_clean() && report.notes.is_empty(), "{report}");
}

#[tokio::test]
async fn its_name_may_be_used_again_and_its_number_never() {
    let (store, context) = archived();
    let ledger = Ledger::start(Arc::new(store.clone())).unwrap();
    delete(&ledger, &context).await.unwrap();
    let board: BoardName = name("trial");
    ledger
        .create_board(&board, Policy::default(), &context)
        .await
        .unwrap()
        .unwrap();
    let open = ledger.open(&board).unwrap().unwrap();
    assert_eq!(
        (open.number.0, open.state.read().position().0),
        (NUMBER.0 + 1, 2)
    );
    assert_eq!(open.usages().total().entries, 2);
    let report = verify(&store).unwrap();
    assert!(report.is_clean() && report.notes.is_empty(), "{report}");
}

#[tokio::test]
async fn only_an_archived_board_is_deleted() {
    let world = World::new();
    let ledger = Ledger::start(Arc::new(world.store())).unwrap();
    let error = delete(&ledger, &world.context("olga")).await.unwrap_err();
    assert!(matches!(error, DeleteError::Denied(it) if it.reason == Reason::NotArchived));
    assert!(ledger.has_board(&name("trial")));
}

#[tokio::test]
async fn a_crash_at_any_step_leaves_it_whole_or_is_gone_on_with() {
    for fault in [Fault::Before, Fault::After] {
        for nth in 1.. {
            let (store, context) = archived();
            let ledger = Ledger::start(Arc::new(store.clone())).unwrap();
            store.fail(nth, fault);
            let result = delete(&ledger, &context).await;
            drop(ledger);
            let left = store.crash();
            let report = verify(&left).unwrap();
            assert!(report.is_clean(), "commit {nth}, {fault:?}: {report}");
            let ledger = Ledger::start(Arc::new(left.clone())).unwrap();
            let whole = ledger.has_board(&name("trial"));
            assert_eq!(whole, nth == 1 && fault == Fault::Before, "commit {nth}");
            if whole {
                let open = ledger.open(&name("trial")).unwrap().unwrap();
                assert!(open.state.read().sources.contains_key(&digest(1)));
            } else {
                go_on(&ledger).await.unwrap();
                assert_eq!(keys_of(&left), b"d", "commit {nth}, {fault:?}");
            }
            if result.is_ok() {
                assert!(nth > 6, "so few commits: {nth}");
                break;
            }
        }
    }
}

#[tokio::test]
async fn counts_that_are_missing_are_made_anew() {
    let (store, context) = archived();
    let counted = |store: &MemoryStore| {
        let ledger = Ledger::start(Arc::new(store.clone())).unwrap();
        let open = ledger.open(&name("trial")).unwrap().unwrap();
        let usages = open.usages();
        let each: Vec<_> = usages.each().map(|(who, it)| (who.clone(), *it)).collect();
        each
    };
    let before = counted(&store);
    let removed = Batch {
        deletes: vec![keys::usage(NUMBER, &context.principal)],
        ..Batch::default()
    };
    store.commit(&removed).unwrap();
    assert!(!verify(&store).unwrap().is_clean());
    assert_eq!(counted(&store), before);

    let ledger = Ledger::start(Arc::new(store.clone())).unwrap();
    let open = ledger.open(&name("trial")).unwrap().unwrap();
    let words = pawl_ledger::digest::Words::new([7; 32], b"again".to_vec());
    let reason = words.commitment();
    let (_, receipt) = ledger
        .transact(&open, &context, |transaction| {
            let words = [(reason, words)].into();
            let events = vec![pawl_ledger::event::Event::BoardReopened { reason }];
            transaction.apply(events, &words).map(<[_]>::len)
        })
        .unwrap();
    receipt.durable().await.unwrap();
    let report = verify(&store).unwrap();
    assert!(report.is_clean() && report.notes.is_empty(), "{report}");
}
