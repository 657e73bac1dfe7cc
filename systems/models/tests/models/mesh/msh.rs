//! Tests of `systems/models/mesh/msh.rs`.

use kinegraph_models::mesh::msh::read;
use nalgebra::Vector3;

#[test]
fn files_shorter_than_their_header_says_are_refused() {
    let mut bytes = Vec::new();
    [100_000_000_i32, 0, 0, 100_000_000].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    assert!(read(bytes).is_err());
    assert!(read(vec![1, 2, 3]).is_err());
    let mut bytes = Vec::new();
    [3_i32, 0, 0, 1].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    [0_i32, 1, 2].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    let mesh = read(bytes).unwrap();
    assert_eq!((mesh.positions[1], mesh.triangles), (Vector3::x(), vec![[0, 1, 2]]));
}
