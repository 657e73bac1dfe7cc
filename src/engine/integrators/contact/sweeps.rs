//! Regions that turning bodies sweep over.
//!
//! The nearest points of two shapes are where they meet only while bodies move along straight lines. A blade that turns
//! past a ball is nearest to it with a point that moves across, and strikes it with another. Two convex shapes that are
//! a gap apart are separated by a slab of that width, normal to n, and cannot touch while all of their points together
//! move by less than that along n. Within a time t these move along n by at most
//!
//! ```text
//! t n.(v_A - v_B) + sum over both (min(t |w x n| r, r - s) + t² |w x n| |v| / 2)
//! ```
//!
//! with the velocities v of the origins, the distance r of the farthest point from the origin, and that of the nearest
//! point along n, s: no point gets farther out than r, so that a ball on its centre sweeps over nothing, and a wheel
//! over little. Only the part of r across the axis of w moves: in the first of both terms, r is the distance of the
//! farthest point from that axis, so that a rod which spins about its own sweeps over little, too. Bodies on joints
//! also bend the paths of their origins.
//!
//! A convex step sees a pair by its normal at the start. It may be as long as nothing can meet, or as the time of a
//! turn whose arc leaves its chord by the half thickness c of the thinner body, `t² |w x n|² r / 2 = c`: then a contact
//! beside the normal is still found inside the body.
//!
//! A method that evaluates forces sees a pair by its overlap, at the few times within a step at which it evaluates.
//! Free flight has no error, so that steps would grow until a ball is on one side of a wall at all of these times and
//! on the other at the end. Its steps end before one of the pair may be through the other.

use super::bounds::{fall, fastest, halves, nearest};
use crate::choices::sweeps::HALVINGS;
use crate::integrators::tuning::CenicTuning;
use crate::linearize::External;
use kinegraph_core::convex::{ContactPoint, ConvexPlant, PlantPoint};
use nalgebra::{Matrix3, Vector3};

/// Approach of two turning bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sweep {
    gap: f64,
    /// Speed of approach of the origins \[m/s\].
    straight: f64,
    /// Speed of the fastest point about the origin of each body \[m/s\], and how far out it can get \[m\].
    turning: [(f64, f64); 2],
    /// Accelerations by which origins leave straight lines and points leave their chords \[m/s²\].
    bend: f64,
    arc: f64,
    /// Acceleration by gravity along the approach \[m/s²\].
    fall: f64,
    /// Half thickness of the thinner body \[m\].
    thickness: f64,
}

impl Sweep {
    /// Sweep of the two bodies of a contact point of `plant`; `None` if neither turns enough to matter. A body counts
    /// as no thinner than the part `thinnest` of its reach.
    pub fn of(plant: &dyn ConvexPlant, data: &PlantPoint, contact: &ContactPoint, thinnest: f64) -> Option<Self> {
        let sweep = Sweep::of_any(plant, data, contact, thinnest);
        let turns = sweep.turning.iter().any(|(speed, outward)| speed * outward > 0.0) || sweep.bend > 0.0;
        turns.then_some(sweep)
    }

    /// Sweep of the two bodies of a contact point, even if neither turns.
    fn of_any(plant: &dyn ConvexPlant, data: &PlantPoint, contact: &ContactPoint, thinnest: f64) -> Self {
        let n = Vector3::from(contact.normal);
        let fall = fall(plant.structure());
        let mut sweep = Sweep { gap: -contact.depth, fall, thickness: f64::INFINITY, ..Sweep::default() };
        for (side, (body, out)) in [(contact.body_a, n), (contact.body_b, -n)].into_iter().enumerate() {
            let (w, v) = halves(&data.V_WB[body]);
            let reach = plant.reach()[body];
            let outward = (reach - nearest(contact, data, body, &out)).max(0.0);
            // Turning about the normal moves nothing along it.
            let speed = w.cross(&n).norm();
            sweep.straight += out.dot(&v);
            let radius = reach.min(radius_about(&w, plant, data, body));
            sweep.turning[side] = (speed * radius, outward);
            if !plant.structure().bodies[body].free {
                sweep.bend += speed * v.norm();
            }
            sweep.arc += speed * speed * radius.min(outward);
            let thickness = plant.thickness().get(body).copied().unwrap_or(0.0);
            sweep.thickness = sweep.thickness.min(thickness.max(thinnest * reach));
        }
        sweep
    }

