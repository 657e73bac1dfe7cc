//! For every rule there is a block that breaks it, and the report names the rule and the place.

use kinegraph_core::testing::Sample;
use kinegraph_core::testing::conformance::{check, report};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use std::sync::atomic::{AtomicU64, Ordering};

/// y = u0² and z = x, ẋ = u1, with one thing wrong.
struct Faulty {
    inputs: [In<Fixed<2>>; 1],
    y: Out<Fixed<1>>,
    z: Out<Fixed<1>>,
    calls: AtomicU64,
    wrong: Wrong,
    ports: Ports,
}

#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    Slope,
    TimeSlope,
    Value,
    Feedthrough,
    Memory,
    Wanted,
    Unwritten,
    Derivative,
    Name,
}

impl Faulty {
    fn new(wrong: Wrong) -> Self {
        let mut ports = Ports::new();
        let inputs = [ports.input("u")];
        let y = ports.output("y");
        let z = ports.output(if wrong == Wrong::Name { "y" } else { "z" });
        ports.no_feedthrough(z);
        ports.continuous_state("x", vec![0.0]);
        Faulty { inputs, y, z, calls: AtomicU64::new(0), wrong, ports }
    }
}

impl LeafSystem for Faulty {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let [u0, u1] = ctx.get(self.inputs[0]);
        let calls = self.calls.fetch_add(1, Ordering::Relaxed) as f64;
        let is_jet = size_of::<S>() > size_of::<f64>();
        let mut y = match self.wrong {
            // The derivative is lost: a parameter made from a value.
            Wrong::Slope => u0 * S::constant(u0.value()),
            Wrong::Value if is_jet => u0 * u0 + S::constant(1e-6),
            Wrong::Memory => u0 * u0 + S::constant(calls),
            Wrong::TimeSlope => u0 * u0 + S::constant(ctx.time.value()),
            _ => u0 * u0,
        };
        if self.wrong == Wrong::Wanted && !out.wanted(self.z) {
            y += S::one();
        }
        if self.wrong != Wrong::Unwritten {
            out.set(self.y, [y]);
        }
        let z = if self.wrong == Wrong::Feedthrough { u1 } else { ctx.continuous[0] };
        out.set(self.z, [z]);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        if self.wrong != Wrong::Derivative {
            derivatives[0] = ctx.get(self.inputs[0])[1];
        }
    }
}

fn failures(wrong: Wrong) -> String {
    let block = Faulty::new(wrong);
    report(&block, &[Sample::random(&block, 0), Sample::random(&block, 1)]).to_string()
}

#[test]
fn a_good_block_passes() {
    check(&Faulty::new(Wrong::Nothing));
}

#[test]
fn each_broken_contract_is_named_with_port_and_element() {
    for (wrong, expected) in [
        (Wrong::Slope, "d output `y[0]` / d input `u[0]`"),
        (Wrong::TimeSlope, "d output `y[0]` / d time:"),
        (Wrong::Value, "when computed with derivatives"),
        (Wrong::Feedthrough, "output `z[0]` depends directly on input `u`"),
        (Wrong::Memory, "keeps something between evaluations"),
        (Wrong::Wanted, "output `y[0]` is"),
        (Wrong::Unwritten, "output `y[0]` is NaN: never written"),
        (Wrong::Derivative, "derivative of state `x[0]` is NaN"),
        (Wrong::Name, "port name `y`"),
    ] {
        let text = failures(wrong);
        assert!(text.contains(expected), "expected `{expected}` in: {text}");
    }
}

#[test]
#[should_panic(expected = "d output `y[0]` / d input `u[0]`")]
fn check_panics_with_the_failures() {
    check(&Faulty::new(Wrong::Slope));
}
