//! The comments of a file by the place of what they are about.

use std::collections::HashMap;

use prost_types::FileDescriptorProto;

/// Comments by path: numbers of fields of the descriptor and places in them, as descriptor.proto tells.
pub(crate) struct Comments(HashMap<Vec<i32>, String>);

impl Comments {
    pub(crate) fn of(file: &FileDescriptorProto) -> Self {
        let locations = file.source_code_info.iter().flat_map(|info| &info.location);
        let comments = locations.filter_map(|location| {
            let comment = location.leading_comments.as_deref()?;
            Some((location.path.clone(), joined(comment)))
        });
        Self(comments.collect())
    }

    pub(crate) fn at(&self, path: &[i32]) -> &str {
        self.0.get(path).map_or("", String::as_str)
    }
}

/// A comment as one paragraph.
fn joined(comment: &str) -> String {
    let lines: Vec<&str> = comment.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}
