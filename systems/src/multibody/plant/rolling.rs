//! Torsional and rolling friction of contacts.
//!
//! Two bodies that press on each other with the normal force N resist spinning about the normal with a torque of at
//! most `μ_t N`, and rolling with one of at most `μ_r N`; the coefficients are lengths. As for sliding, the torque is
//! lagged: with the angular velocity ω of the start of the step, N of the start and a regularization velocity ε,
//!
//! ```text
//! τ = -μ N ω'/max(|ω|, ε)          along the normal and across it by itself, ω' at the end of the step
//! ```
//!
//! is the gradient of a quadratic potential, `μ N |ω'|²/(2 max(|ω|, ε))`: a damper between the two bodies, which a
//! convex step takes as rows of a compliant constraint. It never turns a motion round, and while the motion slows down
//! over several steps its torque tends to `μ N` as they get shorter. What is held by it creeps at ε times the load over
//! `μ N`.
//!
//! Points of one pair with the same normal act as one.

use crate::convex::{Compliance, ConstraintRows, ContactPoint, NO_CONSTRAINT, PlantPoint, RowMeasure};
use nalgebra::{Matrix3, Unit, UnitQuaternion, Vector3};

/// Normals that differ by less are one.
const MAX_NORMAL_DIFFERENCE: f64 = 1e-3;

/// What the points of a pair resist with, along the normal and across it \[N m\].
struct Resistance {
    bodies: [usize; 2],
    normal: Vector3<f64>,
    torque: [f64; 2],
}

/// Adds the rows of all contacts of `point` that resist spinning or rolling; `epsilon` is the regularization velocity
/// \[rad/s\].
pub(super) fn add_rows(epsilon: f64, point: &mut PlantPoint) {
    let mut rows = std::mem::take(&mut point.constraints);
    let mut current: Option<Resistance> = None;
    for contact in point.contacts.iter().filter(|contact| contact.depth > 0.0 && contact.resistance != [0.0; 2]) {
        let force = normal_force(contact, point);
        let normal = Vector3::from(contact.normal);
        let torque = contact.resistance.map(|length| length * force);
        let bodies = [contact.body_a, contact.body_b];
        match &mut current {
            Some(pair) if pair.bodies == bodies && (pair.normal - normal).norm() < MAX_NORMAL_DIFFERENCE => {
                pair.torque.iter_mut().zip(torque).for_each(|(sum, torque)| *sum += torque);
            }
            _ => {
                rows.extend(current.take().and_then(|pair| rows_of(&pair, epsilon, &point.V_WB)));
                current = Some(Resistance { bodies, normal, torque });
            }
        }
    }
    rows.extend(current.and_then(|pair| rows_of(&pair, epsilon, &point.V_WB)));
    point.constraints = rows;
}

/// The normal force at the start of the step.
fn normal_force(contact: &ContactPoint, point: &PlantPoint) -> f64 {
    let velocity = |body: usize| {
        let [a, b, c, x, y, z] = point.V_WB[body];
        let arm = Vector3::from(contact.p_WC) - Vector3::from(point.p_WB[body]);
        Vector3::new(x, y, z) + Vector3::new(a, b, c).cross(&arm)
    };
    let separation = Vector3::from(contact.normal).dot(&(velocity(contact.body_b) - velocity(contact.body_a)));
    contact.stiffness * contact.depth * (1.0 - contact.dissipation * separation).max(0.0)
}

fn rows_of(pair: &Resistance, epsilon: f64, V_WB: &[[f64; 6]]) -> Option<ConstraintRows> {
    if pair.torque == [0.0; 2] {
        return None;
    }
    let [body_a, body_b] = pair.bodies;
    let angular = |body: usize| Vector3::from_column_slice(&V_WB[body][..3]);
    let w = angular(body_b) - angular(body_a);
    let spin = pair.normal.dot(&w);
    let roll = (w - pair.normal * spin).norm();
    let damping = [pair.torque[0] / spin.abs().max(epsilon), pair.torque[1] / roll.max(epsilon)];
    let of = |damping: f64| Compliance { stiffness: 0.0, damping };
    // The rows of the map are the normal and two directions across it.
    let turn = UnitQuaternion::rotation_between_axis(&Vector3::x_axis(), &Unit::new_unchecked(pair.normal));
    let frame = turn.map_or_else(
        || Matrix3::from_diagonal(&Vector3::new(-1.0, -1.0, 1.0)),
        |turn| *turn.to_rotation_matrix().matrix(),
    );
    Some(ConstraintRows {
        constraint: NO_CONSTRAINT,
        measure: RowMeasure::Turn { body_a, body_b, axes: frame.transpose().into() },
        violation: [0.0; 3],
        compliance: Some([of(damping[0]), of(damping[1]), of(damping[1])]),
        material: false,
    })
}
