//! glTF 2.0 (`.gltf`, `.glb`), by the crate `gltf`: the triangles that the scene shows, placed by its nodes.
//!
//! Numbers are in the file itself, in data addresses (base64), or in files beside it; nothing is fetched from a
//! network. The axes are those of the file: nothing is turned upright, as with COLLADA. Accessors are read here and not
//! by the crate's readers, so that one that reaches beyond its buffer is a fault. Skins, morph targets, animations,
//! sparse and compressed accessors are not read.

use super::bytes::{Beside, MAX_POINTS, invalid};
use super::fault::MeshFault;
use super::triangles::{MeshImage, TriangleMesh};
use base64::Engine;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Document, Gltf, Semantic};
use nalgebra::{Matrix4, Point3};

/// Maximum depth of nested nodes.
const MAX_LEVELS: usize = 64;

/// The triangles of a glTF file, text or binary; files that it names are read from its folder.
pub fn read(bytes: Vec<u8>, beside: &Beside) -> Result<TriangleMesh, MeshFault> {
    let Gltf { document, blob } =
        Gltf::from_slice_without_validation(&bytes).map_err(|error| fault(error.to_string()))?;
    let document = checked(document)?;
    let mut blob = blob;
    let buffers = document.buffers().map(|buffer| match buffer.source() {
        gltf::buffer::Source::Bin => blob.take().ok_or_else(|| fault("it has no binary part, which a buffer names")),
        gltf::buffer::Source::Uri(uri) => data(uri, beside),
    });
    let buffers = buffers.collect::<Result<_, _>>()?;
    let mut scene = Scene { buffers, mesh: TriangleMesh::default(), nodes_left: document.nodes().len(), beside };
    match document.default_scene().or_else(|| document.scenes().next()) {
        Some(shown) => {
            for node in shown.nodes() {
                scene.node(&node, &Matrix4::identity(), 0)?;
            }
        }
        // A file of meshes alone.
        None => {
            for mesh in document.meshes() {
                scene.part(&mesh, &Matrix4::identity())?;
            }
        }
    }
    Ok(scene.mesh.without_plain_parts())
}

/// The document, if it is valid. The crate's own check assumes that the accessor of positions exists.
fn checked(document: Document) -> Result<Document, MeshFault> {
    let root = document.as_json();
    let mut primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let accessors = |p: &gltf::json::mesh::Primitive| p.attributes.values().all(|i| i.value() < root.accessors.len());
    if !primitives.all(accessors) {
        return Err(fault("a mesh names an accessor that does not exist"));
    }
    Document::from_json(document.into_json()).map_err(|error| fault(error.to_string()))
}

fn fault(reason: impl Into<String>) -> MeshFault {
    invalid("glTF", reason.into())
}

/// The bytes of a data address or of a file beside the mesh.
fn data(uri: &str, beside: &Beside) -> Result<Vec<u8>, MeshFault> {
    let Some(rest) = uri.strip_prefix("data:") else { return beside.read(uri) };
    let Some((kind, text)) = rest.split_once(',') else { return Err(fault("a data address has no data")) };
    if !kind.ends_with(";base64") {
        return Err(fault("a data address is not base64"));
    }
    base64::engine::general_purpose::STANDARD.decode(text).map_err(|error| fault(format!("a data address: {error}")))
}

struct Scene<'a> {
    /// Folder in which images are searched for.
    beside: &'a Beside,
    buffers: Vec<Vec<u8>>,
    mesh: TriangleMesh,
    /// Number of nodes that may still be visited: each has one parent, but two equal children would double the number
    /// at every level.
    nodes_left: usize,
}

