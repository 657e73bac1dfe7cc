//! `type: integrator`.

use super::width;
use crate::files::decode::{NUMBER, PerElement, ScalarOrList};
use crate::files::loader::Loader;
use crate::files::reader::Reader;
use crate::files::registry::{BlockSpec, BlockType, SystemSpec, built};
use crate::files::schema::diagram::NamedSystem;
use kinegraph_systems::ErasedSystem;
use kinegraph_systems::operators;
use std::sync::Arc;

/// The integral of each input over time.
#[derive(Clone, Debug)]
pub struct Integrator {
    /// Values at time zero.
    pub initial: PerElement,
    /// Number of signals in parallel.
    pub width: usize,
}

/// The registry entry.
pub const TYPE: BlockType = BlockType { name: "integrator", about: "integrates each input over time", read };

impl BlockSpec for Integrator {
    fn type_name(&self) -> &'static str {
        TYPE.name
    }
    fn build(&self, system: &NamedSystem, loader: &Loader) -> Option<Arc<dyn ErasedSystem>> {
        let initial = match &self.initial {
            PerElement::All(value) => vec![*value; self.width],
            PerElement::Each(values) => values.clone(),
        };
        built(operators::Integrator::new(initial), system, loader)
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let initial = r.or("initial", ScalarOrList(NUMBER), PerElement::All(0.0));
    let width = width(r, &[("initial", Some(&initial))]);
    Some(Box::new(Integrator { initial, width }))
}
