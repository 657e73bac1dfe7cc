//! Layered drawing, first half: which column each item stands in, and in which order \[Sugiyama, Tagawa, Toda 1981\].
//!
//! Wires lead from left to right, except those that close a loop: these are left out here and drawn below everything. A
//! wire that spans several columns gets a knot in each column between, so that it takes part in the order. The order of
//! each column follows the mean place of what its members are wired to, in sweeps to the right and to the left; the
//! sweep with the fewest crossings wins.

/// Something to place: a block, or a port of the border.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Its width \[px\].
    pub width: f64,
    /// Its height \[px\].
    pub height: f64,
    /// Heights of the ports on the left, below the item's top.
    pub inputs: Vec<f64>,
    /// Heights of the ports on the right.
    pub outputs: Vec<f64>,
    /// Which column it stands in, if that is prescribed.
    pub pin: Pin,
    /// Loops are rather cut before this item.
    pub last_in_loop: bool,
}

/// A column that is prescribed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// None is.
    #[default]
    Free,
    /// The first one.
    First,
    /// The last one.
    Last,
}

/// A wire between ports of items: (item, port).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// An output.
    pub from: (usize, usize),
    /// An input.
    pub to: (usize, usize),
}

/// An item in its column, or a knot of a wire.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub item: Option<usize>,
    pub height: f64,
}

/// A piece of a wire from one column to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub link: usize,
    pub from: usize,
    /// Height of its start below the top of the vertex.
    pub from_y: f64,
    pub to: usize,
    pub to_y: f64,
}

/// Items and knots in columns, from left to right, each from top to bottom. Vertex `i` is item `i`, for every item.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub vertices: Vec<Vertex>,
    pub columns: Vec<Vec<usize>>,
    /// Column of each item.
    pub column_of: Vec<usize>,
    /// The pieces of all wires to the right.
    pub segments: Vec<Segment>,
    /// The wires that are drawn below everything.
    pub returning: Vec<usize>,
}

/// Height of a knot.
const KNOT: f64 = 10.0;
const SWEEPS: usize = 8;

/// Arranges items in columns.
pub(super) fn arrange(items: &[Item], links: &[Link]) -> Columns {
    let forward = cut_loops(items, links);
    let column_of = columns(items, links, &forward);
    let count = column_of.iter().max().map_or(0, |last| last + 1);
    let mut arranged = Columns {
        vertices: items.iter().enumerate().map(|(i, item)| Vertex { item: Some(i), height: item.height }).collect(),
        columns: vec![Vec::new(); count],
        segments: Vec::new(),
        returning: (0..links.len()).filter(|&link| !forward[link]).collect(),
        column_of,
    };
    for item in 0..items.len() {
        arranged.columns[arranged.column_of[item]].push(item);
    }
    for (link, Link { from, to }) in links.iter().enumerate().filter(|(link, _)| forward[*link]) {
        let (mut at, mut y) = (from.0, items[from.0].outputs[from.1]);
        for column in arranged.column_of[from.0] + 1..arranged.column_of[to.0] {
            let knot = arranged.vertices.len();
            arranged.vertices.push(Vertex { item: None, height: KNOT });
            arranged.columns[column].push(knot);
            arranged.segments.push(Segment { link, from: at, from_y: y, to: knot, to_y: 0.5 * KNOT });
            (at, y) = (knot, 0.5 * KNOT);
        }
        let to_y = items[to.0].inputs[to.1];
        arranged.segments.push(Segment { link, from: at, from_y: y, to: to.0, to_y });
    }
    order(&mut arranged);
    arranged
}

/// Which wires lead to the right: all but those that lead back in a depth-first search.
fn cut_loops(items: &[Item], links: &[Link]) -> Vec<bool> {
    let mut fed = vec![false; items.len()];
    links.iter().filter(|link| link.from.0 != link.to.0).for_each(|link| fed[link.to.0] = true);
    let mut starts: Vec<usize> = (0..items.len()).collect();
    starts.sort_by_key(|&item| (fed[item], items[item].last_in_loop));
    let mut forward = vec![true; links.len()];
    let (mut entered, mut left) = (vec![false; items.len()], vec![false; items.len()]);
    for start in starts {
        // Depth-first, with the links still to follow on a stack of its own.
        let of = |item: usize| -> Vec<usize> { (0..links.len()).rev().filter(|&l| links[l].from.0 == item).collect() };
        if std::mem::replace(&mut entered[start], true) {
            continue;
        }
        let mut stack = vec![(start, of(start))];
        while let Some((item, rest)) = stack.last_mut() {
            let Some(link) = rest.pop() else {
                left[*item] = true;
                stack.pop();
                continue;
            };
            let next = links[link].to.0;
            if !std::mem::replace(&mut entered[next], true) {
                stack.push((next, of(next)));
            } else if !left[next] {
                forward[link] = false;
            }
        }
    }
    forward
}

