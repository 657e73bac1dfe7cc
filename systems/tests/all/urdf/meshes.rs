//! Collision meshes: where files are searched for, what is read from them, and messages if they contain no solid.

use kinegraph_systems::geometry::{ConvexHull, Shape};
use kinegraph_systems::models::{
    FaultKind, LoadError, LoadOptions, Loaded, MeshCollision, MeshCollisions, MissingMeshes, NoteKind, read_mesh,
    read_urdf, read_urdf_with,
};
use nalgebra::Vector3;
use std::path::{Path, PathBuf};

/// A folder of its own for each test, with these files.
fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("urdf_meshes").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (file, bytes) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

/// A robot in `folder` with one link whose collision shape is this mesh element.
fn write(folder: &Path, mesh: &str) -> PathBuf {
    let body = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
    let text = format!(
        "<robot name='r' xmlns:drake='d'><link name='arm'>{body}\n<collision><geometry>{mesh}</geometry></collision></link></robot>"
    );
    std::fs::create_dir_all(folder).unwrap();
    let path = folder.join("robot.urdf");
    std::fs::write(&path, text).unwrap();
    path
}

fn load(folder: &Path, mesh: &str) -> Loaded {
    read_urdf(write(folder, mesh)).unwrap()
}

/// The only fault of a robot with an unusable mesh.
fn refused(folder: &Path, mesh: &str) -> LoadError {
    let error = read_urdf(write(folder, mesh)).unwrap_err();
    assert!(matches!(error.faults[..], [_]) && matches!(error.faults[0].kind, FaultKind::MeshMissing { .. }));
    error
}

/// The hull of a mesh that is declared convex, which makes no note.
fn hull(folder: &Path, attributes: &str) -> ConvexHull {
    let loaded = load(folder, &format!("<mesh {attributes}><drake:declare_convex/></mesh>"));
    assert!(loaded.notes.is_empty(), "{:?}", loaded.notes);
    match &loaded.model.links[0].collisions[0].shape {
        Shape::Convex(hull) => ConvexHull::clone(hull),
        other => panic!("{other:?}"),
    }
}

/// The message about an unusable mesh: a fault, or the only note if meshes may be missing.
fn ignored(folder: &Path, attributes: &str) -> String {
    let mesh = format!("<mesh {attributes}><drake:declare_convex/></mesh>");
    let fault = refused(folder, &mesh).to_string();
    assert!(fault.contains("robot.urdf:2:") && fault.contains("missing_meshes: ignore"), "{fault}");
    let options = LoadOptions { missing_meshes: MissingMeshes::Ignore, ..LoadOptions::default() };
    let loaded = read_urdf_with(&write(folder, &mesh), &options).unwrap();
    assert!(loaded.model.links[0].collisions.is_empty());
    assert_eq!(loaded.notes.len(), 1, "{:?}", loaded.notes);
    assert!(matches!(loaded.notes[0].kind, NoteKind::MeshIgnored { .. }));
    assert_eq!(loaded.notes[0].line, 2);
    loaded.notes[0].to_string()
}

/// A tetrahedron, with one point that no face uses, comments, a group and a missing material.
const TETRAHEDRON: &str = "# a comment\nmtllib nowhere.mtl\no part\nv 0 0 0\nv 0.1 0 0\nv 0 0.2 0\nv 0 0 0.3\nv 9 9 9\n\
    vn 0 0 1\nusemtl red\nf 1//1 3//1 2//1\nf 1 2 4\ng rest\nf 1 4 3\nf 2 3 4\n";

fn corners() -> Vec<Vector3<f64>> {
    vec![Vector3::zeros(), Vector3::x() * 0.1, Vector3::y() * 0.2, Vector3::z() * 0.3]
}

/// True if the vertices of a hull are these, in any order, to within `tolerance`.
fn has_vertices(hull: &ConvexHull, expected: &[Vector3<f64>], tolerance: f64) -> bool {
    hull.vertices().len() == expected.len()
        && expected.iter().all(|p| hull.vertices().any(|v| (v - p).norm() <= tolerance))
}

const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn text_stl() -> Vec<u8> {
    let mut text = "solid part\n".to_owned();
    for face in FACES {
        text += " facet normal 0 0 0\n  outer loop\n";
        for p in face.map(|i| corners()[i]) {
            text += &format!("   vertex {} {} {}\n", p.x, p.y, p.z);
        }
        text += "  endloop\n endfacet\n";
    }
    (text + "endsolid part\n").into_bytes()
}

