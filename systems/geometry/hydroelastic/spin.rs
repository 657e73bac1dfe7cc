//! Friction arm of a contact surface: the distance from the centre of pressure at which friction resists a spin.

use super::Surface;
use super::surface::Face;
use crate::any_normal::any_normal;
use crate::spin::{Plane, first_moment};
use nalgebra::{Vector2, Vector3};

/// Angle between the normals of a surface, as a root mean square \[rad\], from which on it counts as bent: it has no
/// plane in which a body could spin.
const BENT: f64 = 0.1;

impl Surface {
    /// Friction arm: the fraction of the way from the centre of pressure to the centroids of the faces at which their
    /// friction acts, so that one point per face resists a spin about the normal as the pressure does. A face that is
    /// large compared with its distance from the centre resists more than its centroid shows. 1 for a bent surface.
    pub fn friction_part(&self) -> f64 {
        let pressed = || self.faces.iter().filter(|face| face.pressure > 0.0);
        let (mut force, mut moment, mut along) = (0.0, Vector3::zeros(), Vector3::zeros());
        for face in pressed() {
            let part = face.elastic_force();
            force += part;
            moment += face.p_WC * part;
            along += face.normal * part;
        }
        let bend = 2.0 * (1.0 - along.norm() / force);
        if bend.is_nan() || bend >= BENT * BENT {
            return 1.0;
        }
        let (n, center) = (along.normalize(), moment / force);
        let u = any_normal(&n);
        let v = n.cross(&u);
        let flat = |p: &Vector3<f64>| Vector2::new(u.dot(&(p - center)), v.dot(&(p - center)));
        let (mut of_area, mut of_points) = (0.0, 0.0);
        for face in pressed() {
            let corners = self.corners_of(face);
            // The pressure over the plane of the spin, against which the face is inclined.
            let gradient = face.pressure_gradient();
            let lean = gradient.dot(&n) / face.normal.dot(&n);
            let slope = [u, v].map(|axis| gradient.dot(&axis) - lean * face.normal.dot(&axis));
            let (slope, centroid) = (Vector2::from(slope), flat(&face.p_WC));
            let pressure = Plane { at: face.pressure - slope.dot(&centroid), slope };
            let next = |i: usize| &corners[if i + 1 == corners.len() { 0 } else { i + 1 }];
            let edge = |i: usize| first_moment(&flat(&corners[i]), &flat(next(i)), &pressure);
            of_area += (0..corners.len()).map(edge).sum::<f64>().abs();
            of_points += face.elastic_force() * centroid.norm();
        }
        let part = of_area / of_points;
        if part.is_finite() { 1.0 + (part - 1.0) * (1.0 - bend / (BENT * BENT)) } else { 1.0 }
    }

    fn corners_of(&self, face: &Face) -> &[Vector3<f64>] {
        &self.corners[face.corners.start as usize..face.corners.end as usize]
    }
}
