//! Decoders of single values: numbers in a range, flags, texts, names, choices, files. `lists.rs` and `section.rs` have
//! lists and maps of these.

use super::degrees;
use super::fault::FaultKind;
use super::item::{Decode, Item, Print};
use super::names::unknown;
use super::node::{Value, shorten, show_number};
use super::quantity::{self, Wanted};
use super::words::listed;
use kinegraph_core::sizes;
use kinegraph_engine::integrators::{ACCURACIES, MAX_TOLERANCE};
use std::path::PathBuf;

/// A finite number in a range.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    about: &'static str,
    valid: fn(f64) -> bool,
}

/// Any finite number.
pub const NUMBER: Number = Number { about: "a number", valid: |_| true };
/// A number above zero.
pub const POSITIVE: Number = Number { about: "a number above 0", valid: |x| x > 0.0 };
/// A number that is not negative.
pub const NON_NEGATIVE: Number = Number { about: "a number that is not negative", valid: |x| x >= 0.0 };
/// A whole number that is not negative and exact as a floating-point number.
pub const WHOLE: Number = Number {
    about: "a whole number that is not negative",
    valid: |x| x >= 0.0 && x.fract() == 0.0 && x <= 9_007_199_254_740_992.0,
};
/// A number from zero to one.
pub const UNIT: Number = Number { about: "a number from 0 to 1", valid: |x| (0.0..=1.0).contains(&x) };
/// A number from one half to one.
pub const UPPER_HALF: Number = Number { about: "a number from 0.5 to 1", valid: |x| (0.5..=1.0).contains(&x) };
/// A number of at least one.
pub const AT_LEAST_ONE: Number = Number { about: "a number of at least 1", valid: |x| x >= 1.0 };
/// A number between zero and one, both excluded.
pub const FRACTION: Number = Number { about: "a number between 0 and 1", valid: |x| x > 0.0 && x < 1.0 };

/// Tolerance of the solve of a step. Above 1 %, forces may fail to hold anything.
pub const TOLERANCE: Number =
    Number { about: "a number from 0 to 0.01", valid: |x| (0.0..=MAX_TOLERANCE).contains(&x) };
/// Accuracy of a run: doubles have 16 digits.
pub const ACCURACY: Number =
    Number { about: "a number between 0 and 1, at least 1e-15", valid: |x| (ACCURACIES.0..ACCURACIES.1).contains(&x) };

impl Decode for Number {
    type Output = f64;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<f64> {
        let wanted = Wanted(item.ranges);
        let refuse = |message: String| item.report(FaultKind::Conflict { path: item.path.to_string(), message });
        let (number, is_bare) = match &item.node.value {
            Value::Number(x) => {
                if let Some(unit) =
                    item.loader.derivations().unit(item.node.at).filter(|unit| !wanted.takes_parameter(unit))
                {
                    refuse(wanted.refusal(&show_number(*x), *x, &unit));
                    return None;
                }
                (Some(*x), true)
            }
            Value::Text(text) => match quantity::read(text) {
                Some((number, unit)) if wanted.takes(&unit) => (Some(unit.to_si(number)), false),
                Some((number, unit)) => {
                    refuse(wanted.refusal(&shorten(text.trim()), number, &unit));
                    return None;
                }
                None => (degrees::read(text, item.ranges), false),
            },
            _ => (None, false),
        };
        let expected = match number {
            Some(x) if !x.is_finite() => "a finite number".into(),
            Some(x) if (self.valid)(x) => match sizes::check(item.ranges, x) {
                Ok(()) => {
                    let strange = || if is_bare { degrees::strange(item.ranges, x) } else { None };
                    if let Some(strange) = sizes::strange(item.ranges, x).or_else(strange) {
                        item.loader.note_doubt(format!("{}: {strange}", item.path));
                    }
                    return Some(x);
                }
                Err(out) => out.to_string(),
            },
            _ => self.about.into(),
        };
        match (number, &item.node.value) {
            (Some(x), Value::Text(text)) => {
                item.wrong_found(expected, format!("`{}`, which is {}", shorten(text.trim()), show_number(x)));
            }
            _ => item.wrong(expected),
        }
        None
    }
}

