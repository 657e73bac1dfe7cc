//! Records within a step that begins with an impact: a lock, a weld that grips.
//!
//! The velocities at the start of such a step are those from before the impact; positions do not follow them.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, JointKind};
use kinegraph::systems::sources::Step;
use nalgebra::Vector3;

const METHODS: [fn(f64) -> Options; 2] = [cenic, Options::cenic_trapezoid];

/// The largest error, in accuracies, of a recording of `position` against `exact` from `start` on.
fn worst(
    diagram: &Diagram,
    options: Options,
    (start, end): (f64, f64),
    position: usize,
    exact: impl Fn(f64) -> f64,
) -> f64 {
    let accuracy = options.accuracy;
    let mut simulation = Simulation::new(diagram, options).unwrap();
    let mut most = 0.0_f64;
    simulation
        .advance_sampling(end, 1e-3, |state| {
            if state.time >= start {
                most = most.max((state.continuous[position] - exact(state.time)).abs());
            }
        })
        .unwrap();
    most / accuracy
}

/// A turning link is locked: it keeps its position from then on.
#[test]
fn after_a_lock_the_recorded_position_stays() {
    let mut random = Random(3);
    for _ in 0..4 {
        let (mass, speed, at) = (random.log(0.1, 10.0), random.between(1.0, 8.0), random.between(0.1, 0.4));
        let mut model = slider(mass);
        model.joints[0].kind = JointKind::Continuous;
        model.joints[0].axis = Vector3::z();
        let plant = weightless().model("m", model, Base::fixed()).initial("m/x", 0.0, speed).lock("m/x", false);
        let mut builder = DiagramBuilder::new("lock");
        let brake = builder.add("brake", Step::new(1, at, 0.0, 1.0).unwrap());
        let plant = builder.add("plant", plant.build().unwrap());
        builder.connect(brake.output, plant.joint_lock("m/x"));
        let diagram = builder.build().unwrap();
        for method in METHODS {
            for accuracy in [1e-2, 1e-3, 1e-4, 1e-5] {
                let off = worst(&diagram, method(accuracy), (at, at + 0.2), 0, |_| speed * at);
                println!("lock {accuracy:e}: {off:.2} accuracies");
                assert!(off <= 1.0, "{accuracy:e}: {off} accuracies");
            }
        }
    }
}

/// A moving hand grips a crate at rest: both continue with the common momentum.
#[test]
fn after_a_grip_the_recorded_positions_go_on_together() {
    let mut random = Random(5);
    for _ in 0..3 {
        let (hand, crate_, speed, at) =
            (random.log(0.3, 3.0), random.log(0.3, 3.0), random.between(0.5, 3.0), random.between(0.1, 0.3));
        let (palm, body) = (Attachment::at("hand/carriage", [0.0; 3]), Attachment::at("crate/body", [0.0; 3]));
        let plant = weightless()
            .model("hand", slider(hand), Base::fixed())
            .model("crate", cuboid(crate_, [0.1, 0.1, 0.1]), thrown([2.0, 0.0, 0.0], [0.0; 3], [0.0; 3]))
            .constraint(Constraint::weld("grip", palm, body).inactive().capturing())
            .initial("hand/x", 0.0, speed);
        let mut builder = DiagramBuilder::new("grip");
        let grip = builder.add("grip", Step::new(1, at, 0.0, 1.0).unwrap());
        let plant = builder.add("plant", plant.build().unwrap());
        builder.connect(grip.output, plant.constraint_active("grip"));
        let diagram = builder.build().unwrap();
        let after = speed * hand / (hand + crate_);
        for method in METHODS {
            for accuracy in [1e-2, 1e-3, 1e-4] {
                let exact = |t: f64| speed * at + after * (t - at);
                let off = worst(&diagram, method(accuracy), (at, at + 0.2), 0, exact);
                println!("grip {accuracy:e}: {off:.2} accuracies");
                assert!(off <= 2.0, "{accuracy:e}: {off} accuracies");
            }
        }
    }
}

/// The contact force of a ball that lands, at recorded times, has the impulse that stops it.
#[test]
fn recorded_contact_forces_are_means_of_steps() {
    let diagram = Scenario::open("tests/data/edges/landing.yaml").unwrap_or_else(|fault| panic!("{fault}")).diagram;
    let methods: [fn(f64) -> Options; 6] =
        [Options::dopri5, Options::rk3, Options::bs23, Options::sdirk2, Options::ros2, Options::implicit_euler];
    for method in methods {
        for accuracy in [1e-2, 1e-3, 1e-4] {
            let options = method(accuracy);
            let mut simulation = Simulation::new(&diagram, options).unwrap();
            let v = |simulation: &mut Simulation| simulation.channel("plant.b.body.vz").unwrap();
            let (start, mut impulse) = (v(&mut simulation), 0.0);
            while simulation.time() < 0.4 {
                let before = simulation.time();
                simulation.step(0.4).unwrap();
                let force = simulation.channel("plant.b.body.contact.fz").unwrap();
                impulse += (simulation.time() - before) * force;
            }
            let change = v(&mut simulation) - start + 9.81 * 0.4;
            let off = impulse / change - 1.0;
            assert!(off.abs() < 0.02, "{} {accuracy:e}: {impulse} of {change} N s", options.integrator.name);
        }
    }
}

/// Without a search within a step: the weights of an explicit method are those of its velocities.
#[test]
fn means_of_explicit_steps_are_exact() {
    let diagram = Scenario::open("tests/data/edges/landing.yaml").unwrap_or_else(|fault| panic!("{fault}")).diagram;
    for options in [Options::dopri5(1e-2), Options::rk3(1e-3), Options::semi_implicit_euler(1e-3)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        while simulation.time() < 0.4 {
            let before = (simulation.time(), simulation.channel("plant.b.body.vz").unwrap());
            simulation.step(0.4).unwrap();
            let after = (simulation.time(), simulation.channel("plant.b.body.vz").unwrap());
            let force = simulation.channel("plant.b.body.contact.fz").unwrap();
            let mean = (after.1 - before.1) / (after.0 - before.0) + 9.81;
            let name = options.integrator.name;
            assert!((force - mean).abs() < 1e-6 * (1.0 + mean.abs()), "{name} at {}: {force}, {mean} N", after.0);
        }
    }
}
