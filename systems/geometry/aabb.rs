//! Axis-aligned boxes around shapes.

use super::Ray;
use nalgebra::Vector3;

/// Rounding of the position at which a ray meets a box, relative to the coordinates.
const ROUNDING: f64 = 1e-9;

/// A box along the world axes; bounds may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least coordinates \[m\].
    pub min: Vector3<f64>,
    /// Greatest coordinates \[m\].
    pub max: Vector3<f64>,
}

impl Aabb {
    /// True if the two boxes share a point (touching counts).
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }

    /// True if `other` lies within this box.
    pub fn contains(&self, other: &Self) -> bool {
        (0..3).all(|i| self.min[i] <= other.min[i] && other.max[i] <= self.max[i])
    }

    /// True if a ray meets the box within `max_distance` \[m\]; the box is grown by rounding.
    pub fn meets_ray(&self, ray: &Ray, max_distance: f64) -> bool {
        let (origin, direction) = (ray.origin(), ray.direction());
        let (mut enters, mut leaves) = (0.0_f64, max_distance);
        for i in 0..3 {
            let slack = |bound: f64| ROUNDING * (bound.abs() + origin[i].abs());
            let (low, high) = (self.min[i] - slack(self.min[i]), self.max[i] + slack(self.max[i]));
            let (low, high) = (low - origin[i], high - origin[i]);
            if direction[i] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
                continue;
            }
            let (t, u) = (low / direction[i], high / direction[i]);
            (enters, leaves) = (enters.max(t.min(u)), leaves.min(t.max(u)));
        }
        enters <= leaves * (1.0 + ROUNDING)
    }

    /// The box from `center - reach` to `center + reach`.
    pub(super) fn around(center: &Vector3<f64>, reach: &Vector3<f64>) -> Self {
        Self { min: center - reach, max: center + reach }
    }

    /// Grows a box about the origin, of half extents `extents`, so that it contains this one.
    pub fn extend(&self, extents: &mut [f64; 3]) {
        for (k, extent) in extents.iter_mut().enumerate() {
            *extent = extent.max(self.max[k]).max(-self.min[k]);
        }
    }

    /// The box grown by `margin` \[m\] on every side.
    pub fn inflated(&self, margin: f64) -> Self {
        Self { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }
}
