//! A recorded signal, played back.
//!
//! Rows (tᵢ, xᵢ) are held, joined by straight lines, or by natural cubic splines. Two rows of one time are a jump; a
//! spline ends before it and begins anew after it. At each row where the signal or its rate jumps an event fires: no
//! step goes over it. At the row itself the old branch holds until the event, the new one after it.

use super::breaks::{Breaks, Jump};
use crate::operators::{hermite, natural_slopes};
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Tick, simultaneous};
use kinegraph_core::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};

/// Signal between two rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The value of the row before.
    Zero,
    /// A straight line.
    Linear,
    /// The natural cubic spline through all rows between two jumps.
    Cubic,
}

/// Signal before the first row, or after the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The value of the nearest row.
    Nearest,
    /// None: a run that asks for it stops with a fault, since the output is not a number.
    Fault,
}

/// Shortest wave of a cubic, in lengths of its segments: a polynomial of degree n has at most n/2 waves, and an eighth
/// of each is followed, as in `piecewise_polynomial`.
const WAVE: f64 = 8.0 / 3.0;

/// A recorded signal of n channels as a function of time.
pub struct Playback {
    /// Values, width n.
    pub output: Out<Dyn>,
    times: Vec<f64>,
    /// Row after row.
    values: Vec<f64>,
    /// Slopes at the rows of a cubic, row after row; at a jump each row has that of its side.
    slopes: Vec<f64>,
    width: usize,
    hold: Hold,
    /// Behaviour before the first row and after the last one.
    outside: [Outside; 2],
    jumps: Vec<Jump>,
    breaks: Breaks,
    ports: Ports,
}

impl Playback {
    /// A signal of `width` channels; `times` \[s\] never decrease, and at most two rows have the same. `values` has one
    /// number for each channel, row after row. `outside`: before the first row, and after the last one.
    ///
    /// # Errors
    /// No rows, a number of values that is not `width` times that of the rows, times that decrease or come three times,
    /// numbers that are not finite.
    pub fn new(
        width: usize,
        times: Vec<f64>,
        values: Vec<f64>,
        hold: Hold,
        outside: [Outside; 2],
    ) -> Result<Self, ParameterError> {
        if times.is_empty() {
            return Err(ParameterError::Empty { parameter: "times".into() });
        }
        parameter::finite("times", &times)?;
        let is_early = |i: &usize| {
            times[*i] < times[*i - 1] || (*i > 1 && times[*i] == times[*i - 1] && times[*i - 1] == times[*i - 2])
        };
        if let Some(index) = (1..times.len()).find(is_early) {
            let expected = "a time after that of the row before, or the second one of that time";
            return Err(ParameterError::Range { parameter: "times".into(), index, value: times[index], expected });
        }
        parameter::size("values", values.len(), width * times.len())?;
        parameter::finite("values", &values)?;
        let mut ports = Ports::new();
        let output = ports.output_of_width("output", width);
        let slopes = if hold == Hold::Cubic { slopes(width, &times, &values) } else { Vec::new() };
        let jumps = jumps(width, &times, &values, &slopes, hold);
        let instants = jumps.iter().map(|jump| times[jump.after - 1]).collect();
        let breaks = Breaks::declare(instants, &mut ports);
        Ok(Playback { output, times, values, slopes, width, hold, outside, jumps, breaks, ports })
    }

    /// Names the channels: one name for each, no two the same.
    #[must_use]
    pub fn named(mut self, names: Vec<String>) -> Self {
        self.ports.name_elements(self.output, names);
        self
    }

    /// Value of `channel` in `row`.
    fn value(&self, row: usize, channel: usize) -> f64 {
        self.values[row * self.width + channel]
    }

    fn between<S: Scalar>(&self, row: usize, channel: usize, time: S) -> S {
        let (from, to) = (self.value(row, channel), self.value(row + 1, channel));
        if self.hold == Hold::Zero {
            return S::constant(from);
        }
        let h = S::constant(self.times[row + 1] - self.times[row]);
        let (u, rise) = ((time - S::constant(self.times[row])) / h, S::constant(to - from));
        if self.hold == Hold::Linear {
            return S::constant(from) + u * rise;
        }
        let slope = |row: usize| self.slopes[row * self.width + channel];
        hermite(u, h, S::constant(from), rise, [slope(row), slope(row + 1)])
    }
}

