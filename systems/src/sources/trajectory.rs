//! A path through given values at given times.

use super::breaks::{Breaks, Jump};
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::Tick;
use kinegraph_core::{Context, Dyn, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar, TimeVariation};

/// A piecewise cubic function of time through knots (tᵢ, xᵢ), constant before the first knot and after the last.
///
/// On a segment of length h = tᵢ₊₁ - tᵢ, with u = (t - tᵢ)/h and s = 3u² - 2u³, cubic Hermite interpolation is
/// `x = xᵢ + s (xᵢ₊₁ - xᵢ) + h u (1-u)² mᵢ - h u² (1-u) mᵢ₊₁`, where mᵢ are the velocities at the knots. With zero
/// knot velocities (the default) the path rests at every knot.
///
/// If knot velocities are given and the first or the last is not zero, the velocity jumps at that end, between it and
/// zero. At most knots the second derivative jumps: it is `(6 r/h - 4 mᵢ - 2 mᵢ₊₁)/h` at the begin of a segment with
/// `r = xᵢ₊₁ - xᵢ`, and `(2 mᵢ + 4 mᵢ₊₁ - 6 r/h)/h` at its end. Both happen at events: no step goes over them. At the
/// knot itself the old branch holds until the event, the new one after it. Jumps of the second derivative by less than
/// a hundredth of the largest one of the path are no events: a finely sampled path has many of those.
pub struct Trajectory {
    /// x(t), width n.
    pub position: Out<Dyn>,
    /// dx/dt, width n \[1/s\].
    pub velocity: Out<Dyn>,
    /// x(t), then dx/dt; width 2n.
    pub state: Out<MultibodyState>,
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
    velocities: Option<Vec<Vec<f64>>>,
    /// The knots at which a derivative jumps.
    jumps: Option<Jumps>,
    ports: Ports,
}

/// Knots at which a derivative jumps, as events.
struct Jumps {
    knots: Vec<Jump>,
    breaks: Breaks,
}

/// Smallest jump of the second derivative that is an event, relative to the largest second derivative of the path.
const SMALL_JUMP: f64 = 0.01;

/// The knots at which the velocity or the second derivative of some channel jumps.
fn jumps(times: &[f64], values: &[Vec<f64>], velocities: Option<&[Vec<f64>]>) -> Vec<usize> {
    let end = times.len() - 1;
    // A single knot is constant on both sides.
    if end == 0 {
        return Vec::new();
    }
    let slope = |knot: usize, channel: usize| velocities.map_or(0.0, |velocities| velocities[knot][channel]);
    let mut jump = vec![false; times.len()];
    (0..values[0].len()).for_each(|channel| {
        // The second derivative of each segment at its begin and at its end; outside of the path it is zero.
        let segment = |i: usize| {
            let h = times[i + 1] - times[i];
            let steepness = 6.0 * (values[i + 1][channel] - values[i][channel]) / h;
            let (from, to) = (slope(i, channel), slope(i + 1, channel));
            [(steepness - 4.0 * from - 2.0 * to) / h, (2.0 * from + 4.0 * to - steepness) / h]
        };
        let segments: Vec<[f64; 2]> = (0..end).map(segment).collect();
        let largest = segments.iter().flatten().fold(0.0_f64, |largest, a| largest.max(a.abs()));
        for (knot, jump) in jump.iter_mut().enumerate() {
            let before = if knot > 0 { segments[knot - 1][1] } else { 0.0 };
            let after = if knot < end { segments[knot][0] } else { 0.0 };
            *jump |= (after - before).abs() > SMALL_JUMP * largest;
        }
        jump[0] |= slope(0, channel) != 0.0;
        jump[end] |= slope(end, channel) != 0.0;
    });
    (0..times.len()).filter(|&knot| jump[knot]).collect()
}

impl Trajectory {
    /// A path that rests at each knot. `times` \[s\] increase strictly; `values` has one list of n elements per time.
    ///
    /// # Errors
    /// No knots, lists of different lengths, times that do not increase, numbers that are not finite.
    pub fn new(times: Vec<f64>, values: Vec<Vec<f64>>) -> Result<Self, ParameterError> {
        Self::make(times, values, None)
    }

    /// A path with the given velocity at each knot (one list of n elements per time) \[1/s\].
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_velocities(
        times: Vec<f64>,
        values: Vec<Vec<f64>>,
        velocities: Vec<Vec<f64>>,
    ) -> Result<Self, ParameterError> {
        Self::make(times, values, Some(velocities))
    }

