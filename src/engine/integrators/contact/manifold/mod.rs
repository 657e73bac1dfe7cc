//! Motion on the manifold of rigid constraints, and on joint stops, where no contact acts.
//!
//! With rows J of the active constraints (`g(q) = 0`, `J v = 0`) and of the joint stops that press, the motion is an
//! ordinary differential equation of its own: the accelerations of the system
//!
//! ```text
//! M a = f + J' y,   J a = -J' v        (J' v: the curvature of the way)
//! ```
//!
//! so that an explicit method of high order follows it, and constraints cost no accuracy. The drift of such a method
//! off the manifold is removed at the end of a step, in the metric of the masses [`Manifold::project`].
//!
//! **Violation.** A joint that starts beyond its stop, or a body off its constraints, returns by displacements of at
//! most `correction_speed` times the time, which make no momentum.
//!
//! **Stops.** An open stop does not act; a step ends where one is met ([`Manifold::ends_early`]). There it takes all
//! speed towards it at once ([`Manifold::settle`]), and holds the joint as long as that presses on it. Nothing need be
//! remembered of a stop: it is near where its gap is within [`Scales::touch`], and a joint that leaves it is free.
//!
//! A stop with a restitution e returns e times the impulse that it took \[Poisson\], of a single one e times the speed.
//! Whatever the restitutions of several stops and the links between their joints, that never adds energy, as e times
//! every speed \[Newton\] would. A compliant stop is no part of this, nor is a range of rows: a step ends where one is
//! met.

mod curvature;
mod ends;
mod evaluate;
mod ranges;
mod records;
mod stops;
mod system;

use super::point::StepPoint;
use super::scales::Scales;
use crate::choices::manifold::{FIRST_RELEASE, LAST_RELEASE, REDUNDANT, RELEASE_OVERSHOOT};
use crate::integrators::tuning::CenicTuning;
use crate::linearize::{External, Layout};
pub(super) use ends::EndProjection;
pub(super) use evaluate::evaluate;
use kinegraph_core::convex::Switches;
use kinegraph_diagram::{Diagram, State};
use ranges::RangeEnds;
use std::sync::Arc;
use stops::Stop;
pub(super) use stops::met;
use system::{Row, RowSystem};

/// Largest speed at rest, as a part of the fastest velocity, for rounding.
const AT_REST: f64 = 4.5e6 * f64::EPSILON;
/// A multiplier within this part of its change within a step does not press, for rounding.
const NO_FORCE: f64 = 4096.0 * f64::EPSILON;

/// Constraints and stops in free motion; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Manifold {
    /// Plants where they were last evaluated.
    point: StepPoint,
    system: RowSystem,
    stops: StopSets,
    settled: Settled,
    rates: Vec<f64>,
    /// Velocities, accelerations or displacements of all plants.
    x: Vec<f64>,
    /// Displacement back to the manifold.
    correction: Vec<f64>,
    scratch: Vec<f64>,
    moved: Vec<f64>,
    ranges: RangeEnds,
    tuning: CenicTuning,
    scales: Arc<Scales>,
}

/// Stops that take part in free motion.
#[derive(Clone, Debug, Default)]
struct StopSets {
    /// Stops in the system.
    near: Vec<Stop>,
    /// Near stops that return a part of the impact speed.
    struck: Vec<Stop>,
    /// Stops that hold over the step, and their pressures at its start.
    held: Vec<Stop>,
    pressure: Vec<f64>,
}

/// State that was settled last.
#[derive(Clone, Debug, Default)]
struct Settled {
    at: State,
    /// True if the stops that hold there were found.
    known: bool,
    /// True if any constraint acts, or any stop is near.
    active: bool,
    /// True if a violation is larger than the drift of the motion.
    off: bool,
}

impl Manifold {
    /// Manifold with these numbers of the step and these scales of the run.
    pub fn new(tuning: &CenicTuning, scales: &Arc<Scales>) -> Self {
        let system = RowSystem::new(scales);
        Manifold { tuning: *tuning, scales: scales.clone(), system, ..Manifold::default() }
    }

