//! Faults of a diagram file, each with its place and a remedy.

use super::nearby::nearest_file;
use super::node::Position;
use super::number_help;
use super::words::listed;
use std::fmt;

/// The `what` of a name of a block type.
pub(super) const BLOCK_TYPE: &str = "block type";

/// One fault of a diagram file.
#[derive(Clone, PartialEq, thiserror::Error)]
pub struct FileFault {
    /// The file as it was given, or the command-line option of the value (`--set simulation.step=x`); empty for a value
    /// that a program made.
    pub file: String,
    /// Place in the file; `None` for a fault of the file as a whole, of a command-line option or of a program.
    pub at: Option<Position>,
    /// Kind of the fault.
    pub kind: FaultKind,
}

kinegraph_core::debug_is_message!(FileFault);

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{}:{}:{}: {}", self.file, at.line, at.column, self.kind),
            None if self.file.is_empty() => write!(f, "{}", self.kind),
            None => write!(f, "{}: {}", self.file, self.kind),
        }
    }
}

/// All faults of a diagram file, in the order of the file.
#[derive(Clone, PartialEq, thiserror::Error)]
pub struct FileFaults(pub Vec<FileFault>);

kinegraph_core::debug_is_message!(FileFaults);

impl fmt::Display for FileFaults {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            let line_break = if i == 0 { "" } else { "\n" };
            write!(f, "{line_break}{fault}")?;
            if let Some(help) = fault.kind.help() {
                write!(f, "\n  help: {help}")?;
            }
        }
        Ok(())
    }
}

/// Kinds of faults of a diagram file. `path` is the path of the value in the tree (`systems.plant.gravity[2]`).
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum FaultKind {
    /// The file cannot be read at all.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// Error of the operating system.
        reason: String,
    },
    /// The file is larger than a diagram file may be.
    #[error("has {bytes} bytes; a diagram file has at most {limit}")]
    TooLarge {
        /// Size of the file.
        bytes: u64,
        /// Largest size read.
        limit: u64,
    },
    /// A model file has faults.
    #[error("{message}")]
    Model {
        /// The fault.
        message: String,
    },
    /// The file is not text.
    #[error("not UTF-8 text")]
    NotText,
    /// The file is not YAML.
    #[error("broken YAML: {message}")]
    Yaml {
        /// Message of the parser.
        message: String,
        /// The remedy.
        help: String,
    },
    /// A key stands twice in one map.
    #[error("the key `{key}` is here a second time (the first is in line {first})")]
    DuplicateKey {
        /// The key.
        key: String,
        /// The line of the first.
        first: usize,
    },
    /// `kinegraph: VERSION` is missing or not the first field.
    #[error("a diagram file begins with `kinegraph: {supported}`; this one {found}")]
    NoVersion {
        /// The version this program reads.
        supported: u32,
        /// Content at the start of the file (`begins with …`, `is empty`).
        found: String,
    },
    /// The file is of another format version.
    #[error("format version {found} is not known; this program reads version {supported}")]
    Version {
        /// Version in the file.
        found: String,
        /// The version this program reads.
        supported: u32,
    },
    /// A key that is not valid here.
    #[error("unknown key `{key}` in {path}")]
    UnknownKey {
        /// Path of the map.
        path: String,
        /// The key.
        key: String,
        /// Most likely meant key.
        nearest: Option<String>,
        /// The keys that are valid here.
        valid: Vec<String>,
    },
    /// A required key is missing.
    #[error("{path} lacks the key `{key}` ({expected})")]
    MissingKey {
        /// Path of the map.
        path: String,
        /// The key.
        key: String,
        /// Expected value.
        expected: String,
    },
    /// A value of the wrong type or out of range.
    #[error("{path}: expected {expected}, found {found}")]
    Value {
        /// Path of the value.
        path: String,
        /// Expected value.
        expected: String,
        /// Value found.
        found: String,
    },
    /// A name that must be one of several is none of them.
    #[error("{path}: unknown {what} `{name}`")]
    UnknownName {
        /// Path of the name.
        path: String,
        /// Thing that the name names (`block type`, `model`, …).
        what: String,
        /// The name.
        name: String,
        /// Most likely meant name.
        nearest: Option<String>,
        /// The valid names.
        valid: Vec<String>,
    },
    /// Two values that must agree do not, or exclude each other.
    #[error("{path}: {message}")]
    Conflict {
        /// Path of the value.
        path: String,
        /// Description of the conflict.
        message: String,
    },
    /// A formula that has no value.
    #[error("{path}: `{formula}`: {message}")]
    Formula {
        /// Path of the value.
        path: String,
        /// The formula as written.
        formula: String,
        /// The fault, with a remedy.
        message: String,
    },
    /// A fault of a value that a formula made.
    #[error("{fault}; it is the value of {from}")]
    OfFormula {
        /// The fault of the value.
        fault: Box<FaultKind>,
        /// The formula, its numbers, and the places that set them.
        from: String,
    },
    /// A model file that does not exist or is no file.
    #[error("{path}: there is no file `{file}`")]
    NoFile {
        /// Path of the value.
        path: String,
        /// The file, relative to the working directory.
        file: String,
    },
    /// A model file outside the folder of the diagram file.
    #[error("{path}: `{file}` leads out of the diagram file's folder")]
    OutsideFolder {
        /// Path of the value.
        path: String,
        /// The file as written.
        file: String,
    },
    /// A diagram file that cannot be nested where it is named.
    #[error("`{file}` cannot be nested here: {message}")]
    Nesting {
        /// The file, relative to the working directory.
        file: String,
        /// Reason.
        message: String,
    },
    /// A connection that does not read `block.port -> block.port`.
    #[error("{path}: `{text}` is not a connection: {reason}")]
    Connection {
        /// Path of the connection.
        path: String,
        /// The connection as written.
        text: String,
        /// The fault.
        reason: String,
    },
    /// A `--set` whose path does not exist.
    #[error("{message}")]
    Override {
        /// The fault.
        message: String,
        /// The names that are valid where the path ends.
        valid: Vec<String>,
        /// Most likely meant name.
        nearest: Option<String>,
    },
    /// There are too many faults to list.
    #[error("further faults that are not listed: {count}")]
    More {
        /// Number of faults that are not listed.
        count: usize,
    },
    /// Blocks and wires that do not form a valid diagram.
    #[error("{message}")]
    Wiring {
        /// The fault, with the paths of ports.
        message: String,
        /// Remedy, in terms of the file.
        help: Option<String>,
    },
    /// A fault found while blocks and wires were built from a file without faults.
    #[error("{path}: {message}")]
    Build {
        /// Path of the value or block.
        path: String,
        /// The fault.
        message: String,
    },
}

