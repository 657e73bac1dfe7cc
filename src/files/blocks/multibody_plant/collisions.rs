//! Collision settings of a model: what it collides with, and excluded pairs.

use crate::form::{
    Choice, Decode, FileName, Flag, Item, ListOf, Optional, Position, Reader, Section, Text, Value, WithDefault,
    optional, with_default,
};
use crate::item::Parameter;
use std::path::PathBuf;

/// Collision settings of a model.
#[derive(Clone, Debug)]
pub struct CollisionSpec {
    /// Group of objects that it collides with.
    pub with: Collides,
    /// Excluded pairs of its links.
    pub exclude: Vec<[String; 2]>,
    /// Place where these are named.
    pub exclude_at: Position,
    /// SRDF file with more excluded pairs.
    pub srdf: Option<PathBuf>,
    /// Place where the file is named.
    pub srdf_at: Position,
    /// True if links that overlap in the initial positions are excluded pairs.
    pub exclude_touching_at_start: bool,
}

/// Group of objects that a model collides with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collides {
    /// Everything.
    All,
    /// The ground only.
    GroundOnly,
    /// Nothing.
    None,
}

const KIND: Choice<Collides> = Choice {
    what: "kind of collision",
    options: &[("all", Collides::All), ("ground_only", Collides::GroundOnly), ("none", Collides::None)],
};
const SECTION: Section<CollisionSpec> =
    Section { about: "all, ground_only, none or a map such as `{exclude: [[hand, forearm]]}`", read };

const WITH: WithDefault<Choice<Collides>> = with_default("with", KIND, Collides::All, "what the model collides with");
pub(super) const EXCLUDE: Optional<ListOf<Pair>> = optional(
    "exclude",
    ListOf { each: Pair, about: "a list of pairs of links" },
    "none",
    "pairs of links of the model that do not collide with each other: `[[LINK, LINK], ...]`",
);
pub(super) const SRDF: Optional<FileName> = optional(
    "srdf",
    FileName { about: "the name of an SRDF file" },
    "none",
    "an SRDF file; the pairs in its `<disable_collisions>` do not collide with each other",
);
const TOUCHING_AT_START: WithDefault<Flag> = with_default(
    "exclude_touching_at_start",
    Flag,
    true,
    "whether links of the model that overlap in the initial positions do not collide with each other; what lies on a \
     floating link no deeper than the weight of all that floats presses it in does not overlap",
);

fn read(r: &mut Reader<'_>) -> Option<CollisionSpec> {
    Some(CollisionSpec {
        with: r.get(&WITH),
        exclude: r.get(&EXCLUDE).unwrap_or_default(),
        exclude_at: r.at_key(EXCLUDE),
        srdf: r.get(&SRDF),
        srdf_at: r.at_key(SRDF),
        exclude_touching_at_start: r.get(&TOUCHING_AT_START),
    })
}

/// A word, or a map.
pub(super) struct CollisionsOf;

impl Decode for CollisionsOf {
    type Output = CollisionSpec;
    fn expects(&self) -> String {
        SECTION.expects()
    }
    fn decode(&self, item: Item<'_>) -> Option<CollisionSpec> {
        let Value::Text(_) = item.node.value else { return SECTION.decode(item) };
        let at = item.node.at;
        KIND.decode(item).map(|with| CollisionSpec {
            with,
            exclude: Vec::new(),
            exclude_at: at,
            srdf: None,
            srdf_at: at,
            exclude_touching_at_start: true,
        })
    }
    fn keys(&self) -> Vec<Parameter> {
        SECTION.keys()
    }
}

/// Two links of the model.
pub(super) struct Pair;

impl Decode for Pair {
    type Output = [String; 2];
    fn expects(&self) -> String {
        "two links".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<[String; 2]> {
        match &item.node.value {
            Value::List(nodes) if nodes.len() == 2 => {
                ListOf { each: Text { about: "the name of a link" }, about: "two links" }.decode(item)?.try_into().ok()
            }
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}
