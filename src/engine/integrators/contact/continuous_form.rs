//! A diagram with plants as an ordinary differential equation: the rates of its whole continuous state.
//!
//! ```text
//! q' = N(q) v,   M v' = actuation + applied - k(q, v) + J' f(q, v),   z' = ...
//! ```
//!
//! with efforts within their limits, gravity, springs and damping in k, and the forces f of contacts, stops,
//! constraints and dry friction by their laws before any discretization: see `contact/continuous.rs`. Switches and the
//! discrete state are those of the start of a step, as in convex steps.

use super::build::{self, Sought};
use super::mean_forces::MeanForces;
use super::options::StepOptions;
use super::plan::StepPlan;
use super::point::StepPoint;
use super::record::{RecordedStep, fill, read_out};
use super::step::Prediction;
use super::strikes::{self, AtStops};
use super::{scales, sweeps};
use crate::integrators::couplings::{Couplings, Kind};
use crate::integrators::mean_weights::MeanWeights;
use crate::integrators::tuning::CenicTuning;
use crate::integrators::{ErrorNorm, ErrorWeights, Statistics, StepFailure};
use crate::linearize::{External, Forces};
use kinegraph_convex::contact::{ContactGradients, RIGID_PERIOD, RIGID_RATE};
use kinegraph_convex::profile::Phase;
use kinegraph_core::convex::{ConvexPlant, Coordinate, JointLimit, PlantPoint, Switches};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};
use std::sync::Arc;

/// A rigid element that acts: the position of a joint beyond its stop, or a locked velocity that is not at rest.
enum Rigid {
    Stop(usize),
    Lock(usize),
}

/// Right-hand side of a diagram with plants, and the forces where it was evaluated last; keeps its memory.
#[derive(Clone)]
pub(in crate::integrators) struct ContinuousForm {
    external: External,
    /// Plants and forces at the last evaluation.
    point: StepPoint,
    forces: Forces<f64>,
    /// Efforts within their limits, at the last evaluation.
    actuation: Vec<f64>,
    /// Accelerations of all plants.
    accelerations: Vec<f64>,
    velocity: Vec<f64>,
    switches: Vec<Switches>,
    /// True if a constraint that the switches leave active is rigid.
    rigid_rows: bool,
    /// End of the embedded method.
    embedded: Vec<f64>,
    balls: FreeBalls,
    /// Plants with their neighbours.
    near: Vec<PlantPoint>,
    means: MeanForces,
    /// Search for forces that are slack and then stiff.
    plan: Arc<StepPlan>,
    prediction: Prediction,
}

/// Contacts of free balls.
#[derive(Clone, Debug, Default)]
struct FreeBalls {
    /// Forces of these contacts.
    forces: Vec<f64>,
    /// True if the forces are held.
    held: bool,
    /// True for each contact of the problem that is one of them.
    is: Vec<bool>,
}

impl ContinuousForm {
    /// Right-hand side of `diagram`, in a run with these weights of errors and steps of at most `max_step` \[s\].
    pub fn new(diagram: &Diagram, weights: &ErrorWeights, max_step: f64) -> Self {
        let external = External::new(diagram);
        let tuning = CenicTuning::default().for_second_order();
        let options = StepOptions { error_weights: Some(*weights), max_step, tuning, ..StepOptions::default() };
        let plan = Arc::new(StepPlan::new(options, &external));
        let mut point = StepPoint::default();
        point.problem.settings.scales = scales::laws(weights, max_step);
        ContinuousForm {
            external,
            point,
            forces: Forces::default(),
            actuation: Vec::new(),
            accelerations: Vec::new(),
            velocity: Vec::new(),
            switches: Vec::new(),
            rigid_rows: false,
            embedded: Vec::new(),
            balls: FreeBalls::default(),
            near: Vec::new(),
            means: MeanForces::default(),
            plan,
            prediction: Prediction::default(),
        }
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        self.external.diagram()
    }

    /// The norm of errors.
    pub fn norm(&self, weights: &ErrorWeights) -> ErrorNorm {
        ErrorNorm::new(self.external.diagram(), self.external.layout(), weights)
    }

    /// Holds the discrete state and the switches at `state` for the evaluations that follow. Returns whether the
    /// switches have changed.
    pub fn hold(&mut self, state: &State) -> bool {
        self.external.hold(&state.discrete);
        self.external.switches(state.time, &state.continuous, &mut self.switches);
        if self.switches == self.point.switches {
            return false;
        }
        self.point.switches.clone_from(&self.switches);
        self.evaluate(state.time, &state.continuous, &mut Statistics::default());
        self.rigid_rows = self.point.problem.has_rigid_rows();
        true
    }

