//! Lines of a run for any number of readers: each reads from the first line on, and waits for further lines.

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
    /// Number of restarts.
    takes: usize,
    closed: bool,
}

/// Result of waiting for a line.
pub(super) enum Waited {
    /// The line.
    Line(Arc<[u8]>),
    /// No line within the time.
    Nothing,
    /// There is no such line: the feed was closed before.
    End,
}

impl Feed {
    /// Adds a line.
    ///
    /// # Errors
    /// Errors of the JSON writer; none is known.
    pub fn push(&self, line: &Line) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.lock().lines.push(bytes.into());
        self.0.news.notify_all();
        Ok(())
    }

    /// Starts anew: present readers come to an end, and new ones read the lines that follow.
    pub fn restart(&self) {
        let mut pushed = self.lock();
        pushed.lines.clear();
        pushed.takes += 1;
        pushed.closed = false;
        drop(pushed);
        self.0.news.notify_all();
    }

    /// Number of restarts.
    pub(super) fn take(&self) -> usize {
        self.lock().takes
    }

    /// Declares that no line follows.
    pub fn close(&self) {
        self.lock().closed = true;
        self.0.news.notify_all();
    }

    /// Returns line `index` of a take; waits for it for at most `patience`.
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

    /// The lock is usable after a panic: the panicking thread has pushed its line or not.
    fn lock(&self) -> MutexGuard<'_, Pushed> {
        self.0.pushed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
