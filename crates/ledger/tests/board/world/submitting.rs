//! Writes proposals and submits them.

use pawl_ledger::{
    command::{PairFinding, Proposal, Report},
    decide::{Decision, Denied, Pending, decide_submission},
    finding::{FindingKind, Score},
    id::{ConflictId, RevisionId},
    status::{Kind, Level, QuoteCheck, Verdict},
};

use super::{World, name};

impl World {
    /// A statement that cites source 1, to be changed before it is submitted.
    pub(crate) fn statement(&mut self, module: &str) -> Proposal {
        Proposal {
            module: name(module),
            level: Level::Statement,
            kind: Kind::Fact,
            confidence: Score::clamped(9_500),
            content: self.says("it is so"),
            words: None,
            citations: vec![self.cites(1, QuoteCheck::Exact)],
            supports: Vec::new(),
            replaces: None,
            attribute: None,
            base: None,
            check: self.says("the check"),
            report: Report::default(),
            valid_from: None,
        }
    }

    pub(crate) fn inference(&mut self, module: &str, supports: &[RevisionId]) -> Proposal {
        Proposal {
            level: Level::Inference,
            citations: Vec::new(),
            supports: supports.to_vec(),
            ..self.statement(module)
        }
    }

    pub(crate) fn submit(&mut self, who: &str, proposal: Proposal) -> Result<Decision, Denied> {
        Ok(self.submit_all(who, vec![proposal])?.remove(0))
    }

    /// Submits a batch, of which everything has to be well-formed.
    pub(crate) fn submit_all(
        &mut self,
        who: &str,
        proposals: Vec<Proposal>,
    ) -> Result<Vec<Decision>, Denied> {
        let (context, mut pending) = (self.context(who), Pending::default());
        let decisions = proposals
            .iter()
            .map(|proposal| decide_submission(&self.board, &context, proposal, &mut pending))
            .collect::<Result<Vec<_>, _>>()?;
        let events = decisions.iter().flat_map(|it| it.events.clone()).collect();
        self.apply(who, events);
        Ok(decisions)
    }

    /// Submits something that is accepted, and gives its revision.
    pub(crate) fn accepted(&mut self, who: &str, module: &str) -> RevisionId {
        let proposal = self.statement(module);
        self.accept(who, proposal)
    }

    pub(crate) fn accept(&mut self, who: &str, proposal: Proposal) -> RevisionId {
        let decision = self.submit(who, proposal).unwrap();
        assert_eq!(decision.verdict, Verdict::Accepted);
        decision.revision.unwrap()
    }

    /// Submits something with a scored finding against `standing`, which contests it.
    pub(crate) fn contested(
        &mut self,
        who: &str,
        standing: RevisionId,
    ) -> (RevisionId, ConflictId) {
        let module = self.state(standing).module.to_string();
        let proposal = self.against(&module, &[(standing, FindingKind::Opposite)]);
        let decision = self.submit(who, proposal).unwrap();
        assert_eq!(decision.verdict, Verdict::Contested);
        (decision.revision.unwrap(), decision.conflicts[0])
    }

    pub(crate) fn against(
        &mut self,
        module: &str,
        findings: &[(RevisionId, FindingKind)],
    ) -> Proposal {
        let mut proposal = self.statement(module);
        let finding = |(standing, kind): &(RevisionId, FindingKind)| PairFinding {
            standing: *standing,
            kind: *kind,
            score: Score::clamped(9_000),
        };
        proposal.report.findings = findings.iter().map(finding).collect();
        proposal
    }
}
