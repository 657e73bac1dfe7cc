//! Declarations of parameters. A parameter is declared once, as a constant, and read by that constant. Its key, valid
//! values, default and meaning are stated nowhere else.
//!
//! ```
//! use kinegraph::files::form::{NUMBER, Needs, Number, Optional, POSITIVE, WithDefault, needs, optional, with_default};
//!
//! const STIFFNESS: Needs<Number> = needs("stiffness", POSITIVE, "force per displacement [N/m]");
//! const REST: WithDefault<Number> = with_default("rest", NUMBER, 0.0, "length without force [m]");
//! const LIMIT: Optional<Number> = optional("limit", POSITIVE, "none", "largest force [N]");
//! ```

use super::item::{Decode, IfMissing, Item, Parameter, Print};

/// A required parameter.
#[derive(Clone, Copy, Debug)]
pub struct Needs<D> {
    key: &'static str,
    is_live: bool,
    decoder: D,
    about: &'static str,
}

/// A parameter with a default.
#[derive(Clone, Copy, Debug)]
pub struct WithDefault<D: Decode> {
    key: &'static str,
    is_live: bool,
    decoder: D,
    default: D::Output,
    about: &'static str,
}

/// An optional parameter without a default value.
#[derive(Clone, Copy, Debug)]
pub struct Optional<D> {
    key: &'static str,
    is_live: bool,
    decoder: D,
    if_missing: &'static str,
    about: &'static str,
}

/// Declares a required parameter; `about` is its meaning, with its unit.
pub const fn needs<D: Decode>(key: &'static str, decoder: D, about: &'static str) -> Needs<D> {
    Needs { key, is_live: false, decoder, about }
}

/// Declares a parameter with the value `default` if its key is missing.
pub const fn with_default<D: Print>(
    key: &'static str,
    decoder: D,
    default: D::Output,
    about: &'static str,
) -> WithDefault<D> {
    WithDefault { key, is_live: false, decoder, default, about }
}

/// Declares an optional parameter; `if_missing` says what happens if its key is missing (`none`, `at rest`).
pub const fn optional<D: Decode>(
    key: &'static str,
    decoder: D,
    if_missing: &'static str,
    about: &'static str,
) -> Optional<D> {
    Optional { key, is_live: false, decoder, if_missing, about }
}

impl<D> Needs<D> {
    /// Marks the number as one that may change during a run. The block with the new value must have the same ports.
    pub const fn live(mut self) -> Self {
        self.is_live = true;
        self
    }
}

impl<D> Optional<D> {
    /// Marks the number as one that may change during a run. The block with the new value must have the same ports.
    pub const fn live(mut self) -> Self {
        self.is_live = true;
        self
    }
}

impl<D: Print> WithDefault<D> {
    /// Marks the number as one that may change during a run. The block with the new value must have the same ports.
    pub const fn live(mut self) -> Self {
        self.is_live = true;
        self
    }
}

impl<D: Print> WithDefault<D>
where
    D::Output: Clone,
{
    /// Default value.
    pub fn default(&self) -> D::Output {
        self.default.clone()
    }
}

impl<D: Decode> Optional<D> {
    /// Description of valid values, in words that fit "expected …".
    pub(super) fn expects(&self) -> String {
        self.decoder.expects()
    }
}

/// Key of a map: its declaration, or the key itself.
pub trait Key {
    /// The key.
    fn key(&self) -> &str;
}

impl Key for str {
    fn key(&self) -> &str {
        self
    }
}

impl<K: Key + ?Sized> Key for &K {
    fn key(&self) -> &str {
        (**self).key()
    }
}

/// Declaration that [`Reader::get`](super::reader::Reader::get) can read.
pub trait Declaration {
    /// Result of reading: the value, or an option if it may be missing or wrong.
    type Value;
    /// Its key.
    fn name(&self) -> &'static str;
    /// Its meaning, with its unit.
    fn about(&self) -> &'static str;
    /// True if it may change during a run.
    fn is_live(&self) -> bool {
        false
    }
    /// Describes the parameter for documents and lists.
    fn describe(&self) -> Parameter;
    /// Description of valid values, if the key is required.
    fn required(&self) -> Option<String> {
        None
    }
    /// Decodes the value; `found` is the value of the key.
    fn decode(&self, found: Option<Item<'_>>) -> Self::Value;
    /// Length of the list, if the value is one with a number for each signal.
    fn list_length(&self, value: &Self::Value) -> Option<usize>;
}

impl<D: Decode> Declaration for Needs<D> {
    /// `None` after a fault was recorded.
    type Value = Option<D::Output>;
    fn name(&self) -> &'static str {
        self.key
    }
    fn about(&self) -> &'static str {
        self.about
    }
    fn is_live(&self) -> bool {
        self.is_live
    }
    fn describe(&self) -> Parameter {
        describe(self.key, self.is_live, &self.decoder, IfMissing::Required, self.about)
    }
    fn required(&self) -> Option<String> {
        Some(self.decoder.expects())
    }
    fn decode(&self, found: Option<Item<'_>>) -> Self::Value {
        self.decoder.decode(found?)
    }
    fn list_length(&self, value: &Self::Value) -> Option<usize> {
        self.decoder.list_length(value.as_ref()?)
    }
}

impl<D: Print> Declaration for WithDefault<D>
where
    D::Output: Clone,
{
    /// The default also after a fault was recorded.
    type Value = D::Output;
    fn name(&self) -> &'static str {
        self.key
    }
    fn about(&self) -> &'static str {
        self.about
    }
    fn is_live(&self) -> bool {
        self.is_live
    }
    fn describe(&self) -> Parameter {
        describe(self.key, self.is_live, &self.decoder, IfMissing::Value(self.decoder.print(&self.default)), self.about)
    }
    fn decode(&self, found: Option<Item<'_>>) -> Self::Value {
        found.and_then(|item| self.decoder.decode(item)).unwrap_or_else(|| self.default())
    }
    fn list_length(&self, value: &Self::Value) -> Option<usize> {
        self.decoder.list_length(value)
    }
}

impl<D: Decode> Declaration for Optional<D> {
    /// `None` if it is missing, and after a fault was recorded.
    type Value = Option<D::Output>;
    fn name(&self) -> &'static str {
        self.key
    }
    fn about(&self) -> &'static str {
        self.about
    }
    fn is_live(&self) -> bool {
        self.is_live
    }
    fn describe(&self) -> Parameter {
        describe(self.key, self.is_live, &self.decoder, IfMissing::Words(self.if_missing), self.about)
    }
    fn decode(&self, found: Option<Item<'_>>) -> Self::Value {
        self.decoder.decode(found?)
    }
    fn list_length(&self, value: &Self::Value) -> Option<usize> {
        self.decoder.list_length(value.as_ref()?)
    }
}

fn describe(
    key: &'static str,
    is_live: bool,
    decoder: &impl Decode,
    if_missing: IfMissing,
    about: &'static str,
) -> Parameter {
    Parameter { key, is_live, if_missing, expects: decoder.expects(), about, keys: decoder.keys() }
}

impl<D> Key for Needs<D> {
    fn key(&self) -> &str {
        self.key
    }
}

impl<D: Decode> Key for WithDefault<D> {
    fn key(&self) -> &str {
        self.key
    }
}

impl<D> Key for Optional<D> {
    fn key(&self) -> &str {
        self.key
    }
}
