//! Lists of values, and maps whose keys are names of the file's own.

use super::decode::{NUMBER, Number};
use super::degrees;
use super::item::{Decode, Item, Parameter, Path, Print};
use super::node::{Position, Value, show_number};
use super::quantity;
use kinegraph_core::parameter::PerChannel;

/// A list; one fault per wrong item.
#[derive(Clone, Copy, Debug)]
pub struct ListOf<D> {
    /// Decoder of each item.
    pub each: D,
    /// Description of the list, in words that fit "expected …".
    pub about: &'static str,
}

impl<D: Decode> Decode for ListOf<D> {
    type Output = Vec<D::Output>;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Vec<D::Output>> {
        let Value::List(nodes) = &item.node.value else {
            match &item.node.value {
                map @ Value::Map(_) => {
                    let found = format!("{}; a list of one is [{{…}}], or begins with `- `", map.describe());
                    item.wrong_found(self.about, found);
                }
                _ => item.wrong(self.about),
            }
            return None;
        };
        let decoded: Vec<Option<D::Output>> = nodes
            .iter()
            .enumerate()
            .map(|(i, node)| {
                let path = Path::Index(item.path, i);
                self.each.decode(Item { node, path: &path, ..item })
            })
            .collect();
        decoded.into_iter().collect()
    }
    fn keys(&self) -> Vec<Parameter> {
        self.each.keys()
    }
}

impl<D: Print> Print for ListOf<D> {
    fn print(&self, values: &Vec<D::Output>) -> String {
        let items: Vec<String> = values.iter().map(|value| self.each.print(value)).collect();
        format!("[{}]", items.join(", "))
    }
}

/// A list of `N` numbers.
#[derive(Clone, Copy, Debug)]
pub struct Vector<const N: usize> {
    /// Meaning of the numbers, e.g. `[x, y, z]`.
    pub about: &'static str,
}

impl<const N: usize> Decode for Vector<N> {
    type Output = [f64; N];
    fn expects(&self) -> String {
        format!("{N} numbers {}", self.about)
    }
    fn decode(&self, item: Item<'_>) -> Option<[f64; N]> {
        match &item.node.value {
            Value::List(nodes) if nodes.len() == N => {
                ListOf { each: NUMBER, about: self.about }.decode(item)?.try_into().ok()
            }
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

impl<const N: usize> Print for Vector<N> {
    fn print(&self, values: &[f64; N]) -> String {
        printed(values)
    }
}

fn printed(values: &[f64]) -> String {
    let items: Vec<String> = values.iter().copied().map(show_number).collect();
    format!("[{}]", items.join(", "))
}

/// One number for all signals, or a list with one for each.
#[derive(Clone, Copy, Debug)]
pub struct ScalarOrList(pub Number);

impl Decode for ScalarOrList {
    type Output = PerChannel;
    fn expects(&self) -> String {
        match self.0.about() {
            "a number" => "a number or a list of numbers".into(),
            about => format!("{about} or a list of such numbers"),
        }
    }
    fn decode(&self, item: Item<'_>) -> Option<PerChannel> {
        match &item.node.value {
            Value::Number(_) => self.0.decode(item).map(PerChannel::All),
            value if quantity::is_written(value) || degrees::is_written(value) => {
                self.0.decode(item).map(PerChannel::All)
            }
            Value::List(nodes) if !nodes.is_empty() => {
                ListOf { each: self.0, about: self.0.about() }.decode(item).map(PerChannel::Each)
            }
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
    fn list_length(&self, value: &PerChannel) -> Option<usize> {
        match value {
            PerChannel::All(_) => None,
            PerChannel::Each(values) => Some(values.len()),
        }
    }
}

impl Print for ScalarOrList {
    fn print(&self, value: &PerChannel) -> String {
        match value {
            PerChannel::All(value) => show_number(*value),
            PerChannel::Each(values) => printed(values),
        }
    }
}

/// A map whose keys are names of the file's own (systems, models, joints).
#[derive(Clone, Copy, Debug)]
pub struct MapOf<D> {
    /// Decoder of each value.
    pub each: D,
    /// Description of the map, in words that fit "expected …".
    pub about: &'static str,
}

/// One `name: value` of such a map.
#[derive(Clone, Debug)]
pub struct Named<T> {
    /// The name.
    pub name: String,
    /// Place of the name.
    pub at: Position,
    /// The value.
    pub value: T,
}

impl<D: Decode> Decode for MapOf<D> {
    type Output = Vec<Named<D::Output>>;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Self::Output> {
        let Value::Map(entries) = &item.node.value else {
            item.wrong(self.about);
            return None;
        };
        let decoded: Vec<Option<Named<D::Output>>> = entries
            .iter()
            .map(|entry| {
                let path = Path::Key(item.path, &entry.key);
                let value = self.each.decode(Item { node: &entry.node, path: &path, ..item })?;
                Some(Named { name: entry.key.clone(), at: entry.key_at, value })
            })
            .collect();
        decoded.into_iter().collect()
    }
    fn keys(&self) -> Vec<Parameter> {
        self.each.keys()
    }
}

/// A decoded value with its place.
#[derive(Clone, Copy, Debug)]
pub struct Placed<D>(pub D);

impl<D: Decode> Decode for Placed<D> {
    type Output = (Position, D::Output);
    fn expects(&self) -> String {
        self.0.expects()
    }
    fn decode(&self, item: Item<'_>) -> Option<Self::Output> {
        Some((item.node.at, self.0.decode(item)?))
    }
    fn keys(&self) -> Vec<Parameter> {
        self.0.keys()
    }
}
