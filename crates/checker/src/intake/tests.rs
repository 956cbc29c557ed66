//! The parser beside the published schema, and what it says of documents that are wrong.
