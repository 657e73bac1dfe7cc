//! Place of the friction of flat contact.
//!
//! The points of a pair that lies flat carry its pressure p, and each stands for a part of the area in which the two
//! shapes touch. That area resists a spin about the centre of pressure c with the torque `mu int p |r - c| dA`, its
//! points with `mu sum n_i |p_i - c|`, which is 1.85 times as much if they are the corners of a square under even
//! pressure. So the friction of a point acts at `c + a (p_i - c)`, where a makes both torques equal, and its normal
//! force at `p_i` as before.
//!
//! With `s = (a - 1)(p_i - c)` the velocity of sliding is that of the point and `w x s`, of which `(n.w)(n x s)` lies
//! along the surface, w the angular velocity of B against A: `t = n x s` is [`ContactRow::turn`]. The forces are the
//! transpose: a force f at the point has the torque `n (t.f)` besides. Weights are the normal forces under which
//! friction acts within the step: then the offsets take no torque from a body that slides without a spin.

use super::elements::ContactRow;
use super::problem::Problem;
use crate::choices::friction_arms::NEAR_RATIO;
use nalgebra::Vector3;
use std::ops::Range;

impl Problem {
    /// Places the friction of the contact points `pairs`, those of one pair of shapes, and measures their sliding
    /// again. Sliding bodies are carried on a `gap`, in parts of the displacement of friction in the largest step.
    pub fn place_friction(&mut self, pairs: Range<usize>, gap: f64) {
        let rows = &self.contacts.points[pairs.clone()];
        if rows.len() < 2 || rows.iter().all(|row| row.material.friction_arm == 1.0) {
            return;
        }
        // Shapes that only begin to touch share their future load as they share their stiffness.
        let load = |row: &ContactRow| match gap == 0.0 {
            true => row.start.normal_force,
            false => {
                let carried = gap * row.max_step * row.start.friction * row.start.slip0.norm();
                row.material.stiffness * (row.depth + carried).max(0.0)
            }
        };
        let pressed = rows.iter().any(|row| load(row) > 0.0);
        let weight = |row: &ContactRow| if pressed { load(row) } else { row.material.stiffness };
        let sum: f64 = rows.iter().map(weight).sum();
        let moment: Vector3<f64> = rows.iter().map(|row| row.p_BC * weight(row)).sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return;
        }
        let center = moment / sum;
        let spread = rows.iter().map(|row| weight(row) * (row.p_BC - center).norm_squared()).sum::<f64>() / sum;
        for i in pairs {
            let mut row = self.contacts.points[i];
            let from_center = row.p_BC - center;
            let moved = (from_center.norm_squared() / (NEAR_RATIO * NEAR_RATIO * spread)).min(1.0);
            row.turn = row.normal.cross(&from_center) * ((row.material.friction_arm - 1.0) * moved);
            let vc0 = self.relative_velocity(&row, &self.trees.v0);
            row.carry(row.depth, &vc0);
            self.contacts.points[i] = row;
        }
    }
}
