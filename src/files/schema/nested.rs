//! A diagram file named by another one: `{type: diagram, file: inner.yaml}`.

use super::diagram::{GraphSpec, NestedFile, read_nested};
use super::system::System;
use crate::fault::FaultKind;
use crate::limits::MAX_NESTED_BYTES;
use crate::loader::Loader;
use crate::node::{Origin, Position};
use crate::overrides::{self, Override};
use crate::parse;
use std::path::Path;

/// A nested diagram file without faults, with its own context: faults found later are reported at its lines.
#[derive(Debug)]
pub struct Nested {
    /// Its contents.
    pub file: NestedFile,
    /// Its context; collects faults together with the outer file.
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
pub(super) fn read(block: &str, path: &Path, at: Position, loader: &Loader, outer: &System<'_>) -> Option<Nested> {
    let refuse = |message| loader.report(at, FaultKind::Nesting { file: path.display().to_string(), message });
    let mut inner = match loader.nested(path) {
        Ok(inner) => inner,
        Err(message) => {
            refuse(message);
            return None;
        }
    };
    let text = match inner.text(path) {
        Ok(text) => text,
        Err(kind) => {
            inner.report_whole(kind);
            return None;
        }
    };
    if inner.count_bytes(text.len() as u64) > MAX_NESTED_BYTES {
        refuse(format!("the files nested in one another have more than {MAX_NESTED_BYTES} bytes"));
        return None;
    }
    let (tree, faults) = parse::parse(&text, Origin::File);
    for (at, kind) in faults {
        inner.report(at, kind);
    }
    let mut tree = tree?;
    let given: Vec<Override> = outer.deferred.iter().filter_map(|one| one.to(block)).collect();
    let deferred = overrides::apply(&mut tree, &given, &mut inner);
    let file = read_nested(&tree, path, &inner, System { catalog: outer.catalog, deferred: &deferred })?;
    Some(Nested { file, loader: inner })
}
