//! Bodies that fell through their support: floating bodies that were above a fixed shape in the initial positions, are
//! below all fixed shapes now, and fall freely.
//!
//! "Above" refers to points, the centres of the shapes of a body: the vertical line down from one meets a fixed shape,
//! and later the line up from the same point meets that shape. A body that leaves a table over its edge is not below it
//! then. A body falls freely if it is as fast as after a fall from the height where it left.
//!
//! A body that falls through a hole (a funnel, a ring, a gap between tables) may be below the rim all the same. But the
//! centre of mass of a freely falling body moves on a parabola, whatever rotates about it. Followed back from now, the
//! parabola enters the shape that was passed through, at its lower side. If it meets the upper side, or the wall of a
//! hole, the body was guided around the shape.

use super::block::MultibodyPlant;
use super::collision::Apart;
use super::convex::Evaluated;
use kinegraph_core::convex::{LostBody, PlantDynamics, PlantPoint, WhyLost};
use kinegraph_geometry::{Ray, Shape, aabb};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use std::collections::HashMap;

/// Least ratio of the squared speed of a body to that of a fall from rest, for the body to count as falling freely.
const FREE_FALL_RATIO: f64 = 0.9;
/// Least component along gravity of the normal of a surface that faces down.
const OVERHANG_RATIO: f64 = 0.1;
/// Number of chords of a parabola that is followed back.
const CHORDS: usize = 64;
/// Largest inclination of a plane that bodies can be below (sine of the angle); a steeper plane is a wall.
const LEVEL: f64 = 1e-3;

