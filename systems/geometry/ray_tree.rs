//! A tree of boxes that move, to find those that a ray meets, nearest first. It is rebuilt for every picture, in memory
//! that is kept.
//!
//! A node is cut in half at the middle box along the axis on which it is longest. A ray visits the nearer half first
//! and skips boxes that begin behind the nearest hit, so that it meets few boxes however many there are (Kay and
//! Kajiya, "Ray tracing complex scenes", 1986).

use super::{Aabb, Ray};
use nalgebra::Vector3;

/// Growth of the boxes relative to their coordinates, more than the rounding of a hit.
const PADDING: f64 = 1e-9;

/// Maximum depth of the tree: each level halves the number of boxes.
const MAX_DEPTH: usize = 64;

#[derive(Clone, Debug)]
struct Node {
    bounds: Aabb,
    /// Index of a box; for an inner node, that of the second child (the first follows its parent).
    next: u32,
    is_leaf: bool,
}

/// The tree, and the boxes without bounds.
#[derive(Clone, Debug, Default)]
pub struct RayTree {
    nodes: Vec<Node>,
    items: Vec<u32>,
    /// Unbounded boxes: every ray visits them, first.
    unbounded: Vec<u32>,
}

impl RayTree {
    /// Builds the tree over these boxes.
    pub fn build(&mut self, boxes: impl Fn(u32) -> Aabb, count: usize) {
        let is_bounded = |b: &Aabb| b.min.iter().chain(b.max.iter()).all(|x| x.is_finite());
        self.nodes.clear();
        self.items.clear();
        self.unbounded.clear();
        for i in 0..count as u32 {
            if is_bounded(&boxes(i)) {
                self.items.push(i);
            } else {
                self.unbounded.push(i);
            }
        }
        if !self.items.is_empty() {
            let mut items = std::mem::take(&mut self.items);
            self.grow(&boxes, &mut items);
            self.items = items;
        }
    }

    fn grow(&mut self, boxes: &impl Fn(u32) -> Aabb, items: &mut [u32]) {
        let joined = |a: Aabb, b: Aabb| Aabb { min: a.min.inf(&b.min), max: a.max.sup(&b.max) };
        let around = items[1..].iter().fold(boxes(items[0]), |around, &i| joined(around, boxes(i)));
        let padding = PADDING * (around.min.amax().max(around.max.amax()) + f64::MIN_POSITIVE);
        let at = self.nodes.len();
        self.nodes.push(Node { bounds: around.inflated(padding), next: items[0], is_leaf: items.len() == 1 });
        if items.len() == 1 {
            return;
        }
        let axis = (around.max - around.min).imax();
        let middle = |i: u32| boxes(i).min[axis] + boxes(i).max[axis];
        let half = items.len() / 2;
        items.select_nth_unstable_by(half, |&i, &j| middle(i).total_cmp(&middle(j)).then(i.cmp(&j)));
        let (left, right) = items.split_at_mut(half);
        self.grow(boxes, left);
        self.nodes[at].next = self.nodes.len() as u32;
        self.grow(boxes, right);
    }

    /// Calls `look(box, limit)` with boxes that the ray meets within the limit, which is the distance that the last
    /// call returned, at first `max_distance`.
    pub fn along(&self, ray: &Ray, max_distance: f64, mut look: impl FnMut(u32, f64) -> f64) {
        let mut limit = max_distance;
        for &i in &self.unbounded {
            limit = look(i, limit);
        }
        let Some(root) = self.nodes.first() else { return };
        let inverse = ray.direction().map(|x| 1.0 / x);
        let slack = PADDING * ray.origin().amax();
        let enters = |node: &Node| entry(&node.bounds, &ray.origin(), &inverse) - slack;
        let mut stack = [(0_u32, 0.0_f64); MAX_DEPTH];
        stack[0] = (0, enters(root));
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (i, begins) = stack[height];
            if begins > limit {
                continue;
            }
            let node = &self.nodes[i as usize];
            if node.is_leaf {
                limit = look(node.next, limit);
                continue;
            }
            let mut children = [i + 1, node.next].map(|child| (child, enters(&self.nodes[child as usize])));
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            for child in children.into_iter().filter(|(_, begins)| *begins <= limit) {
                if let Some(place) = stack.get_mut(height) {
                    *place = child;
                    height += 1;
                }
            }
        }
    }
}

/// Distance at which a ray enters a box, zero from inside; infinite if it misses the box. For a direction along a face
/// 0/0 is NaN, which `min` and `max` ignore: such a ray counts as inside.
fn entry(bounds: &Aabb, origin: &Vector3<f64>, inverse: &Vector3<f64>) -> f64 {
    let (mut enters, mut leaves) = (0.0_f64, f64::INFINITY);
    for k in 0..3 {
        let (t, u) = ((bounds.min[k] - origin[k]) * inverse[k], (bounds.max[k] - origin[k]) * inverse[k]);
        (enters, leaves) = (enters.max(t.min(u)), leaves.min(t.max(u)));
    }
    if enters <= leaves * (1.0 + PADDING) { enters } else { f64::INFINITY }
}
