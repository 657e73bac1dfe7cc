//! What tests of sensors look at: a plant of two bodies that float.

use crate::multibody::{Base, Inertia, Link, Model, MultibodyPlant, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// `other/body` and `drone/body`.
pub(super) fn plant() -> MultibodyPlant {
    let inertia = Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() });
    let link = Link { name: "body".into(), inertia, ..Link::default() };
    let model = Model { name: "m".into(), links: vec![link], ..Model::default() };
    let base = Base::floating(Isometry3::identity());
    ["other", "drone"]
        .iter()
        .fold(PlantBuilder::new(), |p, name| p.model(*name, model.clone(), base.clone()))
        .build()
        .unwrap()
}

/// A pose that is along no axis.
pub(super) fn askew() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(0.1, -0.2, 0.3), Vector3::new(0.5, 1.0, -0.4))
}
