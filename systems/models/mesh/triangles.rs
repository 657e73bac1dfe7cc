//! Content of a mesh file: positions, the triangles between them, and the colours of its parts.

use super::fault::MeshFault;
use crate::quantities::Quantity;
use nalgebra::Vector3;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// The triangles of a mesh file, in the frame and (with a unit) in the metres of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Positions \[m\].
    pub positions: Vec<Vector3<f64>>,
    /// Indices of the three corners of each, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Consecutive runs of triangles of one colour; empty if the file has no colours.
    pub parts: Vec<MeshPart>,
    /// Texture coordinates of the three corners of each triangle on the image of its part: from the left edge and from
    /// the upper one, each in widths of the image; empty if the file has none.
    pub uv: Vec<[[f32; 2]; 3]>,
    /// The images of parts.
    pub images: Vec<MeshImage>,
}

/// An image on the surface of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshImage {
    /// A file beside the mesh.
    File(PathBuf),
    /// A file within the file of the mesh.
    Within(Arc<[u8]>),
}

/// Triangles of one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPart {
    /// Range of its triangles.
    pub triangles: Range<usize>,
    /// Red, green, blue and opacity, each from 0 to 1; `None` if the file has no colour.
    pub rgba: Option<[f64; 4]>,
    /// Index of its image.
    pub image: Option<usize>,
}

impl TriangleMesh {
    /// Makes a part of all triangles that belong to none.
    pub(super) fn end_part(&mut self, rgba: Option<[f64; 4]>) {
        self.end_part_with(rgba, None);
    }

    /// Makes a part, with an image, of all triangles that belong to none.
    pub(super) fn end_part_with(&mut self, rgba: Option<[f64; 4]>, image: Option<MeshImage>) {
        let start = self.parts.last().map_or(0, |part| part.triangles.end);
        let end = self.triangles.len();
        if start < end {
            let image = image.map(|image| self.index_of(image));
            self.parts.push(MeshPart { triangles: start..end, rgba, image });
        }
    }

    fn index_of(&mut self, image: MeshImage) -> usize {
        self.images.iter().position(|known| *known == image).unwrap_or_else(|| {
            self.images.push(image);
            self.images.len() - 1
        })
    }

    /// Drops the parts if none has a colour or an image.
    pub(super) fn without_plain_parts(mut self) -> Self {
        if self.parts.iter().all(|part| part.rgba.is_none() && part.image.is_none()) {
            self.parts.clear();
        }
        self
    }

    /// The volume that the triangles enclose, if they are closed.
    pub fn volume(&self) -> f64 {
        // About a point of the mesh, so that little cancels.
        let first = self.positions.first().copied().unwrap_or_default();
        let part = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| self.positions[i as usize] - first);
            a.dot(&b.cross(&c)) / 6.0
        };
        self.triangles.iter().map(part).sum()
    }

    /// The mesh, if its coordinates are finite and the largest of them is within the range of lengths.
    pub(crate) fn measured(self) -> Result<Self, MeshFault> {
        let coordinates = || self.positions.iter().flat_map(|p| p.iter());
        if !coordinates().all(|x| x.is_finite()) {
            return Err(MeshFault::NotFinite);
        }
        let largest = coordinates().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        Quantity::of_vertices().check(largest).map_err(|expected| MeshFault::Size { largest, expected })?;
        Ok(self)
    }

    /// The mesh with its positions multiplied by `scale`; a mirrored mesh is turned inside out again.
    pub fn scaled(mut self, scale: &Vector3<f64>) -> Self {
        self.positions.iter_mut().for_each(|p| p.component_mul_assign(scale));
        if scale.product() < 0.0 {
            self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
            self.uv.iter_mut().for_each(|at| at.swap(1, 2));
        }
        self
    }
}
