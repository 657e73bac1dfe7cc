//! `exports: {inputs: {reference: [pid.desired]}, outputs: {effort: pid.effort}}`.

use crate::fault::FaultKind;
use crate::item::{Decode, Item, Path};
use crate::lists::{MapOf, Named};
use crate::loader::Loader;
use crate::names::Names;
use crate::node::{Position, Value, shorten};
use crate::parameter::{Key, Optional, optional};
use crate::port_name::{PortName, is_port, port};
use crate::reader::Reader;
use crate::section::Section;

/// Ports of a diagram as a block of another one.
#[derive(Clone, Debug, Default)]
pub struct ExportsSpec {
    /// Its inputs.
    pub inputs: Vec<ExportSpec>,
    /// Its outputs.
    pub outputs: Vec<ExportSpec>,
}

/// One exported port.
#[derive(Clone, Debug)]
pub struct ExportSpec {
    /// Its name; may hold dots (`arm.state`).
    pub name: String,
    /// Place of the name.
    pub at: Position,
    /// Ports inside, with their places: one output, or one or more inputs that are driven together.
    pub ports: Vec<(Position, PortName)>,
}

impl ExportsSpec {
    /// The export with this name.
    pub fn find(&self, name: &str) -> Option<&ExportSpec> {
        self.inputs.iter().chain(&self.outputs).find(|export| export.name == name)
    }

    /// Records a fault for every port of a block that does not exist in the file.
    pub(super) fn check(&self, names: &Names<'_>, loader: &Loader) {
        for export in self.inputs.iter().chain(&self.outputs) {
            for (at, port) in &export.ports {
                names.check(&port.block, "block", || format!("exports: {}", export.name), *at, loader);
            }
        }
    }
}

/// `exports: {…}`.
pub(super) const SECTION: Section<ExportsSpec> = Section {
    about: "the ports of the diagram, such as `{inputs: {goal: pid.desired}, outputs: {effort: pid.effort}}`",
    read,
};

const INPUTS: Optional<MapOf<Inside>> = optional(
    "inputs",
    MapOf { each: Inside { several: true }, about: "inputs by exported name" },
    "none",
    "inputs by exported name, each a port or a list of ports that are driven together",
);
const OUTPUTS: Optional<MapOf<Inside>> = optional(
    "outputs",
    MapOf { each: Inside { several: false }, about: "outputs by exported name" },
    "none",
    "outputs by exported name",
);

fn read(r: &mut Reader<'_>) -> Option<ExportsSpec> {
    let (inputs, outputs) = (r.get(&INPUTS).unwrap_or_default(), r.get(&OUTPUTS).unwrap_or_default());
    let named = |key: &dyn Key, exports: Vec<Named<Vec<(Position, PortName)>>>| -> Vec<ExportSpec> {
        for export in exports.iter().filter(|export| !is_port(&export.name)) {
            let (path, expected) = (r.path_of(key), "a name of letters, digits, `_` and `-`".into());
            r.report(export.at, FaultKind::Value { path, expected, found: format!("`{}`", shorten(&export.name)) });
        }
        exports.into_iter().map(|e| ExportSpec { name: e.name, at: e.at, ports: e.value }).collect()
    };
    Some(ExportsSpec { inputs: named(&INPUTS, inputs), outputs: named(&OUTPUTS, outputs) })
}

/// `block.port`, or a list of these.
#[derive(Clone, Copy)]
struct Inside {
    several: bool,
}

impl Decode for Inside {
    type Output = Vec<(Position, PortName)>;
    fn expects(&self) -> String {
        if self.several { "a port `block.input` or a list of these".into() } else { "a port `block.output`".into() }
    }
    fn decode(&self, item: Item<'_>) -> Option<Self::Output> {
        match &item.node.value {
            Value::Text(text) => match port(text) {
                Ok(name) => Some(vec![(item.node.at, name)]),
                Err(reason) => {
                    item.wrong_found(self.expects(), format!("`{}`: {reason}", shorten(text)));
                    None
                }
            },
            Value::List(nodes) if self.several && !nodes.is_empty() => {
                let decoded: Vec<_> = nodes
                    .iter()
                    .enumerate()
                    .map(|(i, node)| {
                        let path = Path::Index(item.path, i);
                        Inside { several: false }.decode(Item { node, path: &path, ..item })
                    })
                    .collect();
                let ports: Option<Vec<_>> = decoded.into_iter().collect();
                ports.map(|ports| ports.into_iter().flatten().collect())
            }
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}
