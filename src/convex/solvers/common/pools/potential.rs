//! Interface of every kind of potential.

use crate::contact::{Island, Problem, Solution};
use crate::linear_algebra::Places;
use std::fmt::Debug;

/// Hessian of one island, to add to: the lower triangle, block by block.
pub struct HessianBlocks<'a> {
    /// Place of the block of two cliques, by their numbers within the island.
    pub places: Places<'a>,
    /// Number of each clique within the island.
    pub local: &'a [usize],
    /// The values.
    pub values: &'a mut [f64],
}

impl HessianBlocks<'_> {
    /// Adds to the entry of velocities `vi >= vj`.
    #[inline]
    pub fn add(&mut self, problem: &Problem, vi: usize, vj: usize, value: f64) {
        let (a, b) = (problem.clique_of(vi), problem.clique_of(vj));
        let (i, j) = (vi - problem.trees.cliques[a].velocities.start, vj - problem.trees.cliques[b].velocities.start);
        self.values[self.places.block(self.local[a], self.local[b]).entry(i, j)] += value;
    }
}

/// Callback for pairs of cliques that a potential couples.
pub type Couple<'a> = dyn FnMut(usize, usize) + 'a;

/// Callback for the smooth pieces of laws that act: a clique that the law acts on; the key of the law among those of
/// its kind; the pieces of the step.
pub type Note<'a> = dyn FnMut(usize, u64, Pieces) + 'a;

/// Smooth pieces of a law that act in a step. Zero: nothing acts.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    /// The piece in which extrapolation is valid.
    pub coarse: u8,
    /// The piece at the end of the step.
    pub end: u8,
    /// The piece at its start.
    pub start: u8,
    /// Part of the step in which a force at its limit was enough to end the motion that it opposes; 0 where no motion
    /// ended.
    pub ended: f64,
}

impl Pieces {
    /// One piece throughout.
    pub fn throughout(piece: u8) -> Self {
        Pieces { coarse: piece, end: piece, start: piece, ended: 0.0 }
    }
}

/// The first two derivatives of a cost along a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlongLine {
    /// First derivative.
    pub slope: f64,
    /// Second derivative.
    pub curvature: f64,
}

/// All potentials of one kind in a problem.
pub trait Potential: Debug + Send + Sync {
    /// Returns a copy with its laws.
    fn copy(&self) -> Box<dyn Potential>;

    /// Number that distinguishes it from other kinds.
    fn kind(&self) -> u64;

    /// Reads the laws of `problem` for the step length last set.
    fn set_step(&mut self, problem: &Problem);

    /// True if the problem has nothing of the kind.
    fn is_empty(&self) -> bool;

    /// True if the potential is quadratic on the island, or there is none: then a Newton step is exact.
    fn is_quadratic(&self, island: &Island) -> bool;

    /// Reports the cliques that a law on the island couples, beyond single ones.
    fn couple(&self, _problem: &Problem, _island: &Island, _couple: &mut Couple<'_>) {}

    /// Sum of the potentials at `v` \[J\].
    fn cost(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64;

    /// Subtracts the generalized impulses at `v` from the gradient.
    fn add_gradient(&self, problem: &Problem, island: &Island, v: &[f64], gradient: &mut [f64]);

    /// Adds the Hessian at `v`.
    fn add_hessian(&self, problem: &Problem, island: &Island, v: &[f64], h: &mut HessianBlocks<'_>);

    /// Slope at `v` and curvature along `w` of the part that is quadratic along the whole line.
    fn quadratic_along(&self, _problem: &Problem, _island: &Island, _v: &[f64], _w: &[f64]) -> (f64, f64) {
        (0.0, 0.0)
    }

    /// Adds slope and curvature along `w` of the other part at `v + alpha w`.
    fn add_along(
        &self,
        _problem: &Problem,
        _island: &Island,
        _v: &[f64],
        _w: &[f64],
        _alpha: f64,
        _sum: &mut AlongLine,
    ) {
    }

    /// Reports the smooth pieces that act at the solution `v`, for every clique that each acts on.
    fn note_pieces(&self, problem: &Problem, island: &Island, v: &[f64], note: &mut Note<'_>);

    /// True if a one-sided law, as of a contact or a stop, acts at `v`.
    fn is_touching(&self, problem: &Problem, island: &Island, v: &[f64]) -> bool;

    /// True if a law that acts on the island is as stiff as the step is short, so that steps of different lengths are
    /// different problems.
    fn is_stopped(&self, problem: &Problem, island: &Island, v: &[f64]) -> bool {
        self.is_touching(problem, island, v)
    }

    /// True if the bodies or joints that are [stopped](Self::is_stopped) are held all through the step.
    fn is_held(&self, problem: &Problem, island: &Island, v: &[f64]) -> bool {
        !self.is_stopped(problem, island, v)
    }

    /// Appends the state of the two-sided, limited laws at `v`: within their limits, or at which one.
    fn push_saturations(&self, _problem: &Problem, _island: &Island, _v: &[f64], _out: &mut Vec<u8>) {}

    /// Sum of the sizes of all impulses at `v` in the norm of the gradient: their rounding is that of the balance.
    fn impulse_norms(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64;

    /// Sum of the sizes, in the norm of the gradient, of impulses whose relative error is that of a relative error of
    /// `v`: where bodies stick or are held stiffly, the rounding of a velocity makes a force.
    fn impulse_norms_of_velocity(&self, _problem: &Problem, _island: &Island, _v: &[f64]) -> f64 {
        0.0
    }

    /// Writes the impulses at `v`, the solution of all islands.
    fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution);
}
