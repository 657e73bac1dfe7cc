//! Tests of `systems/models/mesh/collide.rs`.

use kinegraph_models::mesh::collide::{Collides, collides};
use kinegraph_models::{MeshCollision, TriangleMesh};
use nalgebra::Vector3;

/// A box of these corners, as triangles.
fn block(low: Vector3<f64>, high: Vector3<f64>, mesh: &mut TriangleMesh) {
    let first = mesh.positions.len() as u32;
    let corner = |i: u32| {
        let pick = |bit: u32, axis: usize| if i & bit == 0 { low[axis] } else { high[axis] };
        Vector3::new(pick(1, 0), pick(2, 1), pick(4, 2))
    };
    mesh.positions.extend((0..8).map(corner));
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    for [a, b, c, d] in sides {
        mesh.triangles.extend([[a, b, c], [a, c, d]].map(|t: [u32; 3]| t.map(|i| first + i)));
    }
}

/// An L of two blocks: the parts have about its volume, not that of the hull, and are reproducible.
#[test]
fn an_l_is_two_blocks() {
    let mut l = TriangleMesh::default();
    block(Vector3::zeros(), Vector3::new(1.0, 0.3, 0.2), &mut l);
    block(Vector3::new(0.0, 0.3, 0.0), Vector3::new(0.2, 1.0, 0.2), &mut l);
    assert!((l.volume() - (0.06 + 0.028)).abs() < 1e-12);
    let parts = |mesh| match collides(mesh, MeshCollision::Decomposed) {
        Ok(Collides::Parts { parts, error }) => (parts, error),
        other => panic!("{other:?}"),
    };
    let (once, error) = parts(&l);
    assert!(once.len() >= 2 && error.abs() < 0.1, "{} parts, {error}", once.len());
    let twice = parts(&l).0;
    let same = once.iter().zip(&twice).all(|(a, b)| a == b);
    assert!(same && once.len() == twice.len());
}
