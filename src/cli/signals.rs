//! Signals that end a run: Ctrl-C, and those that a system sends to end programs.

use crate::simulate::{Interrupt, Observer};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const SIGNALS: [(i32, &str); 3] =
    [(SIGINT, "SIGINT (Ctrl-C)"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP (its terminal is gone)")];

/// True if the program handles `signal`. SIGHUP, sent when the terminal closes, ends a run as the others do, unless the
/// process was started with it ignored, as by `nohup`: a handler would undo that.
fn is_heard(signal: i32) -> bool {
    signal != SIGHUP || std::fs::read_to_string("/proc/self/status").is_ok_and(|status| !ignores(&status, signal))
}

/// True if a process ignores a signal, by its status in Linux.
pub fn ignores(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Without the line, the signal counts as ignored and gets no handler.
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Handling of signals during a run. Handlers are global to the process, so only its `main` sets them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SignalHandling {
    Signals,
    Nothing,
}

/// Time limit of the present step after the first signal.
const GRACE: Duration = Duration::from_secs(1);

/// Ends a run after the step in which the first signal arrives, or earlier if that step takes long. A second signal
/// ends the process at once.
#[derive(Clone, Default)]
pub(super) struct Signals {
    /// The signal; 0: none so far.
    caught: Arc<AtomicUsize>,
    /// True if the next signal has its default effect.
    at_once: Arc<AtomicBool>,
}

impl Signals {
    /// Installs the handlers, if the program handles signals.
    ///
    /// # Errors
    /// The system refuses a handler.
    pub(super) fn of(handling: SignalHandling) -> io::Result<Self> {
        if handling == SignalHandling::Signals { Signals::listen() } else { Ok(Signals::default()) }
    }

    /// Installs the handlers.
    ///
    /// # Errors
    /// The system refuses a handler.
    pub(super) fn listen() -> io::Result<Self> {
        let signals = Signals::default();
        for (signal, _) in SIGNALS.into_iter().filter(|(signal, _)| is_heard(*signal)) {
            // Handlers run in this order, so that the first signal finds the flag unset.
            flag::register_conditional_default(signal, signals.at_once.clone())?;
            flag::register(signal, signals.at_once.clone())?;
            flag::register_usize(signal, signals.caught.clone(), signal as usize)?;
        }
        Ok(signals)
    }

    /// Gives signals their default effect from now on.
    pub(super) fn release(&self) {
        self.at_once.store(true, Ordering::SeqCst);
    }

    /// Flag that the first signal sets.
    pub(super) fn received(&self) -> &AtomicBool {
        &self.at_once
    }

    /// Exit code that a shell expects of a program that a signal ended; `None` without a signal.
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