/// The column of each item: as far left as its wires allow; what nothing feeds stands next to what it feeds.
fn columns(items: &[Item], links: &[Link], forward: &[bool]) -> Vec<usize> {
    let links: Vec<&Link> = links.iter().zip(forward).filter(|(_, forward)| **forward).map(|(link, _)| link).collect();
    let borders = items.iter().any(|item| item.pin == Pin::First);
    let mut column: Vec<usize> = items.iter().map(|item| usize::from(borders && item.pin != Pin::First)).collect();
    // Longest paths; without loops they end.
    for _ in 0..items.len() {
        for link in &links {
            column[link.to.0] = column[link.to.0].max(column[link.from.0] + 1);
        }
    }
    let mut pulled = column.clone();
    for item in (0..items.len()).filter(|&item| items[item].pin == Pin::Free) {
        if !links.iter().any(|link| link.to.0 == item) {
            let targets = links.iter().filter(|link| link.from.0 == item).map(|link| column[link.to.0]);
            pulled[item] = targets.min().map_or(column[item], |nearest| nearest - 1);
        }
    }
    let last = (0..items.len()).filter(|&i| items[i].pin != Pin::Last).map(|i| pulled[i]).max().unwrap_or(0);
    (0..items.len()).filter(|&i| items[i].pin == Pin::Last).for_each(|i| pulled[i] = last + 1);
    pulled
}

/// Orders each column.
fn order(arranged: &mut Columns) {
    let mut best = (crossings(arranged), arranged.columns.clone());
    for sweep in 0..SWEEPS {
        let count = arranged.columns.len();
        for step in 1..count {
            let right = sweep % 2 == 0;
            let (column, beside) = if right { (step, step - 1) } else { (count - 1 - step, count - step) };
            let places = places(arranged, beside);
            let mut keyed: Vec<(f64, usize)> = arranged.columns[column]
                .iter()
                .enumerate()
                .map(|(i, &vertex)| (mean_place(arranged, vertex, &places, right).unwrap_or(i as f64), vertex))
                .collect();
            // Stable: equal means keep their order.
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            arranged.columns[column] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
        }
        let crossings = crossings(arranged);
        if crossings < best.0 {
            best = (crossings, arranged.columns.clone());
        }
    }
    arranged.columns = best.1;
}

/// Place of each vertex in a column.
fn places(arranged: &Columns, column: usize) -> Vec<Option<f64>> {
    let mut places = vec![None; arranged.vertices.len()];
    arranged.columns[column].iter().enumerate().for_each(|(i, &vertex)| places[vertex] = Some(i as f64));
    places
}

/// Mean place of what a vertex is wired to on its left (`left`) or right side; ports count as parts of a place.
fn mean_place(arranged: &Columns, vertex: usize, places: &[Option<f64>], left: bool) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for segment in &arranged.segments {
        let (own, other, y) = match left {
            true => (segment.to, segment.from, segment.from_y),
            false => (segment.from, segment.to, segment.to_y),
        };
        if own == vertex
            && let Some(place) = places[other]
        {
            sum += place + y / (arranged.vertices[other].height + 1.0);
            count += 1.0;
        }
    }
    (count > 0.0).then(|| sum / count)
}

/// Number of pairs of segments that cross.
fn crossings(arranged: &Columns) -> usize {
    let mut place = vec![(0, 0.0); arranged.vertices.len()];
    for (c, column) in arranged.columns.iter().enumerate() {
        column.iter().enumerate().for_each(|(i, &vertex)| place[vertex] = (c, i as f64));
    }
    let height = |vertex: usize, y: f64| place[vertex].1 + y / (arranged.vertices[vertex].height + 1.0);
    let ends: Vec<(usize, f64, f64)> =
        arranged.segments.iter().map(|s| (place[s.from].0, height(s.from, s.from_y), height(s.to, s.to_y))).collect();
    let cross = |a: &(usize, f64, f64), b: &(usize, f64, f64)| a.0 == b.0 && (a.1 - b.1) * (a.2 - b.2) < 0.0;
    ends.iter().enumerate().map(|(i, a)| ends[i + 1..].iter().filter(|b| cross(a, b)).count()).sum()
}
