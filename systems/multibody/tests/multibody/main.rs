//! Tests of the crate `kinegraph-multibody`, linked with the library that all others use.

mod fibre;
mod free_body;
mod joint;
mod plant;
mod product;
mod rigid_links;
mod rigid_parts;
mod rotation_vector;
mod spatial;
mod tendon_path;
mod thread_kinematics;
