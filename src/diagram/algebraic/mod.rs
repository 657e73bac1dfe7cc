//! Algebraic loops in an evaluation: Newton's method for the values, the implicit function theorem for the derivatives.
//!
//! One pass over a loop's calls computes new values G(y) of the torn outputs y, and the loop is closed where
//! `F(y) = G(y) - y = 0`. Newton steps `(I - G_y) d = F` take G_y from dual numbers, one pass for every
//! [`JET_WIDTH`](crate::systems::JET_WIDTH) unknowns, and are halved until |F| decreases. With y solved, derivatives
//! along parameters p follow from `(I - G_y) y_p = G_p`: one pass with y held constant gives G_p, a second one spreads
//! y_p over all outputs of the loop.
//!
//! The start is the last solution, which is close in a simulation; the iteration goes on until steps are at rounding,
//! so that the start does not show in the result (of several solutions it finds the one it is near to). Where that
//! fails, zero is tried.

mod elimination;
mod fault;
mod newton;

pub use fault::{LoopCause, LoopFault};
pub(super) use newton::Workspace;

use super::schedule::{Call, Loop};
use super::structure::Diagram;
use super::values::Values;
use kinegraph_systems::system::ErasedScalar;

impl Diagram {
    /// Computes all outputs of a loop; where that fails they are not-a-number, and `values` holds the fault. Does not
    /// allocate, unless it fails.
    pub(super) fn solve_loop<S: ErasedScalar>(
        &self,
        calls: &[Call],
        l: &Loop,
        time: S,
        continuous: &[S],
        values: &mut Values<S>,
    ) {
        // Values of this diagram have a workspace if it has loops.
        let Some(mut work) = values.workspace.take() else { return };
        let calls = &calls[l.calls.clone()];
        work.load(self, calls, l, time, continuous, values);
        let solved = work.solve(self, calls, l).and_then(|()| {
            work.unknowns_to(self, l, values);
            self.run_calls(calls, time, continuous, values);
            if work.react(self, calls, l, values)? {
                work.reactions_to(self, l, values);
                self.run_calls(calls, time, continuous, values);
                work.reactions_to(self, l, values);
            } else {
                // What came out differs from the solution by rounding, which a high gain inside the loop has amplified.
                work.unknowns_to(self, l, values);
            }
            Ok(())
        });
        if let Err(failure) = solved {
            for call in calls {
                let ranges = self.blocks()[call.block].outputs.iter().zip(&call.wanted).filter(|(_, wanted)| **wanted);
                ranges.for_each(|(range, _)| values.arena[range.clone()].fill(S::constant(f64::NAN)));
            }
            values.fault.get_or_insert_with(|| Box::new(LoopFault::new(self, calls, l, time.value(), failure)));
        }
        values.workspace = Some(work);
    }
}
