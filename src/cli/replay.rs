//! Replay of a recorded session by its journal.

use crate::files::Override;
use crate::record::mcap;
use crate::simulate::{Act, ActError, Acted, Desk, Moment, Turn};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// A session from a journal.
pub(super) struct Session {
    /// The diagram file or model file of the session.
    pub file: PathBuf,
    /// True if it is neither in the folder of the recording nor in the working directory.
    pub is_outside: bool,
    /// Time at which the journal breaks off, if the recording ends before its run did \[s\].
    pub torn_at: Option<f64>,
    /// Overrides of the file.
    pub set: Vec<Override>,
    /// Desk that repeats the acts.
    pub desk: ReplayDesk,
}

impl Session {
    /// Reads the session from the recording at `path`.
    ///
    /// # Errors
    /// A message why there is none.
    ///
    /// A recording is data: files that it names are opened only if a diagram file in its folder could name them, unless
    /// `allow_outside`.
    pub(super) fn read(path: &Path, allow_outside: bool) -> Result<Self, String> {
        let failed = |reason: String| format!("--replay {}: {reason}", path.display());
        let recording = mcap::read(path).map_err(|error| failed(error.to_string()))?;
        let recorded = || recording.times.last().copied().unwrap_or(0.0);
        let torn_at = recording.end.is_none().then(recorded);
        let mut journal = VecDeque::from(recording.journal);
        let Some(Acted { act: Act::Open { file, set }, .. }) = journal.front() else {
            return Err(failed("it has no journal: it is no recording of a live run (`kinegraph view --live`)".into()));
        };
        let given = |text: &String| if allow_outside { Override::set(text) } else { Override::recorded(text) };
        let set = set.iter().map(given).collect::<Result<_, _>>().map_err(failed)?;
        let file = PathBuf::from(file);
        let is_outside = !allow_outside && !recording.access.holds(&file);
        journal.make_contiguous();
        Ok(Session { file, is_outside, torn_at, set, desk: ReplayDesk { entries: journal } })
    }
}

/// Desk that repeats the acts of a journal.
pub(super) struct ReplayDesk {
    entries: VecDeque<Acted>,
}

impl Desk for ReplayDesk {
    fn next(&mut self, moment: &Moment) -> Turn {
        let due = self.entries.front().filter(|entry| entry.step <= moment.step);
        match due {
            Some(entry) if entry.step == moment.step && entry.time.to_bits() == moment.time.to_bits() => {
                self.entries.pop_front().map_or(Turn::Wait, |entry| Turn::Act(entry.act))
            }
            Some(entry) => Turn::Fail(format!(
                "it went differently: after step {} the recording is at t = {} s, this run at {} s. The diagram file, \
                 one of its models, or the program has changed since",
                entry.step, entry.time, moment.time
            )),
            None if moment.ended => Turn::End,
            None => Turn::Step,
        }
    }

    fn refused(&mut self, act: &Act, error: &ActError) -> Option<String> {
        Some(format!("what was done then cannot be done now ({act:?}): {error}"))
    }
}
