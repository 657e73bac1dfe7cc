//! Decisions of an integrator in a step: with them the step is a smooth map, which can be differentiated.
//!
//! The end of a step is a function of its start and of choices: which method took it, whether friction followed, which
//! solution was kept. The choices jump where the start moves, and the function does not. Derivatives of a run are those
//! of the function with the choices of the run \[Bock 1981, Numerical treatment of inverse problems in chemical
//! reaction kinetics, internal numerical differentiation\].

use super::Candidate;
use kinegraph_convex::contact::ContactForces;
use std::sync::Arc;

/// Solutions of the solves of a step: the full step and both half steps. Those of a step nearby start from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepSolutions([(Vec<f64>, ContactForces); 3]);

impl StepSolutions {
    pub(super) fn of(solved: [&Candidate; 3]) -> Self {
        StepSolutions(solved.map(|solved| (solved.velocity.clone(), solved.forces.clone())))
    }

    /// Makes `solution` the guess of solve number `which`; `false` if it does not fit.
    pub(super) fn guess(&self, which: usize, solution: &mut Candidate, size: usize) -> bool {
        let (velocity, forces) = &self.0[which];
        if velocity.len() != size {
            return false;
        }
        solution.velocity.clone_from(velocity);
        solution.forces.clone_from(forces);
        true
    }
}

/// Decisions of the last step of an integrator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    /// Longest step \[s\] for which contacts were sought at its start.
    pub reach: f64,
    /// True if an explicit method took the step, as one of free motion.
    pub is_free: bool,
    /// True if constraints or joint stops took part in free motion.
    pub is_bound: bool,
    /// True if the step was one of those that follow an impact.
    pub follows_impact: bool,
    /// True if the step was solved in three parts too.
    pub in_thirds: bool,
    /// True if friction followed the normal force.
    pub follows_loads: bool,
    /// True if the half steps were kept as they were solved, though an improved end was at hand.
    pub plain: bool,
    /// True if an explicit method refined the end although bodies slide on each other. It loses the derivatives of
    /// sliding that ends within the step: friction then changes its sign from stage to stage.
    pub refines_friction: bool,
    /// True if joint stops do not act: the step ends where a joint meets one.
    pub opens_stops: bool,
    /// Which parts moved smoothly, and how their ends were improved.
    pub smoothness: Smoothness,
    /// Solutions from which a step with these decisions starts its solves, if they are at hand: no decision, but less
    /// to do.
    pub solutions: Option<Arc<StepSolutions>>,
}

/// Parts of the motion, clique by clique, that an attempt found smooth, and how it improved their ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Smoothness {
    /// Parts that moved smoothly.
    pub smooth: Vec<bool>,
    /// Parts that turned so fast within constraints that only refinement follows them.
    pub turning: Vec<bool>,
    /// Parts on which something acted at the end.
    pub acted_on: Vec<bool>,
    /// Parts in soft contact alone, as the half steps showed.
    pub resolved: Vec<bool>,
    /// Parts of these that refinement showed to be so too.
    pub refined: Vec<bool>,
    /// Parts whose contact lasted.
    pub lasting: Vec<bool>,
    /// How the depths of contacts whose geometry turns were kept, point by point.
    pub depths: Vec<KeptDepth>,
    /// True if any part was refined.
    pub refines: bool,
    /// True if the third solution was kept.
    pub third: bool,
}

/// How the depth of a contact was kept whose geometry turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeptDepth {
    /// Depth that the end of the step has.
    #[default]
    Found,
    /// No depth: the law has parted the bodies.
    Apart,
    /// Depth of the half steps.
    Halves,
    /// Depth extrapolated from the full step and the half steps.
    Extrapolated,
    /// Depth of the third solution.
    Thirds,
}

impl Smoothness {
    /// Becomes equal to `other`, without allocation where it has been as large.
    pub(super) fn set(&mut self, other: &Smoothness) {
        let own = [
            &mut self.smooth,
            &mut self.turning,
            &mut self.acted_on,
            &mut self.resolved,
            &mut self.refined,
            &mut self.lasting,
        ];
        let from = [&other.smooth, &other.turning, &other.acted_on, &other.resolved, &other.refined, &other.lasting];
        own.into_iter().zip(from).for_each(|(own, from)| own.clone_from(from));
        self.depths.clone_from(&other.depths);
        (self.refines, self.third) = (other.refines, other.third);
    }
}
