//! The direction of contact of a hull with a box or a hull, and the best separating axis of a hull with anything.
//!
//! `A - B` is a polytope, and the direction of least overlap is among the normals of its faces. These are of three
//! kinds: a face of A over a corner of B, a corner of A over a face of B, and an edge of A over an edge of B. The last
//! exist only where the arcs of the two edges on the sphere of directions (from the normal of one face at the edge to
//! that of the other) cross; for such a pair, overlap along the common normal is that of the two edges, without
//! evaluating supports [Gregorius 2013, "The separating axis test between convex polyhedra"].
//!
//! With n edges each that are n² pairs. Two large hulls are therefore given to GJK and EPA first, and their result is
//! only a start: the faces and edges around it are tried in the same way until nothing is better. If the result is
//! inconsistent (touching, and a few in 10 000 others), all pairs are tried after all.

use super::ConvexHull;
use super::direction::{TOUCHING, is_point};
use super::hull::Edge;
use super::parry::{self, GjkAnswer};
use super::solid::{Kind, Solid, overlap};
use nalgebra::Vector3;
use std::ops::Range;

/// Number of pairs of edges up to which all are tried: that costs no more than GJK and EPA.
const FEW_PAIRS: usize = 1000;

/// Direction from A into B and depth of two solids, one of them a hull and neither a cylinder.
pub fn find(a: &Solid, b: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    let size = a.size() + b.size();
    if let (Kind::Hull(ha), Kind::Hull(hb)) = (a.kind, b.kind)
        && ha.edges.len() * hb.edges.len() > FEW_PAIRS
    {
        match parry::direction(a, b, margin) {
            GjkAnswer::Beyond => return None,
            GjkAnswer::Found(n, depth) if (overlap(a, b, &n) - depth).abs() < 1e-6 * size => {
                return Some(improved(a, ha, b, hb, n));
            }
            _ => {}
        }
    }
    let (n, depth) = best_axis(a, b, margin)?;
    if depth >= -TOUCHING * size || depth <= -margin {
        return Some((n, depth));
    }
    // A gap is widest along a separating axis, unless a corner of one is nearest to a corner or edge of the other.
    match parry::direction(a, b, margin) {
        GjkAnswer::Beyond => None,
        GjkAnswer::Found(m, _) => {
            let wider = overlap(a, b, &m);
            // The axis is exact where it applies; the difference of two near points loses digits.
            Some(if wider < depth - 1e-12 * size { (m, wider) } else { (n, depth) })
        }
        GjkAnswer::Unknown => Some((n, depth)),
    }
}

/// The direction from A into B of least overlap among the normals of faces and of pairs of edges; one of the two is a
/// hull. `None` if one of these directions separates them by `margin`.
pub fn best_axis(a: &Solid, b: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    let (hull, solid, other, sign) = match (a.kind, b.kind) {
        (Kind::Hull(hull), _) => (hull, a, b, 1.0),
        (_, Kind::Hull(hull)) => (hull, b, a, -1.0),
        _ => return None,
    };
    let mut axes = Axes::new(hull, solid, other, margin);
    axes.faces(0..hull.faces.len());
    if !axes.separated {
        match other.kind {
            Kind::Hull(other) => {
                axes.faces_of_other(other, 0..other.faces.len());
                axes.edges_with_hull(other, 0..hull.edges.len(), 0..other.edges.len());
            }
            _ if is_point(other) => {}
            Kind::Round(_) => axes.generators(2..3, false),
            _ => axes.generators(other.straight_axes(), true),
        }
    }
    let (n, _) = axes.best.filter(|_| !axes.separated)?;
    let n = (solid.unturned(&n) * sign).normalize();
    Some((n, overlap(a, b, &n)))
}

/// Improves `start` by the faces and edges of both hulls that are farthest along the best direction so far, until
/// nothing is better.
fn improved(a: &Solid, ha: &ConvexHull, b: &Solid, hb: &ConvexHull, start: Vector3<f64>) -> (Vector3<f64>, f64) {
    let (mut n, mut depth) = (start, overlap(a, b, &start));
    let slack = 1e-13 * (a.size() + b.size());
    for _ in 0..20 {
        let near_a = Near::new(ha, &a.turned(&n));
        let near_b = Near::new(hb, &b.turned(&-n));
        let mut axes = Axes::new(ha, a, b, f64::INFINITY);
        axes.faces(near_a.faces());
        axes.faces_of_other(hb, near_b.faces());
        axes.edges_with_hull(hb, near_a.edges(), near_b.edges());
        let Some((m, _)) = axes.best else { break };
        let m = a.unturned(&m).normalize();
        let better = overlap(a, b, &m);
        // In a gap between corners the start is already the best.
        if better > depth + slack || (better >= depth - slack && (m - n).norm_squared() == 0.0) {
            break;
        }
        let done = better > depth - slack;
        (n, depth) = (m, better);
        if done {
            break;
        }
    }
    (n, depth)
}

/// Faces and edges around the vertices of a hull that are farthest in a direction: indices, of which the first `len`
/// are valid.
struct Near {
    faces: List,
    edges: List,
}

struct List {
    items: [u32; 64],
    len: usize,
}

impl List {
    fn add(&mut self, item: u32) {
        if self.len < self.items.len() && !self.items[..self.len].contains(&item) {
            self.items[self.len] = item;
            self.len += 1;
        }
    }
    fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.items[..self.len].iter().map(|&i| i as usize)
    }
}

impl Near {
    fn new(hull: &ConvexHull, n: &Vector3<f64>) -> Self {
        let empty = || List { items: [0; 64], len: 0 };
        let mut near = Self { faces: empty(), edges: empty() };
        for v in hull.top(n, 1e-6 * hull.radius) {
            hull.faces_around(v).iter().for_each(|&f| near.faces.add(f));
            hull.edges_around(v).iter().for_each(|&e| near.edges.add(e));
        }
        near
    }
    fn faces(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.faces.iter()
    }
    fn edges(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.edges.iter()
    }
}

