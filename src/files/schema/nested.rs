//! A diagram file named by another one: `{type: diagram, file: inner.yaml}`.

use super::diagram::{GraphSpec, NestedFile, read_nested, version_is_ours};
use super::system::System;
use crate::block_type::NestedSpec;
use crate::fault::FaultKind;
use crate::limits::MAX_NESTED_BYTES;
use crate::loader::Loader;
use crate::node::Origin;
use crate::overrides::{self, Override};
use crate::parameters::{self, SetFrom};
use crate::parse;
use crate::run_condition::RunCondition;
use kinegraph_diagram::copies;

/// A nested diagram file without faults, with its own context: faults found later are reported at its lines.
#[derive(Debug)]
pub struct Nested {
    /// Its contents.
    pub file: NestedFile,
    /// Its context; collects faults together with the outer file.
    pub loader: Loader,
    /// Condition on which it runs, if it does not always.
    pub condition: Option<RunCondition>,
}

impl Nested {
    /// Its blocks and wires.
    pub fn graph(&self) -> GraphSpec<'_> {
        self.file.graph()
    }
}

/// Reads the diagram file that `named` names in the file that `loader` reads, for its block `block`; `None` after
/// faults were recorded.
pub(super) fn read(block: &str, named: &NestedSpec<'_>, loader: &Loader, outer: &System<'_>) -> Option<Nested> {
    // The copies of a diagram mostly have the same faults: those of the first one are enough.
    let row = copies::split(block).map(|(row, _)| row);
    if row.is_some_and(|row| loader.derivations().is_faulty_row(row)) {
        return None;
    }
    let before = loader.count();
    let nested = read_one(block, named, loader, outer);
    if let Some(row) = row.filter(|_| loader.count() > before) {
        loader.derivations().fail_row(row);
    }
    nested
}

fn read_one(block: &str, named: &NestedSpec<'_>, loader: &Loader, outer: &System<'_>) -> Option<Nested> {
    let NestedSpec { path, at, set, condition } = *named;
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
    if version_is_ours(&tree, &inner) {
        let file = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into());
        parameters::evaluate(&mut tree, &inner, Some(&SetFrom { outer: loader, block, set, file }));
        overrides::report_lost(&tree, &deferred, &inner);
    }
    let file = read_nested(&tree, path, &inner, System { catalog: outer.catalog, deferred: &deferred })?;
    Some(Nested { file, loader: inner, condition: condition.cloned() })
}
