//! Rays: against the implicit equations of shapes, against parry, and the convention for all shapes.

use crate::conformance::shapes;
use kinegraph_geometry::{ConvexHull, ExactMesh, Ray, RayHit, Shape, check_shape};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::query::{Ray as ParryRay, RayCast};
use parry3d_f64::shape::{Ball, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, TriMesh};
use proptest::prelude::*;

fn vector(reach: f64) -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-reach..reach).prop_map(Vector3::from)
}

fn cast(shape: &Shape, ray: &Ray) -> Option<RayHit> {
    shape.cast_ray(&Isometry3::identity(), ray)
}

/// Signed distance of a point from the shape, about: a function that is zero on the surface only, with slope about one
/// there.
fn outside(shape: &Shape, p: &Vector3<f64>) -> f64 {
    let rho = p.x.hypot(p.y);
    match *shape {
        Shape::Sphere { radius } => p.norm() - radius,
        Shape::Box { half_extents } => (p.abs() - half_extents).max(),
        Shape::Cylinder { radius, half_length } => (rho - radius).max(p.z.abs() - half_length),
        Shape::Capsule { radius, half_length } => rho.hypot(p.z - p.z.clamp(-half_length, half_length)) - radius,
        Shape::Ellipsoid { semi_axes } => (p.component_div(&semi_axes).norm() - 1.0) * semi_axes.min(),
        Shape::Cone { radius, half_length } => {
            let slope = radius / (2.0 * half_length);
            (rho - slope * (half_length - p.z)).max(-half_length - p.z)
        }
        Shape::HalfSpace => p.z,
        Shape::Convex(ref hull) => hull
            .face_list()
            .iter()
            .map(|f| f.normal.dot(&(p - hull.center())) - f.offset)
            .fold(f64::NEG_INFINITY, f64::max),
        _ => f64::NAN,
    }
}

fn solids() -> Vec<Shape> {
    shapes(1.0).into_iter().filter(|shape| !matches!(shape, Shape::Mesh(_))).collect()
}

