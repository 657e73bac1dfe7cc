//! The grammar of the format: every element with its attributes, each declared once.
//!
//! To add an attribute: one line in the table of its element, and one line in the reader that asks for it. From the
//! tables follow the faults of what the format does not have, the notes of what is not read, the units of numbers, the
//! words of choices, the names that change with those of an attached file, and the tables of `docs/mjcf.md`. Builds
//! with debug assertions compare what readers ask for with what is declared ([`ask`]).
//!
//! The elements are those of MuJoCo 4.0.0 (`mj_printSchema`), and those of other versions that are read.

mod actuators;
mod asked;
mod assets;
mod bodies;
mod common;
mod contacts;
mod declaration;
mod flexible;
mod geoms;
mod lookup;
mod pictures;
mod print;
mod sensors;
mod settings;
mod tendons;
pub mod words;

pub use asked::{ask, asked};
pub use declaration::{Attribute, Element, Kind, Status};
pub use lookup::{
    ACTUATOR, attributes, default_kind, elements, is_actuator, is_checked, quantity, refers, status, status_within,
};
pub use print::tables;

/// The elements in groups, each with its title in documents.
pub const GROUPS: [(&str, &[Element]); 10] = [
    ("The file", settings::ELEMENTS),
    ("Bodies and joints", bodies::ELEMENTS),
    ("Geoms and sites", geoms::ELEMENTS),
    ("Assets", assets::ELEMENTS),
    ("Contacts, equalities, keyframes", contacts::ELEMENTS),
    ("Tendons", tendons::ELEMENTS),
    ("Actuators", actuators::ELEMENTS),
    ("Sensors", sensors::ELEMENTS),
    ("Cables, flexible bodies, plugins", flexible::ELEMENTS),
    ("Pictures and data of users", pictures::ELEMENTS),
];

/// All elements.
pub fn all() -> impl Iterator<Item = &'static Element> {
    GROUPS.iter().flat_map(|(_, elements)| elements.iter())
}
