//! The block types a diagram file can name. A new type is one file in `blocks/` and one line here.

use super::blocks;
use super::decode::Text;
use super::fault::FaultKind;
use super::loader::Loader;
use super::names::unknown;
use super::nested::Nested;
use super::node::{Node, Position, Value};
use super::reader::{Asked, Item, Path, Reader};
use super::schema::diagram::NamedSystem;
use kinegraph_systems::ErasedSystem;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What the file says about one block: parameters, read and checked.
pub trait BlockSpec: Any + fmt::Debug + Send + Sync {
    /// The word after `type:`.
    fn type_name(&self) -> &'static str;
    /// The diagram that takes the place of a block; `None` for a block proper.
    fn nested(&self) -> Option<&Nested> {
        None
    }
    /// The block itself; `None` after faults were reported to `loader`. `system` says where it stands in the file.
    fn build(&self, system: &NamedSystem, loader: &Loader) -> Option<Arc<dyn ErasedSystem>>;
}

/// The block made from its parameters, or a fault at the block's place.
pub(super) fn built<B: ErasedSystem, E: fmt::Display>(
    block: Result<B, E>,
    system: &NamedSystem,
    loader: &Loader,
) -> Option<Arc<dyn ErasedSystem>> {
    match block {
        Ok(block) => Some(Arc::new(block)),
        Err(error) => {
            let path = format!("systems.{}", system.name);
            loader.report(system.at, FaultKind::Build { path, message: error.to_string() });
            None
        }
    }
}

/// What the file says about one block.
pub type SystemSpec = Box<dyn BlockSpec>;

impl dyn BlockSpec {
    /// The description as its own type, e.g. `spec.downcast::<Gain>()`.
    pub fn downcast<T: BlockSpec>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

/// One block type of the diagram file.
pub struct BlockType {
    /// The word after `type:`.
    pub name: &'static str,
    /// One line on what the block does.
    pub about: &'static str,
    /// Reads the parameters; asks for all of its keys even after a fault.
    pub read: fn(&mut Reader<'_>) -> Option<SystemSpec>,
}

/// Every block type, in the order in which they are listed.
pub const BLOCK_TYPES: &[BlockType] = &[
    blocks::multibody_plant::TYPE,
    blocks::inverse_dynamics_controller::TYPE,
    blocks::pid::TYPE,
    blocks::trajectory::TYPE,
    blocks::constant::TYPE,
    blocks::gain::TYPE,
    blocks::adder::TYPE,
    blocks::integrator::TYPE,
    blocks::diagram::TYPE,
];

/// The block type of this name.
pub fn block_type(name: &str) -> Option<&'static BlockType> {
    BLOCK_TYPES.iter().find(|t| t.name == name)
}

impl BlockType {
    /// The parameters of the type: found by reading an empty map and noting what is asked for.
    pub fn parameters(&self) -> Vec<Asked> {
        let loader = Loader::new(std::path::Path::new(""));
        let node = Node { at: Position::default(), value: Value::Map(Vec::new()) };
        let item = Item { node: &node, path: &Path::Root, loader: &loader };
        Reader::new(item).map_or_else(Vec::new, |mut reader| {
            (self.read)(&mut reader);
            reader.asked().to_vec()
        })
    }
}

/// Reads one system: its `type`, then what that type asks for.
pub(super) fn read_system(item: Item<'_>) -> Option<SystemSpec> {
    let mut reader = Reader::new(item)?;
    let Some(name) = reader.required("type", Text { about: "the name of a block type" }) else {
        reader.abandon();
        return None;
    };
    let Some(block_type) = block_type(&name) else {
        let names = BLOCK_TYPES.iter().map(|t| t.name);
        let path = reader.path_of("type");
        reader.report(reader.at_key("type"), unknown(&name, "block type", path, names, item.loader));
        return None;
    };
    let spec = (block_type.read)(&mut reader);
    reader.finish();
    spec
}
