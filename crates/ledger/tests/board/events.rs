//! Arbitrary events of every kind.

mod parts;

use pawl_ledger::{
    digest::Digest,
    event::{Event, ModuleDeclaration, Submitted},
    id::{AttributeName, BoardName, ConflictId, FlagId, LookupId, Position, RefusalId, Timestamp},
    log::{Header, encode_snapshot, tree::NodeHash},
    module::SealFigures,
    snapshot::{Snapshot, SnapshotCause},
    status::{Kind, Level, Role, ValueType, Verdict, WhenUnavailable},
};
use proptest::{collection::vec, option, prelude::*, sample::select};

use self::parts::{
    cause, challenger, citations, commitment, day, digest, grounds, mode, module, named, phase,
    policy, principal, quotas, rescan, revision, rules, score, seal_policy, side,
};

pub(crate) fn snapshot() -> impl Strategy<Value = Snapshot> {
    let figures =
        (any::<[u32; 3]>(), score(), score()).prop_map(|(counts, least, complete)| SealFigures {
            members: counts[0],
            validated: counts[1],
            least_confidence: least,
            completeness: complete,
            challengers_left_out: counts[2],
        });
    let causes = [
        SnapshotCause::Seal,
        SnapshotCause::Amendment,
        SnapshotCause::Rollback,
    ];
    let what = (
        module(),
        option::of(revision()),
        mode(),
        select(causes.to_vec()),
    );
    let members = (any::<u32>(), any::<[u8; 32]>(), vec(digest(), 0..4));
    let measured = (seal_policy(), figures);
    let stamp = (principal(), any::<u64>(), any::<u64>());
    (what, members, measured, stamp).prop_map(|(what, members, measured, stamp)| Snapshot {
        module: what.0,
        only: what.1,
        mode: what.2,
        cause: what.3,
        member_count: members.0,
        member_root: NodeHash(members.1),
        parents: members.2,
        policy: measured.0,
        figures: measured.1,
        sealed_by: stamp.0,
        at: Timestamp(stamp.1),
        position: Position(stamp.2),
    })
}

fn submitted() -> impl Strategy<Value = Event> {
    let what = (
        revision(),
        module(),
        select(Level::ALL),
        select(Kind::ALL),
        score(),
    );
    let words = (commitment(), option::of(commitment()), citations());
    let rests = (vec(revision(), 0..4), option::of(revision()), any::<u64>());
    let judged = (
        option::of(named::<AttributeName>()),
        select(Verdict::ALL),
        (commitment(), option::of(day())),
    );
    (what, words, rests, judged).prop_map(|(what, words, rests, judged)| {
        Event::Submitted(Box::new(Submitted {
            revision: what.0,
            module: what.1,
            level: what.2,
            kind: what.3,
            confidence: what.4,
            content: words.0,
            words: words.1,
            citations: words.2,
            supports: rests.0,
            replaces: rests.1,
            base: Position(rests.2),
            attribute: judged.0,
            verdict: judged.1,
            check: judged.2.0,
            valid_from: judged.2.1,
        }))
    })
}

fn declared() -> impl Strategy<Value = Event> {
    let lists = (
        vec(principal(), 0..3),
        vec(module(), 0..3),
        vec(named::<AttributeName>(), 0..3),
    );
    prop_oneof![
        policy().prop_map(|policy| Event::BoardCreated { policy }),
        policy().prop_map(|policy| Event::PolicyChanged { policy }),
        (principal(), select(Role::ALL))
            .prop_map(|(principal, role)| Event::RoleGranted { principal, role }),
        (principal(), select(Role::ALL))
            .prop_map(|(principal, role)| Event::RoleRevoked { principal, role }),
        (module(), lists, seal_policy()).prop_map(|(module, lists, policy)| {
            let (owners, depends_on, expected) = lists;
            let declaration = ModuleDeclaration {
                owners,
                depends_on,
                expected,
                policy,
            };
            Event::ModuleDeclared {
                module,
                declaration,
            }
        }),
        (named(), select(ValueType::ALL), any::<bool>(), commitment()).prop_map(
            |(attribute, value_type, multi_valued, definition)| Event::AttributeDeclared {
                attribute,
                value_type,
                multi_valued,
                definition,
            }
        ),
        (
            digest(),
            any::<u64>(),
            any::<bool>(),
            commitment(),
            option::of(digest()),
            (option::of(1..9_u32), option::of(day())),
        )
            .prop_map(|(source, size_bytes, kept, description, replaces, dated)| {
                Event::SourceRegistered {
                    source,
                    size_bytes,
                    kept,
                    description,
                    replaces,
                    rank: dated.0,
                    dated: dated.1,
                }
            }),
    ]
}

