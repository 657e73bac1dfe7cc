//! Faults of a diagram. Every fault has full port paths and a remedy.

use kinegraph_core::memory::TooMuchMemory;
use kinegraph_core::names::{did_you_mean, nearest};
use kinegraph_core::{Ports, SignalKind};
use std::fmt;
use thiserror::Error;

/// Measured memory per number in a run: its names, value, derivatives and readers \[bytes\].
pub(super) const BYTES_OF_A_NUMBER: u64 = 700;
/// Maximum count of numbers of a diagram, outputs and state together.
pub(super) const MAX_NUMBERS: usize = 50_000_000;

/// Side of a block that a port is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A block reads it.
    Input,
    /// A block writes it.
    Output,
}

impl Side {
    /// Names of the ports of a block on this side.
    pub(super) fn names(self, ports: &Ports) -> Vec<String> {
        match self {
            Side::Input => ports.inputs().iter().map(|port| port.name.clone()).collect(),
            Side::Output => ports.outputs().iter().map(|port| port.name.clone()).collect(),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Input => "input",
            Side::Output => "output",
        })
    }
}

/// One wire of an algebraic loop: `output -> input`, and the output `next` of the same block that depends on `input`
/// directly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Path of the driving output.
    pub output: String,
    /// Path of the driven input.
    pub input: String,
    /// Path of the output that depends on that input without passing through state.
    pub next: String,
}

/// Units at the two ends of a wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlikeUnits {
    /// Index of the number in the input, if it has several.
    pub number: Option<usize>,
    /// Unit that the output carries.
    pub from: String,
    /// Unit that the input takes.
    pub to: String,
    /// The wire whose unit the input has to have, if the block does not fix it.
    pub like: Option<String>,
    /// Unit of a gain that converts one into the other.
    pub factor: String,
    /// The block of the input.
    pub block: String,
}

