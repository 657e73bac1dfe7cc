//! Thins the points of a line for drawing: of the points within one column of pixels, only the first, lowest, highest
//! and last are kept, which colour the same pixels.

use std::ops::Range;

/// Columns of a panel: twice the number of its pixels, so that no point shifts visibly.
pub const COLUMNS: f64 = 2320.0;

/// Thins points that arrive in order of time.
pub struct Thinned {
    start: f64,
    per_time: f64,
    points: Vec<(f64, f64)>,
    /// Kept points of the present column: first, lowest, highest, last.
    column: Option<Column>,
}

struct Column {
    number: f64,
    /// Each with its number among the points of the column.
    kept: [(usize, (f64, f64)); 4],
    count: usize,
}

impl Thinned {
    /// Creates a thinner for lines over this range of time.
    pub fn over(times: &Range<f64>) -> Self {
        let per_time = COLUMNS / (times.end - times.start);
        Thinned { start: times.start, per_time, points: Vec::new(), column: None }
    }

    /// Adds the next point; one that is not a number breaks the line and is kept.
    pub fn push(&mut self, point: (f64, f64)) {
        if !point.1.is_finite() {
            self.end_column();
            // Consecutive breaks count as one.
            if self.points.last().is_none_or(|(_, value)| value.is_finite()) {
                self.points.push(point);
            }
            return;
        }
        let number = ((point.0 - self.start) * self.per_time).floor();
        match &mut self.column {
            Some(column) if column.number == number => {
                let at = (column.count, point);
                column.count += 1;
                if point.1 < column.kept[1].1.1 {
                    column.kept[1] = at;
                }
                if point.1 > column.kept[2].1.1 {
                    column.kept[2] = at;
                }
                column.kept[3] = at;
            }
            _ => {
                self.end_column();
                self.column = Some(Column { number, kept: [(0, point); 4], count: 1 });
            }
        }
    }

    fn end_column(&mut self) {
        let Some(Column { mut kept, .. }) = self.column.take() else { return };
        kept.sort_by_key(|(at, _)| *at);
        let mut last = None;
        for (at, point) in kept {
            if last != Some(at) {
                self.points.push(point);
            }
            last = Some(at);
        }
    }

    /// The points that are drawn.
    pub fn finish(mut self) -> Vec<(f64, f64)> {
        self.end_column();
        self.points
    }
}
