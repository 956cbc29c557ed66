//! From an entry's bytes back to its event. Accepts nothing that `encode` would not have written.

use pawl_proto::v1::{self as proto, entry::Event as Wire};
use prost::Message;

use super::{
    encode::{Header, encode, encode_snapshot},
    rules,
    tree::{NodeHash, leaf_hash},
    wire::{
        WireEnum, WireError, invalid, phase, policy, quotas, revision, score, seal_figures,
        seal_policy,
    },
};
use crate::{
    digest::{Commitment, Digest},
    event::{Challenger, Citation, Event, ModuleDeclaration, Recorded, Submitted},
    id::{ConflictId, FlagId, IdError, LookupId, Position, RefusalId, RevisionId, Timestamp},
    reference::{Reference, RowRef},
    rule::Day,
    snapshot::Snapshot,
};

/// Bytes that are no entry.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// They are no protobuf message of this form.
    #[error("the bytes are no entry: {0}")]
    Protobuf(#[from] prost::DecodeError),
    /// A field holds no valid value.
    #[error(transparent)]
    Field(#[from] WireError),
    /// A name is not valid.
    #[error(transparent)]
    Name(#[from] IdError),
    /// The event is missing or of a kind this version does not know.
    #[error("the entry holds no event that this version knows")]
    Event,
    /// They say what an entry says, in other bytes: with a field nobody knows, or one that stands twice.
    #[error("the bytes are not the ones this version writes for what they say")]
    Form,
}

pub(super) type Decoded<T> = Result<T, DecodeError>;

/// Decodes an entry's bytes.
pub fn decode(bytes: &[u8]) -> Decoded<Recorded> {
    let entry = proto::Entry::decode(bytes)?;
    let header = Header {
        board: entry.board.parse()?,
        position: Position(entry.position),
        at: Timestamp(entry.at_ms),
        principal: entry.principal.parse()?,
    };
    let event = event(entry.event.ok_or(DecodeError::Event)?)?;
    // Protobuf reads one thing from many bytes, and the tree is over bytes.
    if encode(&header, &event) != bytes {
        return Err(DecodeError::Form);
    }
    Ok(Recorded {
        board: header.board,
        position: header.position,
        at: header.at,
        principal: header.principal,
        event,
        leaf: leaf_hash(bytes),
    })
}

/// Decodes a snapshot's bytes.
pub fn decode_snapshot(bytes: &[u8]) -> Decoded<Snapshot> {
    let wire = proto::Snapshot::decode(bytes)?;
    let parents = wire.parents.iter().map(|parent| digest(parent, "parents"));
    let snapshot = Snapshot {
        module: wire.module.parse()?,
        only: wire.only.as_ref().map(revision),
        mode: WireEnum::from_wire(wire.mode, "mode")?,
        cause: WireEnum::from_wire(wire.cause, "cause")?,
        member_count: wire.member_count,
        member_root: NodeHash::from_slice(&wire.member_root).ok_or(invalid("member_root"))?,
        parents: parents.collect::<Decoded<_>>()?,
        policy: seal_policy(wire.policy.as_ref().ok_or(invalid("policy"))?)?,
        figures: seal_figures(wire.figures.as_ref().ok_or(invalid("figures"))?)?,
        sealed_by: wire.sealed_by.parse()?,
        at: Timestamp(wire.at_ms),
        position: Position(wire.position),
    };
    if encode_snapshot(&snapshot) != bytes {
        return Err(DecodeError::Form);
    }
    Ok(snapshot)
}

fn event(wire: Wire) -> Decoded<Event> {
    Ok(match wire {
        Wire::BoardCreated(wire) => Event::BoardCreated {
            policy: policy(&wire.policy.ok_or(invalid("policy"))?)?,
        },
        Wire::PolicyChanged(wire) => Event::PolicyChanged {
            policy: policy(&wire.policy.ok_or(invalid("policy"))?)?,
        },
        Wire::RoleGranted(wire) => Event::RoleGranted {
            principal: wire.principal.parse()?,
            role: WireEnum::from_wire(wire.role, "role")?,
        },
        Wire::RoleRevoked(wire) => Event::RoleRevoked {
            principal: wire.principal.parse()?,
            role: WireEnum::from_wire(wire.role, "role")?,
        },
        Wire::ModuleDeclared(wire) => Event::ModuleDeclared {
            module: wire.module.parse()?,
            declaration: ModuleDeclaration {
                owners: parse_all(&wire.owners)?,
                depends_on: parse_all(&wire.depends_on)?,
                expected: parse_all(&wire.expected)?,
                policy: seal_policy(&wire.policy.ok_or(invalid("policy"))?)?,
            },
        },
        Wire::AttributeDeclared(wire) => Event::AttributeDeclared {
            attribute: wire.attribute.parse()?,
            value_type: WireEnum::from_wire(wire.r#type, "type")?,
            multi_valued: wire.multi_valued,
            definition: commitment(&wire.definition, "definition")?,
        },
        Wire::SourceRegistered(wire) => Event::SourceRegistered {
            source: digest(&wire.source, "source")?,
            size_bytes: wire.size_bytes,
            kept: wire.kept,
            description: commitment(&wire.description, "description")?,
            replaces: optional(&wire.replaces, |bytes| digest(bytes, "replaces"))?,
            rank: Some(wire.rank).filter(|rank| *rank > 0),
            dated: wire.dated_day.map(Day),
        },
        Wire::TableMounted(_)
        | Wire::TableUnmounted(_)
        | Wire::AuthorityDeclared(_)
        | Wire::LookupRecorded(_) => table_event(wire)?,
        Wire::Submitted(wire) => Event::Submitted(Box::new(submitted(&wire)?)),
        Wire::Corroborated(wire) => Event::Corroborated {
            revision: required(wire.revision.as_ref())?,
            citations: citations(&wire.citations)?,
        },
        Wire::Validated(wire) => Event::Validated {
            revision: required(wire.revision.as_ref())?,
            evidence: citations(&wire.evidence)?,
        },
        Wire::Retracted(wire) => Event::Retracted {
            revision: required(wire.revision.as_ref())?,
            reason: commitment(&wire.reason, "reason")?,
        },
        Wire::Reaffirmed(wire) => Event::Reaffirmed {
            revision: required(wire.revision.as_ref())?,
            supports: wire.supports.iter().map(revision).collect(),
            reason: commitment(&wire.reason, "reason")?,
        },
        Wire::Flagged(wire) => Event::Flagged {
            flag: FlagId(wire.flag),
            revision: required(wire.revision.as_ref())?,
            reason: commitment(&wire.reason, "reason")?,
            citations: citations(&wire.citations)?,
        },
        Wire::FlagClosed(wire) => Event::FlagClosed {
            flag: FlagId(wire.flag),
            reason: commitment(&wire.reason, "reason")?,
        },
        Wire::Amended(wire) => Event::Amended {
            old: required(wire.old.as_ref())?,
            new: required(wire.new.as_ref())?,
            reason: commitment(&wire.reason, "reason")?,
            evidence: citations(&wire.evidence)?,
        },
        Wire::RolledBack(wire) => Event::RolledBack {
            module: wire.module.parse()?,
            to: digest(&wire.to, "to")?,
            reason: commitment(&wire.reason, "reason")?,
            evidence: citations(&wire.evidence)?,
        },
        Wire::SnapshotTaken(wire) => Event::SnapshotTaken {
            id: Digest::of(&wire.snapshot),
            snapshot: Box::new(decode_snapshot(&wire.snapshot)?),
        },
        Wire::Refused(wire) => Event::Refused {
            refusal: RefusalId(wire.refusal),
            module: wire.module.parse()?,
            content: commitment(&wire.content, "content")?,
            check: commitment(&wire.check, "check")?,
            earlier_attempts: wire.earlier_attempts,
        },
        Wire::ConflictOpened(wire) => conflict_opened(&wire)?,
        Wire::ConflictAppealed(wire) => Event::ConflictAppealed {
            conflict: ConflictId(wire.conflict),
            reason: commitment(&wire.reason, "reason")?,
        },
        Wire::ConflictResolved(wire) => rules::resolved(&wire)?,
        Wire::Rescanned(wire) => Event::Rescanned(rules::rescan(wire)?),
        Wire::ResolutionRulesSet(wire) => rules::rules(&wire)?,
        Wire::ConflictDismissed(wire) => Event::ConflictDismissed {
            conflict: ConflictId(wire.conflict),
            reason: commitment(&wire.reason, "reason")?,
        },
        Wire::PhasesDeclared(wire) => Event::PhasesDeclared {
            phases: wire.phases.iter().map(phase).collect::<Result<_, _>>()?,
        },
        Wire::PhaseEntered(wire) => Event::PhaseEntered {
            phase: wire.phase.parse()?,
            reason: optional(&wire.reason, |reason| commitment(reason, "reason"))?,
        },
        Wire::QuotasSet(wire) => Event::QuotasSet {
            quotas: quotas(&wire.quotas.ok_or(invalid("quotas"))?),
        },
        Wire::BoardArchived(wire) => Event::BoardArchived {
            reason: commitment(&wire.reason, "reason")?,
        },
        Wire::BoardReopened(wire) => Event::BoardReopened {
            reason: commitment(&wire.reason, "reason")?,
        },
        Wire::SourceRemoved(wire) => Event::SourceRemoved {
            source: digest(&wire.source, "source")?,
        },
    })
}

fn submitted(wire: &proto::Submitted) -> Decoded<Submitted> {
    Ok(Submitted {
        revision: required(wire.revision.as_ref())?,
        module: wire.module.parse()?,
        level: WireEnum::from_wire(wire.level, "level")?,
        kind: WireEnum::from_wire(wire.kind, "kind")?,
        confidence: score(wire.confidence, "confidence")?,
        content: commitment(&wire.content, "content")?,
        words: optional(&wire.words, |words| commitment(words, "words"))?,
        citations: citations(&wire.citations)?,
        supports: wire.supports.iter().map(revision).collect(),
        replaces: wire.replaces.as_ref().map(revision),
        base: Position(wire.base),
        attribute: optional(wire.attribute.as_bytes(), |_| Ok(wire.attribute.parse()?))?,
        verdict: WireEnum::from_wire(wire.verdict, "verdict")?,
        check: commitment(&wire.check, "check")?,
        valid_from: wire.valid_from_day.map(Day),
    })
}

fn conflict_opened(wire: &proto::ConflictOpened) -> Decoded<Event> {
    use proto::conflict_opened::Challenger as WireChallenger;
    Ok(Event::ConflictOpened {
        conflict: ConflictId(wire.conflict),
        challenger: match wire.challenger.as_ref().ok_or(invalid("challenger"))? {
            WireChallenger::Revision(challenger) => Challenger::Revision(revision(challenger)),
            WireChallenger::Refusal(refusal) => Challenger::Refusal(RefusalId(*refusal)),
        },
        standing: wire.standing.as_ref().map(revision),
        reference: wire.reference.as_ref().map(reference).transpose()?,
        cause: WireEnum::from_wire(wire.kind, "kind")?,
        score: score(wire.score, "score")?,
        rescan: wire.rescan,
    })
}

fn reference(wire: &proto::ReferenceRef) -> Decoded<Reference> {
    use proto::reference_ref::What;
    Ok(match wire.what.as_ref().ok_or(invalid("reference"))? {
        What::Row(row) => Reference::Row(RowRef {
            mounted: Position(row.mounted),
            line: row.line,
        }),
        What::Lookup(lookup) => Reference::Answer(LookupId(*lookup)),
    })
}

fn table_event(wire: Wire) -> Decoded<Event> {
    Ok(match wire {
        Wire::TableMounted(wire) => Event::TableMounted {
            table: wire.table.parse()?,
            source: digest(&wire.source, "source")?,
            rows: wire.rows,
            parsed: digest(&wire.parsed, "parsed")?,
            definition: commitment(&wire.definition, "definition")?,
        },
        Wire::TableUnmounted(wire) => Event::TableUnmounted {
            table: wire.table.parse()?,
            reason: commitment(&wire.reason, "reason")?,
        },
        Wire::AuthorityDeclared(wire) => Event::AuthorityDeclared {
            authority: wire.authority.parse()?,
            attributes: parse_all(&wire.attributes)?,
            when_unavailable: WireEnum::from_wire(wire.when_unavailable, "when_unavailable")?,
            definition: commitment(&wire.definition, "definition")?,
        },
        Wire::LookupRecorded(wire) => Event::LookupRecorded {
            lookup: LookupId(wire.lookup),
            authority: wire.authority.parse()?,
            answer: commitment(&wire.answer, "answer")?,
        },
        _ => return Err(DecodeError::Event),
    })
}

fn citations(wire: &[proto::CitationEntry]) -> Decoded<Vec<Citation>> {
    wire.iter()
        .map(|citation| {
            Ok(Citation {
                source: digest(&citation.source, "source")?,
                quote: commitment(&citation.quote, "quote")?,
                check: WireEnum::from_wire(citation.check, "check")?,
            })
        })
        .collect()
}

fn parse_all<T: std::str::FromStr<Err = IdError>>(names: &[String]) -> Decoded<Vec<T>> {
    Ok(names
        .iter()
        .map(|name| name.parse())
        .collect::<Result<_, _>>()?)
}

fn required(wire: Option<&proto::RevisionRef>) -> Decoded<RevisionId> {
    Ok(revision(wire.ok_or(invalid("revision"))?))
}

pub(super) fn digest(bytes: &[u8], field: &'static str) -> Decoded<Digest> {
    Ok(Digest::from_slice(bytes).ok_or(invalid(field))?)
}

pub(super) fn commitment(bytes: &[u8], field: &'static str) -> Decoded<Commitment> {
    digest(bytes, field).map(Commitment)
}

pub(super) fn optional<T>(
    bytes: &[u8],
    read: impl FnOnce(&[u8]) -> Decoded<T>,
) -> Decoded<Option<T>> {
    if bytes.is_empty() {
        Ok(None)
    } else {
        read(bytes).map(Some)
    }
}
