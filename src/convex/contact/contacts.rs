//! Contact points of a problem, by pairs of bodies.

use super::elements::ContactRow;
use std::ops::Range;

/// All contact points between the same two bodies.
#[derive(Clone, Debug)]
pub struct Patch {
    /// One body.
    pub body_a: usize,
    /// The other.
    pub body_b: usize,
    /// Its contact points.
    pub points: Range<usize>,
}

/// Contact points and their patches.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// Contact points.
    pub points: Vec<ContactRow>,
    /// Contact points by pairs of bodies.
    pub patches: Vec<Patch>,
    /// True if the two bodies of a contact point have a point each, so that the points of a patch differ in `p_AC -
    /// p_BC`.
    pub witnesses: bool,
}

impl Contacts {
    /// Removes all contact points. Keeps all memory.
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.patches.clear();
    }
}
