//! The methods of the API, as its descriptors tell them: a finite set, so that they can be labels of
//! figures, and which of them answer in streams.

use std::{collections::HashMap, sync::LazyLock};

use pawl_proto::v1::DESCRIPTORS;
use prost_reflect::DescriptorPool;

/// How a method takes requests and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kind {
    /// Its request is a stream that may stand still.
    pub(super) request_streams: bool,
    /// Its answer is a stream.
    pub(super) answer_streams: bool,
}

/// The label of everything that is not there.
const OTHER: &str = "other";

static METHODS: LazyLock<HashMap<String, Kind>> = LazyLock::new(read);

/// The path of a method or page as a label, and its kind.
pub(super) fn find(path: &str) -> (&'static str, Kind) {
    match METHODS.get_key_value(path) {
        Some((path, kind)) => (path, *kind),
        None => (OTHER, Kind::default()),
    }
}

fn read() -> HashMap<String, Kind> {
    let mut methods = HashMap::new();
    for descriptors in [
        DESCRIPTORS,
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
    ] {
        let Ok(pool) = DescriptorPool::decode(descriptors) else {
            tracing::error!("the descriptors of a service cannot be read");
            continue;
        };
        for method in pool
            .services()
            .flat_map(|it| it.methods().collect::<Vec<_>>())
        {
            let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
            let kind = Kind {
                request_streams: method.is_client_streaming(),
                answer_streams: method.is_server_streaming(),
            };
            methods.insert(path, kind);
        }
    }
    methods.extend(
        super::PAGES
            .iter()
            .map(|page| ((*page).to_owned(), Kind::default())),
    );
    methods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_known_with_their_kind() {
        let check = |path: &str, label: &str, request_streams: bool, answer_streams: bool| {
            let kind = Kind {
                request_streams,
                answer_streams,
            };
            assert_eq!(find(path), (label, kind), "{path}");
        };
        let same = |path: &'static str, request, answer| check(path, path, request, answer);
        same("/pawl.v1.BoardService/GetBoard", false, false);
        same("/pawl.v1.LogService/Watch", false, true);
        same("/pawl.v1.SourceService/UploadSource", true, false);
        same("/grpc.health.v1.Health/Watch", false, true);
        same("/metrics", false, false);
        check("/pawl.v1.BoardService/Nothing", OTHER, false, false);
        check("/../etc/passwd", OTHER, false, false);
    }
}
