//! Tests of `systems/multibody/plant/material.rs`.

use kinegraph_multibody::plant::{ContactParameters, Material};

#[test]
fn pairs_combine_in_series_and_default_geometries_give_the_pair_back() {
    let p = ContactParameters::default();
    assert_eq!(p.default_material().combine(&p.default_material()), p.pair);
    let soft = Material { stiffness: 1.0, dissipation: 2.0, static_friction: 0.0, dynamic_friction: 0.0 };
    let hard = Material { stiffness: 3.0, dissipation: 6.0, static_friction: 1.0, dynamic_friction: 0.5 };
    let both = soft.combine(&hard);
    assert_eq!((both.stiffness, both.dissipation), (0.75, 0.75 * 2.0 + 0.25 * 6.0));
    assert_eq!((both.static_friction, both.dynamic_friction), (0.0, 0.0));
    let rigid = Material { stiffness: f64::INFINITY, ..hard };
    assert_eq!((soft.combine(&rigid).stiffness, soft.combine(&rigid).dissipation), (1.0, 2.0));
    assert_eq!(rigid.combine(&soft), soft.combine(&rigid));
}