/// A binary file with a header that begins like a text file.
fn binary_stl() -> Vec<u8> {
    let mut bytes = b"solid written by a program".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        for p in face.map(|i| corners()[i]) {
            p.iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn obj_and_stl_hold_the_same_solid() {
    let files: [(&str, &[u8]); 4] = [
        ("part.obj", TETRAHEDRON.as_bytes()),
        ("part.stl", &text_stl()),
        ("binary.STL", &binary_stl()),
        ("sub/part.obj", TETRAHEDRON.as_bytes()),
    ];
    let folder = folder("formats", &files);
    // Coordinates of OBJ files are read to the last digit, those of STL files are single precision.
    assert!(has_vertices(&hull(&folder, "filename='part.obj'"), &corners(), 1e-16));
    assert!(has_vertices(&hull(&folder, "filename='sub/part.obj'"), &corners(), 1e-16));
    assert!(has_vertices(&hull(&folder, "filename='part.stl'"), &corners(), 1e-7));
    assert!(has_vertices(&hull(&folder, "filename='binary.STL'"), &corners(), 1e-7));
}

#[test]
fn scale_stretches_and_mirrors() {
    let folder = folder("scale", &[("part.obj", TETRAHEDRON.as_bytes())]);
    let scaled: Vec<_> = corners().iter().map(|p| p.component_mul(&Vector3::new(-2.0, 1.0, 10.0))).collect();
    let mirrored = hull(&folder, "filename='part.obj' scale='-2 1 10'");
    assert!(has_vertices(&mirrored, &scaled, 1e-15));
    // Mirrored, it is still a solid with its inside inside: the centroid of a tetrahedron is the mean of its corners.
    assert!((mirrored.center() - Vector3::new(-0.05, 0.05, 0.75)).norm() < 1e-15);
    let flat = ignored(&folder, "filename='part.obj' scale='1 1 1e-9'");
    assert!(flat.contains("\"part.obj\"") && flat.contains("\"arm\"") && flat.contains("one plane"), "{flat}");
}

#[test]
fn packages_are_found_above_the_file() {
    let manifest = b"<package format='2'><name>arm_description</name></package>";
    let files: [(&str, &[u8]); 6] = [
        ("checkout/package.xml", manifest),
        ("hand/package.xml", b"<package><name>the_hand</name></package>"),
        ("leg/part.obj", TETRAHEDRON.as_bytes()),
        ("checkout/meshes/part.obj", TETRAHEDRON.as_bytes()),
        ("checkout/other_parts/part.obj", TETRAHEDRON.as_bytes()),
        ("hand/part.obj", TETRAHEDRON.as_bytes()),
    ];
    let urdf = folder("packages", &files).join("checkout/urdf/robots");
    for uri in [
        "package://arm_description/meshes/part.obj", // by its manifest
        "model://checkout/meshes/part.obj",          // by its own name
        "package://other_parts/part.obj",            // a folder in a folder above
        "package://hand/part.obj",                   // beside the package
        "package:///hand/part.obj",                  // as some tools write
        "../../meshes/part.obj",
    ] {
        assert!(has_vertices(&hull(&urdf, &format!("filename='{uri}'")), &corners(), 1e-16), "{uri}");
    }
    let absolute = urdf.parent().unwrap().parent().unwrap().join("meshes/part.obj");
    assert!(absolute.is_absolute());
    hull(&urdf, &format!("filename='file://{}'", absolute.display()));
    // Elsewhere, in a folder that the reader is given.
    let elsewhere = folder("model_paths", &[("leg_description/part.obj", TETRAHEDRON.as_bytes())]);
    let mesh = "<mesh filename='package://leg_description/part.obj'/>";
    refused(&urdf, mesh);
    for root in [elsewhere.clone(), elsewhere.join("leg_description")] {
        let options = LoadOptions { model_paths: vec![root], ..LoadOptions::default() };
        let loaded = read_urdf_with(&write(&urdf, mesh), &options).unwrap();
        assert_eq!(loaded.model.links[0].collisions.len(), 1);
    }
    let missing = ignored(&urdf, "filename='package://leg/part.obj'");
    assert!(missing.contains("package \"leg\" is not found"), "{missing}");
    let unknown = ignored(&urdf, "filename='http://host/part.obj'");
    assert!(unknown.contains("http://") && unknown.contains("not understood"), "{unknown}");
}

#[test]
fn a_mesh_that_is_not_said_to_be_convex_is_replaced_loudly() {
    let folder = folder("replaced", &[("part.obj", TETRAHEDRON.as_bytes())]);
    let loaded = load(&folder, "<mesh filename='part.obj'/>");
    assert_eq!(loaded.model.links[0].collisions.len(), 1);
    let [note] = &loaded.notes[..] else { panic!("{:?}", loaded.notes) };
    assert!(matches!(note.kind, NoteKind::MeshHull { vertices: 4, .. }));
    let text = note.to_string();
    assert!(text.contains("\"part.obj\"") && text.contains("convex hull") && text.contains("declare_convex"), "{text}");
}

#[test]
fn meshes_that_cannot_be_had_are_faults_unless_they_may_be_left_out() {
    let files: [(&str, &[u8]); 9] = [
        ("two.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 2\n"),
        ("bad.obj", b"v 0 0 zero\nf 1 1 1\n"),
        ("beyond.obj", b"v 0 0 0\nf 1 2 3\n"),
        ("empty.stl", b""),
        ("cut.stl", &binary_stl()[..150]),
        ("part.dae", b"<COLLADA/>"),
        ("part.ply", b"ply"),
        ("part.wrl", b"#VRML"),
        ("far.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1e9\nf 1 2 3\nf 2 3 4\n"),
    ];
    let folder = folder("faults", &files);
    for (file, words) in [
        ("nowhere.obj", "there is no file"),
        (".", "is a folder, not a file"),
        ("two.obj", "2 different points"),
        ("bad.obj", "no valid OBJ"),
        ("beyond.obj", "no valid OBJ"),
        ("empty.stl", "no valid STL"),
        ("cut.stl", "no valid STL"),
        ("part.dae", "0 different points"),
        ("part.ply", "no valid PLY"),
        ("part.wrl", ".obj, .stl, .ply, .dae, .msh, .vtk, .gltf or .glb"),
        ("far.obj", "1e6 m"),
    ] {
        let note = ignored(&folder, &format!("filename='{file}'"));
        println!("{note}"); // `--nocapture` prints it, to be read as a user would
        assert!(note.contains(words) && note.contains(file) && note.contains("\"arm\""), "{note}");
    }
}

/// The solid in other formats, with the kind of collision chosen by the name of its link and shape.
#[test]
fn mesh_collision_is_set_by_the_name_of_link_and_shape() {
    let obj = "v 0 0 0\nv .1 0 0\nv 0 .2 0\nv 0 0 .3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    let folder = folder("named", &[("part.obj", obj.as_bytes())]);
    let path = write(&folder, "<mesh filename='part.obj'/>");
    let text = std::fs::read_to_string(&path).unwrap().replace("<collision>", "<collision name='side'>");
    std::fs::write(&path, text).unwrap();
    for (name, exact) in [("arm", true), ("arm/side", true), ("arm/other", false), ("leg", false)] {
        let meshes = MeshCollisions { named: [(name.to_owned(), MeshCollision::Exact)].into(), ..Default::default() };
        let loaded = read_urdf_with(&path, &LoadOptions { meshes, ..LoadOptions::default() }).unwrap();
        let collision = &loaded.model.links[0].collisions[0];
        assert_eq!(matches!(&collision.shape, Shape::Mesh(mesh) if mesh.num_faces() == 4), exact, "{name}");
        assert_eq!(collision.name, "side");
    }
    let mesh = read_mesh(&folder.join("part.obj")).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len(), mesh.parts.len()), (4, 4, 0));
}