/// Ranges of rows between jumps.
fn pieces(times: &[f64]) -> impl Iterator<Item = std::ops::Range<usize>> {
    let starts = (1..times.len()).filter(|&i| times[i] == times[i - 1]);
    let mut first = 0;
    starts.chain(std::iter::once(times.len())).map(move |end| std::mem::replace(&mut first, end)..end)
}

/// Slopes of the splines through the rows.
fn slopes(width: usize, times: &[f64], values: &[f64]) -> Vec<f64> {
    let mut slopes = vec![0.0; values.len()];
    for piece in pieces(times).filter(|piece| piece.len() > 1) {
        let lengths: Vec<f64> = times[piece.clone()].windows(2).map(|pair| pair[1] - pair[0]).collect();
        for channel in 0..width {
            let value = |row: usize| values[row * width + channel];
            let secant = |(i, h): (usize, &f64)| (value(piece.start + i + 1) - value(piece.start + i)) / h;
            let secants: Vec<f64> = lengths.iter().enumerate().map(secant).collect();
            for (row, slope) in piece.clone().zip(natural_slopes(&lengths, &secants)) {
                slopes[row * width + channel] = slope;
            }
        }
    }
    slopes
}

/// Rows where some channel or its rate jumps.
fn jumps(width: usize, times: &[f64], values: &[f64], slopes: &[f64], hold: Hold) -> Vec<Jump> {
    let last = times.len() - 1;
    let row = |row: usize| &values[row * width..(row + 1) * width];
    // The rate that each channel has between two rows.
    let rate = |from: usize, channel: usize| {
        let rise = values[(from + 1) * width + channel] - values[from * width + channel];
        rise / (times[from + 1] - times[from])
    };
    let mut jumps = Vec::new();
    let mut i = 0;
    while i <= last {
        let is_double = i < last && times[i + 1] == times[i];
        let end = if is_double { i + 1 } else { i };
        let (before, after) = (i > 0, end < last);
        let turns = |channel: usize| match hold {
            Hold::Zero => before && row(i)[channel] != row(i - 1)[channel],
            Hold::Linear => {
                let rates = [before.then(|| rate(i - 1, channel)), after.then(|| rate(end, channel))];
                rates[0].unwrap_or(0.0) != rates[1].unwrap_or(0.0)
            }
            Hold::Cubic => !(before && after) && slopes[i * width + channel] != 0.0,
        };
        if is_double || (0..width).any(turns) {
            jumps.push(Jump { before: i, after: end + 1 });
        }
        i = end + 1;
    }
    jumps
}

impl LeafSystem for Playback {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, (from, to): (f64, f64)) -> TimeVariation {
        if self.hold != Hold::Cubic {
            return TimeVariation::Period(f64::INFINITY);
        }
        let rows = self.times.partition_point(|&row| row <= from).saturating_sub(1);
        let within = self.times[rows..].windows(2).take_while(|ends| ends[0] < to);
        let shortest = within.map(|ends| ends[1] - ends[0]).filter(|h| *h > 0.0).fold(f64::INFINITY, f64::min);
        TimeVariation::Period(WAVE * shortest)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (time, last) = (ctx.time.value(), self.times.len() - 1);
        let behind = self.breaks.rows_behind(&self.times, &self.jumps, time, ctx.discrete);
        let is_outside = [time < self.times[0] - simultaneous(time), time > self.times[last] + simultaneous(time)];
        let missing = is_outside.iter().zip(&self.outside).any(|(is, does)| *is && *does == Outside::Fault);
        for (channel, out) in out.slice(self.output).iter_mut().enumerate() {
            *out = match behind {
                _ if missing => S::constant(f64::NAN),
                0 => S::constant(self.value(0, channel)),
                behind if behind > last => S::constant(self.value(last, channel)),
                behind => self.between(behind - 1, channel, ctx.time),
            };
        }
    }

    fn update(&self, tick: Tick, _ctx: &Context<f64>, next: &mut [f64]) {
        self.breaks.update(tick, next);
    }
}
