//! Plants that move freely, and blocks wired to them: controllers, events, limits.

use super::{Case, value};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::control::Pid;
use kinegraph::systems::dynamics::ZeroOrderHold;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::operators::{Adder, Demultiplexer, MatrixGain, Multiplexer, Relay, RelayParameters};
use kinegraph::systems::port::Sampling;
use kinegraph::systems::sources::Constant;
use nalgebra::{Matrix3, Vector3};

/// A ball in flight that spins, and a double pendulum.
fn free() -> Diagram {
    let plant = PlantBuilder::new()
        .model("ball", ball(1.0, 0.1), thrown([0.0, 0.0, 9.0], [0.0, 0.0, 5.0], [1.0, 2.0, 3.0]))
        .model("arm", double_pendulum(), Base::fixed())
        .initial("arm/j1", 1.0, 0.0)
        .initial("arm/j2", 0.5, 0.0);
    alone(plant)
}

pub const FREE: Case = Case {
    feature: "free motion",
    diagram: free,
    check: |simulation, found| {
        let start = simulation.energy().unwrap();
        simulation.advance_to(0.5)?;
        let p = position(simulation, "ball");
        for (axis, expected) in [("x", 0.5), ("y", 1.0), ("z", 9.0 + 1.5 - 9.81 / 8.0)] {
            found.near(axis, value(simulation, &format!("plant.ball.body.pose.p{axis}")), expected, 4e-3);
        }
        found.near("how far", p.x, 0.5, 1e-9);
        found.near("spin", velocity(simulation, "ball").0.z, 5.0, 1e-9);
        let turned = 2.0 * value(simulation, "plant.ball.body.pose.qz").asin();
        found.near("turn", turned, 2.5, 1e-4);
        // The ball falls by up to g t h/2, the arm a little more: of 100 J.
        found.near("energy", simulation.energy().unwrap(), start, 0.1);
        Ok(())
    },
};

/// Two carriages of 1 and 3 kg in plants of their own, with a spring of 30 N/m between them, made by a wire: efforts on
/// one, applied forces on the other.
fn several() -> Diagram {
    let mut b = DiagramBuilder::new("several");
    let mut plant = |name: &str, mass: f64, x: f64| {
        let plant = weightless().model("s", slider(mass), Base::fixed()).initial("s/x", x, 0.0);
        b.add(name, plant.build().unwrap())
    };
    let (one, other) = (plant("one", 1.0, 0.1), plant("other", 3.0, 0.0));
    let spring = |sign: f64| MatrixGain::new(vec![vec![-30.0 * sign, 0.0, 30.0 * sign, 0.0]]).unwrap();
    let states = b.add("states", Multiplexer::new(&[2, 2]).unwrap());
    let (left, right) = (b.add("left", spring(1.0)), b.add("right", spring(-1.0)));
    b.connect(one.state("s"), states.inputs[0]);
    b.connect(other.state("s"), states.inputs[1]);
    b.connect(states.output, left.input);
    b.connect(states.output, right.input);
    b.connect(left.output, one.actuation("s"));
    b.connect(right.output, other.applied_generalized_force("s"));
    b.build().unwrap()
}

pub const SEVERAL: Case = Case {
    feature: "several plants",
    diagram: several,
    check: |simulation, found| {
        simulation.advance_to(0.5)?;
        let mut get = |name: &str, what: &str| value(simulation, &format!("{name}.s.x.{what}"));
        let (v1, v2) = (get("one", "v"), get("other", "v"));
        found.near("momentum", v1 + 3.0 * v2, 0.0, 1e-9);
        let between = get("one", "q") - get("other", "q");
        // The reduced mass is 3/4 kg.
        let rate = (30.0 / 0.75_f64).sqrt();
        found.near("what is between them", between, 0.1 * (rate * 0.5).cos(), 2e-3);
        Ok(())
    },
};

const GAINS: [f64; 3] = [40.0, 30.0, 9.0];

/// A carriage of 1 kg that a PID controller with an integral takes to 1 m.
fn controlled() -> Diagram {
    regulated(weightless().model("s", slider(1.0), Base::fixed()), GAINS, 1.0)
}

/// The carriage `s` of a plant, controlled towards a position.
fn regulated(plant: PlantBuilder, [kp, ki, kd]: [f64; 3], desired: f64) -> Diagram {
    let mut b = DiagramBuilder::new("regulated");
    let plant = b.add("plant", plant.build().unwrap());
    let pid = b.add("pid", Pid::new(1, kp, ki, kd).unwrap());
    b.fix(pid.desired, [desired, 0.0]);
    b.connect(plant.state("s"), pid.measured);
    b.connect(pid.effort, plant.actuation("s"));
    b.build().unwrap()
}

pub const EXTERNAL_STATE: Case = Case {
    feature: "controllers with a state of their own",
    diagram: controlled,
    check: |simulation, found| {
        let [kp, ki, kd] = GAINS;
        // Of the integral of the error, position and velocity less the goal.
        let rates = Matrix3::new(0.0, -1.0, 0.0, 0.0, 0.0, 1.0, ki, -kp, -kd);
        for time in [0.2, 0.5, 1.0] {
            simulation.advance_to(time)?;
            let expected = (rates * time).exp() * Vector3::new(0.0, -1.0, 0.0);
            found.near(format!("x at {time}"), value(simulation, "plant.s.x.q"), 1.0 + expected.y, 5e-3);
            found.near(format!("v at {time}"), value(simulation, "plant.s.x.v"), expected.z, 2e-2);
        }
        Ok(())
    },
};

