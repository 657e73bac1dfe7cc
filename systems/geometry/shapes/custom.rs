//! Shapes of programs, as convex solids: their convex hulls, known by support mappings.

use crate::any_normal::axes_about;
use crate::convex::Convex;
use crate::feature::{Feature, rim_directions};
use crate::gjk_point;
use crate::placed::Placed;
use crate::{CollisionShape, ContactFeature};
use nalgebra::Vector3;

impl<'a> Convex<'a> for &'a dyn CollisionShape {
    fn reach_local(&self, n: &Vector3<f64>) -> f64 {
        CollisionShape::support(*self, n).map_or(f64::NAN, |p| p.dot(n))
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn size(&self) -> f64 {
        self.bounding_radius()
    }

    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64> {
        placed.unturned(&self.corner(&placed.turned(n)))
    }

    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        CollisionShape::support(*self, direction).unwrap_or_default()
    }

    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        gjk_point::nearest(*self, p)
    }

    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a> {
        let place = |p: Vector3<f64>| placed.unlocal(&p);
        match CollisionShape::feature(*self, &placed.turned(n)) {
            Some(ContactFeature::Point(p)) => Feature::Point(place(p)),
            Some(ContactFeature::Segment(ends)) => Feature::Segment(ends.map(place)),
            Some(ContactFeature::Rectangle { center, axes, half_lengths }) => Feature::Rectangle {
                center: place(center),
                axes: axes.map(|axis| placed.unturned(&axis)),
                half: half_lengths,
            },
            Some(ContactFeature::Disc { center, normal, radius }) => {
                let center = place(center);
                let rim = rim_directions(&axes_about(&placed.unturned(&normal)), n);
                Feature::Disc { center, axes: [rim[0], rim[1]], radius, rim: rim.map(|d| center + d * radius) }
            }
            None => Feature::Point(placed.center),
        }
    }

    fn plane_contacts(&self, placed: &Placed, n: &Vector3<f64>, mut visit: impl FnMut(Vector3<f64>, f64, u32)) {
        CollisionShape::plane_contacts(*self, &placed.turned(&-n), &mut |contact| {
            visit(placed.unturned(&contact.p_GC), contact.share, contact.feature);
        });
    }
}
