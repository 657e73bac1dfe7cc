//! Forces of a solved problem: impulses of its constraints at the solution over the step length.

use super::elements::{ContactRow, Element};
use super::problem::Problem;
use super::solution::{ContactImpulse, Solution};
use super::wrench::Wrench;

impl Problem {
    /// Contact points, in the order in which they were added, with their impulses in `solution`.
    pub fn contact_impulses<'a>(
        &'a self,
        solution: &'a Solution,
    ) -> impl Iterator<Item = (&'a ContactRow, &'a ContactImpulse)> + 'a {
        self.contacts.points.iter().zip(&solution.pairs)
    }

    /// Adds to `accelerations` those by contacts at the start of a step of length `dt`, by their law before it is
    /// discretized: `M^-1 J' f`. `false` if a mass matrix has no Cholesky factor.
    pub fn add_contact_accelerations(&mut self, dt: f64, accelerations: &mut [f64]) -> bool {
        let mut forces = std::mem::take(&mut self.step_terms.momentum);
        forces.clear();
        forces.resize(self.size(), 0.0);
        for patch in &self.contacts.patches {
            let mut sum = Wrench::default();
            for pair in &self.contacts.points[patch.points.clone()] {
                sum.add(pair, &pair.explicit_force(dt));
            }
            sum.add_to(self, patch, &mut forces);
        }
        let mut solved = true;
        for clique in 0..self.trees.cliques.len() {
            let range = self.trees.cliques[clique].velocities.clone();
            if forces[range.clone()].iter().any(|f| *f != 0.0) {
                solved &= self.solve_mass(clique, &mut forces[range.clone()]);
                accelerations[range.clone()].iter_mut().zip(&forces[range]).for_each(|(a, f)| *a += f);
            }
        }
        self.step_terms.momentum = forces;
        solved
    }

    /// Change of the forces of joint damping and springs within the step, at the velocities `v`; their forces at the
    /// start are part of the bias.
    pub fn passive_forces<'a>(&'a self, v: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let springs = self.step_terms.spring_inertia.iter().map(|inertia| inertia / self.step_terms.dt);
        let damping = if self.settings.explicit_damping { 0.0 } else { 1.0 };
        (0..v.len())
            .zip(springs)
            .map(move |(i, spring)| -damping * self.trees.damping[i] * (v[i] - self.trees.v0[i]) - spring * v[i])
    }

    /// Generalized forces of all elements of one type in `solution`, in the order in which they were added.
    pub fn forces_of<'a, T: Element>(&'a self, solution: &'a Solution) -> impl Iterator<Item = f64> + 'a {
        solution.impulses_of::<T>().iter().map(|impulse| impulse / self.step_terms.dt)
    }
}
