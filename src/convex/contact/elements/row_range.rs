//! Ranges of the measure of a row: of a tendon's length, of the angle of a ball joint.
//!
//! A rope is slack up to a length and stiff beyond it. Its stops are those of a joint (`compliant_stop.rs`), of the
//! rate `J v` of a row over any velocities: each end of the range has the law of such a stop, so that a step that
//! begins slack ends with the force that acts there. The row turns within a step: its measure grows by more than its
//! rate times the step (`RowGroup::bend`). The end of the step has to include that, or the stretch of every step would
//! be a gain of energy.

use super::super::restitution::restitution;
use super::compliant_stop::{CompliantStop, CompliantStopLaw};
use super::constraint_rows::RowGroup;
use super::element::{Element, ForceContext};
use super::velocity_law::VelocityLaw;
use crate::choices::row_range::HARDLY;
use kinegraph_core::Scalar;
use kinegraph_core::convex::{RowRange, StopCompliance};
use std::f64::consts::PI;

/// Stops at the ends of a range where the row measures `x`.
pub fn stops(range: &RowRange, x: f64) -> impl Iterator<Item = CompliantStop> + use<> {
    let StopCompliance { stiffness, dissipation, damping } = range.stop;
    let ends = [(1.0, x - range.least), (-1.0, range.most - x)].into_iter();
    let ends = ends.filter(|(_, gap)| gap.is_finite());
    ends.map(move |(sign, gap)| CompliantStop { velocity: 0, sign, gap, stiffness, dissipation, damping })
}

/// Force along the row before any discretization, where the row measures `x`, which grows at this `rate`.
pub fn force(range: &RowRange, x: f64, rate: f64) -> f64 {
    let at = ForceContext { moved: 0.0, velocity: rate, mobility: f64::NAN, locked: false };
    stops(range, x).map(|stop| stop.force(&at)).sum()
}

/// True if the stops at the ends of a range have no rebound from an impact of this `speed`, with this inverse effective
/// mass \[1/kg, 1/(kg m²)\] of the row.
pub fn only_takes(range: &RowRange, mobility: f64, speed: f64) -> bool {
    let StopCompliance { stiffness, dissipation, damping } = range.stop;
    let zeta = 0.5 * damping * (mobility / stiffness).sqrt();
    let by_damping = if zeta < 1.0 { (-PI * zeta / (1.0 - zeta * zeta).sqrt()).exp() } else { 0.0 };
    by_damping * restitution(dissipation * speed.abs()) < HARDLY
}

impl RowGroup {
    /// True if it has a range of which no end is passed at the start of the step.
    pub fn is_slack(&self) -> bool {
        self.range.is_some_and(|range| range.excess(self.violation.x) == 0.0)
    }

    /// The stops at the ends of its range at the start of the step, if it has one.
    pub fn stops(&self) -> impl Iterator<Item = CompliantStop> + use<> {
        let x = self.violation.x;
        self.range.into_iter().flat_map(move |range| stops(&range, x))
    }
}

/// A range within one solve.
#[derive(Clone, Copy, Debug)]
pub struct RowRangeLaw {
    ends: [Option<CompliantStopLaw>; 2],
    /// Mean rate over the step that the turning of the row adds to its own.
    turns: f64,
}

impl RowRangeLaw {
    /// The law of `range` in a step of length `dt` from the measure `x` of the row, which grows by `bend` beyond its
    /// rate times the step.
    pub fn new(range: &RowRange, x: f64, bend: f64, dt: f64) -> Self {
        let mut stops = stops(range, x).map(|stop| CompliantStopLaw::of(&stop, dt));
        RowRangeLaw { ends: [stops.next(), stops.next()], turns: bend / dt }
    }

    fn ends(&self) -> impl Iterator<Item = &CompliantStopLaw> {
        self.ends.iter().flatten()
    }

    /// The potential \[J\] at the rate `u`.
    pub fn cost<S: Scalar>(&self, u: S) -> S {
        let u = u + S::constant(self.turns);
        self.ends().fold(S::zero(), |sum, end| sum + end.cost(u))
    }

    /// Impulse along the row: minus the gradient of the cost.
    #[inline]
    pub fn impulse<S: Scalar>(&self, u: S) -> S {
        let u = u + S::constant(self.turns);
        self.ends().fold(S::zero(), |sum, end| sum + end.impulse(u))
    }

    /// Second derivative of the cost.
    #[inline]
    pub fn hessian(&self, u: f64) -> f64 {
        self.ends().map(|end| end.hessian(u + self.turns)).sum()
    }

    /// Ends that act at the rate `u`, at the end of the step; zero: it is slack there.
    pub fn piece(&self, u: f64) -> u8 {
        self.ends().fold(0, |sum, end| sum | end.piece(u + self.turns))
    }

    /// Ends that act at the start of the step.
    pub fn piece_at_start(&self) -> u8 {
        self.ends().fold(0, |sum, end| sum | end.piece_at_start(self.turns))
    }
}
