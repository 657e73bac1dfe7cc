//! Quantization of long recordings: each column of a table of numbers (a channel, a coordinate of a body) within one
//! line of the stream is rounded to 65,536 evenly spaced numbers from its least to its largest.
//!
//! The error is at most half of a 65,535th of the range of the column within the line, or of a millionth of the range
//! of the column in the whole recording, if that is more. The numbers of a column are stored as successive differences,
//! which are small for slowly changing columns and compress well.

use super::packed::Array;
use super::{Frames, Line, Packed};
use serde::{Deserialize, Serialize};

/// A table of numbers, coarsely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantized {
    /// The least number of each column.
    pub low: Array<f64>,
    /// The distance between neighbours of each column.
    pub step: Array<f64>,
    /// Column by column: the place of the first number, then differences of places, all modulo 65,536. First the lower
    /// bytes of all of them, then the upper ones.
    pub places: Array<u8>,
}

/// Largest quantized number of a column.
const LAST_PLACE: f64 = 65_535.0;
/// Maximum number of instants of a line.
const LINE_INSTANTS: usize = 512;
/// Number of parts into which the range of a column over a whole recording is resolved.
const RECORDING_PLACES: f64 = (1 << 20) as f64;

impl Quantized {
    /// Quantizes a table, row by row; `fine` is the sufficient resolution of each column. `None` if a value is not a
    /// finite number.
    pub fn of(rows: &[f64], fine: &[f64]) -> Option<Self> {
        let columns = fine.len();
        let count = rows.len().checked_div(columns).unwrap_or(0);
        let (mut low, mut step) = (Vec::with_capacity(columns), Vec::with_capacity(columns));
        let mut places: Vec<u16> = Vec::with_capacity(rows.len());
        for (column, fine) in fine.iter().enumerate() {
            let numbers = || (0..count).map(|row| rows[row * columns + column]);
            let (least, most) = numbers().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            if !numbers().all(f64::is_finite) {
                return None;
            }
            let distance = if most > least { ((most - least) / LAST_PLACE).max(*fine) } else { 0.0 };
            let mut last = 0;
            for number in numbers() {
                let place =
                    if distance > 0.0 { ((number - least) / distance).round().min(LAST_PLACE) as u16 } else { 0 };
                places.push(place.wrapping_sub(last));
                last = place;
            }
            low.push(if count > 0 { least } else { 0.0 });
            step.push(distance);
        }
        let bytes = |shift: u16| places.iter().map(move |place| (place >> shift) as u8);
        Some(Quantized { low: Array(low), step: Array(step), places: Array(bytes(0).chain(bytes(8)).collect()) })
    }

    /// The table, row by row.
    pub fn numbers(&self) -> Vec<f64> {
        let columns = self.low.0.len();
        let total = self.places.0.len() / 2;
        let rows = total.checked_div(columns).unwrap_or(0);
        let mut numbers = vec![0.0; total];
        for column in 0..columns {
            let mut place = 0_u16;
            for row in 0..rows {
                let at = column * rows + row;
                place = place.wrapping_add(u16::from_le_bytes([self.places.0[at], self.places.0[total + at]]));
                numbers[row * columns + column] = self.low.0[column] + self.step.0[column] * f64::from(place);
            }
        }
        numbers
    }
}

/// Least and largest number of each column over a whole recording.
#[derive(Default)]
struct Ranges(Vec<(f64, f64)>);

impl Ranges {
    fn take(&mut self, rows: &[f64], columns: usize) {
        self.0.resize(columns, (f64::INFINITY, f64::NEG_INFINITY));
        for row in rows.chunks_exact(columns.max(1)) {
            self.0.iter_mut().zip(row).for_each(|((least, most), x)| (*least, *most) = (least.min(*x), most.max(*x)));
        }
    }

    /// Sufficient resolution of each column.
    fn fine(&self) -> Vec<f64> {
        self.0.iter().map(|(least, most)| ((most - least) / RECORDING_PLACES).max(0.0)).collect()
    }
}

/// Merges frames of several lines into one, up to [`LINE_INSTANTS`] instants: each line has its own ranges, and the
/// lines of a watched run are short.
pub fn merged(lines: Vec<Line>) -> Vec<Line> {
    let mut all = Vec::new();
    let mut waiting: Option<Box<Frames>> = None;
    for line in lines {
        match (line, &mut waiting) {
            (Line::Frames(more), Some(frames)) if frames.len() < LINE_INSTANTS => frames.append(&more),
            (Line::Frames(frames), _) => all.extend(waiting.replace(frames).map(Line::Frames)),
            (end @ Line::End(_), _) => {
                all.extend(waiting.take().map(Line::Frames));
                all.push(end);
            }
            (line, _) => all.push(line),
        }
    }
    all.extend(waiting.map(Line::Frames));
    all
}

/// Quantizes all lines of a recording.
pub fn coarser(lines: Vec<Line>) -> impl Iterator<Item = Line> {
    let lines = merged(lines);
    let (mut channels, mut coordinates) = (0, 0);
    let (mut values, mut poses) = (Ranges::default(), Ranges::default());
    for line in &lines {
        match line {
            Line::Begin(begin) => {
                channels = begin.channels.len();
                let bodies = begin.scene.plants.iter().flat_map(|plant| &plant.bodies);
                coordinates = 7 * bodies.filter(|body| body.moving).count();
            }
            Line::Frames(frames) => {
                values.take(&frames.values.numbers(), channels);
                poses.take(&frames.poses.numbers(), coordinates);
            }
            _ => {}
        }
    }
    let (values, poses) = (values.fine(), poses.fine());
    lines.into_iter().map(move |line| {
        let Line::Frames(frames) = line else { return line };
        let table = |packed: &Packed, fine: &[f64]| {
            Quantized::of(&packed.numbers(), fine).map_or_else(|| packed.clone(), Packed::Q16)
        };
        let (values, poses) = (table(&frames.values, &values), table(&frames.poses, &poses));
        Line::Frames(Box::new(Frames { values, poses, ..*frames }))
    })
}
