//! Patch in the program: reduces the rows of its points to six.
//!
//! The points of a volume lie in one plane with one normal. Their velocities are `u_i = v + w x r_i`, so that the six
//! velocities of the patch are `P u` with the pseudo-inverse P of `u = G'[v; w]`, and an impulse f on the patch is the
//! impulses `P'f` on its points: their sum is f to rounding.

use crate::choices::volume_patch::MIN_RADIUS_RATIO;
use crate::inertia_groups::Groups;
use crate::sweeps::{Owner, Rows};
use kinegraph_convex::contact::Problem;
use kinegraph_core::convex::surface_of;
use nalgebra::{Matrix6, Vector6};

/// One patch. Six-vectors are `[tangent, tangent, normal; the same of angular velocity]` about its centre.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Normal row of each point; two tangents follow.
    pub rows: Vec<usize>,
    /// Position of each point relative to the centre, along the tangents \[m\].
    arms: Vec<[f64; 2]>,
    /// P: for each row of each point (normal, tangents) its contribution to the six velocities.
    share: Vec<[Vector6<f64>; 3]>,
    /// Corners of the hull of the points, anticlockwise.
    pub outline: Vec<[f64; 2]>,
    /// Factor on the arms of those corners at which friction acts, so that they resist a spin as the pressure does.
    pub friction_arm: f64,
    /// J and `M^-1 J'` at the velocities that affect it.
    pub motion: Vec<(usize, Vector6<f64>, Vector6<f64>)>,
    pub bias: Vector6<f64>,
    /// Q and the normal part of c, both times the pressure per depth.
    pub q: Matrix6<f64>,
    pub c: f64,
    pub static_friction: f64,
    pub dynamic_friction: f64,
    pub impulse: Vector6<f64>,
    /// Velocities of which the program keeps a part.
    pub free: Vector6<f64>,
}

/// Calls `found` with the normal rows of the points of each volume, which have one key and normal, and true if a point
/// of it overlaps; `contacts` is scratch.
pub(super) fn find(problem: &Problem, rows: &Rows, contacts: &mut Vec<usize>, mut found: impl FnMut(&[usize], bool)) {
    let contact = |i: &usize| match rows.all[*i].owner {
        Owner::Contact { pair } => Some(pair),
        _ => None,
    };
    contacts.clear();
    contacts.extend((0..rows.all.len()).filter(|i| contact(i).is_some()));
    let name = |i: &usize| {
        let pair = contact(i)?;
        Some((surface_of(problem.contacts.points[pair].key)?, problem.contacts.points[pair].normal))
    };
    for group in contacts.chunk_by(|i, j| name(i) == name(j)) {
        let overlaps = group.iter().filter_map(contact).any(|pair| problem.contacts.points[pair].depth > 0.0);
        if group.first().is_some_and(|first| name(first).is_some()) {
            found(group, overlaps);
        }
    }
}

impl Patch {
    /// Fills the patch; returns `false` if its points span no plane, or if their friction depends on the direction.
    pub fn fill(&mut self, problem: &Problem, rows: &Rows, groups: &Groups, points: &[usize]) -> bool {
        let pair = |row: usize| match rows.all[row].owner {
            Owner::Contact { pair } => &problem.contacts.points[pair],
            _ => &problem.contacts.points[0],
        };
        // The rows of points with a grain are not those of a motion in the plane.
        if points.len() < 3 || pair(points[0]).has_grain() {
            return false;
        }
        self.rows.clear();
        self.rows.extend(points);
        let first = pair(points[0]);
        let [_, u, v] = crate::sweeps::directions(&first.normal);
        let (mut weight, mut sum, mut center) = (0.0, 0.0, [0.0; 2]);
        self.arms.clear();
        for &row in points {
            let of = pair(row);
            let r = of.p_BC - first.p_BC;
            let arm = [r.dot(&u), r.dot(&v)];
            let force = of.material.stiffness * of.depth;
            (weight, sum) = (weight + of.material.stiffness, sum + force);
            center = [center[0] + force * arm[0], center[1] + force * arm[1]];
            self.arms.push(arm);
        }
        if !(sum > 0.0 && weight > 0.0) {
            return false;
        }
        (self.c, self.static_friction, self.dynamic_friction) =
            (sum, first.material.static_friction, first.material.dynamic_friction);
        self.arms.iter_mut().for_each(|arm| *arm = [arm[0] - center[0] / sum, arm[1] - center[1] / sum]);
        let (mut normal, mut all) = (Matrix6::zeros(), Matrix6::zeros());
        for (&row, arm) in points.iter().zip(&self.arms) {
            for column in columns(*arm) {
                normal += column * column.transpose();
                all += column * column.transpose() * (2.0 * pair(row).material.stiffness);
            }
        }
        self.q = all;
        let Some(inverse) = normal.try_inverse() else { return false };
        self.share.clear();
        self.share.extend(self.arms.iter().map(|arm| columns(*arm).map(|column| inverse * column)));
        hull(&self.arms, &mut self.outline);
        let size = self.outline.iter().map(|arm| arm[0].hypot(arm[1])).fold(0.0, f64::max);
        if self.outline.len() < 3 || super::friction::radius(&self.outline) < MIN_RADIUS_RATIO * size {
            return false;
        }
        let far = |arm: &[f64; 2]| arm[0].hypot(arm[1]);
        let pressed = points.iter().zip(&self.arms).map(|(&row, arm)| {
            let of = pair(row);
            of.material.friction_arm * of.material.stiffness * of.depth * far(arm)
        });
        let corners = self.outline.iter().map(far).sum::<f64>() / self.outline.len() as f64;
        let arm = pressed.sum::<f64>() / (sum * corners);
        self.friction_arm = if arm > 0.0 { arm.min(1.0) } else { 1.0 };
        self.motion.clear();
        self.bias = Vector6::zeros();
        for (&row, share) in points.iter().zip(&self.share) {
            for (k, share) in share.iter().enumerate() {
                let of = &rows.all[row + k];
                self.bias += share * of.bias;
                for part in &rows.parts[of.parts.clone()] {
                    for (place, &velocity) in groups.all()[part.group].velocities.iter().enumerate() {
                        let (j, y) = (rows.jacobian[part.start + place], rows.response[part.start + place]);
                        if j == 0.0 && y == 0.0 {
                            continue;
                        }
                        let at = self.motion.iter().position(|(at, ..)| *at == velocity).unwrap_or_else(|| {
                            self.motion.push((velocity, Vector6::zeros(), Vector6::zeros()));
                            self.motion.len() - 1
                        });
                        self.motion[at].1 += share * j;
                        self.motion[at].2 += share * y;
                    }
                }
            }
        }
        self.impulse = Vector6::zeros();
        true
    }

