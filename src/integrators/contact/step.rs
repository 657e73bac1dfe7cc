//! The convex step as a one-step method: evaluate the plants, linearize the rest of the diagram, solve, advance.

use super::free_motion::FreeMotion;
use super::refine::Refinement;
use super::{build, record};
use crate::contact::{Problem, Solution};
use crate::diagram::{Diagram, State};
use crate::integrators::{
    Candidate, DenseStep, ErrorNorm, ErrorWeights, IntegratorError, OneStep, Statistics, StepFailure,
};
use crate::linearize::{External, Feedback, Forces, Law, Layout, Linearization, TooLong};
use crate::profile::{Phase, Stopwatch};
use crate::solvers::icf::{Solver, SolverOptions};
use crate::systems::convex::{PlantPoint, Switches};
use crate::systems::step_record::StepRecord;

/// Options of the convex step.
#[derive(Clone, Copy, Debug)]
pub struct IcfOptions {
    /// How the rest of the diagram acts within a step.
    pub feedback: Feedback,
    /// Whether contacts that the step may close take part in it.
    pub anticipate_contact: bool,
    /// What counts in the error norm; `None`: positions of plants, by component, as in the reference implementation.
    pub error_weights: Option<ErrorWeights>,
    /// Whether a failed step can be retried with a shorter one. If not, feedback is simplified until the step can be
    /// taken.
    pub rejects: bool,
    /// Options of the solver.
    pub solver: SolverOptions,
}

impl Default for IcfOptions {
    fn default() -> Self {
        IcfOptions {
            feedback: Feedback::Full,
            anticipate_contact: true,
            error_weights: Some(ErrorWeights::default()),
            rejects: true,
            solver: SolverOptions::default(),
        }
    }
}

/// Everything about a starting state that does not depend on the step length.
#[derive(Debug, Default)]
pub struct IcfPoint {
    pub(super) state: State,
    pub(super) plants: Vec<PlantPoint>,
    /// Read at the start of a step and held over all of it, half steps included.
    pub(super) switches: Vec<Switches>,
    pub(super) velocity: Vec<f64>,
    pub(super) problem: Problem,
    /// What the last step from here found.
    pub(super) solution: Solution,
    pub(super) max_depth: f64,
    /// Contact points of plants with belts: pair of the problem, plant, contact of the plant.
    pub(super) belts: Vec<(usize, usize, usize)>,
    /// The bodies of a plant that take part in contacts and constraints (scratch).
    pub(super) wanted: Vec<bool>,
    pub(super) linear: Linearization,
}

/// The convex step.
pub struct IcfStep {
    pub(super) options: IcfOptions,
    pub(super) external: Option<External>,
    pub(super) norm: ErrorNorm,
    pub(super) solver: Solver,
    pub(super) law: Law,
    /// The law of the second solve of the trapezoid scheme.
    pub(super) end_law: Law,
    pub(super) rates: Vec<f64>,
    /// Where a step would lead if all bodies kept their velocity, and the forces there: for belts.
    pub(super) ahead: Vec<f64>,
    forces: Forces<f64>,
    records: Vec<StepRecord>,
    /// Whether the records are of this run; if not, only their memory is worth something.
    recorded: bool,
    /// The clique that moves each entry of the continuous state; `usize::MAX` for external state.
    mover: Vec<usize>,
    /// Whether each entry of the continuous state is a velocity of a plant.
    is_velocity: Vec<bool>,
    refinement: Refinement,
    pub(super) coasting: Vec<f64>,
    pub(super) guess: Vec<f64>,
    pub(super) correction: Vec<f64>,
    disturbed: Vec<bool>,
    pub(super) free: FreeMotion,
    /// Whether the rates of free motion depend on what plants tell of a step.
    reads_records: bool,
    resolved: Vec<bool>,
}

/// Feedback or damping beyond this part of the inertia within a step is left to the convex step.
pub(super) const STIFF: f64 = 1.0;

impl IcfStep {
    /// A convex step with the given options.
    pub fn new(options: IcfOptions) -> Self {
        IcfStep {
            options,
            external: None,
            norm: ErrorNorm::default(),
            solver: Solver::new(options.solver),
            law: Law::new(options.rejects),
            end_law: Law::new(options.rejects),
            rates: Vec::new(),
            ahead: Vec::new(),
            forces: Forces::default(),
            records: Vec::new(),
            recorded: false,
            mover: Vec::new(),
            is_velocity: Vec::new(),
            refinement: Refinement::default(),
            coasting: Vec::new(),
            guess: Vec::new(),
            correction: Vec::new(),
            disturbed: Vec::new(),
            free: FreeMotion::default(),
            reads_records: false,
            resolved: Vec::new(),
        }
    }

