//! Measures that are differentiated, and numbers by which.

use crate::integrators::IntegratorError;
use crate::measures::{Measure, MeasureError};
use crate::simulate::{RunError, SimulationError};
use kinegraph_diagram::{BuildError, Diagram, State};
use std::fmt;
use std::str::FromStr;
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
    /// A parameter of the diagram.
    Parameter(Make),
}

impl By {
    /// A number of the initial state, by the name that the diagram gives it (`plant.box.x`, as in
    /// [`state_names`](Diagram::state_names)).
    ///
    /// # Errors
    /// A name that is none of a state; a component of a quaternion, which does not move alone.
    pub fn initial(diagram: &Diagram, state: &State, name: &str) -> Result<Self, GradientError> {
        let names = diagram.state_names();
        let is_part = |name: &str| ["qw", "qx", "qy", "qz"].iter().any(|part| name.ends_with(&format!(".{part}")));
        match names.iter().position(|known| known == name) {
            Some(at) if !is_part(name) => Ok(By {
                name: format!("initial({name})"),
                unit: String::new(),
                value: state.continuous[at],
                origin: Origin::Initial(at),
            }),
            Some(_) => Err(GradientError::Quaternion { name: name.to_owned() }),
            None => {
                let near = kinegraph_core::names::nearest(name, names);
                Err(GradientError::NoState { name: name.to_owned(), near })
            }
        }
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
}

impl fmt::Debug for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("By").field("name", &self.name).field("value", &self.value).finish()
    }
}

/// A number of a run that is differentiated.
#[derive(Clone, Debug, PartialEq)]
pub enum Of {
    /// A measure of a channel.
    Measure(Measure),
    /// The first time of an event \[s\], by its name: `time(block: witness)`, or `time(touch BODY BODY)`,
    /// `time(stop JOINT)`.
    Time(String),
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Of::Measure(measure) => measure.fmt(f),
            Of::Time(name) => write!(f, "time({name})"),
        }
    }
}

impl FromStr for Of {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let inner = text.trim().strip_prefix("time(").and_then(|rest| rest.strip_suffix(')'));
        inner.map_or_else(|| text.parse().map(Of::Measure), |name| Ok(Of::Time(name.trim().to_owned())))
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
        "`{name}` is a component of a quaternion, which does not change alone: take a parameter of the initial pose"
    )]
    Quaternion {
        /// The name.
        name: String,
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
