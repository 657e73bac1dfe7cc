//! Recognition of elements and attributes: what the format does not have is a fault, what is not read a note.

use super::attach::{ATTACHMENT, CLASSES};
use super::element::{Attribute, Element};
use super::log::Log;
use super::schema::{self, Status};
use crate::faults::MjcfFault;
use crate::notes::MjcfNote;

/// Notes attributes that are not read, and faults those that the format does not have.
pub(super) fn check_attributes(element: &Element, log: &mut Log<'_>) {
    if !schema::is_checked(&element.name) {
        return;
    }
    for attribute in element.attributes.iter().filter(|attribute| attribute.name != ATTACHMENT) {
        let name = attribute.name.as_str();
        match schema::status(&element.name, name) {
            Some(Status::Read | Status::Silent) => {}
            Some(Status::Ignored) => log.ignored(&attribute.at, &element.name, Some(name)),
            Some(Status::Unread) => {
                let kind = MjcfNote::Unknown { element: element.name.clone(), attribute: Some(name.to_owned()) };
                log.note(&attribute.at, kind);
            }
            None => unknown_attribute(element, attribute, log),
        }
    }
}

/// Faults attributes that the format does not have, and notes none.
pub(super) fn check_spelling(element: &Element, log: &mut Log<'_>) {
    let Some(words) = schema::attributes(&element.name) else { return };
    let unknown = element.attributes.iter().filter(|attribute| !words.contains(&attribute.name.as_str()));
    unknown.for_each(|attribute| unknown_attribute(element, attribute, log));
}

fn unknown_attribute(element: &Element, attribute: &Attribute, log: &mut Log<'_>) {
    let words = schema::attributes(&element.name).unwrap_or_default();
    let nearest = log.nearest(&attribute.name, words);
    let (element, name) = (element.describe(), attribute.name.clone());
    log.fault(&attribute.at, MjcfFault::UnknownAttribute { element, attribute: name, nearest });
}

/// Faults an element that the format does not have; notes one that it does not have there.
pub(super) fn unknown_element(element: &Element, log: &mut Log<'_>) {
    let elements = schema::elements();
    if !elements.contains(&element.name.as_str()) {
        let nearest = log.nearest(&element.name, elements);
        let kind = MjcfFault::UnknownElement { element: element.name.clone(), nearest };
        return log.fault(&element.at, kind);
    }
    log.note(&element.at, MjcfNote::Unknown { element: element.name.clone(), attribute: None });
}

/// Notes the children that are not read there.
pub(super) fn check_children(element: &Element, log: &mut Log<'_>) {
    for child in element.children.iter().filter(|child| child.name != CLASSES) {
        match schema::status_within(&child.name, &element.name) {
            Some(Status::Read | Status::Silent) => {}
            Some(Status::Ignored) => log.ignored(&child.at, &child.name, None),
            Some(Status::Unread) | None => unknown_element(child, log),
        }
    }
}
