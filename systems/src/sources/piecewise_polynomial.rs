//! A polynomial of time on each of several segments.

use super::breaks::Breaks;
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::Tick;
use kinegraph_core::{Context, Dyn, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar, TimeVariation};

/// `x(t) = Σₖ cₖ (t - bᵢ)ᵏ` on segment i, between breaks bᵢ and bᵢ₊₁; before the first and after the last break it is
/// constant.
///
/// A jump (of value or rate) at a break is an event: no step of an integrator goes over it. At the break itself the old
/// segment holds until the event, the new one after it.
pub struct PiecewisePolynomial {
    /// x(t), width n.
    pub position: Out<Dyn>,
    /// dx/dt, width n \[1/s\].
    pub velocity: Out<Dyn>,
    /// d²x/dt², width n \[1/s²\].
    pub acceleration: Out<Dyn>,
    /// x(t), then dx/dt; width 2n.
    pub state: Out<MultibodyState>,
    breaks: Breaks,
    coefficients: Vec<Vec<Vec<f64>>>,
    ports: Ports,
}

impl PiecewisePolynomial {
    /// Segments between increasing `breaks` \[s\]; `coefficients[segment][channel]` has the coefficients c₀, c₁, … of
    /// rising powers.
    ///
    /// # Errors
    /// Breaks that do not increase, fewer than two, another number of segments than between the breaks, segments with
    /// different numbers of channels, a polynomial without coefficients, numbers that are not finite.
    pub fn new(breaks: Vec<f64>, coefficients: Vec<Vec<Vec<f64>>>) -> Result<Self, ParameterError> {
        parameter::increasing("breaks", &breaks)?;
        let Some(width) = coefficients.first().map(Vec::len) else {
            return Err(ParameterError::Empty { parameter: "coefficients".into() });
        };
        parameter::size("breaks", breaks.len(), coefficients.len() + 1)?;
        for (i, segment) in coefficients.iter().enumerate() {
            parameter::size(&format!("coefficients[{i}]"), segment.len(), width)?;
            for (channel, polynomial) in segment.iter().enumerate() {
                let name = format!("coefficients[{i}][{channel}]");
                parameter::finite(&name, polynomial)?;
                if polynomial.is_empty() {
                    return Err(ParameterError::Empty { parameter: name });
                }
            }
        }
        let mut ports = Ports::new();
        Ok(PiecewisePolynomial {
            position: ports.output_of_width("position", width),
            velocity: ports.output_of_width("velocity", width),
            acceleration: ports.output_of_width("acceleration", width),
            state: ports.output_of_width("state", 2 * width),
            breaks: Breaks::declare(breaks, &mut ports),
            coefficients,
            ports,
        })
    }
}

/// Value and first two derivatives of Σ cₖ uᵏ, by Horner's rule.
fn evaluate<S: Scalar>(coefficients: &[f64], u: S) -> [S; 3] {
    let [mut x, mut v, mut half] = [S::zero(); 3];
    for &c in coefficients.iter().rev() {
        half = half * u + v;
        v = v * u + x;
        x = x * u + S::constant(c);
    }
    [x, v, half + half]
}

impl LeafSystem for PiecewisePolynomial {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        // A polynomial of degree n has at most n/2 waves in its segment, and no step goes over its ends.
        let segments = self.breaks.times().windows(2).zip(&self.coefficients);
        let within = segments.filter(|(ends, _)| ends[0] < times.1 && ends[1] > times.0);
        let shortest = within.map(|(ends, channels)| {
            let degree = channels.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(1);
            if degree > 1 { 8.0 * (ends[1] - ends[0]) / degree as f64 } else { f64::INFINITY }
        });
        TimeVariation::Period(shortest.fold(f64::INFINITY, f64::min))
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (times, last) = (self.breaks.times(), self.coefficients.len() - 1);
        let passed = self.breaks.passed(ctx.time.value(), ctx.discrete);
        // Before the first break and after the last one: the nearest segment, at its end.
        let (i, rest) = match passed {
            0 => (0, Some(0.0)),
            p if p > last + 1 => (last, Some(times[last + 1] - times[last])),
            p => (p - 1, None),
        };
        for (channel, polynomial) in self.coefficients[i].iter().enumerate() {
            let [x, v, a] = match rest {
                Some(u) => [evaluate(polynomial, S::constant(u))[0], S::zero(), S::zero()],
                None => evaluate(polynomial, ctx.time - S::constant(times[i])),
            };
            out.slice(self.position)[channel] = x;
            out.slice(self.velocity)[channel] = v;
            out.slice(self.acceleration)[channel] = a;
            out.slice(self.state)[channel] = x;
            out.slice(self.state)[self.coefficients[i].len() + channel] = v;
        }
    }

    fn update(&self, tick: Tick, _ctx: &Context<f64>, next: &mut [f64]) {
        self.breaks.update(tick, next);
    }
}
