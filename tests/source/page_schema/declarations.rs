//! Types that are written as JSON, as far as the stream to the page has them.

use serde::{Deserialize, Serialize};

/// A type of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Type {
    Number,
    Boolean,
    Text,
    /// Bytes of numbers in base64.
    Base64,
    List(Box<Type>),
    Tuple(Vec<Type>),
    Nullable(Box<Type>),
    /// A declared type, by name.
    Named(String),
    /// A declared struct, written as the list of its fields.
    Row(String),
}

/// A key of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    #[serde(skip)]
    pub about: Vec<String>,
    pub of: Type,
    /// True if the key may be left out.
    pub optional: bool,
}

/// Content of a variant of an enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Content {
    Nothing,
    One(Type),
    Fields(Vec<Field>),
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// As JSON writes it.
    pub name: String,
    #[serde(skip)]
    pub about: Vec<String>,
    pub content: Content,
}

/// Kind of a declared type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    Struct(Vec<Field>),
    Enum {
        /// The key that names the variant; `None`: the variant is the only key of an object, or a text.
        tag: Option<String>,
        variants: Vec<Variant>,
    },
}

/// A struct or an enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Declaration {
    pub name: String,
    #[serde(skip)]
    pub about: Vec<String>,
    pub kind: Kind,
}

/// All that the page reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// The version of the format.
    pub version: u32,
    /// In place of a number of contact points: those of the instant before.
    pub as_before: u32,
    /// Outcomes of an attempt at a step, by the words of the stream.
    pub outcomes: Declaration,
    /// The types of the stream.
    pub declarations: Vec<Declaration>,
}
