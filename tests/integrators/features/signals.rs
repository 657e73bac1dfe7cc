//! Diagrams without plants: sampling, delays, jumps, crossings, algebraic loops.

use super::{Case, value};
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::dynamics::{Counter, FirstOrderLag, Integrator, TransportDelay, ZeroOrderHold};
use kinegraph::systems::operators::{Adder, Gain, Relay, RelayParameters};
use kinegraph::systems::port::{Crossing, Sampling, Witness};
use kinegraph::systems::sources::{Constant, Ramp, Step};
use kinegraph::systems::system::{DerivativePolicy, Reset};
use kinegraph::systems::{Context, Fixed, LeafSystem, Out, Outputs, Ports, Scalar, WithDerivatives};
use std::sync::Arc;

/// `x' = -3 x`, sampled every 0.1 s: a tenth of `-3` is added in each period.
fn sampled() -> Diagram {
    let mut b = DiagramBuilder::new("sampled");
    let hold = b.add("hold", ZeroOrderHold::new(1, Sampling { period: 0.1, offset: 0.0 }, 0.0).unwrap());
    let gain = b.add("gain", Gain::new(1, -3.0).unwrap());
    let x = b.add("x", Integrator::new([1.0]).unwrap());
    b.connect(x.output, hold.input);
    b.connect(hold.output, gain.input);
    b.connect(gain.output, x.input);
    b.build().unwrap()
}

pub const SAMPLED: Case = Case {
    feature: "sampled controllers",
    diagram: sampled,
    check: |simulation, found| {
        simulation.advance_to(0.95)?;
        found.near("between samples", value(simulation, "x.output"), 0.7_f64.powi(9) * 0.85, 1e-9);
        simulation.advance_to(1.0)?;
        found.near("at a sample", value(simulation, "x.output"), 0.7_f64.powi(10), 1e-9);
        Ok(())
    },
};

/// The integral of a ramp a quarter of a second ago.
fn delayed() -> Diagram {
    let mut b = DiagramBuilder::new("delayed");
    let clock = b.add("clock", Integrator::new([0.0]).unwrap());
    b.fix(clock.input, [1.0]);
    let delay = b.add("delay", TransportDelay::new(1, 0.25, 0.01, 0.0).unwrap());
    let x = b.add("x", Integrator::new([0.0]).unwrap());
    b.connect(clock.output, delay.input);
    b.connect(delay.output, x.input);
    b.build().unwrap()
}

pub const DELAYS: Case = Case {
    feature: "delays",
    diagram: delayed,
    check: |simulation, found| {
        simulation.advance_to(1.0)?;
        found.near("what was", value(simulation, "delay.output"), 0.75, 1e-9);
        found.near("its integral", value(simulation, "x.output"), 0.75 * 0.75 / 2.0, 2e-3);
        Ok(())
    },
};

/// Integrals of a step, and of a ramp that begins and ends, at times that no step would hit by itself.
fn jumping() -> Diagram {
    let mut b = DiagramBuilder::new("jumping");
    let step = b.add("step", Step::new(1, 0.351_732, 0.0, 1.0).unwrap());
    let x = b.add("x", Integrator::new([0.0]).unwrap());
    b.connect(step.output, x.input);
    b.build().unwrap()
}

pub const JUMPS: Case = Case {
    feature: "jumps of sources",
    diagram: jumping,
    check: |simulation, found| {
        simulation.advance_to(1.0)?;
        found.near("what is gathered after it", value(simulation, "x.output"), 1.0 - 0.351_732, 1e-9);
        Ok(())
    },
};

/// A ball with a restitution of 0.8, as events of a block; it counts its bounces.
struct Ball {
    height: Out<Fixed<1>>,
    ports: Ports,
}

impl LeafSystem for Ball {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.height, [ctx.continuous[0]]);
    }
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        (derivatives[0], derivatives[1]) = (ctx.continuous[1], S::constant(-9.81));
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = ctx.continuous[0];
    }
    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        state.continuous.copy_from_slice(&[0.0, -0.8 * ctx.continuous[1]]);
        state.discrete.copy_from_slice(&[ctx.discrete[0] + 1.0, ctx.time]);
    }
}

pub fn bouncing() -> Diagram {
    let mut ports = Ports::new();
    let height = ports.output("height");
    ports.continuous_state("z", vec![1.0, 0.0]);
    ports.discrete_state("bounces", vec![0.0, 0.0]);
    ports.witness("touches the ground", Crossing::Falling);
    let mut b = DiagramBuilder::new("bouncing");
    b.add("ball", Ball { height, ports });
    b.build().unwrap()
}

pub const RESETS: Case = Case {
    feature: "events that reset states",
    diagram: bouncing,
    check: |simulation, found| {
        simulation.advance_to(1.5)?;
        let fall = (2.0 / 9.81_f64).sqrt();
        let (second, v) = (fall * (1.0 + 2.0 * 0.8), 0.64 * 9.81 * fall);
        found.near("bounces", simulation.state().discrete[0], 2.0, 0.0);
        found.near("the last", simulation.state().discrete[1], second, 5e-3);
        let t = 1.5 - second;
        found.near("height", value(simulation, "ball.height"), v * t - 9.81 / 2.0 * t * t, 1e-2);
        Ok(())
    },
};

