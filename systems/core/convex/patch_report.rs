//! Resultant of the contact points of one pair of shapes: wrench, centre of pressure, and utilization of friction.
//!
//! Points with the normal forces `f_i`, whose friction acts at `r_i` from the centre of pressure, resist a force `f_t`
//! in the contact plane and a torque `tau` about the normal if for every motion of the plane the power of these is at
//! most the power that friction can dissipate,
//!
//! ```text
//! f_t . v + tau w <= sum_i mu f_i |v + w n x r_i|     for all (v, w)
//! ```
//!
//! where the norm counts less along the grain of a point ([`ContactPoint::grain`](super::ContactPoint::grain))
//! (the limit surface of Goyal, Ruina and Papadopoulos 1991). The largest ratio of both sides is the utilization: 0
//! without load, 1 where the patch slides. It is computed by weighted least squares: the right side, a sum of norms, is
//! minimized under the condition that the left side is 1.

use super::point::surface_of;
use super::step_record::ContactReport;
use nalgebra::{Matrix3, Matrix3x2, Vector2, Vector3};

/// The points of one contact surface or volume, or of one pair of bodies that touch in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchReport {
    /// The body that the normal points away from.
    pub body_a: usize,
    /// The body that the normal points to.
    pub body_b: usize,
    /// Centre of pressure, in world \[m\].
    pub center_of_pressure: [f64; 3],
    /// Mean direction of the normal forces, from A into B.
    pub normal: [f64; 3],
    /// Force on B \[N\].
    pub force: [f64; 3],
    /// Torque on B about the centre of pressure \[N m\].
    pub torque: [f64; 3],
    /// Utilization: the fraction of the friction limit that is used, 1 at the limit.
    pub utilization: f64,
}

/// Utilization from which on a patch counts as sliding: regularized friction reaches this fraction of its limit at four
/// regularization velocities, where its coefficient begins to fall.
pub const SLIDING: f64 = 0.97;

impl PatchReport {
    /// True if the patch sticks; otherwise it slides or spins.
    pub fn is_static(&self) -> bool {
        self.utilization < SLIDING
    }
}

/// Patches of a list of contacts, which must be sorted as in a step record. Pairs without force are left out.
pub fn patches(contacts: &[ContactReport]) -> Vec<PatchReport> {
    let pair = |contact: &ContactReport| {
        let shapes = surface_of(contact.key).unwrap_or(contact.key >> super::point::FEATURE_BITS);
        (contact.body_a, contact.body_b, shapes)
    };
    contacts.chunk_by(|a, b| pair(a) == pair(b)).filter_map(report).collect()
}

fn report(points: &[ContactReport]) -> Option<PatchReport> {
    let first = points.first()?;
    let normal_force = |point: &ContactReport| Vector3::from(point.normal).dot(&Vector3::from(point.force));
    let (mut total, mut center, mut normal) = (0.0, Vector3::zeros(), Vector3::zeros());
    for point in points {
        let f = normal_force(point);
        total += f;
        center += Vector3::from(point.p_WC) * f;
        normal += Vector3::from(point.normal) * f;
    }
    if !(total > 0.0 && normal.norm() > 0.0) {
        return None;
    }
    let (center, normal) = (center / total, normal.normalize());
    let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
    for point in points {
        let f = Vector3::from(point.force);
        force += f;
        torque += (Vector3::from(point.p_WC) - center).cross(&f) + Vector3::from(point.torque());
    }
    Some(PatchReport {
        body_a: first.body_a,
        body_b: first.body_b,
        center_of_pressure: center.into(),
        normal: normal.into(),
        force: force.into(),
        torque: torque.into(),
        utilization: utilization(points, &center, &normal, &force, &torque),
    })
}

fn utilization(
    points: &[ContactReport],
    center: &Vector3<f64>,
    normal: &Vector3<f64>,
    force: &Vector3<f64>,
    torque: &Vector3<f64>,
) -> f64 {
    let mut least = Vector3::zeros();
    least[normal.iamin()] = 1.0;
    let u = least.cross(normal).normalize();
    let v = normal.cross(&u);
    // Torques over the size of the patch are forces.
    let arm = |point: &ContactReport| {
        let r = Vector3::from(point.p_WC) + Vector3::from(point.friction_offset) - center;
        Vector2::new(r.dot(&u), r.dot(&v))
    };
    let size = points.iter().map(|point| arm(point).norm()).fold(0.0, f64::max);
    let size = if size > 0.0 { size } else { 1.0 };
    let load = Vector3::new(force.dot(&u), force.dot(&v), torque.dot(normal) / size);
    let resists: Vec<(f64, Matrix3x2<f64>)> = points
        .iter()
        .map(|point| {
            let r = arm(point) / size;
            let f = Vector3::from(point.normal).dot(&Vector3::from(point.force)).max(0.0);
            let moves = Matrix3x2::new(1.0, 0.0, 0.0, 1.0, -r.y, r.x);
            let grain = Vector3::from(point.grain);
            let grain = Vector2::new(grain.dot(&u), grain.dot(&v));
            (point.static_friction * f, moves - moves * grain * grain.transpose())
        })
        .collect();
    let most: f64 = resists.iter().map(|(f, _)| f).sum();
    if load.norm() <= 1e-12 * most {
        return 0.0;
    }
    // Without friction any load slides.
    if most == 0.0 {
        return f64::INFINITY;
    }
    let cost = |motion: &Vector3<f64>| resists.iter().map(|(f, j)| f * (j.transpose() * motion).norm()).sum::<f64>();
    let mut motion = load / load.norm_squared();
    for _ in 0..200 {
        let speed = motion.norm();
        let h = resists.iter().fold(Matrix3::identity() * (1e-12 * most / speed), |h, (f, j)| {
            h + j * j.transpose() * (f / (j.transpose() * motion).norm().max(1e-9 * speed))
        });
        let Some(next) = h.cholesky().map(|h| h.solve(&load)) else { break };
        let next = next / load.dot(&next);
        let moved = (next - motion).norm();
        motion = next;
        if moved <= 1e-12 * motion.norm() {
            break;
        }
    }
    1.0 / cost(&motion)
}
