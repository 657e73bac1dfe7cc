//! The page of Kinegraph: one HTML file, built from this folder. It is a crate of its own, so that the program is
//! linked anew where the page changes, and little of it compiled.

/// The built page; empty where `dist/index.html` was not there when this crate was built.
pub const HTML: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));
