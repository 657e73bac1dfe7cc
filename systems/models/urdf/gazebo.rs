//! `<gazebo reference="…">`: the sensors of a link or a joint, in the elements of SDFormat. Everything else in it is
//! for Gazebo.

use super::tree::Names;
use crate::common::sensors::{self, MAGNETIC_FIELD, Place};
use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_multibody::Model;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

const GAZEBO: Known = Known {
    attributes: &["reference"],
    once: &[],
    many: &["sensor"],
    ignored: &[
        "plugin",
        "material",
        "mu1",
        "mu2",
        "mu",
        "kp",
        "kd",
        "fdir1",
        "minDepth",
        "min_depth",
        "maxVel",
        "max_vel",
        "selfCollide",
        "self_collide",
        "gravity",
        "turnGravityOff",
        "maxContacts",
        "max_contacts",
        "dampingFactor",
        "laserRetro",
        "static",
        "provideFeedback",
        "implicitSpringDamper",
        "springStiffness",
        "springReference",
        "disableFixedJointLumping",
        "preserveFixedJoint",
        "visual",
        "collision",
        "frame",
        "joint",
        "link",
        "pose",
        "canonicalBody",
        "sensorType",
        "stopCfm",
        "stopErp",
        "cfmDamping",
        "fudgeFactor",
        "initial_joint_position",
    ],
    ignored_attributes: &["xmlns"],
};

/// The `<pose>` of an element: x y z roll pitch yaw.
fn pose(element: Element<'_, '_>, report: &mut Report<'_>) -> Isometry3<f64> {
    let written = element.child("pose").and_then(|pose| pose.content().numbers::<6>(report));
    let [x, y, z, roll, pitch, yaw] = written.unwrap_or_default();
    Isometry3::from_parts(Translation3::new(x, y, z), UnitQuaternion::from_euler_angles(roll, pitch, yaw))
}

/// Reads the sensors of all such elements of a robot; those of missing links and joints are ignored with a note.
pub(super) fn read(robot: Element<'_, '_>, model: &mut Model, names: &Names, report: &mut Report<'_>) {
    for element in robot.children().filter(|child| child.name() == "gazebo") {
        let all: Vec<Element<'_, '_>> = element.children().filter(|child| child.name() == "sensor").collect();
        if all.is_empty() {
            let kind = NoteKind::IgnoredElement { element: "gazebo".to_owned(), parent: robot.name().to_owned() };
            report.note(element.span(), kind);
            continue;
        }
        element.check(&GAZEBO, report);
        let reference = element.attribute("reference").map_or("", |name| name.value);
        let joint = names.joints.get(reference).map(|&joint| &model.joints[joint]);
        let (link, joint) = match joint.filter(|_| !names.links.contains_key(reference)) {
            Some(joint) => (joint.child.clone(), Some(joint.name.clone())),
            None if names.links.contains_key(reference) => (reference.to_owned(), None),
            None => {
                let how = "has sensors of a link or joint that the robot does not have; they are ignored";
                let kind = NoteKind::ElementDiffers { element: element.describe(), how };
                report.note(element.span(), kind);
                continue;
            }
        };
        for written in all {
            let Some(sensor) = sensors::read(written, joint.is_some(), pose, report) else { continue };
            let X_LS = *sensor.X();
            let place = Place { link: &link, X_LS, joint: joint.as_deref() };
            sensor.add(model, &place, Vector3::from(MAGNETIC_FIELD));
        }
    }
}
