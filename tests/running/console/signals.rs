//! Signals that end a run.

use kinegraph::cli::signals::ignores;
use signal_hook::consts::{SIGHUP, SIGTERM};

#[test]
fn ignored_signals_are_read_from_the_process_status() {
    let status = |mask: &str| format!("Name:\tkinegraph\nSigIgn:\t{mask}\nSigCgt:\t0\n");
    assert!(ignores(&status("0000000000000001"), SIGHUP) && !ignores(&status("0000000000001000"), SIGHUP));
    assert!(ignores(&status("0000000000004000"), SIGTERM) && ignores("", SIGHUP));
}