proptest! {
    #[test]
    fn a_hit_is_the_first_place_on_the_surface(origin in vector(2.0), direction in vector(1.0)) {
        let Some(ray) = Ray::new(origin, direction) else { return Ok(()) };
        for shape in solids() {
            let hit = cast(&shape, &ray);
            let from_inside = outside(&shape, &origin) < 0.0;
            let end = hit.map_or(6.0, |hit| hit.distance);
            // Up to there the ray stays on its side.
            for i in 0..200 {
                let on_way = outside(&shape, &ray.at(end * f64::from(i) / 200.0));
                prop_assert!(if from_inside { on_way < 1e-9 } else { on_way > -1e-9 }, "{shape:?} {hit:?} {on_way}");
            }
            let Some(hit) = hit else { prop_assert!(!from_inside || shape == Shape::HalfSpace); continue };
            prop_assert!(outside(&shape, &ray.at(hit.distance)).abs() < 1e-12, "{shape:?} {hit:?}");
            prop_assert!((hit.normal.norm() - 1.0).abs() < 1e-12);
            prop_assert!(hit.is_from_inside(&ray) == from_inside || hit.normal.dot(&ray.direction()).abs() < 1e-6);
            // Out of the solid, and along the gradient.
            let at = ray.at(hit.distance);
            prop_assert!(outside(&shape, &(at + hit.normal * 1e-6)) > 0.0, "{shape:?} {hit:?}");
            prop_assert!(outside(&shape, &(at - hit.normal * 1e-6)) < 0.0, "{shape:?} {hit:?}");
        }
    }

    #[test]
    fn a_shape_and_ray_moved_together_meet_alike(origin in vector(2.0), direction in vector(1.0), p in vector(5.0), turn in vector(3.0)) {
        let Some(ray) = Ray::new(origin, direction) else { return Ok(()) };
        let X = Isometry3::from_parts(p.into(), UnitQuaternion::from_scaled_axis(turn));
        let Some(moved) = Ray::new(X.rotation * origin + p, X.rotation * direction) else { return Ok(()) };
        for shape in shapes(1.0) {
            match (cast(&shape, &ray), shape.cast_ray(&X, &moved)) {
                (Some(hit), Some(other)) => {
                    // Two faces may change places at an edge.
                    let grazes = hit.normal.dot(&ray.direction()).abs() < 1e-4;
                    prop_assert!(grazes || (hit.distance - other.distance).abs() < 1e-9, "{shape:?} {hit:?} {other:?}");
                }
                (None, None) => {}
                (one, two) => {
                    let slope = one.or(two).map_or(1.0, |hit| hit.normal.dot(&ray.direction()).abs());
                    prop_assert!(slope < 1e-4, "{shape:?} {one:?} {two:?}");
                }
            }
        }
    }

    #[test]
    fn parry_meets_the_same(origin in vector(2.0), direction in vector(1.0)) {
        let Some(ray) = Ray::new(origin, direction) else { return Ok(()) };
        // Along z here, along y there.
        let turned = |v: Vector3<f64>| Vector::new(v.x, v.z, -v.y);
        let corners: Vec<Vector3<f64>> =
            [[-0.5, -0.4, -0.3], [0.6, -0.4, -0.3], [0.0, 0.7, -0.3], [0.1, 0.0, 0.6]].map(Vector3::from).into();
        let heights: Vec<f64> = (0..25).map(|i| 0.2 * f64::from((i * 7) % 5) / 5.0).collect();
        let field = ExactMesh::height_field(&heights, 5, 5, [2.0, 2.0]).unwrap();
        let placed: Vec<Vector> = field.vertices().iter().map(|v| turned(*v)).collect();
        let pairs: Vec<(Shape, Box<dyn RayCast>)> = vec![
            (Shape::Sphere { radius: 0.5 }, Box::new(Ball::new(0.5))),
            (
                Shape::Box { half_extents: Vector3::new(0.5, 0.4, 0.3) },
                Box::new(Cuboid::new(Vector::new(0.5, 0.3, 0.4))),
            ),
            (Shape::Cylinder { radius: 0.4, half_length: 0.5 }, Box::new(Cylinder::new(0.5, 0.4))),
            (Shape::Capsule { radius: 0.3, half_length: 0.4 }, Box::new(Capsule::new_y(0.4, 0.3))),
            (Shape::Cone { radius: 0.5, half_length: 0.4 }, Box::new(Cone::new(0.4, 0.5))),
            (
                Shape::Convex(ConvexHull::new(&corners).unwrap().into()),
                Box::new(ConvexPolyhedron::from_convex_hull(&corners.iter().map(|v| turned(*v)).collect::<Vec<_>>()).unwrap()),
            ),
            (Shape::Mesh(field.clone().into()), Box::new(TriMesh::new(placed, field.triangles().to_vec()).unwrap())),
        ];
        let theirs = ParryRay::new(turned(ray.origin()), turned(ray.direction()));
        for (shape, other) in pairs {
            let ours = cast(&shape, &ray);
            let found = other.cast_local_ray_and_get_normal(&theirs, 100.0, false);
            match (ours, found) {
                (Some(hit), Some(found)) => {
                    // Their curved solids are met by an iteration that ends within 1e-6 or so.
                    let steep = hit.normal.dot(&ray.direction()).abs();
                    let near = (hit.distance - found.time_of_impact).abs() * steep < 1e-4;
                    prop_assert!(near || steep < 0.02, "{shape:?} {hit:?} {found:?}");
                }
                (None, None) => {}
                (ours, found) => {
                    let slope = ours.map_or(0.0, |hit| hit.normal.dot(&ray.direction()).abs());
                    prop_assert!(slope < 0.05, "{shape:?} {ours:?} {found:?}");
                }
            }
        }
    }

    /// From far away only the digits are lost that the coordinates of the origin have lost already.
    #[test]
    fn rays_from_far_away_meet_the_same_place(target in vector(0.2), from in vector(1.0)) {
        prop_assume!(from.norm() > 0.1);
        let far = target + from.normalize() * 1e6;
        let Some(ray) = Ray::new(far, target - far) else { return Ok(()) };
        for shape in solids().into_iter().filter(|shape| *shape != Shape::HalfSpace) {
            if let Some(hit) = cast(&shape, &ray) {
                let slope = hit.normal.dot(&ray.direction()).abs();
                prop_assert!(outside(&shape, &ray.at(hit.distance)).abs() < 1e-8 || slope < 1e-3, "{shape:?} {hit:?}");
            }
        }
    }
}

