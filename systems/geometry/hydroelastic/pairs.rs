//! Polygons of the contact surface, for each kind of pair.
//!
//! Tetrahedra are sliced by the sign of a number that is the same for all that share a vertex (the difference of the
//! pressures there, or the height above a plane), so that the slice of a mesh is a surface without gaps or folds: zero
//! counts as below. A polygon that lies in the face between two tetrahedra belongs to the one that it faces, unless the
//! field of that one is too steep against it; then to the other.

use super::mesh::{Linear, PressureMesh, SurfaceMesh};
use super::polygon::{Plane, Polygon, crossing};
use super::surface::{Balance, Emitter, leans_back};
use crate::box_tree::Candidates;
use nalgebra::{Isometry3, Vector3};

/// Both compliant: M in its own frame, N placed there at `X`.
pub(super) fn compliant(
    m: &PressureMesh,
    n: &PressureMesh,
    X: &Isometry3<f64>,
    found: &mut Candidates,
    out: &mut Emitter,
) {
    m.tree.pairs(&n.tree, X, 0.0, found);
    let pairs = std::mem::take(&mut found.pairs);
    let fields_n = &mut out.surface.placed;
    fields_n.clear();
    fields_n.extend(n.fields.iter().map(|field| field.moved(X)));
    for &(i, j) in &pairs {
        let field_n = out.surface.placed[j as usize];
        let Some((normal, mut polygon)) = balanced(m, i as usize, &field_n) else { continue };
        for (plane, other) in n.around(j) {
            let plane = moved(&plane, X);
            // The tetrahedron that the polygon faces lies against the normal.
            let faces_it = plane.normal.dot(&normal) > 0.0;
            let fits = |other: u32| !leans_back(&-normal, &(X.rotation * n.fields[other as usize].gradient));
            polygon.clip(&plane, faces_it || other.is_some_and(|other| !fits(other)));
            if polygon.is_empty() {
                break;
            }
        }
        if !polygon.is_empty() {
            out.add(polygon, &Balance::between(normal, &m.fields[i as usize], &field_n, [i, j]));
        }
    }
    found.pairs = pairs;
}

/// The polygon in tetrahedron `i` of M on which its pressure equals `field_n`, with its normal; `None` if there is
/// none, or if the two press in the same direction.
fn balanced(m: &PressureMesh, i: usize, field_n: &Linear) -> Option<(Vector3<f64>, Polygon)> {
    // Most candidates end here.
    let values = m.tets[i].map(|v| m.pressures[v as usize] - field_n.at(&m.vertices[v as usize]));
    if !changes_sign(&values) {
        return None;
    }
    let field_m = &m.fields[i];
    let between = field_m.gradient - field_n.gradient;
    let steep = between.norm();
    if steep == 0.0 {
        return None;
    }
    let normal = between / steep;
    if leans_back(&normal, &field_m.gradient) || leans_back(&-normal, &field_n.gradient) {
        return None;
    }
    Some((normal, slice(m, i, &normal, values)?))
}

/// M compliant in its own frame, N rigid and placed there at `X`.
pub(super) fn rigid_surface(
    m: &PressureMesh,
    n: &SurfaceMesh,
    X: &Isometry3<f64>,
    found: &mut Candidates,
    out: &mut Emitter,
) {
    m.tree.pairs(&n.tree, X, 0.0, found);
    for &(i, j) in &found.pairs {
        let field = m.fields[i as usize];
        let normal = X.rotation * n.normals[j as usize];
        if leans_back(&normal, &field.gradient) {
            continue;
        }
        let mut polygon = Polygon::new(&n.corners(j as usize).map(|p| X.rotation * p + X.translation.vector));
        for (plane, other) in m.around(i) {
            let faces_it = plane.normal.dot(&normal) < 0.0;
            let fits = |other: u32| !leans_back(&normal, &m.fields[other as usize].gradient);
            polygon.clip(&plane, faces_it || other.is_some_and(|other| !fits(other)));
            if polygon.is_empty() {
                break;
            }
        }
        if !polygon.is_empty() {
            let (g_M, steepest) = (field.gradient.dot(&normal), field.gradient.norm());
            out.add(polygon, &Balance { normal, field, g_M, g_N: f64::INFINITY, steepest, elements: [i, j] });
        }
    }
}

/// M compliant in its own frame, N a rigid half-space that is placed there at `X`.
pub(super) fn rigid_half_space(m: &PressureMesh, X: &Isometry3<f64>, found: &mut Candidates, out: &mut Emitter) {
    let plane = surface_of_half_space(X);
    m.tree.near_plane(&plane.normal, plane.offset, false, found);
    for &(i, _) in &found.pairs {
        let values = m.tets[i as usize].map(|v| plane.height(&m.vertices[v as usize]));
        let Some(polygon) = slice(m, i as usize, &plane.normal, values) else { continue };
        let field = m.fields[i as usize];
        let (normal, steepest) = (plane.normal, field.gradient.norm());
        let g_M = field.gradient.dot(&normal);
        out.add(polygon, &Balance { normal, field, g_M, g_N: f64::INFINITY, steepest, elements: [i, 0] });
    }
}

