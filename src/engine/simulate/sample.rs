//! A diagram at an instant, for observers of a run. Values that nobody asks for are not computed.

use super::acting::{Acting, StepSeen};
use super::run_error::RunError;
use crate::scene::{ContactSurface, Pose};
use kinegraph_core::convex::{PlantPoint, Switches};
use kinegraph_core::step_record::{ContactReport, StepRecord};
use kinegraph_core::{Context, ConvexPlant, Out, Outputs, Signal};
use kinegraph_diagram::{Block, Channel, Diagram, Schedule, State, Values};

/// Makes [`Sample`]s of a diagram. It has the memory for all of them, so that none allocates once each kind of answer
/// was given.
///
/// ```
/// use kinegraph::diagram::State;
/// use kinegraph::simulate::{Sampler, Scenario};
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// let diagram = Scenario::open("examples/double_pendulum/double_pendulum.yaml")?.diagram;
/// let mut sampler = Sampler::new(&diagram, &diagram.find_channels("plant.pendulum.j1.q")?);
/// let state = diagram.initial_state();
/// let mut sample = sampler.sample(&state, &[]);
/// assert_eq!(sample.values(), [1.5]);
/// assert_eq!(sample.poses(0)[1].xyz, [0.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Sampler {
    diagram: Diagram,
    channels: Vec<Channel>,
    values: Values<f64>,
    row: Vec<f64>,
    plants: Vec<PlantView>,
    /// Computes the channels: far less than everything where they are states.
    schedule: Schedule,
    /// `schedule` without the outputs that are read as steps use them.
    rest: Schedule,
    /// Computes the channels and the [checked](Sample::check) outputs with them, also without those that are read as
    /// steps use them; `None` where nothing is checked.
    watched: Option<(Schedule, Schedule)>,
    acting: Acting,
    evaluated: Evaluated,
}

/// Part of `values` that belongs to the current sample.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Evaluated {
    Nothing,
    Channels,
    Watched,
    Everything,
}

/// Computed data of a plant.
#[derive(Clone, Default)]
struct PlantView {
    /// Index of its block.
    block: usize,
    point: PlantPoint,
    /// Poses of the bodies, and whether they belong to the current sample.
    poses: Vec<Pose>,
    posed: bool,
    switches: Switches,
}

/// A diagram at an instant. Plants are identified by their index among all plants of the diagram, bodies by theirs in
/// the plant: both as in a [`Scene`](crate::scene::Scene).
pub struct Sample<'a> {
    sampler: &'a mut Sampler,
    state: &'a State,
    seen: StepSeen<'a>,
}

impl Sampler {
    /// Samples of `diagram` with the values of `channels`.
    pub fn new(diagram: &Diagram, channels: &[Channel]) -> Self {
        let schedule = schedule_of(diagram, channels, |_| false);
        let plants = diagram.blocks().iter().enumerate().filter(|(_, block)| block.system.as_plant().is_some());
        let acting = Acting::new(diagram);
        Sampler {
            rest: acting.without(&schedule),
            acting,
            plants: plants.map(|(block, _)| PlantView { block, ..PlantView::default() }).collect(),
            diagram: diagram.clone(),
            channels: channels.to_vec(),
            values: diagram.values(),
            row: Vec::with_capacity(channels.len()),
            schedule,
            watched: None,
            evaluated: Evaluated::Nothing,
        }
    }

    /// Samples that can compute all outputs of blocks that are no plants with the channels, to [check](Sample::check)
    /// them.
    pub(super) fn watching(diagram: &Diagram, channels: &[Channel]) -> Self {
        let is_watched = |block: &Block| block.system.as_plant().is_none();
        let sampler = Sampler::new(diagram, channels);
        let watched = schedule_of(diagram, channels, is_watched);
        let rest = sampler.acting.without(&watched);
        Sampler { watched: Some((watched, rest)), ..sampler }
    }