impl Print for Number {
    fn print(&self, value: &f64) -> String {
        show_number(*value)
    }
}

impl Number {
    /// Description of the number, in words that fit "expected …".
    pub(super) fn about(&self) -> &'static str {
        self.about
    }
}

/// A whole number from 1 to a limit.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// The largest valid number.
    pub limit: usize,
}

impl Decode for Count {
    type Output = usize;
    fn expects(&self) -> String {
        format!("a whole number from 1 to {}", self.limit)
    }
    fn decode(&self, item: Item<'_>) -> Option<usize> {
        match item.node.value {
            Value::Number(x) if x.fract() == 0.0 && x >= 1.0 && x <= self.limit as f64 => Some(x as usize),
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

impl Print for Count {
    fn print(&self, value: &usize) -> String {
        value.to_string()
    }
}

/// `true` or `false`.
#[derive(Clone, Copy, Debug)]
pub struct Flag;

impl Decode for Flag {
    type Output = bool;
    fn expects(&self) -> String {
        "true or false".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<bool> {
        match item.node.value {
            Value::Bool(flag) => Some(flag),
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

impl Print for Flag {
    fn print(&self, value: &bool) -> String {
        value.to_string()
    }
}

/// Text that is not empty.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// Meaning of the text, in words that fit "expected …".
    pub about: &'static str,
}

impl Decode for Text {
    type Output = String;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<String> {
        match &item.node.value {
            Value::Text(text) if !text.trim().is_empty() => Some(text.clone()),
            _ => {
                item.wrong(self.about);
                None
            }
        }
    }
}

/// A name: letters, digits, `_` and `-`, beginning with a letter or `_`. Dots and slashes separate names.
#[derive(Clone, Copy, Debug)]
pub struct Name;

/// Rule for a [`Name`].
pub const NAME_RULE: &str = "a name of letters, digits, `_` and `-` that begins with a letter";

impl Decode for Name {
    type Output = String;
    fn expects(&self) -> String {
        NAME_RULE.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<String> {
        match &item.node.value {
            Value::Text(text) if is_name(text) => Some(text.clone()),
            _ => {
                item.wrong(NAME_RULE);
                None
            }
        }
    }
}

/// True if `text` is a valid [`Name`].
pub fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        && text.len() <= 200
}

/// One of several words.
#[derive(Clone, Copy, Debug)]
pub struct Choice<T: 'static> {
    /// Thing that the word names (`interpolation`).
    pub what: &'static str,
    /// The words with their meanings.
    pub options: &'static [(&'static str, T)],
}

impl<T: Copy> Decode for Choice<T> {
    type Output = T;
    fn expects(&self) -> String {
        let words: Vec<&str> = self.options.iter().map(|(word, _)| *word).collect();
        listed(&words)
    }
    fn decode(&self, item: Item<'_>) -> Option<T> {
        let Value::Text(text) = &item.node.value else {
            item.wrong(self.expects());
            return None;
        };
        let found = self.options.iter().find(|(word, _)| word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let words = self.options.iter().map(|(word, _)| *word);
            item.report(unknown(text, self.what, item.path.to_string(), words, item.loader));
        }
        found
    }
}

impl<T: Copy + PartialEq> Print for Choice<T> {
    fn print(&self, value: &T) -> String {
        let word = self.options.iter().find(|(_, meaning)| meaning == value).map(|(word, _)| *word);
        word.unwrap_or_default().to_owned()
    }
}

/// A file in the diagram file's folder, or below it.
#[derive(Clone, Copy, Debug)]
pub struct FileName {
    /// Meaning of the file, in words that fit "expected …".
    pub about: &'static str,
}

/// A model file.
pub const MODEL_FILE: FileName = FileName { about: "the name of a model file" };

impl Decode for FileName {
    type Output = PathBuf;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<PathBuf> {
        let written = Text { about: self.about }.decode(item)?;
        match item.loader.resolve(&written, item.node.at, &item.path.to_string()) {
            Ok(path) => Some(path),
            Err(kind) => {
                item.report(kind);
                None
            }
        }
    }
}
