//! Values of the recorded channels at the recorded times.

/// Values of channels at times, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    /// Values of all channels at the first time, then at the next.
    values: Vec<f64>,
    width: usize,
    len: usize,
}

impl Rows {
    /// Adds the values of the channels at the next time.
    pub fn push(&mut self, values: &[f64]) {
        (self.width, self.len) = (values.len(), self.len + 1);
        self.values.extend_from_slice(values);
    }

    /// The values at time `k`.
    pub fn row(&self, k: usize) -> &[f64] {
        &self.values[k * self.width..(k + 1) * self.width]
    }

    /// Number of times.
    pub fn len(&self) -> usize {
        self.len
    }
}

/// Times at which a run is read: each of `times`, and `shift` \[s\] before and after it, limited to about half of the
/// distance to the next time. Each comes with the index of the time that it is near.
pub(super) fn times_around(times: &[f64], shift: f64) -> Vec<(f64, usize)> {
    /// A little less than half, so that the times of neighbours do not coincide.
    const PART_OF_GAP: f64 = 0.45;
    let mut around = Vec::with_capacity(3 * times.len());
    for (k, &time) in times.iter().enumerate() {
        let gap = |other: Option<&f64>| other.map_or(0.0, |other| PART_OF_GAP * (other - time).abs()).min(shift);
        let before = gap(k.checked_sub(1).and_then(|k| times.get(k)));
        let after = gap(times.get(k + 1));
        let near = [time - before, time, time + after];
        around.extend(near.into_iter().map(|time| (time, k)));
    }
    around.dedup_by(|next, last| next.0 <= last.0);
    around
}
