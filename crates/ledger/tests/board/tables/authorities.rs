//! Authorities and what they answered.

use pawl_ledger::{
    command::Command,
    decide::Reason,
    finding::FindingKind,
    id::{LookupId, Position},
    reference::{Against, FreshAnswer, Reference},
    status::{Verdict, WhenUnavailable},
};

use super::against;
use crate::world::{World, name};

fn declare(world: &mut World, attributes: &[&str]) -> Result<Position, Reason> {
    let command = Command::DeclareAuthority {
        authority: name("registry"),
        attributes: attributes.iter().map(|it| name(it)).collect(),
        when_unavailable: WhenUnavailable::Note,
        definition: world.says("an address"),
    };
    let position = world.board.position();
    let done = world.act("olga", command);
    done.map(|_| position).map_err(|denied| denied.reason)
}

#[test]
fn answers_are_recorded_once_and_refuse() {
    let mut world = World::new();
    world.attribute("capacity");
    let declared = declare(&mut world, &["capacity"]).unwrap();
    let fresh = FreshAnswer {
        authority: name("registry"),
        declared,
        answer: world.says("45 GW"),
    };
    let mut proposals = Vec::new();
    for _ in 0..2 {
        let mut proposal = against(&mut world, Against::Fresh(0), FindingKind::ClaimKey);
        proposal.report.answers = vec![fresh.clone()];
        proposals.push(proposal);
    }
    let decisions = world.submit_all("ann", proposals).unwrap();
    let answer = Reference::Answer(LookupId(1));
    for decision in &decisions {
        assert_eq!(decision.verdict, Verdict::Refused);
        let conflict = world.board.conflict(decision.conflicts[0]).unwrap();
        assert_eq!(conflict.reference, Some(answer));
    }
    assert_eq!(world.board.lookups.len(), 1);
    world.check();
    // Another declaration: what was answered under the first counts no more.
    declare(&mut world, &["capacity"]).unwrap();
    let mut late = against(&mut world, Against::Fresh(0), FindingKind::ClaimKey);
    late.report.answers = vec![fresh];
    assert_eq!(
        world.submit("ann", late).unwrap().verdict,
        Verdict::Accepted
    );
    assert!(world.board.open_conflicts().next().is_none());
    world.check();
}

#[test]
fn authorities_have_their_conditions() {
    let mut world = World::new();
    assert_eq!(declare(&mut world, &[]), Err(Reason::AuthorityUnknown));
    assert_eq!(
        declare(&mut world, &["capacity"]),
        Err(Reason::AttributeUnknown)
    );
    world.attribute("capacity");
    declare(&mut world, &["capacity"]).unwrap();
    declare(&mut world, &[]).unwrap();
    assert_eq!(declare(&mut world, &[]), Err(Reason::AuthorityUnknown));
    world.check();
}