/// Nodes place their instances, in the unit of the file: the tetrahedron in centimetres, turned, moved and
/// instantiated.
#[test]
fn collada_scenes_are_placed_by_their_nodes() {
    let scene = |nodes: &str| {
        format!(
            "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema'><asset><unit meter='0.01'/><up_axis>Y_UP</up_axis></asset>
             <library_geometries><geometry id='g'><mesh>
             <source id='s'><float_array id='a' count='12'>0 0 0 10 0 0 0 20 0 0 0 30</float_array></source>
             <source id='n'><float_array id='b' count='3'>0 0 900</float_array></source>
             <vertices id='v'><input semantic='POSITION' source='#s'/></vertices>
             <triangles count='1'><input semantic='NORMAL' source='#n'/></triangles></mesh></geometry></library_geometries>
             <library_nodes><node id='part'><instance_geometry url='#g'/></node></library_nodes>
             <library_visual_scenes><visual_scene id='all'>{nodes}</visual_scene></library_visual_scenes>
             <scene><instance_visual_scene url='#all'/></scene></COLLADA>"
        )
    };
    let turned = "<node><translate>0 0 -30</translate><rotate>1 0 0 90</rotate><scale>1 2 1</scale>\
        <instance_node url='#part'/></node>";
    let moved =
        "<node><matrix>1 0 0 5  0 1 0 0  0 0 1 0  0 0 0 1</matrix><node><instance_geometry url='#g'/></node></node>";
    let (turned, moved) = (scene(turned), scene(moved));
    let looped = scene("<node><instance_node url='#again'/></node>")
        .replace("</library_nodes>", "<node id='again'><instance_node url='#again'/></node></library_nodes>");
    let files: [(&str, &[u8]); 3] =
        [("turned.dae", turned.as_bytes()), ("moved.DAE", moved.as_bytes()), ("looped.dae", looped.as_bytes())];
    let folder = folder("collada", &files);
    let expected: Vec<_> = corners().iter().map(|p| Vector3::new(p.x, -p.z, 2.0 * p.y - 0.3)).collect();
    assert!(has_vertices(&hull(&folder, "filename='turned.dae'"), &expected, 1e-15));
    let expected: Vec<_> = corners().iter().map(|p| p + Vector3::x() * 0.05).collect();
    assert!(has_vertices(&hull(&folder, "filename='moved.DAE'"), &expected, 1e-15));
    assert!(ignored(&folder, "filename='looped.dae'").contains("nested deeper"));
}
