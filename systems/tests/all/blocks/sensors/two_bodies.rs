//! The plant for tests of sensors: two floating bodies.

use kinegraph_geometry::Shape;
use kinegraph_multibody::{Base, Collision, Inertia, Link, Model, MultibodyPlant, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// A plant of the bodies `other/body` and `drone/body`.
pub fn plant() -> MultibodyPlant {
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

/// The plant with a ball of radius 0.5 on `other`, a box on `drone`, and ground one metre below the origin.
pub fn plant_with_shapes() -> MultibodyPlant {
    let inertia = Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() });
    let model = |shape: Shape| {
        let collision = Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None };
        let link = Link { name: "body".into(), inertia, collisions: vec![collision], ..Link::default() };
        Model { name: "m".into(), links: vec![link], ..Model::default() }
    };
    let base = Base::floating(Isometry3::identity());
    PlantBuilder::new()
        .ground(-1.0)
        .model("other", model(Shape::Sphere { radius: 0.5 }), base.clone())
        .model("drone", model(Shape::Box { half_extents: Vector3::new(0.1, 0.2, 0.3) }), base)
        .build()
        .unwrap()
}

/// The numbers of a pose without rotation.
pub fn at(x: f64, y: f64, z: f64) -> [f64; 7] {
    [x, y, z, 1.0, 0.0, 0.0, 0.0]
}

/// A pose that is aligned with no axis.
pub fn askew() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(0.1, -0.2, 0.3), Vector3::new(0.5, 1.0, -0.4))
}
