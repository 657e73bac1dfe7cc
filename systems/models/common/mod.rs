//! What URDF and SDFormat share: elements that mean the same in both, meshes, inertias.

pub(super) mod files;
pub(super) mod filters;
pub(super) mod inertia;
pub(super) mod meshes;
pub(super) mod proximity;
pub(super) mod sensors;
