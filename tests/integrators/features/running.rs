//! Tasks of the loop around a method: sensors, records, samples, snapshots, copies, change of method.

use super::{Case, value};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::integrators::{METHODS, method};
use kinegraph::simulate::{RunError, Simulation, Snapshot};
use kinegraph::systems::dynamics::ZeroOrderHold;
use kinegraph::systems::machines::ConveyorBelt;
use kinegraph::systems::multibody::plant::{Belt, SurfaceMotion};
use kinegraph::systems::multibody::{Base, JointKind, Link, Model, PlantBuilder};
use kinegraph::systems::operators::MatrixGain;
use kinegraph::systems::port::{Crossing, Sampling, Tick, Witness};
use kinegraph::systems::sensors::{Imu, ImuSettings};
use kinegraph::systems::signal::MultibodyState;
use kinegraph::systems::system::Reset;
use kinegraph::systems::{Context, In, LeafSystem, Outputs, Ports, Scalar};
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.81;

/// A measurement unit half a metre from the axis of a turntable.
fn turning() -> Diagram {
    let model = Model {
        name: "rotor".into(),
        links: vec![Link { name: "base".into(), ..Link::default() }, link("arm", 2.0, [0.3, 0.0, 0.0])],
        joints: vec![joint("turn", JointKind::Continuous, "base", "arm", Vector3::z())],
        transmissions: vec![],
        ..Model::default()
    };
    let plant = PlantBuilder::new().model("table", model, Base::fixed()).initial("table/turn", 0.3, 4.0);
    let plant = plant.build().unwrap();
    let settings = ImuSettings { X_LS: Isometry3::translation(0.5, 0.0, 0.0), ..ImuSettings::new(0.01) };
    let mut b = DiagramBuilder::new("imu");
    let imu = b.add("imu", Imu::new(&plant, "table/arm", settings).unwrap());
    let plant = b.add("plant", plant);
    b.connect(plant.body_poses(), imu.body_poses);
    b.connect(plant.body_velocities(), imu.body_velocities);
    b.build().unwrap()
}

pub const IMU: Case = Case {
    feature: "inertial measurement units",
    diagram: turning,
    check: |simulation, found| {
        simulation.advance_to(0.5)?;
        for (i, expected) in [-16.0 * 0.5, 0.0, G].into_iter().enumerate() {
            let force = value(simulation, &format!("imu.specific_force[{i}]"));
            found.near(format!("force along {i}"), force, expected, 1e-6);
        }
        found.near("turn", value(simulation, "imu.angular_velocity[2]"), 4.0, 1e-9);
        Ok(())
    },
};

/// A block at rest, a ball in flight.
fn reported() -> Diagram {
    let plant = PlantBuilder::new()
        .ground(0.0)
        .contact(contact(1e4, 20.0, 0.5))
        .model("block", block(), at(0.0, 0.0, 0.06 - G / 4e4))
        .model("ball", ball(1.0, 0.1), thrown([3.0, 0.0, 9.0], [0.0; 3], [1.0, 0.0, 0.0]));
    alone(plant)
}

pub const RECORDS: Case = Case {
    feature: "records, samples between steps",
    diagram: reported,
    check: |simulation, found| {
        let (mut samples, mut worst) = (0, 0.0_f64);
        // Positions of the block, then of the ball, quaternions first.
        simulation.advance_sampling(0.5, 0.0123, |state| {
            samples += 1;
            let x = &state.continuous[7..14];
            worst = worst.max((x[4] - 3.0 - state.time).abs());
            worst = worst.max((x[6] - 9.0 + 0.5 * G * state.time * state.time).abs());
        })?;
        found.near("samples", f64::from(samples), 42.0, 0.0);
        found.near("between steps", worst, 0.0, 4e-3);
        let record = simulation.step_record("plant").unwrap().cloned().expect("a step was taken");
        found.near("the last step", record.end, 0.5, 1e-12);
        found.holds("its length", record.length > 0.0);
        let [.., fz] = simulation.contact_results("plant").unwrap().force_on("block/body");
        found.near("contact force", fz, G, 0.02 * G);
        // The signal of methods for differential equations is the mean over the step.
        found.near("the same as a signal", value(simulation, "plant.block.body.contact.fz"), fz, 1e-4 * G);
        Ok(())
    },
};

