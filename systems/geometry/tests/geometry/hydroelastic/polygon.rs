//! Tests of `systems/geometry/hydroelastic/polygon.rs`.

use kinegraph_geometry::hydroelastic::polygon::{Plane, Polygon};
use nalgebra::Vector3;

fn square() -> Polygon {
    Polygon::new(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)].map(|(x, y)| Vector3::new(x, y, 0.0)))
}

#[test]
fn a_plane_cuts_a_square_into_two_parts_that_make_up_the_whole() {
    let plane = Plane { normal: Vector3::new(1.0, 0.5, 0.0), offset: 1.3 };
    let clipped = |plane: &Plane| {
        let mut polygon = square();
        polygon.clip(plane, true);
        polygon
    };
    let (low, high) = (clipped(&plane), clipped(&plane.flipped()));
    let ((a, p), (b, q)) = (low.measure().unwrap(), high.measure().unwrap());
    assert!((a + b - 4.0).abs() < 1e-15);
    assert!(((p * a + q * b) / 4.0 - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-15);
}

#[test]
fn a_polygon_in_the_plane_belongs_to_the_side_that_claims_it() {
    let plane = Plane { normal: Vector3::z(), offset: 0.0 };
    let mut polygon = square();
    polygon.clip(&plane, true);
    assert_eq!(polygon.measure().unwrap().0, 4.0);
    polygon.clip(&plane, false);
    assert!(polygon.is_empty());
}

#[test]
fn corners_that_coincide_are_one_and_a_line_has_no_area() {
    let x = Vector3::x();
    let mut sliver = Polygon::new(&[Vector3::zeros(), x, x * (1.0 + 1e-15), x, x * 1e-15]);
    sliver.tidy(1e-12);
    assert!(sliver.is_empty());
    assert!(Polygon::new(&[Vector3::zeros(), x, x * 2.0]).measure().is_none());
}
