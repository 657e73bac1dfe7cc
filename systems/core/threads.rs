//! The threads that one run shares its work among.
//!
//! The thread of the run does its part of all that is shared, and hands the rest to helpers where there is enough of
//! it ([`MIN_WORK`]): to wake a thread takes longer than many a step. Who does which part makes no difference to what
//! is found.

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// The least that is worth a helper, in instructions: what it takes over has to outweigh that it is woken.
pub const MIN_WORK: usize = 400_000;

thread_local! {
    /// The helpers of the run that this thread is on.
    static HELPERS: RefCell<Option<Arc<ThreadPool>>> = const { RefCell::new(None) };
}

/// The threads that the steps of a run may share their work among; `None`: the one that the run is on.
#[derive(Clone, Debug, Default)]
pub struct Threads(Option<Arc<ThreadPool>>);

impl Threads {
    /// So many threads, that of the run among them. Where the system has none left, work is shared among those that all
    /// runs have in common; the bits of a run do not depend on it.
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

/// How many helpers are at hand ([`Threads::run`]); `None`: the thread that asks works alone, or with those that all
/// runs have in common.
pub fn helpers_at_hand() -> Option<usize> {
    HELPERS.with_borrow(|pool| pool.as_ref().map(|pool| pool.current_num_threads()))
}

/// Helpers at hand; when it is dropped, those before are.
struct AtHand(Option<Arc<ThreadPool>>);

impl Drop for AtHand {
    fn drop(&mut self) {
        HELPERS.set(self.0.take());
    }
}

/// Does `work` once for each of the parts, several at the same time: on this thread, and on the threads at hand
/// ([`Threads::run`]); within a pool of `rayon`, on those of the pool. Each takes the next part when it is done with
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

/// Has so many helpers do the `work`, and this thread too.
fn share<'s>(scope: &Scope<'s>, helpers: usize, work: &'s (impl Fn() + Sync)) {
    (0..helpers).for_each(|_| scope.spawn(|_| work()));
    work();
}
