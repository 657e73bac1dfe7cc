//! Clearance of bodies in free motion: how far they may move until something could touch.
//!
//! Convex shapes A and B that are a gap g apart are separated by a slab of that width, normal to n. They cannot touch
//! while, of all points of B against all points of A, none moves by g against n. The origin of a body moves, to the
//! order of dense output, along the cubic through the poses and velocities at both ends of the step, and a cubic stays
//! in the hull of its control points
//!
//! ```text
//! p0,  p0 + h v0/3,  p1 - h v1/3,  p1
//! ```
//!
//! so that the largest approach along n is found at one of these; other points of a body deviate from its origin by no
//! more than the angle it turns times its reach. Bodies that separate may do so however small the gap is.

use super::bounds::{fall, fastest, halves, nearest};
use super::point::StepPoint;
use crate::choices::clearance::ROUNDED_UP;
use crate::integrators::tuning::CenicTuning;
use crate::linearize::External;
use kinegraph_core::convex::{ContactPoint, ConvexPlant, PlantPoint};
use nalgebra::{Matrix3, Rotation3, Vector3};

/// Path of a body within a step, relative to its start.
#[derive(Clone, Copy, Debug)]
struct Path {
    /// Control points of the path of its origin, without the first, which is zero \[m\].
    control: [Vector3<f64>; 3],
    /// Largest deviation of its points from that path because the body turns \[m\].
    turn: f64,
}

impl Path {
    fn length(&self) -> f64 {
        self.control.iter().map(Vector3::norm).fold(0.0, f64::max) + self.turn
    }
}

/// Clearance queries, with their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Clearance {
    /// Largest gaps that were looked for in each plant \[m\].
    margins: Vec<f64>,
    /// Plants at the start, with these neighbours, and at the end of the step.
    starts: Vec<PlantPoint>,
    ends: Vec<PlantPoint>,
    paths: Vec<Path>,
    tuning: CenicTuning,
}

impl Clearance {
    /// Clearance queries with these numbers of the step.
    pub fn new(tuning: &CenicTuning) -> Self {
        Clearance { tuning: *tuning, ..Clearance::default() }
    }

    /// Time \[s\], up to `h`, in which the bodies move from `point` without touching anything, as far as their
    /// velocities and gravity show.
    pub fn predict_approach(&mut self, external: &External, point: &StepPoint, h: f64) -> f64 {
        let (diagram, layout) = (external.diagram(), external.layout());
        let mut free = h;
        self.margins.clear();
        self.starts.resize_with(layout.plants.len(), PlantPoint::default);
        for ((slot, at), data) in layout.plants.iter().zip(&point.plants).zip(&mut self.starts) {
            let plant = layout.plant(diagram, slot);
            let (reach, fall) = (plant.reach(), fall(plant.structure()));
            if has_shapes(plant) {
                let margin = self.tuning.slack * self.tuning.slack * (h * fastest(at, reach) + fall * h * h);
                data.p_WB.clone_from(&at.p_WB);
                data.R_WB.clone_from(&at.R_WB);
                plant.contacts(margin, data);
                self.margins.push(margin);
                for contact in &data.contacts {
                    let (a, b) = (contact.body_a, contact.body_b);
                    let ((wa, va), (wb, vb)) = (velocity(at, a), velocity(at, b));
                    let straight = Vector3::from(contact.normal).dot(&(va - vb));
                    let turning = wa.norm() * reach[a] + wb.norm() * reach[b];
                    let outward: f64 = outward(at, contact, reach).into_iter().sum();
                    let gap = (-contact.depth).max(0.0) / (ROUNDED_UP * self.tuning.slack);
                    // A turning body gets no farther out than its reach.
                    let turned = if gap >= outward { time_to_close(gap - outward, straight, fall) } else { 0.0 };
                    free = free.min(time_to_close(gap, straight + turning, fall).max(turned));
                }
            } else {
                self.margins.push(f64::INFINITY);
            }
        }
        free
    }

