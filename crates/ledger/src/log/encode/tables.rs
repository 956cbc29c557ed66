//! Tables, authorities and what stands in them, as written.

use pawl_proto::v1::{self as proto, entry::Event as Wire};

use super::{bytes, event_to_wire as other_to_wire};
use crate::{event::Event, log::wire::WireEnum, reference::Reference};

pub(super) fn event_to_wire(event: &Event) -> Wire {
    match event {
        Event::TableMounted {
            table,
            source,
            rows,
            parsed,
            definition,
        } => Wire::TableMounted(proto::TableMounted {
            table: table.to_string(),
            source: source.0.to_vec(),
            rows: *rows,
            parsed: parsed.0.to_vec(),
            definition: bytes(*definition),
        }),
        Event::TableUnmounted { table, reason } => Wire::TableUnmounted(proto::TableUnmounted {
            table: table.to_string(),
            reason: bytes(*reason),
        }),
        Event::AuthorityDeclared {
            authority,
            attributes,
            when_unavailable,
            definition,
        } => Wire::AuthorityDeclared(proto::AuthorityDeclared {
            authority: authority.to_string(),
            attributes: attributes.iter().map(ToString::to_string).collect(),
            when_unavailable: when_unavailable.to_wire(),
            definition: bytes(*definition),
        }),
        Event::LookupRecorded {
            lookup,
            authority,
            answer,
        } => Wire::LookupRecorded(proto::LookupRecorded {
            lookup: lookup.0,
            authority: authority.to_string(),
            answer: bytes(*answer),
        }),
        other => other_to_wire(other),
    }
}

pub(super) fn reference_to_wire(reference: Reference) -> proto::ReferenceRef {
    use proto::reference_ref::What;
    let what = match reference {
        Reference::Row(row) => What::Row(proto::RowRef {
            mounted: row.mounted.0,
            line: row.line,
        }),
        Reference::Answer(lookup) => What::Lookup(lookup.0),
    };
    proto::ReferenceRef { what: Some(what) }
}