#[test]
fn rays_along_axes_and_edges_meet() {
    let along = |x: f64, y: f64| Ray::new(Vector3::new(x, y, 5.0), -Vector3::z()).unwrap();
    let distance = |shape: &Shape, ray: &Ray| cast(shape, ray).map(|hit| hit.distance);
    let cylinder = Shape::Cylinder { radius: 0.5, half_length: 1.0 };
    assert_eq!(distance(&cylinder, &along(0.0, 0.0)), Some(4.0));
    assert_eq!(distance(&cylinder, &along(0.51, 0.0)), None);
    let cone = Shape::Cone { radius: 0.5, half_length: 1.0 };
    assert_eq!(distance(&cone, &along(0.0, 0.0)), Some(4.0));
    assert!((distance(&cone, &along(0.25, 0.0)).unwrap() - 5.0).abs() < 1e-12);
    let cube = Shape::Box { half_extents: Vector3::repeat(0.5) };
    assert_eq!(distance(&cube, &along(0.5, 0.5)), Some(4.5), "along an edge");
    assert_eq!(distance(&Shape::Capsule { radius: 0.5, half_length: 1.0 }, &along(0.0, 0.0)), Some(3.5));
    // Down onto the ground, along it, and away from it.
    assert_eq!(distance(&Shape::HalfSpace, &along(3.0, 4.0)), Some(5.0));
    let ray = |direction| Ray::new(Vector3::z(), direction).unwrap();
    assert_eq!(distance(&Shape::HalfSpace, &ray(Vector3::x())), None);
    assert_eq!(distance(&Shape::HalfSpace, &ray(Vector3::z())), None);
    assert!(Ray::new(Vector3::zeros(), Vector3::zeros()).is_none());
    assert!(Ray::new(Vector3::repeat(f64::NAN), Vector3::x()).is_none());
}

/// No ray slips through between two faces: down onto the corners and edges of a grid, and likewise from below.
#[test]
fn a_mesh_has_no_gaps_between_its_faces() {
    let heights: Vec<f64> = (0..81).map(|i| 0.1 * f64::from((i * 13) % 7)).collect();
    let field = ExactMesh::height_field(&heights, 9, 9, [1.0, 1.0]).unwrap();
    let (vertices, triangles) = (field.vertices().to_vec(), field.triangles().to_vec());
    let shape = Shape::Mesh(field.into());
    let mut count = 0;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| vertices[i as usize]);
        for p in [a, b, c, (a + b) * 0.5, a * 0.3 + b * 0.7, (a + b + c) / 3.0] {
            if p.x.abs() > 0.99 || p.y.abs() > 0.99 {
                continue;
            }
            for up in [1.0, -1.0] {
                let ray = Ray::new(p + Vector3::z() * (3.0 * up), Vector3::z() * -up).unwrap();
                let hit = cast(&shape, &ray).unwrap_or_else(|| panic!("slips through at {p:?}"));
                assert!((hit.distance - 3.0).abs() < 1e-9 && hit.is_from_inside(&ray) == (up < 0.0), "{hit:?}");
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count}");
}

/// Widths, boxes, rays, masses and drawings of the built-in shapes agree.
#[test]
fn built_in_shapes_pass_the_check_of_shapes() {
    for shape in shapes(1.0).iter().filter(|shape| **shape != Shape::HalfSpace) {
        check_shape(shape).unwrap();
    }
}
