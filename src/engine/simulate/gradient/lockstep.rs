//! The run and those beside it, step by step.

use super::budget::Budget;
use super::corners::Seen;
use super::direction::Direction;
use super::gauges::Gauges;
use super::knots::differentiable;
use super::landing::{Change, Gap, Gaps, Knot, Root, Width};
use super::notes::{Note, NoteKind};
use super::numbers::{AMPLIFIED, FIRST_LANDINGS, GROWTH, MARGIN, MAX_REPEATS, MIN_PART, STEPS_PER_LANDING};
use super::request::{By, GradientError, GradientRequest};
use super::result::{Derivative, Gradient, Samples};
use super::side::Side;
use super::signals::Signals;
use super::watch::KnotTimes;
use crate::integrators::{IntegratorError, Options, StepMemory};
use crate::linearize::Layout;
use crate::measures::Of;
use crate::simulate::event_table::Crossed;
use crate::simulate::events::Of as Which;
use crate::simulate::world::{Planned, World};
use crate::simulate::{Plan, RunError, Simulation};
use kinegraph_diagram::{Diagram, State, Values};
use std::sync::Arc;

/// The run and those beside it.
pub(super) struct Lockstep {
    pub world: World,
    pub layout: Arc<Layout>,
    pub directions: Vec<Direction>,
    pub by: Vec<By>,
    pub gauges: Gauges,
    pub gaps: Gaps,
    pub found: [Vec<Width>; 2],
    pub landings: f64,
    pub before: State,
    pub notes: Vec<Note>,
    /// Number of notes of each kind.
    pub counts: [usize; 8],
    pub knots: Vec<KnotTimes>,
    /// Signals where blocks are looked at, and what was seen of them for each number.
    pub signals: Signals,
    pub looks: Values<f64>,
    pub seen: Vec<Seen>,
    /// Jumps within the last step: blocks, and times \[s\].
    pub jumped: Vec<(usize, f64)>,
    /// A continuous state within a step.
    pub probe: Vec<f64>,
    pub steps: (usize, usize),
    /// Accuracy of the run, if it has one.
    pub accuracy: Option<f64>,
    /// Gap up to which shapes are sought at the end of a step \[m\].
    pub margin: f64,
    /// For each entry of the continuous state, true if it is a velocity of a plant.
    velocities: Vec<bool>,
    /// Longest step that the errors of derivatives allow \[s\].
    longest: f64,
    /// Steps that may be repeated for the errors of derivatives.
    pub budget: Budget,
    /// True if the last step ended at a stop that is yet to be struck.
    pub strikes: bool,
    /// Time at the start \[s\].
    pub began: f64,
    /// Time for which an error of velocity counts \[s\].
    horizon: f64,
}

