//! The command line, one file per subcommand.
//!
//! Exit codes: 0 done, 1 the simulation failed, 2 the input or the usage is wrong, 3 the simulation ended well but
//! violates a requirement of its file, 128 + n signal n ended the run (130 Ctrl-C).

mod again;
mod check;
mod compare;
mod comparison_table;
mod console;
mod fit;
mod fit_arm;
mod fit_plan;
mod gradient;
mod graph;
mod import;
mod integrators;
mod junit;
mod linear_file;
mod linear_tables;
mod linearize;
mod live;
mod live_desk;
#[doc(hidden)]
pub mod mass_table;
mod model_scene;
mod notes;
#[doc(hidden)]
pub mod number_list;
#[doc(hidden)]
pub mod numbers;
mod output;
#[doc(hidden)]
pub mod outputs;
mod pace;
mod page;
mod parameters;
mod plot;
mod profile;
#[doc(hidden)]
pub mod progress;
mod recordings;
mod reference;
mod replay;
#[doc(hidden)]
pub mod report;
mod root_locus;
mod rules;
mod run;
mod run_options;
mod scenario;
mod scene;
mod screenshot;
#[doc(hidden)]
pub mod signals;
mod summary;
mod sweep;
mod systems;
mod test;
mod test_files;
#[doc(hidden)]
pub mod text_only;
mod verify;
mod view;
#[doc(hidden)]
pub mod waiting_acts;

pub use console::{Console, DONE, FAILED, VIOLATED, WRONG_INPUT};

use crate::files::Catalog;
use crate::io_reason::plain_reason;
use crate::scenario::{FileSimulator, Simulator};
use clap::{Parser, Subcommand};
use kinegraph_systems::memory;
use signals::SignalHandling;
use std::ffi::OsString;
use std::io::{self, IsTerminal, stderr, stdout};
use std::process::ExitCode;
use text_only::{TextOnly, styled};

/// Simulate diagrams of plants and controllers, contact included, to the accuracy you ask for.
#[derive(Debug, Parser)]
#[command(name = "kinegraph", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Let the diagram and its models name files outside of their folders, packages and `model_paths`
    #[arg(long, global = true)]
    allow_outside: bool,
    /// Refuse what would take more memory than this, e.g. 4GB [default: three quarters of the machine's]
    #[arg(long, global = true, value_name = "SIZE", value_parser = memory::parse_size)]
    memory: Option<u64>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    Check(check::Check),
    Import(import::Import),
    Compare(compare::Compare),
    Graph(graph::Graph),
    Gradient(gradient::Gradient),
    Fit(fit::Fit),
    Linearize(linearize::Linearize),
    Sweep(sweep::SweepRuns),
    Test(test::Test),
    View(view::View),
    Plot(plot::Plot),
    Scene(scene::PrintScene),
    Parameters(parameters::Parameters),
    Systems(systems::Systems),
    Integrators(integrators::Integrators),
}

/// Runs the command line over a catalog of block types on the console of this process, and returns the exit code. The
/// `main` of the program `kinegraph` is this function; a program with its own block types calls it too.
pub fn main(catalog: &Catalog) -> ExitCode {
    let (mut out, mut err) = (stdout(), stderr());
    let interactive = err.is_terminal();
    let mut console = Console { out: &mut out, err: &mut err, interactive };
    ExitCode::from(execute(std::env::args_os(), catalog, &FileSimulator, &mut console, SignalHandling::Signals))
}

/// Runs the command line `args` (the program's name first) on files that can name the block types of `catalog`, and
/// returns the exit code.
pub fn run<I, A>(args: I, catalog: &Catalog, simulator: &dyn Simulator, console: &mut Console<'_>) -> u8
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    execute(args, catalog, simulator, console, SignalHandling::Nothing)
}

fn execute<I, A>(
    args: I,
    catalog: &Catalog,
    simulator: &dyn Simulator,
    console: &mut Console<'_>,
    signals: SignalHandling,
) -> u8
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let (mut out, mut err) = (TextOnly::new(&mut *console.out), TextOnly::new(&mut *console.err));
    let console = &mut Console { out: &mut out, err: &mut err, interactive: console.interactive };
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    // Usage messages quote the arguments as they are.
    let is_text = args.iter().all(|arg| !arg.to_string_lossy().contains(char::is_control));
    let done = match Cli::try_parse_from(args) {
        Ok(cli) => execute_command(cli, catalog, simulator, console, signals),
        Err(usage) => say_usage(&usage, is_text, console),
    };
    done.unwrap_or_else(|error| {
        // A closed pipe (`kinegraph … | head`) is intended by the reader; any other failure to write is an error.
        if error.kind() == io::ErrorKind::BrokenPipe {
            return DONE;
        }
        let _ = writeln!(console.err, "the output cannot be written: {}", plain_reason(&error));
        FAILED
    })
}

fn execute_command(
    cli: Cli,
    catalog: &Catalog,
    simulator: &dyn Simulator,
    console: &mut Console<'_>,
    signals: SignalHandling,
) -> io::Result<u8> {
    if let Some(bytes) = cli.memory {
        memory::set_limit(bytes);
    }
    let catalog = &catalog.clone().allow_outside(cli.allow_outside);
    match cli.command {
        Command::Run(run) => run.execute(catalog, simulator, console, signals),
        Command::Check(check) => check.execute(catalog, simulator, console),
        Command::Import(import) => import.execute(catalog, console),
        Command::Compare(compare) => compare.execute(catalog, console),
        Command::Graph(graph) => graph.execute(catalog, console),
        Command::Gradient(gradient) => gradient.execute(catalog, console),
        Command::Fit(fit) => fit.execute(catalog, console, signals),
        Command::Linearize(linearize) => linearize.execute(catalog, simulator, console),
        Command::Integrators(integrators) => integrators.execute(catalog, console),
        Command::Sweep(sweep) => sweep.execute(catalog, console, signals),
        Command::Test(test) => test.execute(catalog, console),
        Command::View(view) => view.execute(catalog, simulator, console, signals),
        Command::Plot(plot) => plot.execute(console),
        Command::Scene(scene) => scene.execute(catalog, console),
        Command::Parameters(parameters) => parameters.execute(catalog, console),
        Command::Systems(systems) => systems.execute(catalog, console),
    }
}

/// Prints the output of `--help` and `--version`, or a usage error.
fn say_usage(usage: &clap::Error, in_colours: bool, console: &mut Console<'_>) -> io::Result<u8> {
    let text = usage.render();
    if usage.use_stderr() {
        match console.interactive && in_colours {
            true => styled(console.err, &text.ansi().to_string())?,
            false => console.err.write_all(text.to_string().as_bytes())?,
        }
        Ok(WRONG_INPUT)
    } else {
        console.out.write_all(text.to_string().as_bytes())?;
        Ok(DONE)
    }
}
