//! Heights over a grid: two triangles for each of its cells, and sides and a bottom that make it a solid.

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

/// Closes the surface over a grid: sides from its rim down to `z = -depth`, and a bottom.
pub(super) fn close((points, triangles): &mut Triangles, columns: usize, depth: f64) {
    let rows = points.len() / columns;
    let at = |row: usize, column: usize| (row * columns + column) as u32;
    // Anticlockwise, as seen from above.
    let rim: Vec<u32> = (0..columns - 1)
        .map(|i| at(0, i))
        .chain((0..rows - 1).map(|i| at(i, columns - 1)))
        .chain((1..columns).rev().map(|i| at(rows - 1, i)))
        .chain((1..rows).rev().map(|i| at(i, 0)))
        .collect();
    let below = points.len() as u32;
    let middle = below + rim.len() as u32;
    for &i in &rim {
        let p = points[i as usize];
        points.push(Vector3::new(p.x, p.y, -depth));
    }
    points.push(Vector3::new(0.0, 0.0, -depth));
    for (i, &p) in rim.iter().enumerate() {
        let next = (i + 1) % rim.len();
        let (q, b, c) = (rim[next], below + i as u32, below + next as u32);
        triangles.extend([[b, c, q], [b, q, p], [middle, c, b]]);
    }
}