/// One fault in a diagram.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A path under error control is not an output, or its accuracies are invalid.
    #[error("error control of `{output}`: {fault}")]
    Controlled {
        /// The path.
        output: String,
        /// The fault.
        fault: String,
    },
    /// Two blocks have the same name.
    #[error("two blocks are named `{name}`: rename one of them")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A name that paths could not refer to.
    #[error("`{name}` is not a valid block name: use letters, digits, `_` and `-`, in parts separated by `/`")]
    InvalidName {
        /// The name.
        name: String,
    },
    /// One and the same block under two names; its port handles would be ambiguous.
    #[error("the same block was added twice, as `{first}` and as `{second}`: make a second block")]
    SameBlockTwice {
        /// The name it had first.
        first: String,
        /// The name it was added under again.
        second: String,
    },
    /// A nested diagram exports a port that does not exist.
    #[error("export `{path}`: {fault}")]
    Export {
        /// Path of the export.
        path: String,
        /// The fault of the port that it names.
        fault: Box<BuildError>,
    },
    /// Two outputs are exported under one name.
    #[error("export `{path}` names two outputs, {first} and {second}: rename one of the two exports")]
    DuplicateExport {
        /// Path of the export.
        path: String,
        /// Path of the output exported first.
        first: String,
        /// Path of the output exported again.
        second: String,
    },
    /// One input is exported by one diagram twice: it would be driven twice.
    #[error("{input} is exported twice, as `{first}` and as `{second}`: remove one of the two exports")]
    ExportedTwice {
        /// Path of the input.
        input: String,
        /// Path of its first export.
        first: String,
        /// Path of its second export.
        second: String,
    },
    /// Inputs that are exported under one name differ in width.
    #[error(
        "export `{path}` names inputs of different widths, {first} ({first_width}) and {second} ({second_width}): export them under two names"
    )]
    ExportWidths {
        /// Path of the export.
        path: String,
        /// Path of the first input.
        first: String,
        /// Path of the input that differs.
        second: String,
        /// Width of the first.
        first_width: usize,
        /// Width of the other.
        second_width: usize,
    },
    /// A required input has no value.
    #[error("{input} (width {width}) is not connected: connect an output to it or fix its value")]
    Unconnected {
        /// Path of the input.
        input: String,
        /// Its width.
        width: usize,
    },
    /// An input has two sources.
    #[error("{input} is driven twice, by {first} and by {second}: remove one of the two connections")]
    DrivenTwice {
        /// Path of the input.
        input: String,
        /// The output connected first.
        first: String,
        /// The output connected again.
        second: String,
    },
    /// An input of several numbers is driven, and one of its numbers by itself.
    #[error("{part} is a part of {whole}, which is driven as well: connect the whole or its parts")]
    WholeAndPart {
        /// Path of the input with all numbers.
        whole: String,
        /// Path of the input with one of them.
        part: String,
    },
    /// A wire names parts of a port that it does not have.
    #[error("`{path}`: {problem}")]
    Part {
        /// The path.
        path: String,
        /// The fault, with the parts that exist.
        problem: String,
    },
    /// An input is driven part by part, and some parts are not.
    #[error("{input} is driven in part only: connect {} as well", .missing.join(", "))]
    PartsUnconnected {
        /// Path of the input.
        input: String,
        /// The numbers that nothing drives.
        missing: Vec<String>,
    },
    /// An input has a fixed value and a wire.
    #[error("{input} is driven by {output} and fixed to a value as well: remove the connection or the value")]
    FixedAndConnected {
        /// Path of the input.
        input: String,
        /// Path of the output that drives it.
        output: String,
    },
    /// An input has two fixed values.
    #[error("{input} is fixed to a value twice: remove one of the two")]
    FixedTwice {
        /// Path of the input.
        input: String,
    },
    /// A fixed value has the wrong number of elements.
    #[error("{input} has width {width} but is fixed to {given} values: give as many values as it is wide")]
    FixedWidth {
        /// Path of the input.
        input: String,
        /// Its width.
        width: usize,
        /// How many values were given.
        given: usize,
    },
    /// A fixed value is not a finite number.
    #[error("{input} is fixed to {value} at element {element}: fixed values must be finite")]
    FixedNotFinite {
        /// Path of the input.
        input: String,
        /// Index of the element.
        element: usize,
        /// The value.
        value: f64,
    },
    /// A periodic event whose times cannot be counted.
    #[error(
        "{block} has a periodic event every {period} s from {offset} s: the period must be at least a nanosecond, both must be finite"
    )]
    BadSampling {
        /// Full name of the block.
        block: String,
        /// The period \[s\].
        period: f64,
        /// The offset \[s\].
        offset: f64,
    },
    /// More numbers than a diagram may have.
    #[error(
        "the diagram has {numbers} numbers of outputs and state, at least {:.1} GB in a run; at most {MAX_NUMBERS} are computed",
        *numbers as f64 * BYTES_OF_A_NUMBER as f64 / 1e9
    )]
    TooLarge {
        /// How many they are.
        numbers: usize,
    },
    /// The diagram needs more memory than is allowed.
    #[error(transparent)]
    Memory(#[from] TooMuchMemory),
    /// The two ends of a wire have different widths.
    #[error(
        "{output} -> {input}: widths {from} and {to}: make them equal, or join and split signals with `Multiplexer` and `Demultiplexer`"
    )]
    WidthMismatch {
        /// Path of the output.
        output: String,
        /// Path of the input.
        input: String,
        /// Width of the output.
        from: usize,
        /// Width of the input.
        to: usize,
    },
    /// The numbers at the two ends of a wire mean different things.
    #[error("{output} -> {input}: {from} cannot drive {to}: connect an output that carries {to}")]
    KindMismatch {
        /// Path of the output.
        output: String,
        /// Path of the input.
        input: String,
        /// Kind that the output carries.
        from: SignalKind,
        /// Kind that the input takes.
        to: SignalKind,
    },
    /// The two ends of a wire have different units.
    #[error(
        "{}: convert it by a gain with a unit ({}), or state that the input takes any unit \
         (`DiagramBuilder::state_units` of `{}`)",
        self.statement(), units.factor, units.block
    )]
    UnitMismatch {
        /// Path of the output.
        output: String,
        /// Path of the input.
        input: String,
        /// The units.
        units: Box<UnlikeUnits>,
    },
    /// A path that is not of the form `block.port`.
    #[error("`{path}` is not a port: write `block.port`")]
    MalformedPath {
        /// The path.
        path: String,
    },
    /// A path that names no block.
    #[error("`{path}`: there is no block `{block}`{}", Suggestion(.nearest, "blocks", .valid))]
    UnknownBlock {
        /// The path.
        path: String,
        /// The name that was not found.
        block: String,
        /// The valid name nearest to it, if one is near.
        nearest: Option<String>,
        /// All block names.
        valid: Vec<String>,
    },
    /// A path that names no port of its block.
    #[error("`{path}`: block `{block}` has no {side} `{port}`{}", PortSuggestion(*.side, *.opposite, .nearest, .valid))]
    UnknownPort {
        /// The path.
        path: String,
        /// The block.
        block: String,
        /// The port name that was not found.
        port: String,
        /// Side on which the port was looked for.
        side: Side,
        /// True if a port on the other side has this name.
        opposite: bool,
        /// The valid name nearest to it, if one is near.
        nearest: Option<String>,
        /// All ports of the block on that side.
        valid: Vec<String>,
    },
    /// A handle of a block that is not in the diagram.
    #[error("a connection or value uses an {side} of a block that was never added to diagram `{diagram}`{}: add the block, or use the handles of the one that was added", OtherEnd(.other))]
    ForeignHandle {
        /// Name of the diagram.
        diagram: String,
        /// Side of the port that the handle belongs to.
        side: Side,
        /// Path of the port at the other end of the wire, if there is one.
        other: Option<String>,
    },
    /// Outputs that depend on each other in the same instant.
    #[error(
        "algebraic loop: {}\n    Let it be solved (`DiagramBuilder::solve_algebraic_loops`), or break it with a block whose output depends on its state \
         only (an integrator, a filter). If one of these outputs does not really use that input at once, let its block say so \
         (`Ports::feedthrough`, `Ports::no_feedthrough`).",
        LoopPath(.hops)
    )]
    AlgebraicLoop {
        /// The wires of the loop in order; the `next` of the last is the `output` of the first.
        hops: Vec<Hop>,
    },
    /// A name that stands for several inputs where one is needed.
    #[error("`{path}` names {} inputs ({}): ask for one of them, or for all with `Diagram::inputs`", .inputs.len(), .inputs.join(", "))]
    SeveralInputs {
        /// The exported name.
        path: String,
        /// Paths of the inputs.
        inputs: Vec<String>,
    },
    /// A replacement block lacks a port of the block it replaces, or has one of another kind or width.
    #[error(
        "{path} cannot be replaced: the new block {problem}. Give it the ports of the old one, or build the diagram anew"
    )]
    Replacement {
        /// Path of the port, or of the block.
        path: String,
        /// The difference.
        problem: String,
    },
}

