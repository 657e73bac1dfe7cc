//! Look-ups in the tables by the names of elements and attributes.
//!
//! An element that stands in several places (a `joint` of a body, of an equality, of a tendon) has the attributes of
//! all. Actuators share one default, so that each knows what any of them reads.

use super::all;
use super::declaration::{Attribute, Element, Kind, Status};
use crate::quantities::Quantity;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The kind of all actuators in default classes.
pub const ACTUATOR: &str = "general";

/// Attributes that files have on elements that do not have them in MuJoCo. They say nothing of motion, wherever.
const TOLERATED: [&str; 16] = [
    "name",
    "class",
    "group",
    "rgba",
    "material",
    "user",
    "childclass",
    "model",
    "width",
    "nsample",
    "mode",
    "active",
    "delay",
    "interp",
    "resolution",
    "info",
];

/// Declarations under one name.
#[derive(Default)]
struct Entry {
    elements: Vec<&'static Element>,
    attributes: HashMap<&'static str, Vec<(&'static Element, &'static Attribute)>>,
    quantities: HashMap<&'static str, Quantity>,
}

static ENTRIES: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
    let mut entries: HashMap<&'static str, Entry> = HashMap::new();
    for (element, name) in all().flat_map(|element| element.names().map(move |name| (element, name))) {
        let entry = entries.entry(name).or_default();
        entry.elements.push(element);
        for attribute in element.attributes() {
            for name in attribute.names.split_whitespace() {
                entry.attributes.entry(name).or_default().push((element, attribute));
                if !attribute.units.is_empty() {
                    entry.quantities.insert(name, Quantity::new(attribute.units, attribute.least));
                }
            }
        }
    }
    entries
});

static REFERENCES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let refers = |attribute: &&Attribute| matches!(attribute.kind, Kind::Name | Kind::Reference(_));
    all().flat_map(Element::attributes).filter(refers).map(|attribute| attribute.names).collect()
});

/// The names of all elements of the format, in order.
pub fn elements() -> Vec<&'static str> {
    let of_format =
        |(name, entry): (&&'static str, &Entry)| entry.elements.iter().any(|e| !e.is_older).then_some(*name);
    let mut names: Vec<&'static str> = ENTRIES.iter().filter_map(of_format).collect();
    names.sort_unstable();
    names
}

/// The attributes of an element in the format, in order; `None` if there is none of that name.
pub fn attributes(element: &str) -> Option<Vec<&'static str>> {
    let entry = ENTRIES.get(element)?;
    let of_format = |declared: &[(&Element, &Attribute)]| declared.iter().any(|(element, _)| !element.is_older);
    let attributes = entry.attributes.iter().filter(|(_, declared)| of_format(declared));
    let mut names: Vec<&'static str> = attributes.map(|(name, _)| *name).collect();
    names.sort_unstable();
    Some(names)
}

/// True if attributes of the element that are not read are noted, and unknown ones faults.
pub fn is_checked(element: &str) -> bool {
    ENTRIES.get(element).is_some_and(|entry| entry.elements.iter().any(|element| element.is_checked))
}

/// The status of an attribute of an element that is checked; `None` if the format does not have it.
pub fn status(element: &str, attribute: &str) -> Option<Status> {
    let declared = declared(element, attribute);
    let checked = declared.iter().find(|(element, _)| element.is_checked);
    checked.map(|(_, attribute)| attribute.status).or_else(|| {
        let by_others = is_actuator(element) && of_actuators(attribute).any(|of| of.status == Status::Read);
        if by_others || TOLERATED.contains(&attribute) {
            return Some(Status::Silent);
        }
        declared.iter().any(|(element, _)| !element.is_older).then_some(Status::Unread)
    })
}

/// The status of an element in another; `None` if the format does not have it there.
pub fn status_within(element: &str, parent: &str) -> Option<Status> {
    let entry = ENTRIES.get(element)?;
    entry.elements.iter().find(|element| element.stands_in(parent)).map(|element| element.status)
}

/// True of the elements of `<actuator>`.
pub fn is_actuator(element: &str) -> bool {
    status_within(element, "actuator").is_some()
}

/// The kind under which default classes keep an element.
pub fn default_kind(element: &str) -> Option<&'static str> {
    if is_actuator(element) {
        return Some(ACTUATOR);
    }
    status_within(element, "default")?;
    ENTRIES.get_key_value(element).map(|(name, _)| *name)
}

/// True of attributes whose values are names of things of the same file.
pub fn refers(attribute: &str) -> bool {
    REFERENCES.contains(attribute)
}

/// The quantity that numbers of an attribute stand for.
pub fn quantity(element: &str, attribute: &str) -> &'static Quantity {
    let of = |element: &str| ENTRIES.get(element).and_then(|entry| entry.quantities.get(attribute));
    let of_others = || actuators().find_map(|actuator| of(actuator.names));
    of(element).or_else(|| is_actuator(element).then(of_others).flatten()).unwrap_or_else(|| Quantity::plain())
}

/// Declarations of an attribute of the elements of a name.
fn declared(element: &str, attribute: &str) -> &'static [(&'static Element, &'static Attribute)] {
    ENTRIES.get(element).and_then(|entry| entry.attributes.get(attribute)).map_or(&[], Vec::as_slice)
}

fn actuators() -> impl Iterator<Item = &'static Element> {
    all().filter(|element| element.stands_in("actuator"))
}

fn of_actuators(attribute: &str) -> impl Iterator<Item = &'static Attribute> {
    actuators().flat_map(Element::attributes).filter(move |of| of.names == attribute)
}

/// Declarations by which a reader may ask for an attribute; `None` if there is no such element.
pub(super) fn readable(
    element: &str,
    attribute: &str,
) -> Option<(&'static str, impl Iterator<Item = &'static Attribute>)> {
    let (name, _) = ENTRIES.get_key_value(element)?;
    let own = declared(element, attribute).iter().map(|(_, attribute)| *attribute);
    let others = is_actuator(element).then(|| of_actuators(attribute));
    let all = own.chain(others.into_iter().flatten());
    Some((*name, all.filter(|attribute| attribute.status == Status::Read)))
}
