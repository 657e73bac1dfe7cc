//! A half-space against every other shape, in closed form.
//!
//! The force on a shape must not jump when it tilts, so *all* points that can be lowest are examined, not only the
//! support feature: all corners of a box or hull, both ends of a capsule, 4 points on each rim of a cylinder (see
//! [`rim_directions`](super::feature::rim_directions) for why four and which).
//!
//! The corners of a hull share the stiffness of the pair as follows: each face that looks down would share it among its
//! corners (see [`shares`]) if it lay flat. In a tilted position all such faces contribute, each in proportion to the
//! part of it in the depth, seen from above: its area times the mean depth of its corners. A face that lies flat is
//! alone, because those beside it stand upright; where two change places, the shares change continuously.

use super::hull::Face;
use super::manifold::{Contacts, TIE};
use super::solid::Solid;
use super::{ConvexHull, Points, Shape, Touch, shares};
use nalgebra::{Isometry3, Vector3};
use std::cell::RefCell;

/// Share below which a point carries nothing.
pub(super) const NEGLIGIBLE: f64 = 1e-9;

/// Shares of the corners of a hull, and the workspace for them.
#[derive(Default)]
struct HullShares {
    of_corner: Vec<f64>,
    /// Depth of each corner within the layer that counts.
    reach: Vec<f64>,
    /// Flags of the faces that were visited, and a list of them.
    is_seen: Vec<bool>,
    seen: Vec<u32>,
}

thread_local! {
    /// Kept so that a query allocates nothing after warm-up.
    static SHARES: RefCell<HullShares> = RefCell::default();
}

impl HullShares {
    /// Finds the shares of the corners of a hull; `down` points into the half-space, in the hull's axes.
    fn find(&mut self, hull: &ConvexHull, down: &Vector3<f64>, deepest: f64, depth: impl Fn(&Vector3<f64>) -> f64) {
        let corners = hull.corners();
        let Self { of_corner, reach, is_seen, seen } = self;
        of_corner.clear();
        of_corner.resize(corners.len(), 0.0);
        reach.clear();
        reach.extend(corners.iter().map(|v| shares::reach(depth(v), deepest, hull.radius)));
        is_seen.clear();
        is_seen.resize(hull.faces.len(), false);
        seen.clear();
        let facing = |face: &Face| face.normal.dot(down);
        for (v, _) in reach.iter().enumerate().filter(|(_, reach)| **reach > 0.0) {
            for &f in hull.faces_around(v) {
                if !is_seen[f as usize] && facing(&hull.faces[f as usize]) > 0.0 {
                    is_seen[f as usize] = true;
                    seen.push(f);
                }
            }
        }
        let mut sum = 0.0;
        for &f in seen.iter() {
            let face = &hull.faces[f as usize];
            let own = || face.corners.iter().map(|&v| v as usize).zip(&face.shares);
            let mean: f64 = own().map(|(v, share)| reach[v] * share).sum();
            let say = face.area * facing(face) * mean;
            own().for_each(|(v, share)| of_corner[v] += say * share);
            sum += say;
        }
        if sum > 0.0 {
            of_corner.iter_mut().for_each(|share| *share /= sum);
        }
        let carried = of_corner.iter().zip(reach.iter()).map(|(share, reach)| share * reach).sum();
        let factor = shares::least(carried, deepest, hull.radius);
        of_corner.iter_mut().for_each(|share| *share *= factor);
    }

    /// The share of corner `v`. A corner of no face in the depth may still come down within a step: it gets its share
    /// in the face that looks down most.
    fn of(&self, v: usize, hull: &ConvexHull, down: &Vector3<f64>) -> f64 {
        if self.of_corner[v] > 0.0 {
            return self.of_corner[v];
        }
        let facing = |face: &Face| face.normal.dot(down);
        let faces = hull.faces_around(v).iter().map(|&f| &hull.faces[f as usize]);
        let lowest = faces.reduce(|best, f| if facing(f) > facing(best) { f } else { best });
        let own = lowest.and_then(|face| {
            let place = face.corners.iter().position(|&c| c as usize == v)?;
            face.shares.get(place)
        });
        own.copied().unwrap_or(1.0)
    }
}

/// Points of `shape` below (or less than the margin above) the half-space `z <= 0` of frame P.
/// Normals point out of the half-space.
pub(super) fn touches(X_WP: &Isometry3<f64>, shape: &Shape, X_WG: &Isometry3<f64>, contacts: &mut Contacts) {
    let n = X_WP.rotation * Vector3::z();
    let Some(solid) = Solid::new(shape, X_WG) else { return };
    // Heights are taken about the solid's centre, so that they are exact however far the frames are from the origin.
    let center_height = n.dot(&(X_WG.translation.vector - X_WP.translation.vector));
    contacts.normal = n;
    contacts.deepest = solid.reach(&-n) - center_height;
    contacts.scale = solid.size();
    let emit = |offset: Vector3<f64>, share: f64, feature: u32| {
        let depth = -(center_height + n.dot(&offset));
        contacts.push_share(solid.center + offset + n * (0.5 * depth), depth, share, feature);
    };
    solid.plane_contacts(&n, emit);
}

/// Appends the points of a hull directly to `out`, since it may have any number of corners.
pub(super) fn hull_touches(
    X_WP: &Isometry3<f64>,
    hull: &ConvexHull,
    X_WG: &Isometry3<f64>,
    points: Points,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let normal = X_WP.rotation * Vector3::z();
    let n = X_WG.rotation.inverse() * normal;
    let from_plane = X_WG.translation.vector - X_WP.translation.vector;
    let center = X_WG.rotation * hull.center();
    let center_height = normal.dot(&from_plane) + normal.dot(&center);
    let deepest = hull.reach(&-n) - center_height;
    // Poses that are NaN end here, too.
    if deepest <= -margin || deepest.is_nan() {
        return;
    }
    let depth = |v: &Vector3<f64>| -(center_height + n.dot(v));
    let place = |v: Vector3<f64>| X_WG.translation.vector + (center + X_WG.rotation * v);
    match points {
        Points::Manifold | Points::LocalMinima => {
            SHARES.with_borrow_mut(|shares| {
                shares.find(hull, &-n, deepest, depth);
                for (i, v) in hull.corners().iter().enumerate() {
                    let depth = depth(v);
                    if depth <= -margin {
                        continue;
                    }
                    let share = shares.of(i, hull, &-n);
                    if share > NEGLIGIBLE {
                        let p_WC = place(*v) + normal * (0.5 * depth);
                        out.push(Touch { p_WC, normal, depth, share, feature: i as u32 });
                    }
                }
            });
        }
        Points::Deepest => {
            // As for other shapes, weights fade to zero over the tie band, so that the mean moves without jumps.
            let band = TIE * hull.radius;
            let (mut sum, mut weights) = (Vector3::zeros(), 0.0);
            for v in hull.corners() {
                let below = depth(v) - (deepest - band);
                if below > 0.0 {
                    let weight = below / band;
                    sum += v * weight;
                    weights += weight;
                }
            }
            let p_WC = place(sum / weights) + normal * (0.5 * deepest);
            out.push(Touch { p_WC, normal, depth: deepest, share: 1.0, feature: 0 });
        }
    }
}