kinegraph_core::debug_is_message!(BuildError);

impl BuildError {
    /// Fault of a path to a block that does not exist; `valid` are the names of existing blocks.
    pub(super) fn unknown_block(path: &str, block: &str, valid: Vec<String>) -> Self {
        let nearest = nearest(block, &valid);
        BuildError::UnknownBlock { path: path.to_owned(), block: block.to_owned(), nearest, valid }
    }

    /// Fault of a path to a port that a block or nested diagram does not have; `names` are the ports that it has.
    pub(super) fn unknown_port(
        path: &str,
        block: &str,
        port: &str,
        side: Side,
        names: impl Fn(Side) -> Vec<String>,
    ) -> Self {
        let other = match side {
            Side::Input => Side::Output,
            Side::Output => Side::Input,
        };
        let valid = names(side);
        BuildError::UnknownPort {
            path: path.to_owned(),
            block: block.to_owned(),
            port: port.to_owned(),
            side,
            opposite: names(other).iter().any(|name| name == port),
            nearest: nearest(port, &valid),
            valid,
        }
    }

    /// States the fault without the advice for programs, for a caller with advice of its own (a diagram file).
    pub fn statement(&self) -> String {
        match self {
            BuildError::Unconnected { input, width } => format!("{input} (width {width}) is not connected"),
            BuildError::WidthMismatch { output, input, from, to } => {
                format!("{output} -> {input}: widths {from} and {to}")
            }
            BuildError::KindMismatch { output, input, from, to } => {
                format!("{output} -> {input}: {from} cannot drive {to}")
            }
            BuildError::UnitMismatch { output, input, units } => {
                let UnlikeUnits { number, from, to, like, .. } = &**units;
                let number = number.map_or_else(String::new, |number| format!(" in number {number}"));
                let like = like.as_ref().map_or_else(String::new, |like| format!(", as `{like}` carries it"));
                format!("{output} -> {input}: carries {from}{number}, the input takes {to}{like}")
            }
            BuildError::AlgebraicLoop { hops } => format!("algebraic loop: {}", LoopPath(hops)),
            BuildError::Export { path, fault } => format!("export `{path}`: {}", fault.statement()),
            _ => self.to_string(),
        }
    }

