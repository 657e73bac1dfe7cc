//! Laws on single velocities, island by island.

use super::{AlongLine, HessianBlocks, Note, Pieces, Potential};
use crate::contact::{Element, Island, Problem, Solution, VelocityLaw};
use std::fmt::Debug;
use std::ops::Range;

/// All laws of one kind, sorted by island.
#[derive(Clone, Debug)]
pub struct VelocityPool<L> {
    laws: Vec<Entry<L>>,
    islands: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<L> {
    law: L,
    velocity: usize,
    island: usize,
    /// Its index among the elements of the problem.
    element: usize,
}

impl<L> Default for VelocityPool<L> {
    fn default() -> Self {
        VelocityPool { laws: Vec::new(), islands: Vec::new() }
    }
}

impl<L: VelocityLaw> VelocityPool<L> {
    fn on(&self, island: &Island) -> &[Entry<L>] {
        self.islands.get(island.index).map_or(&[], |range| &self.laws[range.clone()])
    }
}

impl<L: VelocityLaw> Potential for VelocityPool<L> {
    fn copy(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }

    fn kind(&self) -> u64 {
        L::KIND
    }

    fn set_step(&mut self, problem: &Problem) {
        self.laws.clear();
        self.islands.clear();
        // A locked velocity is zero whatever acts on it.
        let elements = problem.elements.of::<L::Data>().iter().enumerate();
        self.laws.extend(elements.filter(|(_, data)| !problem.trees.locked[data.velocity()]).map(|(element, data)| {
            Entry {
                law: L::new(data, &problem.law_context(data.velocity())),
                velocity: data.velocity(),
                island: problem.island_of(data.velocity()),
                element,
            }
        }));
        if self.laws.is_empty() {
            return;
        }
        if !self.laws.is_sorted_by_key(|entry| entry.island) {
            self.laws.sort_unstable_by_key(|entry| (entry.island, entry.element));
        }
        let mut start = 0;
        self.islands.extend((0..problem.islands().len()).map(|island| {
            let range = start..start + self.laws[start..].iter().take_while(|entry| entry.island == island).count();
            start = range.end;
            range
        }));
    }

    fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    fn is_quadratic(&self, island: &Island) -> bool {
        self.on(island).is_empty()
    }

    fn cost(&self, _: &Problem, island: &Island, v: &[f64]) -> f64 {
        self.on(island).iter().map(|entry| entry.law.cost(v[entry.velocity])).sum()
    }

    fn add_gradient(&self, _: &Problem, island: &Island, v: &[f64], gradient: &mut [f64]) {
        for Entry { law, velocity, .. } in self.on(island) {
            gradient[*velocity] -= law.impulse(v[*velocity]);
        }
    }

    fn add_hessian(&self, problem: &Problem, island: &Island, v: &[f64], h: &mut HessianBlocks<'_>) {
        for Entry { law, velocity, .. } in self.on(island) {
            let hessian = law.hessian(v[*velocity]);
            if hessian != 0.0 {
                h.add(problem, *velocity, *velocity, hessian);
            }
        }
    }

    fn add_along(&self, _: &Problem, island: &Island, v: &[f64], w: &[f64], alpha: f64, sum: &mut AlongLine) {
        for Entry { law, velocity, .. } in self.on(island) {
            let w = w[*velocity];
            let v = v[*velocity] + alpha * w;
            sum.slope -= law.impulse(v) * w;
            sum.curvature += law.hessian(v) * w * w;
        }
    }

    fn note_pieces(&self, problem: &Problem, island: &Island, v: &[f64], note: &mut Note<'_>) {
        for Entry { law, velocity, .. } in self.on(island) {
            let (v0, v, mark) = (problem.trees.v0[*velocity], v[*velocity], if L::ONE_SIDED { 0 } else { 4 });
            let (piece, start) = (law.piece(v) | mark, law.piece_at_start(v) | mark);
            let ended = if law.ends(v0, v) { 1.0 } else { 0.0 };
            let pieces = Pieces { coarse: piece, end: piece, start, ended };
            note(problem.clique_of(*velocity), *velocity as u64, pieces);
        }
    }

    fn is_touching(&self, _: &Problem, island: &Island, v: &[f64]) -> bool {
        L::ONE_SIDED && self.on(island).iter().any(|entry| entry.law.piece(v[entry.velocity]) != 0)
    }

    fn is_stopped(&self, problem: &Problem, island: &Island, v: &[f64]) -> bool {
        L::RIGID && self.is_touching(problem, island, v)
    }

    fn is_held(&self, _: &Problem, island: &Island, v: &[f64]) -> bool {
        let acts = |entry: &&Entry<L>| L::ONE_SIDED && L::RIGID && entry.law.piece(v[entry.velocity]) != 0;
        self.on(island).iter().filter(acts).all(|entry| entry.law.holds(v[entry.velocity]))
    }

    fn push_saturations(&self, _: &Problem, island: &Island, v: &[f64], out: &mut Vec<u8>) {
        if !L::ONE_SIDED {
            out.extend(self.on(island).iter().map(|entry| entry.law.piece(v[entry.velocity])));
        }
    }

    fn impulse_norms(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let norm = |entry: &Entry<L>| entry.law.impulse(v[entry.velocity]).abs() * problem.trees.scale[entry.velocity];
        self.on(island).iter().map(norm).sum()
    }

    fn impulse_norms_of_velocity(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let norm = |entry: &Entry<L>| {
            entry.law.hessian(v[entry.velocity]) * v[entry.velocity].abs() * problem.trees.scale[entry.velocity]
        };
        self.on(island).iter().map(norm).sum()
    }

    fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution) {
        let impulses = solution.start_impulses_of::<L::Data>(problem.elements.of::<L::Data>().len());
        for Entry { law, velocity, element, .. } in &self.laws {
            impulses[*element] = law.impulse(v[*velocity]);
        }
    }
}
