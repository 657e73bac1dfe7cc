//! Mass properties of solids of density one.

use nalgebra::{Matrix3, Vector3};

/// Mass properties of a solid of density one, in its frame G. For a body of density ρ, volume and inertia times ρ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume \[m³\].
    pub volume: f64,
    /// Centre of mass \[m\].
    pub p_GoGcm: Vector3<f64>,
    /// Rotational inertia of density one about the centre of mass, in the axes of G \[m⁵\].
    pub I_GGcm: Matrix3<f64>,
}

impl MassProperties {
    /// Mass properties about the origin, from the second moments of volume `∫ x², ∫ y², ∫ z²` \[m⁵\], without products.
    pub fn centered(volume: f64, moments: Vector3<f64>) -> Self {
        let [x, y, z]: [f64; 3] = moments.into();
        let I_GGcm = Matrix3::from_diagonal(&Vector3::new(y + z, z + x, x + y));
        MassProperties { volume, p_GoGcm: Vector3::zeros(), I_GGcm }
    }

    /// Mass properties of the volume that closed triangles enclose, their corners anticlockwise seen from outside: a
    /// sum over the tetrahedra between them and the origin.
    pub fn enclosed(triangles: impl Iterator<Item = [Vector3<f64>; 3]>) -> Self {
        let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for [a, b, c] in triangles {
            let part = a.dot(&b.cross(&c)) / 6.0;
            let sum = a + b + c;
            volume += part;
            first += sum * (part / 4.0);
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose();
            second += squares * (part / 20.0);
        }
        let p_GoGcm = first / volume;
        let about = second - p_GoGcm * p_GoGcm.transpose() * volume;
        MassProperties { volume, p_GoGcm, I_GGcm: Matrix3::identity() * about.trace() - about }
    }
}
