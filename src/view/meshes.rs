//! The triangles of the meshes of a scene.

use super::{Mesh, MeshUse, ShapeList};
use crate::scene::{Geometry, Scene};
use crate::systems::models::read_mesh;
use std::path::Path;

/// Shapes of one file and scale, which are one mesh.
struct Shared<'a> {
    file: &'a str,
    scale: [f64; 3],
    uses: Vec<MeshUse>,
}

/// The meshes of the files that a scene names, each once for every scale, one for every colour within. What cannot be
/// read is left out: the page says so.
pub fn of(scene: &Scene) -> Vec<Mesh> {
    let mut meshes = Vec::new();
    for Shared { file, scale, uses } in shared(scene) {
        let Ok(mesh) = read_mesh(Path::new(file)) else { continue };
        let positions: Vec<f32> =
            mesh.positions.iter().flat_map(|p| [0, 1, 2].map(|i| (p[i] * scale[i]) as f32)).collect();
        // A mirrored mesh is seen from inside, if its triangles are not turned round.
        let mirrored = scale.iter().product::<f64>() < 0.0;
        let corners = |[a, b, c]: [u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
        let whole = 0..mesh.triangles.len();
        let parts: Vec<_> = mesh.parts.iter().map(|part| (part.triangles.clone(), part.rgba)).collect();
        for (range, rgba) in if parts.is_empty() { vec![(whole, None)] } else { parts } {
            let triangles: Vec<u32> = mesh.triangles[range].iter().flat_map(|corner| corners(*corner)).collect();
            meshes.push(Mesh {
                id: meshes.len(),
                positions: positions.clone().into(),
                triangles: triangles.into(),
                rgba: rgba.map(|rgba| rgba.map(|x| x as f32)),
                uses: uses.clone(),
            });
        }
    }
    meshes
}

/// The mesh files that a scene names.
pub fn files(scene: &Scene) -> impl Iterator<Item = &str> {
    shared(scene).into_iter().map(|mesh| mesh.file)
}

fn shared(scene: &Scene) -> Vec<Shared<'_>> {
    let mut all: Vec<Shared<'_>> = Vec::new();
    for (plant, of_plant) in scene.plants.iter().enumerate() {
        for (body, of_body) in of_plant.bodies.iter().enumerate() {
            let lists = [(ShapeList::Visuals, &of_body.visuals), (ShapeList::Collisions, &of_body.collisions)];
            for (list, shapes) in lists {
                for (shape, of_shape) in shapes.iter().enumerate() {
                    let Geometry::Mesh { source, scale } = &of_shape.geometry else { continue };
                    let Some(file) = source.file.as_deref() else { continue };
                    let found = MeshUse { plant, body, list, shape };
                    match all.iter_mut().find(|one| one.file == file && one.scale == *scale) {
                        Some(one) => one.uses.push(found),
                        None => all.push(Shared { file, scale: *scale, uses: vec![found] }),
                    }
                }
            }
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
        let meshes = of(&Scene { version: VERSION, diagram: String::new(), plants, markers: Vec::new() });
        std::fs::remove_file(&file).unwrap();
        let uses: Vec<usize> = meshes.iter().map(|mesh| mesh.uses.len()).collect();
        assert_eq!(uses, [2, 1]);
        // The normal points away from the origin in both.
        for mesh in &meshes {
            let (Packed::F32(positions), Packed::U32(triangles)) = (&mesh.positions, &mesh.triangles) else { panic!() };
            let corner = |i: usize| nalgebra::Vector3::from_fn(|k, _| positions.0[3 * triangles.0[i] as usize + k]);
            assert!(corner(0).dot(&corner(1).cross(&corner(2))) > 0.0, "{mesh:?}");
        }
    }
}
