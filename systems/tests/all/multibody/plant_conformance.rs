//! The multibody plant follows the rules for every block: values repeat, ports state their dependences, jets are
//! derivatives.

use kinegraph_systems::models::read_urdf;
use kinegraph_systems::multibody::plant::{Attachment, Constraint};
use kinegraph_systems::multibody::{Base, Inertia, JointKind};
use kinegraph_systems::multibody::{MultibodyPlant, PlantBuilder};
use kinegraph_systems::testing::{Sample, conformance};
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::path::Path;

/// An arm on the ground and one that floats, so that there are quaternions.
fn plant() -> MultibodyPlant {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/urdf/arm.urdf");
    let mut model = read_urdf(&file).unwrap().model;
    // Links without mass would leave a floating arm with motions that have no inertia.
    for link in model.links.iter_mut().filter(|link| link.inertia.is_none()) {
        let I_BBcm = Matrix3::identity() * 0.1;
        link.inertia = Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm });
    }
    // The last link of each, which can move, and a joint.
    let link = model.links.last().unwrap().name.clone();
    let at = |name: &str| Attachment::at(format!("{name}/{link}"), [0.1, 0.0, 0.2]);
    let joint = format!("fixed/{}", model.joints.iter().find(|j| j.kind != JointKind::Fixed).unwrap().name);
    let pose = Isometry3::new(Vector3::new(0.5, 1.0, 0.2), Vector3::new(0.3, -0.2, 0.9));
    PlantBuilder::new()
        .ground(0.0)
        .model("fixed", model.clone(), Base::fixed())
        .model("floating", model, Base::floating(pose))
        .constraint(Constraint::weld("grip", at("fixed"), at("floating")).inactive().capturing())
        .constraint(Constraint::distance("rope", at("floating"), Attachment::world(pose), 1.0).capturing())
        .constraint(Constraint::ball("hook", at("floating"), Attachment::world(pose)))
        .lock(joint, false)
        .build()
        .unwrap()
}

#[test]
fn conforms() {
    let plant = plant();
    let nq = plant.tree().num_positions();
    let samples: Vec<Sample> = (0..4)
        .map(|number| {
            let mut sample = Sample::random(&plant, number);
            plant.tree().normalize_quaternions(&mut sample.state[..nq]);
            sample
        })
        .collect();
    conformance::check_at(&plant, &samples);
}
