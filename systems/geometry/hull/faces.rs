//! Merging of triangles in one plane into one face.

use nalgebra::Vector3;
use rustc_hash::FxHashMap;

/// A polygon of merged triangles.
pub(super) struct Region {
    pub normal: Vector3<f64>,
    /// Vertices where three or more regions meet, anticlockwise seen from outside.
    pub corners: Vec<u32>,
}

/// The regions of a closed triangulated surface: each grows from the largest remaining triangle over neighbours within
/// `flat` of its plane. `None` if one of them is no polygon.
pub(super) fn merge(vertices: &[Vector3<f64>], triangles: &[[u32; 3]], flat: f64) -> Option<Vec<Region>> {
    let at = |i: u32| vertices[i as usize];
    let area: Vec<Vector3<f64>> = triangles.iter().map(|&[a, b, c]| (at(b) - at(a)).cross(&(at(c) - at(a)))).collect();
    let mut beyond = FxHashMap::with_capacity_and_hasher(3 * triangles.len(), Default::default());
    for (t, triangle) in triangles.iter().enumerate() {
        for i in 0..3 {
            if beyond.insert([triangle[i], triangle[(i + 1) % 3]], t).is_some() {
                return None;
            }
        }
    }
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    let squares: Vec<f64> = area.iter().map(|area| area.norm_squared()).collect();
    order.sort_unstable_by(|&s, &t| squares[t].total_cmp(&squares[s]).then(s.cmp(&t)));
    const FREE: usize = usize::MAX;
    let mut region_of = vec![FREE; triangles.len()];
    let mut normals = Vec::new();
    for seed in order {
        if region_of[seed] != FREE {
            continue;
        }
        let normal = area[seed].try_normalize(0.0)?;
        let origin = at(triangles[seed][0]);
        let region = normals.len();
        normals.push(normal);
        region_of[seed] = region;
        let mut pending = vec![seed];
        while let Some(t) = pending.pop() {
            for i in 0..3 {
                let &next = beyond.get(&[triangles[t][(i + 1) % 3], triangles[t][i]])?;
                let in_plane = || triangles[next].iter().all(|&v| normal.dot(&(at(v) - origin)).abs() <= flat);
                // A sliver in the plane may face anywhere; a real triangle must not face back.
                let faces_out = || area[next].dot(&normal) >= -flat * flat;
                if flat > 0.0 && region_of[next] == FREE && in_plane() && faces_out() {
                    region_of[next] = region;
                    pending.push(next);
                }
            }
        }
    }
    // The regions that meet at each vertex.
    let mut met: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
    for (t, triangle) in triangles.iter().enumerate() {
        for &v in triangle {
            let known = &mut met[v as usize];
            if !known.contains(&region_of[t]) {
                known.push(region_of[t]);
            }
        }
    }
    let mut next_of: Vec<FxHashMap<u32, u32>> = vec![FxHashMap::default(); normals.len()];
    for (t, triangle) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (start, end) = (triangle[i], triangle[(i + 1) % 3]);
            let border = region_of[*beyond.get(&[end, start])?] != region_of[t];
            if border && next_of[region_of[t]].insert(start, end).is_some() {
                return None;
            }
        }
    }
    let mut regions = Vec::new();
    for (normal, next) in normals.into_iter().zip(next_of) {
        let &first = next.keys().min()?;
        let (mut at, mut corners, mut length) = (first, Vec::new(), 0);
        while length == 0 || at != first {
            if met[at as usize].len() > 2 {
                corners.push(at);
            }
            at = *next.get(&at)?;
            length += 1;
            if length > next.len() {
                return None;
            }
        }
        if length != next.len() || corners.len() < 3 {
            return None;
        }
        regions.push(Region { normal, corners });
    }
    Some(regions)
}
