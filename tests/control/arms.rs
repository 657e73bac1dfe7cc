//! The arm that the controllers of this folder move.

use kinegraph::simulate::Simulation;
use kinegraph::systems::models::read_urdf;
use kinegraph::systems::multibody::{Base, Frame, Kinematics, Model, PlantBuilder, Tree};
use kinegraph::systems::{Out, Signal};
use nalgebra::{Isometry3, Quaternion, Rotation3, UnitQuaternion, Vector3};
use std::path::Path;

/// Posture away from stops and singularities.
pub const HOME: [f64; 7] = [0.0, -0.2, 0.0, -2.0, 0.0, 1.8, std::f64::consts::FRAC_PI_4];

/// Seven joints, no friction; its last link is `tool`.
pub fn arm() -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenes/franka/control_model.urdf");
    read_urdf(&file).unwrap().model
}

/// A plant with the arm, called `arm`, at rest.
pub fn arm_at(plant: PlantBuilder, q: [f64; 7]) -> PlantBuilder {
    let place = |plant: PlantBuilder, (i, q)| plant.initial(format!("arm/joint{}", i + 1), q, 0.0);
    q.into_iter().enumerate().fold(plant.model("arm", arm(), Base::fixed()), place)
}

/// Pose of the tool.
pub fn tool_at(q: [f64; 7]) -> Isometry3<f64> {
    let tree = Tree::of_model("arm", &arm()).unwrap();
    let mut k = Kinematics::default();
    tree.position_kinematics(&q, &mut k);
    let X = tree.X_WF(&k, &Frame::new(tree.body("arm/tool").unwrap(), &Isometry3::identity()));
    let R = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(X.R_WB));
    Isometry3::from_parts(X.p_WB.into(), R)
}

/// A pose as input of blocks.
pub fn numbers(X: &Isometry3<f64>) -> [f64; 7] {
    let (p, r) = (X.translation, X.rotation);
    [p.x, p.y, p.z, r.w, r.i, r.j, r.k]
}

/// A pose from the output of a block.
pub fn pose<T: Signal>(simulation: &mut Simulation, port: Out<T>) -> Isometry3<f64> {
    let X = simulation.output(port);
    let R = UnitQuaternion::from_quaternion(Quaternion::new(X[3], X[4], X[5], X[6]));
    Isometry3::from_parts(Vector3::new(X[0], X[1], X[2]).into(), R)
}
