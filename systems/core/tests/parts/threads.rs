//! Tests of `systems/core/threads.rs`.

use kinegraph_core::threads::{Threads, for_each, helpers_at_hand};
use rayon::ThreadPoolBuilder;
use std::collections::HashSet;
use std::sync::Barrier;
use std::thread::{ThreadId, current};

/// Threads that execute `count` parts, each of which waits for all others.
fn who(count: usize) -> HashSet<ThreadId> {
    let all_are_at_work = Barrier::new(count);
    let mut parts = vec![None; count];
    for_each(&mut parts, |part| {
        *part = Some(current().id());
        all_are_at_work.wait();
    });
    parts.into_iter().flatten().collect()
}

#[test]
fn the_thread_of_the_run_does_its_part() {
    let threads = Threads::new(3);
    let found = threads.run(|| who(3));
    assert!(found.len() == 3 && found.contains(&current().id()));
}

#[test]
fn every_part_is_done_once() {
    for threads in [1, 2, 4] {
        for count in [0, 1, 2, 3, 100] {
            let mut parts = vec![0; count];
            Threads::new(threads).run(|| for_each(&mut parts, |part| *part += 1));
            assert!(parts.iter().all(|&times| times == 1), "{count} parts on {threads} threads");
        }
    }
}

#[test]
fn within_a_pool_its_threads_help() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (within, of_pool) = pool.install(|| (Threads::new(3).run(|| who(2)), rayon::broadcast(|_| current().id())));
    assert_eq!(within, of_pool.into_iter().collect());
}

#[test]
fn helpers_are_at_hand_for_the_time_of_the_work() {
    let at_hand = helpers_at_hand;
    let (outer, inner) = (Threads::new(3), Threads::new(2));
    assert_eq!(outer.run(|| (inner.run(at_hand), at_hand())), (Some(1), Some(2)));
    assert_eq!(at_hand(), None);
}
