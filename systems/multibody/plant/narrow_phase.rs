//! Contact points of pairs of shapes whose boxes overlap, on one thread or several.
//!
//! The points of a pair depend on its poses alone, and the points of all pairs are sorted by their keys afterwards: the
//! result has the same bits, whichever thread examines a pair.

use kinegraph_core::convex::ContactPoint;
use kinegraph_core::threads::{self, MIN_WORK};
use kinegraph_geometry::Touch;
use kinegraph_geometry::hydroelastic::Surface as ContactSurface;
use kinegraph_geometry::overlap::Patch;
use std::ops::Range;

/// Number of parts for each thread, of about the same work: the work of a pair is known to a factor of ten only.
const PARTS: usize = 4;

/// Working memory for one pair, kept for the next.
#[derive(Clone, Debug, Default)]
pub struct PairScratch {
    /// The points of a pair that touches at points.
    pub touches: Vec<Touch>,
    /// The contact surface of a pair with pressure fields.
    pub surface: ContactSurface,
    /// The patch of a pair that touches by volume.
    pub patch: Patch,
}

/// Workspace for the examination of pairs.
#[derive(Clone, Debug, Default)]
pub struct NarrowPhase {
    own: PairScratch,
    parts: Vec<Part>,
}

/// Some pairs, examined one after the other, and their contact points.
#[derive(Clone, Debug, Default)]
struct Part {
    pairs: Range<usize>,
    scratch: PairScratch,
    found: Vec<ContactPoint>,
}

impl NarrowPhase {
    /// Working memory for a single pair.
    pub fn scratch(&mut self) -> &mut PairScratch {
        &mut self.own
    }

    /// Appends the contact points of all `pairs`, in no order. `look` finds the points of a pair; `work` estimates its
    /// instructions.
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
