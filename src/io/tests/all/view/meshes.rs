//! Triangles of the meshes of a scene, and the images on its shapes.

use super::small_png::picture;
use kinegraph_engine::scene::{
    Appearance, FileReference, Geometry, PlantScene, Pose, Scene, SceneBody, SceneShape, Texture, VERSION,
};
use kinegraph_io::view::meshes::of;
use kinegraph_io::view::{Line, Mesh, Packed, meshes_of};
use kinegraph_models::FileAccess;
use std::path::Path;

/// Two bodies share a mesh, a third has it mirrored; missing files are left out.
#[test]
fn each_file_is_read_once_for_every_scale() {
    let file = std::env::temp_dir().join(format!("kinegraph-triangle-{}.obj", std::process::id()));
    std::fs::write(&file, "v 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\n").unwrap();
    let body = |file: &str, scale: [f64; 3]| {
        let source = FileReference { uri: file.into(), file: Some(file.into()) };
        let geometry = Geometry::Mesh { source, scale };
        let shape = SceneShape { name: String::new(), pose: Pose::default(), geometry, appearance: None };
        SceneBody { visuals: vec![shape], ..SceneBody::default() }
    };
    let path = file.to_str().unwrap();
    let bodies = vec![body(path, [1.0; 3]), body(path, [1.0; 3]), body(path, [-1.0, 1.0, 1.0]), body("no", [1.0; 3])];
    let plants = vec![PlantScene { bodies, ..PlantScene::default() }];
    let scene = Scene { version: VERSION, diagram: String::new(), plants, markers: Vec::new() };
    let lines = of(&scene, &FileAccess::default().anywhere(true));
    std::fs::remove_file(&file).unwrap();
    let meshes = lines.into_iter().map(|line| if let Line::Mesh(mesh) = line { mesh } else { panic!("{line:?}") });
    let meshes: Vec<Mesh> = meshes.collect();
    let uses: Vec<usize> = meshes.iter().map(|mesh| mesh.uses.len()).collect();
    assert_eq!(uses, [2, 1]);
    // The normal points away from the origin in both.
    for mesh in &meshes {
        let (Packed::F32(positions), Packed::U32(triangles)) = (&mesh.positions, &mesh.triangles) else { panic!() };
        let corner = |i: usize| nalgebra::Vector3::from_fn(|k, _| positions.0[3 * triangles.0[i] as usize + k]);
        assert!(corner(0).dot(&corner(1).cross(&corner(2))) > 0.0, "{mesh:?}");
    }
}

/// A triangle with an image: each of three corners has a place on it, and the line of the image comes before that of
/// the mesh.
#[test]
fn images_of_meshes_come_before_them() {
    let folder = std::env::temp_dir().join(format!("kinegraph-painted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    write("a.png", &picture(|x, y| [x as u8, y as u8, 0, 255]));
    write("a.mtl", b"newmtl m\nKd 0 0 0\nmap_Kd a.png\n");
    write("a.obj", b"mtllib a.mtl\nv 1 0 0\nv 0 2 0\nv 0 0 3\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3\n");
    let file = folder.join("a.obj").to_str().unwrap().to_owned();
    let source = FileReference { uri: file.clone(), file: Some(file) };
    let geometry = Geometry::Mesh { source, scale: [-1.0, 1.0, 1.0] };
    let shape = SceneShape { name: String::new(), pose: Pose::default(), geometry, appearance: None };
    let bodies = vec![SceneBody { visuals: vec![shape], ..SceneBody::default() }];
    let plants = vec![PlantScene { bodies, ..PlantScene::default() }];
    let scene = Scene { version: VERSION, diagram: String::new(), plants, markers: Vec::new() };
    let lines = of(&scene, &FileAccess::default().anywhere(true));
    std::fs::remove_dir_all(&folder).unwrap();
    let [Line::Texture(texture), Line::Mesh(mesh)] = &lines[..] else { panic!("{lines:?}") };
    assert!(texture.images[0].starts_with("data:image/png;base64,") && texture.uses.is_empty());
    assert_eq!((mesh.texture, mesh.rgba), (Some(texture.id), Some([1.0; 4])));
    // Mirrored, so that the last two corners are swapped; the format counts rows from the bottom.
    let (Packed::F32(positions), Some(Packed::F32(uv))) = (&mesh.positions, &mesh.uv) else { panic!("{mesh:?}") };
    assert_eq!(positions.0, [-1.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 2.0, 0.0]);
    assert_eq!(uv.0, [0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
}

/// Files that the scene of a recording names are not read if they are outside of its folder, whatever the form of their
/// paths.
#[test]
fn files_outside_of_the_folder_of_a_recording_are_not_read() {
    let folder = std::env::temp_dir().join(format!("kinegraph-received-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inside")).unwrap();
    let triangle = "v 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\n";
    std::fs::write(folder.join("secret.obj"), triangle).unwrap();
    std::fs::write(folder.join("inside/own.obj"), triangle).unwrap();
    std::fs::write(folder.join("secret.png"), picture(|x, y| [x as u8, y as u8, 0, 255])).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("secret.obj"), folder.join("inside/link.obj")).unwrap();
    let reference = |file: &Path| {
        let file = file.to_str().unwrap().to_owned();
        FileReference { uri: file.clone(), file: Some(file) }
    };
    let texture = Some(Texture::from(reference(&folder.join("secret.png"))));
    let appearance = Some(Appearance { texture, ..Appearance::default() });
    let body = |file: &str| {
        let geometry = Geometry::Mesh { source: reference(&folder.join(file)), scale: [1.0; 3] };
        let pose = Pose::default();
        let shape = SceneShape { name: String::new(), pose, geometry, appearance: appearance.clone() };
        SceneBody { visuals: vec![shape], ..SceneBody::default() }
    };
    let files = ["secret.obj", "inside/../secret.obj", "inside/link.obj", "inside/own.obj"];
    let plants = vec![PlantScene { bodies: files.map(body).into(), ..PlantScene::default() }];
    let scene = Scene { version: VERSION, diagram: String::new(), plants, markers: Vec::new() };
    let access = FileAccess::of_folder(&folder.join("inside"));
    let drawn = of(&scene, &access);
    let all = of(&scene, &access.clone().anywhere(true));
    let held: Vec<&str> = meshes_of(&scene).filter(|file| access.holds(Path::new(file))).collect();
    let count = meshes_of(&scene).count();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(&drawn[..], [Line::Mesh(mesh)] if mesh.uses.len() == 1 && mesh.uses[0].body == 3), "{drawn:?}");
    assert_eq!(all.len(), 1 + files.len(), "{all:?}");
    assert!(held.len() == 1 && held[0].ends_with("own.obj") && count == files.len() + 1, "{held:?} of {count}");
}
