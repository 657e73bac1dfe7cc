//! Joints, frames and sensors that are placed once all poses are known.

use super::frames::{MODEL, Written};
use crate::common::sensors::{Place, Sensor};
use crate::faults::FaultKind;
use crate::faults::SdfFault;
use crate::report::Report;
use kinegraph_core::names::nearest;
use kinegraph_multibody::scene_data::LinkFrame;
use kinegraph_multibody::{Joint, Model};
use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion, Vector3};
use std::collections::HashMap;

/// A joint with its frames by name.
pub(super) struct PlacedLater {
    pub joint: Joint,
    /// Its own frame; those of the links follow.
    pub frame: String,
    pub parent: Written,
    pub child: Written,
    pub axes: Vec<(Vector3<f64>, Written)>,
    pub at: Written,
}

impl PlacedLater {
    /// Places the joint between its links.
    pub fn place(
        self,
        model: &mut Model,
        pose: &impl Fn(&str) -> Isometry3<f64>,
        links: &HashMap<String, String>,
        report: &mut Report<'_>,
    ) {
        let PlacedLater { mut joint, frame, parent, child, axes, at } = self;
        let (parent_link, child_link) = (parent.link(links, report), child.link(links, report));
        let (Some(parent_link), Some(child_link)) = (parent_link, child_link) else { return };
        if let Some(first) = model.joints.iter().find(|other| other.child == child_link) {
            let (link, first, second) = (child_link, first.name.clone(), joint.name);
            let first_place = at.at.place;
            report.fault_at(&child.at, FaultKind::TwoParents { link, first, first_place, second });
            return;
        }
        let X_MJ = pose(&frame);
        joint.X_PF = pose(&parent_link).inverse() * X_MJ;
        joint.X_BM = pose(&child_link).inverse() * X_MJ;
        let turn = |(axis, frame): &(Vector3<f64>, Written)| {
            if frame.name != MODEL && !links.contains_key(&frame.name) {
                let (element, name) = (frame.element.clone(), frame.name.clone());
                let mut known: Vec<&String> = links.keys().collect();
                known.sort();
                let nearest = nearest(&name, known);
                report.fault_at(&frame.at, SdfFault::UnknownFrame { element, name, nearest }.into());
            }
            (X_MJ.rotation.inverse() * pose(&frame.name).rotation) * axis
        };
        let turned: Vec<Vector3<f64>> = axes.iter().map(turn).collect();
        match turned[..] {
            [axis] => joint.axis = axis,
            [x, y] => {
                if x.dot(&y).abs() > 1e-6 {
                    let what = "has two axes that are not perpendicular";
                    report.fault_at(&at.at, SdfFault::Other { element: at.element, what }.into());
                    return;
                }
                // The first axis is x of the joint, the second y.
                let axes = Matrix3::from_columns(&[x, y, x.cross(&y)]);
                let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
                joint.X_PF *= turn;
                joint.X_BM *= turn;
            }
            _ => {}
        }
        (joint.parent, joint.child) = (parent_link, child_link);
        model.joints.push(joint);
    }
}

/// A frame of the file that the model keeps.
pub(super) struct Site {
    pub name: String,
}

impl Site {
    /// Places the frame on its link.
    pub fn place(self, model: &mut Model, pose: &impl Fn(&str) -> Isometry3<f64>, links: &HashMap<String, String>) {
        if let Some(link) = links.get(&self.name) {
            let X_LF = pose(link).inverse() * pose(&self.name);
            model.scene.frames.push(LinkFrame { name: self.name, link: link.clone(), X_LF });
        }
    }
}

/// A sensor with its frame by name.
pub(super) struct PlacedSensor {
    pub sensor: Sensor,
    pub frame: String,
    /// The joint that it belongs to.
    pub joint: Option<String>,
}

impl PlacedSensor {
    /// Places the sensor on its link.
    pub fn place(
        self,
        model: &mut Model,
        pose: &impl Fn(&str) -> Isometry3<f64>,
        links: &HashMap<String, String>,
        field_W: Vector3<f64>,
    ) {
        let Some(link) = links.get(&self.frame) else { return };
        let X_LS = pose(link).inverse() * pose(&self.frame);
        self.sensor.add(model, &Place { link, X_LS, joint: self.joint.as_deref() }, field_W);
    }
}