    /// True if nothing can touch within the step of length `h` from `point`, for which
    /// [`predict_approach`](Self::predict_approach) was called, to the continuous state `end`.
    pub fn holds(&mut self, external: &External, point: &StepPoint, h: f64, end: &[f64]) -> bool {
        let (diagram, layout) = (external.diagram(), external.layout());
        self.ends.resize_with(layout.plants.len(), PlantPoint::default);
        for (p, slot) in layout.plants.iter().enumerate() {
            let plant = layout.plant(diagram, slot);
            let structure = plant.structure();
            let (q1, v1) = (&end[slot.positions.clone()], &end[slot.velocities.clone()]);
            if has_shapes(plant) {
                plant.motion(q1, v1, &mut self.ends[p]);
                let (from, to) = (&self.starts[p], &self.ends[p]);
                self.paths.clear();
                self.paths.extend((0..structure.bodies.len()).map(|b| {
                    let (w0, V0) = velocity(&point.plants[p], b);
                    let (w1, V1) = velocity(to, b);
                    let moved = Vector3::from(to.p_WB[b]) - Vector3::from(from.p_WB[b]);
                    let control = [V0 * (h / 3.0), moved - V1 * (h / 3.0), moved];
                    let turned = rotation(&from.R_WB[b], &to.R_WB[b]);
                    let angle =
                        [w0 * (h / 3.0), turned - w1 * (h / 3.0), turned].iter().map(Vector3::norm).fold(0.0, f64::max);
                    Path { control, turn: angle * plant.reach()[b] }
                }));
                if !keep_apart(from, &self.paths, self.margins[p], plant.reach(), self.tuning.slack) {
                    return false;
                }
            }
        }
        true
    }

    /// Plants at `end`, the end of the step for which [`holds`](Self::holds) was called last.
    pub fn points_at(&mut self, external: &External, end: &[f64]) -> &mut [PlantPoint] {
        let (diagram, layout) = (external.diagram(), external.layout());
        for (slot, data) in layout.plants.iter().zip(&mut self.ends) {
            let plant = layout.plant(diagram, slot);
            if !has_shapes(plant) {
                plant.motion(&end[slot.positions.clone()], &end[slot.velocities.clone()], data);
            }
        }
        &mut self.ends
    }
}

/// True if bodies on `paths` do not meet; their gaps up to `margin` are known. A cubic through both ends deviates from
/// the motion by no more than the factor `slack` of the approach.
fn keep_apart(from: &PlantPoint, paths: &[Path], margin: f64, reach: &[f64], slack: f64) -> bool {
    // Bodies farther apart than the margin cannot meet.
    let farthest = paths.iter().map(Path::length).fold(0.0, f64::max);
    if 2.0 * slack * farthest > margin {
        return false;
    }
    from.contacts.iter().all(|contact| {
        let (a, b) = (&paths[contact.body_a], &paths[contact.body_b]);
        let normal = Vector3::from(contact.normal);
        let approach =
            a.control.iter().zip(&b.control).map(|(a, b)| normal.dot(&(a - b))).fold(f64::NEG_INFINITY, f64::max);
        let outward = outward(from, contact, reach);
        let approach = approach + a.turn.min(outward[0]) + b.turn.min(outward[1]);
        contact.depth < 0.0 && (approach <= 0.0 || slack * approach < -contact.depth)
    })
}

/// Distances \[m\] by which bodies A and B of `contact` can get farther out along its normal by turning: zero for a
/// ball on its centre.
fn outward(at: &PlantPoint, contact: &ContactPoint, reach: &[f64]) -> [f64; 2] {
    let n = Vector3::from(contact.normal);
    [(contact.body_a, n), (contact.body_b, -n)]
        .map(|(body, out)| (reach[body] - nearest(contact, at, body, &out)).max(0.0))
}

/// Time \[s\] in which a gap closes: `closing t + fall t² = gap`.
fn time_to_close(gap: f64, closing: f64, fall: f64) -> f64 {
    if fall > 0.0 {
        ((closing * closing + 4.0 * fall * gap).sqrt() - closing) / (2.0 * fall) // formula
    } else if closing > 0.0 {
        gap / closing
    } else {
        f64::INFINITY
    }
}

fn has_shapes(plant: &dyn ConvexPlant) -> bool {
    plant.reach().iter().any(|&reach| reach > 0.0)
}

/// Angular velocity and velocity of the origin of body `b`.
fn velocity(point: &PlantPoint, b: usize) -> (Vector3<f64>, Vector3<f64>) {
    halves(&point.V_WB[b])
}

/// Rotation vector, in world, from one orientation to another \[rad\].
fn rotation(from: &[f64; 9], to: &[f64; 9]) -> Vector3<f64> {
    let (from, to) = (Matrix3::from_column_slice(from), Matrix3::from_column_slice(to));
    Rotation3::from_matrix_unchecked(to * from.transpose()).scaled_axis()
}