/// A controller that samples the position of a carriage every 0.1 s.
fn sampled() -> Diagram {
    let mut b = DiagramBuilder::new("sampled");
    let plant = weightless().model("s", slider(1.0), Base::fixed()).initial("s/x", 0.5, 0.0);
    let plant = b.add("plant", plant.build().unwrap());
    let hold = b.add("hold", ZeroOrderHold::new(2, Sampling { period: 0.1, offset: 0.0 }, 0.0).unwrap());
    let law = b.add("gain", MatrixGain::new(vec![vec![-10.0, -2.0]]).unwrap());
    b.connect(plant.state("s"), hold.input);
    b.connect(hold.output, law.input);
    b.connect(law.output, plant.actuation("s"));
    b.build().unwrap()
}

pub const SAMPLED: Case = Case {
    feature: "sampled control of a plant",
    diagram: sampled,
    check: |simulation, found| {
        simulation.advance_to(0.8)?;
        let (mut x, mut v) = (0.5, 0.0);
        for _ in 0..8 {
            let u = -10.0 * x - 2.0 * v;
            (x, v) = (x + 0.1 * v + 0.005 * u, v + 0.1 * u);
        }
        // Parabolas: a method of first order is ahead or behind by half a step.
        found.near("x", value(simulation, "plant.s.x.q"), x, 2e-3);
        found.near("v", value(simulation, "plant.s.x.v"), v, 1e-2);
        Ok(())
    },
};

/// A carriage at 1 m/s that a relay brakes by 1 N from 0.3 m on.
fn watched() -> Diagram {
    let mut b = DiagramBuilder::new("watched");
    let plant = weightless().model("s", slider(1.0), Base::fixed()).initial("s/x", 0.0, 1.0);
    let plant = b.add("plant", plant.build().unwrap());
    let relay = RelayParameters {
        rise_at: 0.3.into(),
        fall_at: 0.0.into(),
        high: (-1.0).into(),
        low: 0.0.into(),
        starts_high: false,
    };
    let parts = b.add("parts", Demultiplexer::new(&[1, 1]).unwrap());
    let relay = b.add("relay", Relay::new(1, relay).unwrap());
    b.connect(plant.state("s"), parts.input);
    b.connect(parts.outputs[0], relay.input);
    b.connect(relay.output, plant.actuation("s"));
    b.build().unwrap()
}

pub const EVENTS: Case = Case {
    feature: "events of a plant",
    diagram: watched,
    check: |simulation, found| {
        simulation.advance_to(0.8)?;
        found.near("x", value(simulation, "plant.s.x.q"), 0.3 + 0.5 - 0.125, 1e-3);
        // To rounding: the crossing is located, and what acts is constant on both sides of it.
        found.near("v", value(simulation, "plant.s.x.v"), 0.5, 1e-9);
        Ok(())
    },
};

/// A motor that can exert 2 N of the required 10 N, against a load of 1 N.
fn limited() -> Diagram {
    let mut b = DiagramBuilder::new("limited");
    let mut model = slider(1.0);
    model.joints[0].effort = 2.0;
    let plant = b.add("plant", weightless().model("s", model, Base::fixed()).build().unwrap());
    let (ten, one) = (Constant::new([5.0]).unwrap(), Constant::new([-1.0]).unwrap());
    let (ten, one) = (b.add("ten", ten), b.add("one", one));
    let sum = b.add("sum", Adder::new(1, [2.0]).unwrap());
    b.connect(ten.output, sum.inputs[0]);
    b.connect(sum.output, plant.actuation("s"));
    b.connect(one.output, plant.applied_generalized_force("s"));
    b.build().unwrap()
}

pub const EFFORTS: Case = Case {
    feature: "effort limits",
    diagram: limited,
    check: |simulation, found| {
        simulation.advance_to(1.0)?;
        found.near("v", value(simulation, "plant.s.x.v"), 1.0, 1e-6);
        found.near("x", value(simulation, "plant.s.x.q"), 0.5, 1e-3);
        found.near("what acts", value(simulation, "plant.s.x.effort"), 2.0, 1e-9);
        Ok(())
    },
};

/// A carriage of 1 kg held at its position by 1e6 N/m and 2e3 N s/m, under 10 N.
fn stiff() -> Diagram {
    let plant = PlantBuilder::new().gravity([10.0, 0.0, 0.0]).model("s", slider(1.0), Base::fixed());
    regulated(plant.initial("s/x", 0.01, 0.0), [1e6, 0.0, 2e3], 0.0)
}

pub const STIFF: Case = Case {
    feature: "stiff control",
    diagram: stiff,
    check: |simulation, found| {
        simulation.advance_to(0.5)?;
        found.near("x", value(simulation, "plant.s.x.q"), 1e-5, 1e-6);
        found.near("v", value(simulation, "plant.s.x.v"), 0.0, 1e-4);
        Ok(())
    },
};
