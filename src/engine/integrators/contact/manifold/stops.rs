//! Joint stops one by one: their gaps, and the time at which a step meets one.

use crate::choices::stops::SAMPLES;
use crate::linearize::Layout;
use kinegraph_convex::contact::SLOWEST_REBOUND;
use kinegraph_diagram::Diagram;

/// One stop of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    /// Plant, and index of the joint among its limits.
    pub plant: usize,
    pub limit: usize,
    /// Velocity, among those of all plants.
    pub velocity: usize,
    /// Indices of position and velocity in the continuous state.
    position: usize,
    speed: usize,
    /// Direction away from it: 1 of a lower stop, -1 of an upper one.
    pub sign: f64,
    place: f64,
    pub correction_speed: f64,
    /// Coefficient of restitution, of impacts above the slowest speed.
    pub restitution: f64,
    /// Slowest impact with a rebound \[m/s\], or its equivalent.
    pub slowest_rebound: f64,
    /// True if it is rigid: compliant stops end steps, but are no part of the manifold.
    rigid: bool,
}

/// All rigid stops of all plants.
pub(super) fn rigid<'a>(diagram: &'a Diagram, layout: &'a Layout) -> impl Iterator<Item = Stop> + 'a {
    all(diagram, layout).filter(|stop| stop.rigid)
}

/// True if a compliant stop pushes, or is about to.
pub(super) fn yields(diagram: &Diagram, layout: &Layout, continuous: &[f64]) -> bool {
    let pushes =
        |stop: &Stop| stop.gap(continuous) < 0.0 || (stop.gap(continuous) == 0.0 && stop.rate(continuous) < 0.0);
    all(diagram, layout).any(|stop| !stop.rigid && pushes(&stop))
}

/// All stops of all plants.
pub(super) fn all<'a>(diagram: &'a Diagram, layout: &'a Layout) -> impl Iterator<Item = Stop> + 'a {
    layout.plants.iter().enumerate().flat_map(move |(plant, slot)| {
        let model = layout.plant(diagram, slot);
        let (structure, slowest_rebound) = (model.structure(), SLOWEST_REBOUND * model.stiction_tolerance());
        structure.limits.iter().enumerate().flat_map(move |(limit, joint)| {
            joint.stops().map(move |(sign, place)| Stop {
                plant,
                limit,
                velocity: slot.global.start + joint.velocity,
                position: slot.positions.start + joint.position,
                speed: slot.velocities.start + joint.velocity,
                sign,
                place,
                correction_speed: structure.correction_speed,
                restitution: joint.restitution,
                slowest_rebound,
                rigid: joint.compliance.is_none(),
            })
        })
    })
}

impl Stop {
    /// Distance from it; negative beyond.
    pub fn gap(&self, continuous: &[f64]) -> f64 {
        self.sign * (continuous[self.position] - self.place)
    }

    /// Speed away from it; given the rates of the continuous state, its acceleration.
    pub fn rate(&self, continuous: &[f64]) -> f64 {
        self.sign * continuous[self.speed]
    }

    /// Time \[s\] at which the cubic through both ends of a step of length `h` first meets it, where a gap of `touch`
    /// counts as closed. A joint that starts beyond it meets it where it would go farther.
    pub fn met(&self, touch: f64, h: f64, start: &[f64], end: &[f64]) -> Option<f64> {
        let gaps = [self.gap(start), self.gap(end)];
        met(touch, h, gaps, [self.sign * start[self.speed], self.sign * end[self.speed]])
    }
}

/// Time \[s\] at which a gap with these values and rates at both ends of a step of length `h` first becomes zero, by
/// the cubic through both ends, where a gap of `touch` counts as closed. A gap that is negative at the start counts
/// where it would become smaller.
pub(in crate::integrators::contact) fn met(touch: f64, h: f64, [g0, g1]: [f64; 2], rates: [f64; 2]) -> Option<f64> {
    let [d0, d1] = rates.map(|rate| h * rate);
    // The crossing is half within the touch, so that the gap is certainly open at the start.
    let above = g0.min(0.0) - 0.5 * touch;
    // A cubic stays in the hull of its control points.
    if [g1, g0 + d0 / 3.0, g1 - d1 / 3.0].iter().all(|gap| *gap >= above - 0.5 * touch) {
        return None;
    }
    let gap = |x: f64| {
        let y = 1.0 - x;
        y * y * ((1.0 + 2.0 * x) * g0 + x * d0) + x * x * ((3.0 - 2.0 * x) * g1 - y * d1) // formula
    };
    let at = |i: usize| i as f64 / SAMPLES as f64;
    let beyond = (1..=SAMPLES).find(|&i| gap(at(i)) < above - 0.5 * touch)?;
    let (mut low, mut high) = (at(beyond - 1), at(beyond));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        (low, high) = if gap(middle) > above { (middle, high) } else { (low, middle) };
    }
    Some(high * h)
}
