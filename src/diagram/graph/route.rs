//! Routes of wires: horizontal and vertical lines, each with a track of its own between two columns.

use super::layers::{Columns, Item, Link};
use std::collections::BTreeMap;

/// Room beside the tracks of a channel.
const MARGIN: f64 = 22.0;
/// Distance between two tracks.
const TRACK: f64 = 10.0;
/// Distance of the first lane below everything.
const LANE_CLEARANCE: f64 = 22.0;

/// Wires drawn as one line with branches: all wires of one output, to the right or returning.
type Net = ((usize, usize), bool);

/// The vertical pieces of wires between columns. Channel `c` is left of column `c`.
pub(super) struct Tracks {
    /// Place of each net in each channel, from the left.
    places: Vec<BTreeMap<Net, usize>>,
    /// Height of the lane of each net that returns.
    lanes: BTreeMap<Net, f64>,
}

impl Tracks {
    pub fn new(columns: &Columns, tops: &[f64], items: &[Item], links: &[Link]) -> Self {
        let count = columns.columns.len();
        // Height at which each net starts, and the furthest height it reaches, in each channel.
        let mut spans: Vec<BTreeMap<Net, (f64, f64)>> = vec![BTreeMap::new(); count + 1];
        let mut add = |channel: usize, net: Net, from: f64, to: f64| {
            let span = spans[channel].entry(net).or_insert((from, to));
            if (to - from).abs() > (span.1 - span.0).abs() {
                *span = (from, to);
            }
        };
        for s in &columns.segments {
            let (from, to) = (tops[s.from] + s.from_y, tops[s.to] + s.to_y);
            if (from - to).abs() > 0.5 {
                add(column_of(columns, s.to), (links[s.link].from, false), from, to);
            }
        }
        let mut returning: Vec<(usize, (usize, usize), Net)> = Vec::new();
        for &link in &columns.returning {
            let Link { from, to } = links[link];
            let net = (from, true);
            let (a, b) = (columns.column_of[from.0], columns.column_of[to.0]);
            add(a + 1, net, tops[from.0] + items[from.0].outputs[from.1], f64::INFINITY);
            add(b, net, f64::INFINITY, tops[to.0] + items[to.0].inputs[to.1]);
            returning.push((a + 1 - b.min(a), (b.min(a), a), net));
        }
        let lanes = lanes(columns, tops, returning);
        let places = spans.into_iter().map(in_order).collect();
        Tracks { places, lanes }
    }

    /// Width of a channel; zero at the sides if no wire is there.
    pub fn width(&self, channel: usize) -> f64 {
        match self.places[channel].len() {
            0 if channel == 0 || channel + 1 == self.places.len() => 0.0,
            tracks => 2.0 * MARGIN + TRACK * tracks.saturating_sub(1) as f64,
        }
    }

    fn x(&self, channel: usize, net: &Net, left: f64) -> f64 {
        left + MARGIN + TRACK * self.places[channel].get(net).copied().unwrap_or(0) as f64
    }

    fn lane(&self, net: &Net) -> f64 {
        self.lanes.get(net).copied().unwrap_or(0.0)
    }
}

/// Assigns a lane to each net that returns, below the columns it passes and apart from the lanes of other nets. Each
/// net comes with its number of columns and the first and last of them; the shortest net gets the highest lane.
fn lanes(columns: &Columns, tops: &[f64], mut returning: Vec<(usize, (usize, usize), Net)>) -> BTreeMap<Net, f64> {
    returning.sort();
    let mut lanes: BTreeMap<Net, f64> = BTreeMap::new();
    let mut taken: Vec<((usize, usize), f64)> = Vec::new();
    // One net has one lane, as long as its longest wire.
    for (_, _, net) in &returning {
        if lanes.contains_key(net) {
            continue;
        }
        let of_net = returning.iter().filter(|other| other.2 == *net).map(|other| other.1);
        let (first, last) = of_net.fold((usize::MAX, 0), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        let passed = columns.columns[first..=last].iter().flatten();
        let bottom = passed.map(|&v| tops[v] + columns.vertices[v].height).fold(0.0, f64::max);
        let mut lane = bottom + LANE_CLEARANCE;
        // Nets in neighbouring columns share a channel.
        let meets = |range: &(usize, usize)| range.0 <= last + 1 && first <= range.1 + 1;
        while let Some((_, y)) = taken.iter().find(|(range, y)| meets(range) && (y - lane).abs() < TRACK) {
            lane = y + TRACK;
        }
        taken.push(((first, last), lane));
        lanes.insert(*net, lane);
    }
    lanes
}

/// Tracks such that nets cross as little as may be: those that lead up first, from the highest; then those that lead
/// down, from the lowest.
fn in_order(spans: BTreeMap<Net, (f64, f64)>) -> BTreeMap<Net, usize> {
    let mut nets: Vec<(Net, (f64, f64))> = spans.into_iter().collect();
    let key = |(from, to): (f64, f64)| if to < from { (0, from) } else { (1, -from) };
    nets.sort_by(|a, b| {
        let (a, b) = (key(a.1), key(b.1));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    nets.into_iter().enumerate().map(|(place, (net, _))| (net, place)).collect()
}

fn column_of(columns: &Columns, vertex: usize) -> usize {
    columns.columns.iter().position(|column| column.contains(&vertex)).unwrap_or(0)
}

/// Positions of items and columns.
pub struct Places<'a> {
    /// Left upper corner of each item.
    pub corners: &'a [(f64, f64)],
    /// The top of each vertex.
    pub tops: &'a [f64],
    /// The left border of each column.
    pub lefts: &'a [f64],
    /// The width of each column.
    pub widths: &'a [f64],
}

/// The corners of every wire.
pub(super) fn routes(
    columns: &Columns,
    tracks: &Tracks,
    items: &[Item],
    links: &[Link],
    places: &Places<'_>,
) -> Vec<Vec<(f64, f64)>> {
    let Places { corners, tops, lefts, widths } = *places;
    let output = |(item, port): (usize, usize)| {
        let (x, y) = corners[item];
        (x + items[item].width, y + items[item].outputs[port])
    };
    let input = |(item, port): (usize, usize)| (corners[item].0, corners[item].1 + items[item].inputs[port]);
    // Left border of the channel to the right of a column.
    let channel_left = |column: usize| lefts[column] + widths[column];
    let mut routes: Vec<Vec<(f64, f64)>> = links.iter().map(|link| vec![output(link.from)]).collect();
    // The segments of a wire are in order.
    for s in &columns.segments {
        let net = (links[s.link].from, false);
        let (y, to_y) = (tops[s.from] + s.from_y, tops[s.to] + s.to_y);
        let column = column_of(columns, s.to);
        let route = &mut routes[s.link];
        if (y - to_y).abs() > 0.5 {
            let x = tracks.x(column, &net, channel_left(column - 1));
            route.extend([(x, y), (x, to_y)]);
        }
        if columns.vertices[s.to].item.is_none() {
            route.push((lefts[column] + widths[column], to_y));
        }
    }
    for &link in &columns.returning {
        let Link { from, to } = links[link];
        let net = (from, true);
        let (a, b) = (columns.column_of[from.0], columns.column_of[to.0]);
        let right = tracks.x(a + 1, &net, channel_left(a));
        let left = tracks.x(b, &net, if b == 0 { 0.0 } else { channel_left(b - 1) });
        let lane = tracks.lane(&net);
        routes[link].extend([(right, output(from).1), (right, lane), (left, lane), (left, input(to).1)]);
    }
    for (route, link) in routes.iter_mut().zip(links) {
        route.push(input(link.to));
    }
    routes
}
