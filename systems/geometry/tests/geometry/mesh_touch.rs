//! A ball on bowls and rough ground, and bodies that descend on it.

use crate::touches::{at, capsule, cuboid, cylinder, query, sphere, turned};
use kinegraph_geometry::{ExactMesh, Points, Shape};
use nalgebra::{Isometry3, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::query::{PointQuery, Ray, RayCast};
use parry3d_f64::shape::TriMesh;
use std::sync::Arc;

/// Numbers from 0 to 1.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A bowl of rings of faces: its middle is a corner of as many faces as sectors, its rings are hollows.
fn bowl(sectors: u32, rings: u32, steepness: f64) -> Shape {
    let mut vertices = vec![Vector3::zeros()];
    for ring in 1..=rings {
        let r = 0.1 * f64::from(ring) / f64::from(rings);
        let at = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(sectors);
        vertices.extend((0..sectors).map(|i| Vector3::new(r * at(i).cos(), r * at(i).sin(), steepness * r * r)));
    }
    let vertex = |ring: u32, i: u32| if ring == 0 { 0 } else { 1 + (ring - 1) * sectors + i % sectors };
    let mut triangles = Vec::new();
    for (ring, i) in (0..rings).flat_map(|ring| (0..sectors).map(move |i| (ring, i))) {
        triangles.push([vertex(ring, i), vertex(ring + 1, i), vertex(ring + 1, i + 1)]);
        if ring > 0 {
            triangles.push([vertex(ring, i), vertex(ring + 1, i + 1), vertex(ring, i + 1)]);
        }
    }
    Shape::Mesh(Arc::new(ExactMesh::new(&vertices, &triangles).unwrap()))
}

#[test]
fn the_force_on_a_ball_does_not_jump_from_face_to_face() {
    const WAY: f64 = 1e-6;
    let mut unit = random(7);
    let (mut crossed, mut several) = (0, 0);
    for _ in 0..60 {
        let (radius, steepness) = (0.02 + 0.03 * unit(), 1.0 + 4.0 * unit());
        let mesh = bowl(5 + (10.0 * unit()) as u32, 1 + (4.0 * unit()) as u32, steepness);
        let force = |p: &Vector3<f64>| {
            let found =
                query(&mesh, &Isometry3::identity(), &sphere(radius), &at(p.x, p.y, p.z), Points::Manifold, 0.0);
            let sum = found.iter().map(|t| t.normal * (t.share * t.depth)).sum::<Vector3<f64>>();
            (sum, found.len(), found.first().map(|t| t.feature))
        };
        let (angle, r) = (std::f64::consts::TAU * unit(), 0.05 * unit());
        let mut p = Vector3::new(r * angle.cos(), r * angle.sin(), 0.0);
        // Down to where it is a little pressed in.
        p.z = radius + steepness * 0.01;
        while force(&p).0.norm() < 1e-3 * radius {
            p.z -= 1e-2 * radius;
        }
        let turn = std::f64::consts::TAU * unit();
        let direction = Vector3::new(turn.cos(), turn.sin(), 0.0);
        let mut before = force(&p);
        for _ in 0..5000 {
            p += direction * WAY;
            let now = force(&p);
            let change = (now.0 - before.0).norm();
            // It turns and grows with the way, the faster the flatter the hollow is.
            assert!(change < 2e-2 * before.0.norm() + 2.0 * WAY, "{change} of {} at {p:?}", before.0.norm());
            crossed += usize::from(now.2 != before.2);
            several += usize::from(now.1 > 1);
            before = now;
            if now.0.norm() > 0.1 * radius || now.0.norm() < 1e-4 * radius {
                break;
            }
        }
    }
    assert!(crossed > 10 && several > 1000, "{crossed} {several}");
}

/// Rough ground: heights over a grid, up to `high` \[m\].
fn rough(cells: u32, high: f64, unit: &mut impl FnMut() -> f64) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let place = |i: u32| -0.3 + 0.6 * f64::from(i) / f64::from(cells);
    let corners = (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j)));
    let vertices = corners.map(|(i, j)| Vector3::new(place(i), place(j), high * unit())).collect();
    let at = |i: u32, j: u32| i * (cells + 1) + j;
    let both = |(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    (vertices, (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))).flat_map(both).collect())
}

