//! The lines of a run, for any number of readers: each reads from the first line on, and waits for those to follow.

use super::Line;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The lines so far. Copies share them.
#[derive(Clone, Debug, Default)]
pub struct Feed(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    pushed: Mutex<Pushed>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct Pushed {
    lines: Vec<Arc<[u8]>>,
    /// How often it began anew.
    takes: usize,
    closed: bool,
}

/// What waiting for a line gives.
pub(super) enum Waited {
    /// The line.
    Line(Arc<[u8]>),
    /// No line yet.
    Nothing,
    /// There is no such line: the feed was closed before.
    End,
}

impl Feed {
    /// Adds a line.
    ///
    /// # Errors
    /// Those of the JSON writer; none is known.
    pub fn push(&self, line: &Line) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.lock().lines.push(bytes.into());
        self.0.news.notify_all();
        Ok(())
    }

    /// Begins anew: readers come to an end, and who reads then reads what follows.
    pub fn restart(&self) {
        let mut pushed = self.lock();
        pushed.lines.clear();
        pushed.takes += 1;
        pushed.closed = false;
        drop(pushed);
        self.0.news.notify_all();
    }

    /// How often it began anew.
    pub(super) fn take(&self) -> usize {
        self.lock().takes
    }

    /// No line follows.
    pub fn close(&self) {
        self.lock().closed = true;
        self.0.news.notify_all();
    }

    /// Line `index` of a take; waits for it, but no longer than `patience`.
    pub(super) fn wait_for(&self, take: usize, index: usize, patience: Duration) -> Waited {
        let end = Instant::now() + patience;
        let mut pushed = self.lock();
        loop {
            if pushed.takes != take {
                return Waited::End;
            }
            if let Some(line) = pushed.lines.get(index) {
                return Waited::Line(line.clone());
            }
            let left = end.saturating_duration_since(Instant::now());
            if pushed.closed {
                return Waited::End;
            }
            if left.is_zero() {
                return Waited::Nothing;
            }
            pushed = self.0.news.wait_timeout(pushed, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// All lines so far.
    pub fn lines(&self) -> Vec<Arc<[u8]>> {
        self.lock().lines.clone()
    }

    /// A thread that panicked with the lock held has pushed its line or not: either is fine.
    fn lock(&self) -> MutexGuard<'_, Pushed> {
        self.0.pushed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
