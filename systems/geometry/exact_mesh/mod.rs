//! A rigid triangle mesh that collides as it is, not as its hull: terrain, bins, fixtures.
//!
//! It is a surface with a front side: a shape behind a triangle does not touch it. Triangles in one plane become one
//! convex face if they form one, so that a plane is a plane however it was cut. Each face is kept as a flat pyramid
//! whose base is the face and whose apex lies a little behind it: a convex solid, which the methods for pairs of convex
//! solids apply to (see `mesh_touch.rs`). The pyramids of a height field are made only when something first comes near,
//! since most of its faces are never touched.

mod block;
mod build;
mod features;
mod height_field;

use super::ConvexHull;
use super::box_tree::Tree;
use block::Block;
pub use features::MeshDefect;
pub(super) use features::{Features, Side};
use nalgebra::Vector3;
use std::sync::{Arc, OnceLock};

/// Maximum number of triangles of a mesh that collides as it is.
pub(super) const MAX_TRIANGLES: usize = 1 << 18;

/// Reasons why triangles do not collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactMeshError {
    /// No triangle has an area.
    #[error("it has no triangle with an area")]
    Empty,
    /// A coordinate that is NaN, or beyond 1e6 m.
    #[error("it has a coordinate that is not a number or is beyond 1e6 m")]
    NotFinite,
    /// A triangle with the index of a missing point.
    #[error("a triangle names a point that is not there")]
    Index,
    /// Too many triangles.
    #[error("it has {0} triangles; as it is, a mesh of up to {MAX_TRIANGLES} collides")]
    TooMany(usize),
    /// A height field with fewer than two rows or columns.
    #[error("a height field needs two rows and two columns at least, and a height at each of their crossings")]
    Grid,
}

/// A rigid triangle mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactMesh {
    pub(super) vertices: Vec<Vector3<f64>>,
    triangles: Vec<[u32; 3]>,
    pub(super) faces: Vec<MeshFace>,
    /// The neighbours of each vertex along edges.
    pub(super) neighbours: Lists,
    pub(super) around: Lists,
    pub(super) tree: Tree,
    /// Least and greatest coordinates.
    bounds: [Vector3<f64>; 2],
    /// Distance of the farthest vertex from the origin.
    radius: f64,
    /// Its convex hull, for contact with planes, once it is needed; `None` for a flat mesh.
    hull: OnceLock<Option<Arc<ConvexHull>>>,
    /// Its features for contact by local minima, once they are needed.
    features: OnceLock<Result<Box<Features>, MeshDefect>>,
    /// The block under a height field, for rays from inside.
    block: Option<Box<Block>>,
}

/// A list of numbers for each vertex: those of vertex i are `items[starts[i]..starts[i + 1]]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lists {
    items: Vec<u32>,
    starts: Vec<u32>,
}

impl Lists {
    /// Lists of `count` vertices from pairs of a vertex and a number, each once, in ascending order.
    fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        // Each vertex has few numbers: they are collected, then sorted.
        let mut ends = vec![0_u32; count + 1];
        pairs.clone().for_each(|(vertex, _)| ends[vertex as usize + 1] += 1);
        (1..=count).for_each(|i| ends[i] += ends[i - 1]);
        let mut all = vec![0; ends[count] as usize];
        for (vertex, item) in pairs {
            let next = &mut ends[vertex as usize];
            all[*next as usize] = item;
            *next += 1;
        }
        let (mut items, mut starts, mut from) = (Vec::with_capacity(all.len()), Vec::with_capacity(count + 1), 0);
        starts.push(0);
        for &end in &ends[..count] {
            let own = &mut all[from..end as usize];
            own.sort_unstable();
            let mut last = None;
            items.extend(own.iter().copied().filter(|item| last.replace(*item) != Some(*item)));
            starts.push(items.len() as u32);
            from = end as usize;
        }
        Self { items, starts }
    }

    pub(super) fn of(&self, vertex: u32) -> &[u32] {
        &self.items[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }
}

/// A flat convex face.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeshFace {
    /// Outward unit normal.
    pub(super) normal: Vector3<f64>,
    /// Indices of its corners among the vertices of the mesh, in the order of those of the pyramid.
    pub(super) corners: Vec<u32>,
    /// Radius of the ball that contains it and the pyramid \[m\].
    pub(super) radius: f64,
    /// The flat pyramid behind it, once it is needed; `None` for a face that has none.
    pyramid: OnceLock<Option<Box<ConvexHull>>>,
}

