//! Elements that a method cannot take: found when it is made, not in its first step.

use super::element::Element;
use super::form::Form;
use super::{ElementVisitor, visit};
use kinegraph_core::convex::PlantStructure;
use std::fmt;

/// Why a method cannot take an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untaken {
    /// Its kind is not on the list of elements.
    Unlisted {
        /// The kinds that plants can name.
        known: Vec<&'static str>,
    },
    /// Its kind has no law of the form that the method takes.
    NoForm {
        /// The form.
        form: Form,
    },
    /// It has not the numbers that its kind needs.
    Parameters {
        /// What they are; `None` of a kind that plants have otherwise.
        expected: Option<&'static [&'static str]>,
        /// How many it has.
        found: usize,
    },
}

impl fmt::Display for Untaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untaken::Unlisted { known } => write!(f, "is not on the list of elements ({})", known.join(", ")),
            Untaken::NoForm { form } => write!(f, "does not have {form}"),
            Untaken::Parameters { expected: Some(expected), found } => {
                write!(f, "needs the numbers ({}), and has {found}", expected.join(", "))
            }
            Untaken::Parameters { expected: None, .. } => write!(f, "is not made from numbers: the plant has its own"),
        }
    }
}

/// An element that a method cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UntakenElement {
    /// Its kind: what the list calls it, or the plant where it is not on the list.
    pub kind: String,
    /// Where it is: the name of the degree of freedom (`plant.arm.joint1`).
    pub name: String,
    /// Why.
    pub why: Untaken,
}

impl fmt::Display for UntakenElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` on `{}`, which {}", self.kind, self.name, self.why)
    }
}

/// Adds to `out` the elements of the plant `name` that a method of this `form` cannot take.
pub fn untaken_elements(name: &str, structure: &PlantStructure, form: Form, out: &mut Vec<UntakenElement>) {
    let mut search = Search { plant: Plant { name, structure }, form, kinds: Vec::new(), out };
    visit(&mut search);
    let Search { kinds, out, .. } = search;
    let known = kinds.iter().filter(|(_, parameters)| parameters.is_some()).map(|(kind, _)| *kind);
    let known: Vec<_> = known.collect();
    for element in &structure.elements {
        let why = match kinds.iter().find(|(kind, _)| *kind == element.kind) {
            None => Untaken::Unlisted { known: known.clone() },
            Some((_, expected)) if expected.map(<[_]>::len) != Some(element.parameters.len()) => {
                Untaken::Parameters { expected: *expected, found: element.parameters.len() }
            }
            Some(_) => continue,
        };
        let name = Plant { name, structure }.name_of(element.velocity);
        out.push(UntakenElement { kind: element.kind.clone(), name, why });
    }
}

/// A plant by its name.
pub struct Plant<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its elements, and the names of its velocities.
    pub structure: &'a PlantStructure,
}

impl Plant<'_> {
    /// The name of a degree of freedom.
    fn name_of(&self, velocity: usize) -> String {
        let name = self.structure.velocity_names.get(velocity).map_or("", String::as_str);
        format!("{}.{}", self.name, name.strip_suffix(".v").unwrap_or(name))
    }
}

/// Looks for elements of all kinds that have not the form.
pub struct Search<'a> {
    /// Whose elements.
    pub plant: Plant<'a>,
    /// The form that they should have.
    pub form: Form,
    /// The kinds there are, with the numbers that each needs.
    pub kinds: Vec<(&'static str, Option<&'static [&'static str]>)>,
    /// The elements without the form.
    pub out: &'a mut Vec<UntakenElement>,
}

impl ElementVisitor for Search<'_> {
    fn visit<E: Element>(&mut self) {
        let Search { plant, form, kinds, out } = self;
        kinds.push((E::KIND, E::PARAMETERS));
        if form.has(E::KIND) {
            return;
        }
        E::velocities(plant.structure, &mut |velocity| {
            let (kind, name) = (E::NAME.to_owned(), plant.name_of(velocity));
            out.push(UntakenElement { kind, name, why: Untaken::NoForm { form: *form } });
        });
    }
}
