//! `type: product`.

use crate::form::{BlockType, Decode, Group, Item, Needs, Reader, SystemSpec, Value, WIDTH, needs, recipe};
use kinegraph_systems::operators::{Factor, Product};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "product",
    group: Group::Operators,
    about: "multiplies and divides inputs of equal width",
    example: "ratio: {type: product, factors: \"*/\"}",
    files: &[],
    read,
};

const FACTORS: Needs<Factors> = needs("factors", Factors, "whether each input multiplies or divides, such as `\"*/\"`");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (factors, width) = (r.get(&FACTORS), r.get(&WIDTH));
    let factors = factors?;
    recipe(move || Product::new(width, factors.clone()))
}

/// `"*/"`: one sign per input.
struct Factors;

impl Decode for Factors {
    type Output = Vec<Factor>;
    fn expects(&self) -> String {
        "one `*` or `/` per input, such as \"*/\"".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Vec<Factor>> {
        let factor = |c: char| match c {
            '*' => Some(Factor::Multiply),
            '/' => Some(Factor::Divide),
            _ => None,
        };
        let factors = match &item.node.value {
            Value::Text(text) if !text.is_empty() => text.chars().map(factor).collect(),
            _ => None,
        };
        if factors.is_none() {
            item.wrong(self.expects());
        }
        factors
    }
}
