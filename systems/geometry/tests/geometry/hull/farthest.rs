//! Tests of `systems/geometry/hull/farthest.rs`.

use kinegraph_geometry::hull::farthest::FarthestTable;
use nalgebra::Vector3;

/// Points on an ellipsoid, some of them twice, and directions all around, including edges and corners of cells.
#[test]
fn all_that_are_farthest_or_nearly_are_listed() {
    let vertices: Vec<Vector3<f64>> = (0..200)
        .map(f64::from)
        .map(|i| {
            let (z, turn) = (1.0 - (i - i % 2.0 + 1.0) / 100.0, 2.4 * (i - i % 2.0));
            let radius = (1.0 - z * z).max(0.0).sqrt();
            Vector3::new(0.1 * radius * turn.cos(), 0.2 * radius * turn.sin(), 0.3 * z)
        })
        .collect();
    let radius = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
    let table = FarthestTable::default();
    let mut looked_at = 0;
    let steps = -16..=16;
    let directions: Vec<Vector3<f64>> = steps
        .clone()
        .flat_map(|i| steps.clone().map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let (u, v) = (f64::from(i) / 16.0, f64::from(j) / 16.0);
            [(1.0, u, v), (-1.0, u, v), (u, 1.0, v), (u, -1.0, v), (u, v, 1.0), (u, v, -1.0)]
        })
        .map(|(x, y, z)| Vector3::new(x, y, z).normalize())
        .collect();
    for n in &directions {
        let listed = table.listed(&vertices, radius, n).unwrap();
        assert!(listed.is_sorted());
        looked_at += listed.len();
        let top = vertices.iter().map(|v| v.dot(n)).fold(f64::NEG_INFINITY, f64::max);
        for (i, v) in vertices.iter().enumerate() {
            let is_near = v.dot(n) >= top - FarthestTable::BAND * radius;
            assert!(!is_near || listed.contains(&(i as u32)), "{i} along {n}");
        }
    }
    assert!(looked_at < directions.len() * vertices.len() / 8, "{looked_at}");
    for none in [Vector3::zeros(), Vector3::repeat(f64::NAN), Vector3::new(f64::INFINITY, 0.0, 0.0)] {
        assert!(table.listed(&vertices, radius, &none).is_none());
    }
    assert!(table.listed(&vertices[..4], radius, &Vector3::x()).is_none());
    assert_eq!(table, FarthestTable::default());
}
