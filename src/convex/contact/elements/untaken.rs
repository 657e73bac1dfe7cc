//! Elements that a method cannot take: found when it is made, not in its first step.

use super::element::Element;
use super::form::Form;
use super::{ElementVisitor, visit};
use kinegraph_core::convex::PlantStructure;
use std::fmt;

/// Reason why a method cannot take an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untaken {
    /// Its kind is not on the list of elements.
    Unlisted {
        /// Kinds that plants can name.
        known: Vec<&'static str>,
    },
    /// Its kind has no law of the form that the method takes.
    NoForm {
        /// Form of the method.
        form: Form,
    },
    /// Its numbers are not those that its kind needs.
    Parameters {
        /// Names of these numbers; `None` of a kind that is not given by numbers.
        expected: Option<&'static [&'static str]>,
        /// Number of values that it has.
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
    /// Kind: its name on the list, or the name in the plant if it is not on the list.
    pub kind: String,
    /// Place: the name of the degree of freedom (`plant.arm.joint1`).
    pub name: String,
    /// Reason.
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
    /// Name of the plant.
    pub name: &'a str,
    /// Its structure, with the elements and the names of its velocities.
    pub structure: &'a PlantStructure,
}

impl Plant<'_> {
    /// Name of a degree of freedom.
    fn name_of(&self, velocity: usize) -> String {
        let name = self.structure.velocity_names.get(velocity).map_or("", String::as_str);
        format!("{}.{}", self.name, name.strip_suffix(".v").unwrap_or(name))
    }
}

/// Search for elements of all kinds that lack the form.
pub struct Search<'a> {
    /// Plant that has the elements.
    pub plant: Plant<'a>,
    /// Form that they should have.
    pub form: Form,
    /// Kinds visited so far, with the numbers that each needs.
    pub kinds: Vec<(&'static str, Option<&'static [&'static str]>)>,
    /// Elements without the form.
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
