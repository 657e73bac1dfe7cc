//! Friction arms: the distance from the centre of pressure at which friction resists a spin.
//!
//! Bodies that spin on each other about the normal have friction everywhere against the spin: the torque over friction
//! and pressure is the first moment `int d(r) |r| dA` of the area of contact about the centre of pressure, with d the
//! pressure, or a multiple of it. Over a polygon on which d is linear it has a closed form, the sum over the triangles
//! between the centre and each edge. With h the distance of an edge and θ the angle from its foot,
//!
//! ```text
//! d = d0 + gn x + gt y,   ρ(θ) = h sec θ,   x = ρ cos θ,   y = ρ sin θ
//! int d ρ² dρ dθ = d0 h³/3 int sec³ + gn h⁴/4 int sec³ + gt h⁴/4 int sec⁴ sin
//! int sec³ = (sec tan + asinh tan)/2,   int sec⁴ sin = sec³/3
//! ```

use super::shares::{self, Turn};
use nalgebra::{Vector2, Vector3};
use std::cell::RefCell;

/// Friction arm for two points at the ends of a line under even pressure: half of the way.
const LINE: f64 = 0.5;

/// A linear function in the plane: its value at the origin, and its slopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Value at the origin.
    pub at: f64,
    /// Slope along both axes.
    pub slope: Vector2<f64>,
}

/// `int d |r| dA` over the triangle between the origin and the edge from p to q, negative if it is clockwise.
pub fn first_moment(p: &Vector2<f64>, q: &Vector2<f64>, d: &Plane) -> f64 {
    let edge = q - p;
    let length = edge.norm();
    if length == 0.0 {
        return 0.0;
    }
    let along = edge / length;
    let out = Vector2::new(along.y, -along.x);
    let (h, from, to) = (out.dot(p), along.dot(p), along.dot(q));
    if h == 0.0 {
        return 0.0;
    }
    // Lengths in place of h³ sec³ and the like, so that only the argument of asinh is divided by a small h.
    let sec3 = |y: f64| 0.5 * (y * y.hypot(h) * h.abs() + h.abs().powi(3) * (y / h.abs()).asinh());
    let third = |y: f64| y.hypot(h).powi(3) / 3.0;
    let (s, t) = (sec3(to) - sec3(from), third(to) - third(from));
    h.signum() * (d.at * s / 3.0 + d.slope.dot(&out) * h * s / 4.0 + d.slope.dot(&along) * h.abs() * t / 4.0)
}

#[derive(Default)]
struct Workspace {
    turns: Vec<Turn>,
    outline: Vec<[f64; 2]>,
    weights: Vec<f64>,
}

thread_local! {
    /// Kept so that a query allocates nothing after warm-up.
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Friction arm of points around an area that lies flat under even pressure: the fraction of the way from their middle
/// at which friction acts, so that they resist a spin as the area does. `n` is the normal. For the two ends of a line
/// it is a half. Points that are `on_rim` go around a disc.
pub fn part_of_points(points: &[Vector3<f64>], n: &Vector3<f64>, on_rim: bool) -> f64 {
    match points.len() {
        0 | 1 => return 1.0,
        2 => return LINE,
        _ if on_rim => return 2.0 / 3.0,
        _ => {}
    }
    WORKSPACE.with_borrow_mut(|Workspace { turns, outline, weights }| {
        weights.clear();
        weights.resize(points.len(), 0.0);
        let area = shares::of_points(points, n, turns, outline, |i, share| weights[i] = share);
        // In the order of the outline.
        let share = |j: usize| weights[turns[j].1 as usize];
        let places = || outline.iter().map(|&[x, y]| Vector2::new(x, y));
        let center: Vector2<f64> = places().enumerate().map(|(j, p)| p * share(j)).sum();
        let of_points: f64 = places().enumerate().map(|(j, p)| (p - center).norm() * share(j)).sum();
        if area <= 0.0 || of_points <= 0.0 {
            return LINE;
        }
        let even = Plane { at: 1.0, slope: Vector2::zeros() };
        let of_area: f64 = (0..outline.len())
            .map(|j| {
                let [p, q] = [j, (j + 1) % outline.len()].map(|j| Vector2::from(outline[j]) - center);
                first_moment(&p, &q, &even)
            })
            .sum();
        (of_area / (area * of_points)).clamp(0.0, 1.0)
    })
}
