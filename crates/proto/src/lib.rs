//! Code generated from `proto/pawl/v1`, nothing else.
