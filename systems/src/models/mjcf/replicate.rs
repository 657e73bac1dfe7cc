//! `<replicate count offset euler sep>`: what it holds, several times over, each time moved on from the one before.
//!
//! Copy i stands in a frame turned by the angles `i euler`, `R_i`, at `p_i = p_(i-1) + R_(i-1) offset`. To the names in
//! it comes `sep` and the number of the copy, with as many digits as the largest number has.

use super::element::{Attribute, Element};
use super::fields::Fields;
use super::log::Log;
use super::orientation;
use super::settings::Settings;
use crate::models::faults::MjcfFault;
use nalgebra::Vector3;

/// A model of more elements than this is none: replicates in replicates grow without bound.
const MAX_ELEMENTS: usize = 1_000_000;

/// The world with every replicate in it written out; `None` where there is none.
pub(super) fn expanded(root: &Element, settings: &Settings, log: &mut Log<'_>) -> Option<Element> {
    has_replicate(root).then(|| {
        let mut expansion = Expansion { settings, made: 0 };
        expansion.element(root, log)
    })
}

fn has_replicate(element: &Element) -> bool {
    element.name == "replicate" || element.children.iter().any(has_replicate)
}

struct Expansion<'s> {
    settings: &'s Settings,
    made: usize,
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
        let f = Fields::alone(replicate);
        let count = f.number_or("count", 1.0, log);
        if !(1.0..=MAX_ELEMENTS as f64).contains(&count) || count.fract() != 0.0 {
            f.fault_range("count", count, "a whole number from 1 to 1000000", log);
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
            let text = format!("makes more than {MAX_ELEMENTS} elements");
            log.fault(&replicate.at, MjcfFault::Other { element: replicate.describe(), text });
            return Vec::new();
        }
        self.made += (self.made - before) * (count - 1);
        let sep = replicate.value("sep").unwrap_or_default();
        let digits = count.to_string().len();
        let mut p = Vector3::zeros();
        let mut copies = Vec::with_capacity(count);
        for i in 0..count {
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
            copy.children.iter_mut().for_each(|child| rename(child, &format!("{sep}{i:0digits$}")));
            copies.push(copy);
            p += r * offset;
        }
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
