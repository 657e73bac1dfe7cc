//! Calls of the command line.

use kinegraph::cli::{self, Console};
use kinegraph::files::Catalog;
use kinegraph::simulate::{FileSimulator, Simulator};

/// Returns the exit code of `kinegraph ARGS`, its standard output and its standard error.
pub fn kinegraph(args: &[&str]) -> (u8, String, String) {
    kinegraph_on(&FileSimulator, args, false)
}

/// Runs `kinegraph ARGS` with this simulator, at a terminal or not.
pub fn kinegraph_on(simulator: &dyn Simulator, args: &[&str], interactive: bool) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, interactive };
    let args = std::iter::once("kinegraph").chain(args.iter().copied());
    let code = cli::run(args, &Catalog::standard(), simulator, &mut console);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (code, text(out), text(err))
}
