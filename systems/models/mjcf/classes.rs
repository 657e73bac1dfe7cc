//! Default classes: what elements have that do not say it themselves.
//!
//! The outermost `<default>` (class "main") applies to everything; a class within a class has what that says, attribute
//! by attribute, and more. An element takes what its `class` says, or, if it names none, the nearest `childclass`
//! around it, or main. The two are never mixed: `class` replaces `childclass`.
//!
//! All kinds of actuators share one default, which each of their elements in a class changes in turn.

use super::attach;
use super::element::{Attribute, Element};
use super::fields::Fields;
use super::log::Log;
use super::recognition;
use super::schema;
use crate::faults::MjcfFault;
use std::collections::HashMap;

/// The name of the outermost class where it has none of its own.
const MAIN: &str = "main";

/// One class, with everything that it inherits.
#[derive(Clone, Debug, Default)]
struct Class {
    /// The attributes of each kind of element, those of the outermost class first.
    of: HashMap<&'static str, Vec<Attribute>>,
    /// The actuator elements, those of the outermost class first.
    actuators: Vec<Element>,
}

/// All classes.
#[derive(Debug, Default)]
pub(super) struct Classes {
    classes: Vec<Class>,
    names: HashMap<String, usize>,
    /// Outermost classes of attached files that are read.
    read: Vec<usize>,
}

impl Classes {
    /// Reads the classes of a model.
    pub fn read(root: &Element, log: &mut Log<'_>) -> Self {
        let mut classes = Classes { classes: vec![Class::default()], ..Classes::default() };
        classes.names.insert(MAIN.to_owned(), 0);
        for (i, element) in root.all("default").enumerate() {
            if let (0, Some(name)) = (i, element.value("class")) {
                classes.names.insert(name.to_owned(), 0);
            }
            classes.read_class(element, 0, log);
        }
        // Files that are attached keep their own classes.
        for element in root.all(attach::CLASSES) {
            let Some(name) = element.value("class") else { continue };
            let next = match classes.names.get(name).copied() {
                Some(known) => known,
                None => {
                    classes.classes.push(Class::default());
                    classes.names.insert(name.to_owned(), classes.classes.len() - 1);
                    classes.classes.len() - 1
                }
            };
            // A file that is attached twice with one prefix has them already.
            if !classes.read.contains(&next) {
                classes.read.push(next);
                classes.read_class(element, next, log);
            }
        }
        classes.classes.push(Class::default());
        classes
    }

    fn read_class(&mut self, element: &Element, index: usize, log: &mut Log<'_>) {
        recognition::check_attributes(element, log);
        // What a class inherits does not depend on where its own elements stand between nested classes.
        for child in element.children.iter().filter(|child| child.name != "default") {
            recognition::check_attributes(child, log);
            let Some(kind) = schema::default_kind(&child.name) else {
                recognition::unknown_element(child, log);
                continue;
            };
            let class = &mut self.classes[index];
            if kind == schema::ACTUATOR {
                class.actuators.push(child.clone());
            } else {
                class.of.entry(kind).or_default().extend(child.attributes.iter().cloned());
            }
        }
        for child in element.all("default") {
            let Some(name) = child.attribute("class") else {
                let kind = MjcfFault::Missing { element: "a <default> within another".to_owned(), attribute: "class" };
                log.fault(&child.at, kind);
                continue;
            };
            // A class may be continued in another place, as files that are included do.
            let written = name.value.trim().to_owned();
            let next = match self.names.get(&written).copied() {
                Some(known) => known,
                None => {
                    self.classes.push(self.classes[index].clone());
                    self.names.insert(written, self.classes.len() - 1);
                    self.classes.len() - 1
                }
            };
            self.read_class(child, next, log);
        }
    }

    /// The class that an element within the class `childclass` takes its defaults from.
    fn of_element(&self, element: &Element, childclass: usize, log: &mut Log<'_>) -> usize {
        match element.any_attribute("class") {
            Some(class) => self.find(element, class, log).unwrap_or(childclass),
            None => childclass,
        }
    }

    /// The class that an attribute names.
    fn find(&self, element: &Element, class: &Attribute, log: &mut Log<'_>) -> Option<usize> {
        let name = class.value.trim();
        let found = self.names.get(name).copied();
        if found.is_none() {
            let nearest = log.nearest(name, self.names.keys().map(String::as_str));
            let (element, name) = (element.describe(), name.to_owned());
            log.fault(&class.at, MjcfFault::Unknown { element, what: "class", name, nearest });
        }
        found
    }

    /// A class that says nothing.
    pub fn bare(&self) -> usize {
        self.classes.len() - 1
    }

    /// The class of what is in an element that is itself within the class `outer`.
    pub fn childclass(&self, element: &Element, outer: usize, log: &mut Log<'_>) -> usize {
        element.any_attribute("childclass").and_then(|class| self.find(element, class, log)).unwrap_or(outer)
    }

    /// An element with its defaults, those of `kind`.
    pub fn fields<'a>(
        &'a self,
        element: &'a Element,
        kind: &'static str,
        childclass: usize,
        log: &mut Log<'_>,
    ) -> Fields<'a> {
        let class = self.of_element(element, childclass, log);
        Fields { element, defaults: self.classes[class].of.get(kind).map_or(&[], Vec::as_slice) }
    }

    /// The attributes that a class gives to elements of `kind`.
    pub fn defaults(&self, element: &Element, kind: &str, log: &mut Log<'_>) -> &[Attribute] {
        let class = self.of_element(element, 0, log);
        self.classes[class].of.get(kind).map_or(&[], Vec::as_slice)
    }

    /// The actuator elements that an actuator builds on, the outermost first.
    pub fn actuator_defaults(&self, element: &Element, log: &mut Log<'_>) -> &[Element] {
        let class = self.of_element(element, 0, log);
        &self.classes[class].actuators
    }
}