    /// Largest approach \[m\] of the bodies within `t` \[s\].
    fn approach(&self, t: f64) -> f64 {
        let out: f64 = self.turning.iter().map(|(speed, outward)| (t * speed).min(*outward)).sum();
        t * self.straight + out + t * t * (0.5 * self.bend + self.fall)
    }

    /// True if the gap may close within `reach` \[s\].
    pub fn may_close(&self, reach: f64) -> bool {
        self.gap <= self.approach(reach)
    }

    /// Longest step \[s\], up to `h`, of a method that sees the pair by its overlap alone: until the overlap has the
    /// largest depth that it may have when it is first seen.
    fn in_sight(&self, h: f64) -> f64 {
        // No farther than through the thinner one.
        let way = self.gap + 2.0 * self.thickness;
        if self.gap < 0.0 || self.approach(h) <= way {
            return h;
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.approach(middle) <= way { low = middle } else { high = middle }
        }
        high
    }

    /// Longest step \[s\] of a method that sees the pair by its normal.
    pub fn longest_step(&self) -> f64 {
        let speed = self.straight.max(0.0) + self.turning.iter().map(|(speed, _)| speed).sum::<f64>();
        let arc = (2.0 * self.thickness / (self.arc + self.bend)).sqrt();
        if self.gap > 0.0 { arc.max(self.gap / speed) } else { f64::INFINITY }
    }
}

/// Bound on the distance of the points of a body from the axis through its origin that it turns about \[m\].
fn radius_about(w: &Vector3<f64>, plant: &dyn ConvexPlant, data: &PlantPoint, body: usize) -> f64 {
    let Some(&extents) = plant.extents().get(body) else { return f64::INFINITY };
    let Some(axis) = w.try_normalize(0.0) else { return f64::INFINITY };
    farthest_from(&Matrix3::from_column_slice(&data.R_WB[body]).tr_mul(&axis), extents)
}

/// Largest distance \[m\] of a corner of a box of half sides `extents` about the origin from an axis through the
/// origin.
pub fn farthest_from(axis: &Vector3<f64>, [x, y, z]: [f64; 3]) -> f64 {
    if !(x.is_finite() && y.is_finite() && z.is_finite()) {
        return f64::INFINITY;
    }
    let corners = [[y, z], [y, -z], [-y, z], [-y, -z]];
    corners.iter().map(|&[y, z]| axis.cross(&Vector3::new(x, y, z)).norm()).fold(0.0, f64::max)
}

/// Longest step \[s\], up to `h`, from `continuous` of a method that sees bodies by their overlap alone. `points` is
/// scratch, one for every plant.
pub(super) fn in_sight(external: &External, continuous: &[f64], h: f64, points: &mut Vec<PlantPoint>) -> f64 {
    let (diagram, layout) = (external.diagram(), external.layout());
    points.resize_with(layout.plants.len(), PlantPoint::default);
    let mut longest = h;
    let thinnest = CenicTuning::DEFAULT.thinnest;
    for (slot, data) in layout.plants.iter().zip(points) {
        let plant = layout.plant(diagram, slot);
        if plant.reach().iter().all(|&reach| reach <= 0.0) {
            continue;
        }
        plant.motion(&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()], data);
        plant.contacts(h * fastest(data, plant.reach()) + fall(plant.structure()) * h * h, data);
        for contact in &data.contacts {
            longest = longest.min(Sweep::of_any(plant, data, contact, thinnest).in_sight(h));
        }
    }
    longest
}
