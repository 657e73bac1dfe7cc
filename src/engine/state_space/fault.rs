//! Reasons why a diagram cannot be linearized.

use kinegraph_core::memory::TooMuchMemory;
use kinegraph_core::names::did_you_mean;
use kinegraph_diagram::{BuildError, LoopFault};
use std::fmt;

/// Reason why a diagram cannot be linearized.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearizeFault {
    /// More memory would be needed than the limit.
    #[error(transparent)]
    Memory(#[from] TooMuchMemory),
    /// A port that the diagram does not have.
    #[error(transparent)]
    Port(Box<BuildError>),
    /// A port is named twice among the inputs and cuts.
    #[error("input {path} is asked for twice: name it once")]
    Twice {
        /// The port.
        path: String,
    },
    /// A port to be cut off that is not connected.
    #[error("{path} cannot be cut off: no output drives it; name it as an input")]
    NotConnected {
        /// The port.
        path: String,
    },
    /// An input without a number.
    #[error("{path} has no entries, so nothing can be disturbed there{}", unactuated(path))]
    Empty {
        /// The port.
        path: String,
    },
    /// Inputs of one exported name that are not driven together.
    #[error("{path} names several inputs that are driven differently: name one of them, `block.input`")]
    DrivenDifferently {
        /// The exported name.
        path: String,
    },
    /// A state to be held that the diagram does not have.
    #[error("there is no continuous state and no input `{name}`{}", did_you_mean(nearest))]
    State {
        /// The name.
        name: String,
        /// Closest known name.
        nearest: Option<String>,
    },
    /// An input that a search for an equilibrium should choose and that is none.
    #[error("there is no input `{name}` for the search to choose{}", did_you_mean(nearest))]
    FreeInput {
        /// The name.
        name: String,
        /// Closest known name.
        nearest: Option<String>,
    },
    /// Bodies touch, and are left out.
    #[error("{plant}: {} and {} touch at the operating point, and count as if they did not", .bodies.0, .bodies.1)]
    InContact {
        /// The plant.
        plant: String,
        /// The bodies.
        bodies: (String, String),
    },
    /// A joint is beyond its stop.
    #[error(
        "{position} = {value} is beyond the joint's stop, which is rigid and has no law: choose a point between the stops, \
         hold the joint there (--contact hold), or leave stops out (--contact none)"
    )]
    BeyondStop {
        /// The position.
        position: String,
        /// Its value.
        value: f64,
    },
    /// Friction cannot hold two bodies that are to stick.
    #[error(
        "{plant}: {} cannot stick: they press on each other with {force:.4} N, and {needed:.4} N along the surface would be \
         needed, more than friction can hold. Choose another point, search one (--trim), or take the law of contact \
         (--contact law)", .bodies.join(" and ")
    )]
    SlipsAway {
        /// The plant.
        plant: String,
        /// The bodies.
        bodies: Vec<String>,
        /// Friction that would be needed \[N\].
        needed: f64,
        /// Normal force \[N\].
        force: f64,
    },
    /// The equations of what holds have no solution.
    #[error(
        "the motion with {what} has no solution at the operating point: choose another point, or leave contacts out \
         (--contact none)"
    )]
    CannotHold {
        /// Name of the part that holds.
        what: String,
    },
    /// An input reaches an output, or any state, through samples and delays only: its columns would be zero.
    #[error(
        "{input} reaches {target} by way of {} only, which a linear model in continuous time does not follow: its \
         columns of B and D would be zero. Cut off a port behind that block (--cut), or ask for an output before it",
        quoted(blocks)
    )]
    CutPath {
        /// The input.
        input: String,
        /// The output, or `the states`.
        target: String,
        /// Blocks that sample or delay on the path.
        blocks: Vec<String>,
    },
    /// A period of a model in discrete time is asked for, and nothing is sampled.
    #[error("no block of the diagram is sampled, so there is no common period: give one, e.g. --sampled 0.01")]
    NothingSampled,
    /// Two periods of which no number is a multiple of both.
    #[error(
        "`{}` is sampled every {} s and `{}` every {} s, which have no common multiple, and so no model over one period: \
         change one of them, e.g. to a multiple of the other",
        .blocks[0].0, .blocks[0].1, .blocks[1].0, .blocks[1].1
    )]
    NoCommonPeriod {
        /// The blocks with their periods \[s\].
        blocks: Box<[(String, f64); 2]>,
    },
    /// A period that is no multiple of those of the blocks.
    #[error(
        "a model over {period} s has no whole number of samples of {}: give a multiple of {common} s, or none \
         (--sampled alone)",
        periods(blocks)
    )]
    PeriodOfBlocks {
        /// The period \[s\].
        period: f64,
        /// The blocks that do not fit, with their periods \[s\].
        blocks: Vec<(String, f64)>,
        /// The least period that fits \[s\].
        common: f64,
    },
    /// Too many events in a period.
    #[error(
        "a period of {period} s has {instants:.0} events of sampled blocks and delays, too many for one model: choose \
         periods with a smaller common multiple"
    )]
    TooManyInstants {
        /// The period \[s\].
        period: f64,
        /// Number of events.
        instants: f64,
    },
    /// An algebraic loop does not close.
    #[error(transparent)]
    Loop(Box<LoopFault>),
    /// A rate or derivative is not a finite number.
    #[error(
        "{what} is not a finite number at the operating point: choose another point, or look at the inputs of that block"
    )]
    NotFinite {
        /// Name of the value.
        what: String,
    },
}

kinegraph_core::debug_is_message!(LinearizeFault);

impl LinearizeFault {
    /// True if another request would do, at the same operating point.
    pub fn is_of_request(&self) -> bool {
        matches!(
            self,
            LinearizeFault::NothingSampled
                | LinearizeFault::NoCommonPeriod { .. }
                | LinearizeFault::PeriodOfBlocks { .. }
                | LinearizeFault::TooManyInstants { .. }
        )
    }
}

/// Blocks and their periods in a sentence.
fn periods(blocks: &[(String, f64)]) -> String {
    blocks.iter().map(|(block, period)| format!("`{block}` (every {period} s)")).collect::<Vec<_>>().join(", ")
}

/// Names of blocks in a sentence.
fn quoted(blocks: &[String]) -> String {
    blocks.iter().map(|block| format!("`{block}`")).collect::<Vec<_>>().join(", ")
}

/// Hint on how to get actuation in a model, for a port named so.
fn unactuated(path: &str) -> &'static str {
    let actuation = path.rsplit('.').next() == Some("actuation");
    if actuation { ": no joint of the model is actuated (`actuated: all` makes all of them)" } else { "" }
}

/// All reasons together.
#[derive(Clone, PartialEq)]
pub struct LinearizeFaults(pub Vec<LinearizeFault>);

impl fmt::Display for LinearizeFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

kinegraph_core::debug_is_message!(LinearizeFaults);

impl std::error::Error for LinearizeFaults {}
