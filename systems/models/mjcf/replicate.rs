//! `<replicate count offset euler sep>`: what it holds, several times over, each time moved on from the one before.
//!
//! Copy i stands in a frame turned by the angles `i euler`, `R_i`, at `p_i = p_(i-1) + R_(i-1) offset`. To the names in
//! it comes `sep` and the number of the copy, with as many digits as the largest number has. What outside of the bodies
//! (an actuator, a tendon, a sensor) names something that is repeated is repeated with it, after all that is not. An
//! actuator, an equality or one place of a tendon that names something else besides (`body1` of two) is left out, as in
//! MuJoCo 4.0.0, with a note.

use super::attach::collect_names;
use super::element::{Attribute, Element, MAX_ELEMENTS};
use super::fields::Fields;
use super::log::Log;
use super::orientation;
use super::recognition;
use super::schema;
use super::settings::Settings;
use crate::faults::MjcfFault;
use nalgebra::Vector3;
use std::collections::HashSet;

const PARTED: &str = "names both what is repeated and what is not: it is left out, as in MuJoCo";

/// The world with every replicate in it written out; `None` where there is none.
pub(super) fn expanded(root: &Element, settings: &Settings, log: &mut Log<'_>) -> Option<Element> {
    has_replicate(root).then(|| {
        let mut expansion = Expansion { settings, made: 0, repeated: Vec::new() };
        let mut root = expansion.element(root, log);
        for repeated in expansion.repeated {
            repeated.apply(&mut root, &mut expansion.made, log);
        }
        root
    })
}

/// A replicate that was written out: the names in it before, and the suffixes of the names of each copy.
struct Repeated {
    names: HashSet<String>,
    suffixes: Vec<String>,
}

impl Repeated {
    /// Repeats what names it.
    fn apply(mut self, root: &mut Element, made: &mut usize, log: &mut Log<'_>) {
        // Tendons before what names tendons, actuators before sensors of them.
        for section in ["tendon", "contact", "equality", "actuator", "sensor"] {
            for element in root.children.iter_mut().filter(|child| child.name == section) {
                let mut all = std::mem::take(&mut element.children);
                if section != "contact" && section != "sensor" {
                    all.retain(|child| {
                        let parted = self.is_parted(child);
                        if parted {
                            log.differs(child, PARTED);
                        }
                        !parted
                    });
                }
                let (repeated, own): (Vec<_>, Vec<_>) = all.into_iter().partition(|child| self.is_named_by(child));
                element.children = own;
                *made += repeated.len() * self.suffixes.len();
                if *made > MAX_ELEMENTS {
                    let kind = MjcfFault::TooManyElements { element: element.describe(), most: MAX_ELEMENTS };
                    log.fault(&element.at, kind);
                    return;
                }
                for suffix in &self.suffixes {
                    let copies = repeated.iter().map(|child| {
                        let mut copy = child.clone();
                        self.rename(&mut copy, suffix);
                        copy
                    });
                    element.children.extend(copies);
                }
                self.names.extend(repeated.iter().filter_map(|child| child.any_value("name").map(str::to_owned)));
            }
        }
    }

    fn names(&self, attribute: &Attribute) -> bool {
        is_reference(&attribute.name) && self.names.contains(attribute.value.trim())
    }

    fn is_named_by(&self, element: &Element) -> bool {
        element.attributes.iter().any(|a| self.names(a)) || element.children.iter().any(|c| self.is_named_by(c))
    }

    /// True if an element, or one in it, names both what is repeated and what is not.
    fn is_parted(&self, element: &Element) -> bool {
        let refers = |a: &&Attribute| is_reference(&a.name) && !matches!(a.value.trim(), "" | "world");
        let named = element.attributes.iter().filter(refers).filter(|a| self.names(a)).count();
        let parted = named > 0 && named < element.attributes.iter().filter(refers).count();
        parted || element.children.iter().any(|child| self.is_parted(child))
    }

