//! How far from the centre of pressure friction acts that resists a spin.
//!
//! Bodies that spin on each other about the normal rub everywhere against the spin: the torque over friction and
//! pressure is the first moment `int d(r) |r| dA` of the area in which they touch, about the centre of pressure, d the
//! pressure or what is proportional to it. Over a polygon on which d is linear it has a closed form: that of the
//! triangles between the centre and each edge. With h the distance of an edge and θ the angle from its foot,
//!
//! ```text
//! d = d0 + gn x + gt y,   ρ(θ) = h sec θ,   x = ρ cos θ,   y = ρ sin θ
//! int d ρ² dρ dθ = d0 h³/3 int sec³ + gn h⁴/4 int sec³ + gt h⁴/4 int sec⁴ sin
//! int sec³ = (sec tan + asinh tan)/2,   int sec⁴ sin = sec³/3
//! ```

use super::shares::{self, Turn};
use nalgebra::{Vector2, Vector3};
use std::cell::RefCell;

/// Of two points at the ends of a line under even pressure: half of the way.
const LINE: f64 = 0.5;

/// A linear function of the place: its value at the origin, and how it grows along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// At the origin.
    pub at: f64,
    /// Per length along both axes.
    pub slope: Vector2<f64>,
}

/// `int d |r| dA` over the triangle between the origin and the edge from p to q, negative of one that turns clockwise.
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
    // Lengths in place of h³ sec³ and the like: nothing is divided by a small h but the argument of asinh.
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

/// Of the way from their middle to the points around an area that lies flat under even pressure, the part at which
/// friction acts: what the area resists a spin with, over what the points do. `n` is the normal. Ends of a line, where
/// points are no more than two, have half. Points that are `on_rim` go around a disc.
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
