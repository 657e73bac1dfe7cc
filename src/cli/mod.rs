//! The command line, one file per subcommand.
//!
//! Exit codes: 0 done, 1 the simulation failed, 2 the input or the usage is wrong.

mod check;
mod graph;
mod linear_file;
mod linearize;
mod profile;
mod progress;
mod report;
mod run;
mod scene;
mod summary;
mod systems;

use crate::simulate::Simulator;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};

/// Everything went well.
pub const DONE: u8 = 0;
/// The simulation failed on the way.
pub const FAILED: u8 = 1;
/// The input or the usage is wrong.
pub const WRONG_INPUT: u8 = 2;

/// Simulate diagrams of plants and controllers, contact included, to the accuracy you ask for.
#[derive(Debug, Parser)]
#[command(name = "kinegraph", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    Check(check::Check),
    Graph(graph::Graph),
    Linearize(linearize::Linearize),
    Scene(scene::PrintScene),
    Systems(systems::Systems),
}

/// Where the command line writes, and whether a person watches.
pub struct Console<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Messages.
    pub err: &'a mut dyn Write,
    /// Whether messages go to a terminal: excerpts of the file, colours and a progress bar.
    pub interactive: bool,
}

/// Runs the command line `args` (the program's name first) and returns the exit code.
pub fn run<I, A>(args: I, simulator: &dyn Simulator, console: &mut Console<'_>) -> u8
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let done = match Cli::try_parse_from(args) {
        Ok(cli) => match cli.command {
            Command::Run(run) => run.execute(simulator, console),
            Command::Check(check) => check.execute(simulator, console),
            Command::Graph(graph) => graph.execute(console),
            Command::Linearize(linearize) => linearize.execute(simulator, console),
            Command::Scene(scene) => scene.execute(console),
            Command::Systems(systems) => systems.execute(console),
        },
        Err(usage) => say_usage(&usage, console),
    };
    // A closed pipe (`kinegraph … | head`) is the reader's wish; any other failure to write is a failure.
    done.unwrap_or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { DONE } else { FAILED })
}

/// `--help` and `--version` are answers, everything else is a mistake.
fn say_usage(usage: &clap::Error, console: &mut Console<'_>) -> io::Result<u8> {
    let text = usage.render();
    if usage.use_stderr() {
        let styled = if console.interactive { text.ansi().to_string() } else { text.to_string() };
        console.err.write_all(styled.as_bytes())?;
        Ok(WRONG_INPUT)
    } else {
        console.out.write_all(text.to_string().as_bytes())?;
        Ok(DONE)
    }
}
