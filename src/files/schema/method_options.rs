//! `simulation: {sap: {…}, theta_gamma: {…}, …}`: options of single methods, as the methods declare them.

use crate::decode::{Choice, Count, FRACTION, Flag, NON_NEGATIVE, Number, POSITIVE, TOLERANCE, UNIT, UPPER_HALF};
use crate::item::{Decode, IfMissing, Item, Parameter, Print};
use crate::parameter::{Declaration, optional};
use crate::reader::Reader;
use crate::section::Section;
use kinegraph_engine::integrators::{GroupSource, IfNotGiven, MAX_COUNT, OptionGroup, OptionKey, OptionValue, Range};

impl GroupSource for Reader<'_> {
    fn group<G: OptionGroup>(&mut self) -> G {
        let section = Section { about: G::EXPECTED, read: read::<G> };
        self.get(&optional(G::KEY, section, G::IF_MISSING, G::ABOUT)).unwrap_or_default()
    }
}

fn read<G: OptionGroup>(r: &mut Reader<'_>) -> Option<G> {
    let mut group = G::default();
    for key in G::KEYS {
        if let Some(change) = r.get(&Entry(key)) {
            change.make(&mut group);
        }
    }
    if let Some(conflict) = group.conflict() {
        r.conflict(conflict.key, conflict.message);
    }
    Some(group)
}

/// An option as a parameter of a file.
struct Entry<G: 'static>(&'static OptionKey<G>);

/// Change that a value in a file makes.
enum Change<G> {
    Number(fn(&mut G, f64), f64),
    Count(fn(&mut G, usize), usize),
    Flag(fn(&mut G, bool), bool),
    Word(fn(&mut G)),
}

impl<G> Change<G> {
    fn make(self, group: &mut G) {
        match self {
            Change::Number(set, x) => set(group, x),
            Change::Count(set, n) => set(group, n),
            Change::Flag(set, flag) => set(group, flag),
            Change::Word(set) => set(group),
        }
    }
}

const COUNT: Count = Count { limit: MAX_COUNT };

fn number(range: Range) -> Number {
    match range {
        Range::Positive => POSITIVE,
        Range::NonNegative => NON_NEGATIVE,
        Range::Fraction => FRACTION,
        Range::Unit => UNIT,
        Range::UpperHalf => UPPER_HALF,
        Range::Tolerance => TOLERANCE,
    }
}

/// Default, in words.
fn if_missing<D: Print>(decoder: &D, default: IfNotGiven<D::Output>) -> IfMissing {
    match default {
        IfNotGiven::Is(value) => IfMissing::Value(decoder.print(&value)),
        IfNotGiven::Words(words) => IfMissing::Words(words),
    }
}

impl<G> Declaration for Entry<G> {
    /// `None` if it is missing, and after a fault was recorded.
    type Value = Option<Change<G>>;

    fn name(&self) -> &'static str {
        self.0.name
    }

    fn about(&self) -> &'static str {
        self.0.about
    }

    fn describe(&self) -> Parameter {
        let (expects, if_missing) = match self.0.value {
            OptionValue::Number(range, default, _) => (number(range).expects(), if_missing(&number(range), default)),
            OptionValue::Count(default, _) => (COUNT.expects(), if_missing(&COUNT, default)),
            OptionValue::Flag(default, _) => (Flag.expects(), if_missing(&Flag, default)),
            OptionValue::Word { what, words, if_not_given } => {
                let if_missing = match if_not_given {
                    IfNotGiven::Is(word) => IfMissing::Value(word.into()),
                    IfNotGiven::Words(text) => IfMissing::Words(text),
                };
                (Choice { what, options: words }.expects(), if_missing)
            }
        };
        Parameter { key: self.0.name, is_live: false, if_missing, expects, about: self.0.about, keys: Vec::new() }
    }

    fn decode(&self, found: Option<Item<'_>>) -> Self::Value {
        let item = found?;
        Some(match self.0.value {
            OptionValue::Number(range, _, set) => Change::Number(set, number(range).decode(item)?),
            OptionValue::Count(_, set) => Change::Count(set, COUNT.decode(item)?),
            OptionValue::Flag(_, set) => Change::Flag(set, Flag.decode(item)?),
            OptionValue::Word { what, words, .. } => Change::Word(Choice { what, options: words }.decode(item)?),
        })
    }

    fn list_length(&self, _value: &Self::Value) -> Option<usize> {
        None
    }
}