impl Lockstep {
    pub fn new(
        simulation: &Simulation,
        options: &Options,
        request: &GradientRequest,
        deltas: &[f64],
    ) -> Result<Self, GradientError> {
        let diagram = simulation.diagram();
        let plan = Plan::new(diagram, *options)?;
        let world = plan.world_at(simulation.state().clone())?;
        if world.integrator.decisions().is_none() {
            return Err(IntegratorError::NoDerivative { integrator: world.integrator.name() }.into());
        }
        let at: Arc<[f64]> = request.at.as_slice().into();
        let gauges = Gauges::new(diagram, &request.of, &at)?;
        let layout = Arc::new(Layout::new(diagram));
        let (mut directions, mut one_sided) = (Vec::new(), Vec::new());
        for (by, &delta) in request.by.iter().zip(deltas) {
            let side = |amount: f64| -> Result<Side, GradientError> {
                match by.moved(amount, diagram, simulation.state())? {
                    (None, state) => Ok(Side::new(world.integrator.clone(), state, gauges.clone())),
                    (Some(changed), state) => {
                        let gauges = Gauges::new(&changed, &request.of, &at)?;
                        Ok(Side::new(options.build(&changed)?, state, gauges))
                    }
                }
            };
            let valid = (f64::NEG_INFINITY, f64::INFINITY);
            // At the end of what a number may be, one of the two runs is that of the number itself.
            let (sides, distance) = match (side(delta), side(-delta)) {
                (Ok(more), Ok(less)) => ([more, less], 2.0 * delta),
                (Ok(more), Err(_)) => ([more, side(0.0)?], delta),
                (Err(_), Ok(less)) => ([side(0.0)?, less], delta),
                (Err(error), Err(_)) => return Err(error),
            };
            one_sided.push(distance == delta);
            directions.push(Direction { distance, sides, largest: 0.0, largest_way: 0.0, valid });
        }
        let signals = Signals::new(diagram, &gauges);
        let seen = one_sided.iter().map(|&is_one_sided| Seen::new(is_one_sided)).collect();
        let mut velocities = vec![false; diagram.state_width()];
        for slot in &layout.plants {
            velocities[slot.velocities.clone()].fill(true);
        }
        let mut run = Lockstep {
            velocities,
            longest: f64::INFINITY,
            budget: Budget::new(simulation, options, request.until),
            strikes: false,
            began: simulation.time(),
            horizon: options.max_step,
            margin: MARGIN * largest_reach(diagram, &layout),
            layout,
            before: world.state.clone(),
            world,
            directions,
            by: request.by.clone(),
            gauges,
            gaps: Gaps::default(),
            found: Default::default(),
            landings: FIRST_LANDINGS,
            notes: Vec::new(),
            counts: [0; 8],
            knots: Vec::new(),
            signals,
            looks: diagram.values(),
            seen,
            jumped: Vec::new(),
            probe: Vec::new(),
            steps: (0, 0),
            accuracy: Some(options.accuracy).filter(|_| options.error_controlled()),
        };
        for (by, _) in request.by.iter().zip(one_sided).filter(|(_, one_sided)| *one_sided) {
            let text = "the number is at an end of what it may be: derivatives are those of one side".to_owned();
            run.note(NoteKind::Held, None, Some(by.name.clone()), text);
        }
        Ok(run)
    }

    fn sides(&mut self) -> impl Iterator<Item = &mut Side> {
        self.directions.iter_mut().flat_map(|direction| &mut direction.sides)
    }

    fn start(&mut self) -> Result<(), GradientError> {
        if !self.world.state.started {
            self.world.state.started = true;
            for of in [Which::Sources, Which::Readers] {
                self.world.trace = Some(Vec::new());
                self.world.update(of)?;
                let crossed = self.world.trace.take().unwrap_or_default();
                for side in self.sides() {
                    side.state.started = true;
                    side.update(of, &crossed)?;
                }
            }
        }
        self.see_corners();
        self.gauges.see_point(&self.world.state);
        self.sides().for_each(|side| side.gauges.see_point(&side.state));
        Ok(())
    }

    /// Makes the run to the time `end` \[s\], or to a condition of the diagram that ends it.
    pub fn advance_to(&mut self, end: f64) -> Result<(), GradientError> {
        self.start()?;
        while self.world.state.time < end && self.world.stopped_by().is_none() {
            self.step(end)?;
        }
        Ok(())
    }

