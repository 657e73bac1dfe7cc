//! Measures that are differentiated, and numbers by which.

use crate::integrators::IntegratorError;
use crate::linearize::state_space::Rotations;
use crate::measures::Of;
use crate::simulate::{RunError, SimulationError};
use kinegraph_core::port::Sampling;
use kinegraph_diagram::{Block, BuildError, Diagram, State};
use std::fmt;
use std::sync::Arc;

/// Makes a diagram with a parameter at a value.
type Make = Arc<dyn Fn(f64) -> Result<Diagram, String> + Send + Sync>;

/// A number by which a run is differentiated.
#[derive(Clone)]
pub struct By {
    /// Its name, for results.
    pub name: String,
    /// Its unit; empty if it is not known.
    pub unit: String,
    /// Its value.
    pub value: f64,
    pub(super) origin: Origin,
}

/// How a number enters a run.
#[derive(Clone)]
pub(super) enum Origin {
    /// An entry of the continuous state at the start.
    Initial(usize),
    /// A turn of the unit quaternion that starts there in the continuous state at the start, about this axis: a
    /// component of a rotation vector, in the axes in which the quaternion turns the body.
    Rotation(usize, usize),
    /// A parameter of the diagram.
    Parameter(Make),
}

impl By {
    /// A number of the initial state, by the name that the diagram gives it (`plant.box.x`, as in
    /// [`state_names`](Diagram::state_names)); `rx`, `ry`, `rz` in place of a quaternion's `qw` to `qz` turn the body
    /// about an axis \[rad\].
    ///
    /// # Errors
    /// A name that is none of a state; a component of a quaternion, which does not move alone.
    pub fn initial(diagram: &Diagram, state: &State, name: &str) -> Result<Self, GradientError> {
        match Self::initials(diagram, state, name)?.as_slice() {
            [one] => Ok(one.clone()),
            all => Err(GradientError::SeveralStates { name: name.to_owned(), width: all.len() }),
        }
    }

    /// Numbers of the initial state that a name stands for: one, or all whose names begin so (`plant.box`, `plant`).
    ///
    /// # Errors
    /// As [`initial`](Self::initial).
    pub fn initials(diagram: &Diagram, state: &State, name: &str) -> Result<Vec<Self>, GradientError> {
        let all = freedoms(diagram);
        let one = |(freedom, origin): &(String, Origin)| By {
            name: format!("initial({freedom})"),
            unit: String::new(),
            value: if let Origin::Initial(at) = origin { state.continuous[*at] } else { 0.0 },
            origin: origin.clone(),
        };
        let is_within =
            |freedom: &str| freedom.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '/', '[']));
        let exact: Vec<Self> = all.iter().filter(|(freedom, _)| freedom == name).map(one).collect();
        let found = if exact.is_empty() {
            all.iter().filter(|(freedom, _)| is_within(freedom)).map(one).collect()
        } else {
            exact
        };
        if !found.is_empty() {
            return Ok(found);
        }
        if diagram.state_names().iter().any(|known| known == name) {
            return Err(GradientError::Quaternion { name: name.to_owned() });
        }
        let near = kinegraph_core::names::nearest(name, all.into_iter().map(|(freedom, _)| freedom));
        Err(GradientError::NoState { name: name.to_owned(), near })
    }

    /// A parameter with this `value`: `make` returns the diagram with the parameter at a value nearby. It must have the
    /// same blocks in the same order.
    pub fn parameter(
        name: impl Into<String>,
        unit: impl Into<String>,
        value: f64,
        make: impl Fn(f64) -> Result<Diagram, String> + Send + Sync + 'static,
    ) -> Self {
        By { name: name.into(), unit: unit.into(), value, origin: Origin::Parameter(Arc::new(make)) }
    }

    /// The diagram and the state of a run in which the number is larger by `amount` than in the run of `diagram` from
    /// `state`; no diagram if it is the same.
    ///
    /// # Errors
    /// The diagram cannot be made, or has other states.
    pub fn moved(
        &self,
        amount: f64,
        diagram: &Diagram,
        state: &State,
    ) -> Result<(Option<Diagram>, State), GradientError> {
        let mut moved = state.clone();
        match &self.origin {
            Origin::Initial(at) => moved.continuous[*at] += amount,
            Origin::Rotation(start, axis) => turn(&mut moved.continuous[*start..*start + 4], *axis, amount),
            Origin::Parameter(make) => {
                let (name, value) = (|| self.name.clone(), self.value + amount);
                let changed = make(value).map_err(|reason| GradientError::Parameter { name: name(), value, reason })?;
                let state = moved_state(diagram, &changed, state)
                    .ok_or_else(|| GradientError::Structure { name: name(), value })?;
                if let Some(block) = sampled_otherwise(diagram, &changed) {
                    return Err(GradientError::Sampling { name: name(), block });
                }
                return Ok((Some(changed), state));
            }
        }
        Ok((None, moved))
    }

    /// True if it is a number of the initial state.
    pub fn is_initial(&self) -> bool {
        !matches!(self.origin, Origin::Parameter(_))
    }
}

/// The first block whose periodic events come at other times in `changed`: the times of sampling do not move in runs
/// beside.
fn sampled_otherwise(diagram: &Diagram, changed: &Diagram) -> Option<String> {
    let pairs = diagram.blocks().iter().zip(changed.blocks());
    let recurring = |block: &Block| -> Vec<Sampling> {
        block.system.ports().ticks().iter().copied().filter(|sampling| !sampling.is_once()).collect()
    };
    pairs.into_iter().find(|(own, other)| recurring(own) != recurring(other)).map(|(own, _)| own.name.clone())
}

