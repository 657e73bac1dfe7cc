//! The integral of a signal over time.

use super::limits::{Limits, Mode};
use crate::parameter::{self, ParameterError, PerChannel};
use crate::port::{Crossing, Witness};
use crate::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// `ẋ = input`, `output = x`. The output depends on the state only, so an integrator breaks algebraic loops.
///
/// With limits, x stays within them; with a reset, x starts anew when the reset input crosses zero: from its initial
/// value, or from what another input says just before. Both are events: they happen at their exact times.
pub struct Integrator {
    /// ẋ, width n.
    pub input: In<Dyn>,
    /// x, width n.
    pub output: Out<Dyn>,
    /// Crossing zero, it starts all channels anew; where the settings ask for it.
    pub reset: Option<In<Fixed<1>>>,
    /// What a reset starts from, width n (within the limits: beyond them it starts at the limit); where the settings
    /// ask for it.
    pub reset_value: Option<In<Dyn>>,
    initial: Vec<f64>,
    limits: Limits,
    ports: Ports,
}

/// What an [`Integrator`] does beyond integrating; nothing by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntegratorSettings {
    /// Lower limits, one for all channels or one each.
    pub lower: Option<PerChannel>,
    /// Upper limits, one for all channels or one each.
    pub upper: Option<PerChannel>,
    /// When and from where x starts anew; `None`: never, and there is no input `reset`.
    pub reset: Option<Restart>,
}

/// When and from where an [`Integrator`] starts anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// Which way the input `reset` crosses zero.
    pub on: Crossing,
    /// Whether x starts from the input `reset_value`; otherwise from its initial value.
    pub from_input: bool,
}

impl Restart {
    /// From the initial value.
    pub fn on(crossing: Crossing) -> Self {
        Restart { on: crossing, from_input: false }
    }

    /// From the input `reset_value`.
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

    /// The same with limits or a reset.
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
        Ok(Integrator { input, output, reset, reset_value, initial, limits, ports })
    }
}

impl LeafSystem for Integrator {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, ctx.continuous);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    fn limited(lower: f64, upper: f64) -> Integrator {
        let settings = IntegratorSettings {
            lower: Some(lower.into()),
            upper: Some(upper.into()),
            reset: Some(Restart::on(Crossing::Rising)),
        };
        Integrator::with([0.0, 0.5], settings).unwrap()
    }

    #[test]
    fn conforms() {
        conformance::check(&Integrator::new([1.0, 2.0, 3.0]).unwrap());
        conformance::check(&limited(-2.0, 2.0));
    }

    #[test]
    fn shows_its_state_and_moves_at_its_input() {
        let integrator = Integrator::new([1.0, 2.0]).unwrap();
        // The output needs no input: it is not fed through.
        assert_eq!(Bench::new(&integrator).eval(integrator.output), [1.0, 2.0]);
        assert_eq!(Bench::new(&integrator).input(integrator.input, [5.0, -6.0]).derivatives(), [5.0, -6.0]);
    }

    #[test]
    fn at_a_limit_only_inward_motion_is_left() {
        let block = limited(-1.0, 2.0);
        for (mode, u, expected) in [
            ([1.0, -1.0], [3.0, 3.0], [0.0, 3.0]),
            ([1.0, -1.0], [-3.0, -3.0], [-3.0, 0.0]),
            ([0.0, 0.0], [3.0, -3.0], [3.0, -3.0]),
        ] {
            let bench = Bench::new(&block).input(block.input, u).input(block.reset.unwrap(), [0.0]).discrete(mode);
            assert_eq!(bench.derivatives(), expected);
        }
    }

    #[test]
    fn passing_a_limit_puts_the_state_on_it_and_turning_inward_frees_it() {
        let block = limited(-1.0, 2.0);
        let bench = Bench::new(&block).input(block.reset.unwrap(), [-1.0]);
        // Just beyond the upper limit on channel 0, just beyond the lower one on channel 1.
        let beyond = bench.clone().input(block.input, [1.0, -1.0]).state([2.0 + 1e-12, -1.0 - 1e-12]);
        let witnesses = beyond.witnesses();
        assert!(witnesses[0] > 0.0 && witnesses[1] < 0.0 && witnesses[2] > 0.0 && witnesses[3] < 0.0, "{witnesses:?}");
        assert_eq!(beyond.reset(Witness { index: 0 }), (vec![2.0, -1.0 - 1e-12], vec![1.0, 0.0]));
        assert_eq!(beyond.reset(Witness { index: 2 }), (vec![2.0 + 1e-12, -1.0], vec![0.0, -1.0]));
        // Held, then turned inward: nothing until the input changes its sign.
        let held = bench.state([2.0, -1.0]).discrete([1.0, -1.0]);
        assert!(held.clone().input(block.input, [1.0, -1.0]).witnesses().iter().all(|&w| w < 0.0));
        let turned = held.input(block.input, [-1.0, 1.0]);
        assert!(turned.witnesses()[1] > 0.0 && turned.witnesses()[3] > 0.0);
        assert_eq!(turned.reset(Witness { index: 1 }), (vec![2.0, -1.0], vec![0.0, -1.0]));
        // An input that jumped inward: the state itself shows it.
        assert!(turned.clone().state([1.9, -0.9]).witnesses()[0] > 0.0);
    }

    #[test]
    fn a_reset_starts_anew() {
        let block = limited(-1.0, 2.0);
        let bench = Bench::new(&block).input(block.input, [1.0, 1.0]).state([2.0, 1.0]).discrete([1.0, 0.0]);
        let up = bench.input(block.reset.unwrap(), [0.25]);
        assert_eq!(up.witnesses()[4], 0.25);
        assert_eq!(up.reset(Witness { index: 4 }), (vec![0.0, 0.5], vec![0.0, 0.0]));
    }

    #[test]
    fn a_reset_may_start_from_an_input_within_the_limits() {
        let reset = Some(Restart::from_input_on(Crossing::Falling));
        let settings = IntegratorSettings { lower: Some((-1.0).into()), upper: Some(2.0.into()), reset };
        let block = Integrator::with([0.0, 0.5], settings).unwrap();
        conformance::check(&block);
        let bench = Bench::new(&block).input(block.input, [1.0, 1.0]).input(block.reset.unwrap(), [-1e-9]);
        let bench = bench.input(block.reset_value.unwrap(), [1.5, -7.0]).discrete([1.0, 0.0]);
        assert_eq!(bench.reset(Witness { index: 4 }), (vec![1.5, -1.0], vec![0.0, 0.0]));
        assert_eq!(block.ports.witnesses()[4].crossing, Crossing::Falling);
    }

    #[test]
    fn plain_integrators_are_not_watched() {
        assert!(Integrator::new([0.0]).unwrap().ports.witnesses().is_empty());
    }

    #[test]
    fn refuses_limits_that_leave_no_room() {
        let with = |lower: f64, upper: f64| {
            let settings = IntegratorSettings { lower: Some(lower.into()), upper: Some(upper.into()), reset: None };
            Integrator::with([0.0], settings).err().unwrap().to_string()
        };
        assert_eq!(with(1.0, 1.0), "lower[0] = 1 is not below upper[0] = 1");
        assert_eq!(with(1.0, 2.0), "initial[0] is 0, expected a number within the limits");
    }
}