    /// Takes a step of the run and of those beside, with the events at its end.
    fn step(&mut self, limit: f64) -> Result<(), GradientError> {
        self.before.clone_from(&self.world.state);
        let memory = self.world.integrator.memory();
        let planned = self.world.plan_step(limit)?;
        let from = self.before.time;
        let mut crossed = None;
        if planned.end > from {
            self.landings = (self.landings + 1.0 / STEPS_PER_LANDING).min(FIRST_LANDINGS);
            self.plan_beside(&planned, limit);
            for side in self.sides() {
                side.begin();
            }
            let (mut attempts, mut first) = (0, f64::NAN);
            let knot = loop {
                let end = planned.end.min(from + self.longest);
                let knot = self.attempt(end, &memory)?;
                attempts += 1;
                let h = self.world.state.time - from;
                first = if attempts == 1 { h } else { first };
                let strikes = knot.as_ref().is_some_and(|(knot, _)| is_strike(knot));
                let shorter = self.shorten(h, strikes).filter(|shorter| *shorter > MIN_PART * first);
                let Some(shorter) = shorter.filter(|_| attempts <= MAX_REPEATS) else {
                    self.longest *= GROWTH;
                    break knot;
                };
                self.budget.spend();
                self.longest = shorter;
                self.world.integrator.recall(&memory);
                self.world.state.clone_from(&self.before);
                self.sides().for_each(Side::take_back);
            };
            let end = self.world.state.time;
            self.sides().for_each(Side::see_step);
            self.directions.iter_mut().for_each(|direction| direction.measure(&self.velocities));
            self.steps.0 += 1;
            if let Some((found, root)) = knot {
                self.note_knot(self.name_of(&found), root, matches!(found, Knot::Touch(..)));
                if let Knot::Event(found) = found {
                    crossed = Some(found);
                }
            }
            let dense = self.world.integrator.dense();
            self.gauges.see_step(&self.before, dense, (from, end));
            self.see_jumps((from, end));
            self.look_near((from, end));
            self.strike(planned.end)?;
        }
        self.pass_events(crossed, &planned)?;
        self.see_corners();
        self.gauges.see_point(&self.world.state);
        self.sides().for_each(|side| side.gauges.see_point(&side.state));
        Ok(())
    }

    /// Attempts a step of the run up to the time `latest`, and takes it beside. Returns the knot at its end.
    fn attempt(&mut self, latest: f64, memory: &StepMemory) -> Result<Option<(Knot, Root)>, GradientError> {
        self.world.integrator.advance(&mut self.world.state, latest).map_err(RunError::from)?;
        let mut decisions = differentiable(&*self.world.integrator);
        let after = self.world.integrator.memory();
        let knot = self.land(memory, &mut decisions, latest)?;
        if decisions.refines_friction && knot.is_none() {
            self.repeat_to(self.world.state.time, memory, &decisions)?;
            // The lengths of steps go on from those of the run.
            self.world.integrator.recall(&after);
        }
        let end = self.world.state.time;
        // Solutions of the step as it was taken last.
        decisions.solutions = self.world.integrator.solutions().map(Arc::new);
        let mut all_land = true;
        for Direction { distance, sides, .. } in &mut self.directions {
            let mut guess = knot.as_ref().map_or(end, |(_, root, _)| root.time);
            for side in sides {
                let Some((_, root, target)) = &knot else {
                    side.step(end, &decisions)?;
                    continue;
                };
                let found = side.land(*root, (guess, *distance), *target, &decisions)?;
                all_land &= found.is_some();
                // The other side has it as far on the other side.
                guess = found.map_or(guess, |found| 2.0 * root.time - found);
            }
        }
        if let Some((knot, root, _)) = knot.as_ref().filter(|_| !all_land) {
            let text = format!("`{}` has no time in a run beside: its change is left out", self.name_of(knot));
            self.note(NoteKind::Bracketed, Some(root.time), None, text);
        }
        self.steps.1 += 1 + 2 * self.directions.len();
        Ok(knot.map(|(knot, root, _)| (knot, root)))
    }

