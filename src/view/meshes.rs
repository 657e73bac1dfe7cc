//! The triangles of the meshes of a scene, and the images on its shapes.

use super::textures::Textures;
use super::{Line, Mesh, MeshUse, ShapeList};
use crate::scene::{Geometry, Mapping, Scene, SceneShape};
use crate::systems::models::{MeshPart, TriangleMesh, read_mesh};
use std::path::Path;

/// Shapes of one file and scale, which are one mesh.
struct Shared<'a> {
    file: &'a str,
    scale: [f64; 3],
    uses: Vec<MeshUse>,
    /// Whether one of them has an image of its own, which lies where the file says.
    painted: bool,
}

/// What there is to draw besides the scene itself: images, then meshes. Of the files that the scene names each is read
/// once for every scale, and is a mesh for every colour within. What cannot be read is left out: the page says so.
pub fn of(scene: &Scene) -> Vec<Line> {
    let mut textures = Textures::default();
    for (shape, found) in shapes(scene) {
        if let Some(texture) = shape.appearance.as_ref().and_then(|look| look.texture.as_ref()) {
            textures.add(&texture.image, found);
        }
    }
    let mut meshes: Vec<Mesh> = Vec::new();
    for Shared { file, scale, uses, painted } in shared(scene) {
        let Ok(mesh) = read_mesh(Path::new(file)) else { continue };
        let mesh = mesh.scaled(&scale.into());
        let whole = MeshPart { triangles: 0..mesh.triangles.len(), rgba: None, image: None };
        for part in if mesh.parts.is_empty() { std::slice::from_ref(&whole) } else { &mesh.parts } {
            let texture = part.image.and_then(|image| textures.of_mesh(&mesh.images[image]));
            let surface = if mesh.uv.is_empty() || (texture.is_none() && !painted) {
                Surface::shared(&mesh, part)
            } else {
                Surface::apart(&mesh, part)
            };
            meshes.push(Mesh {
                id: meshes.len(),
                positions: surface.positions.into(),
                triangles: surface.triangles.into(),
                uv: (!surface.uv.is_empty()).then(|| surface.uv.into()),
                rgba: part.rgba.map(|rgba| rgba.map(|x| x as f32)),
                texture,
                uses: uses.clone(),
            });
        }
    }
    let textures = textures.all.into_iter().filter(|texture| !texture.images.is_empty()).map(Line::Texture);
    textures.chain(meshes.into_iter().map(Line::Mesh)).collect()
}

/// Corners and triangles of a part of a mesh.
#[derive(Default)]
struct Surface {
    positions: Vec<f32>,
    triangles: Vec<u32>,
    uv: Vec<f32>,
}

impl Surface {
    /// With the points of the file.
    fn shared(mesh: &TriangleMesh, part: &MeshPart) -> Self {
        let positions = mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).map(|x| x as f32).collect();
        let triangles = mesh.triangles[part.triangles.clone()].concat();
        Surface { positions, triangles, uv: Vec::new() }
    }

    /// With three corners of its own for every triangle: one point may be at several places of an image.
    fn apart(mesh: &TriangleMesh, part: &MeshPart) -> Self {
        let mut surface = Surface::default();
        for (triangle, uv) in mesh.triangles[part.triangles.clone()].iter().zip(&mesh.uv[part.triangles.clone()]) {
            for (corner, at) in triangle.iter().zip(uv) {
                let p = &mesh.positions[*corner as usize];
                surface.triangles.push((surface.positions.len() / 3) as u32);
                surface.positions.extend([p.x, p.y, p.z].map(|x| x as f32));
                surface.uv.extend(at);
            }
        }
        surface
    }
}

/// The mesh files that a scene names.
pub fn files(scene: &Scene) -> impl Iterator<Item = &str> {
    shared(scene).into_iter().map(|mesh| mesh.file)
}

