//! The binary `pawl`.

use std::process::ExitCode;

fn main() -> ExitCode {
    pawl_server::cli::main()
}
