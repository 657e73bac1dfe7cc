//! A tree of boxes over the elements of a mesh, in the frame of the mesh. It is built once and searched without memory
//! of its own.

use super::Ray;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Growth of the boxes, more than any rounding, relative to the size of the mesh.
const PADDING: f64 = 1e-9;

#[derive(Clone, Debug, PartialEq)]
struct Node {
    center: Vector3<f64>,
    half: Vector3<f64>,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// An element.
    Leaf(u32),
    /// Index of the second child; the first one follows its parent.
    Inner(u32),
}

/// Elements over which a tree is built.
struct Elements<'a> {
    boxes: &'a [[Vector3<f64>; 2]],
    /// Twice the centre of each box.
    middles: &'a [Vector3<f64>],
    padding: f64,
}

/// The tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// Elements of two meshes whose boxes overlap, and buffers for the search.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    stack: Vec<(u32, u32)>,
    /// The elements of the first and of the second mesh.
    pub pairs: Vec<(u32, u32)>,
}

impl Tree {
    /// A tree over elements that span these boxes (least and greatest coordinates).
    pub fn new(boxes: &[[Vector3<f64>; 2]]) -> Self {
        let size = boxes.iter().flatten().map(|p| p.amax()).fold(0.0, f64::max);
        let mut tree = Tree { nodes: Vec::with_capacity(2 * boxes.len()) };
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        if !items.is_empty() {
            let middles: Vec<_> = boxes.iter().map(|[low, high]| low + high).collect();
            tree.grow(&Elements { boxes, middles: &middles, padding: PADDING * size }, &mut items);
        }
        tree
    }

    fn grow(&mut self, all: &Elements<'_>, items: &mut [u32]) {
        let Elements { boxes, middles, padding } = *all;
        let around = items.iter().map(|&i| boxes[i as usize]).reduce(|[l, u], [m, v]| [l.inf(&m), u.sup(&v)]);
        let [low, high] = around.unwrap_or_default();
        let (center, half) = ((low + high) * 0.5, ((high - low) * 0.5).add_scalar(padding));
        let at = self.nodes.len();
        self.nodes.push(Node { center, half, what: What::Leaf(items[0]) });
        if items.len() == 1 {
            return;
        }
        let axis = half.imax();
        let middle = |i: u32| middles[i as usize][axis];
        // Only the partition about the middle one matters: each half is ordered again along its own axis.
        let half = items.len() / 2;
        items.select_nth_unstable_by(half, |&i, &j| middle(i).total_cmp(&middle(j)).then(i.cmp(&j)));
        let (left, right) = items.split_at_mut(half);
        self.grow(all, left);
        self.nodes[at].what = What::Inner(self.nodes.len() as u32);
        self.grow(all, right);
    }

    /// Pairs of elements, of this tree and of `other` placed at `X` in the frame of this one, whose boxes overlap or
    /// are less than `margin` apart along each axis; in ascending order.
    pub fn pairs(&self, other: &Tree, X: &Isometry3<f64>, margin: f64, found: &mut Candidates) {
        found.pairs.clear();
        found.stack.clear();
        if self.nodes.is_empty() || other.nodes.is_empty() {
            return;
        }
        let R = X.rotation.to_rotation_matrix().into_inner();
        let sizes = R.abs();
        found.stack.push((0, 0));
        while let Some((i, j)) = found.stack.pop() {
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            if !overlap(a, b, &R, &sizes, &X.translation.vector, margin) {
                continue;
            }
            match (a.what, b.what) {
                (What::Leaf(a), What::Leaf(b)) => found.pairs.push((a, b)),
                (What::Inner(right), What::Leaf(_)) => found.stack.extend([(right, j), (i + 1, j)]),
                (What::Leaf(_), What::Inner(right)) => found.stack.extend([(i, right), (i, j + 1)]),
                (What::Inner(r), What::Inner(s)) => {
                    found.stack.extend([(r, s), (r, j + 1), (i + 1, s), (i + 1, j + 1)]);
                }
            }
        }
        found.pairs.sort_unstable_by_key(|&(i, j)| u64::from(i) << 32 | u64::from(j));
    }

