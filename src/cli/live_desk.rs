//! Desk of a live run: decides by the commands of pages and by the clock how the run goes on.

use super::signals::Signals;
use super::waiting_acts::WaitingActs;
use crate::files::Override;
use crate::simulate::{Act, ActError, Desk, Moment, Turn};
use crate::view::{Command, DeskState, Feed, Line, Refused};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Maximum time for which the desk waits for a command, before it is checked whether the run is to end.
const WAIT_TIMEOUT: Duration = Duration::from_millis(50);
/// A run that is farther behind the clock than this does not catch up \[s\].
const MAX_LAG: f64 = 0.1;
/// Range of paces.
const PACES: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// Checks whether a run can be reset with these further overrides; if not, returns the reason.
type Ready<'a> = Box<dyn Fn(&[Override]) -> Result<(), String> + 'a>;

/// The desk of a live run.
pub(super) struct LiveDesk<'a> {
    /// Called before a run is replaced by a new one: if its file has faults by now, the run continues.
    ready: Ready<'a>,
    commands: Receiver<Command>,
    feed: Feed,
    state: DeskState,
    /// State that pages were sent last.
    known: Option<DeskState>,
    /// Acts to be done before the next step.
    waiting: WaitingActs,
    /// Acts that also hold in the next take: parameters, inputs and recorded outputs.
    kept: Vec<Act>,
    file: String,
    /// Assignments of the command line.
    set: Vec<String>,
    /// Parameters of the file that were changed: the next take begins with them, as with the option `--set`.
    of_file: Vec<(String, f64)>,
    /// The one that the last change replaced.
    replaced: Option<(String, f64)>,
    steps: usize,
    again: bool,
    /// An instant of the clock, and the simulated time that corresponds to it.
    anchor: Option<(Instant, f64)>,
}

impl<'a> LiveDesk<'a> {
    /// Creates the desk of runs of `file` with the assignments `set`: takes `commands` and reports to pages by `feed`.
    /// A reset is possible if `ready` returns no fault.
    pub(super) fn new(
        commands: Receiver<Command>,
        feed: Feed,
        file: String,
        set: Vec<String>,
        ready: impl Fn(&[Override]) -> Result<(), String> + 'a,
    ) -> Self {
        let mut desk = LiveDesk {
            ready: Box::new(ready),
            commands,
            feed,
            state: DeskState { paused: true, pace: Some(1.0), ended: false },
            known: None,
            waiting: WaitingActs::default(),
            kept: Vec::new(),
            file,
            set,
            of_file: Vec::new(),
            replaced: None,
            steps: 0,
            again: false,
            anchor: None,
        };
        desk.waiting = std::iter::once(desk.opening()).collect();
        desk
    }

    /// First act of a take.
    fn opening(&self) -> Act {
        let of_file = self.of_file.iter().map(|(path, value)| format!("{path}={value:?}"));
        Act::Open { file: self.file.clone(), set: self.set.iter().cloned().chain(of_file).collect() }
    }

    /// Overrides of the file that were made on the page.
    pub(super) fn of_file(&self) -> Vec<Override> {
        let set = self.of_file.iter().filter_map(|(path, value)| Override::set(&format!("{path}={value:?}")).ok());
        set.collect()
    }

    /// True if the run is to be reset. From now on the desk is that of the new run.
    pub(super) fn begins_anew(&mut self) -> bool {
        // Changes that came too late for the previous take hold in this one.
        for act in self.waiting.take().collect::<Vec<_>>() {
            self.keep(&act);
        }
        self.waiting = std::iter::once(self.opening()).chain(self.kept.iter().cloned()).collect();
        (self.known, self.anchor, self.state.ended) = (None, None, false);
        std::mem::take(&mut self.again)
    }

