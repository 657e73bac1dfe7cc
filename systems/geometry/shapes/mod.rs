//! The built-in shapes, one per file. The supported pairs are in the table of [`pairs`](super::pairs).

mod capsule;
mod cone;
mod cuboid;
mod custom;
mod cylinder;
mod ellipsoid;
mod half_space;
mod hull;
mod mesh;
mod sphere;

pub(super) use capsule::Capsule;
pub(super) use cone::Cone;
pub(super) use cuboid::Cuboid;
pub(super) use cylinder::Cylinder;
pub(super) use ellipsoid::Ellipsoid;
pub(super) use half_space::HalfSpace;
pub(super) use sphere::Sphere;
