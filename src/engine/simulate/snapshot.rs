//! A simulation as a value: all that is needed to continue later, bit for bit.
//!
//! A snapshot holds the state by name, the memory of the integrator, and a header (format version, name and parts of
//! the diagram), so that a snapshot of another diagram is refused with the differences. A checksum of all of it follows
//! at the end: a damaged file is refused too. It is written as JSON, for people, or as bytes
//! ([postcard](https://postcard.jamesmunns.com/wire-format) behind [`MAGIC`]); both hold every number exactly.

use super::exact::{self, Exact};
use super::plausibility::Judged;
use super::uncut::Uncut;
use crate::input_file;
use crate::integrators::{IntegratorError, StepMemory};
use crate::io_reason::plain_reason;
use crate::whole_file;
use kinegraph_diagram::{Diagram, Fact, State, differences};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

/// Version of the format that this program writes and reads.
pub const VERSION: u32 = 5;
/// First bytes of a binary snapshot.
pub const MAGIC: &[u8] = b"kinegraph snapshot\n";

/// A saved simulation; see [`Simulation::snapshot`](super::Simulation::snapshot).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Version of the format.
    #[serde(rename = "kinegraph_snapshot")]
    pub version: u32,
    /// Name of the diagram.
    pub diagram: String,
    /// Facts of the diagram ([`Diagram::facts`]).
    pub consists_of: Vec<Fact>,
    /// Time \[s\].
    #[serde(with = "exact")]
    pub time: f64,
    /// True if the events of the start time have fired.
    pub started: bool,
    /// Continuous state by name, in the order of the diagram.
    pub continuous: Vec<Named>,
    /// Discrete state by name, in the order of the diagram.
    pub discrete: Vec<Named>,
    /// Name of the integrator.
    pub integrator: String,
    /// Memory of the integrator.
    pub memory: StepMemory,
    /// Since when witness functions have been crossing zero without a pause \[s\], and how often.
    pub(super) crossings: (Exact, u64),
    /// Where the run was before its end cut a step short; of a run that is to be continued as if it had not ended.
    #[serde(default)]
    pub(super) uncut: Option<Box<Uncut>>,
    /// The measure of the energy; of a run that is judged.
    #[serde(default)]
    pub(super) judged: Option<Box<Judged>>,
    /// Of all the rest, in files; `None` in memory, and in JSON that a person changed and took the line out of.
    #[serde(default)]
    pub(super) checksum: Option<u32>,
}

/// A number with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named(
    /// The name.
    pub String,
    /// The number.
    #[serde(with = "exact")]
    pub f64,
);

/// Reason why a snapshot cannot be written, read or restored.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// Message of the operating system.
        reason: String,
    },
    /// The file cannot be written.
    #[error("{file}: cannot be written: {reason}")]
    Unwritable {
        /// The file.
        file: String,
        /// Message of the operating system.
        reason: String,
    },
    /// The contents are not those of a snapshot.
    #[error("not a snapshot: {reason}. Snapshots are written by `kinegraph run --snapshot`")]
    Malformed {
        /// Reason why the contents are not a snapshot.
        reason: String,
    },
    /// The snapshot has another format.
    #[error("a snapshot of format version {found}; this program reads version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// The snapshot is one of another diagram.
    #[error("{}", Difference { snapshot, diagram, missing, unknown })]
    OtherDiagram {
        /// Name of the diagram it was taken of.
        snapshot: String,
        /// Name of the diagram it was to be restored into.
        diagram: String,
        /// States of the diagram that the snapshot does not have.
        missing: Vec<String>,
        /// States of the snapshot that the diagram does not have.
        unknown: Vec<String>,
    },
    /// The contents are not those that were written.
    #[error(
        "its checksum does not fit: the file was damaged, or changed by hand. Take another one; of JSON that you \
         changed yourself, delete the line `checksum`"
    )]
    Damaged,
    /// The diagram has the states of the snapshot, but is not the one it was taken of.
    #[error(
        "the diagram is not as it was when the snapshot was taken: {}. `--resume-changed`, and `restore_changed` \
         of a program, go on all the same",
        listed(changes)
    )]
    Changed {
        /// Differences of the diagram from that of the snapshot.
        changes: Vec<String>,
    },
    /// The snapshot is of an integrator that there is not.
    #[error("the snapshot was taken with integrator `{name}`, which this program does not have")]
    UnknownIntegrator {
        /// Its name.
        name: String,
    },
    /// A snapshot from before the start of time.
    #[error("the snapshot is at t = {time} s: runs begin at 0")]
    NegativeTime {
        /// Time of the snapshot \[s\].
        time: f64,
    },
    /// A time or a state is not a finite number.
    #[error("the snapshot says that {name} is {value}, which is no state to start from: take an earlier one")]
    NotFinite {
        /// Which.
        name: String,
        /// Its value.
        value: f64,
    },
    /// The snapshot is past the end of the run.
    #[error("the snapshot is at t = {time} s, the run ends at t = {end} s: ask for a later end (`duration`, --until)")]
    PastTheEnd {
        /// Time of the snapshot \[s\].
        time: f64,
        /// End of the run \[s\].
        end: f64,
    },
    /// The integrator cannot start from the state.
    #[error(transparent)]
    Integrator(#[from] IntegratorError),
}

