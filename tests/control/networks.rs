//! Networks over time: closed forms, balances of energy, and joints of plants that they drive.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::dynamics::ElementLaw::{
    AcrossSource, Capacity, Cylinder, Inertance, Motor, Resistance, ThroughSource,
};
use kinegraph::systems::dynamics::{Domain, ElementLaw, GROUND, Integrator, Network, NetworkElement};
use kinegraph::systems::machines::{DcMotor, DcMotorSettings};
use kinegraph::systems::multibody::{Base, JointKind, Model};
use kinegraph::systems::sources::Sine;
use nalgebra::Vector3;

pub fn network(domain: Domain, elements: &[(&str, [&str; 2], ElementLaw)]) -> Network {
    let elements = elements.iter().map(|(name, nodes, law)| NetworkElement::new(*name, *nodes, *law));
    Network::new(domain, elements.collect()).unwrap()
}

/// A diagram with only the network, as block `n`.
pub fn only(network: Network) -> Diagram {
    let mut b = DiagramBuilder::new("network");
    b.add("n", network);
    b.build().unwrap()
}

/// 5 V on R, L, C in a row: the voltage of C overshoots by the damped cosine.
#[test]
fn a_resonant_circuit_rings() {
    let (r, l, c) = (2.0, 1e-3, 1e-5);
    let circuit = network(
        Domain::ELECTRICAL,
        &[
            ("V", ["in", GROUND], AcrossSource(Some(5.0))),
            ("R", ["in", "a"], Resistance(r)),
            ("L", ["a", "b"], Inertance { inertance: l, initial: 0.0 }),
            ("C", ["b", GROUND], Capacity { capacity: c, initial: 0.0 }),
        ],
    );
    let mut simulation = Simulation::new(&only(circuit), Options::dopri5(1e-10)).unwrap();
    let decay = r / (2.0 * l);
    let rate = (1.0 / (l * c) - decay * decay).sqrt();
    for i in 1..=30 {
        let t = 1e-4 * f64::from(i);
        simulation.advance_to(t).unwrap();
        let expected = 5.0 * (1.0 - (-decay * t).exp() * ((rate * t).cos() + decay / rate * (rate * t).sin()));
        let found = simulation.channel("n.voltage.b").unwrap();
        assert!((found - expected).abs() < 1e-7, "at {t} s: {found} V for {expected} V");
    }
}

/// Two bodies that share heat and lose none: `T₁ - T₂` decays with `(1/C₁ + 1/C₂)/R`, their heat stays.
#[test]
fn heat_is_shared() {
    let masses = network(
        Domain::THERMAL,
        &[
            ("hot", ["a", GROUND], Capacity { capacity: 3.0, initial: 90.0 }),
            ("bridge", ["a", "b"], Resistance(0.5)),
            ("cold", ["b", GROUND], Capacity { capacity: 7.0, initial: 10.0 }),
        ],
    );
    let mut simulation = Simulation::new(&only(masses), Options::dopri5(1e-10)).unwrap();
    simulation.advance_to(1.0).unwrap();
    let [a, b] = ["a", "b"].map(|node| simulation.channel(&format!("n.temperature.{node}")).unwrap());
    let expected = 80.0 * (-(1.0 / 3.0 + 1.0 / 7.0) / 0.5_f64).exp();
    assert!((a - b - expected).abs() < 1e-7, "{a} {b} {expected}");
    assert!((3.0 * a + 7.0 * b - 340.0).abs() < 1e-9);
}

/// Energy of a source is stored or turned to heat: the integrals of all powers of a driven circuit.
#[test]
fn energy_is_stored_or_turned_to_heat() {
    let circuit = network(
        Domain::ELECTRICAL,
        &[
            ("V", ["in", GROUND], AcrossSource(None)),
            ("R", ["in", "a"], Resistance(1.5)),
            ("L", ["a", "b"], Inertance { inertance: 0.2, initial: 0.5 }),
            ("C", ["b", GROUND], Capacity { capacity: 0.3, initial: -1.0 }),
            ("Q", ["b", "c"], Resistance(4.0)),
            ("D", ["c", GROUND], Capacity { capacity: 0.1, initial: 2.0 }),
            ("I", [GROUND, "c"], ThroughSource(Some(0.3))),
        ],
    );
    let mut b = DiagramBuilder::new("balance");
    b.add("n", circuit);
    b.add("source", Sine::new(1, 3.0, 4.0, 0.0, 0.0).unwrap());
    b.connect_paths("source.output", "n.V");
    for name in ["V", "R", "L", "C", "Q", "D", "I"] {
        b.add(format!("E{name}"), Integrator::new([0.0]).unwrap());
        b.connect_paths(format!("n.power.{name}"), format!("E{name}.input"));
    }
    let mut simulation = Simulation::new(&b.build().unwrap(), Options::dopri5(1e-10)).unwrap();
    simulation.advance_to(3.0).unwrap();
    let mut get = |name: String| simulation.channel(&name).unwrap();
    let mut energy = |name: &str| get(format!("E{name}.output"));
    let all: f64 = ["V", "R", "L", "C", "Q", "D", "I"].map(&mut energy).iter().sum();
    assert!(all.abs() < 1e-8, "{all} J are missing");
    let (heat, stored) = ([energy("R"), energy("Q")], [energy("L"), energy("C"), energy("D")]);
    let state = &simulation.state().continuous;
    let after: [f64; 3] = [0.1 * state[0] * state[0], 0.15 * state[1] * state[1], 0.05 * state[2] * state[2]];
    let before = [0.1 * 0.25, 0.15, 0.05 * 4.0];
    for i in 0..3 {
        assert!((after[i] - before[i] - stored[i]).abs() < 1e-8, "{after:?} {before:?} {stored:?}");
    }
    assert!(heat[0] > 0.0 && heat[1] > 0.0);
}

