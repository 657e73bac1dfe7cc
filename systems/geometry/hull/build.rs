//! Construction of a hull from points: parry's triangles, then faces, edges and adjacency of our own.

use super::super::shares;
use super::clusters::Clusters;
use super::faces::{self, Region};
use super::farthest::FarthestTable;
use super::{ConvexHull, Edge, FLAT, Face, HullError, Incidence, LANES, MAX_CORNERS};
use nalgebra::{Matrix3, SymmetricEigen, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use rustc_hash::FxHashMap;

/// The largest coordinate accepted \[m\].
const MAX_COORDINATE: f64 = 1e6;

/// Relative thickness below which a hull is flat.
const THIN: f64 = 5.0 * FLAT;

impl ConvexHull {
    /// The hull of `points` \[m\].
    ///
    /// # Errors
    /// Points that are too few, in one plane, or not finite.
    pub fn new(points: &[Vector3<f64>]) -> Result<Self, HullError> {
        hull(points)
    }
}

fn hull(points: &[Vector3<f64>]) -> Result<ConvexHull, HullError> {
    if !is_finite(points) {
        return Err(HullError::NotFinite);
    }
    let mut points = distinct(points);
    if points.len() < 4 {
        return Err(HullError::TooFewPoints(points.len()));
    }
    let middle = points.iter().fold(Vector3::zeros(), |sum, p| sum + p) / points.len() as f64;
    points.iter_mut().for_each(|p| *p -= middle);
    let size = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
    if thickness(&points) < THIN * size {
        return Err(HullError::Flat);
    }
    // First with the points as they are; then without the differences that rounding makes of equal numbers; then moved
    // by less than the tolerance of flatness, each in a direction of its own, so that no four lie in one plane any
    // more.
    let attempts: [(f64, f64); 6] = [(0.0, 0.0), (1e-7, 0.0), (1e-6, 0.0), (1e-7, 1e-7), (1e-6, 1e-6), (4e-6, 4e-6)];
    let clusters = Clusters::new(&points);
    for (grid, jitter) in attempts {
        let mut tried = points.clone();
        prepare(&mut tried, grid * size, jitter * size);
        let Some((vertices, triangles)) = triangulated(&tried) else { continue };
        if vertices.len() > MAX_CORNERS {
            return Err(HullError::TooManyCorners(vertices.len()));
        }
        if let Some(hull) = constructed(vertices, triangles, &clusters, middle, size) {
            return Ok(hull);
        }
    }
    Err(HullError::Unconstructed)
}

/// True if all coordinates are numbers within bounds.
pub(super) fn is_finite(points: &[Vector3<f64>]) -> bool {
    // NaN is within no bound.
    points.iter().flat_map(|p| p.iter()).all(|x| x.abs() <= MAX_COORDINATE)
}

/// Each of these points once: files of triangles list a point once per triangle.
pub(super) fn distinct(points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    // Adding zero turns -0 into 0.
    let mut points: Vec<_> = points.iter().map(|p| p + Vector3::zeros()).collect();
    points.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)));
    points.dedup();
    points
}

/// Rounds points to a grid, each once, and moves them by up to `jitter`, in a reproducible way.
fn prepare(points: &mut Vec<Vector3<f64>>, grid: f64, jitter: f64) {
    if grid > 0.0 {
        points.iter_mut().for_each(|p| *p = p.map(|x| (x / grid).round() * grid + 0.0));
        points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)));
        points.dedup();
    }
    if jitter > 0.0 {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        points.iter_mut().for_each(|p| *p += Vector3::from_fn(|_, _| 2.0 * jitter * random()));
    }
}

/// The hull of these vertices and triangles; `None` if it is not a hull of `points`.
fn constructed(
    vertices: Vec<Vector3<f64>>,
    mut triangles: Vec<[u32; 3]>,
    points: &Clusters,
    middle: Vector3<f64>,
    size: f64,
) -> Option<ConvexHull> {
    // The principal axes may be left-handed, and four points nearly in one plane may come inside out.
    if moments(&vertices, &triangles).0 < 0.0 {
        triangles.iter_mut().for_each(|t| t.swap(0, 1));
    }
    // Rounding can leave regions that are no polygons (needles of triangles at the limit of flatness): then fewer are
    // merged.
    [FLAT, 1e-9, 0.0].into_iter().find_map(|flat| {
        let regions = faces::merge(&vertices, &triangles, flat * size)?;
        let hull = assemble(&vertices, &triangles, &regions, middle)?;
        holds(&hull, points, middle, 2.0 * FLAT * size).then_some(hull)
    })
}

