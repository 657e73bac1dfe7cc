//! A path through given values at given times.

use super::breaks::Breaks;
use crate::parameter::{self, ParameterError};
use crate::port::Tick;
use crate::{Context, Dyn, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};

/// A piecewise cubic function of time through knots (tᵢ, xᵢ), constant before the first knot and after the last.
///
/// On a segment of length h = tᵢ₊₁ - tᵢ, with u = (t - tᵢ)/h and s = 3u² - 2u³, cubic Hermite interpolation is
/// `x = xᵢ + s (xᵢ₊₁ - xᵢ) + h u (1-u)² mᵢ - h u² (1-u) mᵢ₊₁`, where mᵢ are the velocities at the knots. With zero
/// knot velocities (the default) every knot is a rest.
///
/// Where knot velocities are given and the first or the last is not zero, the velocity jumps at that end, between it
/// and zero. At most knots the second derivative jumps: it is `(6 r/h - 4 mᵢ - 2 mᵢ₊₁)/h` at the begin of a segment
/// with `r = xᵢ₊₁ - xᵢ`, and `(2 mᵢ + 4 mᵢ₊₁ - 6 r/h)/h` at its end. Both happen at events: no step goes over them. At
/// the knot itself the old branch holds until the event, the new one after it. Jumps of the second derivative by less
/// than a hundredth of the largest one of the path are no events: a path sampled finely has many of those.
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

/// Where a derivative jumps.
struct Jumps {
    knots: Vec<usize>,
    breaks: Breaks,
}

