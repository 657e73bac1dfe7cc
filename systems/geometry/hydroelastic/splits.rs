//! Cells cut into tetrahedra. Cells visited in order around an axis are cut along the same diagonals as their
//! neighbours.

/// A prism between the triangles `v[0..3]` and `v[3..6]`.
pub(super) fn prism([v0, v1, v2, v3, v4, v5]: [u32; 6]) -> [[u32; 4]; 3] {
    [[v3, v4, v0, v5], [v4, v1, v0, v5], [v1, v2, v0, v5]]
}

/// A pyramid on the quadrilateral `v[0..4]` with the apex `v[4]`.
pub(super) fn pyramid([v0, v1, v2, v3, apex]: [u32; 5]) -> [[u32; 4]; 2] {
    [[v3, apex, v0, v2], [apex, v1, v0, v2]]
}
