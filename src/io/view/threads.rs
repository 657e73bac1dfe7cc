//! Threads for connections: a thread takes the next connection when it is done, so that many short ones need no new
//! threads.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Stack of a thread \[bytes\].
const STACK: usize = 256 << 10;
/// Time after which a thread without work ends.
const IDLE_TIMEOUT: Duration = Duration::from_secs(2);

/// Threads that each do one job at a time. Copies share them.
pub struct Threads<T> {
    shared: Arc<Shared<T>>,
    work: Arc<dyn Fn(T) + Send + Sync>,
}

struct Shared<T> {
    waiting: Mutex<Waiting<T>>,
    news: Condvar,
}

/// Invariant: as many threads wait as there are jobs and idle threads together.
struct Waiting<T> {
    jobs: VecDeque<T>,
    idle: usize,
}

impl<T: Send + 'static> Threads<T> {
    /// Creates the pool for this work, without threads.
    pub fn new(work: impl Fn(T) + Send + Sync + 'static) -> Self {
        let waiting = Mutex::new(Waiting { jobs: VecDeque::new(), idle: 0 });
        Threads { shared: Arc::new(Shared { waiting, news: Condvar::new() }), work: Arc::new(work) }
    }

    /// Number of threads that wait for a job.
    pub fn idle(&self) -> usize {
        self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner).idle
    }

    /// Starts a job at once: in a waiting thread, else in a new one.
    ///
    /// # Errors
    /// The system has no more threads. The job is dropped.
    pub fn hand(&self, job: T) -> io::Result<()> {
        let mut waiting = self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.idle > 0 {
            waiting.idle -= 1;
            waiting.jobs.push_back(job);
            self.shared.news.notify_one();
            return Ok(());
        }
        drop(waiting);
        let (shared, work) = (self.shared.clone(), self.work.clone());
        thread::Builder::new().name("page".into()).stack_size(STACK).spawn(move || {
            let mut next = Some(job);
            while let Some(job) = next {
                work(job);
                next = shared.next();
            }
        })?;
        Ok(())
    }
}

impl<T> Shared<T> {
    /// The next job; `None` after a time without one.
    fn next(&self) -> Option<T> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.idle += 1;
        let is_waiting = |waiting: &mut Waiting<T>| waiting.jobs.is_empty();
        let waited = self.news.wait_timeout_while(waiting, IDLE_TIMEOUT, is_waiting);
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let job = waiting.jobs.pop_front();
        if job.is_none() {
            waiting.idle -= 1;
        }
        job
    }
}
