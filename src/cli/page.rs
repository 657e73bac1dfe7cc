//! Common part of commands that show a page: its address, and the report of the end of a run.

use super::console::Console;
use super::verify::Verified;
use crate::simulate::{RunReport, Status};
use crate::verify::Verification;
use crate::view::{End, EndStatus, Server};
use std::io;

/// Prints the address of the page and opens it.
pub(super) fn open_page(server: &Server, no_browser: bool, console: &mut Console<'_>) -> io::Result<()> {
    writeln!(console.out, "{}", server.url())?;
    console.out.flush()?;
    if !no_browser && let Err(error) = opener::open_browser(server.url()) {
        writeln!(console.err, "no browser could be opened ({error}); open the address above")?;
    }
    Ok(())
}

/// End of a run for the page, with its verification.
pub(super) fn end(run: &RunReport, verification: Option<&Verification>) -> End {
    let (status, message) = match &run.status {
        Status::Done => (EndStatus::Done, String::new()),
        Status::Failed(message) => (EndStatus::Failed, message.clone()),
        Status::Interrupted(reason) => (EndStatus::Stopped, format!("stopped by {reason}")),
    };
    End { status, message, time: run.sim_time, summary: Verified(run, verification).to_string() }
}
