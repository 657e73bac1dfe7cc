//! A path through given values at given times.

use crate::parameter::{self, ParameterError};
use crate::{Context, Dyn, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};

/// A piecewise cubic function of time through knots (tᵢ, xᵢ), constant before the first knot and after the last.
///
/// On a segment of length h = tᵢ₊₁ - tᵢ, with u = (t - tᵢ)/h and s = 3u² - 2u³, cubic Hermite interpolation is
/// `x = xᵢ + s (xᵢ₊₁ - xᵢ) + h u (1-u)² mᵢ - h u² (1-u) mᵢ₊₁`, where mᵢ are the velocities at the knots. With zero
/// knot velocities (the default) every knot is a rest.
///
/// Where knot velocities are given and the first or the last is not zero, the velocity jumps to zero at that end.
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
    ports: Ports,
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
        parameter::finite("times", &times)?;
        if let Some(i) = (1..times.len()).find(|&i| times[i] <= times[i - 1]) {
            let (value, previous) = (times[i], times[i - 1]);
            return Err(ParameterError::NotIncreasing { parameter: "times".into(), index: i, value, previous });
        }
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
        Ok(Trajectory {
            position: ports.output_of_width("position", width),
            velocity: ports.output_of_width("velocity", width),
            state: ports.output_of_width("state", 2 * width),
            times,
            values,
            velocities,
            ports,
        })
    }

    /// Position and velocity of channel `channel` at `time`.
    fn at<S: Scalar>(&self, channel: usize, time: S) -> (S, S) {
        let value = |knot: usize| S::constant(self.values[knot][channel]);
        let last = self.times.len() - 1;
        // The segment with tᵢ <= t < tᵢ₊₁.
        let after = self.times.partition_point(|&knot| knot <= time.value());
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
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let width = self.values[0].len();
        for channel in 0..width {
            let (x, v) = self.at(channel, ctx.time);
            out.slice(self.position)[channel] = x;
            out.slice(self.velocity)[channel] = v;
            out.slice(self.state)[channel] = x;
            out.slice(self.state)[width + channel] = v;
        }
    }
}
