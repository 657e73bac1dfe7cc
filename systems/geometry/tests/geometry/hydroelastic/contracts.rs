//! Rules for all pairs: exchange, rigid motion, poses in special position, no allocation after the first query.

use super::*;
use kinegraph_geometry::hydroelastic::{FieldError, SurfaceMesh, UnsupportedPair};

const E: f64 = 1e6;

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Sphere { radius: 0.1 },
        cuboid(0.2, 0.15, 0.3),
        Shape::Cylinder { radius: 0.1, half_length: 0.07 },
        Shape::Capsule { radius: 0.08, half_length: 0.1 },
        polyhedron(),
    ]
}

/// All pairs that have a contact surface, with poses at which they overlap.
fn pairs() -> Vec<(Field, Isometry3<f64>, Field, Isometry3<f64>)> {
    let tessellation = Tessellation { margin: 1e-3, ..Tessellation::new(0.05) };
    let mut fields = vec![
        field(&Shape::HalfSpace, Compliance::Rigid, &tessellation),
        field(&Shape::HalfSpace, Compliance::Compliant { modulus: E, slab_thickness: Some(0.1) }, &tessellation),
    ];
    for shape in shapes() {
        fields.push(field(&shape, Compliance::Rigid, &tessellation));
        fields.push(field(&shape, soft(2.0 * E), &tessellation));
    }
    let mut pairs = Vec::new();
    for a in &fields {
        for b in fields.iter().filter(|b| a.meets(b).is_ok()) {
            let half_space = |field: &Field| matches!(field, Field::RigidHalfSpace | Field::CompliantHalfSpace { .. });
            let apart = if half_space(a) || half_space(b) { 0.07 } else { 0.13 };
            let [X_WA, X_WB] = [(a, 0.0), (b, apart)].map(|(field, height)| match field {
                Field::RigidHalfSpace | Field::CompliantHalfSpace { .. } => turned(
                    Vector3::x(),
                    0.2 + std::f64::consts::PI * f64::from(u8::from(height > 0.0)),
                    Vector3::new(0.0, 0.0, 0.5 * height),
                ),
                _ => turned(Vector3::new(0.6, 0.8, 0.0), 0.3 + height, Vector3::new(0.01, 0.02, height)),
            });
            pairs.push((a.clone(), X_WA, b.clone(), X_WB));
        }
    }
    pairs
}

#[test]
fn an_exchange_turns_normals_over_and_nothing_else() {
    let pairs = pairs();
    assert!(pairs.len() > 70);
    let mut touching = 0;
    for (a, X_WA, b, X_WB) in &pairs {
        let (one, other) = (surface(a, X_WA, b, X_WB), surface(b, X_WB, a, X_WA));
        touching += usize::from(!one.is_empty());
        assert_eq!(one.corners, other.corners);
        assert_eq!(one.faces.len(), other.faces.len());
        for (face, turned) in one.faces.iter().zip(&other.faces) {
            let [p, q] = turned.elements;
            let mut expected: Face = turned.clone();
            (expected.normal, expected.elements) = (-turned.normal, [q, p]);
            assert_eq!(*face, expected);
        }
        // Every polygon is one of its own.
        let mut names: Vec<_> = one.faces.iter().map(|face| (face.elements, face.speculative)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), one.faces.len());
        // The normal leads from A into B: the force parts them.
        assert!(one.faces.iter().all(|face| face.area > 0.0 && (face.normal.norm() - 1.0).abs() < 1e-14));
    }
    assert!(10 * touching > 9 * pairs.len(), "{touching} of {}", pairs.len());
}

#[test]
fn a_motion_of_both_bodies_moves_forces_along() {
    let motion = turned(Vector3::new(0.36, 0.48, 0.8), 1.234, Vector3::new(3.0, -4.0, 5.0));
    for (i, (a, X_WA, b, X_WB)) in pairs().iter().enumerate() {
        let at_rest = surface(a, X_WA, b, X_WB);
        let moved = surface(a, &(motion * X_WA), b, &(motion * X_WB));
        let about = Vector3::new(0.1, 0.0, 0.0);
        let (force, moment) = at_rest.wrench(&about);
        let (moved_force, moved_moment) = moved.wrench(&(motion * nalgebra::Point3::from(about)).coords);
        let total: f64 = at_rest.faces.iter().map(|face| face.elastic_force().abs()).sum();
        assert!((motion.rotation * force - moved_force).norm() <= 1e-12 * total, "pair {i}");
        assert!((motion.rotation * moment - moved_moment).norm() <= 1e-12 * total, "pair {i}");
        assert!((at_rest.stiffness() - moved.stiffness()).abs() <= 1e-10 * at_rest.stiffness(), "pair {i}");
    }
}

