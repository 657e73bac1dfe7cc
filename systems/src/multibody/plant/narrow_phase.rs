//! Pairs of shapes whose boxes overlap, looked at by one thread or several.
//!
//! A pair answers to its poses alone, and the points of all pairs are sorted by their keys afterwards: what is found
//! has the same bits whoever looks at which pair. The threads are those of the current `rayon` pool.

use crate::convex::ContactPoint;
use crate::geometry::Touch;
use crate::geometry::hydroelastic::Surface as ContactSurface;
use crate::geometry::overlap::Patch;
use rayon::prelude::*;

/// Fewer pairs than this are looked at by one thread: handing them over costs more.
const MIN_PAIRS: usize = 64;

/// Parts for each thread: pairs of balls take a hundredth of the time of pairs of meshes.
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
    parts: Vec<(PairScratch, Vec<ContactPoint>)>,
}

impl NarrowPhase {
    /// What a single pair is looked at with.
    pub fn scratch(&mut self) -> &mut PairScratch {
        &mut self.own
    }

    /// Appends the points of all `pairs`, which `look` finds, in no order.
    pub fn contacts(
        &mut self,
        pairs: &[(u32, u32)],
        threads: usize,
        contacts: &mut Vec<ContactPoint>,
        look: impl Fn((u32, u32), &mut PairScratch, &mut Vec<ContactPoint>) + Sync,
    ) {
        if threads < 2 || pairs.len() < MIN_PAIRS {
            pairs.iter().for_each(|&pair| look(pair, &mut self.own, contacts));
            return;
        }
        let size = pairs.len().div_ceil(threads * PARTS);
        self.parts.resize_with(pairs.len().div_ceil(size), Default::default);
        let parts = self.parts.par_iter_mut().zip(pairs.par_chunks(size)).with_max_len(1);
        parts.for_each(|((scratch, found), pairs)| {
            found.clear();
            pairs.iter().for_each(|&pair| look(pair, scratch, found));
        });
        self.parts.iter().for_each(|(_, found)| contacts.extend_from_slice(found));
    }
}
