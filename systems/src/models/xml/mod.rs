//! XML: text that is well-formed, its elements with checked attributes, and faults of its form.

mod document;
mod element;
mod lenient;
mod malformed;

pub(in crate::models) use document::with_root;
pub(in crate::models) use element::{Attribute, Element, Known};
pub(in crate::models) use lenient::mended;
pub(in crate::models) use malformed::explain;
