//! Tests of the crate `kinegraph-models`, linked with the library that all others use.

mod access;
mod element_path;
mod file;
mod mesh;
mod mjcf;
mod quantities;
mod source;
mod srdf;
mod xml;
