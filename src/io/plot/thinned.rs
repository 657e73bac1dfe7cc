//! Points of a line, as many as can be seen: of those within one column of pixels the first, the lowest, the highest
//! and the last are drawn, which colours the same pixels.

use std::ops::Range;

/// Columns of pixels of a panel; twice as many as there are, so that nothing shifts.
pub const COLUMNS: f64 = 2320.0;

/// Thins points that come in the order of time.
pub struct Thinned {
    start: f64,
    per_time: f64,
    points: Vec<(f64, f64)>,
    /// Points that came within the column so far, in their order: first, lowest, highest, last.
    column: Option<Column>,
}

struct Column {
    number: f64,
    /// With the number of each among those of the column.
    kept: [(usize, (f64, f64)); 4],
    count: usize,
}

impl Thinned {
    /// For lines over this axis of time.
    pub fn over(times: &Range<f64>) -> Self {
        let per_time = COLUMNS / (times.end - times.start);
        Thinned { start: times.start, per_time, points: Vec::new(), column: None }
    }

    /// The next point; one that is no number breaks the line and is kept.
    pub fn push(&mut self, point: (f64, f64)) {
        if !point.1.is_finite() {
            self.end_column();
            // One break is as good as several.
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
