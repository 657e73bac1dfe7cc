//! Takes the measures of a run while it goes on.

use super::measure::{Measure, MeasureKind};
use crate::simulate::{Observer, Sample};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Takes the measures of one run, one channel each.
pub(super) struct Gauges<'a> {
    all: Vec<Gauge>,
    /// Ends the run.
    stop: &'a AtomicBool,
}

struct Gauge {
    kind: MeasureKind,
    /// Time and value of the first sample and of the last.
    first: f64,
    last: Option<(f64, f64)>,
    /// What was gathered so far: an extreme, an integral, the time of the crossing.
    gathered: Option<f64>,
}

impl<'a> Gauges<'a> {
    pub fn new(measures: &[Measure], stop: &'a AtomicBool) -> Self {
        let gauge = |measure: &Measure| Gauge { kind: measure.kind, first: 0.0, last: None, gathered: None };
        Gauges { all: measures.iter().map(gauge).collect(), stop }
    }

    /// The first measure that is not a finite number, and its value.
    pub fn not_finite(&self) -> Option<(usize, f64)> {
        let values = self.all.iter().map(Gauge::value).enumerate();
        values.filter_map(|(i, value)| Some((i, value?))).find(|(_, value)| !value.is_finite())
    }

    /// The measures of a run that reached its end; `None` in place of not-a-number.
    pub fn values(&self) -> Vec<Option<f64>> {
        self.all.iter().map(Gauge::value).map(|value| value.filter(|value| !value.is_nan())).collect()
    }
}

impl Gauge {
    fn take(&mut self, time: f64, value: f64) {
        let before = self.last.replace((time, value));
        let Some((t, x)) = before else {
            self.first = time;
            self.gathered = match self.kind {
                MeasureKind::Max | MeasureKind::Min => Some(value),
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

    fn value(&self) -> Option<f64> {
        let (time, value) = self.last?;
        let over = time - self.first;
        match (self.kind, self.gathered) {
            (MeasureKind::End, _) => Some(value),
            // A run of no length has one value.
            (MeasureKind::Mean, Some(_)) if over <= 0.0 => Some(value),
            (MeasureKind::Rms, Some(_)) if over <= 0.0 => Some(value.abs()),
            (MeasureKind::Mean, Some(sum)) => Some(sum / over),
            (MeasureKind::Rms, Some(sum)) => Some((sum / over).sqrt()),
            (_, gathered) => gathered,
        }
    }
}

/// Where one is not-a-number there is neither a largest nor a smallest.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The measure of samples (time, value).
    fn of(kind: MeasureKind, samples: &[(f64, f64)]) -> Option<f64> {
        let mut gauge = Gauge { kind, first: 0.0, last: None, gathered: None };
        samples.iter().for_each(|(time, value)| gauge.take(*time, *value));
        gauge.value()
    }

    #[test]
    fn measures_are_what_their_names_say() {
        let ramp: Vec<(f64, f64)> = (0..=1000).map(|k| (1e-3 * f64::from(k), 2e-3 * f64::from(k) - 1.0)).collect();
        let close = |kind, expected: f64| {
            let found = of(kind, &ramp).unwrap();
            assert!((found - expected).abs() < 1e-6, "{kind:?}: {found}");
        };
        close(MeasureKind::End, 1.0);
        close(MeasureKind::Max, 1.0);
        close(MeasureKind::Min, -1.0);
        close(MeasureKind::Mean, 0.0);
        close(MeasureKind::Rms, 1.0 / 3f64.sqrt());
        close(MeasureKind::Crossing(0.3003), 0.65015);
        close(MeasureKind::Crossing(-1.0), 0.0);
        assert_eq!(of(MeasureKind::Crossing(1.5), &ramp), None);
        // Rising or falling; reaching the value without passing it counts.
        assert_eq!(of(MeasureKind::Crossing(0.0), &[(0.0, 1.0), (1.0, -1.0), (2.0, 1.0)]), Some(0.5));
        assert_eq!(of(MeasureKind::Crossing(0.0), &[(0.0, 1.0), (1.0, 0.0), (2.0, 1.0)]), Some(1.0));
    }

    #[test]
    fn a_run_of_no_length_has_one_value() {
        assert_eq!(of(MeasureKind::Mean, &[(0.0, -2.0)]), Some(-2.0));
        assert_eq!(of(MeasureKind::Rms, &[(0.0, -2.0)]), Some(2.0));
        assert_eq!(of(MeasureKind::End, &[]), None);
    }
}
