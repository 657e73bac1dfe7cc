//! Rows of elements for solvers that sweep.
//!
//! Elements without a law here are not supported, and a diagram with one is refused ([`ROWS`]).

use super::row_rules::RowRules;
use kinegraph_convex::contact::{CompliantStop, Element, Form, JointFriction, JointStops, LimitedEffort};
use std::any::Any;

/// Element laws that solvers by sweeps support.
pub(crate) const ROWS: Form = Form {
    name: "rows for sweeps",
    kinds: Some(&[JointStops::KIND, CompliantStop::KIND, LimitedEffort::KIND, JointFriction::KIND]),
};

/// A row on the velocity of an element: `u + softness λ = target` as far as `lower <= λ <= upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SweepRow {
    /// Sign with which the row measures the velocity and its impulse acts: 1 or -1.
    pub sign: f64,
    /// Target velocity \[m/s, rad/s\].
    pub target: f64,
    /// Compliance \[1/kg, 1/(kg m²)\].
    pub softness: f64,
    /// Least impulse \[N s, N m s\].
    pub lower: f64,
    /// Largest impulse.
    pub upper: f64,
    /// True if its law holds at the time of [`RowRules`], false at the end of the step.
    pub rigid: bool,
}

/// Last turn of an element in a sweep.
pub(super) const LAST_TURN: u8 = 1;

/// Turn of an element kind in a sweep: later ones react to the impulses of earlier ones.
pub(super) fn turn_of<E: Element>() -> u8 {
    if E::KIND == LimitedEffort::KIND { LAST_TURN } else { 0 }
}

/// Passes the rows of an element in a step of length `dt` \[s\] to `add`.
pub(super) fn rows_of<E: Element>(element: &E, rules: &RowRules, dt: f64, add: &mut dyn FnMut(SweepRow)) {
    let element: &dyn Any = element;
    if let Some(stops) = element.downcast_ref::<JointStops>() {
        rows_of_stops(stops, rules, add);
    } else if let Some(stop) = element.downcast_ref::<CompliantStop>() {
        add(row_of_compliant_stop(stop, dt));
    } else if let Some(effort) = element.downcast_ref::<LimitedEffort>() {
        add(row_of_limited_effort(effort, dt));
    } else if let Some(friction) = element.downcast_ref::<JointFriction>() {
        add(row_of_friction(dt * friction.force));
    }
}

fn rows_of_stops(stops: &JointStops, rules: &RowRules, add: &mut dyn FnMut(SweepRow)) {
    for (sign, gap) in [(1.0, stops.lower_gap), (-1.0, stops.upper_gap)] {
        if gap.is_finite() {
            let target = rules.target(-gap, stops.correction_speed);
            let target = stops.rebound.speed(sign, target, rules.time).unwrap_or(target) / rules.ratio;
            add(SweepRow { sign, target, softness: 0.0, lower: 0.0, upper: f64::INFINITY, rigid: true });
        }
    }
}

/// Row of a compliant stop in a step of length `dt`.
pub(super) fn row_of_compliant_stop(stop: &CompliantStop, dt: f64) -> SweepRow {
    // Damping of the present force of the stop.
    let gain = stop.stiffness * (dt + stop.dissipation * (-stop.gap).max(0.0)) + stop.damping;
    let ahead = stop.gap > 0.0 && stop.damping > 0.0;
    let target = if ahead { -stop.gap / dt } else { -stop.gap * stop.stiffness / gain };
    let softness = 1.0 / (dt * gain);
    SweepRow { sign: stop.sign, target, softness, lower: 0.0, upper: f64::INFINITY, rigid: false }
}

fn row_of_limited_effort(effort: &LimitedEffort, dt: f64) -> SweepRow {
    let largest = dt * effort.limit;
    let mut row = SweepRow { sign: 1.0, target: 0.0, softness: 0.0, lower: -largest, upper: largest, rigid: false };
    if effort.gain > 0.0 {
        (row.softness, row.target) = (1.0 / (dt * effort.gain), effort.bias / effort.gain);
    } else {
        let impulse = (dt * effort.bias).clamp(row.lower, row.upper);
        (row.lower, row.upper) = (impulse, impulse);
    }
    row
}

/// Row of dry friction with this `largest` impulse \[N s, N m s\].
pub(super) fn row_of_friction(largest: f64) -> SweepRow {
    SweepRow { sign: 1.0, target: 0.0, softness: 0.0, lower: -largest, upper: largest, rigid: true }
}