    fn rename(&self, element: &mut Element, suffix: &str) {
        for attribute in &mut element.attributes {
            if attribute.name == "name" || self.names(attribute) {
                attribute.value = format!("{}{suffix}", attribute.value.trim());
            }
        }
        element.children.iter_mut().for_each(|child| self.rename(child, suffix));
    }
}

/// True if an attribute names something that can be repeated.
fn is_reference(attribute: &str) -> bool {
    schema::refers(attribute) && !matches!(attribute, "name" | "class" | "childclass" | "material" | "mesh")
}

fn has_replicate(element: &Element) -> bool {
    element.name == "replicate" || element.children.iter().any(has_replicate)
}

struct Expansion<'s> {
    settings: &'s Settings,
    made: usize,
    /// Replicates within others before these.
    repeated: Vec<Repeated>,
}

impl Expansion<'_> {
    fn element(&mut self, element: &Element, log: &mut Log<'_>) -> Element {
        self.made += 1;
        let mut children = Vec::with_capacity(element.children.len());
        for child in &element.children {
            match child.name.as_str() {
                "replicate" => children.extend(self.copies(child, log)),
                _ => children.push(self.element(child, log)),
            }
        }
        let (name, at, attributes) = (element.name.clone(), element.at.clone(), element.attributes.clone());
        Element { name, at, attributes, children }
    }

    fn copies(&mut self, replicate: &Element, log: &mut Log<'_>) -> Vec<Element> {
        recognition::check_attributes(replicate, log);
        let f = Fields::alone(replicate);
        let count = f.number_or("count", 1.0, log);
        if !(1.0..=MAX_ELEMENTS as f64).contains(&count) || count.fract() != 0.0 {
            f.fault_range("count", count, "a whole number from 1 to 100000", log);
            return Vec::new();
        }
        let count = count as usize;
        let offset = Vector3::from(f.exactly::<3>("offset", log).unwrap_or_default());
        let settings = self.settings.of(replicate);
        let angles = f.exactly::<3>("euler", log).unwrap_or_default().map(|angle| settings.angle(angle));
        // The copies hold as many elements as the first.
        let before = self.made;
        let first = self.element(replicate, log);
        if (self.made - before).saturating_mul(count) + self.made > MAX_ELEMENTS {
            let kind = MjcfFault::TooManyElements { element: replicate.describe(), most: MAX_ELEMENTS };
            log.fault(&replicate.at, kind);
            return Vec::new();
        }
        self.made += (self.made - before) * (count - 1);
        let sep = replicate.value("sep").unwrap_or_default();
        let digits = count.to_string().len();
        let suffixes: Vec<String> = (0..count).map(|i| format!("{sep}{i:0digits$}")).collect();
        let mut names = HashSet::new();
        first.children.iter().for_each(|child| collect_names(child, &mut names));
        let mut p = Vector3::zeros();
        let mut copies = Vec::with_capacity(count);
        for (i, suffix) in suffixes.iter().enumerate() {
            let r = orientation::from_euler(angles.map(|angle| angle * i as f64), settings.euler);
            let mut copy = first.clone();
            copy.name = "frame".to_owned();
            copy.attributes.retain(|attribute| attribute.name == "childclass");
            for (name, value) in [
                ("pos", format!("{:?} {:?} {:?}", p.x, p.y, p.z)),
                ("quat", format!("{:?} {:?} {:?} {:?}", r.w, r.i, r.j, r.k)),
            ] {
                copy.attributes.push(Attribute { name: name.to_owned(), value, at: replicate.at.clone() });
            }
            copy.children.iter_mut().for_each(|child| rename(child, suffix));
            copies.push(copy);
            p += r * offset;
        }
        self.repeated.push(Repeated { names, suffixes });
        copies
    }
}

/// Adds to the name of an element and to those within.
fn rename(element: &mut Element, suffix: &str) {
    for attribute in element.attributes.iter_mut().filter(|attribute| attribute.name == "name") {
        attribute.value.push_str(suffix);
    }
    element.children.iter_mut().for_each(|child| rename(child, suffix));
}
