//! Names: each kind of thing has its own, and what has none gets one.

use super::element::{At, Element};
use super::log::Log;
use super::schema::Kind;
use crate::faults::MjcfFault;
use std::collections::HashMap;

/// The names of one kind of thing, with their indices.
#[derive(Debug, Default)]
pub(super) struct Names {
    indices: HashMap<String, usize>,
    places: Vec<At>,
    /// The number that is free next beside a name, as far as was asked.
    next: HashMap<String, usize>,
}

impl Names {
    /// The names of elements: their own, or what stands beside them where they have none, with a number where that is
    /// taken.
    pub fn of(what: &'static str, elements: &[(&Element, String)], log: &mut Log<'_>) -> (Names, Vec<String>) {
        let mut names = Names::default();
        let own = |element: &Element| element.any_value("name").filter(|name| !name.is_empty()).map(str::to_owned);
        for (index, (element, _)) in elements.iter().enumerate() {
            names.places.push(element.at.clone());
            let Some(name) = own(element) else { continue };
            if let Some(first) = names.indices.get(&name) {
                let first = log.place(&names.places[*first]);
                log.fault(&element.at, MjcfFault::Duplicate { what, name, first });
            } else {
                names.indices.insert(name, index);
            }
        }
        let mut all = Vec::with_capacity(elements.len());
        for (index, (element, otherwise)) in elements.iter().enumerate() {
            all.push(own(element).unwrap_or_else(|| {
                let free = names.free(otherwise);
                names.indices.insert(free.clone(), index);
                free
            }));
        }
        (names, all)
    }

    /// The first of `name`, `name2`, … that nothing has.
    pub fn free(&mut self, name: &str) -> String {
        if !self.indices.contains_key(name) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{name}{next}");
            if !self.indices.contains_key(&numbered) {
                return numbered;
            }
            *next += 1;
        }
    }

    /// The index of a name.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.indices.get(name).copied()
    }

    /// The index of what an attribute names; `None` where it is not stated, or after a fault.
    pub fn named(
        &self,
        what: &'static str,
        element: &Element,
        attribute: &'static str,
        log: &mut Log<'_>,
    ) -> Option<usize> {
        let written = element.declared(attribute, |kind| matches!(kind, Kind::Reference(_))).attribute(attribute)?;
        let name = written.value.trim();
        let found = self.get(name);
        if found.is_none() {
            let nearest = log.nearest(name, self.indices.keys().map(String::as_str));
            let (element, name) = (element.describe(), name.to_owned());
            log.fault(&written.at, MjcfFault::Unknown { element, what, name, nearest });
        }
        found
    }

    /// The index of what a required attribute names; `None` after a fault.
    pub fn required(
        &self,
        what: &'static str,
        element: &Element,
        attribute: &'static str,
        log: &mut Log<'_>,
    ) -> Option<usize> {
        if element.attribute(attribute).is_none() {
            log.fault(&element.at, MjcfFault::Missing { element: element.describe(), attribute });
        }
        self.named(what, element, attribute, log)
    }
}

impl Names {
    /// Puts one more name before all others.
    pub fn shift(&mut self, first: &str) {
        self.indices.values_mut().for_each(|index| *index += 1);
        self.places.insert(0, At::default());
        self.indices.entry(first.to_owned()).or_insert(0);
    }
}
