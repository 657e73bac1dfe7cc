//! Layered drawing, second half: heights of items, tracks of wires, and coordinates.

use super::layers::{Columns, Item, Link, Pin, arrange};
use super::route::{self, Tracks};

/// Items and wires in the plane, y downwards \[px\].
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    /// Left upper corner of each item.
    pub corners: Vec<(f64, f64)>,
    /// The corners of each wire.
    pub routes: Vec<Vec<(f64, f64)>>,
    pub width: f64,
    pub height: f64,
}

/// Least distance between items of a column.
const GAP: f64 = 26.0;
/// Least distance of a knot from its neighbours.
const KNOT_GAP: f64 = 8.0;
const ROUNDS: usize = 12;

/// Places items and routes wires.
pub(super) fn place(items: &[Item], links: &[Link]) -> Placed {
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
    let routes = route::routes(&columns, &tracks, items, links, &corners, &tops, (&lefts, &widths));
    let bottom = (0..items.len()).map(|i| tops[i] + items[i].height).fold(0.0, f64::max);
    let lowest = routes.iter().flatten().map(|point| point.1).fold(bottom, f64::max);
    Placed { corners, routes, width: x, height: lowest }
}

/// The top of each vertex: near what it is wired to, without overlaps.
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
    for round in 0..ROUNDS {
        let count = columns.columns.len();
        for step in 0..count {
            let column = if round % 2 == 0 { step } else { count - 1 - step };
            let members = &columns.columns[column];
            let wanted: Vec<f64> = members.iter().map(|&v| wanted(columns, &tops, v)).collect();
            settle(columns, members, &wanted, &mut tops);
        }
    }
    let top = tops.iter().copied().fold(f64::INFINITY, f64::min);
    tops.iter().map(|y| y - top).collect()
}

/// Where a vertex would stand if it were alone: the median of what makes its wires straight.
fn wanted(columns: &Columns, tops: &[f64], vertex: usize) -> f64 {
    let mut tops_wanted: Vec<f64> = columns
        .segments
        .iter()
        .filter_map(|s| {
            if s.from == vertex {
                Some(tops[s.to] + s.to_y - s.from_y)
            } else if s.to == vertex {
                Some(tops[s.from] + s.from_y - s.to_y)
            } else {
                None
            }
        })
        .collect();
    if tops_wanted.is_empty() {
        return tops[vertex];
    }
    tops_wanted.sort_by(f64::total_cmp);
    tops_wanted[(tops_wanted.len() - 1) / 2]
}

/// Moves the members of a column to where they want to be, as far as their order and distances allow: members that get in each
/// other's way become a block at the mean of their wishes (pool adjacent violators).
fn settle(columns: &Columns, members: &[usize], wanted: &[f64], tops: &mut [f64]) {
    // Offset of each member below the first, if all stand as close as they may.
    let mut offsets = vec![0.0; members.len()];
    for i in 1..members.len() {
        let above = members[i - 1];
        offsets[i] = offsets[i - 1] + columns.vertices[above].height + gap(columns, above, members[i]);
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (want, offset) in wanted.iter().zip(&offsets) {
        let mut pool = (want - offset, 1);
        while let Some(&(mean, size)) = pools.last()
            && mean >= pool.0
        {
            pools.pop();
            pool = ((mean * size as f64 + pool.0 * pool.1 as f64) / (size + pool.1) as f64, size + pool.1);
        }
        pools.push(pool);
    }
    let means = pools.into_iter().flat_map(|(mean, size)| std::iter::repeat_n(mean, size));
    for ((&member, offset), mean) in members.iter().zip(&offsets).zip(means) {
        tops[member] = mean + offset;
    }
}

fn gap(columns: &Columns, a: usize, b: usize) -> f64 {
    let item = |v: usize| columns.vertices[v].item.is_some();
    if item(a) && item(b) { GAP } else { KNOT_GAP }
}