/// Counts its ticks, and records when a carriage passes each of its levels.
struct Watcher {
    state: In<MultibodyState>,
    levels: Vec<f64>,
    ports: Ports,
}

/// Time between two ticks \[s\].
const TICK: f64 = 0.02;

impl Watcher {
    fn new(levels: Vec<f64>) -> Self {
        let mut ports = Ports::new();
        let state = ports.input_of_width("state", 2);
        ports.discrete_state("ticks", vec![0.0]);
        ports.discrete_state("passed", vec![-1.0; levels.len()]);
        ports.periodic(Sampling::every(TICK));
        for level in &levels {
            ports.witness(format!("passes {level}"), Crossing::Rising);
        }
        Watcher { state, levels, ports }
    }
}

impl LeafSystem for Watcher {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, _ctx: &Context<S>, _out: &mut Outputs<S>) {}
    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        next[0] = ctx.discrete[0] + 1.0;
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let x = ctx.get(self.state)[0];
        values.iter_mut().zip(&self.levels).for_each(|(value, level)| *value = x - level);
    }
    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        state.discrete[1 + witness.index] = ctx.time;
    }
}

/// Times at which the carriage passes the levels, at 1 m/s \[s\].
fn levels() -> Vec<f64> {
    (0..METHODS.len()).map(|k| 0.0123 + 0.05 * k as f64).collect()
}

/// A block on a belt with a drive, a carriage under sampled control, and one that is watched.
pub fn everything() -> Diagram {
    let mut b = DiagramBuilder::new("everything");
    let line =
        Belt { name: "line".into(), link: "ground".into(), motion: SurfaceMotion::Along([1.0, 0.0, 0.0]), speed: 0.0 };
    let plant = PlantBuilder::new()
        .ground(0.0)
        .contact(contact(1e4, 20.0, 0.5))
        .model("block", block(), at(0.0, 0.0, 0.06 - G / 4e4))
        .model("free", slider(1.0), Base::fixed())
        .initial("free/x", 0.0, 1.0)
        .model("held", slider(1.0), Base::fixed())
        .initial("held/x", 0.5, 0.0)
        .belt(line);
    let plant = b.add("plant", plant.build().unwrap());
    let drive = b.add("drive", ConveyorBelt::new(0.0, 2.0, 0.01).unwrap());
    let hold = b.add("hold", ZeroOrderHold::new(2, Sampling { period: 0.1, offset: 0.0 }, 0.0).unwrap());
    let law = b.add("law", MatrixGain::new(vec![vec![-10.0, -2.0]]).unwrap());
    let watcher = b.add("watcher", Watcher::new(levels()));
    b.fix(drive.command, [0.5]);
    b.connect(drive.speed, plant.belt_speed("line"));
    b.connect(plant.state("held"), hold.input);
    b.connect(hold.output, law.input);
    b.connect(law.output, plant.actuation("held"));
    b.connect(plant.state("free"), watcher.state);
    b.build().unwrap()
}

fn bits(state: &State) -> Vec<u64> {
    let numbers = state.continuous.iter().chain(&state.discrete).copied();
    std::iter::once(state.time).chain(numbers).map(f64::to_bits).collect()
}

