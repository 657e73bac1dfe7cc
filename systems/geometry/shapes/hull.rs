//! Convex polyhedra.

use crate::convex::Convex;
use crate::feature::{Feature, hull_feature};
use crate::placed::Placed;
use crate::ray::Chord;
use crate::{Aabb, CollisionShape, ConvexHull, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};

impl CollisionShape for ConvexHull {
    fn name(&self) -> &'static str {
        "convex polyhedron"
    }

    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(self.center() + self.farthest(direction))
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let R = X_WG.rotation.to_rotation_matrix();
        let center = X_WG.transform_point(&self.center().into()).coords;
        let mut bounds = Aabb { min: center, max: center };
        for i in 0..3 {
            let [low, top] = self.extent(&R.matrix().row(i).transpose());
            bounds.min[i] += low;
            bounds.max[i] += top;
        }
        bounds
    }

    fn bounding_radius(&self) -> f64 {
        self.vertices().map(|v| v.norm()).fold(0.0, f64::max)
    }

    /// Radius of the largest ball about the centre that fits inside.
    fn half_thickness(&self) -> f64 {
        self.faces.iter().map(|face| face.offset).fold(f64::INFINITY, f64::min)
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        let at = |v: u32| self.corners()[v as usize];
        let fan = |corners: &'_ [u32]| {
            let first = at(corners[0]);
            corners[1..].windows(2).map(|pair| [first, at(pair[0]), at(pair[1])]).collect::<Vec<_>>()
        };
        let centered = MassProperties::enclosed(self.faces().flat_map(fan));
        Some(MassProperties { p_GoGcm: centered.p_GoGcm + self.center(), ..centered })
    }

    /// Clips the line of the ray by the planes of all faces [Cyrus and Beck 1978, "Generalized two- and
    /// three-dimensional clipping"].
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let (near, shift) =
            ray.in_frame(&Isometry3::translation(self.center().x, self.center().y, self.center().z)).recentred();
        let mut chord = Chord::whole();
        for face in &self.faces {
            chord = chord.cut(&near, &face.normal, face.offset)?;
        }
        chord.first(shift)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Hull {
            vertices: self.vertices().map(Into::into).collect(),
            faces: self.faces().map(<[u32]>::to_vec).collect(),
        }
    }
}

impl<'a> Convex<'a> for &'a ConvexHull {
    fn reach_local(&self, n: &Vector3<f64>) -> f64 {
        ConvexHull::reach(self, n)
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn size(&self) -> f64 {
        self.radius
    }

    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64> {
        let (mut sum, mut count) = (Vector3::zeros(), 0.0);
        for i in self.top(&placed.turned(n), ConvexHull::BAND * self.radius) {
            sum += self.corners()[i];
            count += 1.0;
        }
        placed.unturned(&(sum / count))
    }

    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        self.farthest(direction)
    }

    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        ConvexHull::nearest(self, p)
    }

    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a> {
        hull_feature(placed, self, n)
    }

    /// Visits nothing: `plane::hull_touches` finds the points of a hull, of which there may be any number.
    fn plane_contacts(&self, _placed: &Placed, _n: &Vector3<f64>, _visit: impl FnMut(Vector3<f64>, f64, u32)) {}
}
