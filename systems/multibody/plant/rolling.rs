//! Torsional and rolling friction of contacts.
//!
//! Two bodies pressed together with the normal force N resist spinning about the normal with a torque of at most
//! `μ_t N`, and rolling with one of at most `μ_r N`; the coefficients are lengths. This is dry friction, as in joints:
//! a torque below the limit makes the bodies creep, and a turning body is slowed by the full torque. The rows are the
//! angular velocity of B relative to A along the normal, and along two tangential directions, which share the
//! resistance to rolling. The normal forces are known to the step.
//!
//! Points of one pair with the same normal act as one.

use super::tendon_friction::along_with;
use kinegraph_core::convex::{ConstraintRows, MAX_NORMAL_DIFFERENCE, PlantPoint, RowFriction, RowMeasure};
use nalgebra::{Matrix3, Vector3};

/// Points of a pair that act as one.
struct Resisting {
    bodies: [usize; 2],
    normal: Vector3<f64>,
}

/// Adds the rows of all contacts of `point` that resist spinning or rolling.
pub(super) fn add_rows(point: &mut PlantPoint) {
    let mut rows = std::mem::take(&mut point.constraints);
    let mut current: Option<Resisting> = None;
    for contact in point.contacts.iter().filter(|contact| contact.depth > 0.0 && contact.resistance != [0.0; 2]) {
        let (bodies, normal) = ([contact.body_a, contact.body_b], Vector3::from(contact.normal));
        let same = |pair: &Resisting| pair.bodies == bodies && (pair.normal - normal).norm() < MAX_NORMAL_DIFFERENCE;
        if !current.as_ref().is_some_and(same) {
            let pair = Resisting { bodies, normal };
            rows.push(pair.rows(&point.V_WB));
            current = Some(pair);
        }
    }
    point.constraints = rows;
}

impl Resisting {
    fn rows(&self, V_WB: &[[f64; 6]]) -> ConstraintRows {
        let (n, [body_a, body_b]) = (self.normal, self.bodies);
        let angular = |body: usize| Vector3::from_column_slice(&V_WB[body][..3]);
        let w = angular(body_b) - angular(body_a);
        // The first tangential direction is that of rolling: solvers that work row by row then have all of it in that
        // row.
        let rolling = (w - n * n.dot(&w)).try_normalize(f64::MIN_POSITIVE);
        let first = rolling.unwrap_or_else(|| {
            let other = if n.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
            n.cross(&other).normalize()
        });
        let first = (first - n * n.dot(&first)).normalize();
        let axes = Matrix3::from_columns(&[n, first, n.cross(&first)]).transpose();
        let measure = RowMeasure::Turn { body_a, body_b, axes: axes.into() };
        along_with(measure, RowFriction::OfContacts { normal: n.into() })
    }
}
