//! Construction of convex faces from triangles.
//!
//! The triangles of a plane region are one face if its outline is one convex polygon. Otherwise a face grows from each
//! remaining triangle, over neighbours in its plane, as long as it stays convex [the greedy half of Hertel and Mehlhorn
//! 1983, "Fast triangulation of simple polygons"].

use super::super::box_tree::Tree;
use super::{ExactMesh, ExactMeshError, Lists, MAX_TRIANGLES, MeshFace};
use nalgebra::Vector3;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The largest coordinate accepted \[m\].
const MAX_COORDINATE: f64 = 1e6;

/// Distance from the plane within which triangles belong to one face, relative to the size of the mesh.
const FLAT: f64 = 1e-8;

/// Width below which triangles have no area, relative to the size of the mesh.
const NARROW: f64 = 1e-9;

/// Sine of the least turn at a corner.
const STRAIGHT: f64 = 1e-9;

/// Time at which the pyramids behind the faces are made.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Pyramids {
    /// With the mesh; a face without a pyramid is left out.
    Now,
    /// When something first comes near.
    WhenTouched,
}

pub(super) fn exact_mesh(
    points: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    pyramids: Pyramids,
) -> Result<ExactMesh, ExactMeshError> {
    // NaN is within no bound.
    if !points.iter().flat_map(|p| p.iter()).all(|x| x.abs() <= MAX_COORDINATE) {
        return Err(ExactMeshError::NotFinite);
    }
    if triangles.iter().flatten().any(|&i| i as usize >= points.len()) {
        return Err(ExactMeshError::Index);
    }
    // Those of a height field were counted already, without its sides.
    if pyramids == Pyramids::Now && triangles.len() > MAX_TRIANGLES {
        return Err(ExactMeshError::TooMany(triangles.len()));
    }
    let (vertices, triangles) = match pyramids {
        Pyramids::Now => welded(points, triangles),
        // The points of a grid are all different.
        Pyramids::WhenTouched => (points.to_vec(), triangles.to_vec()),
    };
    let size = vertices.iter().map(|p| p.amax()).fold(0.0, f64::max);
    let triangles: Vec<[u32; 3]> = triangles.into_iter().filter(|t| has_area(&vertices, t, NARROW * size)).collect();
    if triangles.is_empty() {
        return Err(ExactMeshError::Empty);
    }
    let (mut faces, mut around) = (Vec::new(), Vec::new());
    for Polygon { normal, corners, parts } in polygons(&vertices, &triangles, FLAT * size) {
        let face = MeshFace::new(normal, corners, &vertices);
        if pyramids == Pyramids::WhenTouched || face.pyramid(&vertices).is_some() {
            around.extend(parts.iter().flat_map(|&t| triangles[t]).map(|vertex| (vertex, faces.len() as u32)));
            faces.push(face);
        }
    }
    let boxes: Vec<_> = faces.iter().map(|face| bounds(face.corners.iter().map(|&i| vertices[i as usize]))).collect();
    if boxes.is_empty() {
        return Err(ExactMeshError::Empty);
    }
    let used = || triangles.iter().flatten().map(|&i| vertices[i as usize]);
    Ok(ExactMesh {
        tree: Tree::new(&boxes),
        bounds: bounds(used()),
        radius: used().map(|p| p.norm()).fold(0.0, f64::max),
        hull: OnceLock::new(),
        features: OnceLock::new(),
        block: None,
        neighbours: Lists::new(vertices.len(), adjacency(&triangles)),
        around: Lists::new(vertices.len(), around.iter().copied()),
        vertices,
        triangles,
        faces,
    })
}

fn bounds(points: impl Iterator<Item = Vector3<f64>>) -> [Vector3<f64>; 2] {
    points.map(|p| [p, p]).reduce(|[l, u], [m, v]| [l.inf(&m), u.sup(&v)]).unwrap_or_default()
}

/// Merges equal points: files of triangles list a point once per triangle.
fn welded(points: &[Vector3<f64>], triangles: &[[u32; 3]]) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let mut index = FxHashMap::with_capacity_and_hasher(points.len(), Default::default());
    let mut vertices = Vec::new();
    let mut weld = |i: u32| {
        // Adding zero turns -0 into 0.
        let p = points[i as usize].add_scalar(0.0);
        *index.entry([p.x, p.y, p.z].map(f64::to_bits)).or_insert_with(|| {
            vertices.push(p);
            vertices.len() as u32 - 1
        })
    };
    let triangles = triangles.iter().map(|t| t.map(&mut weld)).collect();
    (vertices, triangles)
}

