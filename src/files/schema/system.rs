//! One entry of `systems`: `{type: …, …}`.

use super::nested::{self, Nested};
use crate::block_type::{BlockSpec, BlockType, DERIVATIVES, Site, SystemSpec};
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
use kinegraph_diagram::Fact;
use std::sync::Arc;

/// One block of a diagram file.
#[derive(Debug)]
pub struct NamedSystem {
    /// Its name in the diagram.
    pub name: String,
    /// Where the name is written.
    pub at: Position,
    /// The word after `type:`.
    pub type_name: &'static str,
    /// Its parameters.
    pub spec: SystemSpec,
    /// The diagram that takes the place of a block; `None` for a block proper.
    pub nested: Option<Nested>,
    /// Where its derivatives come from, if not from the block itself.
    pub derivatives: Option<DerivativePolicy>,
    /// What the file says of it, for snapshots.
    pub described: Vec<Fact>,
    /// Its keys with the places of their values.
    pub keys: Vec<(String, Position)>,
    /// The numbers of it that may change while a run goes on.
    pub live: Vec<LiveNumber>,
}

impl NamedSystem {
    /// The block itself, with the derivatives that the file asks for; `None` after faults were reported to `loader`.
    /// `beside` is the block that it is made for, if it is made for one, and what the file says about that.
    pub fn build(
        &self,
        beside: Option<(&dyn ErasedSystem, &dyn BlockSpec)>,
        loader: &Loader,
    ) -> Option<Arc<dyn ErasedSystem>> {
        let (path, (beside, beside_spec)) = (format!("systems.{}", self.name), beside.unzip());
        let site = Site { path: &path, at: self.at, keys: &self.keys, beside, beside_spec, loader };
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
    /// Values of the command line for nested files.
    pub deferred: &'a [Deferred],
}

impl Decode for System<'_> {
    /// Without the place of its name, which the map of all systems has.
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
        if let Some((file, at)) = system.spec.nested_file() {
            system.nested = Some(nested::read(&system.name, file, at, item.loader, self)?);
        }
        Some(system)
    }
}

/// Reads the parameters that `block_type` asks for, and `derivatives`, which every block takes.
pub(crate) fn read(block_type: &BlockType, mut reader: Reader<'_>, item: Item<'_>) -> Option<NamedSystem> {
    let spec = (block_type.read)(&mut reader);
    let derivatives = reader.get(&DERIVATIVES);
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
    Some(NamedSystem { name, at, type_name, spec: spec?, nested: None, derivatives, described, keys, live })
}
