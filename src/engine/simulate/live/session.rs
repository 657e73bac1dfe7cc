//! Effects of acts: on the diagram, or on the state.

use super::hand::Hand;
use super::run::Workshop;
use crate::integrators::{IntegratorError, Options};
use crate::simulate::acts::{ActNumber, check_numbers};
use crate::simulate::{
    Act, HandForce, OpenInputError, Plan, RunError, Simulation, SimulationError, World, open_inputs,
};
use kinegraph_core::ErasedSystem;
use kinegraph_core::convex::{Coordinate, PlantPoint};
use kinegraph_core::names::{did_you_mean, nearest};
use kinegraph_diagram::{Block, BuildError, BuildErrors, Diagram, Source, State};
use kinegraph_systems::sources::OPERATED;
use std::sync::Arc;

/// Reason why an act is refused. Nothing has changed.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum ActError {
    /// A number that no file could have.
    #[error(transparent)]
    Number(#[from] ActNumber),
    /// A simulation whose integrator was given from outside cannot be built again.
    #[error("the integrator of this simulation was not made by its name")]
    NoOptions,
    /// The diagram does not have it.
    #[error("there is no {what} `{name}`{}", did_you_mean(nearest))]
    Unknown {
        /// Kind of the thing.
        what: &'static str,
        /// Its name.
        name: String,
        /// Closest known name.
        nearest: Option<String>,
    },
    /// A body that cannot move.
    #[error("`{body}` cannot be pulled: nothing can move it")]
    Fixed {
        /// The body.
        body: String,
    },
    /// All inputs by which a body is pulled are driven by blocks.
    #[error("`{body}` cannot be pulled: `{input}` is driven by a block")]
    InUse {
        /// The body.
        body: String,
        /// The input.
        input: String,
    },
    /// An input that a block drives.
    #[error("`{input}` is driven by `{by}`: change that block")]
    Driven {
        /// The input.
        input: String,
        /// Block that drives it.
        by: String,
    },
    /// An output that is recorded, all of it or some.
    #[error("`{output}` is recorded already")]
    Recorded {
        /// The output.
        output: String,
    },
    /// A picture or a scan.
    #[error("`{output}` is an image: name it in `record.channels` of the diagram file")]
    Image {
        /// The output.
        output: String,
    },
    /// Too few or too many numbers.
    #[error("{given} numbers for `{input}`, expected {expected}")]
    Width {
        /// The input.
        input: String,
        /// Given number of values.
        given: usize,
        /// Expected number of values.
        expected: usize,
    },
    /// A parameter that cannot have this value.
    #[error("{0}")]
    Parameter(String),
    /// The diagram cannot be built with the change.
    #[error(transparent)]
    Build(#[from] BuildErrors),
    /// There is no such port.
    #[error(transparent)]
    Port(#[from] Box<BuildError>),
    /// The input cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenInputError),
    /// The integrator does not suit the diagram any more.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// Jumps of a signal cannot be followed.
    #[error("{0}")]
    Run(String),
    /// The state does not fit.
    #[error(transparent)]
    State(#[from] IntegratorError),
}

kinegraph_core::debug_is_message!(ActError);

/// A run, with the changes to it.
pub(super) struct Session<'a> {
    pub simulation: &'a mut Simulation,
    options: Options,
    /// Diagram with all changes, but for the hand.
    base: Diagram,
    hand: Option<Hand>,
}

/// Kind of change by an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    Nothing,
    Diagram,
    State,
}

impl<'a> Session<'a> {
    pub fn new(simulation: &'a mut Simulation) -> Result<Self, ActError> {
        let options = *simulation.plan().options().ok_or(ActError::NoOptions)?;
        let base = simulation.diagram().clone();
        Ok(Session { simulation, options, base, hand: None })
    }

    pub fn holds(&self) -> bool {
        self.hand.is_some()
    }

    /// Performs `act`.
    pub fn act(&mut self, act: &Act, workshop: &mut dyn Workshop) -> Result<Changed, ActError> {
        act.check()?;
        match act {
            Act::Open { .. } | Act::Record { .. } | Act::Close => Ok(Changed::Nothing),
            Act::Grab { plant, body, point, target } => self.grab(plant, body, *point, *target),
            Act::Drag { target } => {
                self.hand.iter_mut().for_each(|hand| hand.target = *target);
                Ok(Changed::Nothing)
            }
            Act::Release if self.hand.is_none() => Ok(Changed::Nothing),
            Act::Release => {
                self.go_on_with(&self.base.clone())?;
                self.hand = None;
                Ok(Changed::Diagram)
            }
            Act::Place { channel, value } => self.place(channel, *value),
            Act::Tune { path, values } => {
                let blocks = workshop.rebuild(&self.base, path, values).map_err(ActError::Parameter)?;
                let changed = blocks.into_iter().try_fold(self.base.clone(), |diagram, (name, block)| {
                    diagram.replace(&name, block).map_err(ActError::from)
                });
                changed.and_then(|changed| self.change(changed)).inspect_err(|_| workshop.undo())
            }
            Act::Operate { block, values } => self.operate(block, values),
            Act::Stand { plant, model, keyframe } => {
                let block = workshop.at_keyframe(&self.base, plant, model, keyframe).map_err(ActError::Parameter)?;
                self.stand(plant, model, &*block)
            }
            Act::Feed { input, values } => {
                let changed = self.fed(input, values)?;
                self.change(changed)
            }
        }
    }

    /// Continues with `base` in place of the previous diagram; a held body stays held.
    fn change(&mut self, base: Diagram) -> Result<Changed, ActError> {
        let diagram = match &mut self.hand {
            Some(hand) => {
                let opened = open_inputs(&base, &[&hand.input])?;
                hand.place = opened.inputs[0].place.clone();
                opened.diagram
            }
            None => base.clone(),
        };
        self.go_on_with(&diagram)?;
        self.base = base;
        Ok(Changed::Diagram)
    }

    /// Continues with another diagram: common states are carried over.
    fn go_on_with(&mut self, diagram: &Diagram) -> Result<(), ActError> {
        let state = diagram.carry_over(self.simulation.diagram(), &self.simulation.world.state);
        let plan = Arc::new(Plan::new(diagram, self.options)?);
        let mut world = plan.world_at(state)?;
        world.count_on_from(&mut self.simulation.world);
        *self.simulation = Simulation::going_on(plan, world);
        self.simulation.keep_attempts();
        Ok(())
    }

    fn grab(&mut self, plant: &str, body: &str, point: [f64; 3], target: [f64; 3]) -> Result<Changed, ActError> {
        let plants: Vec<_> = self.base.plants().collect();
        let names = || plants.iter().map(|(block, _)| block.name.as_str());
        let index = names().position(|name| name == plant).ok_or_else(|| unknown("plant", plant, names()))?;
        let structure = plants[index].1.structure();
        let bodies = || structure.bodies.iter().map(|body| body.name.as_str());
        let at = bodies().position(|name| name == body).ok_or_else(|| unknown("body", body, bodies()))?;
        if structure.bodies[at].clique.is_none() {
            return Err(ActError::Fixed { body: body.to_owned() });
        }
        // The input of the model has less effect on the rest of the plant; that of all bodies is free where it is not.
        let model = body.split_once('/').map_or(body, |(model, _)| model);
        let of_model = bodies().take(at).filter(|name| name.starts_with(&format!("{model}/"))).count();
        let choices = [
            (format!("{plant}.{model}.applied_spatial_force"), of_model),
            (format!("{plant}.applied_spatial_force"), at - 1),
        ];
        let is_free = |(input, _): &&(String, usize)| {
            let ends = self.base.inputs(input);
            ends.is_ok_and(|ends| ends.iter().all(|end| *end.source == Source::Unconnected))
        };
        let Some((input, of_port)) = choices.iter().find(is_free).cloned() else {
            return Err(ActError::InUse { body: body.to_owned(), input: choices[1].0.clone() });
        };
        let opened = open_inputs(&self.base, &[&input])?;
        let place = opened.inputs[0].place.clone();
        self.go_on_with(&opened.diagram)?;
        let memory = PlantPoint::default();
        self.hand = Some(Hand { input, plant: index, body: at, point, target, place, index: of_port, memory });
        Ok(Changed::Diagram)
    }

    fn place(&mut self, channel: &str, value: f64) -> Result<Changed, ActError> {
        let names = self.base.state_names();
        let find = |wanted: &str| names.iter().position(|name| name == wanted);
        let joint = channel.strip_suffix(".q").and_then(|joint| Some((find(channel)?, find(&format!("{joint}.v"))?)));
        let Some((q, v)) = joint else {
            let joints = names.iter().map(String::as_str).filter(|name| name.ends_with(".q"));
            return Err(unknown("joint position", channel, joints));
        };
        check_numbers(self.unit_of(v), &[value])?;
        let mut state = self.simulation.state().clone();
        // The hand is no continuous state: both diagrams have the same.
        (state.continuous[q], state.continuous[v]) = (value, 0.0);
        self.go_on_at(state)
    }

    /// Unit of the joint whose velocity is at an index in the continuous state.
    fn unit_of(&self, velocity: usize) -> &'static str {
        let mut plants = self.base.plants();
        let coordinate = plants.find(|(block, _)| block.state.contains(&velocity)).and_then(|(block, plant)| {
            let structure = plant.structure();
            structure.coordinates.get(velocity.checked_sub(block.state.start + structure.num_positions)?)
        });
        if coordinate == Some(&Coordinate::Angle) { "rad" } else { "m" }
    }

    /// Continues at another state of the diagram. Counts continue, too: they belong to the whole session.
    fn go_on_at(&mut self, state: State) -> Result<Changed, ActError> {
        let counted = std::mem::take(self.simulation.world.integrator.statistics_mut());
        let set = self.simulation.set_state(state);
        *self.simulation.world.integrator.statistics_mut() = counted;
        set?;
        Ok(Changed::State)
    }

    /// Sets the signals of a block that a person moves, which are the discrete state of a source.
    fn operate(&mut self, name: &str, values: &[f64]) -> Result<Changed, ActError> {
        let blocks = self.simulation.diagram().blocks();
        let is_moved = |block: &&Block| {
            let ports = block.system.ports();
            ports.inputs().is_empty() && ports.discrete().first().is_some_and(|run| run.name == OPERATED)
        };
        let moved = || blocks.iter().filter(is_moved);
        let names = || moved().map(|block| block.name.as_str());
        let found = moved().find(|block| block.name == name);
        let held = found.ok_or_else(|| unknown("operator_input", name, names()))?.discrete.clone();
        if held.len() != values.len() {
            return Err(ActError::Width { input: name.to_owned(), given: values.len(), expected: held.len() });
        }
        self.simulation.world.set_discrete(held.start, values).map_err(|error| ActError::Run(error.to_string()))?;
        Ok(Changed::Nothing)
    }

    /// Copies positions and velocities of `model` from the start of `block`, a plant with the same state.
    fn stand(&mut self, plant: &str, model: &str, block: &dyn ErasedSystem) -> Result<Changed, ActError> {
        let diagram = self.simulation.diagram();
        let own = diagram.find_block(plant).map_err(Box::new)?;
        let range = diagram.blocks()[own].state.clone();
        let start: Vec<f64> = block.ports().continuous().iter().flat_map(|run| run.initial.iter().copied()).collect();
        let prefix = format!("{plant}.{model}.");
        let names = diagram.state_names();
        let mut state = self.simulation.state().clone();
        for (i, value) in range.zip(start) {
            if names[i].starts_with(&prefix) {
                state.continuous[i] = value;
            }
        }
        self.go_on_at(state)
    }

    fn fed(&self, input: &str, values: &[f64]) -> Result<Diagram, ActError> {
        let ends = self.base.inputs(input).map_err(Box::new)?;
        let expected = ends[0].declaration.width;
        if expected != values.len() {
            return Err(ActError::Width { input: input.to_owned(), given: values.len(), expected });
        }
        let mut builder = self.base.to_builder();
        for end in &ends {
            if let Source::Output { block, .. } = *end.source {
                let by = self.base.blocks()[block].name.clone();
                return Err(ActError::Driven { input: input.to_owned(), by });
            }
            let path = self.base.path_of(end);
            builder.unfix_path(&path);
            builder.fix_path(path, values);
        }
        Ok(builder.build()?)
    }

    /// Writes the force of the hand to the inputs of the step that begins; `None` where nothing is held.
    pub fn pull(&mut self) -> Result<Option<HandForce>, RunError> {
        let Some(hand) = &mut self.hand else { return Ok(None) };
        let World { state, .. } = &self.simulation.world;
        let Some((block, plant)) = self.simulation.plan.diagram().plants().nth(hand.plant) else { return Ok(None) };
        let (q, v) = state.continuous[block.state.clone()].split_at(plant.structure().num_positions);
        let (force, seen) = hand.force(plant, state.time, q, v);
        let at = hand.place.start + 6 * hand.index;
        self.simulation.world.set_discrete(at, &force)?;
        Ok(Some(seen))
    }
}

fn unknown<'a>(what: &'static str, name: &str, names: impl Iterator<Item = &'a str>) -> ActError {
    let names: Vec<&str> = names.collect();
    ActError::Unknown { what, name: name.to_owned(), nearest: nearest(name, names.iter().copied()) }
}
