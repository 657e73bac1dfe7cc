//! Computes the measures of a run while it goes on.

use super::measure::{Measure, MeasureKind};
use kinegraph_engine::simulate::{Observer, Sample};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Computes the measures of one run, one channel each.
pub(super) struct Gauges<'a> {
    all: Vec<Gauge>,
    /// Ends the run when set.
    stop: &'a AtomicBool,
}

/// Computes one measure of a channel.
pub struct Gauge {
    kind: MeasureKind,
    /// Time and value of the first sample and of the last.
    first: f64,
    last: Option<(f64, f64)>,
    /// Value so far: an extreme, an integral, the time of the crossing.
    gathered: Option<f64>,
}

impl<'a> Gauges<'a> {
    pub fn new(measures: &[Measure], stop: &'a AtomicBool) -> Self {
        Gauges { all: measures.iter().map(|measure| Gauge::new(measure.kind)).collect(), stop }
    }

    /// Index of the first measure that is not a finite number, and its value.
    pub fn not_finite(&self) -> Option<(usize, f64)> {
        let values = self.all.iter().map(Gauge::value).enumerate();
        values.filter_map(|(i, value)| Some((i, value?))).find(|(_, value)| !value.is_finite())
    }

    /// Measures of a run that reached its end; `None` for not-a-number.
    pub fn values(&self) -> Vec<Option<f64>> {
        self.all.iter().map(Gauge::value).map(|value| value.filter(|value| !value.is_nan())).collect()
    }
}

impl Gauge {
    /// Creates a gauge without samples.
    pub fn new(kind: MeasureKind) -> Self {
        Gauge { kind, first: 0.0, last: None, gathered: None }
    }

    /// Adds the next sample.
    pub fn take(&mut self, time: f64, value: f64) {
        let before = self.last.replace((time, value));
        let Some((t, x)) = before else {
            self.first = time;
            self.gathered = match self.kind {
                MeasureKind::Max | MeasureKind::Min => Some(value),
                MeasureKind::Peak => Some(value.abs()),
                MeasureKind::Mean | MeasureKind::Rms => Some(0.0),
                MeasureKind::Crossing(level) => (value == level).then_some(time),
                MeasureKind::End => None,
            };
            return;
        };
        let trapezoid = |a: f64, b: f64| 0.5 * (a + b) * (time - t);
        match (self.kind, &mut self.gathered) {
            (MeasureKind::Max, Some(most)) => *most = extreme(*most, value, f64::max),
            (MeasureKind::Min, Some(least)) => *least = extreme(*least, value, f64::min),
            (MeasureKind::Peak, Some(most)) => *most = extreme(*most, value.abs(), f64::max),
            (MeasureKind::Mean, Some(sum)) => *sum += trapezoid(x, value),
            (MeasureKind::Rms, Some(sum)) => *sum += trapezoid(x * x, value * value),
            (MeasureKind::Crossing(level), found @ None) => {
                let (a, b) = (x - level, value - level);
                if a * b < 0.0 || b == 0.0 {
                    *found = Some(t + (time - t) * a / (a - b));
                }
            }
            _ => {}
        }
    }

    /// Measure of the samples; `None` without samples.
    pub fn value(&self) -> Option<f64> {
        let (time, value) = self.last?;
        let over = time - self.first;
        match (self.kind, self.gathered) {
            (MeasureKind::End, _) => Some(value),
            // A run of zero length has one value.
            (MeasureKind::Mean, Some(_)) if over <= 0.0 => Some(value),
            (MeasureKind::Rms, Some(_)) if over <= 0.0 => Some(value.abs()),
            (MeasureKind::Mean, Some(sum)) => Some(sum / over),
            (MeasureKind::Rms, Some(sum)) => Some((sum / over).sqrt()),
            (_, gathered) => gathered,
        }
    }
}

/// Extreme of two values; not-a-number if one of them is.
fn extreme(a: f64, b: f64, of: fn(f64, f64) -> f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { of(a, b) }
}

impl Observer for Gauges<'_> {
    fn wants_samples(&self) -> bool {
        !self.all.is_empty()
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        let time = sample.time();
        for (gauge, value) in self.all.iter_mut().zip(sample.values()) {
            gauge.take(time, *value);
        }
        Ok(())
    }

    fn wants_end(&self) -> Option<String> {
        self.stop.load(Ordering::Relaxed).then(|| "the sweep ends".to_owned())
    }
}
