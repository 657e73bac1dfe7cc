//! The name of an integrator.

use crate::item::{Decode, Item, Print};
use crate::names::unknown;
use crate::node::Value;
use crate::words::listed;
use kinegraph_engine::integrators::IntegratorType;
use kinegraph_methods::METHODS;

/// One of the integrators that the catalog has.
#[derive(Clone, Copy, Debug)]
pub(super) struct IntegratorName;

impl Decode for IntegratorName {
    type Output = &'static IntegratorType;

    fn expects(&self) -> String {
        listed(&METHODS.map(|method| method.name))
    }

    fn decode(&self, item: Item<'_>) -> Option<Self::Output> {
        let known = item.loader.integrators();
        let names = known.iter().map(|method| method.name);
        let Value::Text(text) = &item.node.value else {
            item.wrong(listed(&names.collect::<Vec<_>>()));
            return None;
        };
        let found = known.iter().find(|method| method.name == text);
        if found.is_none() {
            item.report(unknown(text, "integrator", item.path.to_string(), names, item.loader));
        }
        found.copied()
    }
}

impl Print for IntegratorName {
    fn print(&self, value: &&'static IntegratorType) -> String {
        value.name.to_owned()
    }
}