    /// Evaluates all plants and all forces on them except inertia.
    fn evaluate(&mut self, time: f64, continuous: &[f64], statistics: &mut Statistics) {
        let ContinuousForm { external, point, forces, actuation, accelerations, velocity, balls, .. } = self;
        let mut lap = statistics.watch.start();
        external.evaluate(time, continuous, forces);
        statistics.watch.lap(Phase::External, &mut lap);
        let sought = match (balls.held, balls.is.contains(&false)) {
            (false, _) => Sought::Within(0.0),
            (true, true) => Sought::NoBalls,
            (true, false) => Sought::Nothing,
        };
        build::build(external, time, continuous, sought, point, &mut statistics.watch);
        statistics.geometry_queries += usize::from(!matches!(sought, Sought::Nothing));
        let mut lap = statistics.watch.start();
        actuation.clear();
        actuation.extend(external.limited(&forces.actuation));
        accelerations.clear();
        accelerations.extend(actuation.iter().zip(&forces.applied).map(|(a, b)| a + b));
        if balls.held {
            accelerations.iter_mut().zip(&balls.forces).for_each(|(a, f)| *a += f);
        }
        point.problem.add_continuous_forces(&mut point.solution, accelerations);
        external.layout().gather_velocities(continuous, velocity);
        point.problem.accelerate(velocity, accelerations);
        statistics.watch.lap(Phase::Problem, &mut lap);
    }

    /// True if an effort that the diagram drives has a limit.
    pub fn is_limited(&self) -> bool {
        self.external.is_limited()
    }

    /// True if a plant has ropes, or other rows with a range.
    pub fn has_ranges(&self) -> bool {
        let (diagram, layout) = (self.external.diagram(), self.external.layout());
        layout.plants.iter().any(|slot| layout.plant(diagram, slot).has_ranges())
    }

    /// True if a force may be slack and then stiff: ropes, compliant joint stops, feedback with kinks.
    pub fn slackens(&self) -> bool {
        let (diagram, layout) = (self.external.diagram(), self.external.layout());
        let yields = |limit: &JointLimit| limit.compliance.is_some();
        let has_stops = |slot| layout.plant(diagram, slot).structure().limits.iter().any(yields);
        self.external.has_kinks() || self.has_ranges() || layout.plants.iter().any(has_stops)
    }

    /// Longest step \[s\], up to `h`, from `state`, where the rates were evaluated last. It follows forces that are
    /// slack and then stiff, as far as `accuracy` can see them, and is stable with them.
    pub fn longest_followed(&mut self, state: &State, h: f64, accuracy: f64, at: Option<AtStops>) -> f64 {
        let ContinuousForm { external, point, plan, prediction, .. } = self;
        let Prediction { accelerations: found, kinks, .. } = prediction;
        let bends = external.has_kinks();
        if !bends && !strikes::any(&point.problem) {
            return f64::INFINITY;
        }
        point.state.clone_from(state);
        if !found.find_unbound(external, point) {
            return f64::INFINITY;
        }
        let limits = [h, accuracy];
        let stable =
            at.map_or(f64::INFINITY, |at| strikes::longest_at_stops(at, plan, found, &mut point.problem, limits));
        let followed = strikes::longest_step(plan, found, &mut point.problem, h, accuracy);
        if !bends {
            return stable.min(followed);
        }
        external.linearize(state.time, &state.continuous, &mut point.linear);
        stable.min(followed).min(kinks.longest_step(plan, external, found, point, h, accuracy))
    }

    /// True if bodies touched at the last evaluation.
    pub fn touches(&self) -> bool {
        self.point.max_depth > 0.0
    }

    /// Writes the rates at `time` and the state `continuous`.
    ///
    /// # Errors
    /// A rate is not finite; an algebraic loop does not close.
    pub fn rates(
        &mut self,
        time: f64,
        continuous: &[f64],
        rates: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.evaluate(time, continuous, statistics);
        let ContinuousForm { external, point, forces, accelerations, velocity, .. } = self;
        if let Some(fault) = external.loop_fault() {
            return Err(Box::new(fault.clone()).into());
        }
        let (layout, diagram) = (external.layout(), external.diagram());
        for (slot, switches) in layout.plants.iter().zip(&point.switches) {
            let v = &mut velocity[slot.global.clone()];
            // Locked joints stand still.
            switches.stop_locked(v);
            let q = &continuous[slot.positions.clone()];
            layout.plant(diagram, slot).position_rates(q, v, &mut rates[slot.positions.clone()]);
            rates[slot.velocities.clone()].copy_from_slice(&accelerations[slot.global.clone()]);
        }
        layout.external.iter().zip(&forces.derivatives).for_each(|(&i, rate)| rates[i] = *rate);
        match rates.iter().position(|rate| !rate.is_finite()) {
            None => Ok(()),
            Some(bad) => {
                let of_state = || format!("the derivative of {}", diagram.state_names()[bad]);
                Err(StepFailure::NotFinite { what: external.not_finite_output().unwrap_or_else(of_state) })
            }
        }
    }

