//! The block under a height field, with the sides between the two, for rays: from inside they hit its upper face, too.
//! Contact is with the triangles only, from outside.

use crate::ray::{Chord, Ray, RayHit};
use nalgebra::Vector3;

/// A block from z = -depth to z = 0, with sides from there up to the heights along each edge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    half_size: [f64; 2],
    depth: f64,
    /// Heights along the edges at -x, x (from the least y on), at -y, y (from the least x on).
    edges: [Vec<f64>; 4],
}

impl Block {
    pub fn new(heights: &[f64], columns: usize, half_size: [f64; 2], depth: f64) -> Self {
        let rows = || heights.chunks_exact(columns);
        let column = |i: usize| rows().map(|row| row[i]).collect();
        let row = |row: Option<&[f64]>| row.unwrap_or_default().to_vec();
        let edges = [column(0), column(columns - 1), row(rows().next()), row(rows().next_back())];
        Block { half_size, depth, edges }
    }

    pub fn depth(&self) -> f64 {
        self.depth
    }

    pub fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let sides = (0..4).filter_map(|side| self.side(side, ray));
        sides.chain(self.below(ray)).min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    fn below(&self, ray: &Ray) -> Option<RayHit> {
        let (near, shift) = ray.recentred();
        let [x, y] = self.half_size;
        let faces = [
            (Vector3::x(), x),
            (-Vector3::x(), x),
            (Vector3::y(), y),
            (-Vector3::y(), y),
            (Vector3::z(), 0.0),
            (-Vector3::z(), self.depth),
        ];
        let within = faces.iter().try_fold(Chord::whole(), |chord, (normal, at)| chord.cut(&near, normal, *at));
        within?.first(shift)
    }

    /// The hit of a ray on one of the sides above the block.
    fn side(&self, side: usize, ray: &Ray) -> Option<RayHit> {
        let (across, along, heights) = (side / 2, 1 - side / 2, &self.edges[side]);
        let sign = if side.is_multiple_of(2) { -1.0 } else { 1.0 };
        let distance = (sign * self.half_size[across] - ray.origin()[across]) / ray.direction()[across];
        if !(0.0..f64::INFINITY).contains(&distance) {
            return None;
        }
        let at = ray.at(distance);
        // The place between the points of the grid.
        let last = (heights.len() - 1) as f64;
        let place = 0.5 * last * (at[along] / self.half_size[along] + 1.0);
        if !(0.0..=last).contains(&place) {
            return None;
        }
        let i = (place as usize).min(heights.len() - 2);
        let part = place - i as f64;
        let top = heights[i] * (1.0 - part) + heights[i + 1] * part;
        let mut normal = Vector3::zeros();
        normal[across] = sign;
        (0.0..top).contains(&at.z).then_some(RayHit { distance, normal })
    }
}