/// Vertices and triangles.
type Triangulation = (Vec<Vector3<f64>>, Vec<[u32; 3]>);

/// Vertices of the hull, and triangles with their fronts outside (or all inside).
///
/// The points are first stretched to the same width along all axes, which does not change the vertices of the hull:
/// thin sets would be taken for flat.
fn triangulated(points: &[Vector3<f64>]) -> Option<Triangulation> {
    let covariance = points.iter().fold(Matrix3::zeros(), |sum, p| sum + p * p.transpose()) / points.len() as f64;
    let axes = SymmetricEigen::new(covariance);
    let widths = axes.eigenvalues.map(|square| square.max(f64::MIN_POSITIVE).sqrt());
    let stretched = |p: &Vector3<f64>| Vector::from((axes.eigenvectors.tr_mul(p)).component_div(&widths));
    let bits = |p: &Vector| [p.x, p.y, p.z].map(f64::to_bits);
    let stretched: Vec<Vector> = points.iter().map(stretched).collect();
    let index: FxHashMap<_, _> = stretched.iter().enumerate().map(|(i, p)| (bits(p), i)).collect();
    let (vertices, triangles) = try_convex_hull(&stretched).ok()?;
    let vertices = vertices.iter().map(|p| index.get(&bits(p)).map(|&i| points[i])).collect::<Option<_>>()?;
    Some((vertices, triangles))
}

/// Extent of points about the plane through three of them that spans most.
fn thickness(points: &[Vector3<f64>]) -> f64 {
    let farthest = |measure: &dyn Fn(&Vector3<f64>) -> f64| {
        points.iter().fold((0.0, Vector3::zeros()), |best: (f64, _), p| {
            let distance = measure(p);
            if distance > best.0 { (distance, *p) } else { best }
        })
    };
    let p = points[0];
    let (_, q) = farthest(&|x| (x - p).norm());
    let Some(line) = (q - p).try_normalize(0.0) else { return 0.0 };
    let (_, r) = farthest(&|x| (x - p).cross(&line).norm());
    let Some(normal) = (r - p).cross(&line).try_normalize(0.0) else { return 0.0 };
    farthest(&|x| (x - p).dot(&normal).abs()).0
}

/// True if no point lies farther than `tolerance` outside the hull, and the corners of every face at most that far from
/// its plane.
fn holds(hull: &ConvexHull, points: &Clusters, middle: Vector3<f64>, tolerance: f64) -> bool {
    let shift = middle - hull.center;
    hull.faces.iter().all(|face| {
        let allowed = face.offset + tolerance;
        let shift = face.normal.dot(&shift);
        // Points within this bound, rounding included, are not examined one by one.
        let surely = allowed - shift - 1e-3 * tolerance;
        let on_face = |v: Vector3<f64>| face.normal.dot(&v) >= face.offset - tolerance;
        points.farthest_beyond(&face.normal, surely) + shift <= allowed
            && face.corners.iter().all(|&i| on_face(hull.vertices[i as usize]))
    })
}

/// Six times the volume, and its centroid, from tetrahedra about the origin.
fn moments(vertices: &[Vector3<f64>], triangles: &[[u32; 3]]) -> (f64, Vector3<f64>) {
    let (mut sum, mut volume) = (Vector3::zeros(), 0.0);
    for triangle in triangles {
        let [p, q, r] = triangle.map(|i| vertices[i as usize]);
        let part = p.dot(&q.cross(&r));
        sum += (p + q + r) * (part / 4.0);
        volume += part;
    }
    (volume, if volume != 0.0 { sum / volume } else { Vector3::zeros() })
}