kinegraph_core::debug_is_message!(SnapshotError);

/// Difference between two diagrams, in words.
struct Difference<'a> {
    snapshot: &'a str,
    diagram: &'a str,
    missing: &'a [String],
    unknown: &'a [String],
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { snapshot, diagram, missing, unknown } = self;
        if snapshot == diagram {
            write!(f, "the snapshot is one of another diagram `{diagram}`")?;
        } else {
            write!(f, "the snapshot is one of diagram `{snapshot}`, not of `{diagram}`")?;
        }
        for (what, names) in [("it lacks the states", missing), ("only it has the states", unknown)] {
            if !names.is_empty() {
                write!(f, "; {what} {}", listed(names))?;
            }
        }
        Ok(())
    }
}

/// Lists the names, at most eight of them.
fn listed(names: &[String]) -> String {
    const MAX_LISTED: usize = 8;
    let shown = names.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_LISTED { format!("{shown}, … ({} in all)", names.len()) } else { shown }
}

impl Snapshot {
    /// Snapshot of `diagram` at `state`, without an integrator.
    pub fn new(diagram: &Diagram, state: &State) -> Self {
        let named = |names: Vec<String>, values: &[f64]| {
            names.into_iter().zip(values).map(|(name, value)| Named(name, *value)).collect()
        };
        Snapshot {
            version: VERSION,
            diagram: diagram.name().to_owned(),
            consists_of: diagram.facts().to_vec(),
            time: state.time,
            started: state.started,
            continuous: named(diagram.state_names(), &state.continuous),
            discrete: named(diagram.discrete_names(), &state.discrete),
            integrator: String::new(),
            memory: StepMemory::default(),
            crossings: (f64::NEG_INFINITY.into(), 0),
            uncut: None,
            judged: None,
            checksum: None,
        }
    }

    /// Returns the saved state as one of `diagram`: values go by name. To carry a state into a diagram with other
    /// states, use [`Diagram::carry_over`].
    ///
    /// # Errors
    /// [`SnapshotError::OtherDiagram`] if the names of the diagrams or of their states differ;
    /// [`SnapshotError::NotFinite`]; [`SnapshotError::NegativeTime`].
    pub fn state_of(&self, diagram: &Diagram) -> Result<State, SnapshotError> {
        let (mut missing, mut unknown) = (Vec::new(), Vec::new());
        let continuous = by_name(&diagram.state_names(), &self.continuous, "", &mut missing, &mut unknown);
        let discrete = by_name(&diagram.discrete_names(), &self.discrete, " (discrete)", &mut missing, &mut unknown);
        if self.diagram != diagram.name() || !missing.is_empty() || !unknown.is_empty() {
            let (snapshot, diagram) = (self.diagram.clone(), diagram.name().to_owned());
            return Err(SnapshotError::OtherDiagram { snapshot, diagram, missing, unknown });
        }
        let time = Named("the time".to_owned(), self.time);
        if let Some(Named(name, value)) = self.continuous.iter().chain([&time]).find(|named| !named.1.is_finite()) {
            return Err(SnapshotError::NotFinite { name: name.clone(), value: *value });
        }
        // Values declared as not finite are marks of their block's own.
        let declared = diagram.initial_state().discrete;
        let wrong = |(value, declared): (&f64, &f64)| !value.is_finite() && declared.is_finite();
        if let Some(at) = discrete.iter().zip(&declared).position(wrong) {
            let name = diagram.discrete_names().swap_remove(at);
            return Err(SnapshotError::NotFinite { name, value: discrete[at] });
        }
        if self.time < 0.0 {
            return Err(SnapshotError::NegativeTime { time: self.time });
        }
        Ok(State { time: self.time, continuous, discrete, started: self.started })
    }

    /// Differences between the diagram of the snapshot and `diagram`, in words: wires, periods, seeds, bodies, and the
    /// parameters of blocks in their files.
    pub fn changes(&self, diagram: &Diagram) -> Vec<String> {
        differences(&self.consists_of, diagram.facts())
    }

    /// Returns the snapshot with the checksum of the rest.
    fn sealed(&self) -> Result<Self, SnapshotError> {
        Ok(Snapshot { checksum: Some(self.checksum_of_rest()?), ..self.clone() })
    }

    /// Returns the snapshot without the checksum, which must fit where there is one.
    fn opened(self) -> Result<Self, SnapshotError> {
        match self.checksum {
            Some(checksum) if checksum != self.checksum_of_rest()? => Err(SnapshotError::Damaged),
            _ => Ok(Snapshot { checksum: None, ..self }),
        }
    }