    fn external(&mut self) -> &mut External {
        self.external.as_mut().expect("initialize comes before any step")
    }

    fn check_loops(&mut self) -> Result<(), StepFailure> {
        self.external().loop_fault().map_or(Ok(()), |fault| Err(Box::new(fault.clone()).into()))
    }

    pub(super) fn build(&mut self, state: &State, reach: f64, point: &mut IcfPoint, statistics: &mut Statistics) {
        let reach = if self.options.anticipate_contact { reach } else { 0.0 };
        let external = self.external.as_mut().expect("initialize comes before any step");
        if external.layout().has_moving_surfaces(external.diagram()) {
            let mut lap = statistics.watch.start();
            external.evaluate(state.time, &state.continuous, &mut self.forces);
            statistics.watch.lap(Phase::External, &mut lap);
        }
        build::build(external, state.time, &state.continuous, reach, point, &mut statistics.watch);
        point.state.clone_from(state);
        statistics.geometry_queries += 1;
    }

    fn couple(&mut self, point: &mut IcfPoint, watch: &mut Stopwatch) {
        let external = self.external.as_ref().expect("initialize comes before any step");
        let mut lap = watch.start();
        self.law.couple(external, &point.linear, self.options.feedback, &mut point.problem);
        watch.lap(Phase::External, &mut lap);
        point.problem.finish();
        watch.lap(Phase::Problem, &mut lap);
    }
}

impl OneStep for IcfStep {
    type Point = IcfPoint;

    fn initialize(&mut self, diagram: &Diagram) -> Result<(), IntegratorError> {
        let external = External::new(diagram);
        self.norm = match &self.options.error_weights {
            Some(weights) => ErrorNorm::new(diagram, external.layout(), weights),
            None => ErrorNorm::of_positions(diagram, external.layout()),
        };
        self.mover = movers(diagram, external.layout());
        self.is_velocity = vec![false; diagram.state_width()];
        for slot in &external.layout().plants {
            self.is_velocity[slot.velocities.clone()].fill(true);
        }
        self.free.initialize(diagram.state_width());
        self.reads_records = external.reads_records();
        self.external = Some(external);
        self.recorded = false;
        Ok(())
    }

    fn prepare(
        &mut self,
        state: &State,
        reach: f64,
        point: &mut IcfPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let mut lap = statistics.watch.start();
        let external = self.external();
        external.hold(&state.discrete);
        external.switches(state.time, &state.continuous, &mut point.switches);
        statistics.watch.lap(Phase::External, &mut lap);
        self.build(state, reach, point, statistics);
        statistics.note_contacts(point.problem.num_contacts(), point.max_depth);
        if self.options.feedback != Feedback::Explicit {
            let mut lap = statistics.watch.start();
            self.external().linearize(state.time, &state.continuous, &mut point.linear);
            statistics.watch.lap(Phase::External, &mut lap);
            statistics.linearizations += 1;
            self.check_loops()?;
            if !point.linear.is_finite() {
                let what = self.external().not_finite_output();
                return Err(StepFailure::NotFinite {
                    what: what.unwrap_or_else(|| "the derivative of a controller".into()),
                });
            }
        }
        self.couple(point, &mut statistics.watch);
        Ok(())
    }

    fn prepare_near(
        &mut self,
        start: &IcfPoint,
        state: &State,
        reach: f64,
        point: &mut IcfPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.external().hold(&state.discrete);
        point.switches.clone_from(&start.switches);
        self.build(state, reach, point, statistics);
        point.linear.clone_from(&start.linear);
        self.couple(point, &mut statistics.watch);
        Ok(())
    }