impl MeshFace {
    fn new(normal: Vector3<f64>, corners: Vec<u32>, vertices: &[Vector3<f64>]) -> Self {
        let places = || corners.iter().map(|&i| vertices[i as usize]);
        let middle = places().sum::<Vector3<f64>>() / corners.len() as f64;
        let radius = places().map(|p| (p - middle).norm()).fold(0.0, f64::max);
        MeshFace { normal, corners, radius, pyramid: OnceLock::new() }
    }

    /// The flat pyramid behind it, in a mesh with these vertices.
    pub(super) fn pyramid(&self, vertices: &[Vector3<f64>]) -> Option<&ConvexHull> {
        let make = || {
            let places: Vec<Vector3<f64>> = self.corners.iter().map(|&i| vertices[i as usize]).collect();
            ConvexHull::flat_pyramid(&places, self.normal).map(Box::new)
        };
        self.pyramid.get_or_init(make).as_deref()
    }
}

impl ExactMesh {
    /// A mesh of triangles between points \[m\], anticlockwise seen from outside. Triangles without an area are left
    /// out.
    ///
    /// # Errors
    /// If no triangle has an area, there are too many, or a number is no coordinate or no index.
    pub fn new(points: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Result<Self, ExactMeshError> {
        build::exact_mesh(points, triangles, build::Pyramids::Now)
    }

    /// A mesh of heights \[m\] over a grid of `rows` times `columns` points that spans `±half_size` along x (columns)
    /// and y (rows), row by row from the least y on.
    ///
    /// # Errors
    /// As [`new`](Self::new), or if the numbers do not make a grid.
    pub fn height_field(
        heights: &[f64],
        columns: usize,
        rows: usize,
        half_size: [f64; 2],
    ) -> Result<Self, ExactMeshError> {
        let (points, triangles) = height_field::triangles(heights, columns, rows, half_size)?;
        build::exact_mesh(&points, &triangles, build::Pyramids::WhenTouched)
    }

    /// A height field on a block of this depth \[m\] below z = 0, with sides and a bottom.
    pub fn height_field_on_block(
        heights: &[f64],
        columns: usize,
        rows: usize,
        half_size: [f64; 2],
        depth: f64,
    ) -> Result<Self, ExactMeshError> {
        let mut field = height_field::triangles(heights, columns, rows, half_size)?;
        height_field::close(&mut field, columns, depth);
        let mesh = build::exact_mesh(&field.0, &field.1, build::Pyramids::WhenTouched)?;
        Ok(ExactMesh { block: Some(Box::new(Block::new(heights, columns, half_size, depth))), ..mesh })
    }

    /// The block under a height field, for rays.
    pub(super) fn block(&self) -> Option<&Block> {
        self.block.as_deref()
    }

    /// Its vertices \[m\].
    pub fn vertices(&self) -> &[Vector3<f64>] {
        &self.vertices
    }

    /// Its triangles, as given, without those that have no area.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of faces; triangles in one plane that form a convex polygon are one.
    pub fn num_faces(&self) -> usize {
        self.faces.len()
    }

    /// Its convex hull; `None` if it is flat.
    pub fn hull(&self) -> Option<&Arc<ConvexHull>> {
        let make = || {
            let used: Vec<Vector3<f64>> = self.triangles.iter().flatten().map(|&i| self.vertices[i as usize]).collect();
            ConvexHull::new(&used).ok().map(Arc::new)
        };
        self.hull.get_or_init(make).as_ref()
    }

    /// Its features, which are computed on first use.
    pub(super) fn features(&self) -> Result<&Features, MeshDefect> {
        let found = self.features.get_or_init(|| features::features(self).map(Box::new));
        found.as_deref().map_err(|defect| *defect)
    }

    /// Checks that it is a manifold, as contact by local minima of the distance needs: at each edge one or two
    /// triangles meet, with their fronts on one side.
    ///
    /// # Errors
    /// The first edge that violates this.
    pub fn is_manifold(&self) -> Result<(), MeshDefect> {
        self.features().map(|_| ())
    }

    /// Distance of its farthest vertex from the origin of its frame \[m\].
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Least and greatest coordinates.
    pub(super) fn bounds(&self) -> &[Vector3<f64>; 2] {
        &self.bounds
    }
}
