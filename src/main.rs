//! The command-line program `kinegraph`.

use kinegraph::cli;
use kinegraph::files::Catalog;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(&Catalog::standard())
}
