//! Pairs of shapes whose boxes overlap, looked at by one thread or several.
//!
//! A pair answers to its poses alone, and the points of all pairs are sorted by their keys afterwards: what is found
//! has the same bits whoever looks at which pair.

use crate::convex::ContactPoint;
use crate::geometry::Touch;
use crate::geometry::hydroelastic::Surface as ContactSurface;
use crate::geometry::overlap::Patch;
use crate::threads::{self, MIN_WORK};
use std::ops::Range;

/// Parts for each thread, of about the same work: what a pair takes is known to a factor of ten only.
const PARTS: usize = 4;

/// What looks at a pair works with; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct PairScratch {
    pub touches: Vec<Touch>,
    pub surface: ContactSurface,
    pub patch: Patch,
}

/// Looks at pairs; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct NarrowPhase {
    own: PairScratch,
    parts: Vec<Part>,
}

/// Some pairs, one after the other, and what was found of them.
#[derive(Clone, Debug, Default)]
struct Part {
    pairs: Range<usize>,
    scratch: PairScratch,
    found: Vec<ContactPoint>,
}

impl NarrowPhase {
    /// What a single pair is looked at with.
    pub fn scratch(&mut self) -> &mut PairScratch {
        &mut self.own
    }

    /// Appends the points of all `pairs`, which `look` finds with about the instructions that `work` says, in no order.
    pub fn contacts(
        &mut self,
        pairs: &[(u32, u32)],
        threads: usize,
        contacts: &mut Vec<ContactPoint>,
        work: impl Fn((u32, u32)) -> usize,
        look: impl Fn((u32, u32), &mut PairScratch, &mut Vec<ContactPoint>) + Sync,
    ) {
        let all = if threads < 2 { 0 } else { pairs.iter().map(|&pair| work(pair)).sum::<usize>() };
        if all < 2 * MIN_WORK {
            pairs.iter().for_each(|&pair| look(pair, &mut self.own, contacts));
            return;
        }
        let share = (all / (threads * PARTS)).max(MIN_WORK / PARTS);
        let (mut count, mut from, mut sum) = (0, 0, 0);
        for (i, &pair) in pairs.iter().enumerate() {
            sum += work(pair);
            if sum >= share || i + 1 == pairs.len() {
                if self.parts.len() == count {
                    self.parts.push(Part::default());
                }
                self.parts[count].pairs = from..i + 1;
                (count, from, sum) = (count + 1, i + 1, 0);
            }
        }
        let parts = &mut self.parts[..count];
        threads::for_each(parts, |Part { pairs: own, scratch, found }| {
            found.clear();
            pairs[own.clone()].iter().for_each(|&pair| look(pair, scratch, found));
        });
        parts.iter().for_each(|part| contacts.extend_from_slice(&part.found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::Threads;
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
            resistance: [0.0; 2],
            of_ball: false,
            key: u64::from(key),
        }
    }

    /// The points of `count` pairs that take the instructions `work` says; calls `at` with each pair's number where it
    /// is looked at.
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
}
