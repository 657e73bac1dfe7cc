//! Common parts of URDF and SDFormat: elements with the same meaning in both, meshes, inertias.

pub(super) mod files;
pub(super) mod filters;
pub(super) mod inertia;
pub(super) mod meshes;
pub(super) mod proximity;
pub(super) mod sensors;
