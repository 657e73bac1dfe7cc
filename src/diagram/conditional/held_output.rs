//! An output that is held while its diagram does not run.

use super::HeldAs;
use super::level::{count_due, held, is_true, truth_due};
use kinegraph_core::logic::{UNDECIDED, number};
use kinegraph_core::port::{Crossing, OutputPort, Sampling, Tick, Witness};
use kinegraph_core::unit_rules::UnitRule;
use kinegraph_core::{Context, Fixed, In, LeafSystem, Outputs, Ports, Reset, Scalar};

/// When an output is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// While the condition is not true.
    WhileDisabled(HeldAs),
    /// Until the condition, a count, changes.
    BetweenTriggers,
}

/// `output = input` while its diagram runs, and the held value otherwise.
pub(super) struct HeldOutput {
    condition: In<Fixed<1>>,
    hold: Hold,
    ports: Ports,
}

/// Index of the input, and of the truth or count in the discrete state; the held values follow.
const INPUT: usize = 0;
const STATE: usize = 0;
const KEPT: usize = 1;

impl HeldOutput {
    /// A block that holds an output like `output`.
    pub fn new(output: &OutputPort, hold: Hold) -> Self {
        let mut ports = Ports::new();
        ports.input_for("input", output);
        let condition = ports.input("condition");
        let held = ports.output_like("output", output);
        ports.unit_rule(UnitRule::Alike { inputs: vec![INPUT], outputs: vec![held] });
        let state = if hold == Hold::BetweenTriggers { 0.0 } else { UNDECIDED };
        ports.discrete_state("state", vec![state]);
        ports.discrete_state("held", vec![0.0; output.width]);
        if hold == Hold::BetweenTriggers {
            ports.no_feedthrough_at(held);
        } else {
            ports.periodic(Sampling::once(0.0));
        }
        ports.witness("condition", Crossing::Rising);
        HeldOutput { condition, hold, ports }
    }

    fn runs<S: Scalar>(&self, ctx: &Context<S>) -> bool {
        held(ctx.discrete[STATE], ctx, self.condition)
    }

    fn input<'a, S: Scalar>(ctx: &Context<'a, S>) -> &'a [S] {
        ctx.input(INPUT).unwrap_or(&[])
    }
}

impl LeafSystem for HeldOutput {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let y = out.slice_at(0);
        if self.hold != Hold::BetweenTriggers && self.runs(ctx) {
            y.copy_from_slice(Self::input(ctx));
        } else {
            y.iter_mut().zip(&ctx.discrete[KEPT..]).for_each(|(y, &kept)| *y = S::constant(kept));
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        next[STATE] = number(is_true(ctx, self.condition));
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = match self.hold {
            Hold::WhileDisabled(_) => truth_due(ctx.discrete[STATE], ctx, self.condition),
            Hold::BetweenTriggers => count_due(ctx.discrete[STATE], ctx, self.condition),
        };
    }

    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        match self.hold {
            Hold::WhileDisabled(as_what) => {
                let runs = !self.runs(ctx);
                state.discrete[STATE] = number(runs);
                if !runs && as_what == HeldAs::Last {
                    state.discrete[KEPT..].copy_from_slice(Self::input(ctx));
                }
            }
            Hold::BetweenTriggers => {
                state.discrete[STATE] = ctx.get(self.condition)[0];
                state.discrete[KEPT..].copy_from_slice(Self::input(ctx));
            }
        }
    }

    fn watches_jumps(&self) -> bool {
        self.hold == Hold::WhileDisabled(HeldAs::Last)
    }

    fn jumped(&self, before: &Context<f64>, after: &Context<f64>, next: &mut [f64]) {
        // What is held is the value before the event, even if the event changed the input too.
        if self.runs(before) && !self.runs(after) {
            next[KEPT..].copy_from_slice(Self::input(before));
        }
    }
}
