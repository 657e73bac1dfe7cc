//! `unit: N m` and `unit: any` of a block: what its wires carry.

use super::item::{Decode, Item, Path};
use super::node::{Value, shorten};
use kinegraph_core::unit::{Dimension, Unit};
use kinegraph_diagram::StatedUnits;

/// Decoder of the units of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatedUnit;

const ANY: &str = "any";

impl Decode for StatedUnit {
    type Output = StatedUnits;
    fn expects(&self) -> String {
        "a unit of SI symbols such as `N m`, a list of units, or `any`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<StatedUnits> {
        match &item.node.value {
            Value::Text(text) if text.trim() == ANY => Some(StatedUnits::Any),
            Value::List(nodes) if !nodes.is_empty() => {
                let units = nodes.iter().enumerate().map(|(i, node)| {
                    let path = Path::Index(item.path, i);
                    self.one(Item { node, path: &path, ..item })
                });
                let units: Vec<Option<Option<Dimension>>> = units.collect();
                units.into_iter().collect::<Option<Vec<_>>>().map(StatedUnits::Outputs)
            }
            _ => self.one(item).map(|unit| StatedUnits::Outputs(vec![unit])),
        }
    }
}

impl StatedUnit {
    /// One unit; `Some(None)` for `any`.
    fn one(self, item: Item<'_>) -> Option<Option<Dimension>> {
        let text = match &item.node.value {
            Value::Text(text) if text.trim() == ANY => return Some(None),
            Value::Text(text) => text,
            Value::Number(1.0) => return Some(Some(Dimension::ONE)),
            _ => {
                item.wrong(self.expects());
                return None;
            }
        };
        match (Dimension::read(text), Unit::read(text)) {
            (Some(unit), _) => Some(Some(unit)),
            (None, Some(unit)) => {
                let found = format!("`{}`; wires carry numbers in SI units: {}", shorten(text), unit.dimension);
                item.wrong_found(self.expects(), found);
                None
            }
            (None, None) => {
                item.wrong(self.expects());
                None
            }
        }
    }
}
