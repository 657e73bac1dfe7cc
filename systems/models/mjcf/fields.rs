//! The attributes of an element with those of its default class behind them.
//!
//! A list may be shorter than the quantity has numbers: the rest keeps what the class before it said. So lists are laid
//! over each other, the outermost class first.

use super::element::{Attribute, Element};
use super::log::Log;
use super::schema::words::{AUTO, FLAG};
use super::schema::{self, Kind};
use crate::faults::{FaultKind, MjcfFault};
use crate::notes::NoteKind;

/// An element's attributes.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub element: &'a Element,
    /// Attributes of its class, the outermost class first.
    pub defaults: &'a [Attribute],
}

impl<'a> Fields<'a> {
    /// An element without defaults.
    pub fn alone(element: &'a Element) -> Self {
        Fields { element, defaults: &[] }
    }

    /// All values of an attribute, that of the element last.
    fn layers(&self, name: &str) -> impl Iterator<Item = &'a Attribute> {
        let own = self.element.attributes.iter();
        self.defaults.iter().chain(own).filter(move |a| a.name == name)
    }

    /// The value that counts.
    pub fn get(&self, name: &str) -> Option<&'a Attribute> {
        self.element.declared(name, |_| true);
        self.layers(name).last()
    }

    /// Its text.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name).map(|a| a.value.trim())
    }

    /// True if the attribute is stated anywhere.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Lays the stated numbers over `values`; whether there are any. More numbers than there are values are a fault.
    pub fn overlay(&self, name: &str, values: &mut [f64], log: &mut Log<'_>) -> bool {
        self.element.declared(name, |kind| matches!(kind, Kind::AtMost(count) if *count == values.len()));
        let mut any = false;
        for attribute in self.layers(name) {
            let Some(numbers) = numbers(self.element, attribute, log) else { continue };
            if numbers.len() > values.len() || numbers.is_empty() {
                let expected = format!("at most {}", values.len());
                self.fault_count(attribute, expected, numbers.len(), log);
                continue;
            }
            values[..numbers.len()].copy_from_slice(&numbers);
            any = true;
        }
        any
    }

    /// The coefficients of a polynomial without a constant: the first, zero or more, and those of second and third
    /// degree.
    pub fn polynomial(&self, name: &str, log: &mut Log<'_>) -> (f64, [f64; 2]) {
        let mut coefficients = [0.0; 3];
        self.overlay(name, &mut coefficients, log);
        let [first, second, third] = coefficients;
        if first < 0.0 {
            self.fault_range(name, first, "zero or more", log);
        }
        (first.max(0.0), [second, third])
    }

    /// Exactly N numbers; `None` if it is not stated, or after a fault.
    pub fn exactly<const N: usize>(&self, name: &str, log: &mut Log<'_>) -> Option<[f64; N]> {
        let of_count = |kind: &Kind| match kind {
            Kind::Number => N == 1,
            Kind::Numbers(count) => *count == N,
            _ => false,
        };
        self.element.declared(name, of_count);
        let attribute = self.get(name)?;
        let numbers = numbers(self.element, attribute, log)?;
        let found = numbers.len();
        let exact = numbers.try_into().ok();
        if exact.is_none() {
            self.fault_count(attribute, N.to_string(), found, log);
        }
        exact
    }

    /// Any number of numbers.
    pub fn list(&self, name: &str, log: &mut Log<'_>) -> Option<Vec<f64>> {
        self.element.declared(name, |kind| matches!(kind, Kind::List | Kind::Numbers(_) | Kind::AtMost(_)));
        numbers(self.element, self.get(name)?, log)
    }

    /// One number.
    pub fn number(&self, name: &str, log: &mut Log<'_>) -> Option<f64> {
        self.exactly::<1>(name, log).map(|[x]| x)
    }

    /// One number, or `default`.
    pub fn number_or(&self, name: &str, default: f64, log: &mut Log<'_>) -> f64 {
        self.number(name, log).unwrap_or(default)
    }

    /// One number of zero or more, or `default`.
    pub fn magnitude_or(&self, name: &str, default: f64, log: &mut Log<'_>) -> f64 {
        let Some(value) = self.number(name, log) else { return default };
        if value < 0.0 {
            self.fault_range(name, value, "zero or more", log);
            return default;
        }
        value
    }

    /// One of the words, those that the schema declares, or `default`.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&'static str, T)], default: T, log: &mut Log<'_>) -> T {
        let are_these = |kind: &Kind| match kind {
            Kind::Word(declared) => declared().into_iter().eq(words.iter().map(|(word, _)| *word)),
            Kind::Flag => words.iter().map(|(word, _)| *word).eq(FLAG.map(|(word, _)| word)),
            _ => false,
        };
        self.element.declared(name, are_these);
        let Some(attribute) = self.get(name) else { return default };
        let text = attribute.value.trim();
        if let Some((_, found)) = words.iter().find(|(word, _)| *word == text) {
            return *found;
        }
        let options: Vec<&'static str> = words.iter().map(|(word, _)| *word).collect();
        let nearest = log.nearest(text, options.iter().copied());
        let (element, attribute_name, text) = (self.element.describe(), name.to_owned(), text.to_owned());
        let kind = MjcfFault::Word { element, attribute: attribute_name, text, options, nearest };
        log.fault(&attribute.at, kind);
        default
    }

    /// `true`, `false`, or `default`.
    pub fn flag(&self, name: &str, default: bool, log: &mut Log<'_>) -> bool {
        self.word(name, &FLAG, default, log)
    }

    /// The range that holds, by what `limited` says; `None`: there is none.
    pub fn range(
        &self,
        range: &'static str,
        limited: &'static str,
        autolimits: bool,
        log: &mut Log<'_>,
    ) -> Option<(f64, f64)> {
        let stated = self.word(limited, &AUTO, None, log);
        let found = self.exactly::<2>(range, log).map(|[lower, upper]| (lower, upper));
        if stated.is_none() && found.is_some() && !autolimits {
            let kind = MjcfFault::RangeAlone { element: self.element.describe(), range, limited };
            log.fault(&self.element.at, kind);
            return None;
        }
        match stated {
            Some(false) => None,
            Some(true) => found.or(Some((0.0, 0.0))),
            None => found,
        }
        .filter(|(lower, upper)| {
            let ordered = lower <= upper;
            if !ordered {
                self.fault_range(range, *upper, "at least as large as the number before it", log);
            }
            ordered
        })
    }

    /// A number that must be another one.
    pub fn fault_range(&self, name: &str, value: f64, expected: &'static str, log: &mut Log<'_>) {
        let (element, attribute) = (self.element.describe(), name.to_owned());
        let kind = MjcfFault::Range { element, attribute, value, expected };
        match self.get(name) {
            // What is at fault already is not so in another way.
            Some(attribute) => log.fault_once(&attribute.at, kind),
            None => log.fault(&self.element.at, kind),
        }
    }

    fn fault_count(&self, attribute: &Attribute, expected: String, found: usize, log: &mut Log<'_>) {
        let (element, name) = (self.element.describe(), attribute.name.clone());
        log.fault(&attribute.at, MjcfFault::Count { element, attribute: name, expected, found });
    }
}

