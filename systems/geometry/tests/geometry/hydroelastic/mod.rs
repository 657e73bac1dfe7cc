//! Closed forms, the figures of another engine, and contracts.

mod closed_forms;
mod continuity;
mod contracts;
mod oracles;
mod polygon;

use kinegraph_geometry::hydroelastic::{Compliance, Face, Field, Surface, Tessellation, Volume, contact_surface};
use kinegraph_geometry::{ConvexHull, Shape};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::sync::Arc;

pub fn inscribed(resolution: f64) -> Tessellation {
    Tessellation { volume: Volume::Inscribed, ..Tessellation::new(resolution) }
}

pub fn soft(modulus: f64) -> Compliance {
    Compliance::Compliant { modulus, slab_thickness: None }
}

pub fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half_extents: Vector3::new(x, y, z) * 0.5 }
}

pub fn at(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::translation(x, y, z)
}

pub fn turned(axis: Vector3<f64>, angle: f64, p: Vector3<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(p), UnitQuaternion::from_scaled_axis(axis * angle))
}

pub fn field(shape: &Shape, compliance: Compliance, tessellation: &Tessellation) -> Field {
    Field::new(shape, compliance, tessellation).unwrap()
}

/// A compliant half-space with this gradient.
pub fn soft_ground(modulus: f64, slab: f64) -> Field {
    let compliance = Compliance::Compliant { modulus, slab_thickness: Some(slab) };
    field(&Shape::HalfSpace, compliance, &Tessellation::new(1.0))
}

pub fn surface(a: &Field, X_WA: &Isometry3<f64>, b: &Field, X_WB: &Isometry3<f64>) -> Surface {
    let mut surface = Surface::default();
    contact_surface(a, X_WA, b, X_WB, &mut surface).unwrap();
    surface
}

/// The vertical force on a body on the ground.
pub fn push(ground: &Field, body: &Field, X_WB: &Isometry3<f64>) -> f64 {
    surface(ground, &Isometry3::identity(), body, X_WB).wrench(&Vector3::zeros()).0.z
}

pub fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs() / expected.abs();
    assert!(error <= tolerance, "{what}: {found} and {expected}, relative error {error:e}");
}

/// An octahedron that is not regular.
pub fn polyhedron() -> Shape {
    let points =
        [[0.1, 0.0, 0.0], [-0.1, 0.01, 0.0], [0.0, 0.12, 0.02], [0.0, -0.1, 0.0], [0.0, 0.0, 0.09], [0.01, 0.0, -0.1]];
    Shape::Convex(Arc::new(ConvexHull::new(&points.map(Vector3::from)).unwrap()))
}
