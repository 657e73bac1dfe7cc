//! Where the command line writes, and the exit codes.

use std::io::Write;

/// Everything went well.
pub const DONE: u8 = 0;
/// The simulation failed on the way.
pub const FAILED: u8 = 1;
/// The input or the usage is wrong.
pub const WRONG_INPUT: u8 = 2;

/// Where the command line writes, and whether a person watches.
pub struct Console<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Messages.
    pub err: &'a mut dyn Write,
    /// Whether messages go to a terminal: excerpts of the file, colours and a progress bar.
    pub interactive: bool,
}
