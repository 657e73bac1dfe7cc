//! Bodies that overlap at a state, also without contact forces.

use kinegraph_diagram::DiagramBuilder;
use kinegraph_geometry::Shape;
use kinegraph_io::view::Touching;
use kinegraph_multibody::plant::PlantBuilder;
use kinegraph_multibody::{Base, Collision, Inertia, Link, Model};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Three balls in a row: two overlap by 50 mm, and one of these overlaps the third by 10 mm.
#[test]
fn balls_that_overlap_touch_by_their_depth() {
    let ball = |name: &str| {
        let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() * 0.004 };
        let (X_BG, shape) = (Isometry3::identity(), Shape::Sphere { radius: 0.1 });
        let collisions = vec![Collision { name: String::new(), X_BG, shape, surface: None }];
        let link = Link { name: "ball".into(), inertia: Some(inertia), collisions, ..Link::default() };
        Model { name: name.into(), links: vec![link], ..Model::default() }
    };
    let at = |x: f64| Base::Floating {
        X_WR: Isometry3::translation(x, 0.0, 0.0),
        w_WR: Vector3::zeros(),
        v_WR: Vector3::zeros(),
    };
    let rows = [("left", 0.0), ("middle", 0.15), ("right", 0.34), ("far", 2.0)];
    let plant = rows.iter().fold(PlantBuilder::new(), |plant, (name, x)| plant.model(*name, ball(name), at(*x)));
    let mut builder = DiagramBuilder::new("balls");
    builder.add("plant", plant.build().unwrap());
    let diagram = builder.build().unwrap();
    let found = Touching::at(&diagram, &diagram.initial_state());
    let pairs: Vec<_> = found.pairs.iter().map(|pair| (pair.a.as_str(), pair.b.as_str())).collect();
    assert_eq!(pairs, [("left/ball", "middle/ball"), ("middle/ball", "right/ball")]);
    for (pair, depth) in found.pairs.iter().zip([0.05, 0.01]) {
        assert!((pair.depth - depth).abs() < 1e-12, "{pair:?}");
    }
}