    /// After a run that failed, waits for a reset; returns `false` if the program is to end.
    pub(super) fn waits_for_reset(&mut self, signals: &Signals) -> bool {
        while signals.exit_code().is_none() {
            self.wait(WAIT_TIMEOUT);
            if self.begins_anew() {
                return true;
            }
        }
        false
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Pause => (self.state.paused, self.steps) = (true, 0),
            Command::Go => self.state.paused = false,
            Command::Step => (self.state.paused, self.steps) = (true, self.steps + 1),
            Command::Reset => match (self.ready)(&self.of_file()) {
                Ok(()) => self.again = true,
                Err(faults) => self.refuse(format!("the run goes on, since it cannot begin anew: {faults}")),
            },
            Command::Pace(wanted) if wanted.pace.is_none_or(|pace| PACES.contains(&pace)) => {
                self.state.pace = wanted.pace;
            }
            Command::Pace(_) => self.refuse(format!("a pace is between {} and {}", PACES.start(), PACES.end())),
            Command::Again(_) => self.refuse("a live run is reset, not done again".into()),
            Command::Differentiate(_) => {
                self.refuse("a live run has no derivatives: `kinegraph view FILE` without --live shows them".into());
            }
            Command::Do(wanted) => return self.enqueue(wanted.act),
        }
        self.anchor = None;
    }

    fn enqueue(&mut self, act: Act) {
        if !matches!(act, Act::Open { .. } | Act::Close) && !self.waiting.push(act) {
            self.refuse("too much waits for the end of a step".into());
        }
    }

    /// Keeps an act that also holds in the next take.
    fn keep(&mut self, act: &Act) {
        let place = match act {
            Act::Tune { path, values } if path.starts_with("parameters.") => {
                self.replaced = self.of_file.iter().find(|(kept, _)| kept == path).cloned();
                self.of_file.retain(|(kept, _)| kept != path);
                self.of_file.extend(values.first().map(|value| (path.clone(), *value)));
                return;
            }
            Act::Tune { path: new, .. } => {
                self.kept.iter().position(|kept| matches!(kept, Act::Tune { path, .. } if path == new))
            }
            Act::Feed { input: new, .. } => {
                self.kept.iter().position(|kept| matches!(kept, Act::Feed { input, .. } if input == new))
            }
            Act::Record { .. } => self.kept.iter().position(|kept| kept == act),
            _ => return,
        };
        match place {
            Some(place) => self.kept[place] = act.clone(),
            None => self.kept.push(act.clone()),
        }
    }

    fn refuse(&self, reason: String) {
        // Writing a line does not fail.
        let _ = self.feed.push(&Line::Refused(Refused { reason }));
    }

    /// Reports the state of the run to pages, if it has changed.
    fn report_state(&mut self) {
        if self.known != Some(self.state) {
            self.known = Some(self.state);
            let _ = self.feed.push(&Line::Desk(self.state));
        }
    }

    /// Waits for a command for at most `most`.
    fn wait(&mut self, most: Duration) {
        match self.commands.recv_timeout(most) {
            Ok(command) => self.take(command),
            Err(RecvTimeoutError::Timeout) => {}
            // There are no more pages; the program can still be ended by a signal.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(most),
        }
    }

    /// Time until `time` is due at this pace, on the clock.
    fn early(&mut self, time: f64, pace: f64) -> Option<Duration> {
        let now = Instant::now();
        let (from, start) = *self.anchor.get_or_insert((now, time));
        let ahead = (time - start) / pace - now.duration_since(from).as_secs_f64();
        if ahead < -MAX_LAG {
            self.anchor = Some((now, time));
        }
        (ahead > 0.0).then(|| Duration::from_secs_f64(ahead))
    }
}

impl Desk for LiveDesk<'_> {
    fn next(&mut self, moment: &Moment) -> Turn {
        while let Ok(command) = self.commands.try_recv() {
            self.take(command);
        }
        self.state.ended = moment.ended;
        self.report_state();
        if self.again {
            return Turn::Act(Act::Close);
        }
        if let Some(act) = self.waiting.pop() {
            self.keep(&act);
            return Turn::Act(act);
        }
        if moment.ended {
            self.wait(WAIT_TIMEOUT);
            return Turn::Wait;
        }
        if self.steps > 0 {
            self.steps -= 1;
            return Turn::Step;
        }
        if self.state.paused {
            self.wait(WAIT_TIMEOUT);
            return Turn::Wait;
        }
        match self.state.pace.and_then(|pace| self.early(moment.time, pace)) {
            Some(early) => {
                self.wait(early.min(WAIT_TIMEOUT));
                Turn::Wait
            }
            None => Turn::Step,
        }
    }

    fn refused(&mut self, act: &Act, error: &ActError) -> Option<String> {
        self.kept.retain(|kept| kept != act);
        if let Act::Tune { path, .. } = act {
            // Its value before holds again.
            self.of_file.retain(|(kept, _)| kept != path);
            self.of_file.extend(self.replaced.take().filter(|(kept, _)| kept == path));
        }
        self.refuse(error.to_string());
        None
    }
}