    /// Paths of the ports or blocks that the fault is about, as the file or the program wrote them. They serve to find
    /// its place in a file.
    pub fn paths(&self) -> Vec<&str> {
        // A port named by an export reads `diagram.name (block.port)`.
        self.ports().into_iter().map(|path| path.split(" (").next().unwrap_or(path)).collect()
    }

    fn ports(&self) -> Vec<&str> {
        use BuildError::*;
        match self {
            Export { path, .. } | DuplicateExport { path, .. } | ExportWidths { path, .. } => vec![path],
            ExportedTwice { second, first, .. } => vec![second, first],
            DuplicateName { name } | InvalidName { name } => vec![name],
            SameBlockTwice { first, second } => vec![second, first],
            DrivenTwice { input, first, second } => vec![second, input, first],
            Unconnected { input, .. } | PartsUnconnected { input, .. } | FixedTwice { input } => vec![input],
            FixedWidth { input, .. } | FixedNotFinite { input, .. } => vec![input],
            FixedAndConnected { input, output } => vec![output, input],
            WholeAndPart { whole, part } => vec![part, whole],
            BadSampling { block, .. } => vec![block],
            Controlled { output, .. } => vec![output],
            TooLarge { .. } | Memory(_) => Vec::new(),
            WidthMismatch { output, input, .. }
            | KindMismatch { output, input, .. }
            | UnitMismatch { output, input, .. } => vec![output, input],
            MalformedPath { path }
            | UnknownBlock { path, .. }
            | Part { path, .. }
            | UnknownPort { path, .. }
            | SeveralInputs { path, .. }
            | Replacement { path, .. } => vec![path],
            ForeignHandle { other, .. } => other.iter().map(String::as_str).collect(),
            AlgebraicLoop { hops } => hops.iter().flat_map(|hop| [hop.output.as_str(), hop.input.as_str()]).collect(),
        }
    }
}

/// All faults of a diagram.
#[derive(Clone, PartialEq)]
pub struct BuildErrors(pub Vec<BuildError>);

impl fmt::Display for BuildErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [one] => one.fmt(f),
            many => {
                write!(f, "{} faults in the diagram:", many.len())?;
                many.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
            }
        }
    }
}

kinegraph_core::debug_is_message!(BuildErrors);

impl std::error::Error for BuildErrors {}

/// `; did you mean ...? blocks: a, b`
struct Suggestion<'a>(&'a Option<String>, &'static str, &'a [String]);

impl fmt::Display for Suggestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Suggestion(nearest, what, valid) = self;
        f.write_str(&did_you_mean(nearest))?;
        if valid.is_empty() { write!(f, " (it has no {what})") } else { write!(f, " ({what}: {})", valid.join(", ")) }
    }
}

struct PortSuggestion<'a>(Side, bool, &'a Option<String>, &'a [String]);

impl fmt::Display for PortSuggestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PortSuggestion(side, opposite, nearest, valid) = *self;
        let (what, other) = match side {
            Side::Input => ("inputs", Side::Output),
            Side::Output => ("outputs", Side::Input),
        };
        if opposite {
            write!(f, ", it is an {other}")?;
        }
        Suggestion(nearest, what, valid).fmt(f)
    }
}

struct OtherEnd<'a>(&'a Option<String>);

impl fmt::Display for OtherEnd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |path| write!(f, " (its other end is {path})"))
    }
}

/// `a.out -> b.in (b.out depends directly on b.in) -> a.in (a.out depends directly on a.in)`
struct LoopPath<'a>(&'a [Hop]);

impl fmt::Display for LoopPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(first) = self.0.first() {
            f.write_str(&first.output)?;
        }
        self.0.iter().try_for_each(|hop| write!(f, " -> {0} ({1} depends directly on {0})", hop.input, hop.next))
    }
}
