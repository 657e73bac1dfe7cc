//! `type: adder`.

use crate::form::{BlockSpec, BlockType, Decode, Group, Item, Needs, Reader, Site, SystemSpec, Value, WIDTH, needs};
use kinegraph_systems::{ErasedSystem, operators};
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "adder",
    group: Group::Operators,
    about: "adds and subtracts inputs of equal width",
    example: "error: {type: adder, signs: \"+-\"}",
    files: &[],
    read,
};

/// A sum of inputs, each added or subtracted.
#[derive(Clone, Debug)]
pub struct Adder {
    /// `+1` or `-1` for each input.
    pub signs: Vec<f64>,
    /// Width of each input and of the sum.
    pub width: usize,
}

impl BlockSpec for Adder {
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        site.built(operators::Adder::new(self.width, self.signs.clone()))
    }
}

const SIGNS: Needs<Signs> = needs("signs", Signs, "the sign of each input, such as `\"+-\"` or `[1, -1]`");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (signs, width) = (r.get(&SIGNS), r.get(&WIDTH));
    Some(Box::new(Adder { signs: signs?, width }))
}

/// `"+-"`, or `["+", "-"]`, or `[1, -1]`: one sign per input.
struct Signs;

impl Decode for Signs {
    type Output = Vec<f64>;
    fn expects(&self) -> String {
        "one sign per input, such as \"+-\"".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Vec<f64>> {
        let sign_of_text = |c: char| match c {
            '+' => Some(1.0),
            '-' => Some(-1.0),
            _ => None,
        };
        let signs: Option<Vec<f64>> = match &item.node.value {
            Value::Text(text) => text.chars().map(sign_of_text).collect(),
            Value::List(nodes) => nodes
                .iter()
                .map(|node| match &node.value {
                    Value::Number(x) if x.abs() == 1.0 => Some(*x),
                    Value::Text(text) => match text.as_str() {
                        "+" => Some(1.0),
                        "-" => Some(-1.0),
                        _ => None,
                    },
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        let signs = signs.filter(|signs| !signs.is_empty());
        if signs.is_none() {
            item.wrong(self.expects());
        }
        signs
    }
}