/// Smaller jumps of the second derivative are no events, relative to the largest second derivative of the path.
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
        // Of each segment the second derivative at its begin and at its end, in between zero outside.
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

    /// The number of knots that lie behind at `time`: the segment is the one with tᵢ <= t < tᵢ₊₁, but at a knot where a
    /// derivative jumps the discrete state states the side.
    fn knots_behind(&self, time: f64, discrete: &[f64]) -> usize {
        let (knots, behind) = (self.times.len(), self.times.partition_point(|&knot| knot <= time));
        let Some(jumps) = &self.jumps else { return behind };
        let passed = jumps.breaks.passed(time, discrete);
        // Rounding may put the time on the other side of the knot.
        let least = if passed > 0 { jumps.knots[passed - 1] + 1 } else { 0 };
        behind.clamp(least, jumps.knots.get(passed).copied().unwrap_or(knots))
    }

    /// Position and velocity of channel `channel` at `time`, with `after` knots behind.
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
    fn ports(&self) -> &Ports {
        &self.ports
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    fn rest_to_rest() -> Trajectory {
        Trajectory::new(vec![1.0, 3.0, 4.0], vec![vec![0.0, 5.0], vec![2.0, 5.0], vec![-1.0, 0.0]]).unwrap()
    }

    #[test]
    fn conforms() {
        conformance::check(&rest_to_rest());
        let values = vec![vec![0.3], vec![-1.0], vec![2.0]];
        let velocities = vec![vec![1.0], vec![-2.0], vec![0.5]];
        // The first knot is before and the last after every sample: the velocity jumps there.
        conformance::check(&Trajectory::with_velocities(vec![-1.0, 1.3, 5.0], values, velocities).unwrap());
    }

    #[test]
    fn rests_at_knots_and_is_steepest_half_way() {
        let path = rest_to_rest();
        let state = |time: f64| Bench::new(&path).time(time).eval(path.state);
        for (time, expected) in [
            (0.0, [0.0, 5.0, 0.0, 0.0]),
            (1.0, [0.0, 5.0, 0.0, 0.0]),
            // Half way: s = 1/2, ds/dt = 3/2 / h.
            (2.0, [1.0, 5.0, 1.5, 0.0]),
            (3.0, [2.0, 5.0, 0.0, 0.0]),
            (3.5, [0.5, 2.5, -4.5, -7.5]),
            (4.0, [-1.0, 0.0, 0.0, 0.0]),
            (9.0, [-1.0, 0.0, 0.0, 0.0]),
        ] {
            for (x, expected) in state(time).iter().zip(expected) {
                assert!((x - expected).abs() < 1e-14, "at {time}: {x} instead of {expected}");
            }
        }
        let parts = [Bench::new(&path).time(1.7).eval(path.position), Bench::new(&path).time(1.7).eval(path.velocity)];
        assert_eq!(state(1.7), parts.concat());
    }

    #[test]
    fn with_knot_velocities_a_cubic_is_reproduced() {
        let x = |t: f64| 2.0 - t + 0.5 * t * t - 0.25 * t * t * t;
        let v = |t: f64| -1.0 + t - 0.75 * t * t;
        let times = vec![-1.0, 0.5, 3.0];
        let column = |f: &dyn Fn(f64) -> f64| times.iter().map(|&t| vec![f(t)]).collect();
        let path = Trajectory::with_velocities(times.clone(), column(&x), column(&v)).unwrap();
        for t in [-1.0, -0.4, 0.5, 0.9, 2.2, 2.99] {
            let state = Bench::new(&path).time(t).discrete([1.0]).eval(path.state);
            assert!((state[0] - x(t)).abs() < 1e-13 && (state[1] - v(t)).abs() < 1e-13, "at {t}: {state:?}");
        }
    }

    #[test]
    fn where_the_velocity_jumps_the_state_knows_the_side() {
        let path = |from: f64, to: f64| {
            Trajectory::with_velocities(vec![1.0, 2.0], vec![vec![0.0], vec![3.0]], vec![vec![from], vec![to]]).unwrap()
        };
        let velocity = |path: &Trajectory, time: f64, passed: f64| {
            Bench::new(path).time(time).discrete([passed]).eval(path.velocity)[0]
        };
        let both = path(4.0, -5.0);
        for (time, passed, expected) in
            [(0.5, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 4.0), (2.0, 1.0, -5.0), (2.0, 2.0, 0.0), (3.0, 2.0, 0.0)]
        {
            assert_eq!(velocity(&both, time, passed), expected, "at {time} after {passed} events");
        }
        assert_eq!(velocity(&path(4.0, 0.0), 1.0, 0.0), 0.0);
        assert_eq!(velocity(&path(4.0, 0.0), 1.0, 1.0), 4.0);
        assert_eq!(velocity(&path(0.0, -5.0), 2.0, 1.0), -5.0);
        assert_eq!(velocity(&path(0.0, -5.0), 2.0, 2.0), 0.0);
    }

    /// Rest to rest the second derivative jumps at every knot, of a spline at its ends, of a straight line nowhere but
    /// there; and a path that is sampled finely has no events inside.
    #[test]
    fn events_are_where_a_derivative_up_to_the_second_jumps() {
        let events = |path: &Trajectory| path.ports.ticks().len();
        assert_eq!(events(&rest_to_rest()), 3);
        let sampled = |x: fn(f64) -> f64, v: fn(f64) -> f64, step: f64| {
            let times: Vec<f64> = (0..=100).map(|i| f64::from(i) * step).collect();
            let column = |f: fn(f64) -> f64| times.iter().map(|&t| vec![f(t)]).collect();
            Trajectory::with_velocities(times.clone(), column(x), column(v)).unwrap()
        };
        assert_eq!(events(&sampled(|t| t * t * t - t * t, |t| 3.0 * t * t - 2.0 * t, 0.1)), 2);
        assert_eq!(events(&sampled(f64::sin, f64::cos, 0.001)), 2);
        assert_eq!(events(&sampled(|t| (t - 0.05).abs(), |t| (t - 0.05).signum(), 0.001)), 4);
        assert_eq!(events(&Trajectory::new(vec![1.0], vec![vec![2.0]]).unwrap()), 0);
        assert_eq!(events(&Trajectory::new(vec![1.0, 2.0], vec![vec![2.0]; 2]).unwrap()), 0);
    }

    #[test]
    fn refuses_what_is_no_path() {
        for (times, values, expected) in [
            (vec![], vec![], "values is empty"),
            (vec![0.0, 0.0], vec![vec![1.0], vec![2.0]], "times[1] = 0 does not come after times[0] = 0"),
            (vec![0.0, 1.0], vec![vec![1.0]], "values has 1 elements, expected 2"),
            (vec![0.0, 1.0], vec![vec![1.0], vec![]], "values[1] has 0 elements, expected 1"),
            (vec![0.0, f64::NAN], vec![vec![1.0], vec![1.0]], "times[1] is NaN"),
            (vec![0.0], vec![vec![1.0, f64::INFINITY]], "values[0][1] is inf"),
        ] {
            let fault = Trajectory::new(times, values).err().unwrap().to_string();
            assert!(fault.contains(expected), "{fault}");
        }
    }
}
