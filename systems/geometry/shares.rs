//! Shares of the points of a pair in its stiffness.
//!
//! Stiffness belongs to a pair of shapes, however many points their outlines have. So point i has the share w_i of it,
//! and for shapes that lie flat on each other the shares sum to one: a face at the depth D carries `K D` whether it has
//! 4 corners or 4000. The share of a corner p_j of the touching outline of area A and centroid c is
//!
//!   w_j = (area(c, p_{j-1}, p_j) + area(c, p_j, p_{j+1})) / (2 A),
//!
//! for which `sum w_j p_j = c` exactly: the force acts at the centroid of the outline. Corners that appear or vanish
//! with the outline do so in pairs at one place, where their shares add up, so the force does not jump. The ends of a
//! segment have half each; a single point has all.
//!
//! A corner that is alone in the depth carries its share only: that of a square a quarter. For an outline with many
//! corners it would be almost nothing, and the body would sink in on its rim. So no pair is softer than a square on one
//! corner ([`least`]): `sum w_i depth_i >= D / 4` over the points within the depth.

use nalgebra::Vector3;

/// Least fraction of the depth that the points of a pair carry together: that of one corner of a square.
pub(super) const ONE_CORNER: f64 = 0.25;

/// Depth, relative to the size of a pair, up to which shares are those of shapes that just touch.
pub(super) const SHALLOW: f64 = 1e-4;

/// Shares of the corners of a convex outline, anticlockwise, with its area.
pub fn of_outline(outline: &[[f64; 2]], share: impl FnMut(usize, f64)) -> f64 {
    let n = outline.len();
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let from = |o: [f64; 2], p: [f64; 2]| [p[0] - o[0], p[1] - o[1]];
    // About the first corner, so that no digits are lost far from the origin.
    let first = outline.first().copied().unwrap_or_default();
    let (mut twice, mut moment) = (0.0, [0.0; 2]);
    for j in 0..n {
        let (p, q) = (from(first, outline[j]), from(first, outline[(j + 1) % n]));
        let part = cross(p, q);
        twice += part;
        moment = [moment[0] + part * (p[0] + q[0]), moment[1] + part * (p[1] + q[1])];
    }
    let longest = outline.iter().map(|&p| from(first, p)).fold(0.0, |m: f64, [x, y]| m.max(x * x + y * y));
    if twice <= 1e-12 * longest {
        line_shares(outline, share);
        return 0.0;
    }
    let center = [first[0] + moment[0] / (3.0 * twice), first[1] + moment[1] / (3.0 * twice)];
    // Outlines dented by rounding have triangles of the wrong orientation.
    let part = |j: usize| {
        let (p, q) = (from(center, outline[j % n]), from(center, outline[(j + 1) % n]));
        cross(p, q).max(0.0)
    };
    let sum: f64 = (0..n).map(part).sum();
    let mut share = share;
    for j in 0..n {
        share(j, (part(j + n - 1) + part(j)) / (2.0 * sum));
    }
    0.5 * twice
}

/// Shares of points on a line: half the distance to each neighbour.
fn line_shares(points: &[[f64; 2]], mut share: impl FnMut(usize, f64)) {
    let first = points.first().copied().unwrap_or_default();
    let distance = |p: [f64; 2], q: [f64; 2]| (p[0] - q[0]).hypot(p[1] - q[1]);
    let far =
        points.iter().copied().fold(first, |far, p| if distance(first, p) > distance(first, far) { p } else { far });
    let along = |p: [f64; 2]| (p[0] - far[0]) * (first[0] - far[0]) + (p[1] - far[1]) * (first[1] - far[1]);
    let (low, high) =
        points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &p| (l.min(along(p)), h.max(along(p))));
    for (j, &p) in points.iter().enumerate() {
        let at = along(p);
        let others = || points.iter().enumerate().filter(move |&(i, _)| i != j).map(|(_, &q)| along(q));
        let before = others().filter(|&x| x <= at).fold(low, f64::max);
        let after = others().filter(|&x| x > at).fold(high, f64::min);
        let length = high - low;
        share(j, if length > 0.0 { (after - before) / (2.0 * length) } else { 1.0 / points.len() as f64 });
    }
}

/// Share of the first of two ends whose depths differ by `difference` over the distance `apart` seen along the normal:
/// half for a segment that lies flat, all for one that stands on it.
pub fn of_end(difference: f64, apart: f64) -> f64 {
    let length = difference.hypot(apart);
    let slope = if length > 0.0 { difference / length } else { 0.0 };
    0.5 * (1.0 + slope * slope.abs())
}

/// Depth of a point within the layer that counts: the layer is as deep as the pair, with a least depth for shapes that
/// only just touch.
pub(super) fn reach(depth: f64, deepest: f64, size: f64) -> f64 {
    let layer = deepest.max(SHALLOW * size);
    (depth - deepest + layer).max(0.0)
}

/// Factor of the shares so that a pair is no softer than a square on one corner; `carried` is the sum of shares times
/// [`reach`].
pub(super) fn least(carried: f64, deepest: f64, size: f64) -> f64 {
    let wanted = ONE_CORNER * deepest.max(SHALLOW * size);
    if carried > 0.0 { (wanted / carried).max(1.0) } else { 1.0 }
}

/// A point of an outline that is not in order yet: its angle about the middle, and its index.
pub(super) type Turn = (f64, u32);

/// Shares of points by the outline that they form, seen along `n`, with its area; `turns` and `outline` are workspace.
pub(super) fn of_points(
    points: &[Vector3<f64>],
    n: &Vector3<f64>,
    turns: &mut Vec<Turn>,
    outline: &mut Vec<[f64; 2]>,
    mut share: impl FnMut(usize, f64),
) -> f64 {
    let u = super::any_normal::any_normal(n);
    let v = n.cross(&u);
    let middle = points.iter().fold(Vector3::zeros(), |sum, p| sum + p) / points.len().max(1) as f64;
    let flat = |p: &Vector3<f64>| [u.dot(&(p - middle)), v.dot(&(p - middle))];
    turns.clear();
    turns.extend(points.iter().enumerate().map(|(i, p)| {
        let [x, y] = flat(p);
        (y.atan2(x), i as u32)
    }));
    turns.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    outline.clear();
    outline.extend(turns.iter().map(|&(_, i)| flat(&points[i as usize])));
    of_outline(outline, |j, w| share(turns[j].1 as usize, w))
}