    /// Completes the end of a step: quaternions get unit length, locked joints that are nearly at rest get zero
    /// velocity.
    pub fn complete(&self, continuous: &mut [f64]) {
        let layout = self.external.layout();
        layout.normalize_quaternions(self.external.diagram(), continuous);
        for (slot, switches) in layout.plants.iter().zip(&self.point.switches) {
            let v = continuous[slot.velocities.clone()].iter_mut().zip(&switches.locked);
            let plant = layout.plant(self.external.diagram(), slot);
            let v = v.enumerate().filter(|(i, (v, locked))| **locked && v.abs() <= self.rest_speed(plant, *i));
            v.for_each(|(_, (v, _))| *v = 0.0);
        }
    }

    /// Returns the size of the error of a step of length `h` to `end`, and the worst coordinate. An error of velocity
    /// counts by the distance that it makes in a step: the position errs by it in the next one.
    pub fn error(&mut self, norm: &ErrorNorm, h: f64, end: &[f64], error: &[f64]) -> (f64, usize) {
        let mut embedded = std::mem::take(&mut self.embedded);
        embedded.clear();
        embedded.extend(end.iter().zip(error).map(|(x, e)| x - e));
        self.complete(&mut embedded);
        let (mut size, worst) = norm.distance(end, &embedded);
        for (e, _) in error.iter().zip(&self.plan.movers.is_velocity).filter(|(_, is)| **is) {
            size = size.max(h * e.abs());
        }
        self.embedded = embedded;
        (size, worst)
    }

    /// Largest error, in stiction tolerances, of a velocity that reverses in a step from `start` to `end`, of bodies in
    /// contact; also of the embedded method. The rates were evaluated at `end` last. An angular velocity counts by the
    /// reach of the bodies.
    pub fn reversal_error(&self, start: &[f64], end: &[f64], error: &[f64]) -> f64 {
        let (layout, problem) = (self.external.layout(), &self.point.problem);
        let mut largest = 0.0_f64;
        for slot in &layout.plants {
            let plant = layout.plant(self.external.diagram(), slot);
            let coordinates = &plant.structure().coordinates;
            let reach = plant.reach().iter().copied().filter(|reach| reach.is_finite()).fold(0.0, f64::max);
            for (local, at) in slot.velocities.clone().enumerate() {
                let (from, to, embedded) = (start[at], end[at], end[at] - error[at]);
                if from * to >= 0.0 && from * embedded >= 0.0 && to * embedded >= 0.0 {
                    continue;
                }
                let lever = if coordinates[local] == Coordinate::Length { 1.0 } else { reach };
                let count = lever * error[at].abs() / plant.stiction_tolerance();
                if count > largest && problem.touches(&[problem.clique_of(slot.global.start + local)]) {
                    largest = count;
                }
            }
        }
        largest
    }

    /// Size of a `change` of the end of a step of length `h`: the larger of the norm and of all numbers, velocities by
    /// the distance that they make in a step.
    pub fn size(&self, norm: &ErrorNorm, h: f64, change: &[f64]) -> f64 {
        let mut size = norm.size(change).0;
        for (x, is_velocity) in change.iter().zip(&self.plan.movers.is_velocity) {
            let x = if *is_velocity { h * x.abs() } else { x.abs() };
            // Not-a-number counts as the largest.
            size = if x <= size { size } else { x };
        }
        size
    }

    /// Momentum of the residual `left` \[m/s, rad/s\] of a stage that lasts `span` \[s\], as a part of the impulses of
    /// the contacts where the rates were evaluated last; zero where nothing touches.
    pub fn unbalanced(&self, span: f64, left: &[f64]) -> f64 {
        let problem = &self.point.problem;
        let impulses = problem.contact_impulses(&self.point.solution);
        let impulses: f64 = impulses.map(|(row, found)| found.impulse.norm() * row.start.mobility.sqrt()).sum();
        if impulses <= 0.0 {
            return 0.0;
        }
        let layout = self.external.layout();
        let momentum = layout.plants.iter().flat_map(|slot| slot.velocities.clone().zip(slot.global.clone()));
        // Bodies that are apart count each for itself.
        let (mut sum, mut own, mut clique) = (0.0, 0.0_f64, usize::MAX);
        for (at, i) in momentum {
            if problem.clique_of(i) != clique {
                (sum, own, clique) = (sum + own.sqrt(), 0.0, problem.clique_of(i));
            }
            own += problem.mass_entry(i, i) * left[at].powi(2);
        }
        (sum + own.sqrt()) / (span * impulses)
    }