    /// A shorter step \[s\], if the errors of derivatives in the one of length `h` are too large.
    fn shorten(&mut self, h: f64, lands: bool) -> Option<f64> {
        let accuracy = self.accuracy?;
        let together = |direction: &&Direction| direction.apart() < AMPLIFIED;
        let horizon = (h * self.horizon).sqrt();
        let error = |direction: &Direction| direction.local_error(&self.velocities, horizon, !lands);
        let errors = self.directions.iter().filter(together).map(error);
        let ratio = errors.fold(0.0, f64::max) / accuracy;
        if ratio <= 1.0 {
            return None;
        }
        if self.budget.is_spent() {
            if self.budget.ends_first() {
                let text = "steps are not shortened for errors of derivatives from here on: these hardly shrink";
                self.note(NoteKind::Kink, Some(self.before.time), None, text.to_owned());
            }
            return None;
        }
        Some(h * (0.9 / ratio.sqrt()).clamp(0.2, 0.5))
    }

    /// Name of a knot.
    fn name_of(&self, knot: &Knot) -> String {
        match knot {
            Knot::Event(crossed) => self.world.events.table().name(crossed.which[0]),
            Knot::Touch(gap, change) => {
                let name = gap.name(self.world.diagram(), &self.layout);
                if *change == Change::Closes { name } else { format!("leave: {name}") }
            }
        }
    }

    /// Events at the end of the step, in the run and beside it.
    fn pass_events(&mut self, crossed: Option<Crossed>, planned: &Planned) -> Result<(), GradientError> {
        if let Some(crossed) = crossed {
            self.world.trace = Some(Vec::new());
            let World { events, integrator, state, .. } = &mut self.world;
            events.listen_before(integrator.dense(), state);
            self.world.cross(crossed)?;
            self.world.events.report_jumps(&mut self.world.state);
            let crossed = self.world.trace.take().unwrap_or_default();
            for side in self.sides() {
                side.events.listen(&side.state);
                side.cross(&crossed)?;
                side.events.report_jumps(&mut side.state);
            }
        }
        if let Some(ahead) = planned.ahead.clone().filter(|ahead| self.world.state.time == ahead.before) {
            self.world.trace = Some(Vec::new());
            self.world.pass(ahead, planned.goal)?;
            let (time, crossed) = (self.world.state.time, self.world.trace.take().unwrap_or_default());
            for side in self.sides() {
                side.integrator.interrupted();
                side.events.listen(&side.state);
                side.state.time = time;
                side.cross(&crossed)?;
                side.events.report_jumps(&mut side.state);
            }
        }
        if planned.at_tick && self.world.state.time == planned.goal {
            self.world.trace = Some(Vec::new());
            self.world.update(Which::All)?;
            let crossed = self.world.trace.take().unwrap_or_default();
            for side in self.sides() {
                side.update(Which::All, &crossed)?;
            }
            self.note_timed(planned);
        }
        Ok(())
    }

    /// Derivatives of the run, and the largest ratio of the distance of states beside it to that of each number.
    pub fn finish(mut self, request: &GradientRequest) -> Result<(Gradient, Vec<f64>), GradientError> {
        self.check_times(&request.of)?;
        let first = |name: &str| self.knots.iter().find(|knot| is_named(&knot.name, name));
        let of_times = |of: &Of| if let Of::Time(name) = of { first(name) } else { None };
        let measured: Vec<Option<f64>> = self.gauges.values().collect();
        let mut values = Vec::new();
        let mut derivatives = Vec::new();
        for (i, of) in request.of.iter().enumerate() {
            values.push(of_times(of).map(|knot| knot.time).or(measured[i]).unwrap_or(f64::NAN));
            for (d, direction) in self.directions.iter().enumerate() {
                let sides = match of_times(of) {
                    Some(knot) => Some((knot.beside[d][0], knot.beside[d][1])),
                    None => {
                        let of = |side: usize| direction.sides[side].gauges.values().nth(i).flatten();
                        of(0).zip(of(1))
                    }
                };
                let value = sides.map_or(f64::NAN, |(more, less)| direction.slope(more, less));
                derivatives.push(Derivative { value, error: f64::NAN, valid: direction.valid });
            }
        }
        let amplified: Vec<(String, f64)> = self
            .directions
            .iter()
            .zip(&self.by)
            .filter(|(direction, _)| direction.apart() > AMPLIFIED)
            .map(|(direction, by)| (by.name.clone(), direction.apart()))
            .collect();
        for (by, distance) in amplified {
            let text = format!("runs beside went {distance:.1e} apart: a small change does not stay small");
            self.note(NoteKind::Amplified, None, Some(by), text);
        }
        let count = self.directions.len();
        self.note_corners(|d| derivatives.iter().skip(d).step_by(count).all(|one: &Derivative| one.value == 0.0));
        let samples = self.samples(request);
        self.summarize_notes();
        let largest = self.directions.iter().map(|direction| direction.largest).collect();
        let of = request.of.iter().map(ToString::to_string).collect();
        let gradient = Gradient { of, values, by: self.by, derivatives, samples, notes: self.notes, steps: self.steps };
        Ok((gradient, largest))
    }

