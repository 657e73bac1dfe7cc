//! Control allocation: commands to actuators with limits.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// The way in which a [`Mixer`] stays within its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload {
    /// Each actuator stops at its own limit.
    Clip,
    /// All actuators are reduced by one factor, so that the command keeps its direction.
    Scale,
}

/// `output = M command` within the limits of the actuators: thrusts and moments to rotors, body forces to thrusters.
///
/// Column k of M is what the actuators do for a unit of command k, usually the pseudoinverse of their effectiveness.
pub struct Mixer {
    /// Width m.
    pub command: In<Dyn>,
    /// One number per actuator, width n.
    pub output: Out<Dyn>,
    /// n rows of m numbers.
    matrix: Vec<Vec<f64>>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    overload: Overload,
    is_limited: bool,
    ports: Ports,
}

impl Mixer {
    /// A mixer with the `matrix` as a list of n rows of m numbers, and limits of the actuators, one for all or one
    /// each.
    ///
    /// # Errors
    /// No rows, rows of different lengths or without numbers, limits that are not n long, a lower limit that is not
    /// below the upper one, a number that is not finite; to scale, a limit that is zero or on the other side of it.
    pub fn new(
        matrix: Vec<Vec<f64>>,
        lower: Option<PerChannel>,
        upper: Option<PerChannel>,
        overload: Overload,
    ) -> Result<Self, ParameterError> {
        let (n, m) = (matrix.len(), matrix.first().map_or(0, Vec::len));
        if m == 0 {
            return Err(ParameterError::Empty { parameter: "matrix".into() });
        }
        for (i, row) in matrix.iter().enumerate() {
            let name = format!("matrix[{i}]");
            parameter::size(&name, row.len(), m)?;
            parameter::finite(&name, row)?;
        }
        let is_limited = lower.is_some() || upper.is_some();
        let lower = lower.map_or(Ok(vec![f64::NEG_INFINITY; n]), |lower| lower.expand("lower", n))?;
        let upper = upper.map_or(Ok(vec![f64::INFINITY; n]), |upper| upper.expand("upper", n))?;
        parameter::bounds(parameter::named("lower", &lower), parameter::named("upper", &upper))?;
        if overload == Overload::Scale {
            parameter::within("lower", &lower, "a number below 0: what is scaled keeps its sign", |x| x < 0.0)?;
            parameter::within("upper", &upper, "a number above 0: what is scaled keeps its sign", |x| x > 0.0)?;
        }
        let mut ports = Ports::new();
        let (command, output) = (ports.input_of_width("command", m), ports.output_of_width("output", n));
        Ok(Mixer { command, output, matrix, lower, upper, overload, is_limited, ports })
    }

    /// Element `i` of M u.
    fn raw<S: Scalar>(&self, i: usize, command: &[S]) -> S {
        let mut sum = S::zero();
        for (&factor, &u) in self.matrix[i].iter().zip(command) {
            sum += S::constant(factor) * u;
        }
        sum
    }

    /// The limit that actuator `i` would pass; `None` within its limits.
    fn limit(&self, i: usize, raw: f64) -> Option<f64> {
        if raw < self.lower[i] {
            Some(self.lower[i])
        } else if raw > self.upper[i] {
            Some(self.upper[i])
        } else {
            None
        }
    }
}

impl LeafSystem for Mixer {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        self.is_limited
    }

    fn kinks(&self, ctx: &Context<f64>, see: &mut dyn FnMut(f64)) {
        let command = ctx.get(self.command);
        for i in 0..self.matrix.len() {
            let raw = self.raw(i, command);
            for limit in [self.lower[i], self.upper[i]].into_iter().filter(|limit| limit.is_finite()) {
                see(raw - limit);
            }
        }
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let command = ctx.get(self.command);
        let y = out.slice(self.output);
        let mut factor = S::one();
        for (i, y) in y.iter_mut().enumerate() {
            *y = self.raw(i, command);
            match self.limit(i, y.value()) {
                Some(limit) if self.overload == Overload::Clip => *y = S::constant(limit),
                Some(limit) if limit / y.value() < factor.value() => factor = S::constant(limit) / *y,
                _ => {}
            }
        }
        if self.overload == Overload::Scale {
            y.iter_mut().for_each(|y| *y *= factor);
        }
    }
}