    fn step(
        &mut self,
        point: &mut IcfPoint,
        h: f64,
        tolerance: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let feedback = self.options.feedback;
        let external = self.external.as_mut().expect("initialize comes before any step");
        let (time, continuous) = (point.state.time, &point.state.continuous);
        let problem = &mut point.problem;
        let guess = &next.velocity;
        let mut lap = statistics.watch.start();
        let applied = self.law.apply(external, &point.linear, feedback, time, continuous, h, guess, problem);
        check_law(external, problem, applied, h)?;
        if !point.belts.is_empty() {
            self.ahead.clone_from(continuous);
            let v0 = problem.start_velocity();
            let (layout, diagram) = (external.layout(), external.diagram());
            layout.advance_positions(diagram, continuous, v0, h, &mut self.ahead, &mut self.rates);
            self.law.advance_external(external, &point.linear, problem, v0, continuous, &mut self.ahead);
            external.evaluate(time + h, &self.ahead, &mut self.forces);
            build::move_belts(external, time + h, &self.ahead, point);
        }
        statistics.watch.lap(Phase::External, &mut lap);
        let (continuous, problem) = (&point.state.continuous, &mut point.problem);
        let solving = (problem, &mut point.solution);
        solve(&mut self.solver, &mut self.law, external, feedback, solving, h, tolerance, next, statistics)?;
        let problem = &point.problem;
        next.continuous.clone_from(continuous);
        let layout = external.layout();
        for slot in &layout.plants {
            next.continuous[slot.velocities.clone()].copy_from_slice(&next.velocity[slot.global.clone()]);
        }
        let (diagram, v) = (external.diagram(), &next.velocity);
        layout.advance_positions(diagram, continuous, v, h, &mut next.continuous, &mut self.rates);
        let mut lap = statistics.watch.start();
        self.law.advance_external(external, &point.linear, problem, v, continuous, &mut next.continuous);
        statistics.watch.lap(Phase::External, &mut lap);
        self.solver.fingerprints(problem, v, &mut next.fingerprints);
        if let Some(bad) = next.continuous.iter().position(|x| !x.is_finite()) {
            return Err(StepFailure::NotFinite { what: diagram.state_names()[bad].clone() });
        }
        Ok(())
    }

    fn foreseen_error(&mut self, point: &IcfPoint, h: f64, full: &Candidate) -> (f64, usize) {
        if point.problem.stiffness_ratio() > STIFF {
            return (0.0, 0);
        }
        let external = self.external.as_ref().expect("initialize comes before any step");
        let start = &point.state.continuous;
        self.coasting.clone_from(&full.continuous);
        let v0 = point.problem.start_velocity();
        external.layout().advance_positions(external.diagram(), start, v0, h, &mut self.coasting, &mut self.rates);
        let (error, worst) = self.norm.distance(&self.coasting, &full.continuous);
        (0.25 * error, worst)
    }

    fn improve(
        &mut self,
        (point, middle): (&IcfPoint, &IcfPoint),
        h: f64,
        full: &Candidate,
        (half, end): (&mut Candidate, &mut Candidate),
        statistics: &mut Statistics,
    ) -> f64 {
        let (e, h1) = (&end.fingerprints, &half.fingerprints);
        let moved = &mut end.continuous;
        let f = &full.fingerprints;
        // The correction of positions is h times the difference of mean velocities.
        let velocities = half.velocity.iter().zip(&end.velocity).zip(&full.velocity);
        self.correction.clear();
        self.correction.extend(velocities.map(|((v1, v2), v)| 0.5 * (v1 + v2) - v));
        point.problem.disturbed(&self.correction, h, &mut self.disturbed);
        let rough = &self.disturbed;
        let smooth =
            |c: usize| f[c].pieces == h1[c].pieces && h1[c].pieces == e[c].pieces && !f[c].stopped && !rough[c];
        let all = (0..f.len()).all(smooth);
        for (i, &clique) in self.mover.iter().enumerate() {
            if taken(clique, all, &smooth) {
                let correction = moved[i] - full.continuous[i];
                moved[i] = 2.0 * moved[i] - full.continuous[i];
                half.continuous[i] += 0.5 * correction;
            }
        }
        // Both quaternions are close: the straight line between them, normalized, is their extrapolation to third
        // order.
        let Some(external) = &mut self.external else { return 0.0 };
        external.layout().normalize_quaternions(external.diagram(), moved);

        let reacts = external.reacts();
        if reacts && self.options.feedback == Feedback::Explicit {
            return 0.0;
        }
        self.resolved.clear();
        self.resolved.resize(f.len(), true);
        point.problem.resolves(h, &half.velocity, (&middle.problem, 0.5 * h), &mut self.resolved);
        let resolved = &self.resolved;
        let free = |c: usize| smooth(c) && (e[c].pieces == 0 || resolved[c]);
        let touching = (0..f.len()).any(|c| free(c) && e[c].pieces != 0);
        let all = (0..f.len()).all(free);
        if !(if reacts { all } else { (0..f.len()).any(free) })
            || point.problem.stiffness_ratio() > STIFF
            || h * fastest_rate(&point.linear.external.z, &mut self.coasting) > STIFF
        {
            return 0.0;
        }
        statistics.derivative_evaluations += 4;
        let mut lap = statistics.watch.start();
        if touching {
            self.refinement.contact.prepare(&point.switches);
        }
        let refined = self.refinement.step(external, &point.state, h, touching);
        statistics.watch.lap(Phase::Refinement, &mut lap);
        if !refined {
            return 0.0;
        }
        external.layout().normalize_quaternions(external.diagram(), &mut self.refinement.end);
        let refined = &self.refinement.end;
        if touching {
            let end = (self.refinement.contact.problem(), h);
            point.problem.resolves(h, &half.velocity, end, &mut self.resolved);
        }
        let resolved = &self.resolved;
        let free = |c: usize| smooth(c) && (e[c].pieces == 0 || resolved[c]);
        let all = (0..f.len()).all(free);
        if reacts && !all {
            return 0.0;
        }
        let mut gap = 0.0_f64;
        for (i, &clique) in self.mover.iter().enumerate() {
            if taken(clique, all, &free) {
                let weight = if self.is_velocity[i] { h } else { 1.0 };
                gap = gap.max((refined[i] - moved[i]).abs() * weight);
                moved[i] = refined[i];
            }
        }
        gap
    }

