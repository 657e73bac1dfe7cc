//! Judges a run while it goes on.

use super::follow::Lowest;
use super::side::{Moment, Side};
use super::{Ask, Requirement, Requirements};
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::measures::Gauge;
use kinegraph_engine::simulate::{Observer, RequirementReport, Sampler, StepMotion, Verdict};
use std::io;

/// Intervals into which a step is divided; extremes within are found from there.
const INTERVALS: usize = 8;

/// Observer that judges a run by its requirements.
pub struct Monitor<'a> {
    requirements: &'a Requirements,
    sampler: Sampler,
    watches: Vec<Watch>,
    grid: Grid,
}

/// Observations of a requirement.
struct Watch {
    /// Values of all channels where its window begins.
    first: Option<Vec<f64>>,
    lowest: Lowest,
    gauge: Option<Gauge>,
}

/// Times within a step and the channels there.
#[derive(Default)]
struct Grid {
    times: Vec<f64>,
    /// Values of all channels, time after time.
    rows: Vec<f64>,
    width: usize,
    /// Margins of one side, or values of one channel.
    column: Vec<f64>,
}

impl Grid {
    /// Divides the time from `from` to `to` of a step.
    fn divide(&mut self, (from, to): (f64, f64), intervals: usize, motion: &mut StepMotion<'_>, sampler: &mut Sampler) {
        self.times.clear();
        self.rows.clear();
        for i in 0..=intervals {
            let time = if i == intervals { to } else { from + (to - from) * (i as f64 / intervals as f64) };
            let row = motion.values(sampler, time);
            self.times.push(time);
            self.rows.extend_from_slice(row);
            self.width = row.len();
        }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.width..(i + 1) * self.width]
    }

    /// Sets the column to a number of each row.
    fn set_column(&mut self, mut of: impl FnMut(f64, &[f64]) -> f64) {
        let mut column = std::mem::take(&mut self.column);
        column.clear();
        column.extend((0..self.times.len()).map(|i| of(self.times[i], self.row(i))));
        self.column = column;
    }
}

impl<'a> Monitor<'a> {
    pub(super) fn new(requirements: &'a Requirements, diagram: &Diagram) -> Self {
        let watch = |one: &Requirement| Watch {
            first: None,
            lowest: Lowest::default(),
            gauge: match &one.ask {
                Ask::Measured { measure, .. } => Some(Gauge::new(measure.kind)),
                _ => None,
            },
        };
        let watches = requirements.all.iter().map(watch).collect();
        let sampler = Sampler::new(diagram, &requirements.channels);
        Monitor { requirements, sampler, watches, grid: Grid::default() }
    }

    /// Judges on in another diagram, which has the same channels.
    pub fn turn_to(&mut self, diagram: &Diagram) {
        let find = |known: &Channel| diagram.find_channels(&known.name).ok()?.into_iter().next();
        let channels: Option<Vec<Channel>> = self.requirements.channels.iter().map(find).collect();
        if let Some(channels) = channels {
            self.sampler = Sampler::new(diagram, &channels);
        }
    }

    /// Sees a step from `from` to `to`.
    fn see_step(&mut self, (from, to): (f64, f64), motion: &mut StepMotion<'_>) {
        let Monitor { requirements, sampler, watches, grid, .. } = self;
        let mut is_whole = false;
        for (requirement, watch) in requirements.all.iter().zip(watches) {
            let window = (from.max(requirement.window.0), to.min(requirement.window.1));
            if window.1 - window.0 <= simultaneous(to) {
                continue;
            }
            let sides: &[Side] = match &requirement.ask {
                Ask::Always(sides) => sides,
                Ask::Eventually(side) => std::slice::from_ref(side),
                Ask::Measured { .. } => &[],
            };
            let mut cuts: Vec<f64> = sides.iter().flat_map(|side| side.kinks(window.0, window.1)).copied().collect();
            cuts.sort_by(f64::total_cmp);
            cuts.dedup();
            cuts.push(window.1);
            let (mut begin, pieces) = (window.0, cuts.len());
            for end in cuts {
                let is_step = (begin, end) == (from, to);
                if !(is_step && is_whole) {
                    let intervals = if pieces == 1 { INTERVALS } else { (INTERVALS / pieces).max(2) };
                    grid.divide((begin, end), intervals, motion, sampler);
                }
                is_whole = is_step;
                watch.see_piece(requirement, sides, grid, motion, sampler);
                begin = end;
            }
        }
    }