    /// Moves the positions from those of `continuous` by the velocities in `end`, for `h` \[s\].
    pub fn move_positions(&mut self, continuous: &[f64], h: f64, end: &mut [f64]) {
        let ContinuousForm { external, point, velocity, embedded, .. } = self;
        let (layout, diagram) = (external.layout(), external.diagram());
        layout.gather_velocities(end, velocity);
        for (slot, switches) in layout.plants.iter().zip(&point.switches) {
            switches.stop_locked(&mut velocity[slot.global.clone()]);
        }
        layout.advance_positions(diagram, continuous, velocity, h, end, embedded);
    }

    /// Holds the forces of the contacts of free balls at their values of the last evaluation, for the evaluations that
    /// follow, and finds their gradients. `false`, with nothing held, if surfaces move by themselves, whose effect is
    /// not known, or if there are no such contacts.
    pub fn hold_contacts(&mut self, gradients: &mut ContactGradients) -> bool {
        let ContinuousForm { external, point, balls: FreeBalls { forces, held, is }, .. } = self;
        is.clear();
        let (diagram, layout) = (external.diagram(), external.layout());
        for (slot, data) in layout.plants.iter().zip(&point.plants) {
            let structure = layout.plant(diagram, slot).structure();
            is.extend(data.contacts.iter().map(|contact| build::is_of_free_ball(contact, structure)));
        }
        if !is.contains(&true) || layout.has_moving_surfaces(diagram) {
            return false;
        }
        let StepPoint { problem, solution, .. } = point;
        forces.clear();
        forces.resize(problem.size(), 0.0);
        problem.add_contact_forces(|i| is[i], &solution.pairs, forces);
        problem.contact_gradients(|i| is[i], gradients);
        *held = true;
        true
    }

    /// Releases the held contact forces.
    pub fn release_contacts(&mut self) {
        self.balls.held = false;
    }

    /// Kind of each number of the state: a velocity or a position of a plant, or external.
    pub fn kinds(&self, out: &mut Vec<Kind>) {
        out.clear();
        let is_velocity = self.plan.movers.is_velocity.iter().enumerate();
        out.extend(is_velocity.map(|(i, is_velocity)| match (is_velocity, self.plan.movers.clique_of(i)) {
            (true, _) => Kind::Velocity,
            (false, Some(_)) => Kind::Position,
            (false, None) => Kind::External,
        }));
    }

    /// Finds which parts of the state act on which rates, at the last evaluation; held contacts are left out. The parts
    /// are the trees, then the external states one by one.
    pub fn couplings(&self, couplings: &mut Couplings) {
        let (layout, problem) = (self.external.layout(), &self.point.problem);
        let width = self.plan.movers.is_velocity.len();
        if layout.has_moving_surfaces(self.external.diagram()) {
            return couplings.start_whole(width);
        }
        let mut part = problem.num_cliques();
        couplings.start((0..width).map(|i| {
            self.plan.movers.clique_of(i).unwrap_or_else(|| {
                part += 1;
                part - 1
            })
        }));
        let (velocities, cliques) = (layout.num_velocities, problem.num_cliques());
        let part = |i: usize| if i < velocities { problem.clique_of(i) } else { cliques + i - velocities };
        self.external.for_each_reach(|from, rows| rows.iter().for_each(|&row| couplings.add(part(from), part(row))));
        problem.for_each_tie(|a, b| couplings.join(a, b));
        problem.for_each_touch(|i| !(self.balls.held && self.balls.is[i]), |a, b| couplings.join(a, b));
    }

    /// Longest step \[s\] from the state `continuous` for a method of this stability: half of the one that is stable
    /// with the springs of rigid constraints, of pressed stops and of locks that are not at rest. Several of these on
    /// one body make it stiffer.
    pub fn longest_step(&self, continuous: &[f64], stability: f64) -> f64 {
        let is_rigid = self.rigid_rows || self.rigid(continuous).next().is_some();
        if is_rigid { 0.5 * stability / RIGID_RATE } else { f64::INFINITY }
    }

