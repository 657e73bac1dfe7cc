//! Signals that end a run: Ctrl-C, and what a system sends to programs that are to leave.

use crate::simulate::{Interrupt, Observer};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const SIGNALS: [(i32, &str); 3] =
    [(SIGINT, "SIGINT (Ctrl-C)"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP (its terminal is gone)")];

/// Whether `signal` is listened to. That of a terminal that goes ends a run as the others do, but not where who started
/// the program wants it to be ignored, as `nohup` does: a handler would undo that.
fn is_heard(signal: i32) -> bool {
    signal != SIGHUP || std::fs::read_to_string("/proc/self/status").is_ok_and(|status| !ignores(&status, signal))
}

/// Whether a process ignores a signal, by what Linux says of its status.
pub fn ignores(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Where it says nothing, nothing is undone.
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// A step that lasts longer than this after the first signal is given up.
const GRACE: Duration = Duration::from_secs(1);

/// Ends a run after the step in which the first signal comes, or before it if that lasts. A second one ends the process
/// at once.
#[derive(Clone, Default)]
pub(super) struct Signals {
    /// The signal; 0: none came.
    caught: Arc<AtomicUsize>,
    /// Whether the next signal is to do what it does to other programs.
    at_once: Arc<AtomicBool>,
}

impl Signals {
    /// Listens from now on.
    ///
    /// # Errors
    /// Where the system does not let it.
    pub(super) fn listen() -> io::Result<Self> {
        let signals = Signals::default();
        for (signal, _) in SIGNALS.into_iter().filter(|(signal, _)| is_heard(*signal)) {
            // Handlers run in this order: the first signal finds the flag unset.
            flag::register_conditional_default(signal, signals.at_once.clone())?;
            flag::register(signal, signals.at_once.clone())?;
            flag::register_usize(signal, signals.caught.clone(), signal as usize)?;
        }
        Ok(signals)
    }

    /// From now on signals do what they do to other programs.
    pub(super) fn release(&self) {
        self.at_once.store(true, Ordering::SeqCst);
    }

    /// Set by the first signal.
    pub(super) fn received(&self) -> &AtomicBool {
        &self.at_once
    }

    /// What a shell expects of a program that a signal ended; `None` where none came.
    pub(super) fn exit_code(&self) -> Option<u8> {
        match self.caught.load(Ordering::SeqCst) {
            0 => None,
            signal => u8::try_from(128 + signal).ok(),
        }
    }
}

impl Observer for Signals {
    fn wants_samples(&self) -> bool {
        false
    }

    fn wants_end(&self) -> Option<String> {
        let caught = self.caught.load(Ordering::Relaxed);
        SIGNALS.iter().find(|(signal, _)| *signal as usize == caught).map(|(_, name)| (*name).to_owned())
    }

    fn interrupt(&self) -> Option<Interrupt> {
        Some(Interrupt::new(self.at_once.clone(), GRACE))
    }
}
