//! The third solution: a combination of one, two and three parts of a step, where contact lasts.
//!
//! With the ends of a step in one, two and three parts, of a method of the first order,
//!
//! ```text
//! T22 = 2 halves - full,   T33 = 9/2 thirds - 4 halves + 1/2 full,   T32 = 3 thirds - 2 halves
//! ```
//!
//! \[Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, sec. II.9\]. T33 is of the third order and is
//! kept; T32 is of the second, and the difference of the two is the error that is controlled. Full step and half steps
//! may then differ by more than the accuracy, and steps are longer. For when this pays, see `cenic/thirds.rs`.
//!
//! Where contact lasts, an error dv of velocity continues as one of positions, in all directions that contact does not
//! oppose: it opposes the normal part, and sliding where it sticks. With the matrix H of the last part, three more like
//! it leave
//!
//! ```text
//! (H^-1 M)^3 dv
//! ```
//!
//! of it. It counts by the distance that it makes in the largest step, the time scale of the scene.

use super::combine::{Combination, Ends};
use super::parts::ThreeParts;
use super::plan::StepPlan;
use kinegraph_convex::contact::{Problem, Regime};

/// Coefficients of full step, half steps and thirds in T33.
pub(super) const THIRD_ORDER: [f64; 3] = [0.5, -4.0, 4.5]; // method
/// Coefficients of full step, half steps and thirds in T32.
const SECOND_ORDER: [f64; 3] = [0.0, -2.0, 3.0]; // method

/// Third solution, and the cliques that may have one; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct ThirdSolution {
    /// The cliques whose contact lasts throughout the step and which move smoothly.
    pub lasting: Vec<bool>,
    /// T33 and T32.
    pub third: Vec<f64>,
    pub second: Vec<f64>,
    pub(super) combination: Combination,
    /// An error of velocity, and momenta of it.
    pub dv: Vec<f64>,
    pub momenta: Vec<f64>,
}

/// True if the same elements acted throughout a solve.
pub(super) fn lasts(regime: &Regime) -> bool {
    regime.pieces != 0 && !regime.stopped && !regime.changed() && regime.ended == 0.0
}

impl ThirdSolution {
    /// Marks the bodies that touch something at the start of the step, and all that move with them. Islands of several
    /// trees with feedback are left out, since the recorded forces would miss their motion; so are those with locked
    /// joints, which rounding would move.
    pub(super) fn mark_touching(&mut self, problem: &Problem) {
        self.lasting.clear();
        self.lasting.resize(problem.trees.cliques.len(), false);
        for island in problem.islands() {
            let mut pairs = island
                .patches
                .iter()
                .flat_map(|&p| &problem.contacts.points[problem.contacts.patches[p].points.clone()]);
            let locks = || island.runs.iter().any(|run| problem.trees.locked[run.clone()].contains(&true));
            let may = island.cliques.len() == 1 || (island.feedback.is_empty() && !locks());
            let touches = may && pairs.any(|pair| pair.start.elastic_force > 0.0);
            island.cliques.iter().for_each(|&clique| self.lasting[clique] = touches);
        }
    }

    /// True if the mover of an entry of the state may have a third solution; of external state, if all movers have one.
    pub fn moves(&self, plan: &StepPlan, entry: usize) -> bool {
        plan.movers.clique_of(entry).map_or_else(|| self.all(), |c| self.lasting[c])
    }

    /// True if all cliques may have a third solution.
    pub fn all(&self) -> bool {
        self.lasting.iter().all(|lasting| *lasting)
    }

    /// Finds the difference of T33 and T32 in velocity, for cliques with a third solution.
    pub fn find_dv(&mut self, plan: &StepPlan, problem: &Problem) {
        let ThirdSolution { lasting, third, second, dv, .. } = self;
        dv.clear();
        dv.resize(problem.size(), 0.0);
        let movers = &plan.movers;
        for entry in movers.entries(false, |c| lasting[c]).filter(|entry| movers.is_velocity[*entry]) {
            if let Some(velocity) = movers.velocities[entry] {
                dv[velocity] = third[entry] - second[entry];
            }
        }
    }

    /// Computes T33 and T32.
    pub fn combine(&mut self, plan: &StepPlan, full: &[f64], three: &ThreeParts<'_>) {
        let all = self.all();
        let ThirdSolution { lasting, third, second, combination, .. } = self;
        for ([c1, c2, finest], end) in [(THIRD_ORDER, third), (SECOND_ORDER, second)] {
            end.clone_from(&three.ends[2].continuous);
            let ends = Ends { others: &[(c1, full), (c2, three.halves)], finest };
            combination.combine(&plan.movers, &ends, end, all, |c| lasting[c], |_| true);
        }
    }
}