pub const SNAPSHOTS: Case = Case {
    feature: "snapshots, copies: bit for bit",
    diagram: everything,
    check: |simulation, found| {
        // At a tick, at a crossing, between.
        for stop in [0.04, 0.0623, 0.1234] {
            simulation.advance_to(stop)?;
            let saved = Snapshot::from_bytes(&simulation.snapshot().to_bytes().unwrap()).unwrap();
            let (mut copy, mut restored) = (simulation.clone(), Simulation::of(simulation.plan()));
            restored.restore(&saved).unwrap();
            let mut ends = Vec::new();
            for run in [simulation.clone(), copy.clone(), restored.clone()].iter_mut() {
                run.advance_to(stop + 0.05)?;
                ends.push((bits(run.state()), run.integrator().records().to_vec()));
            }
            found.holds(format!("copied at {stop}"), ends[0] == ends[1]);
            found.holds(format!("restored at {stop}"), ends[0] == ends[2]);
            // And on: what a snapshot remembers lasts.
            copy.advance_to(stop + 0.1)?;
            restored.advance_to(stop + 0.1)?;
            found.holds(format!("longer after {stop}"), bits(copy.state()) == bits(restored.state()));
        }
        Ok(())
    },
};

/// Checks the watched carriage and the ticks at the time of `simulation`.
fn check_events(simulation: &Simulation, found: &mut super::Findings) {
    let (time, name) = (simulation.time(), simulation.integrator().name());
    let at = simulation.diagram().discrete_names().iter().position(|name| name.contains("ticks")).expect("ticks");
    let discrete = &simulation.state().discrete[at..];
    found.near(format!("{name}: ticks by {time}"), discrete[0], (time / TICK + 1e-9).floor() + 1.0, 0.0);
    for (level, passed) in levels().into_iter().zip(&discrete[1..]) {
        let expected = if level < time { level } else { -1.0 };
        found.near(format!("{name}: {level} passed by {time}"), *passed, expected, 1e-9);
    }
}

/// Position of the sampled carriage: parabolas.
fn held(time: f64) -> f64 {
    let (mut x, mut v, mut left) = (0.5, 0.0, time);
    while left > 0.0 {
        let (u, t) = (-10.0 * x - 2.0 * v, left.min(0.1));
        (x, v, left) = (x + t * v + 0.5 * t * t * u, v + t * u, left - 0.1);
    }
    x
}

pub const SWITCHED: Case = Case {
    feature: "another method in the middle of a run",
    diagram: everything,
    check: |simulation, found| {
        let own = method(simulation.integrator().name()).expect("a method of the table");
        // At a tick of all, at a tick of one, right at a crossing, between.
        for (k, time) in [0.1, 0.14, 0.1623, 0.19].into_iter().enumerate() {
            simulation.advance_to(time)?;
            let before = bits(simulation.state());
            simulation.switch(if k % 2 == 0 { METHODS[0] } else { own }).unwrap();
            found.holds(format!("the state stays at {time}"), bits(simulation.state()) == before);
        }
        simulation.advance_to(0.3)?;
        check_events(simulation, found);
        found.near("sampled control", value(simulation, "plant.held.x.q"), held(0.3), 2e-3);
        Ok(())
    },
};

/// One loop over all methods, on one diagram and one state, in the middle of a run: time, state and events are exact.
#[test]
fn one_loop_over_all_methods() -> Result<(), RunError> {
    let mut simulation = Simulation::new(&everything(), kinegraph::integrators::Options::default()).unwrap();
    let mut found = super::Findings::default();
    for (k, method) in METHODS.into_iter().enumerate() {
        let before = bits(simulation.state());
        simulation.switch(method)?;
        assert_eq!(simulation.integrator().name(), method.name);
        assert_eq!(bits(simulation.state()), before, "{}", method.name);
        let time = 0.05 * (k + 1) as f64;
        simulation.advance_to(time)?;
        assert_eq!(simulation.time(), time);
        check_events(&simulation, &mut found);
        let name = method.name;
        found.near(format!("{name}: control"), value(&mut simulation, "plant.held.x.q"), held(time), 3e-3);
        let speed = value(&mut simulation, "drive.speed");
        // An explicit method with steps of 1 ms trembles where friction holds.
        found.near(format!("{name}: block"), velocity(&mut simulation, "block").1.x, speed, 2e-2);
    }
    assert!(found.faults().is_empty(), "{}", found.faults().join("\n"));
    Ok(())
}