    /// The channels.
    pub(super) fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Sample of the diagram at `state`, where `records` are those of the step that led there or past it, one per
    /// plant; empty before the first.
    pub fn sample<'a>(&'a mut self, state: &'a State, records: &'a [StepRecord]) -> Sample<'a> {
        self.sample_step(state, records.into())
    }

    /// Sample of the diagram at `state`, inside the last step or at its end, with the values that the step used.
    pub fn sample_step<'a>(&'a mut self, state: &'a State, seen: StepSeen<'a>) -> Sample<'a> {
        self.evaluated = Evaluated::Nothing;
        self.plants.iter_mut().for_each(|plant| plant.posed = false);
        Sample { sampler: self, state, seen }
    }

    /// Evaluates the `wanted` part, unless it was evaluated before.
    fn evaluate(&mut self, wanted: Evaluated, state: &State, seen: &StepSeen<'_>) {
        if self.evaluated >= wanted {
            return;
        }
        let Sampler { values, schedule, rest, watched, acting, .. } = self;
        let part = match (wanted, watched) {
            (Evaluated::Everything, _) => None,
            (Evaluated::Watched, Some((watched, rest))) => Some((&*watched, &*rest)),
            _ => Some((&*schedule, &*rest)),
        };
        acting.evaluate(part, state, seen, values);
        self.evaluated = wanted;
    }

    /// True if all watched values are finite at `state`. Invalidates the present sample.
    pub(super) fn is_finite_at(&mut self, state: &State) -> bool {
        self.sample(state, &[]).check(true).is_ok()
    }

    /// Values of the channels.
    fn row(&mut self, state: &State, seen: &StepSeen<'_>) -> &[f64] {
        self.evaluate(Evaluated::Channels, state, seen);
        self.row.clear();
        self.row.extend(self.channels.iter().map(|channel| self.values.arena()[channel.index]));
        &self.row
    }

    /// Values of the channels at `state`, inside a step or at its end.
    pub(super) fn values_of(&mut self, state: &State, seen: &StepSeen<'_>) -> &[f64] {
        self.evaluated = Evaluated::Nothing;
        self.row(state, seen)
    }

    /// Lets `plant` read its inputs.
    fn read_inputs(
        &mut self,
        plant: usize,
        state: &State,
        seen: &StepSeen<'_>,
        read: impl FnOnce(&dyn ConvexPlant, &Context<f64>, &mut PlantView),
    ) {
        self.evaluate(Evaluated::Everything, state, seen);
        let Some(view) = self.plants.get_mut(plant) else { return };
        let block = &self.diagram.blocks()[view.block];
        let Some(plant) = block.system.as_plant() else { return };
        let continuous = &state.continuous[block.state.clone()];
        let context = Context::new(state.time, continuous, self.values.arena(), &block.inputs);
        read(plant, &context.with_discrete(&state.discrete[block.discrete.clone()]), view);
    }
}

/// Schedule that computes `channels` and all outputs of the blocks that are `watched`.
pub(super) fn schedule_of(diagram: &Diagram, channels: &[Channel], watched: impl Fn(&Block) -> bool) -> Schedule {
    let mut asked = vec![false; diagram.values::<f64>().arena().len()];
    channels.iter().for_each(|channel| asked[channel.index] = true);
    let blocks = diagram.blocks().iter().enumerate();
    let outputs = blocks.flat_map(|(b, block)| block.outputs.iter().enumerate().map(move |(port, at)| ((b, port), at)));
    let asked = outputs.filter(|((b, _), at)| asked[(*at).clone()].contains(&true) || watched(&diagram.blocks()[*b]));
    diagram.schedule_for_outputs(&asked.map(|(output, _)| output).collect::<Vec<_>>())
}

