//! Code generated from `proto/pawl/v1`, nothing else.

/// Package `pawl.v1`.
pub mod v1 {
    tonic::include_proto!("pawl.v1");

    /// The encoded descriptors of the package and its imports, for reflection.
    pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
}
