//! Layered drawing, second half: heights of items, tracks of wires, and coordinates.

use super::layers::{Columns, Item, Link, Pin, Segment, arrange};
use super::route::{self, Places, Tracks};

/// Items and wires in the plane, y downwards \[px\].
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// Left upper corner of each item.
    pub corners: Vec<(f64, f64)>,
    /// The corners of each wire.
    pub routes: Vec<Vec<(f64, f64)>>,
    /// Width of the picture.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// Least distance between items of a column.
const GAP: f64 = 26.0;
/// Least distance of a knot from its neighbours.
const KNOT_GAP: f64 = 8.0;
/// Weight of a knot relative to an item, so that long wires are straight.
const KNOT_WEIGHT: usize = 3;
const ROUNDS: usize = 12;

/// Places items and routes wires.
pub fn place(items: &[Item], links: &[Link]) -> Placed {
    let columns = arrange(items, links);
    let tops = heights(&columns);
    let widths: Vec<f64> = columns
        .columns
        .iter()
        .map(|column| {
            column.iter().filter_map(|&v| columns.vertices[v].item).map(|i| items[i].width).fold(0.0, f64::max)
        })
        .collect();
    let tracks = Tracks::new(&columns, &tops, items, links);
    let mut lefts = Vec::with_capacity(widths.len());
    let mut x = tracks.width(0);
    for (column, width) in widths.iter().enumerate() {
        lefts.push(x);
        x += width + tracks.width(column + 1);
    }
    let corners: Vec<(f64, f64)> = (0..items.len())
        .map(|i| {
            let column = columns.column_of[i];
            let spare = widths[column] - items[i].width;
            let inset = match items[i].pin {
                Pin::First => 0.0,
                Pin::Last => spare,
                Pin::Free => 0.5 * spare,
            };
            (lefts[column] + inset, tops[i])
        })
        .collect();
    let routes = route::routes(
        &columns,
        &tracks,
        items,
        links,
        &Places { corners: &corners, tops: &tops, lefts: &lefts, widths: &widths },
    );
    let bottom = (0..items.len()).map(|i| tops[i] + items[i].height).fold(0.0, f64::max);
    let lowest = routes.iter().flatten().map(|point| point.1).fold(bottom, f64::max);
    Placed { corners, routes, width: x, height: lowest }
}

/// Top of each vertex: near the vertices it is wired to, without overlaps.
fn heights(columns: &Columns) -> Vec<f64> {
    let mut tops = vec![0.0; columns.vertices.len()];
    for column in &columns.columns {
        let mut y = 0.0;
        for (i, &vertex) in column.iter().enumerate() {
            y += if i > 0 { gap(columns, column[i - 1], vertex) } else { 0.0 };
            tops[vertex] = y;
            y += columns.vertices[vertex].height;
        }
    }
    // The last round runs to the right, so that a chain of wired items forms a straight row.
    for round in 0..ROUNDS {
        let count = columns.columns.len();
        for step in 0..count {
            let right = round % 2 == 1;
            let members = &columns.columns[if right { step } else { count - 1 - step }];
            let wanted: Vec<f64> = members.iter().map(|&v| wanted(columns, &tops, v, right)).collect();
            settle(columns, members, &wanted, &mut tops);
        }
    }
    let top = tops.iter().copied().fold(f64::INFINITY, f64::min);
    tops.iter().map(|y| y - top).collect()
}

/// Wanted top of a vertex, were it alone: the median of the heights at which its wires on the left (or right) side are
/// straight.
fn wanted(columns: &Columns, tops: &[f64], vertex: usize, left: bool) -> f64 {
    let straight = |s: &Segment| match left {
        true => (s.to == vertex).then(|| tops[s.from] + s.from_y - s.to_y),
        false => (s.from == vertex).then(|| tops[s.to] + s.to_y - s.from_y),
    };
    let mut wishes: Vec<f64> = columns.segments.iter().filter_map(straight).collect();
    wishes.sort_by(f64::total_cmp);
    if wishes.is_empty() { tops[vertex] } else { wishes[(wishes.len() - 1) / 2] }
}

/// Moves the members of a column to their wanted heights, as far as order and distances allow. Members that would
/// overlap form a pool at the median of their wishes (pool adjacent violators), so that at least one of them stands
/// where it wants.
fn settle(columns: &Columns, members: &[usize], wanted: &[f64], tops: &mut [f64]) {
    // Offset of each member below the first, if all stand as close as they may.
    let mut offsets = vec![0.0; members.len()];
    for i in 1..members.len() {
        let above = members[i - 1];
        offsets[i] = offsets[i - 1] + columns.vertices[above].height + gap(columns, above, members[i]);
    }
    let mut pools: Vec<Pool> = Vec::new();
    for ((want, offset), &member) in wanted.iter().zip(&offsets).zip(members) {
        let weight = if columns.vertices[member].item.is_some() { 1 } else { KNOT_WEIGHT };
        let mut pool = Pool { size: 1, wishes: vec![want - offset; weight] };
        while let Some(above) = pools.pop() {
            if above.at() < pool.at() {
                pools.push(above);
                break;
            }
            pool = above.with(pool);
        }
        pools.push(pool);
    }
    let places = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.at(), pool.size));
    for ((&member, offset), place) in members.iter().zip(&offsets).zip(places) {
        tops[member] = place + offset;
    }
}

/// Members at least distance from each other, and the wanted heights of the pool, in increasing order.
struct Pool {
    size: usize,
    wishes: Vec<f64>,
}

impl Pool {
    fn at(&self) -> f64 {
        self.wishes[(self.wishes.len() - 1) / 2]
    }

    fn with(mut self, other: Pool) -> Pool {
        self.wishes.extend(other.wishes);
        self.wishes.sort_by(f64::total_cmp);
        Pool { size: self.size + other.size, wishes: self.wishes }
    }
}

fn gap(columns: &Columns, a: usize, b: usize) -> f64 {
    let item = |v: usize| columns.vertices[v].item.is_some();
    if item(a) && item(b) { GAP } else { KNOT_GAP }
}