/// Independent numbers of the initial state, by name: rotation vectors in place of quaternions.
fn freedoms(diagram: &Diagram) -> Vec<(String, Origin)> {
    let mut all: Vec<(String, Origin)> =
        diagram.state_names().into_iter().enumerate().map(|(at, name)| (name, Origin::Initial(at))).collect();
    let starts = Rotations::of(diagram);
    for &start in starts.starts().iter().rev() {
        let base = all[start].0.strip_suffix("qw").unwrap_or(&all[start].0).to_owned();
        let turns = ["rx", "ry", "rz"].into_iter().enumerate();
        let turns: Vec<_> = turns.map(|(axis, end)| (format!("{base}{end}"), Origin::Rotation(start, axis))).collect();
        all.splice(start..start + 4, turns);
    }
    all
}

/// Turns a quaternion w, x, y, z by an angle \[rad\] about an axis of the frame in which it turns a body.
fn turn(quaternion: &mut [f64], axis: usize, angle: f64) {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let [w, x, y, z] = [0, 1, 2, 3].map(|k| quaternion[k]);
    let tangent = [[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]][axis];
    for (k, own) in quaternion.iter_mut().enumerate() {
        *own = cosine * *own + sine * tangent[k];
    }
}

/// The state of `from`, a state of `diagram`, in the diagram `changed`: moved by as much as the initial states differ.
fn moved_state(diagram: &Diagram, changed: &Diagram, from: &State) -> Option<State> {
    let (old, mut state) = (diagram.initial_state(), changed.initial_state());
    let same = old.continuous.len() == state.continuous.len()
        && old.discrete.len() == state.discrete.len()
        && diagram.state_names() == changed.state_names();
    if !same {
        return None;
    }
    let add = |new: &mut [f64], old: &[f64], from: &[f64]| {
        for ((new, old), from) in new.iter_mut().zip(old).zip(from) {
            *new = if *new == *old { *from } else { *new + (from - old) };
        }
    };
    add(&mut state.continuous, &old.continuous, &from.continuous);
    add(&mut state.discrete, &old.discrete, &from.discrete);
    (state.time, state.started) = (from.time, from.started);
    Some(state)
}

impl fmt::Debug for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("By").field("name", &self.name).field("value", &self.value).finish()
    }
}

/// A request for derivatives of a run.
#[derive(Clone, Debug)]
pub struct GradientRequest {
    /// Measures.
    pub of: Vec<Of>,
    /// Numbers by which they are differentiated.
    pub by: Vec<By>,
    /// End of the run \[s\].
    pub until: f64,
    /// Times at which the channels of measures are read and differentiated too \[s\], ascending.
    pub at: Vec<f64>,
    /// True if the run is made again to an eighth of the accuracy, until derivatives change by little: without that
    /// they have no error.
    pub second_look: bool,
}

/// Reason why there is no gradient.
#[derive(Clone, thiserror::Error)]
pub enum GradientError {
    /// A name that is none of a state.
    #[error("there is no state `{name}`{}", kinegraph_core::names::did_you_mean(near))]
    NoState {
        /// The name.
        name: String,
        /// The nearest name, if one is near.
        near: Option<String>,
    },
    /// A component of a quaternion.
    #[error(
        "`{name}` is a component of a quaternion, which does not change alone: `rx`, `ry`, `rz` in its place turn the body \
         about an axis"
    )]
    Quaternion {
        /// The name.
        name: String,
    },
    /// A name of several numbers of the state where one is wanted.
    #[error("`{name}` is {width} numbers of the initial state: name one")]
    SeveralStates {
        /// The name.
        name: String,
        /// How many.
        width: usize,
    },
    /// A channel that the diagram does not have.
    #[error(transparent)]
    Channel(#[from] Box<BuildError>),
    /// An output of several numbers.
    #[error("`{name}` is {width} channels: name one")]
    Several {
        /// The name.
        name: String,
        /// Number of channels.
        width: usize,
    },
    /// A diagram with a parameter at another value could not be made.
    #[error("{name} = {value}: {reason}")]
    Parameter {
        /// Name of the parameter.
        name: String,
        /// The value.
        value: f64,
        /// The reason.
        reason: String,
    },
    /// A diagram with a parameter at another value has other states.
    #[error("{name} changes the structure of the diagram: its blocks or their states are others at {value}")]
    Structure {
        /// Name of the parameter.
        name: String,
        /// The value.
        value: f64,
    },
    /// A parameter that moves times of sampling.
    #[error("{name} changes when `{block}` samples: derivatives by periods and offsets of sampling are not taken")]
    Sampling {
        /// Name of the parameter.
        name: String,
        /// Name of the block.
        block: String,
    },
    /// A time of an event that the run does not have.
    #[error(
        "the run has no event `{name}`{}",
        if events.is_empty() { ": it has none".to_owned() } else { format!("; it has: {}", events.join(", ")) }
    )]
    NoEvent {
        /// The name.
        name: String,
        /// Names of the events of the run.
        events: Vec<String>,
    },
    /// Nothing to differentiate, or nothing by which.
    #[error("name at least one measure and one parameter")]
    Nothing,
    /// The integrator cannot be made, or has no derivatives.
    #[error(transparent)]
    Integrator(#[from] IntegratorError),
    /// The simulation cannot be made.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The run stopped.
    #[error(transparent)]
    Run(#[from] RunError),
}

kinegraph_core::debug_is_message!(GradientError);
