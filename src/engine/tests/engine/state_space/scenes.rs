//! Small plants with closed forms.

use kinegraph_multibody::plant::MultibodyPlant;
use kinegraph_multibody::{Base, Inertia, Joint, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Matrix3, Vector3};

pub const G: f64 = 9.81;

pub fn joint(name: &str, kind: JointKind, parent: &str, child: &str, axis: Vector3<f64>) -> Joint {
    Joint { axis, ..Joint::new(name, kind, parent, child) }
}

/// A rod-like link with its mass `mass` at distance `length` below the joint and inertia `inertia` about its centre of
/// mass.
pub fn link(name: &str, mass: f64, length: f64, inertia: f64) -> Link {
    let I_BBcm = Matrix3::from_diagonal_element(inertia);
    let inertia = Inertia { mass, p_BoBcm: Vector3::new(0.0, 0.0, -length), I_BBcm };
    Link { name: name.into(), inertia: Some(inertia), ..Link::default() }
}

fn base() -> Link {
    Link { name: "base".into(), ..Link::default() }
}

/// A pendulum: mass 2 kg at 0.5 m, inertia 0.1 kg m² about its centre, with this damping and effort limit.
pub fn pendulum(damping: f64, effort: f64) -> Model {
    let hinge = joint("hinge", JointKind::Continuous, "base", "rod", Vector3::y());
    Model {
        name: "pendulum".into(),
        links: vec![base(), link("rod", 2.0, 0.5, 0.1)],
        joints: vec![Joint { damping, effort, ..hinge }],
        ..Model::default()
    }
}

/// Inertia of the pendulum about its hinge \[kg m²\], and its weight moment m g l \[N m\].
pub const PENDULUM: (f64, f64) = (0.1 + 2.0 * 0.25, 2.0 * G * 0.5);

/// Two pendulums, one below the other: rods of these lengths with their masses at the ends.
pub fn double_pendulum(lengths: [f64; 2], masses: [f64; 2]) -> Model {
    let hinge = |name: &str, parent: &str, child: &str| joint(name, JointKind::Continuous, parent, child, Vector3::y());
    let lower = hinge("lower", "upper", "lower");
    let X_PF = nalgebra::Isometry3::translation(0.0, 0.0, -lengths[0]);
    Model {
        name: "double_pendulum".into(),
        links: vec![base(), link("upper", masses[0], lengths[0], 0.01), link("lower", masses[1], lengths[1], 0.01)],
        joints: vec![hinge("upper", "base", "upper"), Joint { X_PF, ..lower }],
        ..Model::default()
    }
}

/// A cart on a rail with a hanging point mass.
pub fn cart_pole(cart: f64, pole: f64, length: f64) -> Model {
    Model {
        name: "cart_pole".into(),
        links: vec![base(), link("cart", cart, 0.0, 1.0), link("pole", pole, length, 0.0)],
        joints: vec![
            joint("rail", JointKind::Prismatic, "base", "cart", Vector3::x()),
            joint("hinge", JointKind::Continuous, "cart", "pole", Vector3::y()),
        ],
        ..Model::default()
    }
}

pub fn plant(name: &str, model: Model) -> MultibodyPlant {
    PlantBuilder::new().model(name, model, Base::fixed()).build().unwrap()
}
