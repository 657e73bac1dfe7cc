//! One entry of `systems`: `{type: …, …}`.

use super::nested::{self, Nested};
use crate::block_type::{BlockType, DERIVATIVES, Site, Surroundings, SystemSpec, UNIT};
use crate::catalog::Catalog;
use crate::decode::Text;
use crate::described::described;
use crate::item::{Decode, Item, Path};
use crate::live_number::LiveNumber;
use crate::loader::Loader;
use crate::names::unknown_type;
use crate::node::{Position, Value};
use crate::overrides::Deferred;
use crate::parameter::{Needs, needs};
use crate::reader::Reader;
use kinegraph_core::real::WithDerivatives;
use kinegraph_core::{DerivativePolicy, ErasedSystem};
use kinegraph_diagram::{Fact, StatedUnits};
use std::sync::Arc;

/// One block of a diagram file.
#[derive(Debug)]
pub struct NamedSystem {
    /// Its name in the diagram.
    pub name: String,
    /// Place of the name.
    pub at: Position,
    /// The word after `type:`.
    pub type_name: &'static str,
    /// Its parameters.
    pub spec: SystemSpec,
    /// Nested diagram that the block stands for; `None` for any other block.
    pub nested: Option<Nested>,
    /// Source of its derivatives, if not the block itself.
    pub derivatives: Option<DerivativePolicy>,
    /// Units of its ports, as far as the file says them.
    pub units: Option<StatedUnits>,
    /// Facts about it in the file, for snapshots.
    pub described: Vec<Fact>,
    /// Its keys with the places of their values.
    pub keys: Vec<(String, Position)>,
    /// Its numbers that may change during a run.
    pub live: Vec<LiveNumber>,
}

impl NamedSystem {
    /// Builds the block, with the derivatives that the file selects; `None` after faults were reported to `loader`.
    pub fn build(&self, around: Surroundings<'_>, loader: &Loader) -> Option<Arc<dyn ErasedSystem>> {
        let path = format!("systems.{}", self.name);
        let Surroundings { beside, trim, connections } = around;
        let (beside, beside_spec) = beside.unzip();
        let site = Site { path: &path, at: self.at, keys: &self.keys, beside, beside_spec, trim, connections, loader };
        let block = self.spec.build(&site)?;
        Some(match self.derivatives {
            Some(DerivativePolicy::Exact) if block.policy() != DerivativePolicy::Exact => {
                site.fault(format!("a `{}` block has no exact derivatives", self.type_name));
                return None;
            }
            Some(policy) => Arc::new(WithDerivatives::new(block, policy)),
            None => block,
        })
    }
}

const TYPE: Needs<Text> = needs("type", Text { about: "the name of a block type" }, "the block type");

/// One item of `systems`.
#[derive(Clone, Copy)]
pub(super) struct System<'a> {
    /// The block types it can name.
    pub catalog: &'a Catalog,
    /// Overrides for nested files.
    pub deferred: &'a [Deferred],
}

impl Decode for System<'_> {
    /// The place of its name is not included: the map of all systems has it.
    type Output = NamedSystem;
    fn expects(&self) -> String {
        "a block with its `type` and parameters".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<NamedSystem> {
        let mut reader = Reader::new(item)?;
        let Some(name) = reader.get(&TYPE) else {
            reader.abandon();
            return None;
        };
        let Some(block_type) = self.catalog.get(&name) else {
            let path = reader.path_of(TYPE);
            let kind = unknown_type(&name, path, self.catalog.names(), item.loader);
            reader.report(reader.at_key(TYPE), kind);
            return None;
        };
        let mut system = read(block_type, reader, item)?;
        if let Some(named) = system.spec.nested_file() {
            system.nested = Some(nested::read(&system.name, &named, item.loader, self)?);
        }
        Some(system)
    }
}

/// Reads the parameters that `block_type` asks for, and those that every block takes.
pub(crate) fn read(block_type: &BlockType, mut reader: Reader<'_>, item: Item<'_>) -> Option<NamedSystem> {
    let spec = (block_type.read)(&mut reader);
    let derivatives = reader.get(&DERIVATIVES);
    let stated = reader.get(&UNIT);
    let of_numbers = || reader.output_units().map(|units| StatedUnits::Outputs(units.to_vec()));
    let units = stated.or_else(of_numbers);
    let live = reader.live().to_vec();
    reader.finish();
    let name = match item.path {
        Path::Key(_, name) => (*name).to_owned(),
        Path::Root | Path::Index(..) => String::new(),
    };
    let keys = match &item.node.value {
        Value::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), entry.node.at)).collect(),
        _ => Vec::new(),
    };
    let (type_name, at) = (block_type.name, item.node.at);
    let described = described(item);
    Some(NamedSystem { name, at, type_name, spec: spec?, nested: None, derivatives, units, described, keys, live })
}
