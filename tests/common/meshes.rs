//! Bodies whose surface is a non-convex mesh.
#![allow(non_snake_case)] // poses are X_BG

use kinegraph::systems::geometry::{ExactMesh, Shape};
use kinegraph::systems::multibody::{Collision, Inertia, Link, Model};
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::sync::Arc;

/// A prism along z over an outline that may be non-convex, anticlockwise; `caps` are its triangles.
pub fn prism(outline: &[[f64; 2]], caps: &[[u32; 3]], [low, high]: [f64; 2]) -> ExactMesh {
    let n = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |p| Vector3::new(p[0], p[1], z));
    let points: Vec<_> = at(low).chain(at(high)).collect();
    let sides = (0..n).map(|i| (i, (i + 1) % n)).flat_map(|(i, j)| [[i, j, n + j], [i, n + j, n + i]]);
    let ends = caps.iter().flat_map(|&[i, j, k]| [[i, k, j], [n + i, n + j, n + k]]);
    ExactMesh::new(&points, &sides.chain(ends).collect::<Vec<_>>()).unwrap()
}

/// A single link `body` that collides by a mesh, with its centre of mass at the origin.
pub fn of_mesh(mesh: ExactMesh, X_BG: Isometry3<f64>, mass: f64, moments: Vector3<f64>) -> Model {
    let inertia = Inertia { mass, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::from_diagonal(&moments) };
    let shape = Shape::Mesh(Arc::new(mesh));
    let collisions = vec![Collision { name: String::new(), X_BG, shape, surface: None }];
    let body = Link { name: "body".into(), inertia: Some(inertia), collisions, ..Link::default() };
    Model { name: "mesh".into(), links: vec![body], ..Model::default() }
}