/// `x' = u - x` with u on from 0.3 up to 0.7, off from there down to 0.3; and the number of times that x rose through
/// 0.6.
fn thermostat() -> Diagram {
    let mut b = DiagramBuilder::new("thermostat");
    let relay = RelayParameters {
        rise_at: 0.7.into(),
        fall_at: 0.3.into(),
        high: 0.0.into(),
        low: 1.0.into(),
        starts_high: false,
    };
    let relay = b.add("relay", Relay::new(1, relay).unwrap());
    let room = b.add("room", FirstOrderLag::new(1, 1.0, 1.0, 0.5).unwrap());
    let counter = b.add("counter", Counter::new(0.6, None).unwrap());
    b.connect(room.output, relay.input);
    b.connect(relay.output, room.input);
    b.connect(room.output, counter.input);
    b.build().unwrap()
}

pub const RELAYS: Case = Case {
    feature: "relays and counters",
    diagram: thermostat,
    check: |simulation, found| {
        simulation.advance_to(3.5)?;
        // From 0.5 to 0.7, then half a period of ln(7/3) after the other.
        let (first, half) = ((0.5 / 0.3_f64).ln(), (7.0 / 3.0_f64).ln());
        let since = 3.5 - (first + half * ((3.5 - first) / half).floor());
        let cools = ((3.5 - first) / half).floor() as i32 % 2 == 0;
        let expected = if cools { 0.7 * (-since).exp() } else { 1.0 - 0.7 * (-since).exp() };
        found.near("the room", value(simulation, "room.output"), expected, 5e-3);
        found.near("rises through 0.6", value(simulation, "counter.output"), 2.0, 0.0);
        Ok(())
    },
};

/// `x' = y` with `y = -2 (y + x)`: `x = exp(-2 t/3)`.
fn closed() -> Diagram {
    let mut b = DiagramBuilder::new("closed");
    let sum = b.add("sum", Adder::new(1, [1.0, 1.0]).unwrap());
    let gain = b.add("gain", Gain::new(1, -2.0).unwrap());
    let x = b.add("x", Integrator::new([1.0]).unwrap());
    b.connect(gain.output, sum.inputs[0]);
    b.connect(x.output, sum.inputs[1]);
    b.connect(sum.output, gain.input);
    b.connect(gain.output, x.input);
    b.solve_algebraic_loops();
    b.build().unwrap()
}

pub const LOOPS: Case = Case {
    feature: "algebraic loops",
    diagram: closed,
    check: |simulation, found| {
        simulation.advance_to(1.0)?;
        found.near("x", value(simulation, "x.output"), (-2.0 / 3.0_f64).exp(), 1e-3);
        Ok(())
    },
};

/// Two lags in diagrams of their own, one after the other: `1 - (1 + t) exp(-t)`.
fn nested() -> Diagram {
    let lag = || {
        let mut inner = DiagramBuilder::new("lag");
        let lag = inner.add("lag", FirstOrderLag::new(1, 1.0, 1.0, 0.0).unwrap());
        inner.export_input("in", lag.input);
        inner.export_output("out", lag.output);
        inner
    };
    let mut b = DiagramBuilder::new("nested");
    let (first, second) = (b.add_diagram("first", lag()), b.add_diagram("second", lag()));
    let one = b.add("one", Constant::new([1.0]).unwrap());
    b.connect(one.output, first.input("in"));
    b.connect(first.output("out"), second.input("in"));
    b.build().unwrap()
}

pub const NESTED: Case = Case {
    feature: "diagrams in diagrams",
    diagram: nested,
    check: |simulation, found| {
        simulation.advance_to(1.0)?;
        found.near("the second", value(simulation, "second/lag.output"), 1.0 - 2.0 * (-1.0_f64).exp(), 1e-3);
        Ok(())
    },
};

/// `x' = -x` through one gain whose derivatives are differences and one that has none.
fn plain() -> Diagram {
    let mut b = DiagramBuilder::new("plain");
    b.add("x", Integrator::new([1.0]).unwrap());
    b.add("ramp", Ramp::new(1, 0.5, 0.0, 0.0, None).unwrap());
    let (gain, sum) = (Gain::new(1, -1.0).unwrap(), Adder::new(1, [1.0, 1.0]).unwrap());
    b.add("differences", WithDerivatives::new(Arc::new(gain), DerivativePolicy::Differences));
    b.add("none", WithDerivatives::new(Arc::new(sum), DerivativePolicy::Explicit));
    for (from, to) in [
        ("x.output", "differences.input"),
        ("differences.output", "none.input0"),
        ("ramp.output", "none.input1"),
        ("none.output", "x.input"),
    ] {
        b.connect_paths(from, to);
    }
    b.build().unwrap()
}

pub const PLAIN: Case = Case {
    feature: "blocks without derivatives",
    diagram: plain,
    check: |simulation, found| {
        simulation.advance_to(1.0)?;
        // x' = -x + t/2: x = exp(-t) + (t - 1 + exp(-t))/2.
        let e = (-1.0_f64).exp();
        found.near("x", value(simulation, "x.output"), e + e / 2.0, 2e-3);
        Ok(())
    },
};
