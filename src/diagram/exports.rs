//! Exports of nested diagrams: which ports each exported name stands for.

use super::alias::Alias;
use super::builder::DiagramBuilder;
use super::ends::{DiagramId, Export};
use super::fault::{BuildError, Side};
use super::lookup::{Lookup, is_valid};

/// The blocks and exports of `builder` by name.
pub(super) fn lookup<'a>(builder: &'a DiagramBuilder, faults: &mut Vec<BuildError>) -> Lookup<'a> {
    let mut lookup = Lookup::new(builder, faults);
    resolve(&mut lookup, &builder.exports, faults);
    lookup
}

/// Resolves the exports of all diagrams, the innermost first, so that an export may refer to one of a diagram further
/// inside. A faulty export is kept without ports, so that a wire to it is not a second fault.
fn resolve(lookup: &mut Lookup<'_>, exports: &[Export], faults: &mut Vec<BuildError>) {
    let mut exports: Vec<&Export> = exports.iter().collect();
    exports.sort_by_key(|export| std::cmp::Reverse(depth(&export.scope)));
    for export in exports {
        let Export { owner, scope, name, side, port } = export;
        let at = lookup
            .owners
            .iter()
            .zip(&lookup.aliases)
            .position(|(o, a)| o == owner && (&a.name, a.side) == (name, *side));
        let at = at.unwrap_or_else(|| {
            if !name.split('.').all(|part| !part.contains('/') && is_valid(part)) {
                faults.push(BuildError::InvalidName { name: name.clone() });
            }
            lookup.owners.push(*owner);
            let (diagram, name) = (scope.clone(), name.clone());
            lookup.aliases.push(Alias { diagram, name, side: *side, ports: Vec::new() });
            lookup.aliases.len() - 1
        });
        match lookup.resolve(port, *side) {
            Ok(found) => {
                for inner in found.ports {
                    add(lookup, *owner, at, inner, faults);
                }
            }
            Err(fault) => {
                let path = lookup.aliases[at].path();
                faults.push(BuildError::Export { path, fault: Box::new(fault) });
            }
        }
    }
}

fn depth(scope: &str) -> usize {
    if scope.is_empty() { 0 } else { scope.split('/').count() }
}

/// Adds one more port to an alias.
fn add(lookup: &mut Lookup<'_>, owner: DiagramId, at: usize, port: (usize, usize), faults: &mut Vec<BuildError>) {
    let alias = &lookup.aliases[at];
    let path = alias.path();
    if alias.side == Side::Output {
        if let Some(&first) = alias.ports.first() {
            let (first, second) = (lookup.output_path(first), lookup.output_path(port));
            faults.push(BuildError::DuplicateExport { path, first, second });
            return;
        }
    } else {
        let same = |(o, a): &(&DiagramId, &Alias)| **o == owner && a.side == Side::Input && a.ports.contains(&port);
        if let Some((_, first)) = lookup.owners.iter().zip(&lookup.aliases).find(same) {
            faults.push(BuildError::ExportedTwice {
                input: lookup.input_path(port),
                first: first.path(),
                second: path,
            });
            return;
        }
        let width = |(block, port): (usize, usize)| lookup.blocks[block].1.ports().inputs()[port].width;
        if let Some(&first) = alias.ports.first()
            && width(first) != width(port)
        {
            let (first_width, second_width) = (width(first), width(port));
            let (first, second) = (lookup.input_path(first), lookup.input_path(port));
            faults.push(BuildError::ExportWidths { path, first, second, first_width, second_width });
            return;
        }
    }
    lookup.aliases[at].ports.push(port);
}
