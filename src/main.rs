//! The command-line program `kinegraph`.

use kinegraph::cli::{Console, run};
use kinegraph::simulate::FileSimulator;
use std::io::{IsTerminal, stderr, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut out, mut err) = (stdout(), stderr());
    let interactive = err.is_terminal();
    let mut console = Console { out: &mut out, err: &mut err, interactive };
    ExitCode::from(run(std::env::args_os(), &FileSimulator, &mut console))
}