/// A ball whose centre is outside touches at the nearest point of the mesh, with its radius minus the distance as
/// depth.
#[test]
fn a_ball_on_rough_ground_is_as_deep_as_the_mesh_is_near() {
    let mut unit = random(11);
    let mut touched = 0;
    for _ in 0..200 {
        let (vertices, triangles) = rough(4 + (8.0 * unit()) as u32, 0.1 * unit(), &mut unit);
        let mesh = Shape::Mesh(Arc::new(ExactMesh::new(&vertices, &triangles).unwrap()));
        let points = vertices.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
        let oracle = TriMesh::new(points, triangles).unwrap();
        for _ in 0..50 {
            let radius = 0.01 + 0.05 * unit();
            let p = Vector3::new(0.4 * unit() - 0.2, 0.4 * unit() - 0.2, 0.15 * unit());
            let place = Vector::new(p.x, p.y, p.z);
            // Above the ground, and not so near that the side is a matter of rounding.
            let up = oracle.cast_local_ray(&Ray::new(place, Vector::new(0.0, 0.0, 1.0)), 10.0, false);
            let near = oracle.project_local_point(place, false).point;
            let depth = radius - (near - place).length();
            if up.is_some() || depth <= 0.0 || depth > 0.8 * radius {
                continue;
            }
            let found =
                query(&mesh, &Isometry3::identity(), &sphere(radius), &at(p.x, p.y, p.z), Points::Manifold, 0.0);
            let deepest = found.iter().map(|t| t.depth).fold(0.0, f64::max);
            assert!((deepest - depth).abs() < 1e-9, "{deepest} for {depth} at {p:?}: {found:?}");
            let carried = found.iter().map(|t| t.share * t.depth).sum::<f64>();
            assert!(carried > 0.3 * depth, "{carried} for {depth} at {p:?}: {found:?}");
            touched += 1;
        }
    }
    assert!(touched > 1000, "{touched}");
}

/// Bodies that descend on rough ground, in any orientation, are held where they meet it: by a point as deep as they
/// have descended since.
#[test]
fn bodies_lowered_on_rough_ground_get_contact_of_their_depth() {
    let mut unit = random(5);
    for k in 0..600 {
        let (vertices, triangles) = rough(4 + (8.0 * unit()) as u32, 0.06 * unit(), &mut unit);
        let mesh = Shape::Mesh(Arc::new(ExactMesh::new(&vertices, &triangles).unwrap()));
        let shape = match k % 4 {
            0 => sphere(0.02 + 0.04 * unit()),
            1 => cuboid(0.02 + 0.04 * unit(), 0.02 + 0.04 * unit(), 0.02 + 0.04 * unit()),
            2 => cylinder(0.02 + 0.04 * unit(), 0.01 + 0.07 * unit()),
            _ => capsule(0.02 + 0.02 * unit(), 0.02 + 0.06 * unit()),
        };
        let turn = Vector3::new(unit() - 0.5, unit() - 0.5, unit() - 0.5) * 6.0;
        let (x, y) = (0.3 * unit() - 0.15, 0.3 * unit() - 0.15);
        let touched = |z: f64| {
            let X = turned(x, y, z, turn);
            query(&mesh, &Isometry3::identity(), &shape, &X, Points::Manifold, 0.0)
        };
        let carried = |z: f64| touched(z).iter().map(|t| t.share * t.depth.max(0.0) * t.normal.z).sum::<f64>();
        let mut first = 0.3;
        while carried(first) <= 0.0 {
            first -= 1e-4;
        }
        let mut before = 0.0_f64;
        for i in 1..=40 {
            let z = first - 1e-4 * f64::from(i);
            let now = carried(z);
            let holds = now >= 0.2 * before - 1e-5 && now <= before + 3e-3 && (i > 1 || now <= 3e-4);
            assert!(holds, "{k}: {before} then {now}: {:?} then {:?}", touched(z + 1e-4), touched(z));
            before = now;
        }
    }
}
