//! Rigid parts of a model: for example the controller's model of an arm that carries a hand.

use super::model::{Joint, JointKind, Link, Model};
use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion};
use std::f64::consts::TAU;

impl Model {
    /// Adds `part` to this model as a rigid part, with its root link at `X_LR` in the frame of `link`. Joints of one
    /// axis are fixed at the positions \[rad, m\] that `position` gives by name (mimic joints at the position that
    /// follows), joints of several axes at zero. Its links and joints are named `NAME/LINK` and `NAME/JOINT`, with the
    /// name of the part.
    ///
    /// A missing `link`, and a part without a root, are reported when the model is assembled.
    pub fn add_rigid_part(
        &mut self,
        name: &str,
        part: &Model,
        link: &str,
        X_LR: Isometry3<f64>,
        position: impl Fn(&str) -> f64,
    ) {
        let named = |own: &str| format!("{name}/{own}");
        let carried = |link: &&Link| part.joints.iter().any(|joint| joint.child == link.name);
        let root = part.links.iter().find(|link| !carried(link)).map(|link| named(&link.name));
        self.joints.push(Joint {
            X_PF: X_LR,
            ..Joint::new(format!("{name} on {link}"), JointKind::Fixed, link, root.unwrap_or_default())
        });
        self.links.extend(part.links.iter().map(|link| Link { name: named(&link.name), ..link.clone() }));
        self.joints.extend(part.joints.iter().map(|joint| {
            let q = match &joint.mimic {
                Some(mimic) => mimic.multiplier * position(&mimic.joint) + mimic.offset,
                None => position(&joint.name),
            };
            Joint {
                X_PF: joint.X_PF * joint.displacement(q),
                X_BM: joint.X_BM,
                ..Joint::new(named(&joint.name), JointKind::Fixed, named(&joint.parent), named(&joint.child))
            }
        }));
    }

    /// Pose of `link` in the frame of the root link; `None` if the model has no such link, or if a joint between them
    /// can move.
    pub fn rigid_pose(&self, link: &str) -> Option<Isometry3<f64>> {
        self.links.iter().find(|own| own.name == link)?;
        let (mut at, mut X) = (link, Isometry3::identity());
        // Rings are reported as a fault of their own.
        for _ in 0..=self.joints.len() {
            let Some(joint) = self.joints.iter().find(|joint| joint.child == at) else { return Some(X) };
            if joint.kind != JointKind::Fixed {
                return None;
            }
            X = joint.X_PF * joint.X_BM.inverse() * X;
            at = &joint.parent;
        }
        None
    }
}

impl Joint {
    /// Pose of M in F at position q \[rad, m\]; for a joint of several axes, at zero.
    fn displacement(&self, q: f64) -> Isometry3<f64> {
        match self.kind {
            JointKind::Revolute | JointKind::Continuous => {
                nalgebra::convert(UnitQuaternion::from_axis_angle(&Unit::new_normalize(self.axis), q))
            }
            JointKind::Prismatic => nalgebra::convert(Translation3::from(self.axis * q)),
            JointKind::Screw => Isometry3::from_parts(
                Translation3::from(self.axis * (self.pitch * q / TAU)),
                UnitQuaternion::from_axis_angle(&Unit::new_normalize(self.axis), q),
            ),
            JointKind::Fixed | JointKind::Universal | JointKind::Planar | JointKind::Ball | JointKind::Floating => {
                Isometry3::identity()
            }
        }
    }
}
