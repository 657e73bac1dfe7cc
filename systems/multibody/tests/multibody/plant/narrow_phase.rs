//! Tests of `systems/multibody/plant/narrow_phase.rs`.

use kinegraph_core::convex::ContactPoint;
use kinegraph_core::threads::{MIN_WORK, Threads};
use kinegraph_multibody::plant::narrow_phase::{NarrowPhase, PairScratch};
use std::sync::Barrier;
use std::thread::current;

fn point(key: u32) -> ContactPoint {
    ContactPoint {
        body_a: 0,
        body_b: 1,
        p_WC: [0.0; 3],
        normal: [0.0, 0.0, 1.0],
        depth: 0.0,
        stiffness: 1e4,
        stiffness_part_a: 1.0,
        dissipation: 0.0,
        static_friction: 0.0,
        dynamic_friction: 0.0,
        grain: [0.0; 3],
        resistance: [0.0; 2],
        friction_arm: 1.0,
        of_ball: false,
        key: u64::from(key),
    }
}

/// The points of `count` pairs whose instructions `work` gives; calls `at` with the number of each pair when it is
/// examined.
fn look(count: u32, threads: usize, work: impl Fn(u32) -> usize, at: impl Fn(u32) + Sync) -> Vec<u64> {
    let pairs: Vec<(u32, u32)> = (0..count).map(|i| (i, i + 1)).collect();
    let (mut contacts, mut narrow) = (Vec::new(), NarrowPhase::default());
    let find = |(i, _): (u32, u32), _: &mut PairScratch, found: &mut Vec<ContactPoint>| {
        at(i);
        (0..i % 3).for_each(|k| found.push(point(10 * i + k)));
    };
    let run = Threads::new(threads);
    run.run(|| narrow.contacts(&pairs, threads, &mut contacts, |(i, _)| work(i), find));
    contacts.iter().map(|contact| contact.key).collect()
}

#[test]
fn pairs_are_shared_by_their_work() {
    let alike = |_: u32| MIN_WORK / 10;
    let alone = look(40, 1, alike, |_| ());
    assert_eq!(alone.len(), 39);
    // The first pair and the last one wait for each other, which takes two threads.
    let both_are_at_work = Barrier::new(2);
    let meet = |i: u32| {
        if i == 0 || i == 39 {
            both_are_at_work.wait();
        }
    };
    for threads in [2, 3, 8] {
        assert_eq!(look(40, threads, alike, meet), alone, "{threads} threads");
        // One pair has half of all work.
        let one_is_large = |i: u32| if i == 7 { 4 * MIN_WORK } else { alike(i) };
        assert_eq!(look(40, threads, one_is_large, meet), alone, "{threads} threads");
    }
}

#[test]
fn little_work_stays_on_one_thread() {
    let own = current().id();
    look(100, 4, |_| MIN_WORK / 100, |_| assert_eq!(current().id(), own));
}
