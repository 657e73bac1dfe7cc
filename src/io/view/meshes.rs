//! Triangles of the meshes of a scene, and the images on its shapes.

use super::textures::Textures;
use super::{Line, Mesh, MeshUse, ShapeList};
use kinegraph_engine::scene::{Geometry, Image, Mapping, Scene, SceneShape};
use kinegraph_models::{FileAccess, MeshPart, TriangleMesh, read_mesh};
use std::collections::BTreeSet;
use std::path::Path;

/// Shapes of one file and scale, which share a mesh.
struct Shared<'a> {
    file: &'a str,
    scale: [f64; 3],
    uses: Vec<MeshUse>,
    /// True if a shape has an image of its own, which is placed by the coordinates in the file.
    painted: bool,
}

/// Lines for all that is drawn besides the scene itself: images, then meshes. Each file is read once for every scale,
/// and becomes a mesh for every colour in it. Files that cannot be read, or that `access` does not allow, are left out;
/// the page reports them.
pub fn of(scene: &Scene, access: &FileAccess) -> Vec<Line> {
    let mut textures = Textures::new(access);
    for (shape, found) in shapes(scene) {
        if let Some(texture) = shape.appearance.as_ref().and_then(|look| look.texture.as_ref()) {
            textures.add(&texture.image, found);
        }
    }
    let mut meshes: Vec<Mesh> = Vec::new();
    for Shared { file, scale, uses, painted } in shared(scene) {
        let opened = access.check(Path::new(file)).is_ok().then(|| read_mesh(Path::new(file)));
        let Some(Ok(mesh)) = opened else { continue };
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
    /// Creates the surface with the points of the file.
    fn shared(mesh: &TriangleMesh, part: &MeshPart) -> Self {
        let positions = mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).map(|x| x as f32).collect();
        let triangles = mesh.triangles[part.triangles.clone()].concat();
        Surface { positions, triangles, uv: Vec::new() }
    }

    /// Creates the surface with separate corners for every triangle, since a point may have several places on an image.
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

/// Files of meshes and images in a scene, each once.
pub fn files(scene: &Scene) -> impl Iterator<Item = &str> {
    let images = shapes(scene).filter_map(|(shape, _)| shape.appearance.as_ref()?.texture.as_ref());
    let images = images.flat_map(|texture| match &texture.image {
        Image::File(file) => std::slice::from_ref(file),
        Image::Sides(files) => files.as_slice(),
        Image::Pattern(_) => &[],
    });
    let meshes = shared(scene).into_iter().map(|mesh| mesh.file);
    meshes.chain(images.filter_map(|image| image.file.as_deref())).collect::<BTreeSet<_>>().into_iter()
}

/// All shapes of a scene, with their indices.
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