fn area(vertices: &[Vector3<f64>], t: &[u32; 3]) -> Vector3<f64> {
    let [a, b, c] = t.map(|i| vertices[i as usize]);
    (b - a).cross(&(c - a))
}

fn has_area(vertices: &[Vector3<f64>], t: &[u32; 3], narrow: f64) -> bool {
    let [a, b, c] = t.map(|i| vertices[i as usize]);
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    area(vertices, t).norm() > narrow * longest
}

/// Each vertex with its neighbours along edges.
fn adjacency(triangles: &[[u32; 3]]) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
    let ways = |t: &[u32; 3]| {
        let [a, b, c] = *t;
        [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)]
    };
    triangles.iter().flat_map(ways)
}

/// The triangle beyond each edge: for each vertex where edges start, their ends and triangles.
struct Beyond {
    starts: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl Beyond {
    fn new(count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut starts = vec![0_u32; count + 1];
        triangles.iter().flatten().for_each(|&vertex| starts[vertex as usize + 1] += 1);
        (1..=count).for_each(|i| starts[i] += starts[i - 1]);
        let mut edges = vec![(0, 0); 3 * triangles.len()];
        let mut next = starts.clone();
        for (t, triangle) in triangles.iter().enumerate() {
            for i in 0..3 {
                let at = &mut next[triangle[i] as usize];
                edges[*at as usize] = (triangle[(i + 1) % 3], t as u32);
                *at += 1;
            }
        }
        Self { starts, edges }
    }

    /// The triangle beyond an edge; `None` if several triangles share it.
    fn of(&self, start: u32, end: u32) -> Option<usize> {
        let [from, to] = [end, end + 1].map(|i| self.starts[i as usize] as usize);
        let mut found = self.edges[from..to].iter().filter(|(other, _)| *other == start);
        let (_, t) = found.next()?;
        found.next().is_none().then_some(*t as usize)
    }
}

/// A convex face: its corners, anticlockwise about its normal, and the triangles that it is made of.
struct Polygon {
    normal: Vector3<f64>,
    corners: Vec<u32>,
    parts: Vec<usize>,
}

/// Convex faces formed by all triangles together.
fn polygons(vertices: &[Vector3<f64>], triangles: &[[u32; 3]], flat: f64) -> Vec<Polygon> {
    let beyond = Beyond::new(vertices.len(), triangles);
    let normals: Vec<Vector3<f64>> = triangles.iter().map(|t| area(vertices, t).normalize()).collect();
    let in_plane = |seed: usize, t: usize| {
        let (normal, origin) = (normals[seed], vertices[triangles[seed][0] as usize]);
        normals[t].dot(&normal) > 0.5
            && triangles[t].iter().all(|&v| normal.dot(&(vertices[v as usize] - origin)).abs() <= flat)
    };
    // The largest first: its plane is the best known.
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    let squares: Vec<f64> = triangles.iter().map(|t| area(vertices, t).norm_squared()).collect();
    order.sort_unstable_by(|&s, &t| squares[t].total_cmp(&squares[s]).then(s.cmp(&t)));
    let mut done = vec![false; triangles.len()];
    let mut region_of = vec![u32::MAX; triangles.len()];
    let mut found = Vec::new();
    for &seed in &order {
        if region_of[seed] != u32::MAX {
            continue;
        }
        let mut region = vec![seed];
        region_of[seed] = seed as u32;
        let mut next = 0;
        while let Some(&t) = region.get(next) {
            next += 1;
            for i in 0..3 {
                let Some(other) = beyond.of(triangles[t][i], triangles[t][(i + 1) % 3]) else { continue };
                if region_of[other] == u32::MAX && in_plane(seed, other) {
                    region_of[other] = seed as u32;
                    region.push(other);
                }
            }
        }
        let normal = normals[seed];
        if let ([_], Some(corners)) = (&region[..], corners_alone(vertices, triangles[seed], &normal)) {
            done[seed] = true;
            found.push(Polygon { normal, corners, parts: region });
            continue;
        }
        let is_inside = |t: Option<usize>| t.is_some_and(|t| region_of[t] == seed as u32);
        let border = region.iter().flat_map(|&t| (0..3).map(move |i| (triangles[t][i], triangles[t][(i + 1) % 3])));
        let border: Vec<(u32, u32)> = border.filter(|&(p, q)| !is_inside(beyond.of(p, q))).collect();
        if let Some(corners) = convex_outline(vertices, &border, &normal) {
            region.iter().for_each(|&t| done[t] = true);
            found.push(Polygon { normal, corners, parts: region });
            continue;
        }
        for &t in &region {
            if !done[t] {
                done[t] = true;
                let (mut corners, mut parts) = (triangles[t].to_vec(), vec![t]);
                grow(&mut corners, vertices, triangles, &normal, &beyond, |t| {
                    let taken = region_of[t] == seed as u32 && !std::mem::replace(&mut done[t], true);
                    if taken {
                        parts.push(t);
                    }
                    taken
                });
                found.push(Polygon { normal, corners: without_straight(vertices, &corners, &normal), parts });
            }
        }
    }
    found
}

/// The corners of a triangle as a face by itself, if none of them is straight.
fn corners_alone(vertices: &[Vector3<f64>], triangle: [u32; 3], normal: &Vector3<f64>) -> Option<Vec<u32>> {
    let first = (0..3).min_by_key(|&i| triangle[i])?;
    let corners = [0, 1, 2].map(|i| triangle[(first + i) % 3]);
    (0..3).all(|i| turn(vertices, &corners, i, normal) > STRAIGHT).then(|| corners.to_vec())
}

/// The corners of the border of a region, if it is one convex polygon.
fn convex_outline(vertices: &[Vector3<f64>], border: &[(u32, u32)], normal: &Vector3<f64>) -> Option<Vec<u32>> {
    let mut next = FxHashMap::default();
    for &(start, end) in border {
        if next.insert(start, end).is_some() {
            return None;
        }
    }
    let first = border.iter().map(|&(start, _)| start).min()?;
    let mut outline = vec![first];
    while let Some(&at) = next.get(outline.last()?) {
        if at == first {
            break;
        }
        outline.push(at);
        if outline.len() > border.len() {
            return None;
        }
    }
    let corners = without_straight(vertices, &outline, normal);
    (outline.len() == border.len() && is_convex(vertices, &corners, normal)).then_some(corners)
}

/// The sine of the turn at each corner, by index.
fn turn(vertices: &[Vector3<f64>], outline: &[u32], i: usize, normal: &Vector3<f64>) -> f64 {
    let n = outline.len();
    let [p, q, r] = [(i + n - 1) % n, i, (i + 1) % n].map(|k| vertices[outline[k] as usize]);
    let (u, v) = (q - p, r - q);
    normal.dot(&u.cross(&v)) / (u.norm() * v.norm())
}

fn without_straight(vertices: &[Vector3<f64>], outline: &[u32], normal: &Vector3<f64>) -> Vec<u32> {
    let is_corner = |i: usize| turn(vertices, outline, i, normal).abs() > STRAIGHT;
    (0..outline.len()).filter(|&i| is_corner(i)).map(|i| outline[i]).collect()
}

/// True if a polygon turns left at every corner, and once around in total.
fn is_convex(vertices: &[Vector3<f64>], corners: &[u32], normal: &Vector3<f64>) -> bool {
    let n = corners.len();
    if n < 3 || (0..n).any(|i| turn(vertices, corners, i, normal) <= 0.0) {
        return false;
    }
    let way = |i: usize| vertices[corners[(i + 1) % n] as usize] - vertices[corners[i % n] as usize];
    let sum: f64 = (0..n).map(|i| way(i).angle(&way(i + 1))).sum();
    (sum - std::f64::consts::TAU).abs() < 1e-3
}

/// Adds triangles over the edges of a polygon as long as it stays convex; `take` returns true if a triangle is
/// available, and takes it.
fn grow(
    outline: &mut Vec<u32>,
    vertices: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    normal: &Vector3<f64>,
    beyond: &Beyond,
    mut take: impl FnMut(usize) -> bool,
) {
    let mut i = 0;
    let mut refused = 0;
    while refused < outline.len() {
        let (p, q) = (outline[i % outline.len()], outline[(i + 1) % outline.len()]);
        let tip = |t: usize| triangles[t].into_iter().find(|v| *v != p && *v != q);
        let candidate = beyond.of(p, q).and_then(|t| Some((t, tip(t)?)));
        let grown = candidate.filter(|(_, tip)| !outline.contains(tip)).and_then(|(t, tip)| {
            let at = i % outline.len() + 1;
            let mut grown = outline.clone();
            grown.insert(at, tip);
            let n = grown.len();
            let near = [at + n - 1, at, at + 1].map(|k| k % n);
            let convex = near.into_iter().all(|k| turn(vertices, &grown, k, normal) > -STRAIGHT);
            (convex && take(t)).then_some(grown)
        });
        match grown {
            Some(grown) => {
                *outline = grown;
                refused = 0;
            }
            None => {
                refused += 1;
                i += 1;
            }
        }
    }
}
