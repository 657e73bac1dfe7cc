//! Tests of `systems/multibody/fibre/section.rs`.

use kinegraph_multibody::fibre::{FibreMaterial, Section};
use std::f64::consts::PI;

/// Thin tubes have the moments of a hoop, solid ones those of a circle; torsion of a square is 0.1406 a⁴, that of a
/// thin strip a third.
#[test]
fn sections_have_the_moments_of_the_tables() {
    let steel = FibreMaterial::isotropic(1.0, 0.3, 1.0);
    let of = |section: Section| section.stiffness(&steel).unwrap();
    let (circle, tube) = (of(Section::Circle { radius: 2.0 }), of(Section::Tube { outer: 2.0, inner: 0.0 }));
    assert_eq!(circle, tube);
    assert!((circle.bend[1] - 4.0 * PI).abs() < 1e-12);
    let thin = of(Section::Tube { outer: 1.0, inner: 0.9999 });
    assert!((thin.bend[1] / (PI * 1e-4) - 1.0).abs() < 1e-3);
    let square = of(Section::Rectangle { width: 1.0, height: 1.0 });
    assert!((square.bend[0] / steel.shear - 0.1406).abs() < 1e-3);
    let strip = of(Section::Rectangle { width: 1.0, height: 1e-3 });
    assert!((strip.bend[0] / steel.shear / (1e-9 / 3.0) - 1.0).abs() < 1e-3);
    assert!((strip.bend[1] / strip.bend[2] - 1e-6).abs() < 1e-12);
    assert!(Section::Circle { radius: 0.0 }.stiffness(&steel).is_err());
    assert!(Section::Tube { outer: 1.0, inner: 1.0 }.stiffness(&steel).is_err());
}
