//! Readers of robot description files: a file becomes a [`Model`](crate::multibody::Model) and a load report.
//!
//! Nothing is dropped silently: what a reader does not model becomes a [`Note`], what it cannot accept becomes a
//! [`Fault`], and all faults of a file are reported together, each with its line and column.

mod access;
mod common;
mod element_path;
mod faults;
mod file;
mod mesh;
mod mjcf;
mod notes;
mod options;
mod quantities;
mod report;
mod sdf;
mod several_roots;
mod source;
mod srdf;
mod text;
mod urdf;
mod xml;

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
