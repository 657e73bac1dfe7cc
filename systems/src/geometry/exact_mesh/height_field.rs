//! Heights over a grid: two triangles for each of its cells.

use super::{ExactMeshError, MAX_TRIANGLES};
use nalgebra::Vector3;

/// Points and the triangles between them.
type Triangles = (Vec<Vector3<f64>>, Vec<[u32; 3]>);

pub(super) fn triangles(
    heights: &[f64],
    columns: usize,
    rows: usize,
    half_size: [f64; 2],
) -> Result<Triangles, ExactMeshError> {
    let count = rows.checked_mul(columns);
    if rows < 2 || columns < 2 || count != Some(heights.len()) {
        return Err(ExactMeshError::Grid);
    }
    let cells = (rows - 1) * (columns - 1);
    if 2 * cells > MAX_TRIANGLES {
        return Err(ExactMeshError::TooMany(2 * cells));
    }
    let along = |i: usize, n: usize, half: f64| half * (2.0 * i as f64 / (n - 1) as f64 - 1.0);
    let point = |(i, z): (usize, &f64)| {
        Vector3::new(along(i % columns, columns, half_size[0]), along(i / columns, rows, half_size[1]), *z)
    };
    let points = heights.iter().enumerate().map(point).collect();
    let cell = |i: usize| {
        let corner = (i / (columns - 1) * columns + i % (columns - 1)) as u32;
        let above = corner + columns as u32;
        [[corner, corner + 1, above + 1], [corner, above + 1, above]]
    };
    Ok((points, (0..cells).flat_map(cell).collect()))
}
