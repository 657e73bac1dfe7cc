//! `type: expression`.

use crate::form::{
    BlockType, Decode, Group, Item, ListOf, NamesWithWidths, Needs, Optional, Reader, SystemSpec, Text, Value, needs,
    optional, recipe,
};
use kinegraph_systems::operators::Expression;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "expression",
    group: Group::Operators,
    about: "formulas of the time and of named inputs, one number each",
    example: "law: {type: expression, inputs: {a: 1, q: 2}, expression: [\"a*sin(2*pi*t)\", \"q[0] - q[1]\"]}",
    files: &[],
    read,
};

const INPUTS: Optional<NamesWithWidths> =
    optional("inputs", NAMES, "none", "names of the inputs, with their widths where these are not 1");
const NAMES: NamesWithWidths =
    NamesWithWidths { about: "names such as [a, b], or names with widths such as {a: 1, q: 7}" };
const EXPRESSION: Needs<Formulas> =
    needs("expression", Formulas, "a formula of inputs and the time t [s] per number of the output");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let inputs = r.get(&INPUTS).unwrap_or_default();
    let expressions = r.get(&EXPRESSION)?;
    recipe(move || {
        let inputs: Vec<(&str, usize)> = inputs.iter().map(|(name, width)| (name.as_str(), *width)).collect();
        let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
        Expression::new(&inputs, &expressions)
    })
}

const FORMULA: Text = Text { about: "a formula such as \"a*sin(t)\"" };

/// One formula, or a list of them.
struct Formulas;

impl Decode for Formulas {
    type Output = Vec<String>;
    fn expects(&self) -> String {
        "a formula such as \"a*sin(t)\", or a list of formulas".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Vec<String>> {
        match &item.node.value {
            Value::Text(_) => FORMULA.decode(item).map(|formula| vec![formula]),
            Value::List(nodes) if !nodes.is_empty() => {
                ListOf { each: FORMULA, about: "a list of formulas" }.decode(item)
            }
            // A formula may be a number alone.
            Value::Number(value) if value.is_finite() => Some(vec![value.to_string()]),
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}
