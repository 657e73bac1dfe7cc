//! Algebraic loops in an evaluation: Newton's method for the values, the implicit function theorem for the derivatives.
//!
//! One pass over a loop's calls computes new values G(y) of the torn outputs y, and the loop is closed where
//! `F(y) = G(y) - y = 0`. Newton steps `(I - G_y) d = F` take G_y from dual numbers, one pass for every
//! [`JET_WIDTH`](kinegraph_core::JET_WIDTH) unknowns, and are halved until |F| decreases. With y solved, derivatives
//! along parameters p follow from `(I - G_y) y_p = G_p`: one pass with y held constant gives G_p, a second one spreads
//! y_p over all outputs of the loop.
//!
//! The start is the last solution, which is close in a simulation; the iteration goes on until steps are at rounding,
//! so that the result does not depend on the start (except that, of several solutions, one near the start is found).
//! Where the iteration fails, it is repeated from zero.

mod elimination;
mod fault;
mod newton;

pub use elimination::Elimination;

pub(super) use newton::LoopSolver;

use super::call::{Call, Loop};
use super::loop_fault::LoopFault;
use super::signals::Signals;
use super::structure::Diagram;
use kinegraph_core::system::ErasedScalar;

impl Diagram {
    /// Computes all outputs of a loop. Does not allocate, unless it fails.
    ///
    /// # Errors
    /// The loop does not close: then its outputs are not-a-number.
    pub(super) fn solve_loop<S: ErasedScalar>(
        &self,
        calls: &[Call],
        l: &Loop,
        time: S,
        continuous: &[S],
        solver: &mut LoopSolver,
        signals: &mut Signals<S>,
    ) -> Result<(), Box<LoopFault>> {
        let calls = &calls[l.calls.clone()];
        solver.load(self, calls, l, time, continuous, signals);
        let solved = solver.solve(self, calls, l).and_then(|()| {
            solver.unknowns_to(self, l, signals);
            self.run_calls(calls, time, continuous, signals);
            if solver.react(self, calls, l, signals)? {
                solver.reactions_to(self, l, signals);
                self.run_calls(calls, time, continuous, signals);
                solver.reactions_to(self, l, signals);
            } else {
                // The pass has changed the outputs by rounding, which a high gain inside the loop amplifies; restore
                // the solution.
                solver.unknowns_to(self, l, signals);
            }
            Ok(())
        });
        solved.map_err(|failure| {
            for call in calls {
                let ranges = self.blocks()[call.block].outputs.iter().zip(&call.wanted).filter(|(_, wanted)| **wanted);
                ranges.for_each(|(range, _)| signals.arena[range.clone()].fill(S::constant(f64::NAN)));
            }
            Box::new(fault::fault(self, calls, l, time.value(), failure))
        })
    }
}
