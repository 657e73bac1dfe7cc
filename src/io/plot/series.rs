//! Channels over time, and the observer that collects them.

use super::time_plot::{TimePlot, draw};
use kinegraph_engine::simulate::{Observer, RunStart, Sample};
use std::io;
use std::path::PathBuf;

/// A channel over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// True if it changes at sample times only.
    pub sampled: bool,
    /// One value for each time of the plot.
    pub values: Vec<f64>,
}

/// Collects the recorded channels of a run and draws them at its end, also after a failure.
pub struct PlotSink {
    path: PathBuf,
    plot: TimePlot,
}

impl PlotSink {
    /// Creates a sink that draws into the file at `path`.
    pub fn new(path: PathBuf) -> Self {
        PlotSink { path, plot: TimePlot::default() }
    }
}

impl Observer for PlotSink {
    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        self.plot.title = run.diagram.name().to_owned();
        self.plot.series = run
            .channels
            .iter()
            .map(|channel| Series {
                name: channel.name.clone(),
                unit: channel.unit.to_string(),
                sampled: channel.sampled,
                values: Vec::new(),
            })
            .collect();
        Ok(())
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        self.plot.times.push(sample.time());
        for (series, value) in self.plot.series.iter_mut().zip(sample.values()) {
            series.values.push(*value);
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        draw(&self.plot, &self.path)
            .map_err(|error| io::Error::other(format!("--plot {}: {error}", self.path.display())))
    }
}
