//! The diagram file: YAML (or JSON) text -> a checked description, with every fault of the file reported together.
//!
//! [`load`] reads a file and the values given on the command line into a [`DiagramFile`]. Nothing is built
//! here: a description holds plain numbers and names with their places in the file, so that whoever builds
//! blocks from it can report further faults at the right line ([`Loader::report`]).
//!
//! ```text
//! text --parse--> Node tree --overrides--> Node tree --Reader, registry--> DiagramFile
//! ```

pub mod blocks;
pub mod decode;
pub mod examples;
pub mod fault;
pub mod loader;
pub mod names;
pub mod nested;
pub mod node;
pub mod overrides;
mod parse;
pub mod reader;
pub mod registry;
pub mod schema;
pub mod wiring;

pub use fault::{FaultKind, FileFault, FileFaults};
pub use loader::Loader;
pub use nested::Nested;
pub use node::Position;
pub use overrides::Override;
pub use parse::MAX_BYTES;
pub use registry::{BLOCK_TYPES, BlockSpec, BlockType, Group, Parameter, SystemSpec};
pub use schema::connection::{ConnectionSpec, PortName};
pub use schema::diagram::{DiagramFile, GraphSpec, NamedSystem, NestedFile, VERSION};
pub use schema::exports::{ExportSpec, ExportsSpec};
pub use schema::record::RecordSpec;
pub use schema::simulation::SimulationSpec;

use node::Origin;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A diagram file that reads well, with what is needed to report faults found later.
#[derive(Debug)]
pub struct Loaded {
    /// The description.
    pub diagram: DiagramFile,
    /// Where the file lies; collects faults found while blocks are built.
    pub loader: Loader,
    /// The file's text, for excerpts in messages.
    pub text: String,
}

impl Loaded {
    /// The faults found while blocks were built, as those of a file that does not read well.
    pub fn failed(&self) -> LoadError {
        failed(&self.loader, self.text.clone())
    }
}

/// A file that does not read well: its faults, and its text where there is one.
#[derive(Debug, thiserror::Error)]
#[error("{faults}")]
pub struct LoadError {
    /// Everything that is wrong.
    pub faults: FileFaults,
    /// The file's name as it was given.
    pub name: String,
    /// The file's text, for excerpts in messages; empty if it could not be read.
    pub text: String,
}

/// Reads the diagram file at `path`, with `overrides` in place of what the file says.
///
/// # Errors
/// All faults of the file and of the overrides.
pub fn load(path: &Path, overrides: &[Override]) -> Result<Loaded, LoadError> {
    let loader = Loader::new(path);
    match read_text(path) {
        Ok(text) => load_text(path, text, overrides, loader),
        Err(kind) => {
            loader.report_whole(kind);
            Err(failed(&loader, String::new()))
        }
    }
}

/// Reads diagram text as if it stood in a file at `path`.
///
/// # Errors
/// As [`load`].
pub fn load_str(path: &Path, text: &str, overrides: &[Override]) -> Result<Loaded, LoadError> {
    load_text(path, text.to_owned(), overrides, Loader::new(path))
}

fn load_text(path: &Path, text: String, overrides: &[Override], mut loader: Loader) -> Result<Loaded, LoadError> {
    let (tree, faults) = parse::parse(&text, Origin::File);
    for (at, kind) in faults {
        loader.report(at, kind);
    }
    let Some(mut tree) = tree else { return Err(failed(&loader, text)) };
    overrides::apply(&mut tree, overrides, &mut loader);
    let name = default_name(path);
    let diagram = schema::diagram::read(&tree, &name, &loader);
    match diagram {
        Some(diagram) if loader.is_clean() => Ok(Loaded { diagram, loader, text }),
        _ => Err(failed(&loader, text)),
    }
}

/// The name of a diagram whose file states none.
fn default_name(path: &Path) -> String {
    path.file_stem().map_or_else(|| "diagram".into(), |stem| stem.to_string_lossy().into_owned())
}

fn failed(loader: &Loader, text: String) -> LoadError {
    let faults = loader.finish().err().unwrap_or(FileFaults(Vec::new()));
    LoadError { faults, name: loader.name().to_owned(), text }
}

pub(crate) fn read_text(path: &Path) -> Result<String, FaultKind> {
    let unreadable = |error: std::io::Error| FaultKind::Unreadable { reason: plain_reason(&error) };
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(FaultKind::Unreadable { reason: "it is a folder".into() });
    }
    let mut bytes = Vec::new();
    // The bound holds for pipes too, whose size is not known before.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let length = metadata.len().max(bytes.len() as u64);
    if length > MAX_BYTES {
        return Err(FaultKind::TooLarge { bytes: length, limit: MAX_BYTES });
    }
    String::from_utf8(bytes).map_err(|_| FaultKind::NotText)
}

/// The system's reason without its error number.
pub(crate) fn plain_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_lowercase()
        }
    }
}
