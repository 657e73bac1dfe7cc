//! A recorded limit.

use kinegraph_files::LimitRows;

/// Values at times, joined by straight lines; the first and the last hold outside.
#[derive(Debug)]
pub(super) struct Rows {
    times: Vec<f64>,
    values: Vec<f64>,
}

impl Rows {
    pub fn new(rows: &LimitRows) -> Self {
        Rows { times: rows.times.clone(), values: rows.values.clone() }
    }

    /// Times and values, of evenly chosen rows if there are more than `most`.
    pub fn thinned(&self, most: usize) -> (Vec<f64>, Vec<f64>) {
        let last = self.times.len() - 1;
        let count = most.min(last + 1);
        let chosen = (0..count).map(|i| if count > last { i } else { i * last / (count - 1) });
        chosen.map(|i| (self.times[i], self.values[i])).unzip()
    }

    /// Times within `from` and `to`, at which the limit has a kink or a jump.
    pub fn kinks(&self, from: f64, to: f64) -> &[f64] {
        let first = self.times.partition_point(|time| *time <= from);
        let last = self.times.partition_point(|time| *time < to);
        &self.times[first..last.max(first)]
    }

    /// Value at the time `t`, on the line that holds at the time `beside`: at a jump the two sides differ.
    pub fn at(&self, t: f64, beside: f64) -> f64 {
        let next = self.times.partition_point(|time| *time <= beside);
        let (Some(before), Some(after)) = (next.checked_sub(1), Some(next).filter(|next| *next < self.times.len()))
        else {
            return self.values[next.min(self.values.len() - 1)];
        };
        let part = (t - self.times[before]) / (self.times[after] - self.times[before]);
        self.values[before] + part * (self.values[after] - self.values[before])
    }
}