    fn free_room(&mut self, point: &mut IcfPoint, h: f64) -> f64 {
        self.room_of_free_motion(point, h)
    }

    fn coast(
        &mut self,
        point: &IcfPoint,
        times: (f64, f64),
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure> {
        let external = self.external.as_mut().expect("initialize comes before any step");
        let found = self.free.attempt(
            external,
            &self.norm,
            &self.is_velocity,
            point,
            times,
            &mut next.continuous,
            statistics,
        )?;
        external.layout().gather_velocities(&next.continuous, &mut next.velocity);
        Ok(found)
    }

    fn record_coasting(&self, state: &State, times: (f64, f64), dense: &mut DenseStep) {
        self.free.record_dense(state, times, dense);
    }

    fn accept_coasting(&mut self, h: f64, state: &mut State) {
        let external = self.external.as_mut().expect("initialize comes before any step");
        self.free.record(external, state, h, &mut self.records);
        self.recorded = true;
        let ends = self.free.clearance.points_at(external, &state.continuous);
        record::read_out(external, &self.records, ends, &mut state.discrete);
        self.free.accept(state, self.reads_records);
    }

    fn record(
        &mut self,
        point: &mut Self::Point,
        h: f64,
        next: &Candidate,
        discrete: &mut [f64],
        statistics: &mut Statistics,
    ) {
        let Some(external) = &self.external else { return };
        statistics.note_contacts(point.problem.num_contacts(), point.max_depth);
        record::record(external, &mut self.law, self.options.feedback, point, h, &next.velocity, &mut self.records);
        self.recorded = true;
        record::read_out(external, &self.records, &mut point.plants, discrete);
    }

    fn records(&self) -> &[StepRecord] {
        if self.recorded { &self.records } else { &[] }
    }

    fn velocity_at<'a>(&self, point: &'a IcfPoint) -> &'a [f64] {
        point.problem.start_velocity()
    }

    fn norm(&self) -> &ErrorNorm {
        &self.norm
    }

    fn position_rates(&self, continuous: &[f64], rates: &mut Vec<f64>) {
        rates.clear();
        rates.resize(continuous.len(), f64::NAN);
        let Some(external) = &self.external else { return };
        let layout = external.layout();
        for slot in &layout.plants {
            let plant = layout.plant(external.diagram(), slot);
            let (q, v) = (&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()]);
            let rates = &mut rates[slot.positions.clone()];
            plant.position_rates(q, v, rates);
        }
    }
}

/// Whether an entry of the state that `clique` moves is among those of which `is` holds; external state is if `all`
/// cliques are.
fn taken(clique: usize, all: bool, is: &impl Fn(usize) -> bool) -> bool {
    if clique == EXTERNAL { all } else { is(clique) }
}

/// A bound on the rates of `z' = F z` \[1/s\]: the root of the largest row sum of `|F|²`. `sums` is scratch.
pub(super) fn fastest_rate(F: &nalgebra::DMatrix<f64>, sums: &mut Vec<f64>) -> f64 {
    let row =
        |i: usize, weight: &dyn Fn(usize) -> f64| F.row(i).iter().enumerate().map(|(j, x)| x.abs() * weight(j)).sum();
    sums.clear();
    sums.extend((0..F.nrows()).map(|i| -> f64 { row(i, &|_| 1.0) }));
    let squares = (0..F.nrows()).map(|i| -> f64 { row(i, &|j| sums[j]) });
    squares.fold(0.0, f64::max).sqrt()
}