    /// Elements whose boxes overlap a box, given by its least and greatest coordinates; in ascending order, each as the
    /// first of a pair.
    pub fn near_box(&self, [low, high]: [Vector3<f64>; 2], found: &mut Candidates) {
        found.pairs.clear();
        found.stack.clear();
        if !self.nodes.is_empty() {
            found.stack.push((0, 0));
        }
        let (center, reach) = ((low + high) * 0.5, (high - low) * 0.5);
        while let Some((i, _)) = found.stack.pop() {
            let node = &self.nodes[i as usize];
            if (0..3).any(|k| (node.center[k] - center[k]).abs() > node.half[k] + reach[k]) {
                continue;
            }
            match node.what {
                What::Leaf(item) => found.pairs.push((item, 0)),
                What::Inner(right) => found.stack.extend([(right, 0), (i + 1, 0)]),
            }
        }
        found.pairs.sort_unstable();
    }

    /// Elements whose boxes a ray meets; in ascending order, each as the first of a pair.
    pub fn near_ray(&self, ray: &Ray, found: &mut Candidates) {
        found.pairs.clear();
        found.stack.clear();
        if !self.nodes.is_empty() {
            found.stack.push((0, 0));
        }
        let (origin, direction) = (ray.origin(), ray.direction());
        while let Some((i, _)) = found.stack.pop() {
            let node = &self.nodes[i as usize];
            let from = node.center - origin;
            let (mut enters, mut leaves) = (0.0_f64, f64::INFINITY);
            for k in 0..3 {
                if direction[k] == 0.0 {
                    if from[k].abs() > node.half[k] {
                        leaves = f64::NEG_INFINITY;
                    }
                    continue;
                }
                let (middle, reach) = (from[k] / direction[k], (node.half[k] / direction[k]).abs());
                (enters, leaves) = (enters.max(middle - reach), leaves.min(middle + reach));
            }
            if enters > leaves {
                continue;
            }
            match node.what {
                What::Leaf(item) => found.pairs.push((item, 0)),
                What::Inner(right) => found.stack.extend([(right, 0), (i + 1, 0)]),
            }
        }
        found.pairs.sort_unstable();
    }

    /// Elements whose boxes reach below the plane `normal . x = offset`; only those that also reach above it unless
    /// `all_below`; in ascending order.
    pub(super) fn near_plane(&self, normal: &Vector3<f64>, offset: f64, all_below: bool, found: &mut Candidates) {
        found.pairs.clear();
        found.stack.clear();
        if !self.nodes.is_empty() {
            found.stack.push((0, 0));
        }
        let sizes = normal.abs();
        while let Some((i, _)) = found.stack.pop() {
            let node = &self.nodes[i as usize];
            let (height, reach) = (normal.dot(&node.center) - offset, sizes.dot(&node.half));
            if height > reach || (!all_below && height < -reach) {
                continue;
            }
            match node.what {
                What::Leaf(item) => found.pairs.push((item, 0)),
                What::Inner(right) => found.stack.extend([(right, 0), (i + 1, 0)]),
            }
        }
        found.pairs.sort_unstable();
    }
}

/// True if two boxes overlap, or are less than the margin apart, along the six directions normal to a face of one of
/// them.
fn overlap(a: &Node, b: &Node, R: &Matrix3<f64>, sizes: &Matrix3<f64>, p: &Vector3<f64>, margin: f64) -> bool {
    let d = R * b.center + p - a.center;
    let (reach, own) = (sizes * b.half, R.tr_mul(&d));
    (0..3).all(|i| d[i].abs() <= a.half[i] + reach[i] + margin)
        && (0..3).all(|i| own[i].abs() <= b.half[i] + sizes.column(i).dot(&a.half) + margin)
}