    /// Longest step \[s\], up to `h`, from `continuous` in which no body passes unseen through another.
    pub fn in_sight(&mut self, continuous: &[f64], h: f64, statistics: &mut Statistics) -> f64 {
        let mut lap = statistics.watch.start();
        statistics.geometry_queries += 1;
        let longest = sweeps::in_sight(&self.external, continuous, h, &mut self.near);
        statistics.watch.lap(Phase::Geometry, &mut lap);
        longest
    }

    /// Stops that are pressed and locks that are not at rest, by plant.
    fn rigid<'a>(&'a self, continuous: &'a [f64]) -> impl Iterator<Item = (usize, Rigid)> + 'a {
        let (layout, diagram) = (self.external.layout(), self.external.diagram());
        let plants = layout.plants.iter().zip(&self.point.switches).enumerate();
        plants.flat_map(move |(p, (slot, switches))| {
            let (q, v) = (&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()]);
            let beyond = |limit: &JointLimit| q[limit.position] < limit.lower || q[limit.position] > limit.upper;
            let plant = layout.plant(diagram, slot);
            let limits = plant.structure().limits.iter();
            let pressed = limits.filter(move |limit| limit.compliance.is_none() && beyond(limit));
            let locked = v.iter().zip(&switches.locked).enumerate();
            let moving = locked.filter(move |(i, (v, locked))| **locked && v.abs() > self.rest_speed(plant, *i));
            pressed
                .map(move |limit| (p, Rigid::Stop(limit.position)))
                .chain(moving.map(move |(i, _)| (p, Rigid::Lock(i))))
        })
    }

    /// Checks that a step from the state `continuous` may have the length `h`.
    ///
    /// # Errors
    /// The failure names the rigid element and the longest step.
    pub fn check_step(&self, continuous: &[f64], stability: f64, h: f64) -> Result<(), StepFailure> {
        let longest = self.longest_step(continuous, stability);
        if h <= longest {
            return Ok(());
        }
        let (layout, diagram) = (self.external.layout(), self.external.diagram());
        let structure = |p: usize| layout.plant(diagram, &layout.plants[p]).structure();
        let constraints = self.point.plants.iter().enumerate().flat_map(|(p, data)| {
            let rigid = data.constraints.iter().find(|rows| rows.compliance.is_none());
            rigid.map(|rows| format!("constraint `{}`", structure(p).constraints[rows.constraint].name))
        });
        let others = self.rigid(continuous).map(|(p, rigid)| match rigid {
            Rigid::Stop(position) => format!("the stop at `{}`", structure(p).position_names[position]),
            Rigid::Lock(velocity) => format!("the lock of `{}`", structure(p).velocity_names[velocity]),
        });
        let what = constraints.chain(others).next().unwrap_or_else(|| "a constraint".to_owned());
        Err(StepFailure::TooStiff { what, longest, period: RIGID_PERIOD })
    }

    /// Notes the contact forces at the last evaluation as those of a stage of a step; 0 is its start.
    pub fn note(&mut self, stage: usize) {
        self.means.note(stage, &self.external, &self.point);
    }

    /// Fills one record per plant for the step of length `h` from the state `start` to `state`, where the rates were
    /// evaluated last: the forces there, in the motion that continues from there. Reports of plants, with contact
    /// forces averaged by the `weights` of the stages and of the end, go into the discrete state. Returns whether rates
    /// depend on these reports.
    pub fn record(
        &mut self,
        start: &[f64],
        state: &mut State,
        h: f64,
        weights: MeanWeights,
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) -> bool {
        let ContinuousForm { external, point, forces, actuation, accelerations, velocity, means, .. } = self;
        statistics.note_contacts(point.problem.num_contacts(), point.max_depth);
        external.layout().gather_velocities(&state.continuous, velocity);
        velocity.iter_mut().zip(accelerations.iter()).for_each(|(v, a)| *v += h * a);
        let times = (state.time, h);
        let reported = RecordedStep { times, span: 1.0, velocity, actuation, applied: &forces.applied };
        fill(external, point, state.time, &state.continuous, &reported, std::iter::repeat(0.0), records);
        let plants = &external.layout().plants;
        let spread = means.spread(weights, |p| &start[plants[p].velocities.clone()], records);
        read_out(external, records, &mut point.plants, &mut state.discrete);
        if spread {
            means.restore(records);
        }
        // The next step starts there.
        means.note(0, external, point);
        self.plan.reads_records
    }

    /// Speed \[m/s, rad/s\] up to which a locked `velocity` of `plant` is set to zero.
    fn rest_speed(&self, plant: &dyn ConvexPlant, velocity: usize) -> f64 {
        let unit = self.point.problem.settings.scales.unit(plant.structure().coordinates[velocity]);
        CenicTuning::DEFAULT.at_rest * plant.stiction_tolerance() * unit
    }
}
