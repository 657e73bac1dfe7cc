//! Long recordings in less space: of each column of a table of numbers (a channel, a coordinate of a body), within one
//! line of the stream, 65,536 evenly spaced numbers from its least to its largest.
//!
//! What comes back is off by at most half of a 65,535th of the range of the column within the line. The numbers of a
//! column follow each other, as differences from one to the next: those of slow columns are small, and compress well.

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

/// Places per column beside the first.
const LAST: f64 = 65_535.0;

impl Quantized {
    /// A table of `columns` columns, row by row; `None` where it has numbers that are none.
    pub fn of(rows: &[f64], columns: usize) -> Option<Self> {
        let count = rows.len().checked_div(columns).unwrap_or(0);
        let (mut low, mut step) = (Vec::with_capacity(columns), Vec::with_capacity(columns));
        let mut places: Vec<u16> = Vec::with_capacity(rows.len());
        for column in 0..columns {
            let numbers = || (0..count).map(|row| rows[row * columns + column]);
            let (least, most) = numbers().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            if !numbers().all(f64::is_finite) {
                return None;
            }
            let distance = (most - least) / LAST;
            let mut last = 0;
            for number in numbers() {
                let place = if distance > 0.0 { ((number - least) / distance).round().min(LAST) as u16 } else { 0 };
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

/// The same line with coarser numbers.
pub fn coarser(line: Line, channels: usize, bodies: usize) -> Line {
    let Line::Frames(frames) = line else { return line };
    let frames = *frames;
    let table = |packed: Packed, columns: usize| match Quantized::of(&packed.numbers(), columns) {
        Some(quantized) => Packed::Q16(quantized),
        None => packed,
    };
    let (values, poses) = (table(frames.values.clone(), channels), table(frames.poses.clone(), 7 * bodies));
    Line::Frames(Box::new(Frames { values, poses, ..frames }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_within_their_promise() {
        let rows: Vec<f64> = (0..300)
            .flat_map(|i| {
                let t = f64::from(i) * 0.01;
                [t.sin(), 1e6 + t, 7.0, -1e-9 * t * t]
            })
            .collect();
        let found = Quantized::of(&rows, 4).unwrap().numbers();
        for (column, range) in [(0, 1.15), (1, 2.99), (2, 0.0), (3, 8.95e-9)] {
            for row in 0..300 {
                let (a, b) = (rows[4 * row + column], found[4 * row + column]);
                assert!((a - b).abs() <= 0.51 * range / 65_535.0 + 1e-15 * a.abs(), "{a} {b}");
            }
        }
        assert_eq!(Quantized::of(&[1.0, f64::NAN], 1), None);
        assert!(Quantized::of(&[], 3).unwrap().numbers().is_empty());
    }
}
