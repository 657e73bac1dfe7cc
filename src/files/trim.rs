//! `trim: {hold, free, bounds, near}`: the search for an equilibrium.

use crate::decode::Text;
use crate::fault::FaultKind;
use crate::item::{Decode, Item};
use crate::level::WithUnit;
use crate::lists::{ListOf, MapOf, Named, Placed};
use crate::loader::Loader;
use crate::names::Names;
use crate::node::{Position, Value, show_number};
use crate::parameter::{Optional, optional};
use crate::reader::Reader;
use crate::section::Section;
use kinegraph_engine::linearize::TrimOptions;
use kinegraph_engine::linearize::state_space::Bound;

/// Search for an equilibrium: numbers that it may change, and where it begins.
#[derive(Clone, Debug, Default)]
pub struct TrimSpec {
    /// States that keep their values, or these.
    pub hold: Vec<Named<Option<f64>>>,
    /// Inputs that the search chooses.
    pub free: Vec<(Position, String)>,
    /// Least and largest values of states and of inputs, which the search chooses then.
    pub bounds: Vec<Named<(f64, f64)>>,
    /// Values of states and inputs at which the search begins.
    pub near: Vec<Named<f64>>,
}

impl TrimSpec {
    /// The options of a search, as far as they are about names that `rename` knows.
    pub fn options(&self, rename: impl Fn(&str) -> Option<String>) -> TrimOptions {
        let held = self.hold.iter().filter_map(|one| Some((rename(&one.name)?, one.value)));
        let held: Vec<(String, Option<f64>)> = held.collect();
        let near = self.near.iter().filter_map(|one| Some((rename(&one.name)?, one.value)));
        TrimOptions {
            start: near.chain(held.iter().filter_map(|(name, value)| Some((name.clone(), (*value)?)))).collect(),
            hold: held.into_iter().map(|(name, _)| name).collect(),
            free: self.free.iter().filter_map(|(_, name)| rename(name)).collect(),
            bounds: self
                .bounds
                .iter()
                .filter_map(|one| Some(Bound { name: rename(&one.name)?, range: one.value }))
                .collect(),
            ..TrimOptions::default()
        }
    }

    /// The names in it, each with the path of its key, its place, and whether it may be a state and an input.
    pub fn names(&self) -> impl Iterator<Item = TrimName<'_>> {
        let one = |key, at, name, state, input| TrimName { key, at, name, state, input };
        let hold = self.hold.iter().map(move |named| one("trim.hold", named.at, &*named.name, true, false));
        let free = self.free.iter().map(move |(at, name)| one("trim.free", *at, &**name, false, true));
        let bounds = self.bounds.iter().map(move |named| one("trim.bounds", named.at, &*named.name, true, true));
        let near = self.near.iter().map(move |named| one("trim.near", named.at, &*named.name, true, true));
        hold.chain(free).chain(bounds).chain(near)
    }

    /// Checks that the blocks of all names exist.
    pub(super) fn check(&self, blocks: &Names<'_>, loader: &Loader) {
        for TrimName { key, at, name, .. } in self.names() {
            let block = name.split(['.', '/']).next().unwrap_or(name);
            blocks.check(block, "block", || key.to_owned(), at, loader);
        }
    }
}

/// A name in `trim`.
#[derive(Clone, Copy, Debug)]
pub struct TrimName<'a> {
    /// Path of its key.
    pub key: &'static str,
    /// Its place.
    pub at: Position,
    /// The name.
    pub name: &'a str,
    /// True if it may be that of a state.
    pub state: bool,
    /// True if it may be that of an input.
    pub input: bool,
}

/// `trim: {…}`.
pub(super) const SECTION: Section<TrimSpec> = Section {
    about: "how to search for an equilibrium, such as `{free: [plant.arm.actuation], hold: [plant.arm.joint1.q]}`",
    read,
};

const HOLD: Optional<Held> =
    optional("hold", Held, "none", "states that keep their values; as a map they have the values given there");
const FREE: Optional<ListOf<Placed<Text>>> = optional(
    "free",
    ListOf { each: Placed(Text { about: "the name of an input" }), about: "a list of inputs as `block.port`" },
    "none",
    "inputs that the search chooses; the others keep their values",
);
const BOUNDS: Optional<MapOf<Range>> = optional(
    "bounds",
    MapOf { each: Range, about: "ranges `[least, largest]` by the names of states and inputs" },
    "none",
    "least and largest values of states, and of inputs, which the search chooses then",
);
const NEAR: Optional<MapOf<Plain>> = optional(
    "near",
    MapOf { each: Plain, about: "values by the names of states and inputs" },
    "at the operating point",
    "values at which the search begins: it finds the equilibrium nearest to them",
);

fn read(r: &mut Reader<'_>) -> Option<TrimSpec> {
    let (hold, free, bounds, near) = (r.get(&HOLD), r.get(&FREE), r.get(&BOUNDS), r.get(&NEAR));
    let (hold, free) = (hold.unwrap_or_default(), free.unwrap_or_default());
    Some(TrimSpec { hold, free, bounds: bounds.unwrap_or_default(), near: near.unwrap_or_default() })
}

/// A number in SI units, which may be written with its unit.
#[derive(Clone, Copy, Debug)]
struct Plain;

impl Decode for Plain {
    type Output = f64;
    fn expects(&self) -> String {
        WithUnit.expects()
    }
    fn decode(&self, item: Item<'_>) -> Option<f64> {
        Some(WithUnit.decode(item)?.value)
    }
}

/// A list of states, or a map of states and values.
#[derive(Clone, Copy, Debug)]
struct Held;

impl Decode for Held {
    type Output = Vec<Named<Option<f64>>>;
    fn expects(&self) -> String {
        "a list of states, or a map of states and values".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Self::Output> {
        match &item.node.value {
            Value::List(_) => {
                let names = ListOf { each: Placed(Text { about: "the name of a state" }), about: "a list of states" };
                let names = names.decode(item)?.into_iter();
                Some(names.map(|(at, name)| Named { name, at, value: None }).collect())
            }
            Value::Map(_) => {
                let values = MapOf { each: Plain, about: "values by the names of states" }.decode(item)?.into_iter();
                Some(values.map(|one| Named { name: one.name, at: one.at, value: Some(one.value) }).collect())
            }
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

/// A least and a largest value.
#[derive(Clone, Copy, Debug)]
struct Range;

impl Decode for Range {
    type Output = (f64, f64);
    fn expects(&self) -> String {
        "two numbers [least, largest]".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<(f64, f64)> {
        match &item.node.value {
            Value::List(nodes) if nodes.len() == 2 => {
                let values = ListOf { each: Plain, about: "two numbers" }.decode(item)?;
                if values[0] <= values[1] {
                    return Some((values[0], values[1]));
                }
                let message =
                    format!("{} is above {}: the least comes first", show_number(values[0]), show_number(values[1]));
                item.report(FaultKind::Conflict { path: item.path.to_string(), message });
            }
            _ => item.wrong(self.expects()),
        }
        None
    }
}
