//! Output streams of the command line, and its exit codes.

use std::io::Write;

/// Success.
pub const DONE: u8 = 0;
/// The simulation failed.
pub const FAILED: u8 = 1;
/// The input or the usage is wrong.
pub const WRONG_INPUT: u8 = 2;
/// Exit code: the run ended well, and a requirement of its file is violated.
pub const VIOLATED: u8 = 3;

/// Output streams of the command line, with a flag for a terminal.
pub struct Console<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Messages.
    pub err: &'a mut dyn Write,
    /// True if messages go to a terminal: excerpts of the file, colours and a progress bar are then shown.
    pub interactive: bool,
}
