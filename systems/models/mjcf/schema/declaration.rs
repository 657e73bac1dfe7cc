//! Declarations of elements and attributes, and the words by which the tables of this folder say them.

use crate::quantities::Least;

/// Status of an element or an attribute: how far it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A reader asks for it.
    Read,
    /// An effect on motion that is not simulated: a note says so.
    Ignored,
    /// No effect on motion, or a part of something that is noted as a whole.
    Silent,
    /// The format has it, and it is not read: a note says so.
    Unread,
}

/// The value of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One number.
    Number,
    /// So many numbers.
    Numbers(usize),
    /// So many numbers or fewer: the rest keeps what a class or the format says.
    AtMost(usize),
    /// Any number of numbers.
    List,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// The name of the element itself.
    Name,
    /// The name of something else, of this sort.
    Reference(&'static str),
    /// Text of another sort: a file, a list of names, a function.
    Text,
    /// Anything: it is not read.
    Any,
}

/// An attribute, or several of which nothing more is said.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name, or names between spaces.
    pub names: &'static str,
    /// Its status.
    pub status: Status,
    /// The kind of its value.
    pub kind: Kind,
    /// Units that its numbers may have; empty: none, or one that depends on others.
    pub units: &'static str,
    /// Numbers near to zero: refused or not.
    pub least: Least,
    /// Its meaning, in a few words.
    pub meaning: &'static str,
}

impl Attribute {
    /// The unit of its numbers, or several of which any may be meant.
    pub const fn unit(self, units: &'static str) -> Self {
        Attribute { units, ..self }
    }

    /// The unit of an amount: what is too small does not exist.
    pub const fn amount(self, units: &'static str) -> Self {
        Attribute { units, least: Least::Refused, ..self }
    }
}

const fn attribute(names: &'static str, status: Status, kind: Kind, meaning: &'static str) -> Attribute {
    Attribute { names, status, kind, units: "", least: Least::Any, meaning }
}

pub(super) const fn number(name: &'static str, meaning: &'static str) -> Attribute {
    attribute(name, Status::Read, Kind::Number, meaning)
}

pub(super) const fn numbers(name: &'static str, count: usize, meaning: &'static str) -> Attribute {
    attribute(name, Status::Read, Kind::Numbers(count), meaning)
}

pub(super) const fn at_most(name: &'static str, count: usize, meaning: &'static str) -> Attribute {
    attribute(name, Status::Read, Kind::AtMost(count), meaning)
}

pub(super) const fn list(name: &'static str, meaning: &'static str) -> Attribute {
    attribute(name, Status::Read, Kind::List, meaning)
}

pub(super) const fn flag(name: &'static str, meaning: &'static str) -> Attribute {
    attribute(name, Status::Read, Kind::Flag, meaning)
}

pub(super) const fn word(name: &'static str, words: fn() -> Vec<&'static str>, meaning: &'static str) -> Attribute {
    attribute(name, Status::Read, Kind::Word(words), meaning)
}

pub(super) const fn name(meaning: &'static str) -> Attribute {
    attribute("name", Status::Read, Kind::Name, meaning)
}

pub(super) const fn reference(name: &'static str, to: &'static str, meaning: &'static str) -> Attribute {
    attribute(name, Status::Read, Kind::Reference(to), meaning)
}

pub(super) const fn text(name: &'static str, meaning: &'static str) -> Attribute {
    attribute(name, Status::Read, Kind::Text, meaning)
}

pub(super) const fn ignored(names: &'static str) -> Attribute {
    attribute(names, Status::Ignored, Kind::Any, "")
}

pub(super) const fn silent(names: &'static str) -> Attribute {
    attribute(names, Status::Silent, Kind::Any, "")
}

/// A name of something that is not read, which changes with the names of an attached file.
pub(super) const fn silent_reference(names: &'static str, to: &'static str) -> Attribute {
    attribute(names, Status::Silent, Kind::Reference(to), "")
}

pub(super) const fn unread(names: &'static str) -> Attribute {
    attribute(names, Status::Unread, Kind::Any, "")
}

/// An element, or several that have the same attributes.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Its name, or names between spaces.
    pub names: &'static str,
    /// The elements that it stands in.
    pub within: &'static str,
    /// Its status.
    pub status: Status,
    /// True where each attribute that is not read is noted, and one that the format does not have a fault.
    pub is_checked: bool,
    /// True of other versions than MuJoCo 4.0.0, which does not have it.
    pub is_older: bool,
    /// Its attributes, in groups that other elements may have too.
    pub groups: &'static [&'static [Attribute]],
}

/// An element that is read.
pub(super) const fn element(
    names: &'static str,
    within: &'static str,
    groups: &'static [&'static [Attribute]],
) -> Element {
    Element { names, within, status: Status::Read, is_checked: true, is_older: false, groups }
}

impl Element {
    /// An element whose attributes nobody compares with those of the format.
    pub(super) const fn unchecked(self) -> Self {
        Element { is_checked: false, ..self }
    }

    /// An element that other versions of the format have.
    pub(super) const fn older(self) -> Self {
        Element { is_older: true, ..self.unchecked() }
    }

    /// An element that affects motion and is not simulated.
    pub(super) const fn ignored(self) -> Self {
        Element { status: Status::Ignored, ..self.unchecked() }
    }

    /// An element that says nothing of motion.
    pub(super) const fn silent(self) -> Self {
        Element { status: Status::Silent, ..self.unchecked() }
    }

    /// Its names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.names.split_whitespace()
    }

    /// Its attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &'static Attribute> + use<> {
        self.groups.iter().copied().flatten()
    }

    /// True if it may stand in that element.
    pub fn stands_in(&self, parent: &str) -> bool {
        self.within.split_whitespace().any(|within| within == parent)
    }
}
