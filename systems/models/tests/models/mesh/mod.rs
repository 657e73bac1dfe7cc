//! Tests of `systems/models/mesh/`.

mod collada;
mod collide;
mod gltf;
mod msh;
mod ply;
mod stl;
mod vtk;
