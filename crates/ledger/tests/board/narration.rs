//! What a person reads of an entry.

use pawl_ledger::{
    command::Command,
    finding::FindingKind,
    module::SealMode,
    narrate::{Narration, narrate},
    status::QuoteCheck,
};

use crate::world::World;

/// Tells the whole log, each entry with the board before it.
fn told(world: &World) -> Vec<Narration> {
    let mut board = pawl_ledger::evolve::begin(&world.log[0].0).unwrap();
    let words = |commitment| Some(world.words.get(&commitment)?.bytes().to_vec());
    let mut told = vec![narrate(&board, &world.log[0].0, &words)];
    for (recorded, _) in &world.log[1..] {
        told.push(narrate(&board, recorded, &words));
        pawl_ledger::evolve::evolve(&mut board, recorded).unwrap();
    }
    told
}

#[track_caller]
fn check_last(world: &World, lines: &[&str]) {
    let told = told(world);
    let last: Vec<String> = told[told.len() - lines.len()..]
        .iter()
        .map(|it| format!("{}: {} [{}]", it.kind, it.summary, it.detail))
        .collect();
    assert_eq!(last, lines);
}

#[test]
fn a_story_is_told_in_sentences() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    check_last(
        &world,
        &["submitted: ben submitted a1@1 to module market: a fact with confidence 0.95 [it is so]"],
    );
    let (challenger, conflict) = world.contested("ann", standing);
    check_last(
        &world,
        &[
            "submitted: ann submitted a2@1 to module market: a fact with confidence 0.95; it is \
         contested [it is so]",
            "conflict_opened: ann opened conflict c1: a2@1 against a1@1, opposite at 0.90 []",
        ],
    );
    world.resolve("axel", conflict, challenger).unwrap();
    check_last(
        &world,
        &[
            "conflict_resolved: axel resolved conflict c1 of a2@1 with a1@1 for a2@1 [the better source]",
        ],
    );
    world.validate(challenger);
    check_last(&world, &["validated: vera validated a2@1 with 1 quote []"]);
    let id = world.seal("axel", "market", SealMode::Hard).unwrap();
    check_last(
        &world,
        &[&format!(
            "snapshot_taken: axel sealed module market, hard: snapshot {} with 1 member []",
            id.short()
        )],
    );
}

#[test]
fn an_entry_names_its_module_and_revisions() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let new = world.amend("axel", old).unwrap();
    let told = told(&world);
    let amended = told.iter().find(|it| it.kind == "amended").unwrap();
    assert_eq!(amended.revisions, [old, new]);
    assert_eq!(amended.module, Some("market".parse().unwrap()));
    assert_eq!(amended.detail, "it was revised");
}

#[test]
fn what_others_wrote_cannot_move_the_cursor_or_pose_as_a_line() {
    let mut world = World::new();
    let mut proposal = world.statement("market");
    proposal.content = world.says("red \u{1b}[31m\nnext\u{202e}\u{200b} end");
    world.accept("ann", proposal);
    let detail = told(&world).pop().unwrap().detail;
    assert_eq!(detail, r"red \u{1b}[31m\nnext\u{202e}\u{200b} end");
}

#[test]
fn words_that_are_gone_are_said_to_be() {
    let mut world = World::new();
    world.accepted("ann", "market");
    world.words.clear();
    assert!(
        told(&world)
            .pop()
            .unwrap()
            .detail
            .contains("no longer kept")
    );
}

#[test]
fn a_soft_lock_that_gave_way_tells_why_without_a_reason_of_anybody() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Soft);
    let mut proposal = world.against("market", &[(old, FindingKind::Quantity)]);
    proposal.citations = (2..=3)
        .map(|it| world.cites(it, QuoteCheck::Exact))
        .collect();
    world.submit("ben", proposal).unwrap();
    let told = told(&world);
    for kind in ["conflict_resolved", "amended"] {
        let told = told.iter().find(|it| it.kind == kind).unwrap();
        assert!(
            told.detail.starts_with("more distinct verified sources"),
            "{told:?}"
        );
    }
}

#[test]
fn long_words_are_cut() {
    let mut world = World::new();
    let revision = world.locked("market", SealMode::Hard);
    let reason = world.says(&"长".repeat(5_000));
    world
        .act(
            "ann",
            Command::Flag {
                revision,
                reason,
                citations: Vec::new(),
            },
        )
        .unwrap();
    assert_eq!(told(&world).pop().unwrap().detail.chars().count(), 2_001);
}

#[test]
fn a_rollback_is_told_with_its_reason() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let to = world.state(old).snapshot.unwrap();
    let taken = world.board.snapshots.get(&to).unwrap().snapshot.position;
    world.amend("axel", old).unwrap();
    world.rollback("axel", "market", to).unwrap();
    let current = world.board.modules[&"market".parse().unwrap()].current;
    check_last(
        &world,
        &[
            &format!(
                "rolled_back: axel rolled module market back to snapshot {}, taken at position \
                 {taken} [the amendment was a mistake]",
                to.short()
            ),
            &format!(
                "snapshot_taken: axel took snapshot {} of the rolled back module market with 1 \
                 member []",
                current.unwrap().short()
            ),
        ],
    );
}
