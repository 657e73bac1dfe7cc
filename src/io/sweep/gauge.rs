//! Computes the measures of a run while it goes on.

pub use kinegraph_engine::measures::Gauge;
use kinegraph_engine::measures::Measure;
use kinegraph_engine::simulate::{Observer, Sample};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Computes the measures of one run, one channel each.
pub(super) struct Gauges<'a> {
    all: Vec<Gauge>,
    /// Ends the run when set.
    stop: &'a AtomicBool,
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
