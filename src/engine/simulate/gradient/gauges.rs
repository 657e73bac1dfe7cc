//! Measures of one of the runs, by the motion within its steps.

use super::request::GradientError;
use crate::integrators::DenseStep;
use crate::measures::{Gauge, MeasureKind, Of};
use crate::simulate::sample::schedule_of;
use kinegraph_diagram::{Diagram, Schedule, State, Values};
use std::sync::Arc;

/// Intervals of a step at whose ends the channels are read.
const INTERVALS: usize = 8;

/// Measures of a run, channel by channel.
#[derive(Clone)]
pub(super) struct Gauges {
    diagram: Diagram,
    /// Index of the channel of each measure among all values; `None` of a time.
    channels: Vec<Option<usize>>,
    gauges: Vec<Option<Gauge>>,
    /// True for a measure of which only the last value counts.
    at_end: Vec<bool>,
    schedule: Schedule,
    values: Values<f64>,
    probe: State,
    times: Vec<f64>,
    rows: Vec<Vec<f64>>,
    /// Times at which the channels are read too \[s\], ascending, and how many of them have passed.
    at: Arc<[f64]>,
    passed: usize,
    /// The channels at these times, time after time.
    samples: Vec<f64>,
}

impl Gauges {
    pub fn new(diagram: &Diagram, of: &[Of], at: &Arc<[f64]>) -> Result<Self, GradientError> {
        let (mut channels, mut gauges, mut at_end, mut all) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for of in of {
            let Of::Measure(measure) = of else {
                channels.push(None);
                gauges.push(None);
                at_end.push(true);
                continue;
            };
            let found = diagram.find_channels(&measure.channel).map_err(Box::new)?;
            let [channel] = &*found else {
                return Err(GradientError::Several { name: measure.channel.clone(), width: found.len() });
            };
            channels.push(Some(channel.index));
            gauges.push(Some(Gauge::new(measure.kind)));
            at_end.push(measure.kind == MeasureKind::End);
            all.push(channel.clone());
        }
        Ok(Gauges {
            schedule: schedule_of(diagram, &all, |_| false),
            values: diagram.values(),
            diagram: diagram.clone(),
            rows: vec![Vec::new(); channels.len()],
            channels,
            gauges,
            at_end,
            probe: State::default(),
            times: Vec::new(),
            at: at.clone(),
            passed: 0,
            samples: Vec::new(),
        })
    }

    /// Sees the motion of a step over these times, with the discrete state of `before`.
    pub fn see_step(&mut self, before: &State, dense: &DenseStep, (from, to): (f64, f64)) {
        self.read_samples(before, dense, (from, to));
        if self.at_end.iter().all(|at_end| *at_end) || to <= from {
            return;
        }
        self.probe.clone_from(before);
        self.times.clear();
        self.rows.iter_mut().for_each(Vec::clear);
        for i in 0..=INTERVALS {
            let time = if i == INTERVALS { to } else { from + (to - from) * (i as f64 / INTERVALS as f64) };
            self.probe.time = time;
            dense.evaluate(time, &mut self.probe.continuous);
            self.diagram.evaluate_part(&self.schedule, &self.probe, &mut self.values);
            self.times.push(time);
            for (row, channel) in self.rows.iter_mut().zip(&self.channels) {
                row.extend(channel.map(|channel| self.values.arena()[channel]));
            }
        }
        for (gauge, row) in self.gauges.iter_mut().zip(&self.rows) {
            gauge.iter_mut().for_each(|gauge| gauge.take_smooth(&self.times, row));
        }
    }

    /// Reads the channels at the times asked for within a step.
    fn read_samples(&mut self, before: &State, dense: &DenseStep, (from, to): (f64, f64)) {
        while let Some(&time) = self.at.get(self.passed).filter(|time| **time < to && to > from) {
            self.probe.clone_from(before);
            self.probe.time = time.max(from);
            dense.evaluate(self.probe.time, &mut self.probe.continuous);
            self.diagram.evaluate_part(&self.schedule, &self.probe, &mut self.values);
            self.keep_sample();
        }
    }

    /// Keeps the channels as they were evaluated last.
    fn keep_sample(&mut self) {
        let channels = self.channels.iter();
        self.samples.extend(channels.map(|channel| channel.map_or(f64::NAN, |channel| self.values.arena()[channel])));
        self.passed += 1;
    }

    /// The channels at the times asked for, time after time.
    pub fn samples(&self) -> &[f64] {
        &self.samples
    }

    /// Sees `state`, after the events of its time.
    pub fn see_point(&mut self, state: &State) {
        while self.at.get(self.passed).is_some_and(|time| *time <= state.time) {
            self.diagram.evaluate_part(&self.schedule, state, &mut self.values);
            self.keep_sample();
        }
        self.diagram.evaluate_part(&self.schedule, state, &mut self.values);
        for (gauge, channel) in self.gauges.iter_mut().zip(&self.channels) {
            if let (Some(gauge), Some(channel)) = (gauge, channel) {
                gauge.take_smooth(&[state.time], &[self.values.arena()[*channel]]);
            }
        }
    }

    /// Outputs (block, port) that the measures read.
    pub fn outputs(&self, diagram: &Diagram) -> Vec<(usize, usize)> {
        let is_read = |range: &std::ops::Range<usize>| self.channels.iter().flatten().any(|i| range.contains(i));
        let blocks = diagram.blocks().iter().enumerate();
        let all = blocks.flat_map(|(b, block)| block.outputs.iter().enumerate().map(move |(port, at)| ((b, port), at)));
        all.filter(|(_, range)| is_read(range)).map(|(output, _)| output).collect()
    }

    /// The measures so far; `None` of one without a value, and of times.
    pub fn values(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.gauges.iter().map(|gauge| gauge.as_ref().and_then(Gauge::value))
    }
}