    /// Channels at the times that were asked for.
    fn samples(&self, request: &GradientRequest) -> Samples {
        let (values, of) = (self.gauges.samples().to_vec(), request.of.len().max(1));
        let beside = |d: usize, i: usize| {
            let direction = &self.directions[d];
            if self.knots.iter().any(|knot| knot.parts(d, request.at[i / of])) {
                return f64::NAN;
            }
            let [more, less] = [0, 1].map(|side| direction.sides[side].gauges.samples().get(i).copied());
            direction.slope(more.unwrap_or(f64::NAN), less.unwrap_or(f64::NAN))
        };
        let all = self.directions.len();
        let derivatives = (0..values.len()).flat_map(|i| (0..all).map(move |d| (d, i))).map(|(d, i)| beside(d, i));
        let size = [values.len() / of, request.of.len(), all];
        Samples { size, derivatives: derivatives.collect(), errors: Vec::new(), values }
    }

    /// Checks that the run has the events whose times are asked.
    fn check_times(&self, of: &[Of]) -> Result<(), GradientError> {
        for of in of {
            if let Of::Time(name) = of
                && !self.knots.iter().any(|knot| is_named(&knot.name, name))
            {
                let mut events: Vec<String> = self.knots.iter().map(|knot| knot.name.clone()).collect();
                events.sort();
                events.dedup();
                return Err(GradientError::NoEvent { name: name.clone(), events });
            }
        }
        Ok(())
    }
}

/// True at a stop, which may throw a joint back within the step that ends there.
fn is_strike(knot: &Knot) -> bool {
    matches!(knot, Knot::Touch(Gap::Stop { .. }, Change::Closes))
}

/// Reach of the largest body that has an end \[m\].
pub(super) fn largest_reach(diagram: &Diagram, layout: &Layout) -> f64 {
    let reach = |slot| layout.plant(diagram, slot).reach().iter().copied().fold(0.0, f64::max);
    layout.plants.iter().map(reach).filter(|reach| reach.is_finite()).fold(0.0, f64::max)
}

/// True if `asked` names the knot `name`: bodies of a touch in any order, `ground` for the world, and a body by its
/// model or its link alone.
fn is_named(name: &str, asked: &str) -> bool {
    let (known, asked): (Vec<&str>, Vec<&str>) =
        (name.split_whitespace().collect(), asked.split_whitespace().collect());
    if known == asked {
        return true;
    }
    let is_body = |known: &str, asked: &str| {
        let asked = if asked == "ground" { "world" } else { asked };
        known == asked || known.split('/').any(|part| part == asked)
    };
    let touch = |words: &[&'_ str]| words.iter().position(|word| *word == "touch");
    match (touch(&known), touch(&asked)) {
        (Some(at), Some(other)) if known[..at] == asked[..other] => match (&known[at + 1..], &asked[other + 1..]) {
            ([a, b], [c, d]) => is_body(a, c) && is_body(b, d) || is_body(a, d) && is_body(b, c),
            _ => false,
        },
        _ => false,
    }
}
