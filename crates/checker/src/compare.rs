//! Compares two statements: can they be about the same, and if so, do they exclude each other.

use pawl_ledger::finding::{FindingKind, Score};
use serde::{Deserialize, Serialize};

use crate::comparable::{self, Comparability};
use crate::score::score;
use crate::statement::{Span, Statement};
use crate::view::View;
use crate::vocabulary::Vocabulary;
use crate::{category, keyed, negation, numeric, operators, opposites};

/// The version of the rules, recorded with each verdict; it changes whenever a verdict can.
pub const VERSION: &str = "3";

/// What comparing two statements gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// Whether the two can be about the same thing, and what separates them if not.
    pub comparable: Comparability,
    /// What they disagree in, the surest first; empty when they can stand together.
    pub findings: Vec<Judgement>,
}

/// One disagreement, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// What they disagree in.
    pub kind: FindingKind,
    /// How sure that is.
    pub score: Score,
    /// One sentence in the language of the new text.
    pub reason: String,
    /// Where it stands in the new text.
    pub new_spans: Vec<Span>,
    /// Where it stands in the standing text.
    pub standing_spans: Vec<Span>,
    /// What fired: rule, quantities with intervals, qualifiers compared.
    pub parts: Vec<Part>,
}

/// One thing that fired, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The rule or figure.
    pub name: String,
    /// Its value as text.
    pub value: String,
}

impl Part {
    pub(crate) fn new(name: &str, value: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            value: value.into(),
        }
    }
}

/// From which score a finding is a conflict, and from which it is noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thresholds {
    /// At or above: a conflict.
    pub conflict: Score,
    /// At or above: a note.
    pub note: Score,
}

impl Default for Thresholds {
    /// Chosen for few false alarms on sets that hold no contradiction.
    fn default() -> Self {
        Self {
            conflict: score(6_000),
            note: score(3_500),
        }
    }
}

impl Thresholds {
    /// Flags more, at the price of more false alarms.
    pub fn strict() -> Self {
        Self {
            conflict: score(4_500),
            note: score(2_500),
        }
    }

    /// Flags only what is nearly sure.
    pub fn lenient() -> Self {
        Self {
            conflict: score(8_000),
            note: score(6_000),
        }
    }
}

/// A disagreement, and how to say what it is: that is done for those that somebody is told of.
pub(crate) struct Finding<'a> {
    kind: FindingKind,
    score: Score,
    explain: Box<dyn FnOnce() -> Explanation + 'a>,
}

/// What a disagreement is, in words.
pub(crate) struct Explanation {
    pub(crate) reason: String,
    pub(crate) new_spans: Vec<Span>,
    pub(crate) standing_spans: Vec<Span>,
    pub(crate) parts: Vec<Part>,
}

impl<'a> Finding<'a> {
    pub(crate) fn new(
        kind: FindingKind,
        score: Score,
        explain: impl FnOnce() -> Explanation + 'a,
    ) -> Self {
        Self {
            kind,
            score,
            explain: Box::new(explain),
        }
    }

    fn told(self) -> Judgement {
        let explanation = (self.explain)();
        Judgement {
            kind: self.kind,
            score: self.score,
            reason: explanation.reason,
            new_spans: explanation.new_spans,
            standing_spans: explanation.standing_spans,
            parts: explanation.parts,
        }
    }
}

/// Compares a new statement with one that stands; pure and the same on every machine.
///
/// The two are not treated alike in one point: a standing `over 13.8 bn` is read as its writer meant it, a new one
/// by the letter. `cosine` is the similarity of their embeddings in ten-thousandths; it only gates and ranks.
pub fn compare(
    new: &Statement,
    standing: &Statement,
    cosine: Option<i16>,
    vocabulary: &Vocabulary,
) -> Comparison {
    let claims = keyed::claims(new, standing, vocabulary);
    if let Some(decided) = claims.decided {
        return Comparison {
            comparable: decided,
            findings: claims.finding.into_iter().map(Finding::told).collect(),
        };
    }
    let view = View::new(new, standing, cosine, vocabulary);
    let findings = findings(&view, claims.finding);
    Comparison {
        comparable: comparable::texts(&view),
        findings: findings.into_iter().map(Finding::told).collect(),
    }
}

/// What a disagreement is about, and how sure it is.
pub type Scored = (FindingKind, Score);

/// What comparing two statements finds, in the same order, without saying why: for many pairs, of which few are told.
pub fn scores(
    new: &Statement,
    standing: &Statement,
    cosine: Option<i16>,
    vocabulary: &Vocabulary,
) -> Vec<Scored> {
    let claims = keyed::claims(new, standing, vocabulary);
    if claims.decided.is_some() {
        return scored(claims.finding.as_slice());
    }
    let view = View::new(new, standing, cosine, vocabulary);
    scored(&findings(&view, claims.finding))
}

/// Judges two texts; the surest first.
fn findings<'a>(view: &'a View<'a>, of_claims: Option<Finding<'a>>) -> Vec<Finding<'a>> {
    let mut findings: Vec<Finding<'a>> = of_claims.into_iter().collect();
    if view.new.normalised() != view.standing.normalised() && comparable::separation(view).is_none()
    {
        findings.extend(numeric::judge(view));
        findings.extend(opposites::judge(view));
        findings.extend(negation::judge(view));
        findings.extend(operators::judge(view));
        findings.extend(category::judge(view));
    }
    findings.sort_by(|one, other| other.score.cmp(&one.score).then(one.kind.cmp(&other.kind)));
    findings
}

fn scored(findings: &[Finding<'_>]) -> Vec<Scored> {
    findings.iter().map(|it| (it.kind, it.score)).collect()
}