    /// Sees the channels at one time, where `row` has their values.
    fn see_point(requirements: &Requirements, watches: &mut [Watch], time: f64, row: &[f64]) {
        for (requirement, watch) in requirements.all.iter().zip(watches) {
            let (from, until) = requirement.window;
            if time + simultaneous(time) < from || time >= until {
                continue;
            }
            let first = watch.first.get_or_insert_with(|| row.to_vec());
            let moment = Moment { time, beside: time, row, first };
            match &requirement.ask {
                Ask::Always(sides) => sides.iter().for_each(|side| watch.lowest.see(time, side.margin(&moment))),
                Ask::Eventually(side) => watch.lowest.see(time, -side.margin(&moment)),
                Ask::Measured { channel, .. } => {
                    watch.gauge.iter_mut().for_each(|gauge| gauge.take_smooth(&[time], &[row[*channel]]));
                }
            }
        }
    }

    /// Result of each requirement of a run that ended at `time`; `done` if that was its end.
    pub fn report(&self, time: f64, done: bool) -> Vec<RequirementReport> {
        let each = self.requirements.all.iter().zip(&self.watches);
        each.map(|(requirement, watch)| watch.report(requirement, time, done)).collect()
    }
}

impl Watch {
    /// Sees a piece of a step, on whose evenly spaced times `grid` has the channels.
    fn see_piece(
        &mut self,
        requirement: &Requirement,
        sides: &[Side],
        grid: &mut Grid,
        motion: &mut StepMotion<'_>,
        sampler: &mut Sampler,
    ) {
        if let (Ask::Measured { channel, .. }, Some(gauge)) = (&requirement.ask, &mut self.gauge) {
            grid.set_column(|_, row| row[*channel]);
            gauge.take_smooth(&grid.times, &grid.column);
            return;
        }
        let first = self.first.get_or_insert_with(|| grid.row(0).to_vec());
        let (from, to) = (grid.times[0], grid.times[grid.times.len() - 1]);
        let beside = from + 0.5 * (to - from);
        let sign = if matches!(requirement.ask, Ask::Eventually(_)) { -1.0 } else { 1.0 };
        for side in sides {
            let margin = |time: f64, row: &[f64]| sign * side.margin(&Moment { time, beside, row, first });
            grid.set_column(margin);
            self.lowest.follow(&grid.times, &grid.column, |time| margin(time, motion.values(sampler, time)));
        }
    }

    fn report(&self, requirement: &Requirement, time: f64, done: bool) -> RequirementReport {
        let Lowest { least: (least, at), violated_at, seen } = self.lowest;
        let until = requirement.window.1;
        let is_over = done || time >= until - simultaneous(until);
        let blank = RequirementReport {
            name: requirement.name.clone(),
            verdict: Verdict::Undecided,
            violated_at: None,
            margin: None,
            margin_at: None,
            unit: requirement.unit.clone(),
            value: None,
        };
        let found = |margin: f64| (seen && !margin.is_nan()).then_some(margin);
        match &requirement.ask {
            Ask::Always(_) => {
                let verdict = match violated_at {
                    Some(_) => Verdict::Violated,
                    None if seen && is_over => Verdict::Met,
                    None => Verdict::Undecided,
                };
                // A sum, so that zero has no sign.
                let margin = found(least).map(|margin| margin + 0.0);
                RequirementReport { verdict, violated_at, margin, margin_at: margin.map(|_| at), ..blank }
            }
            Ask::Eventually(_) => {
                // What is followed is the contrary: its first violation is the event.
                let verdict = match violated_at {
                    Some(_) if !least.is_nan() => Verdict::Met,
                    _ if seen && is_over => Verdict::Violated,
                    _ => Verdict::Undecided,
                };
                let margin = found(least).map(|margin| 0.0 - margin);
                let violated_at = (verdict == Verdict::Violated).then(|| time.min(until));
                RequirementReport { verdict, violated_at, margin, margin_at: margin.map(|_| at), ..blank }
            }
            Ask::Measured { low, high, .. } if done => {
                let value = self.gauge.as_ref().and_then(Gauge::value).filter(|value| !value.is_nan());
                let below = value.zip(*high).map(|(value, high)| high - value);
                let above = value.zip(*low).map(|(value, low)| value - low);
                let margin = below.into_iter().chain(above).reduce(f64::min);
                let is_met = margin.is_some_and(|margin| margin >= 0.0);
                let verdict = if is_met { Verdict::Met } else { Verdict::Violated };
                RequirementReport { verdict, violated_at: (!is_met).then_some(time), margin, value, ..blank }
            }
            Ask::Measured { .. } => blank,
        }
    }
}

impl Observer for Monitor<'_> {
    fn wants_samples(&self) -> bool {
        false
    }

    fn wants_motion(&self) -> bool {
        true
    }

    fn motion(&mut self, motion: &mut StepMotion<'_>) -> io::Result<()> {
        let (from, to) = motion.times();
        if to > from {
            self.see_step((from, to), motion);
        }
        // The start, and the end after its events.
        if to <= from {
            let row = motion.values_after(&mut self.sampler);
            Self::see_point(self.requirements, &mut self.watches, to, row);
        }
        Ok(())
    }
}
