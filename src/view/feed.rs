//! The lines of a run as they come, for as many readers as there are, each from the first line on.

use super::Line;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What was told so far. Copies are the same feed.
#[derive(Clone, Debug, Default)]
pub struct Feed(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    told: Mutex<Told>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct Told {
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

    /// Line `index`, waiting until it is told; `None` after the last.
    pub fn wait(&self, index: usize) -> Option<Arc<[u8]>> {
        let mut told = self.lock();
        loop {
            if let Some(line) = told.lines.get(index) {
                return Some(line.clone());
            }
            if told.closed {
                return None;
            }
            told = self.0.news.wait(told).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Everything told so far.
    pub fn lines(&self) -> Vec<Arc<[u8]>> {
        self.lock().lines.clone()
    }

    /// A thread that panicked with the lock held has pushed its line or not: either is fine.
    fn lock(&self) -> MutexGuard<'_, Told> {
        self.0.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