impl Scene<'_> {
    fn node(&mut self, node: &gltf::Node<'_>, X: &Matrix4<f64>, level: usize) -> Result<(), MeshFault> {
        if level > MAX_LEVELS {
            return Err(fault(format!("its nodes are nested deeper than {MAX_LEVELS} levels")));
        }
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or_else(|| fault("a node has more than one parent"))?;
        let columns = node.transform().matrix();
        let placed = X * Matrix4::from_iterator(columns.into_iter().flatten().map(f64::from));
        if let Some(mesh) = node.mesh() {
            self.part(&mesh, &placed)?;
        }
        node.children().try_for_each(|child| self.node(&child, &placed, level + 1))
    }

    fn part(&mut self, mesh: &gltf::Mesh<'_>, X: &Matrix4<f64>) -> Result<(), MeshFault> {
        for primitive in mesh.primitives() {
            let mode = primitive.mode();
            if matches!(mode, Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) {
                continue;
            }
            let Some(positions) = primitive.get(&Semantic::Positions) else { continue };
            let first = self.mesh.positions.len();
            let count = positions.count();
            if first.saturating_add(count) > MAX_POINTS {
                return Err(fault(format!("it has more than {MAX_POINTS} points")));
            }
            let place = |[x, y, z]: [f64; 3]| X.transform_point(&Point3::new(x, y, z)).coords;
            let found = self.positions(&positions)?;
            let indices = match primitive.indices() {
                Some(indices) => self.indices(&indices, count)?,
                None => (0..count as u32).collect(),
            };
            self.mesh.positions.extend(found.into_iter().map(place));
            if self.mesh.triangles.len().saturating_add(indices.len()) > 3 * MAX_POINTS {
                return Err(fault(format!("it has more than {MAX_POINTS} triangles")));
            }
            let material = primitive.material();
            let painted = material.pbr_metallic_roughness().base_color_texture();
            let image = painted.as_ref().and_then(|info| self.image(&info.texture().source()));
            let places = painted.and_then(|info| self.places(&primitive.get(&Semantic::TexCoords(info.tex_coord()))?));
            let painted = places.filter(|places| image.is_some() && places.len() == count);
            let mirrored = X.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
            let at = |i: usize| first as u32 + indices[i];
            let mesh = &mut self.mesh;
            if painted.is_some() {
                mesh.uv.resize(mesh.triangles.len(), [[0.0; 2]; 3]);
            }
            let mut add = |a: usize, b: usize, c: usize| {
                let corners = if mirrored { [a, c, b] } else { [a, b, c] };
                mesh.triangles.push(corners.map(at));
                if let Some(places) = &painted {
                    mesh.uv.push(corners.map(|corner| places[indices[corner] as usize]));
                }
            };
            let strips = indices.len().saturating_sub(2);
            match mode {
                Mode::TriangleStrip => (0..strips).for_each(|i| add(i, i + 1 + i % 2, i + 2 - i % 2)),
                Mode::TriangleFan => (0..strips).for_each(|i| add(0, i + 1, i + 2)),
                _ => (0..indices.len() / 3).for_each(|i| add(3 * i, 3 * i + 1, 3 * i + 2)),
            }
            if !self.mesh.uv.is_empty() {
                self.mesh.uv.resize(self.mesh.triangles.len(), [[0.0; 2]; 3]);
            }
            let stated = material.index().map(|_| material.pbr_metallic_roughness().base_color_factor());
            let rgba = stated.map(|rgba| rgba.map(|x| f64::from(x).clamp(0.0, 1.0)));
            self.mesh.end_part_with(rgba, image.filter(|_| painted.is_some()));
        }
        Ok(())
    }

    /// An image; `None` if it is missing: the mesh is the same without it.
    fn image(&self, image: &gltf::Image<'_>) -> Option<MeshImage> {
        match image.source() {
            gltf::image::Source::View { view, .. } => {
                let buffer = self.buffers.get(view.buffer().index())?;
                let bytes = buffer.get(view.offset()..view.offset().checked_add(view.length())?)?;
                Some(MeshImage::Within(bytes.into()))
            }
            gltf::image::Source::Uri { uri, .. } if uri.starts_with("data:") => {
                Some(MeshImage::Within(data(uri, self.beside).ok()?.into()))
            }
            gltf::image::Source::Uri { uri, .. } => Some(MeshImage::File(self.beside.find(uri).ok()?)),
        }
    }

    /// Texture coordinates of the points; `None` if their layout is not supported.
    fn places(&self, accessor: &gltf::Accessor<'_>) -> Option<Vec<[f32; 2]>> {
        if accessor.dimensions() != Dimensions::Vec2 {
            return None;
        }
        let (size, number): (usize, fn(&[u8]) -> f32) = match accessor.data_type() {
            DataType::F32 => (4, |b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            DataType::U16 => (2, |b| f32::from(u16::from_le_bytes([b[0], b[1]])) / f32::from(u16::MAX)),
            DataType::U8 => (1, |b| f32::from(b[0]) / f32::from(u8::MAX)),
            _ => return None,
        };
        let place = |b: &[u8]| [number(&b[..size]), number(&b[size..])].map(|x| if x.is_finite() { x } else { 0.0 });
        Some(self.elements(accessor, 2 * size).ok()?.into_iter().map(place).collect())
    }

    /// The bytes of every element of an accessor, each of `size`.
    fn elements<'s>(&'s self, accessor: &gltf::Accessor<'_>, size: usize) -> Result<Vec<&'s [u8]>, MeshFault> {
        let view = accessor.view().filter(|_| accessor.sparse().is_none());
        let view = view.ok_or_else(|| fault("it has a sparse accessor, which is not read"))?;
        let beyond = || fault("an accessor reaches beyond its buffer");
        let buffer = self.buffers.get(view.buffer().index()).ok_or_else(beyond)?;
        let end = view.offset().checked_add(view.length()).ok_or_else(beyond)?;
        let bytes = buffer.get(view.offset()..end).ok_or_else(beyond)?;
        let stride = view.stride().unwrap_or(size).max(1);
        if accessor.count() > bytes.len() / size.min(stride) + 1 {
            return Err(beyond());
        }
        let element = |i: usize| {
            let start = i.checked_mul(stride)?.checked_add(accessor.offset())?;
            bytes.get(start..start.checked_add(size)?)
        };
        (0..accessor.count()).map(|i| element(i).ok_or_else(beyond)).collect()
    }

    fn positions(&self, accessor: &gltf::Accessor<'_>) -> Result<Vec<[f64; 3]>, MeshFault> {
        if accessor.data_type() != DataType::F32 || accessor.dimensions() != Dimensions::Vec3 {
            return Err(fault("positions are not three numbers of four bytes each"));
        }
        let number = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let point = |b: &[u8]| [number(&b[0..4]), number(&b[4..8]), number(&b[8..12])];
        Ok(self.elements(accessor, 12)?.into_iter().map(point).collect())
    }

    fn indices(&self, accessor: &gltf::Accessor<'_>, points: usize) -> Result<Vec<u32>, MeshFault> {
        let size = match accessor.data_type() {
            DataType::U8 => 1,
            DataType::U16 => 2,
            DataType::U32 => 4,
            _ => return Err(fault("indices are not whole numbers")),
        };
        let index = |b: &[u8]| {
            let index = b.iter().rev().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
            if (index as usize) < points {
                Ok(index)
            } else {
                Err(fault("a triangle names a point that does not exist"))
            }
        };
        self.elements(accessor, size)?.into_iter().map(index).collect()
    }
}
