//! Speaks: the doors of the server and the command line of `pawl`.

pub mod app;
pub mod auth;
mod checkup;
pub mod cli;
pub mod config;
mod demo;
pub mod grpc;
pub mod http;
pub mod metrics;
pub mod serve;
pub mod tls;