    fn make(times: Vec<f64>, values: Vec<Vec<f64>>, velocities: Option<Vec<Vec<f64>>>) -> Result<Self, ParameterError> {
        parameter::increasing("times", &times)?;
        let Some(width) = values.first().map(Vec::len) else {
            return Err(ParameterError::Empty { parameter: "values".into() });
        };
        for (parameter, lists) in [("values", Some(&values)), ("velocities", velocities.as_ref())] {
            let Some(lists) = lists else { continue };
            parameter::size(parameter, lists.len(), times.len())?;
            for (i, list) in lists.iter().enumerate() {
                let name = format!("{parameter}[{i}]");
                parameter::size(&name, list.len(), width)?;
                parameter::finite(&name, list)?;
            }
        }
        let mut ports = Ports::new();
        let knots = jumps(&times, &values, velocities.as_deref());
        let jumps = (!knots.is_empty()).then(|| {
            let instants = knots.iter().map(|&knot| times[knot]).collect();
            let knots = knots.into_iter().map(|knot| Jump { before: knot, after: knot + 1 }).collect();
            Jumps { knots, breaks: Breaks::declare(instants, &mut ports) }
        });
        Ok(Trajectory {
            position: ports.output_of_width("position", width),
            velocity: ports.output_of_width("velocity", width),
            state: ports.output_of_width("state", 2 * width),
            times,
            values,
            velocities,
            jumps,
            ports,
        })
    }

    /// Number of knots passed at `time`: the segment is the one with tᵢ <= t < tᵢ₊₁, except that at a knot where a
    /// derivative jumps the discrete state states the side.
    fn knots_behind(&self, time: f64, discrete: &[f64]) -> usize {
        match &self.jumps {
            Some(Jumps { knots, breaks }) => breaks.rows_behind(&self.times, knots, time, discrete),
            None => self.times.partition_point(|&knot| knot <= time),
        }
    }

    /// Position and velocity of channel `channel` at `time`, with `after` knots passed.
    fn at<S: Scalar>(&self, channel: usize, time: S, after: usize) -> (S, S) {
        let value = |knot: usize| S::constant(self.values[knot][channel]);
        let last = self.times.len() - 1;
        if after == 0 {
            return (value(0), S::zero());
        }
        if after > last {
            return (value(last), S::zero());
        }
        let i = after - 1;
        let h = S::constant(self.times[i + 1] - self.times[i]);
        let u = (time - S::constant(self.times[i])) / h;
        let (one, two, three, six) = (S::one(), S::constant(2.0), S::constant(3.0), S::constant(6.0));
        let rise = value(i + 1) - value(i);
        let mut x = value(i) + u * u * (three - two * u) * rise;
        let mut v = six * u * (one - u) * rise / h;
        if let Some(slopes) = &self.velocities {
            let (from, to) = (S::constant(slopes[i][channel]), S::constant(slopes[i + 1][channel]));
            x += h * u * (one - u) * ((one - u) * from - u * to);
            v += (one - u) * (one - three * u) * from - u * (two - three * u) * to;
        }
        (x, v)
    }
}

impl LeafSystem for Trajectory {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        let first = self.times.partition_point(|&knot| knot <= times.0).saturating_sub(1);
        let last = self.times.partition_point(|&knot| knot < times.1) + 1;
        let knots = self.times.get(first..last.min(self.times.len())).unwrap_or_default();
        // A few samples per segment show the shape of a cubic.
        let waves = knots.windows(2).map(|ends| 4.0 * (ends[1] - ends[0]));
        TimeVariation::Period(waves.fold(f64::INFINITY, f64::min))
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let width = self.values[0].len();
        let after = self.knots_behind(ctx.time.value(), ctx.discrete);
        for channel in 0..width {
            let (x, v) = self.at(channel, ctx.time, after);
            out.slice(self.position)[channel] = x;
            out.slice(self.velocity)[channel] = v;
            out.slice(self.state)[channel] = x;
            out.slice(self.state)[width + channel] = v;
        }
    }

    fn update(&self, tick: Tick, _ctx: &Context<f64>, next: &mut [f64]) {
        if let Some(jumps) = &self.jumps {
            jumps.breaks.update(tick, next);
        }
    }
}
