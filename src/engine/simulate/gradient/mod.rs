//! Derivatives of a run under error control: how its measures change with initial states and parameters.
//!
//! **What is differentiated.** A step of a method is a function of its start, of the parameters, and of decisions: its
//! length, its method, the solution that was kept ([`Decisions`](crate::integrators::Decisions)). The decisions jump
//! where parameters move; the function does not. Beside the run go two others for each parameter, at `p + d` and
//! `p - d`, which take the steps of the run with its decisions and solve tightly ([`Side`](side)). Half their
//! difference over d is the derivative of what the run did, to about 1e-9 \[Bock 1981, internal numerical
//! differentiation\].
//!
//! **Knots.** Where bodies touch, a joint meets a stop, or a function of a block crosses zero, the motion has a kink or
//! a jump. A step across it has a derivative of its own that is wrong however short the step is: the time of the knot
//! moves with the parameters. So steps end there, to rounding, in the run and in each of the others at its own time
//! ([`landing`]). So do sources of which a number moves the times ([`timed`]). Jumps then act at these times, and
//! derivatives of event times and saltation come out by themselves.
//!
//! **Branches.** A block that branches without a witness function makes no knot. Where its output jumps within a step
//! ([`branches`]), the runs beside are moved to where they would be with the jump at their own times. Where a corner of
//! it lies between the runs beside for more than an instant ([`corners`]), the derivative is the mean of two.
//!
//! **Trust.** A derivative can be off where the run is accurate: an impact hands on the derivative by velocities that
//! the error of positions does not show. So every run is made again to an eighth of the accuracy, until the derivatives
//! change by little; eight times the last change is the estimate of their error: some errors
//! hardly shrink. Where there is no derivative, or none that holds far, notes say so ([`Note`]).

mod branches;
mod budget;
mod corners;
mod direction;
mod event_names;
mod gauges;
mod knots;
mod landing;
mod lockstep;
mod near_misses;
mod notes;
mod numbers;
mod passes;
mod request;
mod result;
mod side;
mod signals;
mod timed;
mod watch;

pub use crate::measures::Of;
pub use event_names::event_names;
pub use notes::{Note, NoteKind};
pub use request::{By, GradientError, GradientRequest};
pub use result::{Derivative, Gradient, Samples};
