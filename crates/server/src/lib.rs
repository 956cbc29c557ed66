//! Speaks: the doors of the server and the command line of `pawl`.

pub mod cli;
