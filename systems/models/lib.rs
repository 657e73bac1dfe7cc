//! Readers of robot description files: a file becomes a [`Model`](kinegraph_multibody::Model) and a load report.
//!
//! Nothing is dropped silently: data that a reader does not model make a [`Note`], data that it cannot accept a
//! [`Fault`]. All faults of a file are reported together, each with its line and column.

#[doc(hidden)]
pub mod access;
mod common;
#[doc(hidden)]
pub mod element_path;
mod faults;
#[doc(hidden)]
pub mod file;
#[doc(hidden)]
pub mod mesh;
#[doc(hidden)]
pub mod mjcf;
mod notes;
mod options;
#[doc(hidden)]
pub mod quantities;
mod report;
mod sdf;
mod several_roots;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod srdf;
mod text;
mod urdf;
#[doc(hidden)]
pub mod xml;

pub use access::{AccessFault, FileAccess};
pub use faults::{FaultKind, MjcfFault, SdfFault};
pub use file::{parse_model, read_model};
pub use mesh::{MeshFault, MeshImage, MeshPart, TriangleMesh, files_of_mesh, locate, read_mesh};
pub use mjcf::parse_mjcf;
pub use notes::{MjcfNote, NoteKind, SdfNote};
pub use options::{InertiaPolicy, LoadOptions, MeshCollision, MeshCollisions, MissingMeshes};
pub use report::{Fault, LoadError, Loaded, Note};
pub use sdf::parse_sdf;
pub use source::Place;
pub use srdf::read_disabled_collisions;
pub use urdf::{parse_urdf, parse_urdf_with, read_urdf, read_urdf_with};