/// All shapes of a scene, and where each stands.
fn shapes(scene: &Scene) -> impl Iterator<Item = (&SceneShape, MeshUse)> {
    let bodies = scene.plants.iter().enumerate().flat_map(|(plant, of_plant)| {
        of_plant.bodies.iter().enumerate().map(move |(body, of_body)| (plant, body, of_body))
    });
    bodies.flat_map(|(plant, body, of_body)| {
        let lists = [(ShapeList::Visuals, &of_body.visuals), (ShapeList::Collisions, &of_body.collisions)];
        lists.into_iter().flat_map(move |(list, shapes)| {
            let found = move |shape| MeshUse { plant, body, list, shape };
            shapes.iter().enumerate().map(move |(index, shape)| (shape, found(index)))
        })
    })
}

fn shared(scene: &Scene) -> Vec<Shared<'_>> {
    let mut all: Vec<Shared<'_>> = Vec::new();
    for (shape, found) in shapes(scene) {
        let Geometry::Mesh { source, scale } = &shape.geometry else { continue };
        let Some(file) = source.file.as_deref() else { continue };
        let texture = shape.appearance.as_ref().and_then(|look| look.texture.as_ref());
        let painted = texture.is_some_and(|texture| texture.mapping == Mapping::Surface);
        match all.iter_mut().find(|one| one.file == file && one.scale == *scale) {
            Some(one) => {
                one.uses.push(found);
                one.painted |= painted;
            }
            None => all.push(Shared { file, scale: *scale, uses: vec![found], painted }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{FileReference, PlantScene, Pose, SceneBody, SceneShape, VERSION};
    use crate::view::Packed;

    /// Two bodies share a mesh, a third has it mirrored; files that are not there are left out.
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
        let bodies =
            vec![body(path, [1.0; 3]), body(path, [1.0; 3]), body(path, [-1.0, 1.0, 1.0]), body("no", [1.0; 3])];
        let plants = vec![PlantScene { bodies, ..PlantScene::default() }];
        let lines = of(&Scene { version: VERSION, diagram: String::new(), plants, markers: Vec::new() });
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

    /// A triangle with an image beside it: three corners with their places, and a line with the image before.
    #[test]
    fn images_of_meshes_come_before_them() {
        let folder = std::env::temp_dir().join(format!("kinegraph-painted-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
        write("a.png", &crate::view::small_png::tests::picture(|x, y| [x as u8, y as u8, 0, 255]));
        write("a.mtl", b"newmtl m\nKd 0 0 0\nmap_Kd a.png\n");
        write("a.obj", b"mtllib a.mtl\nv 1 0 0\nv 0 2 0\nv 0 0 3\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3\n");
        let file = folder.join("a.obj").to_str().unwrap().to_owned();
        let source = FileReference { uri: file.clone(), file: Some(file) };
        let geometry = Geometry::Mesh { source, scale: [-1.0, 1.0, 1.0] };
        let shape = SceneShape { name: String::new(), pose: Pose::default(), geometry, appearance: None };
        let bodies = vec![SceneBody { visuals: vec![shape], ..SceneBody::default() }];
        let plants = vec![PlantScene { bodies, ..PlantScene::default() }];
        let lines = of(&Scene { version: VERSION, diagram: String::new(), plants, markers: Vec::new() });
        std::fs::remove_dir_all(&folder).unwrap();
        let [Line::Texture(texture), Line::Mesh(mesh)] = &lines[..] else { panic!("{lines:?}") };
        assert!(texture.images[0].starts_with("data:image/png;base64,") && texture.uses.is_empty());
        assert_eq!((mesh.texture, mesh.rgba), (Some(texture.id), Some([1.0; 4])));
        // Mirrored, so that the last two corners change places; the format counts from below.
        let (Packed::F32(positions), Some(Packed::F32(uv))) = (&mesh.positions, &mesh.uv) else { panic!("{mesh:?}") };
        assert_eq!(positions.0, [-1.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 2.0, 0.0]);
        assert_eq!(uv.0, [0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    }
}
