//! The pressure field of a collision shape.

use crate::proximity::{Hydroelastic, Proximity};
use kinegraph_geometry::hydroelastic::{Compliance, Field, FieldError, Tessellation, Volume};
use kinegraph_geometry::{Aabb, Shape, aabb};
use nalgebra::Isometry3;
use std::sync::Arc;

/// A shape with its pressure field.
#[derive(Clone, Debug)]
pub(super) struct PressureField {
    pub field: Arc<Field>,
    /// Modulus \[Pa\]; infinite for a rigid shape.
    pub modulus: f64,
    /// Largest distance by which its mesh extends beyond the shape \[m\].
    pub bulge: f64,
}

/// Default edge length of curved surfaces, relative to the half thickness.
pub(super) const RESOLUTION: f64 = 0.2;

/// Pressure field of a shape with this compliance; `None` for one that touches in points.
///
/// # Errors
/// The shape cannot be meshed with this compliance.
pub(super) fn pressure_field(
    shape: &Shape,
    proximity: &Proximity,
    volume: Volume,
) -> Result<Option<PressureField>, FieldError> {
    let modulus = proximity.modulus.unwrap_or(f64::NAN);
    let (compliance, modulus) = match proximity.hydroelastic {
        Some(Hydroelastic::None) | None => return Ok(None),
        _ if matches!(shape, Shape::Mesh(_)) => (Compliance::Rigid, f64::INFINITY),
        Some(Hydroelastic::Rigid) => (Compliance::Rigid, f64::INFINITY),
        Some(Hydroelastic::Compliant) => {
            (Compliance::Compliant { modulus, slab_thickness: proximity.slab_thickness }, modulus)
        }
    };
    let thickness = shape.half_thickness();
    let resolution = proximity.resolution.unwrap_or(RESOLUTION * thickness);
    let tessellation = Tessellation { resolution, margin: proximity.margin.unwrap_or(0.0), volume };
    let field = Arc::new(Field::new(shape, compliance, &tessellation)?);
    let bulge = match field.bounds() {
        Some([min, max]) => {
            let Aabb { min: low, max: high } = aabb(shape, &Isometry3::identity());
            // The diagonal extent is at most √3 times that along an axis.
            3.0_f64.sqrt() * (low - min).max().max((max - high).max()).max(0.0)
        }
        None => tessellation.margin,
    };
    Ok(Some(PressureField { field, modulus, bulge }))
}
