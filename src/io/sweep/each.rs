//! Makes the runs of a sweep on all cores of a machine.

use super::run::run_until;
use super::spec::Sweep;
use super::{SweepError, SweepRow};
use crate::template::Template;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;

/// Number of runs at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jobs(pub NonZero<usize>);

impl Default for Jobs {
    /// One per core.
    fn default() -> Self {
        Jobs(std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))
    }
}

impl Jobs {
    /// Number of `runs` to make at a time: at most as many as there are runs, and as threads that the system allows.
    pub fn of(self, runs: u64) -> usize {
        const MAX_JOBS: usize = 1024;
        self.0.get().min(MAX_JOBS).min(usize::try_from(runs).unwrap_or(usize::MAX))
    }
}

/// Runs the variations of `sweep` that are `wanted`, `jobs` at a time, and calls `keep` with each row when its run
/// ends. Rows arrive in the order in which runs end; the content of a row does not depend on it. Setting `stop` ends
/// the sweep: runs under way end without a row.
///
/// # Errors
/// The error of `keep`, which also ends the sweep.
pub fn run_each(
    template: &Template,
    sweep: &Sweep,
    jobs: Jobs,
    stop: &AtomicBool,
    wanted: &(dyn Fn(u64) -> bool + Sync),
    mut keep: impl FnMut(SweepRow) -> io::Result<()>,
) -> Result<(), SweepError> {
    let (next, len) = (AtomicU64::new(0), sweep.len());
    let jobs = jobs.of(len);
    // Bounded, so that runs wait for `keep`, but not for each other.
    let (rows, kept) = sync_channel::<SweepRow>(2 * jobs);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (rows, next) = (rows.clone(), &next);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= len {
                        return;
                    }
                    if !wanted(index) {
                        continue;
                    }
                    let Some(variation) = sweep.variation(index) else { return };
                    let row = run_until(template, &variation, &sweep.measures, stop);
                    if row.is_some_and(|row| rows.send(row).is_err()) {
                        return;
                    }
                }
            });
        }
        drop(rows);
        let mut outcome = Ok(());
        for row in kept {
            if outcome.is_ok() {
                outcome = keep(row);
                if outcome.is_err() {
                    stop.store(true, Ordering::SeqCst);
                }
            }
        }
        outcome.map_err(SweepError::Rows)
    })
}