/// The pressure equals that of both fields: zero on the rim of the surface.
#[test]
fn compliant_bodies_touch_along_a_rim_without_pressure() {
    let ball = field(&Shape::Sphere { radius: 0.1 }, soft(E), &inscribed(0.02));
    let found = surface(&ball, &at(0.0, 0.0, 0.0), &ball, &at(0.0, 0.0, 0.18));
    let highest = found.faces.iter().flat_map(|face| {
        let corners = &found.corners[face.corners.start as usize..face.corners.end as usize];
        corners.iter().map(|p| face.pressure_at(p))
    });
    let (low, high) = highest.fold((f64::MAX, 0.0_f64), |(low, high), p| (low.min(p), high.max(p)));
    assert!(low.abs() < 1e-6 && (high - 0.1 * E).abs() < 0.01 * E, "{low} {high}");
}

#[test]
fn a_triangle_between_tetrahedra_counts_once() {
    let cube = field(&cuboid(0.2, 0.2, 0.2), soft(E), &Tessellation::new(1.0));
    // In the plane x = z, between the cells of two sides; in both senses.
    let corners = [(0.02, -0.01), (0.05, -0.01), (0.05, 0.01), (0.02, 0.01)].map(|(x, y)| Vector3::new(x, y, x));
    for triangles in [[[0, 1, 2], [0, 2, 3]], [[0, 2, 1], [0, 3, 2]]] {
        let plate = Field::Rigid(SurfaceMesh::new(corners.to_vec(), &triangles).unwrap());
        let found = surface(&plate, &Isometry3::identity(), &cube, &Isometry3::identity());
        assert_near(found.area(), 0.03 * 2.0_f64.sqrt() * 0.02, 1e-12, "area");
    }
}

#[test]
fn planes_through_vertices_cut_exactly() {
    let ground = field(&Shape::HalfSpace, Compliance::Rigid, &Tessellation::new(1.0));
    let cube = field(&cuboid(0.2, 0.2, 0.2), soft(E), &Tessellation::new(1.0));
    for (height, area) in [(0.1, 0.04), (0.0, 0.04), (-0.1, 0.0)] {
        assert!((surface(&ground, &Isometry3::identity(), &cube, &at(0.0, 0.0, height)).area() - area).abs() < 1e-15);
    }
    let ball = field(&Shape::Sphere { radius: 0.1 }, soft(E), &inscribed(0.02));
    for height in [0.1, 0.0, -0.05, -0.1, -0.2] {
        let found = surface(&ground, &Isometry3::identity(), &ball, &at(0.0, 0.0, height));
        assert!(found.faces.iter().all(|face| face.pressure.is_finite() && face.area > 0.0));
        assert!(found.area() <= std::f64::consts::PI * 0.01);
    }
    // The same field in the same place balances everywhere.
    let found = surface(&ball, &at(0.0, 0.0, 0.0), &ball, &at(0.0, 0.0, 0.0));
    assert!(found.faces.iter().all(|face| face.pressure.is_finite() && face.area > 0.0));
}

#[test]
fn bodies_apart_and_poses_of_nan_have_no_contact_surface() {
    for (a, X_WA, b, _) in pairs() {
        let X = at(f64::NAN, 0.0, 0.0);
        assert!(surface(&a, &X_WA, &b, &X).is_empty());
    }
    let ball = field(&Shape::Sphere { radius: 0.1 }, soft(E), &Tessellation::new(0.02));
    assert!(surface(&ball, &at(0.0, 0.0, 0.0), &ball, &at(0.0, 0.0, 0.21)).is_empty());
}

#[test]
fn impossible_contact_surfaces_are_refused_with_the_reason() {
    let tessellation = Tessellation::new(0.05);
    let ground = field(&Shape::HalfSpace, Compliance::Rigid, &tessellation);
    let ball = field(&Shape::Sphere { radius: 0.1 }, Compliance::Rigid, &tessellation);
    assert_eq!(ground.meets(&ball), Err(UnsupportedPair::BothRigid));
    assert_eq!(ground.meets(&soft_ground(E, 0.1)), Err(UnsupportedPair::BothHalfSpaces));
    let refused = |shape: &Shape, compliance, tessellation| Field::new(shape, compliance, &tessellation).unwrap_err();
    assert_eq!(refused(&Shape::HalfSpace, soft(E), tessellation), FieldError::NoThickness);
    let sphere = Shape::Sphere { radius: 0.1 };
    assert!(matches!(refused(&sphere, soft(-1.0), tessellation), FieldError::OutOfRange { what: "modulus", .. }));
    assert!(matches!(refused(&sphere, soft(E), Tessellation::new(0.0)), FieldError::OutOfRange { .. }));
    assert!(matches!(refused(&sphere, soft(E), Tessellation::new(1e-6)), FieldError::TooFine { .. }));
    let margin = Tessellation { margin: 0.2, ..tessellation };
    assert!(matches!(refused(&sphere, soft(E), margin), FieldError::OutOfRange { what: "margin", .. }));
}

#[test]
fn a_query_allocates_nothing_after_the_first() {
    for (a, X_WA, b, X_WB) in pairs() {
        let mut surface = Surface::default();
        contact_surface(&a, &X_WA, &b, &X_WB, &mut surface).unwrap();
        let counted = allocation_counter::measure(|| contact_surface(&a, &X_WA, &b, &X_WB, &mut surface).unwrap());
        assert_eq!(counted.count_total, 0);
    }
}
