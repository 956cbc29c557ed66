//! The binary `pawl` for the tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    pawl_server::cli::main()
}