impl MultibodyPlant {
    /// The bodies that are lost at (q, v), after a start at the positions `start`.
    pub(super) fn find_lost(&self, start: &[f64], q: &[f64], v: &[f64]) -> Vec<LostBody> {
        let (g, bodies) = (self.gravity.norm(), self.tree.bodies());
        let all = self.collision.geometries();
        let still: Vec<usize> = (0..all.len()).filter(|&i| !self.collision.movable(all[i].body)).collect();
        if g == 0.0 || still.is_empty() || !start.iter().chain(q).chain(v).all(|x| x.is_finite()) {
            return Vec::new();
        }
        let down = self.gravity / g;
        let (mut before, mut now) = (PlantPoint::default(), PlantPoint::default());
        self.poses(start, &mut before);
        self.evaluate(q, v, &mut now);
        let pose = |point: &PlantPoint, i: usize| pose_of(point, all[i].body) * all[i].X_BG;
        let lowest =
            still.iter().filter_map(|&i| lowest(&all[i].shape, &pose(&now, i), &down)).fold(f64::NAN, f64::max);
        let mut of_tree: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, geometry) in all.iter().enumerate() {
            if let Some(tree) = bodies[geometry.body].tree {
                of_tree.entry(tree).or_default().push(i);
            }
        }
        let mut lost = Vec::new();
        for joint in self.tree.joints() {
            let root = joint.body;
            if joint.velocities.len() != 6
                || !self.collision.movable(root)
                || bodies[bodies[root].parent].tree.is_some()
            {
                continue;
            }
            let own = bodies[root].tree.and_then(|tree| of_tree.get(&tree)).map_or(&[][..], Vec::as_slice);
            let origin = |point: &PlantPoint| Vector3::from(point.p_WB[root]);
            let highest = own.iter().filter_map(|&i| highest(&all[i].shape, &pose(&now, i), &down));
            let depth = highest.fold(origin(&now).dot(&down), f64::min) - lowest;
            let [_, _, _, vx, vy, vz] = now.V_WB[root];
            let speed = Vector3::new(vx, vy, vz).dot(&down);
            if depth.is_nan() || depth <= 0.0 || speed <= 0.0 || speed * speed < FREE_FALL_RATIO * 2.0 * g * depth {
                continue;
            }
            let since = (speed - (speed * speed - 2.0 * g * depth).max(0.0).sqrt()) / g;
            let middle = |point: &PlantPoint, i: usize| {
                let bounds = aabb(&all[i].shape, &pose(point, i));
                0.5 * (bounds.min + bounds.max)
            };
            let mut points: Vec<_> = own.iter().map(|&i| (Some(i), middle(&before, i), middle(&now, i))).collect();
            if points.is_empty() {
                points.push((None, origin(&before), origin(&now)));
            }
            let mut nearest: Option<(f64, usize, Option<usize>, bool)> = None;
            for (own, from, to) in points {
                let (Some(below), Some(above)) = (Ray::new(from, down), Ray::new(to, -down)) else { continue };
                for &i in &still {
                    let (shape, X_WG) = (&all[i].shape, pose(&now, i));
                    let Some(hit) = shape.cast_ray(&X_WG, &below) else { continue };
                    if shape.cast_ray(&X_WG, &above).is_some() && nearest.is_none_or(|(least, ..)| hit.distance < least)
                    {
                        nearest = Some((hit.distance, i, own, hit.is_from_inside(&below)));
                    }
                }
            }
            let Some((_, through, own, is_inside)) = nearest else { continue };
            if !is_inside && !self.came_through(root, &now, &all[through].shape, &pose(&now, through)) {
                continue;
            }
            let why = match own.map(|own| self.collision.apart(own, through)) {
                None => WhyLost::NoShapes,
                Some(Some(Apart::Rigid | Apart::Joined)) => WhyLost::Joined,
                Some(Some(Apart::Bits)) => WhyLost::Bits,
                Some(Some(Apart::Excluded { at_start: false })) => WhyLost::Excluded,
                Some(Some(Apart::Excluded { at_start: true })) => WhyLost::ExcludedAtStart,
                Some(Some(Apart::GroundOnly)) => WhyLost::GroundOnly,
                Some(None) if is_inside => WhyLost::StartedInside,
                Some(None) => WhyLost::PassedThrough,
            };
            let through = if all[through].ground { "ground" } else { &bodies[all[through].body].name };
            lost.push(LostBody { body: bodies[root].name.clone(), through: through.into(), since, why });
        }
        lost
    }

    /// True if the centre of mass of the tree of `root`, followed back on its parabola, comes out of a shape above it.
    fn came_through(&self, root: usize, now: &PlantPoint, shape: &Shape, X_WG: &Isometry3<f64>) -> bool {
        let bodies = self.tree.bodies();
        let of_tree = (0..bodies.len()).filter(|&b| bodies[b].tree == bodies[root].tree);
        let evaluated = now.cache.get::<Evaluated>();
        let center = evaluated.and_then(|evaluated| self.tree.center_of_mass_of(&evaluated.kinematics, of_tree));
        let Some([p_WCm, v_WCm]) = center else { return false };
        let (g, down) = (self.gravity.norm(), self.gravity.normalize());
        let back = |t: f64| p_WCm - v_WCm * t + self.gravity * (0.5 * t * t);
        // Back to the apex of the parabola.
        let part = v_WCm.dot(&down).max(0.0) / g / CHORDS as f64;
        let hit = (0..CHORDS).find_map(|i| {
            let (from, to) = (back(i as f64 * part), back((i + 1) as f64 * part));
            let ray = Ray::new(from, to - from)?;
            let hit = shape.cast_ray(X_WG, &ray)?;
            (hit.distance <= (to - from).norm())
                .then(|| hit.is_from_inside(&ray) || hit.normal.dot(&down) > OVERHANG_RATIO)
        });
        hit.unwrap_or(false)
    }
}

fn pose_of(point: &PlantPoint, body: usize) -> Isometry3<f64> {
    let R = Rotation3::from_matrix_unchecked(Matrix3::from_column_slice(&point.R_WB[body]));
    let p = Vector3::from(point.p_WB[body]);
    Isometry3::from_parts(Translation3::from(p), UnitQuaternion::from_rotation_matrix(&R))
}

/// Depth of the lowest point of a shape along `down`; for a level plane, that of the plane.
fn lowest(shape: &Shape, X_WG: &Isometry3<f64>, down: &Vector3<f64>) -> Option<f64> {
    if let Shape::HalfSpace = shape {
        let up = X_WG.rotation * Vector3::z();
        let is_level = up.cross(down).norm() < LEVEL && up.dot(down) < 0.0;
        return is_level.then(|| X_WG.translation.vector.dot(down));
    }
    let bounds = aabb(shape, X_WG);
    let corner = bounds.min.zip_zip_map(&bounds.max, down, |min, max, d| if d > 0.0 { max } else { min });
    Some(corner.dot(down)).filter(|far| far.is_finite())
}

/// Depth of the highest point of a shape along `down`.
fn highest(shape: &Shape, X_WG: &Isometry3<f64>, down: &Vector3<f64>) -> Option<f64> {
    lowest(shape, X_WG, &-down).map(|far| -far)
}
