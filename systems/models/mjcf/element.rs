//! Elements of the XML files of a model, owned: what one file includes stands among what includes it.

use super::schema::{self, Kind};
use roxmltree::Node;
use std::ops::Range;

/// A place in one of the files of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct At {
    /// Index of the file.
    pub file: usize,
    /// Bytes of it.
    pub span: Range<usize>,
}

/// An attribute as written.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub name: String,
    pub value: String,
    pub at: At,
}

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub name: String,
    pub at: At,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Element>,
}

/// Elements in elements beyond this are refused: readers of trees need room for every level.
pub(super) const MAX_LEVELS: usize = 200;

/// A model of more elements than this, with all that is included, attached, repeated and composed, is none.
pub(super) const MAX_ELEMENTS: usize = 100_000;

impl Element {
    /// The element of a node of file number `file`; an element that is nested too deep otherwise.
    pub fn of(node: Node<'_, '_>, file: usize) -> Result<Element, At> {
        Self::at_level(node, file, 0)
    }

    fn at_level(node: Node<'_, '_>, file: usize, level: usize) -> Result<Element, At> {
        let text = node.document().input_text();
        let Range { start, end } = node.range();
        let start = (start + 1).min(end);
        let rest = text.get(start..end).unwrap_or_default();
        let length = rest.find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').unwrap_or(rest.len());
        let at = At { file, span: start..start + length };
        if level > MAX_LEVELS {
            return Err(at);
        }
        let attributes = node.attributes().map(|a| Attribute {
            name: text.get(a.range_qname()).unwrap_or_default().to_owned(),
            value: a.value().to_owned(),
            at: At { file, span: a.range_value() },
        });
        let (name, attributes) = (rest[..length].to_owned(), attributes.collect());
        let children = node.children().filter(Node::is_element);
        let children = children.map(|child| Self::at_level(child, file, level + 1)).collect::<Result<_, _>>()?;
        Ok(Element { name, at, attributes, children })
    }

    /// The attribute of this name, which the schema declares as read.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.declared(name, |_| true).any_attribute(name)
    }

    /// Its value.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.trim())
    }

    /// The attribute of this name of an element that need not have it.
    pub fn any_attribute(&self, name: &str) -> Option<&Attribute> {
        if cfg!(debug_assertions) {
            schema::ask(&self.name, name, |_| true);
        }
        self.attributes.iter().find(|a| a.name == name)
    }

    /// Its value.
    pub fn any_value(&self, name: &str) -> Option<&str> {
        self.any_attribute(name).map(|a| a.value.trim())
    }

    /// The element, of which the schema declares that attribute as read and of the kind that is expected.
    pub fn declared(&self, name: &str, expected: impl Fn(&Kind) -> bool) -> &Self {
        let asked = || schema::ask(&self.name, name, expected);
        debug_assert!(asked(), "the schema does not declare `{name}` of <{}> as a reader asks for it", self.name);
        self
    }

    /// The children of this name.
    pub fn all<'e>(&'e self, name: &'static str) -> impl Iterator<Item = &'e Element> + 'e {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// How messages call it: `geom "foot"`, or `<geom>`.
    pub fn describe(&self) -> String {
        use crate::source::{cut, quoted};
        match self.any_value("name").or_else(|| self.any_value("class")) {
            Some(name) => format!("{} {}", cut(&self.name), quoted(name)),
            None => format!("<{}>", cut(&self.name)),
        }
    }
}