impl Sample<'_> {
    /// Time \[s\]; just before an event that of the event.
    pub fn time(&self) -> f64 {
        self.seen.reported.unwrap_or(self.state.time)
    }

    /// Time, continuous and discrete state. Between two ends of steps it is interpolated.
    pub fn state(&self) -> &State {
        self.state
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        &self.sampler.diagram
    }

    /// The recorded channels.
    pub fn channels(&self) -> &[Channel] {
        &self.sampler.channels
    }

    /// One value per channel.
    pub fn values(&mut self) -> &[f64] {
        self.sampler.row(self.state, &self.seen)
    }

    /// Checks that the channels, and the values computed for them, are finite; with `all` also the outputs of all
    /// watched blocks. Blocks come in the order of evaluation: the first that is named is the origin.
    ///
    /// # Errors
    /// [`RunError::NotFinite`] with the first number that is not; [`RunError::AlgebraicLoop`].
    pub(super) fn check(&mut self, all: bool) -> Result<(), RunError> {
        if all && self.sampler.watched.is_some() {
            self.sampler.evaluate(Evaluated::Watched, self.state, &self.seen);
        }
        self.sampler.row(self.state, &self.seen);
        let Sampler { diagram, schedule, watched, values, .. } = &*self.sampler;
        let schedule = watched.as_ref().filter(|_| all).map_or(schedule, |(watched, _)| watched);
        if let Some(fault) = values.fault() {
            return Err(Box::new(fault.clone()).into());
        }
        for call in &schedule.calls {
            let block = &diagram.blocks()[call.block];
            let wanted = block.outputs.iter().enumerate().filter(|(port, _)| call.wanted[*port]);
            for (port, range) in wanted {
                let numbers = values.get(range.clone());
                let Some(at) = numbers.iter().position(|value| !value.is_finite()) else { continue };
                let channels = diagram.channels_of(call.block, port);
                return Err(RunError::NotFinite {
                    time: self.state.time,
                    what: format!("output `{}`", channels[at].name),
                    value: numbers[at],
                    block: block.name.clone(),
                });
            }
        }
        Ok(())
    }

    /// All numbers of all inputs and outputs, as [`Channel::index`] counts them.
    pub fn all_values(&mut self) -> &[f64] {
        self.sampler.evaluate(Evaluated::Everything, self.state, &self.seen);
        self.sampler.values.arena()
    }

    /// Value of an output; `None` if its block is not in this diagram.
    pub fn read<T: Signal>(&mut self, output: Out<T>) -> Option<T::View<'_, f64>> {
        self.sampler.evaluate(Evaluated::Everything, self.state, &self.seen);
        self.sampler.diagram.read(output, &self.sampler.values)
    }

    /// Writes the numbers of an output that its block holds, which depends on no input but through state; nothing else
    /// is computed.
    pub fn held_output(&self, block: usize, port: usize, to: &mut Vec<f64>) {
        let Sampler { diagram, values, .. } = &*self.sampler;
        let Some(block) = diagram.blocks().get(block) else { return };
        let ports = block.system.ports();
        let mut wanted = vec![false; ports.outputs().len()];
        wanted[port] = true;
        let mut all = vec![0.0; ports.outputs_width()];
        let continuous = &self.state.continuous[block.state.clone()];
        let context = Context::new(self.state.time, continuous, values.arena(), &block.inputs)
            .with_discrete(&self.state.discrete[block.discrete.clone()]);
        block.system.outputs_f64(&context, &mut Outputs::new(ports, &mut all, &wanted));
        to.clear();
        to.extend_from_slice(&all[ports.outputs()[port].range.clone()]);
    }

    /// Poses X_WB of the bodies of a plant, the world's first; none if there is no such plant.
    pub fn poses(&mut self, plant: usize) -> &[Pose] {
        let Sampler { plants, diagram, .. } = &mut *self.sampler;
        let Some(view) = plants.get_mut(plant) else { return &[] };
        let block = &diagram.blocks()[view.block];
        if let Some(plant) = block.system.as_plant().filter(|_| !view.posed) {
            let q = &self.state.continuous[block.state.clone()][..plant.structure().num_positions];
            plant.poses(q, &mut view.point);
            let frames = view.point.p_WB.iter().zip(&view.point.R_WB);
            view.poses.clear();
            view.poses.extend(frames.map(|(p_WB, R_WB)| Pose::from_rotation(*p_WB, R_WB)));
            view.posed = true;
        }
        &view.poses
    }

    /// Contact points of a plant in the step that led here or past here, those without force included.
    pub fn contacts(&self, plant: usize) -> &[ContactReport] {
        self.record(plant).map_or(&[], |record| &record.contacts)
    }

    /// Contact surfaces of bodies of a plant here, to draw; none where they touch in points.
    pub fn contact_surfaces(&mut self, plant: usize) -> Vec<ContactSurface> {
        self.poses(plant);
        let Some(view) = self.sampler.plants.get(plant) else { return Vec::new() };
        let plant = self.sampler.diagram.blocks()[view.block].system.as_plant();
        plant.map_or_else(Vec::new, |plant| plant.contact_surfaces(&view.point))
    }

    /// Record of a plant in the step that led here or past here; `None` before the first.
    pub fn record(&self, plant: usize) -> Option<&StepRecord> {
        self.seen.records.get(plant)
    }

    /// Active constraints of a plant, their held values, and its locks; `None` if there is no such plant.
    pub fn switches(&mut self, plant: usize) -> Option<&Switches> {
        self.sampler.read_inputs(plant, self.state, &self.seen, |plant, context, view| {
            plant.switches(context, &mut view.switches)
        });
        self.sampler.plants.get(plant).map(|view| &view.switches)
    }

    /// The speed of each belt of a plant \[m/s\].
    pub fn belt_speeds(&mut self, plant: usize) -> &[f64] {
        self.sampler.read_inputs(plant, self.state, &self.seen, |plant, context, view| {
            plant.read_surface_speeds(context, &mut view.point);
        });
        self.sampler.plants.get(plant).map_or(&[], |view| &view.point.surface_speeds)
    }
}
