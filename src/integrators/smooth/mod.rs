//! Smooth motion: what step doubling gains where nothing begins or ceases to act.
//!
//! A method that offers [`SmoothMotion`] has its half steps extrapolated and refined ([`SmoothMotion::improve`]), the
//! points where the motion is not smooth located by short steps ([`Transitions`]), and free motion followed by an
//! explicit method of high order in steps with a control of their own ([`Coasting`]).

mod coasting;
mod motion;
mod transitions;

pub(super) use coasting::Coasting;
pub use motion::SmoothMotion;
pub use transitions::Transitions;
