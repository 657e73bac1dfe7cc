//! The supported pairs of shapes: one table, with a row for each contact function.
//!
//! A pair is handled by the first row that matches it in this order, otherwise by the first that matches it in the
//! other order. Every row is tested by the same suite (`conformance`).

use super::manifold::{self, Contacts};
use super::solid::Solid;
use super::{Points, Shape, ShapeKind, Touch, ball, local_minima, mesh_touch, plane};
use nalgebra::{Isometry3, Vector3};

/// Two shapes at their poses, with the requested points and margin.
pub(super) struct Query<'a> {
    pub a: &'a Shape,
    pub X_WA: &'a Isometry3<f64>,
    pub b: &'a Shape,
    pub X_WB: &'a Isometry3<f64>,
    pub points: Points,
    pub margin: f64,
}

/// A row of the table: the shapes, and the function that appends their contact points.
struct PairRow {
    a: &'static [ShapeKind],
    b: &'static [ShapeKind],
    touches: fn(&Query<'_>, &mut Vec<Touch>),
}

use ShapeKind::{Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Mesh, Sphere};

/// Any shape of a program.
const CUSTOM: ShapeKind = ShapeKind::Custom("");

/// All bounded convex shapes; those of programs count as their convex hulls.
const CONVEX: &[ShapeKind] = &[Sphere, Box, Cylinder, Capsule, Ellipsoid, Cone, Hull, CUSTOM];

const PAIRS: &[PairRow] = &[
    PairRow { a: &[Sphere], b: &[Sphere, Box, HalfSpace], touches: balls },
    PairRow { a: &[Box, HalfSpace], b: &[Sphere], touches: balls },
    PairRow { a: &[HalfSpace], b: &[Hull, Mesh], touches: plane_hull },
    PairRow { a: &[HalfSpace], b: &[Box, Cylinder, Capsule, Ellipsoid, Cone, CUSTOM], touches: plane_convex },
    PairRow { a: CONVEX, b: CONVEX, touches: convex_convex },
    PairRow { a: &[Mesh], b: CONVEX, touches: mesh_convex },
    PairRow { a: &[Mesh], b: &[Mesh], touches: mesh_mesh },
];

/// Two shapes that cannot touch each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a {a} and a {b} cannot touch each other")]
pub struct UnsupportedShapes {
    /// One of them.
    pub a: ShapeKind,
    /// The other.
    pub b: ShapeKind,
}

fn row(a: ShapeKind, b: ShapeKind) -> Option<&'static PairRow> {
    let [a, b] = [a, b].map(|kind| if let ShapeKind::Custom(_) = kind { CUSTOM } else { kind });
    PAIRS.iter().find(|row| row.a.contains(&a) && row.b.contains(&b))
}

/// Checks that two shapes can touch in such points.
///
/// # Errors
/// If they cannot: two half-spaces; two triangle meshes, except in local minima of the distance; a flat mesh and a
/// half-space; a shape of a program without a support mapping and any other.
pub fn supported(a: &Shape, b: &Shape, points: Points) -> Result<(), UnsupportedShapes> {
    let (kind_a, kind_b) = (a.kind(), b.kind());
    // A plane touches a mesh as its hull, or at its vertices.
    let is_minima = points == Points::LocalMinima;
    let is_flat = |mesh: &Shape, other: ShapeKind| match mesh {
        Shape::Mesh(mesh) => !is_minima && other == HalfSpace && mesh.hull().is_none(),
        _ => false,
    };
    let are_meshes = (kind_a, kind_b) == (Mesh, Mesh);
    let has_support = |shape: &Shape| match shape {
        Shape::Custom(shape) => shape.support(&Vector3::z()).is_some(),
        _ => true,
    };
    let found = row(kind_a, kind_b).or_else(|| row(kind_b, kind_a)).is_some();
    if found
        && (is_minima || !are_meshes)
        && has_support(a)
        && has_support(b)
        && !is_flat(a, kind_b)
        && !is_flat(b, kind_a)
    {
        Ok(())
    } else {
        Err(UnsupportedShapes { a: kind_a, b: kind_b })
    }
}