    /// True if constraints or stops take part in the motion from `point`, as far as its state shows. Stops with
    /// restitution always do: joints must strike them at their true speed.
    pub fn binds(scales: &Scales, external: &External, point: &StepPoint) -> bool {
        let elastic = |stop: Stop| stop.restitution > 0.0;
        point.problem.has_rigid_groups()
            || any_near(scales, external, &point.state.continuous)
            || stops::rigid(external.diagram(), external.layout()).any(elastic)
    }

    /// True if a compliant stop pushes at `point`, or is about to: a force that convex steps follow.
    pub fn yields(external: &External, point: &StepPoint) -> bool {
        stops::yields(external.diagram(), external.layout(), &point.state.continuous)
    }

    /// Sets the switches that hold over a step.
    pub fn switch(&mut self, switches: &[Switches]) {
        switches.clone_into(&mut self.point.switches);
    }

    /// True if `state` is the one that was settled last.
    pub fn knows(&self, state: &State) -> bool {
        self.settled.known && self.settled.at == *state
    }

    /// Settles the end of a step, where there is anything to settle. Returns whether a velocity, or a held stop,
    /// changed.
    pub fn settle_end(&mut self, external: &mut External, state: &mut State) -> bool {
        if !self.settled.active && !any_near(&self.scales, external, &state.continuous) {
            self.settled.known = false;
            return false;
        }
        let held = self.stops.held.len();
        self.settle(external, state) || self.stops.held.len() != held
    }

    /// True if no constraint or stop takes part in the steps from the state that was settled last.
    pub fn is_idle(&self) -> bool {
        !self.settled.active
    }

    /// True if the return to the manifold from the state that was settled last takes displacements that are no part of
    /// the motion, nor of its error.
    pub fn is_off(&self) -> bool {
        self.settled.off
    }

    /// Makes the motion free of constraints and stops.
    pub fn leave(&mut self) {
        self.stops.held.clear();
        self.stops.pressure.clear();
        (self.settled.active, self.settled.off, self.settled.known) = (false, false, false);
    }

    /// Changes the velocities of `state` to those that constraints and stops allow, by the impulses of the least
    /// kinetic energy, and finds which stops hold from there. Returns whether a velocity changed.
    pub fn settle(&mut self, external: &mut External, state: &mut State) -> bool {
        if self.knows(state) {
            return false;
        }
        self.leave();
        let layout = external.shared_layout();
        let diagram = external.diagram().clone();
        self.evaluate(&diagram, &layout, &state.continuous);
        self.stops.near.clear();
        let scales = &self.scales;
        let near = |stop: &Stop| stop.gap(&state.continuous) <= scales.touch(stop.velocity);
        self.stops.near.extend(stops::rigid(&diagram, &layout).filter(near));
        self.settled.active = self.point.problem.has_rigid_groups() || !self.stops.near.is_empty();
        self.settled.off = self.stops.near.iter().any(|stop| stop.gap(&state.continuous) < -scales.off(stop.velocity))
            || self.point.listed_rows().any(|(rows, first)| scales.is_off(rows, first));
        layout.gather_velocities(&state.continuous, &mut self.x);
        let struck = self.strike(&state.continuous);
        if struck {
            layout.scatter_velocities(&self.x, &mut state.continuous);
            self.evaluate(&diagram, &layout, &state.continuous);
        }
        self.find_held(external, &layout, state);
        let mut stayed = false;
        while self.settled.known && self.stay(&diagram, &layout, state) {
            stayed = true;
            self.evaluate(&diagram, &layout, &state.continuous);
            self.find_held(external, &layout, state);
        }
        struck || stayed
    }