kinegraph_core::debug_is_message!(FaultKind);

impl FaultKind {
    /// Remedy, if there is one beyond the message.
    pub fn help(&self) -> Option<String> {
        match self {
            FaultKind::UnknownKey { key, .. } if key.parse::<f64>().is_ok() => {
                Some("decimals are written with a point, not with a comma".into())
            }
            FaultKind::UnknownKey { key, nearest, valid, .. } => Some(
                with_colon(key, valid)
                    .map_or_else(|| suggestion(nearest, valid), |meant| format!("a colon is missing: `{meant}`")),
            ),
            FaultKind::UnknownName { what, nearest, valid, .. } if what == BLOCK_TYPE && !valid.is_empty() => {
                let all = format!("`kinegraph systems` lists all {}", valid.len());
                Some(nearest.as_ref().map_or(all.clone(), |name| format!("did you mean `{name}`? {all}")))
            }
            FaultKind::UnknownName { nearest, valid, .. } => Some(suggestion(nearest, valid)),
            FaultKind::Override { nearest, valid, .. } if !valid.is_empty() => Some(suggestion(nearest, valid)),
            FaultKind::DuplicateKey { .. } => Some("keep one of the two".into()),
            FaultKind::NoVersion { supported, .. } => {
                Some(format!("write `kinegraph: {supported}` as the first line of the file"))
            }
            FaultKind::Yaml { help, .. } => Some(help.clone()),
            FaultKind::OutsideFolder { path, file } => {
                let path = path.replace('[', ".").replace(']', "");
                let folder = std::path::Path::new(file).parent().map(|folder| folder.display().to_string());
                let folder = folder.filter(|folder| !folder.is_empty()).unwrap_or_else(|| ".".into());
                Some(format!(
                    "put the file into that folder, add the line `model_paths: [{folder}]`, name it on the command \
                     line: --set {path}={file}, or run with --allow-outside"
                ))
            }
            FaultKind::NoFile { file, .. } => {
                nearest_file(std::path::Path::new(file)).map(|near| format!("did you mean `{near}`?"))
            }
            FaultKind::Connection { .. } => {
                Some("write `block.output -> block.input`, e.g. `goal.state -> controller.desired_state`".into())
            }
            FaultKind::Wiring { help, .. } => help.clone(),
            FaultKind::OfFormula { fault, .. } => fault.help(),
            FaultKind::Value { expected, found, .. } if expected.contains("number") => {
                number_help::remedy(found.strip_prefix("the text `")?.strip_suffix('`')?)
            }
            _ => None,
        }
    }
}

/// Suggests `simulation: {duration` for `simulation {duration`.
fn with_colon(key: &str, valid: &[String]) -> Option<String> {
    let (name, value) = key.split_at(key.find([' ', '{', '['])?);
    valid.iter().any(|one| one == name).then(|| format!("{name}: {}", value.trim_start()))
}

fn suggestion(nearest: &Option<String>, valid: &[String]) -> String {
    match nearest {
        Some(name) if valid.len() == 1 => format!("did you mean `{name}`?"),
        Some(name) => format!("did you mean `{name}`? Valid here: {}", listed(valid)),
        None => format!("valid here: {}", listed(valid)),
    }
}