/// Appends the contact points of a pair; none if it is not supported.
pub(super) fn touches(
    a: &Shape,
    X_WA: &Isometry3<f64>,
    b: &Shape,
    X_WB: &Isometry3<f64>,
    points: Points,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    if let Some(row) = row(a.kind(), b.kind()) {
        (row.touches)(&Query { a, X_WA, b, X_WB, points, margin }, out);
    } else if let Some(row) = row(b.kind(), a.kind()) {
        let start = out.len();
        (row.touches)(&Query { a: b, X_WA: X_WB, b: a, X_WB: X_WA, points, margin }, out);
        out[start..].iter_mut().for_each(|touch| touch.normal = -touch.normal);
    }
}

/// True if the contact of two shapes takes a search, so that [`shown_gap`] may prove that there is none.
pub fn takes_a_search(a: &Shape, b: &Shape) -> bool {
    let [a, b] = [a, b].map(Shape::kind);
    let has_corners = |kind| [Box, Cylinder, Hull].contains(&kind);
    has_corners(a) && has_corners(b) && (a, b) != (Box, Box)
}

/// A lower bound of the gap between two shapes, if it is quickly shown to be at least `distance` \[m\]; always `None`
/// for shapes whose contact takes no search.
pub fn shown_gap(a: &Shape, X_WA: &Isometry3<f64>, b: &Shape, X_WB: &Isometry3<f64>, distance: f64) -> Option<f64> {
    if !takes_a_search(a, b) {
        return None;
    }
    let X_AB = X_WA.inv_mul(X_WB);
    manifold::shown_gap(&Solid::new(a, &Isometry3::identity())?, &Solid::new(b, &X_AB)?, distance)
}

/// A ball in closed form; with its centre in a box, by the general method.
fn balls(query: &Query<'_>, out: &mut Vec<Touch>) {
    match ball::touch(query.a, query.X_WA, query.b, query.X_WB, query.points, query.margin) {
        ball::BallContact::Apart => {}
        ball::BallContact::Touching(touch) => out.push(touch),
        ball::BallContact::Unknown => convex_convex(query, out),
    }
}

fn plane_hull(query: &Query<'_>, out: &mut Vec<Touch>) {
    if let (Shape::Mesh(mesh), Points::LocalMinima) = (query.b, query.points) {
        return local_minima::plane_touches(query.X_WA, mesh, query.X_WB, query.margin, out);
    }
    let hull = match query.b {
        Shape::Convex(hull) => Some(hull),
        Shape::Mesh(mesh) => mesh.hull(),
        _ => None,
    };
    if let Some(hull) = hull {
        plane::hull_touches(query.X_WA, hull, query.X_WB, query.points, query.margin, out);
    }
}

fn plane_convex(query: &Query<'_>, out: &mut Vec<Touch>) {
    let mut contacts = Contacts::new(query.margin);
    plane::touches(query.X_WA, query.b, query.X_WB, &mut contacts);
    contacts.append(query.points, &Isometry3::identity(), out);
}

fn convex_convex(query: &Query<'_>, out: &mut Vec<Touch>) {
    // Everything is computed in the frame of A, so that no digits are lost far from the world's origin.
    let X_AB = query.X_WA.inv_mul(query.X_WB);
    if let (Some(a), Some(b)) = (Solid::new(query.a, &Isometry3::identity()), Solid::new(query.b, &X_AB)) {
        let mut contacts = Contacts::new(query.margin);
        manifold::touches(&a, &b, &mut contacts);
        contacts.append(query.points, query.X_WA, out);
    }
}

fn mesh_convex(query: &Query<'_>, out: &mut Vec<Touch>) {
    if let Shape::Mesh(mesh) = query.a {
        mesh_touch::touches(mesh, query.X_WA, query.b, query.X_WB, query.points, query.margin, out);
    }
}

fn mesh_mesh(query: &Query<'_>, out: &mut Vec<Touch>) {
    if let (Shape::Mesh(a), Shape::Mesh(b), Points::LocalMinima) = (query.a, query.b, query.points) {
        local_minima::touches(a, query.X_WA, b, query.X_WB, query.margin, out);
    }
}