    /// Its six velocities.
    pub fn velocity(&self, v: &[f64]) -> Vector6<f64> {
        self.motion.iter().fold(self.bias, |sum, (at, j, _)| sum + j * v[*at])
    }

    /// Response `J M^-1 J'` to an impulse on `other`.
    pub fn mobility(&self, other: &Patch) -> Matrix6<f64> {
        let mut sum = Matrix6::zeros();
        for (at, j, _) in &self.motion {
            if let Some((_, _, y)) = other.motion.iter().find(|(of, ..)| of == at) {
                sum += j * y.transpose();
            }
        }
        sum
    }

    /// Sets its impulse to `next`. Returns the change of velocities, in the norm of A \[sqrt(J)\].
    pub fn change(&mut self, next: Vector6<f64>, rows: &mut Rows, v: &mut [f64]) -> f64 {
        let by = next - self.impulse;
        self.impulse = next;
        let mut moved = Vector6::zeros();
        for (at, j, y) in &self.motion {
            let change = y.dot(&by);
            v[*at] += change;
            moved += j * change;
        }
        for (&row, share) in self.rows.iter().zip(&self.share) {
            for (k, share) in share.iter().enumerate() {
                rows.all[row + k].impulse += share.dot(&by);
            }
        }
        by.dot(&moved).max(0.0).sqrt()
    }
}

/// Columns of the rows of a point (normal, tangents) with respect to the six velocities.
fn columns([x, y]: [f64; 2]) -> [Vector6<f64>; 3] {
    [
        Vector6::new(0.0, 0.0, 1.0, y, -x, 0.0),
        Vector6::new(1.0, 0.0, 0.0, 0.0, 0.0, -y),
        Vector6::new(0.0, 1.0, 0.0, 0.0, 0.0, x),
    ]
}

/// Convex hull of points in a plane, anticlockwise.
fn hull(points: &[[f64; 2]], out: &mut Vec<[f64; 2]>) {
    out.clear();
    let Some(mut at) =
        (0..points.len()).min_by(|&i, &j| points[i].partial_cmp(&points[j]).unwrap_or(std::cmp::Ordering::Equal))
    else {
        return;
    };
    let first = at;
    let size = points.iter().map(|p| p[0].hypot(p[1])).fold(0.0, f64::max);
    // Gift wrapping: the next corner has all others to its left.
    for _ in 0..points.len() {
        out.push(points[at]);
        let [x, y] = points[at];
        let mut next = None;
        for (i, &[p, q]) in points.iter().enumerate() {
            let far = (p - x).hypot(q - y);
            // rounding
            if far <= 1e-9 * size {
                continue;
            }
            let Some((_, a, b, length)) = next else {
                next = Some((i, p - x, q - y, far));
                continue;
            };
            let turn = a * (q - y) - b * (p - x);
            let aligned = turn.abs() <= 1e-9 * length * far; // rounding
            if (!aligned && turn < 0.0) || (aligned && far > length) {
                next = Some((i, p - x, q - y, far));
            }
        }
        let Some((i, ..)) = next else { return };
        // rounding
        if (points[i][0] - points[first][0]).hypot(points[i][1] - points[first][1]) <= 1e-9 * size {
            return;
        }
        at = i;
    }
}
