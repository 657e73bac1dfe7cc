//! Threads among which one run shares its work.
//!
//! The thread of the run does a part of all shared work, and hands the rest to helpers if there is enough of it
//! ([`MIN_WORK`]): waking a thread takes longer than many steps do. The results do not depend on which thread does
//! which part.

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// Least work that is worth a helper, in instructions: a helper's share has to outweigh the cost of waking it.
pub const MIN_WORK: usize = 400_000;

thread_local! {
    /// Helpers of the run on this thread.
    static HELPERS: RefCell<Option<Arc<ThreadPool>>> = const { RefCell::new(None) };
}

/// Threads that the steps of a run may share their work among; `None`: only the thread of the run.
#[derive(Clone, Debug, Default)]
pub struct Threads(Option<Arc<ThreadPool>>);

impl Threads {
    /// A set of `count` threads, that of the run included. If the system can start no more, work is shared among the
    /// threads that all runs have in common; the results of a run do not depend on it, bit for bit.
    pub fn new(count: usize) -> Self {
        let helpers = |count| ThreadPoolBuilder::new().num_threads(count).build().ok().map(Arc::new);
        Threads((count > 1).then(|| helpers(count - 1)).flatten())
    }

    /// Does `work` on this thread, with these threads at hand for [`for_each`].
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        let Some(pool) = &self.0 else { return work() };
        let _at_hand = AtHand(HELPERS.replace(Some(pool.clone())));
        work()
    }
}

/// Number of helpers at hand ([`Threads::run`]); `None`: the calling thread works alone, or with the threads that all
/// runs have in common.
pub fn helpers_at_hand() -> Option<usize> {
    HELPERS.with_borrow(|pool| pool.as_ref().map(|pool| pool.current_num_threads()))
}

/// Guard that restores the helpers before it when it is dropped.
struct AtHand(Option<Arc<ThreadPool>>);

impl Drop for AtHand {
    fn drop(&mut self) {
        HELPERS.set(self.0.take());
    }
}

/// Calls `work` once for each of the parts, several at a time: on this thread and on the threads at hand
/// ([`Threads::run`]); within a pool of `rayon`, on its threads. Each thread takes the next part when it is done with
/// one.
pub fn for_each<T: Send>(parts: &mut [T], work: impl Fn(&mut T) + Sync) {
    let helpers = parts.len().saturating_sub(1);
    let left = Mutex::new(parts.iter_mut());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let help = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    let pool = HELPERS.with_borrow(Option::clone).filter(|_| rayon::current_thread_index().is_none());
    match pool {
        Some(pool) => pool.in_place_scope(|scope| share(scope, helpers.min(pool.current_num_threads()), &help)),
        None => rayon::in_place_scope(|scope| share(scope, helpers.min(rayon::current_num_threads()), &help)),
    }
}

/// Calls `work` on this thread and on as many helpers as given.
fn share<'s>(scope: &Scope<'s>, helpers: usize, work: &'s (impl Fn() + Sync)) {
    (0..helpers).for_each(|_| scope.spawn(|_| work()));
    work();
}
