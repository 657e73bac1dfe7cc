//! Acts of a person on a run, and their journal.

use kinegraph_core::sizes::{OutOfRange, check, of_units, plain, show_number};
use serde::{Deserialize, Serialize};

/// Act of a person on a run. It takes effect at the end of a step, before the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// The session begins: what is run.
    Open {
        /// The diagram file, or the model that is looked at.
        file: String,
        /// Values in its place, as `--set` takes them.
        set: Vec<String>,
    },
    /// A point of a body is taken hold of.
    Grab {
        /// Full name of the plant's block.
        plant: String,
        /// Name of the body in the plant (`arm/link1`).
        body: String,
        /// The point, from the body's origin in its axes \[m\].
        point: [f64; 3],
        /// Where the hand is \[m\].
        target: [f64; 3],
    },
    /// The hand moves.
    Drag {
        /// Where it is \[m\].
        target: [f64; 3],
    },
    /// The body that is held is released.
    Release,
    /// A position of a single-axis joint is set, its velocity to zero.
    Place {
        /// The channel of the position (`plant.arm.joint1.q`).
        channel: String,
        /// \[rad, m\].
        value: f64,
    },
    /// A parameter of a block is changed.
    Tune {
        /// Where it stands in the diagram file (`systems.controller.kp`).
        path: String,
        /// Its numbers.
        values: Vec<f64>,
    },
    /// An input that no block drives gets a value.
    Feed {
        /// Its path (`plant.arm.actuation`).
        input: String,
        /// Its numbers.
        values: Vec<f64>,
    },
    /// A block that a person moves (`operator_input`) has its signals moved.
    Operate {
        /// Full name of the block.
        block: String,
        /// Its signals, from -1 to 1.
        values: Vec<f64>,
    },
    /// A model is put into a named state of its file.
    Stand {
        /// Full name of the plant's block.
        plant: String,
        /// Name of the model.
        model: String,
        /// Name of the state.
        keyframe: String,
    },
    /// An output is recorded from here on.
    Record {
        /// Its path (`controller.effort`).
        output: String,
    },
    /// The session ends here.
    Close,
}

/// An entry of the journal of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acted {
    /// How many steps were taken before.
    pub step: u64,
    /// The time \[s\].
    pub time: f64,
    /// The act.
    pub act: Act,
}

/// Reason why a number of an act is refused: no file could have it.
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
pub enum ActNumber {
    /// A number that is infinite, or not a number.
    #[error("a number is not finite")]
    NotFinite,
    /// A number in none of the ranges of what it stands for.
    #[error("expected {range}, found {}", show_number(*.value))]
    OutOfRange {
        /// The number.
        value: f64,
        /// The range that it is beyond.
        range: OutOfRange,
    },
    /// A signal that a person moves.
    #[error("expected a number from -1 to 1, found {}", show_number(*.value))]
    Signal {
        /// The number.
        value: f64,
    },
}

kinegraph_core::debug_is_message!(ActNumber);

/// Checks numbers in these units.
pub(super) fn check_numbers(units: &str, numbers: &[f64]) -> Result<(), ActNumber> {
    let ranges = of_units(units).unwrap_or_else(|| vec![plain()]);
    numbers.iter().try_for_each(|&value| match value.is_finite() {
        true => check(&ranges, value).map_err(|range| ActNumber::OutOfRange { value, range }),
        false => Err(ActNumber::NotFinite),
    })
}

impl Act {
    /// Checks its numbers by the ranges of files. Those of a parameter are checked where it is read, that of a joint
    /// where its unit is known.
    ///
    /// # Errors
    /// [`ActNumber`].
    pub fn check(&self) -> Result<(), ActNumber> {
        match self {
            Act::Open { .. } | Act::Release | Act::Stand { .. } | Act::Record { .. } | Act::Close => Ok(()),
            Act::Grab { point, target, .. } => check_numbers("m", point).and_then(|()| check_numbers("m", target)),
            Act::Drag { target } => check_numbers("m", target),
            Act::Place { value, .. } => check_numbers("any", &[*value]),
            Act::Tune { values, .. } | Act::Feed { values, .. } => check_numbers("any", values),
            Act::Operate { values, .. } => {
                check_numbers("any", values)?;
                let beyond = values.iter().find(|value| value.abs() > 1.0);
                beyond.map_or(Ok(()), |&value| Err(ActNumber::Signal { value }))
            }
        }
    }
}

/// Force of the hand at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandForce {
    /// Time \[s\].
    pub time: f64,
    /// Index of the plant in the scene.
    pub plant: usize,
    /// Index of the body.
    pub body: usize,
    /// Point that is held, in world axes \[m\].
    pub point: [f64; 3],
    /// Position of the hand \[m\].
    pub target: [f64; 3],
    /// Force on the body \[N\].
    pub force: [f64; 3],
}
