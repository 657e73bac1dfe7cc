//! Tests of the crate `kinegraph-geometry`, linked with the library that all others use.

mod ball;
mod box_box;
mod box_tree;
mod broad_phase;
mod cap;
mod conformance;
mod curved;
mod hull;
mod hydroelastic;
mod local_minima;
mod mass_properties;
mod mesh_touch;
mod neighbours;
mod overlap;
mod ray;
mod ray_tree;
mod shapes;
mod shares;
mod spin;
mod touches;