    /// Checksum of both forms: that of the bytes.
    fn checksum_of_rest(&self) -> Result<u32, SnapshotError> {
        let rest = Snapshot { checksum: None, ..self.clone() };
        postcard::to_extend(&rest, Vec::new()).map(|bytes| crc32fast::hash(&bytes)).map_err(malformed)
    }

    /// Writes the snapshot as JSON.
    ///
    /// # Errors
    /// None that is known; the JSON writer's, if it has one.
    pub fn to_json(&self) -> Result<String, SnapshotError> {
        serde_json::to_string_pretty(&self.sealed()?).map_err(malformed)
    }

    /// Reads a snapshot from JSON.
    ///
    /// # Errors
    /// [`SnapshotError::Malformed`], [`SnapshotError::Version`] or [`SnapshotError::Damaged`].
    pub fn from_json(text: &str) -> Result<Self, SnapshotError> {
        /// Fields of every version of the format.
        #[derive(Deserialize)]
        struct Head {
            kinegraph_snapshot: u32,
        }
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        check_version(head.kinegraph_snapshot)?;
        let snapshot: Snapshot = serde_json::from_str(text).map_err(malformed)?;
        snapshot.opened()
    }

    /// Writes the snapshot as bytes.
    ///
    /// # Errors
    /// None that is known; the writer's, if it has one.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SnapshotError> {
        postcard::to_extend(&self.sealed()?, MAGIC.to_vec()).map_err(malformed)
    }

    /// Reads a snapshot from bytes.
    ///
    /// # Errors
    /// [`SnapshotError::Malformed`], [`SnapshotError::Version`] or [`SnapshotError::Damaged`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let body = bytes.strip_prefix(MAGIC).ok_or_else(|| malformed("it does not begin as one"))?;
        // The version is the first field.
        let (version, _) = postcard::take_from_bytes::<u32>(body).map_err(malformed)?;
        check_version(version)?;
        let read: (Snapshot, &[u8]) = postcard::take_from_bytes(body).map_err(malformed)?;
        match read {
            // Bytes are written with a checksum, always.
            (Snapshot { checksum: None, .. }, []) => Err(SnapshotError::Damaged),
            (snapshot, []) => snapshot.opened(),
            (_, rest) => Err(malformed(format!("{} bytes too many", rest.len()))),
        }
    }

    /// Writes the snapshot to `path`: JSON if its name ends in `.json`, bytes otherwise. A file that is there is
    /// replaced at once, or not at all.
    ///
    /// # Errors
    /// [`SnapshotError::Unwritable`].
    pub fn write(&self, path: &Path) -> Result<(), SnapshotError> {
        let bytes = if is_json(path) { self.to_json()?.into_bytes() } else { self.to_bytes()? };
        whole_file::write(path, &bytes).map_err(|error| SnapshotError::Unwritable {
            file: path.display().to_string(),
            reason: plain_reason(&error),
        })
    }

    /// Reads the snapshot at `path`, of either kind.
    ///
    /// # Errors
    /// [`SnapshotError::Unreadable`], and the errors of [`from_json`](Self::from_json).
    pub fn read(path: &Path) -> Result<Self, SnapshotError> {
        let unreadable = |reason| SnapshotError::Unreadable { file: path.display().to_string(), reason };
        let bytes = input_file::read(path).map_err(|error| unreadable(plain_reason(&error)))?;
        if bytes.starts_with(MAGIC) {
            return Self::from_bytes(&bytes);
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| malformed("neither JSON nor a binary snapshot"))?;
        Self::from_json(text)
    }
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn malformed(reason: impl ToString) -> SnapshotError {
    SnapshotError::Malformed { reason: reason.to_string() }
}

fn check_version(found: u32) -> Result<(), SnapshotError> {
    if found == VERSION { Ok(()) } else { Err(SnapshotError::Version { found }) }
}

/// Values in the order of `names`. States of the same name keep their order.
fn by_name(
    names: &[String],
    saved: &[Named],
    kind: &str,
    missing: &mut Vec<String>,
    unknown: &mut Vec<String>,
) -> Vec<f64> {
    let mut values: HashMap<&str, Vec<f64>> = HashMap::new();
    for Named(name, value) in saved.iter().rev() {
        values.entry(name).or_default().push(*value);
    }
    let mut ordered = Vec::with_capacity(names.len());
    for name in names {
        match values.get_mut(name.as_str()).and_then(Vec::pop) {
            Some(value) => ordered.push(value),
            None => missing.push(format!("{name}{kind}")),
        }
    }
    for Named(name, _) in saved {
        if values.get_mut(name.as_str()).and_then(Vec::pop).is_some() {
            unknown.push(format!("{name}{kind}"));
        }
    }
    ordered
}