/// The field of a compliant half-space: one unbounded cell, whose pressure grows with `gradient` \[Pa/m\] downward from
/// `margin` \[m\] above its surface.
#[derive(Clone, Copy)]
pub(super) struct Slab {
    pub gradient: f64,
    pub margin: f64,
}

/// M compliant in its own frame, N a compliant half-space placed there at `X`.
pub(super) fn compliant_half_space(
    m: &PressureMesh,
    slab: Slab,
    X: &Isometry3<f64>,
    found: &mut Candidates,
    out: &mut Emitter,
) {
    let surface = surface_of_half_space(X);
    let top = Plane { offset: surface.offset + slab.margin, ..surface };
    let field_n = Linear { gradient: surface.normal * -slab.gradient, offset: slab.gradient * surface.offset };
    m.tree.near_plane(&top.normal, top.offset, true, found);
    for &(i, _) in &found.pairs {
        let Some((normal, mut polygon)) = balanced(m, i as usize, &field_n) else { continue };
        polygon.clip(&top, true);
        if !polygon.is_empty() {
            out.add(polygon, &Balance::between(normal, &m.fields[i as usize], &field_n, [i, 0]));
        }
    }
}

/// M a compliant half-space in its own frame, N rigid and placed there at `X`.
pub(super) fn rigid_on_half_space(
    slab: Slab,
    n: &SurfaceMesh,
    X: &Isometry3<f64>,
    found: &mut Candidates,
    out: &mut Emitter,
) {
    let top = Plane { normal: Vector3::z(), offset: slab.margin };
    let field = Linear { gradient: -Vector3::z() * slab.gradient, offset: 0.0 };
    // The same plane in the frame of the triangles.
    let in_n = moved(&top, &X.inverse());
    n.tree.near_plane(&in_n.normal, in_n.offset, true, found);
    for &(j, _) in &found.pairs {
        let normal = X.rotation * n.normals[j as usize];
        if leans_back(&normal, &field.gradient) {
            continue;
        }
        let mut polygon = Polygon::new(&n.corners(j as usize).map(|p| X.rotation * p + X.translation.vector));
        polygon.clip(&top, true);
        if !polygon.is_empty() {
            let g_M = field.gradient.dot(&normal);
            let balance = Balance { normal, field, g_M, g_N: f64::INFINITY, steepest: slab.gradient, elements: [0, j] };
            out.add(polygon, &balance);
        }
    }
}

/// True if some of the numbers are positive, and some not.
fn changes_sign(values: &[f64; 4]) -> bool {
    values.iter().any(|&value| value > 0.0) && values.iter().any(|&value| value <= 0.0)
}

/// The polygon in a tetrahedron on which a linear function is zero, anticlockwise seen against the normal (which points
/// to where the function grows); `values` are those at its vertices.
fn slice(m: &PressureMesh, tet: usize, normal: &Vector3<f64>, values: [f64; 4]) -> Option<Polygon> {
    let vertices = m.tets[tet];
    let (mut above, mut below, mut counts) = ([0; 4], [0; 4], [0; 2]);
    for (i, &value) in values.iter().enumerate() {
        let (list, count) = if value > 0.0 { (&mut above, 0) } else { (&mut below, 1) };
        list[counts[count]] = i;
        counts[count] += 1;
    }
    let at = |i: usize| &m.vertices[vertices[i] as usize];
    let cut = |i: usize, j: usize| crossing(at(i), values[i], at(j), values[j]);
    let mut polygon = match counts {
        [1, 3] => Polygon::new(&[0, 1, 2].map(|j| cut(above[0], below[j]))),
        [3, 1] => Polygon::new(&[0, 1, 2].map(|j| cut(above[j], below[0]))),
        [2, 2] => {
            let ([a, b], [c, d]) = ([above[0], above[1]], [below[0], below[1]]);
            Polygon::new(&[cut(a, c), cut(a, d), cut(b, d), cut(b, c)])
        }
        _ => return None,
    };
    polygon.face(normal);
    Some(polygon)
}

/// A plane in the frame in which its own frame has the pose `X`.
fn moved(plane: &Plane, X: &Isometry3<f64>) -> Plane {
    let normal = X.rotation * plane.normal;
    Plane { normal, offset: plane.offset + normal.dot(&X.translation.vector) }
}

/// The surface of a half-space z <= 0 with the pose `X`.
fn surface_of_half_space(X: &Isometry3<f64>) -> Plane {
    moved(&Plane { normal: Vector3::z(), offset: 0.0 }, X)
}
