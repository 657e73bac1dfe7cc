//! Sensors that report the last step: accelerations, forces of joints, actuators, stops and contacts; and rays, which
//! need no derivatives.
//!
//! The acceleration of a frame whose origin is at r from that of its body is `A + α × r + w × (w × r)`, with the
//! acceleration A of the body's origin. Gravity counts as an upward acceleration of the world, as accelerometers
//! measure it.

use super::of_state::pose_of;
use super::{Measure, Placed, PlacedSensor, PlantSensors};
use crate::sensor_data::OfFrame;
use crate::{Kinematics, Tree};
use kinegraph_core::step_record::{ContactReport, StepRecord};
use kinegraph_geometry::{Ray, SceneQuery};
use nalgebra::{Isometry3, Rotation3, UnitQuaternion, Vector3};

/// Results of a step, for sensors.
pub(in crate::plant) struct StepValues<'a> {
    pub tree: &'a Tree,
    pub gravity: &'a Vector3<f64>,
    pub record: &'a StepRecord,
    /// Positions and velocities of the record, and accelerations of the nodes, gravity included.
    pub k: &'a Kinematics<f64>,
    /// Force on every link from its parent.
    pub reactions: &'a [f64],
    /// The placed shapes; `None` if no sensor uses a ray.
    pub scene: Option<&'a SceneQuery>,
}

impl PlantSensors {
    /// Stores the readings of a step in the discrete state; `numbers` is its part from the first sensor on.
    pub fn store(&self, values: &StepValues<'_>, numbers: &mut [f64]) {
        let first = self.first_held();
        for ((_, sensors), held) in self.models.iter().zip(&self.held) {
            let Some(to) = numbers.get_mut(held.start - first..held.end - first) else { continue };
            for PlacedSensor { measure, numbers, cutoff } in &sensors.of_step {
                let to = &mut to[numbers.clone()];
                values.measure(measure, to);
                if cutoff.is_finite() {
                    to.iter_mut().for_each(|y| *y = y.clamp(-cutoff, *cutoff));
                }
            }
        }
    }
}

impl StepValues<'_> {
    fn measure(&self, measure: &Measure, to: &mut [f64]) {
        match measure {
            Measure::StopForce(stop) => to[0] = self.record.stops.get(*stop).map_or(0.0, |force| force.abs()),
            Measure::Effort(velocity, coefficient) => {
                to[0] = self.record.actuation.get(*velocity).map_or(0.0, |effort| effort / coefficient);
            }
            Measure::Frame { frame, seen_from, what } => {
                to.copy_from_slice(self.frame(frame, seen_from.as_ref(), *what).as_slice());
            }
            Measure::Touch { frame, zone } => {
                let (p, R) = pose_of(self.tree, self.k, frame);
                let X_WF = Isometry3::from_parts(
                    p.into(),
                    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(R)),
                );
                let of_body = |c: &&ContactReport| c.body_a == frame.body || c.body_b == frame.body;
                to[0] = self.record.contacts.iter().filter(of_body).fold(0.0, |sum, contact| {
                    let normal = Vector3::from(contact.normal);
                    let force = normal.dot(&Vector3::from(contact.force));
                    // Into the body of the sensor; from within the zone every direction meets it.
                    let inwards = if contact.body_b == frame.body { normal } else { -normal };
                    let meets = Ray::new(contact.p_WC.into(), inwards).and_then(|ray| zone.cast_ray(&X_WF, &ray));
                    if force > 0.0 && meets.is_some() { sum + force } else { sum }
                });
            }
            Measure::Range(frame) => {
                let (p, R) = pose_of(self.tree, self.k, frame);
                let ray = Ray::new(p, R.column(2).into_owned());
                let hit = ray.zip(self.scene).and_then(|(ray, s)| s.cast_ray(&ray, f64::INFINITY, &[frame.body]));
                to[0] = hit.map_or(-1.0, |hit| hit.distance);
            }
            // Quantities of the state are not in this list, and a joint without stops has no stop force.
            _ => to.fill(0.0),
        }
    }

    fn frame(&self, frame: &Placed, seen_from: Option<&Placed>, what: OfFrame) -> Vector3<f64> {
        let (tree, k) = (self.tree, self.k);
        let (_, R_WF) = pose_of(tree, k, frame);
        let own_axes = seen_from.map_or(R_WF, |other| pose_of(tree, k, other).1).transpose();
        let arm = tree.X_WB(k, frame.body).R_WB * frame.X_BF.translation.vector;
        let of_link = |which: usize| {
            let first = 6 * (frame.body - 1) + which;
            self.reactions.get(first..first + 3).map_or_else(Vector3::zeros, Vector3::from_column_slice)
        };
        let linear = || {
            let (w, A) = (tree.V_WB(k, frame.body).angular, tree.A_WB(k, frame.body, self.gravity));
            A.linear + A.angular.cross(&arm) + w.cross(&w.cross(&arm))
        };
        match what {
            OfFrame::LinearAcceleration => linear(),
            OfFrame::SpecificForce => R_WF.transpose() * linear(),
            OfFrame::AngularAcceleration => tree.A_WB(k, frame.body, self.gravity).angular,
            OfFrame::Force if frame.body > 0 => own_axes * of_link(3),
            OfFrame::ForceOnParent if frame.body > 0 => -(own_axes * of_link(3)),
            OfFrame::Torque if frame.body > 0 => own_axes * (of_link(0) - arm.cross(&of_link(3))),
            OfFrame::TorqueOnParent if frame.body > 0 => own_axes * (arm.cross(&of_link(3)) - of_link(0)),
            _ => Vector3::zeros(),
        }
    }
}