    /// Holds joints at stops that they leave so slowly that they would meet them again within the touch distance:
    /// joints that strike their stops in turn, ever faster, would never rest. Returns whether there were any.
    fn stay(&mut self, diagram: &Diagram, layout: &Layout, state: &mut State) -> bool {
        let (x, rates, scales) = (&state.continuous, &self.rates, &self.scales);
        let returns = |stop: &Stop| {
            let (v, a) = (stop.rate(x), stop.rate(rates));
            v > scales.rest(stop.velocity) && a < 0.0 && v * v < -2.0 * a * scales.touch(stop.velocity)
        };
        let before = self.stops.near.len();
        let near = |stop: &Stop| stop.gap(x) <= scales.touch(stop.velocity) && returns(stop);
        self.stops.near.extend(stops::rigid(diagram, layout).filter(near));
        if self.stops.near.len() == before {
            return false;
        }
        self.system.collect(&mut self.point, &self.stops.near, false, x);
        layout.gather_velocities(x, &mut self.x);
        self.settled.known = self.system.solve(|_| 0.0, redundant, &mut self.x);
        for stop in &self.stops.near {
            self.x[stop.velocity] = 0.0;
        }
        layout.scatter_velocities(&self.x, &mut state.continuous);
        self.settled.known
    }

    /// Applies the impulses of constraints and near stops to the velocities in `x`. Returns whether any were needed.
    fn strike(&mut self, continuous: &[f64]) -> bool {
        let near = &self.stops.near;
        self.system.collect(&mut self.point, near, true, continuous);
        let fastest = self.scales.fastest(&self.x);
        if !self.system.moves_wrongly(&self.x, self.scales.rest_speed().max(AT_REST * fastest)) {
            return false;
        }
        self.stops.struck.clear();
        let slowest = |stop: &Stop| stop.slowest_rebound * self.scales.unit(stop.velocity);
        let fast = near.iter().filter(|stop| stop.restitution > 0.0 && -stop.rate(continuous) > slowest(stop));
        self.stops.struck.extend(fast);
        if !self.system.solve(|_| 0.0, redundant, &mut self.x) {
            return false;
        }
        let struck = &self.stops.struck;
        let given_back = |stop: &Stop| if struck.contains(stop) { stop.restitution } else { 0.0 };
        if self.system.rebound(given_back, &mut self.x) && !self.system.solve(|_| 0.0, redundant, &mut self.x) {
            return false;
        }
        for stop in self.system.pressing() {
            self.x[stop.velocity] = 0.0;
        }
        true
    }

    /// Finds the near stops that hold at `state`, where the plants were evaluated: those that press.
    fn find_held(&mut self, external: &mut External, layout: &Layout, state: &State) {
        self.stops.held.clear();
        self.stops.pressure.clear();
        self.settled.known = false;
        self.rates.resize(state.continuous.len(), 0.0);
        external.rates(state.time, &state.continuous, &mut self.rates);
        if external.loop_fault().is_some() || self.rates.iter().any(|rate| !rate.is_finite()) {
            // The attempt at a step reports this failure.
            return;
        }
        layout.gather_velocities(&state.continuous, &mut self.x);
        let v = &self.x;
        let scales = &self.scales;
        self.stops.near.retain(|stop| stop.sign * v[stop.velocity] <= scales.rest(stop.velocity));
        layout.gather_velocities(&self.rates, &mut self.x);
        self.system.collect(&mut self.point, &self.stops.near, true, &state.continuous);
        if self.system.solve(|row| -row.curvature, redundant, &mut self.x) {
            self.stops.held.extend(self.system.pressing());
            self.stops.pressure.extend(self.system.pressures());
            layout.scatter_velocities(&self.x, &mut self.rates);
            self.settled.at.clone_from(state);
            self.settled.known = true;
        }
    }

    /// Adds to the `rates` of free motion at `continuous` the effect of constraints and held stops. `false` if there is
    /// no solution.
    pub fn add(&mut self, diagram: &Diagram, layout: &Layout, continuous: &[f64], rates: &mut [f64]) -> bool {
        self.evaluate(diagram, layout, continuous);
        self.system.collect(&mut self.point, &self.stops.held, false, continuous);
        layout.gather_velocities(rates, &mut self.x);
        let solved = self.system.solve(|row| -row.curvature, redundant, &mut self.x);
        layout.scatter_velocities(&self.x, rates);
        solved
    }

