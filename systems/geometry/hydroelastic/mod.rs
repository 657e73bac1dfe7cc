//! Hydroelastic contact: bodies with a virtual pressure inside, and the surface on which two pressures balance.
//!
//! A compliant body has a pressure field: zero on its surface, its modulus in its core, and linear in each of the
//! tetrahedra that it is cut into ([`Field`]). Where two bodies overlap, the surface on which their pressures are equal
//! carries that pressure ([`Surface`]). Only the values of the fields matter: nothing deforms, nothing has a history,
//! so the force is a continuous function of the poses, and the same poses give the same bits.
//!
//! | pair | polygons |
//! |---|---|
//! | compliant, compliant | slice of a tetrahedron by the plane of equal pressure, clipped by the other one |
//! | compliant, rigid | triangle of the surface, clipped by a tetrahedron |
//! | compliant, rigid half-space | slice of a tetrahedron |
//! | compliant half-space, rigid | triangle below the surface |
//! | compliant, compliant half-space | slice by the plane of equal pressure |
//!
//! Two rigid geometries, and two half-spaces, have no contact surface ([`UnsupportedPair`]).

mod ball;
mod capsule;
mod convex;
mod cuboid;
mod cylinder;
mod fault;
pub(crate) mod field;
mod mesh;
mod pairs;
#[doc(hidden)]
pub mod polygon;
mod spin;
mod splits;
mod surface;

pub use super::cells::{Cells, Tessellation, Volume};
pub use fault::{FieldError, UnsupportedPair};
pub use field::{Compliance, Field};
pub use mesh::{PressureMesh, SurfaceMesh};
pub use surface::{Face, Surface};

use nalgebra::Isometry3;
use pairs::Slab;
use std::cmp::Ordering;
use surface::Emitter;

/// Finds the contact surface of A and B, and stores it in `surface`, whose memory is reused.
///
/// The surface of B and A is the same with the normals reversed, to the last bit. Poses that are not finite give an
/// empty surface.
///
/// # Errors
/// If the two have no contact surface at any poses.
pub fn contact_surface(
    a: &Field,
    X_WA: &Isometry3<f64>,
    b: &Field,
    X_WB: &Isometry3<f64>,
    surface: &mut Surface,
) -> Result<(), UnsupportedPair> {
    surface.faces.clear();
    surface.corners.clear();
    a.meets(b)?;
    let m_is_a = a_is_m(a, X_WA, b, X_WB);
    let (m, X_WM, n, X_WN) = if m_is_a { (a, X_WA, b, X_WB) } else { (b, X_WB, a, X_WA) };
    let X = X_WM.inv_mul(X_WN);
    let mut candidates = std::mem::take(&mut surface.candidates);
    let found = &mut candidates;
    let mut out = Emitter { surface, X_WF: *X_WM, m_is_a, size: size(m).max(size(n)), has_margin: false };
    match (m, n) {
        (Field::Compliant(m), Field::Compliant(n)) => {
            out.has_margin = m.has_margin || n.has_margin;
            pairs::compliant(m, n, &X, found, &mut out);
        }
        (Field::Compliant(m), Field::Rigid(n)) => {
            out.has_margin = m.has_margin;
            pairs::rigid_surface(m, n, &X, found, &mut out);
        }
        (Field::Compliant(m), Field::RigidHalfSpace) => {
            out.has_margin = m.has_margin;
            pairs::rigid_half_space(m, &X, found, &mut out);
        }
        (Field::Compliant(m), Field::CompliantHalfSpace { gradient, margin }) => {
            out.has_margin = m.has_margin || *margin > 0.0;
            pairs::compliant_half_space(m, Slab { gradient: *gradient, margin: *margin }, &X, found, &mut out);
        }
        (Field::CompliantHalfSpace { gradient, margin }, Field::Rigid(n)) => {
            out.has_margin = *margin > 0.0;
            pairs::rigid_on_half_space(Slab { gradient: *gradient, margin: *margin }, n, &X, found, &mut out);
        }
        _ => {}
    }
    surface.candidates = candidates;
    Ok(())
}

/// True if A is M, the geometry whose frame is used: the compliant one; of two compliant ones a mesh; of two meshes one
/// that does not depend on their order.
fn a_is_m(a: &Field, X_WA: &Isometry3<f64>, b: &Field, X_WB: &Isometry3<f64>) -> bool {
    match (a, b) {
        (Field::Compliant(a), Field::Compliant(b)) => {
            let numbers = |mesh: &PressureMesh, X: &Isometry3<f64>| {
                let (p, q) = (X.translation.vector, X.rotation.coords);
                [mesh.tets.len() as f64, mesh.size, mesh.fields[0].gradient.norm(), p.x, p.y, p.z, q.x, q.y, q.z]
            };
            let (of_a, of_b) = (numbers(a, X_WA), numbers(b, X_WB));
            let order = of_a.iter().zip(&of_b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
            order.unwrap_or(Ordering::Equal).is_le()
        }
        (Field::Compliant(_), _) => true,
        (_, Field::Compliant(_)) => false,
        (Field::CompliantHalfSpace { .. }, _) => true,
        _ => false,
    }
}

/// Size of a geometry, for tolerances \[m\].
fn size(field: &Field) -> f64 {
    match field {
        Field::Compliant(mesh) => mesh.size,
        Field::Rigid(mesh) => mesh.size,
        _ => 0.0,
    }
}
