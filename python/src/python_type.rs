//! Blocks of Python in the description of a diagram: `type: python`, with the index of an object of the caller.

use crate::block::PythonBlock;
use kinegraph::files::Catalog;
use kinegraph::files::form::{BlockSpec, BlockType, Group, Needs, Number, Reader, Site, SystemSpec, WHOLE, needs};
use kinegraph::systems::ErasedSystem;
use kinegraph::systems::real::Real;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// Objects that the description being read on this thread refers to, by index.
    static OBJECTS: RefCell<Vec<Py<PyAny>>> = const { RefCell::new(Vec::new()) };
}

/// The word after `type:`.
pub const NAME: &str = "python";

const TYPE: BlockType = BlockType {
    name: NAME,
    group: Group::Own("blocks of Python"),
    about: "a block written in Python",
    example: "",
    files: &[],
    read,
};

const OBJECT: Needs<Number> = needs("object", WHOLE, "the number of the object");

/// Block types of the library, and the type of blocks written in Python.
pub fn catalog() -> Catalog {
    let standard = Catalog::standard();
    standard.clone().with(TYPE).unwrap_or(standard)
}

/// Makes `objects` available while `call` reads and builds.
pub fn with_objects<T>(objects: Vec<Py<PyAny>>, call: impl FnOnce() -> T) -> T {
    let before = OBJECTS.replace(objects);
    let result = call();
    OBJECTS.set(before);
    result
}

#[derive(Debug)]
struct Spec(usize);

fn read(reader: &mut Reader<'_>) -> Option<SystemSpec> {
    let object = reader.get(&OBJECT);
    Some(Box::new(Spec(object? as usize)))
}

impl BlockSpec for Spec {
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let name = site.path.strip_prefix("systems.").unwrap_or(site.path);
        let built = Python::attach(|py| {
            let object = OBJECTS.with_borrow(|objects| objects.get(self.0).map(|object| object.clone_ref(py)));
            let object = object.ok_or_else(|| format!("there is no object {} of Python here", self.0))?;
            PythonBlock::new(object.bind(py), name).map_err(|error| error.value(py).to_string())
        });
        site.built(built.map(Real))
    }
}
