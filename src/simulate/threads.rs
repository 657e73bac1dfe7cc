//! The threads of one run.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// The threads that the steps of a run may share their work among; `None`: the one that the run is on.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads(Option<Arc<ThreadPool>>);

impl Threads {
    /// So many threads. Where the system has none left, work is shared among those that all runs have in common; the
    /// bits of a run do not depend on it.
    pub fn new(count: usize) -> Self {
        Threads((count > 1).then(|| ThreadPoolBuilder::new().num_threads(count).build().ok().map(Arc::new)).flatten())
    }

    /// Does `work` with these threads at hand; within the threads of a batch, with those.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) if rayon::current_thread_index().is_none() => pool.install(work),
            _ => work(),
        }
    }
}
