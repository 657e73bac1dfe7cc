//! A diagram file named by another one: `{type: diagram, file: inner.yaml}`.

use super::fault::FaultKind;
use super::loader::Loader;
use super::node::{Origin, Position};
use super::schema::diagram::{GraphSpec, NestedFile, read_nested};
use super::{overrides, parse, read_text};
use std::path::Path;

/// Deepest nesting of files.
pub(super) const MOST_LEVELS: usize = 16;
/// Most files nested in one, each counted as often as it is named.
pub(super) const MOST_FILES: usize = 1000;
/// Most bytes that these have together.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// A nested diagram file that reads well, with its own surroundings: faults found later are reported at its lines.
#[derive(Debug)]
pub struct Nested {
    /// What it describes.
    pub file: NestedFile,
    /// Where it lies; collects faults together with the file that names it.
    pub loader: Loader,
}

impl Nested {
    /// Its blocks and wires.
    pub fn graph(&self) -> GraphSpec<'_> {
        self.file.graph()
    }
}

/// Reads the diagram file at `path`, named at the place `at` of the file that `loader` reads, for its block `block`;
/// `None` after faults were recorded.
pub(super) fn read(block: &str, path: &Path, at: Position, loader: &Loader) -> Option<Nested> {
    let mut inner = match loader.nested(path) {
        Ok(inner) => inner,
        Err(message) => {
            loader.report(at, FaultKind::Nesting { file: path.display().to_string(), message });
            return None;
        }
    };
    let read = inner.given(path).map_or_else(|| read_text(path), |text| Ok(text.to_owned()));
    let text = match read {
        Ok(text) => text,
        Err(kind) => {
            inner.report_whole(kind);
            return None;
        }
    };
    if !inner.count_bytes(text.len() as u64) {
        let message = format!("the files nested in one another have more than {MOST_BYTES} bytes");
        loader.report(at, FaultKind::Nesting { file: path.display().to_string(), message });
        return None;
    }
    let (tree, faults) = parse::parse(&text, Origin::File);
    for (at, kind) in faults {
        inner.report(at, kind);
    }
    let name = super::default_name(path);
    let mut tree = tree?;
    overrides::apply(&mut tree, &loader.deferred_to(block), &mut inner);
    let file = read_nested(&tree, &name, &inner)?;
    Some(Nested { file, loader: inner })
}