fn reviewed() -> impl Strategy<Value = Event> {
    prop_oneof![
        (revision(), citations()).prop_map(|(revision, citations)| Event::Corroborated {
            revision,
            citations
        }),
        (revision(), citations())
            .prop_map(|(revision, evidence)| Event::Validated { revision, evidence }),
        (revision(), commitment())
            .prop_map(|(revision, reason)| Event::Retracted { revision, reason }),
        (revision(), vec(revision(), 0..4), commitment()).prop_map(
            |(revision, supports, reason)| Event::Reaffirmed {
                revision,
                supports,
                reason
            }
        ),
        (any::<u32>(), revision(), commitment(), citations()).prop_map(
            |(flag, revision, reason, citations)| Event::Flagged {
                flag: FlagId(flag),
                revision,
                reason,
                citations,
            }
        ),
        (any::<u32>(), commitment()).prop_map(|(flag, reason)| Event::FlagClosed {
            flag: FlagId(flag),
            reason
        }),
        (revision(), revision(), commitment(), citations()).prop_map(
            |(old, new, reason, evidence)| Event::Amended {
                old,
                new,
                reason,
                evidence
            }
        ),
        (module(), digest(), commitment(), citations()).prop_map(
            |(module, to, reason, evidence)| Event::RolledBack {
                module,
                to,
                reason,
                evidence
            }
        ),
        snapshot().prop_map(|snapshot| Event::SnapshotTaken {
            id: Digest::of(&encode_snapshot(&snapshot)),
            snapshot: Box::new(snapshot),
        }),
    ]
}

fn given() -> impl Strategy<Value = Event> {
    let attributes = vec(named::<AttributeName>(), 0..3);
    prop_oneof![
        (module(), digest(), any::<u32>(), digest(), commitment()).prop_map(
            |(table, source, rows, parsed, definition)| Event::TableMounted {
                table,
                source,
                rows,
                parsed,
                definition,
            }
        ),
        (module(), commitment())
            .prop_map(|(table, reason)| Event::TableUnmounted { table, reason }),
        (
            module(),
            attributes,
            select(WhenUnavailable::ALL),
            commitment()
        )
            .prop_map(|(authority, attributes, when_unavailable, definition)| {
                Event::AuthorityDeclared {
                    authority,
                    attributes,
                    when_unavailable,
                    definition,
                }
            }),
        (any::<u32>(), module(), commitment()).prop_map(|(number, authority, answer)| {
            Event::LookupRecorded {
                lookup: LookupId(number),
                authority,
                answer,
            }
        }),
    ]
}

fn disputed() -> impl Strategy<Value = Event> {
    let conflict = || any::<u32>().prop_map(ConflictId);
    prop_oneof![
        (
            any::<u32>(),
            module(),
            commitment(),
            commitment(),
            any::<u32>()
        )
            .prop_map(|(refusal, module, content, check, earlier_attempts)| {
                Event::Refused {
                    refusal: RefusalId(refusal),
                    module,
                    content,
                    check,
                    earlier_attempts,
                }
            }),
        (
            conflict(),
            challenger(),
            side(),
            cause(),
            (score(), any::<bool>()),
        )
            .prop_map(|(conflict, challenger, side, cause, (score, rescan))| {
                let (standing, reference) = side;
                Event::ConflictOpened {
                    conflict,
                    challenger,
                    standing,
                    reference,
                    cause,
                    score,
                    rescan,
                }
            }),
        (conflict(), commitment())
            .prop_map(|(conflict, reason)| Event::ConflictAppealed { conflict, reason }),
        (conflict(), any::<bool>(), grounds()).prop_map(|(conflict, challenger_wins, grounds)| {
            Event::ConflictResolved {
                conflict,
                challenger_wins,
                grounds,
            }
        }),
        (conflict(), commitment())
            .prop_map(|(conflict, reason)| Event::ConflictDismissed { conflict, reason }),
    ]
}

fn lived() -> impl Strategy<Value = Event> {
    prop_oneof![
        vec(phase(), 0..3).prop_map(|phases| Event::PhasesDeclared { phases }),
        (named(), option::of(commitment()))
            .prop_map(|(phase, reason)| Event::PhaseEntered { phase, reason }),
        quotas().prop_map(|quotas| Event::QuotasSet { quotas }),
        commitment().prop_map(|reason| Event::BoardArchived { reason }),
        commitment().prop_map(|reason| Event::BoardReopened { reason }),
        digest().prop_map(|source| Event::SourceRemoved { source }),
    ]
}

/// Any event, with equal weight on every kind.
pub(crate) fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        1 => submitted(),
        7 => declared(),
        1 => rules(),
        1 => rescan().prop_map(Event::Rescanned),
        9 => reviewed(),
        4 => given(),
        5 => disputed(),
        6 => lived(),
    ]
}

pub(crate) fn header() -> impl Strategy<Value = Header> {
    let fields = (
        named::<BoardName>(),
        any::<u64>(),
        any::<u64>(),
        principal(),
    );
    fields.prop_map(|(board, position, at, principal)| Header {
        board,
        position: Position(position),
        at: Timestamp(at),
        principal,
    })
}
