//! The lines of a run, for any number of readers: each reads from the first line on, and waits for those to follow.

use super::Line;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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
    closed: bool,
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

    /// No line follows.
    pub fn close(&self) {
        self.lock().closed = true;
        self.0.news.notify_all();
    }

    /// Line `index`; waits until it is pushed. `None` after the last.
    pub fn wait(&self, index: usize) -> Option<Arc<[u8]>> {
        let mut pushed = self.lock();
        loop {
            if let Some(line) = pushed.lines.get(index) {
                return Some(line.clone());
            }
            if pushed.closed {
                return None;
            }
            pushed = self.0.news.wait(pushed).unwrap_or_else(PoisonError::into_inner);
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
