//! XML: well-formed text, its elements with checked attributes, and faults of its form.

mod attributes;
mod document;
mod element;
pub mod lenient;
mod malformed;

pub(crate) use attributes::too_many as too_many_attributes;
pub(crate) use document::with_root;
pub(crate) use element::{Attribute, Element, Known};
pub(crate) use lenient::mended;
pub(crate) use malformed::explain;