/// The best axis so far of a hull and another solid. All in the axes of the hull, about its centre; directions point
/// out of the hull.
struct Axes<'s> {
    hull: &'s ConvexHull,
    other: &'s Solid<'s>,
    /// Axes and centre of the other solid.
    turned: [Vector3<f64>; 3],
    center: Vector3<f64>,
    margin: f64,
    slack: f64,
    best: Option<(Vector3<f64>, f64)>,
    /// True if an axis was found that separates by the margin; the search ends then.
    separated: bool,
}

impl<'s> Axes<'s> {
    fn new(hull: &'s ConvexHull, solid: &Solid, other: &'s Solid<'s>, margin: f64) -> Self {
        let turned = other.axes.map(|axis| solid.turned(&axis));
        let center = solid.local(&other.center);
        let slack = 1e-13 * (solid.size() + other.size());
        Self { hull, other, turned, center, margin, slack, best: None, separated: false }
    }

    fn offer(&mut self, n: Vector3<f64>, depth: f64) {
        if self.best.is_none_or(|(_, least)| depth < least - self.slack) {
            self.best = Some((n, depth));
            self.separated |= depth <= -self.margin;
        }
    }

    /// Reach of the other solid from its centre against `n`.
    fn reach_back(&self, n: &Vector3<f64>) -> f64 {
        let [x, y, z] = self.turned;
        self.other.reach_turned(&Vector3::new(-x.dot(n), -y.dot(n), -z.dot(n)))
    }

    /// A direction in the axes of the other solid, turned into those of the hull.
    fn turned_back(&self, n: &Vector3<f64>) -> Vector3<f64> {
        self.turned[0] * n.x + self.turned[1] * n.y + self.turned[2] * n.z
    }

    /// Tries the normals of faces of the hull.
    fn faces(&mut self, faces: impl Iterator<Item = usize>) {
        for f in faces {
            let face = &self.hull.faces[f];
            self.offer(face.normal, face.offset + self.reach_back(&face.normal) - self.center.dot(&face.normal));
            if self.separated {
                return;
            }
        }
    }

    /// Tries the normals of faces of another hull.
    fn faces_of_other(&mut self, other: &ConvexHull, faces: impl Iterator<Item = usize>) {
        for f in faces {
            let face = &other.faces[f];
            let n = -self.turned_back(&face.normal);
            self.offer(n, self.hull.reach(&n) + face.offset - self.center.dot(&n));
            if self.separated {
                return;
            }
        }
    }

    /// Tries the directions of a symmetric solid that is a sum of segments along some of its axes (or is round about
    /// its third one): the axes themselves, if it has faces there, and the common normals of axes and edges.
    fn generators(&mut self, along: Range<usize>, faces: bool) {
        if faces {
            for k in along.clone() {
                for n in [self.turned[k], -self.turned[k]] {
                    self.offer(n, self.hull.reach(&n) + self.reach_back(&n) - self.center.dot(&n));
                }
            }
        }
        for k in along {
            let g = self.turned[k];
            for edge in &self.hull.edges {
                if self.separated {
                    return;
                }
                let [m, n] = edge.faces.map(|f| &self.hull.faces[f as usize].normal);
                // Only if the arc of the edge crosses the circle normal to g.
                if m.dot(&g) * n.dot(&g) >= 0.0 {
                    continue;
                }
                let Some(n) = common_normal(&edge.along, &g, &(m + n)) else { continue };
                let height = self.hull.corners()[edge.ends[0] as usize].dot(&n);
                self.offer(n, height + self.reach_back(&n) - self.center.dot(&n));
            }
        }
    }

    /// Tries the common normals of pairs of edges, with another hull, whose arcs cross.
    fn edges_with_hull(
        &mut self,
        other: &ConvexHull,
        edges: impl Iterator<Item = usize> + Clone,
        others: impl Iterator<Item = usize>,
    ) {
        for o in others {
            let edge: &Edge = &other.edges[o];
            // Directions out of the hull into the other solid: the normals of that are negated.
            let [c, d] = edge.faces.map(|f| -self.turned_back(&other.faces[f as usize].normal));
            let dc = self.turned_back(&edge.along);
            let q = self.center + self.turned_back(&other.corners()[edge.ends[0] as usize]);
            for e in edges.clone() {
                let own = &self.hull.edges[e];
                let ba = &own.along;
                let (cba, dba) = (c.dot(ba), d.dot(ba));
                if cba * dba >= 0.0 {
                    continue;
                }
                let [a, b] = own.faces.map(|f| &self.hull.faces[f as usize].normal);
                let (adc, bdc) = (a.dot(&dc), b.dot(&dc));
                if adc * bdc >= 0.0 || cba * bdc <= 0.0 {
                    continue;
                }
                let Some(n) = common_normal(ba, &dc, &(a + b)) else { continue };
                self.offer(n, n.dot(&(self.hull.corners()[own.ends[0] as usize] - q)));
                if self.separated {
                    return;
                }
            }
        }
    }
}

/// The unit normal of two directions that faces `towards`; `None` if they are nearly parallel (face normals are as good
/// then).
fn common_normal(u: &Vector3<f64>, v: &Vector3<f64>, towards: &Vector3<f64>) -> Option<Vector3<f64>> {
    let n = u.cross(v);
    let square = n.norm_squared();
    if square < 1e-12 {
        return None;
    }
    let scale = square.sqrt().recip().copysign(n.dot(towards));
    Some(n * scale)
}
