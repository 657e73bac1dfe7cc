//! A position and an orientation.

use crate::form::{Optional, Reader, Section, Vector, WithDefault, optional, with_default};
use crate::node::show_number;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};

/// A pose in the frame of the base (the world or the link a model is welded to).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position \[m\].
    pub xyz: [f64; 3],
    /// Orientation, the unit quaternion w x y z.
    pub quat: [f64; 4],
}

impl Default for Pose {
    fn default() -> Self {
        Pose { xyz: XYZ.default(), quat: [1.0, 0.0, 0.0, 0.0] }
    }
}

impl Pose {
    /// The pose as a rigid motion.
    pub fn isometry(&self) -> Isometry3<f64> {
        let [w, x, y, z] = self.quat;
        let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        Isometry3::from_parts(Translation3::from(nalgebra::Vector3::from(self.xyz)), rotation)
    }
}

/// Tolerance of a quaternion's length: rounding in the file, not a mistake.
const LENGTH_TOLERANCE: f64 = 1e-3;

/// `pose: {xyz, quat | rpy}`.
pub(in crate::blocks) const SECTION: Section<Pose> =
    Section { about: "a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`", read };

const XYZ: WithDefault<Vector<3>> = with_default("xyz", Vector { about: "[x, y, z] in m" }, [0.0; 3], "position [m]");
const QUAT: Optional<Vector<4>> =
    optional("quat", Vector { about: "[w, x, y, z]" }, "not turned", "orientation, a unit quaternion");
const RPY: Optional<Vector<3>> = optional(
    "rpy",
    Vector { about: "[roll, pitch, yaw] in rad" },
    "not turned",
    "instead of `quat`: turned about x, then y, then z, all axes fixed [rad]",
);

fn read(r: &mut Reader<'_>) -> Option<Pose> {
    let (xyz, quat, rpy) = (r.get(&XYZ), r.get(&QUAT), r.get(&RPY));
    if r.has(QUAT) && r.has(RPY) {
        r.conflict(RPY, "`quat` gives the orientation already: keep one of the two");
    }
    let quat = match (quat, rpy) {
        (Some(quat), _) => {
            let length = quat.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (length - 1.0).abs() > LENGTH_TOLERANCE {
                r.wrong(QUAT, "a unit quaternion [w, x, y, z]", format!("one of length {}", show_number(length)));
            }
            quat.map(|x| x / length)
        }
        (None, Some(rpy)) => from_rpy(rpy),
        (None, None) => Pose::default().quat,
    };
    Some(Pose { xyz, quat })
}

/// Roll about x, then pitch about y, then yaw about z, all axes fixed (as in URDF).
pub fn from_rpy([roll, pitch, yaw]: [f64; 3]) -> [f64; 4] {
    let q = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    [q.w, q.i, q.j, q.k]
}