pub(super) fn assemble(
    all: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    regions: &[Region],
    middle: Vector3<f64>,
) -> Option<ConvexHull> {
    let (_, center) = moments(all, triangles);
    // Only corners of regions remain, in the order of the triangulation.
    let mut index = vec![u32::MAX; all.len()];
    regions.iter().flat_map(|r| &r.corners).for_each(|&i| index[i as usize] = 0);
    let mut vertices = Vec::new();
    for (i, slot) in index.iter_mut().enumerate() {
        if *slot == 0 {
            *slot = vertices.len() as u32;
            vertices.push(all[i] - center);
        }
    }
    if vertices.is_empty() {
        return None;
    }
    let clusters = Clusters::new(&vertices);
    let faces: Vec<Face> = regions
        .iter()
        .map(|region| {
            let corners: Vec<u32> = region.corners.iter().map(|&i| index[i as usize]).collect();
            // Its own corners are about the farthest, so that few other points have to be examined.
            let along =
                corners.iter().map(|&i| vertices[i as usize].dot(&region.normal)).fold(f64::NEG_INFINITY, f64::max);
            face(&vertices, clusters.farthest_beyond(&region.normal, along), region.normal, corners)
        })
        .collect();
    let edges = edges(&vertices, &faces)?;
    let faces_around = Incidence::new(vertices.len(), faces.iter().map(|f| &f.corners[..]));
    let edges_around = Incidence::new(vertices.len(), edges.iter().map(|e| &e.ends[..]));
    let radius = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
    let lanes = vertices
        .chunks(LANES)
        .map(|group| [0, 1, 2].map(|axis| std::array::from_fn(|i| group.get(i).unwrap_or(&vertices[0])[axis])))
        .collect();
    let center = center + middle;
    let table = FarthestTable::default();
    Some(ConvexHull { center, radius, vertices, lanes, faces, edges, faces_around, edges_around, table })
}

fn face(vertices: &[Vector3<f64>], offset: f64, normal: Vector3<f64>, corners: Vec<u32>) -> Face {
    let at = |i: u32| vertices[i as usize];
    let center = corners.iter().fold(Vector3::zeros(), |sum, &i| sum + at(i)) / corners.len() as f64;
    let radius = corners.iter().map(|&i| (at(i) - center).norm()).fold(0.0, f64::max);
    // The longest edge gives the first axis.
    let edges = (0..corners.len()).map(|i| at(corners[(i + 1) % corners.len()]) - at(corners[i]));
    let longest = edges.fold(
        Vector3::zeros(),
        |best: Vector3<f64>, e| {
            if e.norm_squared() > best.norm_squared() { e } else { best }
        },
    );
    let u = (longest - normal * normal.dot(&longest)).normalize();
    let axes = [u, normal.cross(&u)];
    let outline: Vec<_> = corners.iter().map(|&i| axes.map(|axis| axis.dot(&(at(i) - center)))).collect();
    let inward = (0..outline.len()).map(|i| {
        let ([px, py], [qx, qy]): ([f64; 2], [f64; 2]) = (outline[i], outline[(i + 1) % outline.len()]);
        let (x, y) = (qx - px, qy - py);
        let length = x.hypot(y);
        [-y / length, x / length]
    });
    let inward = inward.collect();
    let mut shares = vec![0.0; corners.len()];
    let area = shares::of_outline(&outline, |j, share| shares[j] = share);
    Face { normal, offset, center, radius, axes, corners, outline, inward, area, shares }
}

/// The edges; `None` unless every edge has two faces, which pass it in opposite directions.
fn edges(vertices: &[Vector3<f64>], faces: &[Face]) -> Option<Vec<Edge>> {
    let mut open: FxHashMap<[u32; 2], u32> = FxHashMap::default();
    let mut edges = Vec::new();
    for (f, face) in faces.iter().enumerate() {
        for (i, &start) in face.corners.iter().enumerate() {
            let end = face.corners[(i + 1) % face.corners.len()];
            match open.remove(&[end, start]) {
                None => {
                    if open.insert([start, end], f as u32).is_some() {
                        return None;
                    }
                }
                Some(other) => {
                    let along = (vertices[end as usize] - vertices[start as usize]).try_normalize(0.0)?;
                    let faces = [other, f as u32];
                    edges.push(Edge { ends: [start, end], faces, along });
                }
            }
        }
    }
    open.is_empty().then_some(edges)
}
