//! Belts: surfaces that move although the body that carries them rests.
//!
//! A contact point on the body sees the surface pass with `v_ss = speed R_WB (axis × n)`, where n is the normal out of
//! the body: the velocity of the surface of a drum, or of a belt on rollers along the axis, which runs forth on its
//! upper side and back on its lower one. A sheet that is drawn in one direction d moves with the part of d in the
//! tangent plane. A contact takes `v_ss,B - v_ss,A` as part of its relative velocity.

use super::error::PlantError;
use crate::Tree;
use kinegraph_core::names::nearest;
use nalgebra::{Matrix3, Vector3};

/// Motion of a surface; the length of the vector does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceMotion {
    /// As a belt on rollers that turn about this axis, in link axes.
    Around([f64; 3]),
    /// In this direction on every side, in link axes.
    Along([f64; 3]),
}

/// A moving surface. Its speed is the plant's input `NAME.speed`.
#[derive(Clone, Debug, PartialEq)]
pub struct Belt {
    /// Name, unique among the belts of the plant.
    pub name: String,
    /// Full name of the link whose surface moves (`model/link`), or `ground`.
    pub link: String,
    /// Motion of the surface.
    pub motion: SurfaceMotion,
    /// Speed while the input is not connected \[m/s\].
    pub speed: f64,
}

/// A belt with its body found.
#[derive(Clone, Debug)]
pub(super) struct PlacedBelt {
    pub name: String,
    pub body: usize,
    ground: bool,
    pub motion: SurfaceMotion,
    pub speed: f64,
}

impl PlacedBelt {
    /// True if the belt is the surface of a geometry of `body` (or of the ground).
    pub fn covers(&self, body: usize, ground: bool) -> bool {
        self.body == body && self.ground == ground
    }

    /// Velocity of the surface at unit speed, for the normal `outward` out of the body.
    pub fn direction(&self, R_WB: &Matrix3<f64>, outward: &Vector3<f64>) -> Vector3<f64> {
        match self.motion {
            SurfaceMotion::Around(axis) => (R_WB * Vector3::from(axis)).cross(outward),
            SurfaceMotion::Along(direction) => {
                let direction = R_WB * Vector3::from(direction);
                direction - outward * outward.dot(&direction)
            }
        }
    }
}

/// Finds the bodies of `belts`; appends faults to `faults`.
pub(super) fn place(belts: &[Belt], tree: &Tree, ground: bool, faults: &mut Vec<PlantError>) -> Vec<PlacedBelt> {
    let mut placed: Vec<PlacedBelt> = Vec::new();
    for belt in belts {
        let Belt { name, link, motion, speed } = belt;
        if placed.iter().any(|other| other.name == *name) {
            faults.push(PlantError::Duplicate { kind: "belt", name: name.clone() });
        }
        let (SurfaceMotion::Around(vector) | SurfaceMotion::Along(vector)) = *motion;
        let length = Vector3::from(vector).norm();
        if !(length > 0.0 && length.is_finite()) {
            let expected = "finite and not zero";
            let what = format!("length of the axis or direction of belt `{name}`");
            faults.push(PlantError::OutOfRange { what, value: length, expected });
        }
        if !speed.is_finite() {
            let what = format!("speed of belt `{name}`");
            faults.push(PlantError::OutOfRange { what, value: *speed, expected: "a finite number" });
        }
        let is_ground = link == "ground";
        let body = match tree.body(link) {
            _ if is_ground => ground.then_some(0),
            body => body.filter(|&body| body != 0),
        };
        let Some(body) = body else {
            let links = tree.bodies()[1..].iter().map(|b| b.name.as_str());
            let nearest = nearest(link, links.chain(ground.then_some("ground")));
            faults.push(PlantError::Unknown { kind: "link", name: link.clone(), nearest });
            continue;
        };
        let unit = vector.map(|x| x / length);
        let motion = match motion {
            SurfaceMotion::Around(_) => SurfaceMotion::Around(unit),
            SurfaceMotion::Along(_) => SurfaceMotion::Along(unit),
        };
        placed.push(PlacedBelt { name: name.clone(), body, ground: is_ground, motion, speed: *speed });
    }
    placed
}