/// Whether the law of a step of length `h`, `applied` to `problem`, can be solved.
pub(super) fn check_law(
    external: &External,
    problem: &Problem,
    applied: Result<(), TooLong>,
    h: f64,
) -> Result<(), StepFailure> {
    if let Some(fault) = external.loop_fault() {
        return Err(Box::new(fault.clone()).into());
    }
    if problem.force.iter().any(|force| !force.is_finite()) {
        let what = external.not_finite_output().unwrap_or_else(|| "a force on a plant".into());
        return Err(StepFailure::NotFinite { what });
    }
    applied.map_err(|at| runaway(external, at, h))
}

/// Solves a problem with `law` for the step `h`, from the velocities and contact forces in `next`.
#[allow(clippy::too_many_arguments)]
pub(super) fn solve(
    solver: &mut Solver,
    law: &mut Law,
    external: &External,
    feedback: Feedback,
    (problem, solution): (&mut Problem, &mut Solution),
    h: f64,
    tolerance: f64,
    next: &mut Candidate,
    statistics: &mut Statistics,
) -> Result<(), StepFailure> {
    solution.velocity.clone_from(&next.velocity);
    solution.forces.clone_from(&next.forces);
    // Every round clamps at least one more effort, so that it ends.
    loop {
        let mut lap = statistics.watch.start();
        problem.set_step(h);
        solver.set_step(problem);
        statistics.watch.lap(Phase::Problem, &mut lap);
        statistics.solves += 1;
        // The solver has the stopwatch for as long as it works.
        std::mem::swap(&mut solver.watch, &mut statistics.watch);
        let solved = solver.solve(problem, tolerance, solution);
        std::mem::swap(&mut solver.watch, &mut statistics.watch);
        let report = match solved {
            Ok(report) => report,
            Err(failure) => {
                if !law.decouple(external, feedback, problem).map_err(|at| runaway(external, at, h))? {
                    let near = name_of_velocity(external, failure.first_velocity);
                    return Err(StepFailure::Solve { near, failure: Box::new(failure) });
                }
                solution.velocity.copy_from_slice(problem.start_velocity());
                continue;
            }
        };
        statistics.solver_iterations += report.iterations;
        statistics.factorizations += report.factorizations;
        statistics.linesearch_evaluations += report.linesearch_evaluations;
        let mut lap = statistics.watch.start();
        let clamped = law.clamp_exceeded(external, feedback, &solution.velocity, problem);
        statistics.watch.lap(Phase::External, &mut lap);
        if !clamped.map_err(|at| runaway(external, at, h))? {
            next.velocity.clone_from(&solution.velocity);
            next.forces.clone_from(&solution.forces);
            return Ok(());
        }
    }
}

/// The channel of a velocity of a plant.
fn name_of_velocity(external: &External, velocity: usize) -> String {
    let slot = external.layout().plants.iter().find(|slot| slot.global.contains(&velocity));
    let at = slot.map(|slot| slot.velocities.start + velocity - slot.global.start);
    at.and_then(|at| external.diagram().state_names().into_iter().nth(at)).unwrap_or_default()
}

/// The failure of a step of length `h` that feedback makes too long.
fn runaway(external: &External, at: TooLong, h: f64) -> StepFailure {
    let slot = external.layout().plants.iter().find(|slot| slot.global.contains(&at.velocity));
    let plant = slot.map_or("", |slot| &external.diagram().blocks()[slot.block].name);
    StepFailure::Runaway { plant: plant.to_string(), step: h }
}

/// Marks external state in the list of movers.
const EXTERNAL: usize = usize::MAX;

/// The clique (numbered over all plants) that moves each entry of the continuous state.
fn movers(diagram: &Diagram, layout: &Layout) -> Vec<usize> {
    let mut movers = vec![EXTERNAL; diagram.state_width()];
    let mut first = 0;
    for slot in &layout.plants {
        let structure = layout.plant(diagram, slot).structure();
        let clique_of = |v: usize| first + structure.cliques.partition_point(|c| c.end <= v);
        let mut position = 0;
        let mut velocity = 0;
        // Positions and velocities run joint by joint; only a quaternion has one position more than velocities.
        while velocity < structure.num_velocities {
            let (positions, velocities) = if structure.quaternions.contains(&position) { (4, 3) } else { (1, 1) };
            for p in position..position + positions {
                movers[slot.positions.start + p] = clique_of(velocity);
            }
            for v in velocity..velocity + velocities {
                movers[slot.velocities.start + v] = clique_of(v);
            }
            position += positions;
            velocity += velocities;
        }
        first += structure.cliques.len();
    }
    movers
}
