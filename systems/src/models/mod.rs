//! Readers of robot description files: a file becomes a [`Model`](crate::multibody::Model) and a load report.
//!
//! Nothing is dropped silently: what a reader does not model becomes a [`Note`], what it cannot accept becomes a
//! [`Fault`], and all faults of a file are reported together, each with its line and column.

mod fault;
mod mesh;
mod note;
mod report;
mod source;
mod urdf;

pub use fault::FaultKind;
pub use mesh::MeshFault;
pub use note::NoteKind;
pub use report::{Fault, LoadError, Loaded, Note};
pub use source::Place;
pub use urdf::{parse_urdf, read_urdf};
