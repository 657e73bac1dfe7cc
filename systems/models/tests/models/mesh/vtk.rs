//! Tests of `systems/models/mesh/vtk.rs`.

use kinegraph_models::mesh::vtk::read;

/// Two tetrahedra with a common side, one of them inside out: six triangles that enclose their volume.
#[test]
fn the_surface_of_tetrahedra_has_the_faces_of_a_single_one() {
    let text = "# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1 0 0 0 1 0\n\
                0 0 1 1 1 1\nCELLS 2 10\n4 0 1 2 3\n4 1 3 2 4\nCELL_TYPES 2\n10\n10\n";
    let mesh = read(text.as_bytes().to_vec()).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (5, 6));
    assert!((mesh.volume() - 0.5).abs() < 1e-15, "{}", mesh.volume());
    let turned = text.replace("4 1 3 2 4", "4 1 2 3 4");
    assert!((read(turned.into_bytes()).unwrap().volume() - 0.5).abs() < 1e-15);
}

#[test]
fn polygons_are_triangulated_and_faults_are_reported() {
    let text = "# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 1 1 0 0 1 0\n\
                POLYGONS 1 5\n4 0 1 2 3\nCELL_DATA 1\nSCALARS s int\nLOOKUP_TABLE default\n7\n";
    assert_eq!(read(text.as_bytes().to_vec()).unwrap().triangles, [[0, 1, 2], [0, 2, 3]]);
    for (from, to, word) in [
        ("ASCII", "BINARY", "binary"),
        ("4 0 1 2 3", "4 0 1 2 9", "does not exist"),
        ("POINTS 4", "POINTS 4000000000", "missing"),
        ("POLYGONS 1 5\n4", "OFFSETS 1 5\n4", ""),
        ("# vtk", "# xyz", "does not begin"),
    ] {
        let read = read(text.replace(from, to).into_bytes());
        match read {
            Err(fault) => assert!(fault.to_string().contains(word), "{fault}"),
            Ok(mesh) => assert!(word.is_empty() && mesh.triangles.is_empty()),
        }
    }
}
