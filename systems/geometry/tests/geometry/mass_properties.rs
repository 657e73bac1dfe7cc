//! Tests of `systems/geometry/mass_properties.rs`.

use kinegraph_geometry::{ConvexHull, MassProperties, Shape};
use nalgebra::Vector3;
use std::f64::consts::PI;

/// Mass properties of a body of revolution about z, by slices: `profile` is its radius at a height.
fn by_slices(height: f64, profile: impl Fn(f64) -> f64) -> MassProperties {
    const SLICES: usize = 20_000;
    let step = 2.0 * height / SLICES as f64;
    let (mut volume, mut first, mut across, mut along) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..SLICES {
        let z = -height + (i as f64 + 0.5) * step;
        let area = PI * profile(z).powi(2) * step;
        (volume, first, along) = (volume + area, first + area * z, along + area * z * z);
        across += area * profile(z).powi(2) / 4.0;
    }
    let center = first / volume;
    let centered = MassProperties::centered(volume, Vector3::new(across, across, along - volume * center * center));
    MassProperties { p_GoGcm: Vector3::z() * center, ..centered }
}

fn agree(found: MassProperties, expected: MassProperties, tolerance: f64) {
    assert!((found.volume - expected.volume).abs() < tolerance * expected.volume, "{found:?} {expected:?}");
    assert!((found.p_GoGcm - expected.p_GoGcm).norm() < tolerance, "{found:?} {expected:?}");
    assert!((found.I_GGcm - expected.I_GGcm).norm() < tolerance * expected.I_GGcm.norm(), "{found:?} {expected:?}");
}

#[test]
fn bodies_of_revolution_have_the_mass_of_their_slices() {
    /// The radius at a height.
    type Radius<'a> = &'a dyn Fn(f64) -> f64;
    let (r, l) = (0.4_f64, 0.7_f64);
    let cases: [(Shape, f64, Radius<'_>); 5] = [
        (Shape::Sphere { radius: r }, r, &|z| (r * r - z * z).sqrt()),
        (Shape::Cylinder { radius: r, half_length: l }, l, &|_| r),
        (Shape::Cone { radius: r, half_length: l }, l, &|z| r * (l - z) / (2.0 * l)),
        (Shape::Capsule { radius: r, half_length: l }, l + r, &|z| (r * r - (z.abs() - l).max(0.0).powi(2)).sqrt()),
        (Shape::Ellipsoid { semi_axes: Vector3::new(r, r, l) }, l, &|z| r * (1.0 - (z / l).powi(2)).sqrt()),
    ];
    for (shape, height, profile) in cases {
        agree(shape.mass_properties().unwrap(), by_slices(height, profile), 1e-6);
    }
}

#[test]
fn a_polyhedron_has_the_mass_of_the_box_that_it_is() {
    let (half, center) = (Vector3::new(0.1, 0.3, 0.5), Vector3::new(2.0, -1.0, 0.5));
    let corner = |i: u32| Vector3::from_fn(|k, _| if i >> k & 1 == 0 { -half[k] } else { half[k] });
    let hull = ConvexHull::new(&(0..8).map(|i| center + corner(i)).collect::<Vec<_>>()).unwrap();
    let cube = Shape::Box { half_extents: half }.mass_properties().unwrap();
    let found = Shape::Convex(hull.into()).mass_properties().unwrap();
    agree(found, MassProperties { p_GoGcm: center, ..cube }, 1e-12);
    let [x, y, z] = [half.x, half.y, half.z].map(|h| h * h / 3.0 * cube.volume);
    assert!((cube.I_GGcm.diagonal() - Vector3::new(y + z, z + x, x + y)).norm() < 1e-15);
}

#[test]
fn surfaces_have_no_mass() {
    assert!(Shape::HalfSpace.mass_properties().is_none());
}
