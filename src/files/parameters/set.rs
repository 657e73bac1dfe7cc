//! Values that a diagram file sets for the parameters of a file nested in it: `set: {kp: $kp, gear: "=$m*3"}`.

use super::written::{EXPECTED, Written};
use crate::given::Given;
use crate::item::{Decode, Item};
use crate::lists::{MapOf, Named, Placed};
use crate::loader::Loader;
use crate::node::Position;
use kinegraph_diagram::copies;

/// Decoder of one such number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GivenNumber;

impl Decode for GivenNumber {
    type Output = Given;
    fn expects(&self) -> String {
        EXPECTED.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Given> {
        match Written::read(item.node, item.path, item.loader)? {
            Written::Number(number) if number.is_finite() => Some(Given { number, unit: None }),
            Written::Quantity(number, unit) => Some(Given { number, unit: Some(unit) }),
            // The fault of a formula without a value was recorded.
            Written::Number(_) | Written::Formula(_) => {
                item.wrong(EXPECTED);
                None
            }
        }
    }
}

/// Decoder of `set`.
pub(crate) const GIVEN: MapOf<Placed<GivenNumber>> =
    MapOf { each: Placed(GivenNumber), about: "parameters of that file with their values, such as `{kp: 3, m: $m}`" };

/// The values that a block of an outer file sets, with their context.
pub(crate) struct SetFrom<'a> {
    /// Collects the faults of the outer file.
    pub outer: &'a Loader,
    /// The block.
    pub block: &'a str,
    /// The values by parameter.
    pub set: &'a [Named<(Position, Given)>],
    /// The nested file.
    pub file: String,
}

impl SetFrom<'_> {
    /// Path of a value in the outer file. All copies of a repeated diagram have one.
    pub fn path(&self, name: &str) -> String {
        let all = copies::split(self.block).map_or(self.block, |(all, _)| all);
        format!("systems.{all}.set.{name}")
    }

    /// Number of the copy, if the block is one.
    pub fn copy(&self) -> Option<usize> {
        copies::split(self.block).map(|(_, copy)| copy)
    }
}
