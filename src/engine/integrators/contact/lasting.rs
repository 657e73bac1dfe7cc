//! Cliques that may have a third solution.

use super::improve::Improvement;
use super::third::lasts;
use crate::integrators::Candidate;
use crate::integrators::rule::{Rule, RuleSwitches};
use kinegraph_convex::contact::Problem;

impl Improvement {
    /// Finds the cliques that may have a third solution: those that move smoothly in contact that lasts, in a step
    /// within which nothing begins or ceases to act anywhere. Refined ones need none.
    pub(super) fn find_lasting(
        &mut self,
        problem: &Problem,
        full: &Candidate,
        half: &Candidate,
        end: &Candidate,
        on: RuleSwitches,
    ) {
        let Improvement { third, smooth, turning, resolved, refines, .. } = self;
        let parts = |c: usize| [full, half, end].map(|part| part.regimes[c]);
        let same = |c: usize| {
            let [full, half, end] = parts(c);
            [half, end].iter().all(|r| (r.pieces, r.end) == (full.pieces, full.end))
        };
        let quiet = |c: usize| same(c) && parts(c).iter().all(|regime| !regime.changed());
        if !on.has(Rule::Extrapolation) || !(0..full.regimes.len()).all(quiet) {
            third.lasting.clear();
            third.lasting.resize(full.regimes.len(), false);
            return;
        }
        third.mark_touching(problem);
        for (c, lasting) in third.lasting.iter_mut().enumerate() {
            *lasting &= parts(c).iter().all(lasts) && smooth[c] && !turning[c] && !(*refines && resolved[c]);
        }
    }
}
