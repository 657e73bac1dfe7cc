//! Table of the masses of the links of a plant.

use kinegraph::cli::mass_table::write;
use kinegraph_diagram::DiagramBuilder;
use kinegraph_systems::multibody::{Base, Inertia, Joint, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Matrix3, Vector3};

#[test]
fn the_mass_of_a_plant_is_the_sum_of_its_links() {
    let inertia = |mass: f64, x: f64| {
        Some(Inertia { mass, p_BoBcm: Vector3::new(x, 0.0, 0.0), I_BBcm: Matrix3::identity() * 0.1 })
    };
    let link = |name: &str, inertia| Link { name: name.into(), inertia, ..Link::default() };
    let model = Model {
        links: vec![link("base", None), link("upper", inertia(2.0, 0.5)), link("lower", inertia(1.0, 0.0))],
        joints: vec![
            Joint::new("shoulder", JointKind::Continuous, "base", "upper"),
            Joint {
                X_PF: nalgebra::Isometry3::translation(1.0, 0.0, 0.0),
                ..Joint::new("elbow", JointKind::Continuous, "upper", "lower")
            },
        ],
        ..Model::default()
    };
    let mut b = DiagramBuilder::new("d");
    let _ = b.add("plant", PlantBuilder::new().model("arm", model, Base::fixed()).build().unwrap());
    let mut out = Vec::new();
    write(&b.build().unwrap(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let first = "plant: 3.0000 kg in 2 links, centre of mass at (0.6667, 0.0000, 0.0000) m at the start\n";
    assert!(text.starts_with(first), "{text}");
    assert!(text.contains("  arm/upper  2.0000 kg at (0.5000, 0.0000, 0.0000) m, moments (1.000e-1, "), "{text}");
}