/// All numbers of an attribute; `None` after a fault. Where it stands in a default class, its faults are reported once.
fn numbers(element: &Element, attribute: &Attribute, log: &mut Log<'_>) -> Option<Vec<f64>> {
    let parse = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or(word.to_owned());
    let parsed: Result<Vec<f64>, String> = attribute.value.split_whitespace().map(parse).collect();
    let named = || (element.describe(), attribute.name.clone());
    let numbers = match parsed {
        Ok(numbers) => numbers,
        Err(text) => {
            let (element, attribute_name) = named();
            log.fault_once(&attribute.at, MjcfFault::NotANumber { element, attribute: attribute_name, text });
            return None;
        }
    };
    let quantity = schema::quantity(&element.name, &attribute.name);
    let beyond = numbers.iter().find_map(|x| quantity.check(*x).err().map(|expected| (*x, expected)));
    if let Some((value, expected)) = beyond {
        let (element, attribute_name) = named();
        let kind = FaultKind::OutOfRange { element, attribute: attribute_name, value, expected };
        log.fault_once(&attribute.at, kind);
        return None;
    }
    if let Some(strange) = numbers.iter().find_map(|x| quantity.strange(*x)) {
        let (element, attribute_name) = named();
        log.note_once(&attribute.at, NoteKind::StrangeNumber { element, attribute: attribute_name, strange });
    }
    Some(numbers)
}
