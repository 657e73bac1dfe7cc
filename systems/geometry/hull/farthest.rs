//! A table of directions with the vertices of a hull that can be farthest there.
//!
//! A hull of a mesh often has more than a hundred vertices, and its farthest one is needed some ten times for every
//! pair. Directions are divided into cells, squares on the faces of a cube about the origin. Each cell lists the
//! vertices that are farthest, or nearly, in any of its directions: usually a few. Any other vertex is lower by far
//! more than rounding, so that the greatest height among those listed is that among all, to the bit.

use nalgebra::Vector3;
use std::sync::OnceLock;

/// Number of vertices below which there is no table: to examine all is as fast.
const MIN_VERTICES: usize = 32;
/// Number of times that the faces of the cube are halved along both sides, and the resulting number of cells along a
/// side.
const HALVINGS: usize = 3;
const SIDE: usize = 1 << HALVINGS;

/// The table of a hull, made on first use. It is a function of the vertices, so that all tables compare equal.
#[derive(Clone, Debug, Default)]
pub struct FarthestTable(OnceLock<Cells>);

impl PartialEq for FarthestTable {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

/// The vertices of cell i are `list[starts[i]..starts[i + 1]]`, in increasing order.
#[derive(Clone, Debug)]
struct Cells {
    list: Vec<u32>,
    starts: Vec<u32>,
}

impl FarthestTable {
    /// Band below the farthest within which vertices are listed, too, relative to the radius.
    pub const BAND: f64 = 1e-5;

    /// The listed vertices, which contain all that are farthest along `n`, in increasing order; `None`: any may be.
    /// `radius` is that of the ball about the origin that contains all.
    pub fn listed(&self, vertices: &[Vector3<f64>], radius: f64, n: &Vector3<f64>) -> Option<&[u32]> {
        if vertices.len() < MIN_VERTICES {
            return None;
        }
        let cell = cell_of(n)?;
        let Cells { list, starts } = self.0.get_or_init(|| Cells::new(vertices, radius));
        list.get(*starts.get(cell)? as usize..*starts.get(cell + 1)? as usize)
    }
}

/// The cell of a direction; `None` if it is not a direction.
fn cell_of(n: &Vector3<f64>) -> Option<usize> {
    let axis = if n.x.abs() >= n.y.abs() && n.x.abs() >= n.z.abs() {
        0
    } else if n.y.abs() >= n.z.abs() {
        1
    } else {
        2
    };
    let largest = n[axis].abs();
    if !(largest > 0.0 && largest < f64::INFINITY) {
        return None;
    }
    let place = |x: f64| (((x / largest + 1.0) * (0.5 * SIDE as f64)) as usize).min(SIDE - 1);
    let face = 2 * axis + usize::from(n[axis] < 0.0);
    Some((face * SIDE + place(n[(axis + 1) % 3])) * SIDE + place(n[(axis + 2) % 3]))
}

impl Cells {
    fn new(vertices: &[Vector3<f64>], radius: f64) -> Self {
        let all: Vec<u32> = (0..vertices.len() as u32).collect();
        let mut cells = vec![Vec::new(); 6 * SIDE * SIDE];
        for face in 0..6 {
            let cell = Cell { face, half_width: 1.0, center: [0.0; 2] };
            // Directions are at most as long as the diagonal of the cube.
            let search = Search { vertices, band: 3.0_f64.sqrt() * FarthestTable::BAND * radius };
            search.part(cell, 0, [0; 2], &all, &mut cells);
        }
        let ends = cells.iter().scan(0, |end, cell| {
            *end += cell.len() as u32;
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        Cells { list: cells.concat(), starts }
    }
}

/// A square of directions on a face of the cube.
#[derive(Clone, Copy)]
struct Cell {
    face: usize,
    half_width: f64,
    center: [f64; 2],
}

impl Cell {
    /// The direction at an offset from the centre, in half widths.
    fn direction(&self, parts: [f64; 2]) -> Vector3<f64> {
        let axis = self.face / 2;
        let mut n = Vector3::zeros();
        n[axis] = if self.face.is_multiple_of(2) { 1.0 } else { -1.0 };
        (0..2).for_each(|i| n[(axis + 1 + i) % 3] = self.center[i] + parts[i] * self.half_width);
        n
    }

    /// The greatest height of `p` in any of its directions.
    fn greatest(&self, center: &Vector3<f64>, p: &Vector3<f64>) -> f64 {
        let axis = self.face / 2;
        p.dot(center) + self.half_width * (p[(axis + 1) % 3].abs() + p[(axis + 2) % 3].abs())
    }
}

struct Search<'a> {
    vertices: &'a [Vector3<f64>],
    band: f64,
}

impl Search<'_> {
    /// Divides a cell, whose vertices are among `some`, down to the cells of the table.
    fn part(&self, cell: Cell, depth: usize, [i, j]: [usize; 2], some: &[u32], cells: &mut [Vec<u32>]) {
        let own = self.among(cell, some);
        if depth == HALVINGS {
            cells[(cell.face * SIDE + i) * SIDE + j] = own;
            return;
        }
        let half_width = 0.5 * cell.half_width;
        for (k, l) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let moved = |center: f64, upper: usize| center + if upper == 1 { half_width } else { -half_width };
            let center = [moved(cell.center[0], k), moved(cell.center[1], l)];
            self.part(Cell { half_width, center, ..cell }, depth + 1, [2 * i + k, 2 * j + l], &own, cells);
        }
    }

    /// The vertices of `some` that can be within the band of the farthest in some direction of the cell: those that no
    /// vertex which is farthest at the middle or a corner of the cell exceeds by more than the band in all directions.
    fn among(&self, cell: Cell, some: &[u32]) -> Vec<u32> {
        let center = cell.direction([0.0; 2]);
        let at = |i: u32| self.vertices[i as usize];
        let farthest = |parts: [f64; 2]| {
            let n = cell.direction(parts);
            some.iter().map(|&i| at(i)).reduce(|best, p| if p.dot(&n) > best.dot(&n) { p } else { best })
        };
        let parts = [[0.0, 0.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
        let tops: Vec<Vector3<f64>> = parts.into_iter().filter_map(farthest).collect();
        let may_be = |i: &u32| tops.iter().all(|top| cell.greatest(&center, &(at(*i) - top)) >= -self.band);
        some.iter().copied().filter(may_be).collect()
    }
}