    /// Projects `end`, the end of a step of length `h` from `start`, to the manifold: positions by at most
    /// `correction_speed` times h, and velocities. `false` if there is no solution.
    pub fn project(&mut self, diagram: &Diagram, layout: &Layout, h: f64, start: &[f64], end: &mut [f64]) -> bool {
        self.evaluate(diagram, layout, end);
        let (held, near) = (&self.stops.held, &mut self.stops.near);
        // A joint that began beyond its stop returns whether it presses or not. One that leaves its stop, and is beyond
        // it by the drift of motion, may meet it again within the step: that must not be hidden.
        near.clear();
        near.extend_from_slice(held);
        let (scales, part) = (&self.scales, self.tuning.nearly_redundant);
        let leaves =
            |stop: &Stop| stop.gap(start) > -scales.off(stop.velocity) && stop.rate(start) > scales.rest(stop.velocity);
        let began = |stop: &Stop| stop.gap(start) < -scales.touch(stop.velocity);
        let beyond = |stop: &Stop| began(stop) && stop.gap(end) < 0.0 && !leaves(stop);
        near.extend(stops::rigid(diagram, layout).filter(|stop| beyond(stop) && !held.contains(stop)));
        self.system.collect(&mut self.point, &self.stops.near, false, end);
        self.x.clear();
        self.x.resize(layout.num_velocities, 0.0);
        let back = |row: &Row| -row.violation * (row.correction_speed * h / row.size).min(1.0);
        let softness = |constrained: bool| if constrained { part } else { 0.0 };
        if !self.system.solve(back, softness, &mut self.x) {
            return false;
        }
        if self.stops.near.len() > self.stops.held.len() {
            self.system.collect(&mut self.point, &self.stops.held, false, end);
        }
        std::mem::swap(&mut self.x, &mut self.correction);
        layout.gather_velocities(end, &mut self.x);
        let solved = self.system.solve(|_| 0.0, redundant, &mut self.x);
        for stop in &self.stops.held {
            self.x[stop.velocity] = 0.0;
        }
        layout.scatter_velocities(&self.x, end);
        if self.correction.iter().any(|way| *way != 0.0) {
            self.moved.clear();
            self.moved.extend_from_slice(end);
            layout.advance_positions(diagram, &self.moved, &self.correction, 1.0, end, &mut self.scratch);
        }
        solved
    }

    /// Time \[s\] within the last attempted step, of length `h` from `start` to `end`, at which an open stop is met, a
    /// range of rows ends, or a held stop releases its joint.
    pub fn ends_early(&mut self, external: &External, h: f64, start: &[f64], end: &[f64]) -> Option<f64> {
        let open = stops::all(external.diagram(), external.layout()).filter(|stop| !self.stops.held.contains(stop));
        let touch = |stop: &Stop| self.scales.touch(stop.velocity);
        let met = open.filter_map(|stop| stop.met(touch(&stop), h, start, end)).filter(|met| *met < h * (1.0 - 1e-9)); // rounding
        // The last stage is at the end of the step.
        let pressures = self.stops.pressure.iter().zip(self.system.pressures());
        let released = pressures.filter(|(from, to)| *to < 0.0 && **from > NO_FORCE * (**from - *to));
        // A bit beyond, so that the next step finds it.
        let released = released.map(|(from, to)| h * RELEASE_OVERSHOOT * (from / (from - to)).max(FIRST_RELEASE));
        let taut = self.ranges.met(external, 0.5 * self.scales.touch_length(), h, [start, end]);
        let taut = taut.filter(|met| *met < h * (1.0 - 1e-9)); // rounding
        let first =
            met.chain(taut).chain(released.filter(|release| *release < LAST_RELEASE * h)).fold(f64::INFINITY, f64::min);
        first.is_finite().then_some(first)
    }

    /// Evaluates plants and constraints at `continuous`.
    fn evaluate(&mut self, diagram: &Diagram, layout: &Layout, continuous: &[f64]) {
        evaluate(&mut self.point, diagram, layout, continuous, true);
    }
}

/// Regularization for accelerations and velocities: zero without constraints, since stops alone do not depend on each
/// other.
fn redundant(constrained: bool) -> f64 {
    if constrained { REDUNDANT } else { 0.0 }
}

/// True if any joint is at a stop, or beyond.
fn any_near(scales: &Scales, external: &External, continuous: &[f64]) -> bool {
    let near = |stop: Stop| stop.gap(continuous) <= scales.touch(stop.velocity);
    stops::rigid(external.diagram(), external.layout()).any(near)
}