fn wheel(inertia: f64) -> Model {
    let mut disc = link("disc", 1.0, [0.0; 3]);
    disc.inertia.as_mut().unwrap().I_BBcm *= inertia / 0.01;
    Model {
        name: "wheel".into(),
        links: vec![link("base", 1.0, [0.0; 3]), disc],
        joints: vec![joint("x", JointKind::Continuous, "base", "disc", Vector3::z())],
        ..Model::default()
    }
}

/// The network `n` with its machine `m`, which drives the joint of the model `name`; its effort is `effort.m`.
fn driving(network: Network, effort: &str, model: Model) -> Diagram {
    let mut b = DiagramBuilder::new("driven");
    let name = model.name.clone();
    b.add("n", network);
    b.add("plant", weightless().model(name.clone(), model, Base::fixed()).build().unwrap());
    b.connect_paths(format!("plant.{name}.x.v"), "n.m");
    b.connect_paths(format!("n.{effort}.m"), format!("plant.{name}.actuation"));
    b.build().unwrap()
}

/// A motor on 12 V without inductance: the speed rises with the time constant `J R/k²` to `u/k`, in the convex step.
#[test]
fn a_motor_speeds_up_a_wheel() {
    let (r, k, inertia) = (2.0, 0.4, 0.05);
    let circuit = || {
        let elements = [
            ("V", ["in", GROUND], AcrossSource(Some(12.0))),
            ("R", ["in", "a"], Resistance(r)),
            ("m", ["a", GROUND], Motor(k)),
        ];
        driving(network(Domain::ELECTRICAL, &elements), "torque", wheel(inertia))
    };
    for (options, bound) in [(cenic(1e-5), 1e-4), (cenic(1e-7), 1e-6), (Options::cenic_trapezoid(1e-5), 1e-4)] {
        let mut simulation = Simulation::new(&circuit(), options).unwrap();
        for i in 1..=10 {
            let t = 0.1 * f64::from(i);
            simulation.advance_to(t).unwrap();
            let expected = 12.0 / k * (1.0 - (-t * k * k / (inertia * r)).exp());
            let found = simulation.channel("plant.wheel.x.v").unwrap();
            assert!((found - expected).abs() < bound * 30.0, "at {t} s: {found} rad/s for {expected} rad/s");
        }
        let current = simulation.channel("n.current.m").unwrap();
        let torque = simulation.channel("n.torque.m").unwrap();
        assert!((torque - k * current).abs() < 1e-9, "{torque} N m with {current} A");
    }
}

/// With a stiff winding (L/R = 20 µs) steps of a millisecond are stable, and the wheel moves as with `dc_motor`.
#[test]
fn a_winding_is_that_of_a_motor() {
    let (r, l, k, inertia) = (0.5, 1e-5, 0.05, 1e-3);
    let elements = [
        ("V", ["in", GROUND], AcrossSource(Some(6.0))),
        ("R", ["in", "a"], Resistance(r)),
        ("L", ["a", "b"], Inertance { inertance: l, initial: 0.0 }),
        ("m", ["b", GROUND], Motor(k)),
    ];
    let ours = driving(network(Domain::ELECTRICAL, &elements), "torque", wheel(inertia));
    let mut b = DiagramBuilder::new("motor");
    b.add("motor", DcMotor::new(1, DcMotorSettings::new(r, l, k)).unwrap());
    b.add("plant", weightless().model("wheel", wheel(inertia), Base::fixed()).build().unwrap());
    b.fix_path("motor.voltage", [6.0]);
    b.connect_paths("plant.wheel.x.v", "motor.velocity");
    b.connect_paths("motor.torque", "plant.wheel.actuation");
    let theirs = b.build().unwrap();
    for options in [icf(1e-3), cenic(1e-4)] {
        let [mut a, mut b] = [&ours, &theirs].map(|diagram| run(diagram, options, 0.3));
        let [a, b] = [&mut a, &mut b].map(|simulation| simulation.channel("plant.wheel.x.v").unwrap());
        assert!((a - b).abs() < 1e-9 * b.abs(), "{a} {b}");
    }
}

/// A pump with a leak moves a carriage by a cylinder: `m v' = A p`, `p = R (Q - A v)`.
#[test]
fn a_cylinder_moves_a_carriage() {
    let (flow, leak, area, mass) = (2e-4, 2e9, 1e-3, 400.0);
    let elements = [
        ("pump", [GROUND, "p"], ThroughSource(Some(flow))),
        ("leak", ["p", GROUND], Resistance(leak)),
        ("m", ["p", GROUND], Cylinder(area)),
    ];
    let diagram = driving(network(Domain::HYDRAULIC, &elements), "force", slider(mass));
    let mut simulation = Simulation::new(&diagram, cenic(1e-7)).unwrap();
    for t in [0.05, 0.2, 1.0] {
        simulation.advance_to(t).unwrap();
        let expected = flow / area * (1.0 - (-t * area * area * leak / mass).exp());
        let found = simulation.channel("plant.slider.x.v").unwrap();
        assert!((found - expected).abs() < 1e-5, "at {t} s: {found} m/s for {expected} m/s");
    }
}
