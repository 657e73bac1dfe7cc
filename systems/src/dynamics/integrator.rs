//! The integral of a signal over time.

use super::limits::{Limits, Mode};
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Crossing, Witness};
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// `ẋ = input`, `output = x`. The output depends on the state only, so an integrator breaks algebraic loops.
///
/// With limits, x stays within them. With a reset, x restarts when the reset input crosses zero: from its initial
/// value, or from the value of another input just before. Both are events: they happen at their exact times.
pub struct Integrator {
    /// ẋ, width n.
    pub input: In<Dyn>,
    /// x, width n.
    pub output: Out<Dyn>,
    /// Input whose zero crossing resets all channels; if the settings ask for it.
    pub reset: Option<In<Fixed<1>>>,
    /// Value of x after a reset, width n (clamped to the limits); if the settings ask for it.
    pub reset_value: Option<In<Dyn>>,
    initial: Vec<f64>,
    limits: Limits,
    ports: Ports,
}

/// Options of an [`Integrator`]; none by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntegratorSettings {
    /// Lower limits, one for all channels or one each.
    pub lower: Option<PerChannel>,
    /// Upper limits, one for all channels or one each.
    pub upper: Option<PerChannel>,
    /// Restart of x; `None`: never, and there is no input `reset`.
    pub reset: Option<Restart>,
}

/// Restart of an [`Integrator`]: its time and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// Direction in which the input `reset` crosses zero.
    pub on: Crossing,
    /// True if x restarts from the input `reset_value`; otherwise from its initial value.
    pub from_input: bool,
}

impl Restart {
    /// A restart from the initial value.
    pub fn on(crossing: Crossing) -> Self {
        Restart { on: crossing, from_input: false }
    }

    /// A restart from the input `reset_value`.
    pub fn from_input_on(crossing: Crossing) -> Self {
        Restart { on: crossing, from_input: true }
    }
}

impl Integrator {
    /// An integrator that starts at `initial` (width n).
    ///
    /// # Errors
    /// An element that is not finite.
    pub fn new(initial: impl Into<Vec<f64>>) -> Result<Self, ParameterError> {
        Self::with(initial, IntegratorSettings::default())
    }

    /// An integrator with limits or a reset.
    ///
    /// # Errors
    /// A list that is not n long, a number that is not finite, a lower limit that is not below the upper one, an
    /// initial value outside of the limits.
    pub fn with(initial: impl Into<Vec<f64>>, settings: IntegratorSettings) -> Result<Self, ParameterError> {
        let initial = initial.into();
        let n = initial.len();
        parameter::finite("initial", &initial)?;
        let limits = Limits::new(settings.lower, settings.upper, n)?;
        if let Some(index) = limits.first_outside(&initial) {
            let (parameter, value) = ("initial".to_owned(), initial[index]);
            return Err(ParameterError::Range { parameter, index, value, expected: "a number within the limits" });
        }
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", n);
        let reset = settings.reset.map(|_| ports.input("reset"));
        let from_input = settings.reset.is_some_and(|restart| restart.from_input);
        let reset_value = from_input.then(|| ports.input_of_width("reset_value", n));
        let output = ports.output_of_width("output", n);
        ports.no_feedthrough(output);
        ports.continuous_state("x", initial.clone());
        limits.declare(&mut ports);
        if let Some(restart) = settings.reset {
            ports.witness("reset", restart.on);
        }
        ports.units_times_seconds(output, input, 1);
        ports.units_alike(reset_value, output);
        Ok(Integrator { input, output, reset, reset_value, initial, limits, ports })
    }
}

impl LeafSystem for Integrator {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, ctx.continuous);
        self.limits.put_held(ctx.discrete, out.slice(self.output));
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives.copy_from_slice(ctx.get(self.input));
        for (rate, &mode) in derivatives.iter_mut().zip(ctx.discrete) {
            *rate = Mode::of(mode).hold(*rate);
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let u = ctx.get(self.input);
        self.limits.witnesses(ctx, |i| u[i], values);
        if let Some(reset) = self.reset {
            [values[self.limits.witness_count()]] = ctx.get(reset);
        }
    }

    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        if self.limits.reset(witness, state) {
            return;
        }
        state.continuous.copy_from_slice(self.reset_value.map_or(&self.initial[..], |input| ctx.get(input)));
        self.limits.clamp(state.continuous);
        state.discrete.fill(Mode::Free.number());
    }
}
