//! Validates, seals, amends, rolls back and decides.

use pawl_ledger::{
    command::{Command, PairFinding, Proposal},
    decide::Denied,
    digest::Digest,
    event::Event,
    id::{ConflictId, RevisionId},
    module::SealMode,
    status::QuoteCheck,
};

use super::{World, name};

impl World {
    pub(crate) fn validate(&mut self, revision: RevisionId) {
        let evidence = vec![self.cites(2, QuoteCheck::Exact)];
        self.act("vera", Command::Validate { revision, evidence })
            .unwrap();
    }

    pub(crate) fn seal(
        &mut self,
        who: &str,
        module: &str,
        mode: SealMode,
    ) -> Result<Digest, Denied> {
        self.seal_only(who, module, None, mode)
    }

    pub(crate) fn seal_only(
        &mut self,
        who: &str,
        module: &str,
        only: Option<RevisionId>,
        mode: SealMode,
    ) -> Result<Digest, Denied> {
        let module = name(module);
        let events = self.act(who, Command::Seal { module, only, mode })?;
        let taken = events.iter().find_map(|event| match event {
            Event::SnapshotTaken { id, .. } => Some(*id),
            _ => None,
        });
        Ok(taken.unwrap())
    }

    /// Makes a locked revision of ann's in a module of which it is the only member sealed now.
    pub(crate) fn locked(&mut self, module: &str, mode: SealMode) -> RevisionId {
        let revision = self.accepted("ann", module);
        self.validate(revision);
        self.seal_only("axel", module, Some(revision), mode)
            .unwrap();
        revision
    }

    pub(crate) fn amend(&mut self, who: &str, old: RevisionId) -> Result<RevisionId, Denied> {
        let proposal = self.statement("market");
        self.amend_with(who, old, proposal)
    }

    pub(crate) fn amend_with(
        &mut self,
        who: &str,
        old: RevisionId,
        proposal: Proposal,
    ) -> Result<RevisionId, Denied> {
        let evidence = vec![self.cites(3, QuoteCheck::Exact)];
        let command = Command::Amend {
            old,
            proposal: Box::new(proposal),
            reason: self.says("it was revised"),
            evidence,
        };
        self.act(who, command)?;
        Ok(self.board.latest(old.assertion).unwrap())
    }

    pub(crate) fn rollback(
        &mut self,
        who: &str,
        module: &str,
        to: Digest,
    ) -> Result<Vec<Event>, Denied> {
        self.rollback_with(who, module, to, Vec::new())
    }

    pub(crate) fn rollback_with(
        &mut self,
        who: &str,
        module: &str,
        to: Digest,
        findings: Vec<(RevisionId, PairFinding)>,
    ) -> Result<Vec<Event>, Denied> {
        let command = Command::Rollback {
            module: name(module),
            to,
            reason: self.says("the amendment was a mistake"),
            evidence: vec![self.cites(4, QuoteCheck::Exact)],
            findings,
        };
        self.act(who, command)
    }

    pub(crate) fn retract(
        &mut self,
        who: &str,
        revision: RevisionId,
    ) -> Result<Vec<Event>, Denied> {
        let reason = self.says("it was wrong");
        self.act(who, Command::Retract { revision, reason })
    }

    pub(crate) fn resolve(
        &mut self,
        who: &str,
        conflict: ConflictId,
        winner: RevisionId,
    ) -> Result<Vec<Event>, Denied> {
        let reason = self.says("the better source");
        let command = Command::Resolve {
            conflict,
            winner,
            reason,
        };
        self.act(who, command)
    }

    pub(crate) fn dismiss(
        &mut self,
        who: &str,
        conflict: ConflictId,
    ) -> Result<Vec<Event>, Denied> {
        let reason = self.says("no contradiction");
        self.act(who, Command::Dismiss { conflict, reason })
    }
}
