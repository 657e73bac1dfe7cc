//! Outputs that report data of a step: they balance the momentum of that step, and agree with closed forms.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::contact::{StepOptions, StepPoint};
use kinegraph::integrators::{Candidate, IcfStep, OneStep, Options, Statistics};
use kinegraph::simulate::{Scenario, Simulation, SimulationError};
use kinegraph::solvers::icf::{Solver, SolverOptions};
use kinegraph::systems::convex::{ConvexPlant, PlantDynamics, PlantPoint, PlantReports};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{Attachment, Belt, Constraint, SurfaceMotion};
use kinegraph::systems::multibody::{Base, Collision, Joint, JointKind, Link, Model, PlantBuilder};
use kinegraph::systems::step_record::StepRecord;
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.81;

/// Residual of `M (velocity - v) + h k = h (actuation + applied + stops + passive + J' f)`, relative to the largest
/// momentum or impulse in it.
fn imbalance(plant: &dyn ConvexPlant, record: &StepRecord) -> f64 {
    let structure = plant.structure();
    let mut point = PlantPoint::default();
    plant.evaluate(&record.q, &record.v, &mut point);
    plant.jacobians(&vec![true; structure.bodies.len()], &mut point);
    let nv = record.v.len();
    let mut right: Vec<f64> =
        (0..nv).map(|i| record.actuation[i] + record.applied[i] + record.passive[i] + record.constraints[i]).collect();
    for (limit, force) in structure.limits.iter().zip(&record.stops) {
        right[limit.velocity] += force;
    }
    for contact in &record.contacts {
        for (body, sign) in [(contact.body_a, -1.0), (contact.body_b, 1.0)] {
            let Some(clique) = structure.bodies[body].clique else { continue };
            let force = Vector3::from(contact.force) * sign;
            let arm = Vector3::from(contact.p_WC) - Vector3::from(point.p_WB[body]);
            let torque = arm.cross(&force) + Vector3::from(contact.torque()) * sign;
            let wrench: Vec<f64> = torque.iter().chain(force.iter()).copied().collect();
            let range = structure.cliques[clique].clone();
            if structure.bodies[body].free {
                range.zip(&wrench).for_each(|(i, x)| right[i] += x);
            } else {
                let jacobian = &point.jacobians[structure.bodies[body].jacobian.clone()];
                for (i, column) in range.zip(jacobian.chunks_exact(6)) {
                    right[i] += column.iter().zip(&wrench).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
    }
    let (mut worst, mut scale, mut block) = (0.0_f64, 0.0_f64, 0);
    for range in &structure.cliques {
        let n = range.len();
        for i in 0..n {
            let v_dot = |j: usize| (record.velocity[range.start + j] - record.v[range.start + j]) / record.length;
            let inertial: f64 = (0..n).map(|j| point.mass_matrix[block + j * n + i] * v_dot(j)).sum();
            let row = range.start + i;
            let momentum: f64 =
                (0..n).map(|j| point.mass_matrix[block + j * n + i] * record.velocity[range.start + j]).sum();
            worst = worst.max((inertial + point.bias[row] - right[row]).abs() * record.length);
            scale = scale.max(momentum.abs()).max(right[row].abs() * record.length);
        }
        block += n * n;
    }
    worst / scale
}

/// Largest imbalance of the steps of a run, the largest number of contacts with force, and true if stops acted.
#[derive(Default)]
struct Balance {
    worst: f64,
    contacts: usize,
    stops: bool,
}

impl Balance {
    fn add(&mut self, diagram: &Diagram, record: &StepRecord, time: f64) {
        assert!((record.end - time).abs() < 1e-9 && record.length > 0.0);
        let block = &diagram.blocks()[diagram.find_block("plant").unwrap()];
        self.worst = self.worst.max(imbalance(block.system.as_plant().unwrap(), record));
        self.contacts = self.contacts.max(record.contacts.iter().filter(|c| c.force != [0.0; 3]).count());
        self.stops |= record.stops.iter().any(|&force| force != 0.0);
    }
}

/// Steps of length `h`, solved much more tightly than by an integrator, so that the remaining error is that of the
/// read-outs.
fn tight(diagram: &Diagram, h: f64, time: f64) -> Balance {
    let solver = Solver::new(SolverOptions { min_tolerance: 0.0, ..SolverOptions::default() });
    let mut method = IcfStep::new(diagram, StepOptions::default(), solver);
    let (mut point, mut next, mut statistics) = (StepPoint::default(), Candidate::default(), Statistics::default());
    let (mut state, mut balance, mut records) = (diagram.initial_state(), Balance::default(), Vec::new());
    while state.time < time {
        method.prepare(&state, h, &mut point, &mut statistics).unwrap();
        next.velocity.clear();
        next.velocity.extend_from_slice(method.velocity_at(&point));
        method.step(&mut point, h, 1e-12, &mut next, &mut statistics).unwrap();
        method.record(&mut point, h, &next, &mut state.discrete, &mut records, &mut statistics);
        state.time += h;
        state.continuous.clone_from(&next.continuous);
        balance.add(diagram, &records[0], state.time);
    }
    balance
}

/// The steps that an integrator takes.
fn run_balance(diagram: &Diagram, options: Options, time: f64) -> Balance {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    let mut balance = Balance::default();
    while simulation.time() < time {
        simulation.step(time).unwrap();
        let record = simulation.step_record("plant").unwrap().expect("a step was taken");
        balance.add(diagram, record, simulation.time());
    }
    balance
}

const BALANCED: f64 = 1e-9;
/// Residual of the solver at its tolerance, 1e-8 of the momentum of an island in the norm of the mass matrix.
const SOLVED: f64 = 5e-5;

#[test]
fn steps_of_colliding_bodies_balance() {
    let radius = 0.1;
    let balls = || {
        weightless()
            .contact(contact(1e4, 20.0, 0.8))
            .model("a", ball(1.0, radius), thrown([-0.3, 0.0, 0.0], [0.0, 5.0, 20.0], [2.0, 0.1, 0.0]))
            .model("b", ball(2.0, radius), thrown([0.0, 0.05, 0.02], [1.0, 0.0, -3.0], [0.0, 0.0, 0.0]))
    };
    let stack = || {
        let boxes = PlantBuilder::new().ground(0.0).contact(contact(1e5, 10.0, 0.5));
        let belt = Belt { name: "b".into(), link: "ground".into(), motion: SurfaceMotion::Along([1.0; 3]), speed: 0.3 };
        let boxes = boxes.belt(belt).model("a", cuboid(2.0, [0.1; 3]), at(0.0, 0.0, 0.1));
        boxes.model("b", cuboid(1.0, [0.1; 3]), at(0.02, 0.0, 0.31))
    };
    for diagram in [alone(balls()), alone(stack())] {
        let Balance { worst, contacts, .. } = tight(&diagram, 1e-3, 0.2);
        assert!(worst < BALANCED && contacts > 0, "{worst:e}, {contacts} contacts");
        for options in [icf(1e-3), cenic(1e-5)] {
            let Balance { worst, contacts, .. } = run_balance(&diagram, options, 0.2);
            assert!(worst < SOLVED && contacts > 0, "{worst:e}, {contacts} contacts, {:?}", options.integrator);
        }
    }
}

#[test]
fn steps_against_a_stop_balance() {
    let mut model = slider(1.0);
    model.joints[0].limits = (-1.0, 0.0);
    model.joints[0].damping = 0.7;
    let mut b = DiagramBuilder::new("stop");
    let plant = PlantBuilder::new().model("s", model, Base::fixed()).initial("s/x", -0.1, 0.0).spring("s/x", 1e4, -0.1);
    let plant = b.add("plant", plant.build().unwrap());
    b.fix(plant.applied_generalized_force("s"), [2000.0]);
    let diagram = b.build().unwrap();
    // The longer step does not resolve the spring.
    for h in [1e-3, 0.05] {
        let Balance { worst, stops, .. } = tight(&diagram, h, 0.5);
        assert!(worst < BALANCED && stops, "{worst:e}, {stops}, {h}");
    }
    let Balance { worst, stops, .. } = run_balance(&diagram, cenic(1e-5), 0.5);
    assert!(worst < SOLVED && stops, "{worst:e}, {stops}");
}

fn scene(name: &str, accuracy: f64) -> (Diagram, Options) {
    let mut scenario = Scenario::open(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    scenario.options.accuracy = accuracy;
    (scenario.diagram, scenario.options)
}

/// Controllers that act within the step, effort limits, springs, suction whose gains are not positive.
#[test]
fn steps_with_feedback_balance() {
    for (name, time) in [("examples/franka/franka.yaml", 0.5), ("examples/vacuum/vacuum.yaml", 1.5)] {
        let (diagram, options) = scene(name, 1e-5);
        let Balance { worst, contacts, .. } = run_balance(&diagram, options, time);
        assert!(worst < SOLVED && contacts > 0, "{name}: {worst:e}, {contacts} contacts");
        let Balance { worst, contacts, .. } = tight(&diagram, 2e-3, time);
        assert!(worst < BALANCED && contacts > 0, "{name}: {worst:e}, {contacts} contacts");
    }
}

/// A box welded to the end of a pendulum and tied to the world, a coupler between two carriages: their forces balance,
/// and ports report them.
#[test]
fn steps_with_constraints_balance() {
    let tip = || Attachment::at("dp/lower", [0.0, 0.0, -1.0]);
    let plant = PlantBuilder::new()
        .model("dp", double_pendulum(), Base::fixed())
        .model("crate", cuboid(2.0, [0.1; 3]), at(0.0, 0.0, -2.0))
        .model("s", slider(1.0), Base::fixed())
        .model("t", slider(3.0), Base::fixed())
        .initial("s/x", 0.1, 0.4)
        .initial("t/x", 0.2, 0.8)
        .spring("t/x", 10.0, 0.0)
        .constraint(Constraint::weld("hold", tip(), Attachment::at("crate/body", [0.0; 3])))
        .constraint(Constraint::distance(
            "tie",
            Attachment::world(Isometry3::identity()),
            Attachment::at("crate/body", [0.0; 3]),
            2.0,
        ))
        .constraint(Constraint::coupler("gear", ["s/x", "t/x"], 0.5, 0.0));
    let diagram = alone(plant);
    let Balance { worst, .. } = tight(&diagram, 1e-3, 0.1);
    assert!(worst < BALANCED, "{worst:e}");
    let mut simulation = run(&diagram, cenic(1e-4), 1.0);
    let record = simulation.step_record("plant").unwrap().unwrap().clone();
    let mut get = |name: &str| simulation.channel(&format!("plant.constraints.{name}")).unwrap();
    // Weld and tie carry the crate together; the coupler pulls the first carriage along.
    let (weld, tie) = (get("hold.fz"), get("tie.force"));
    assert!((weld - tie - 2.0 * G).abs() < 0.01 * G && tie < -0.1 && weld > 0.1, "{weld} {tie}");
    let pulled = (record.velocity.iter().rev().nth(1).unwrap() - record.v.iter().rev().nth(1).unwrap()) / record.length;
    assert!((get("gear.force") - pulled).abs() < 1e-3 * pulled.abs(), "{} {pulled}", get("gear.force"));
    assert!(pulled.abs() > 0.1, "{pulled}");
}

/// A carriage driven by a motor of limited effort.
#[test]
fn net_actuation_is_the_clamped_effort() {
    use kinegraph::systems::control::Pid;
    use kinegraph::systems::sources::Constant;
    let mut model = slider(1.0);
    model.joints[0].effort = 5.0;
    let mut b = DiagramBuilder::new("motor");
    let plant = b.add("plant", PlantBuilder::new().model("s", model, Base::fixed()).build().unwrap());
    let pid = b.add("pid", Pid::new(1, 1000.0, 0.0, 50.0).unwrap());
    let goal = b.add("goal", Constant::new([1.0, 0.0]).unwrap());
    b.connect(plant.state("s"), pid.measured);
    b.connect(goal.output, pid.desired);
    b.connect(pid.effort, plant.actuation("s"));
    let diagram = b.build().unwrap();
    let Balance { worst, .. } = tight(&diagram, 1e-2, 2.0);
    assert!(worst < BALANCED, "{worst:e}");
    for options in [icf(1e-2), cenic(1e-4)] {
        let Balance { worst, .. } = run_balance(&diagram, options, 2.0);
        assert!(worst < SOLVED, "{worst:e}");
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        assert_eq!(simulation.output(plant.net_actuation()), [0.0], "before the first step");
        simulation.advance_to(0.1).unwrap();
        assert_eq!(simulation.output(plant.net_actuation()), [5.0]);
        let wanted = simulation.output(pid.effort)[0];
        assert!(wanted > 100.0, "{wanted}");
        assert_eq!(simulation.output(plant.net_actuation_of("s")), [5.0]);
        assert_eq!(simulation.channel("plant.s.x.effort").unwrap(), 5.0);
    }
}

/// Force and torque that a fixed table, a sensor welded on it and a box on that pass down; and the contact force of the
/// box.
#[test]
fn a_stack_of_welds_carries_its_weight() {
    let plate = |name: &str, mass: f64| Link {
        collisions: vec![Collision {
            name: String::new(),
            X_BG: Isometry3::identity(),
            shape: Shape::Box { half_extents: Vector3::new(0.3, 0.3, 0.05) },
            surface: None,
        }],
        ..link(name, mass, [0.1, 0.0, 0.0])
    };
    let mut weld = joint("weld", JointKind::Fixed, "table", "sensor", Vector3::z());
    weld.X_PF = Isometry3::translation(0.5, 0.0, 0.2);
    let model = Model {
        name: "m".into(),
        links: vec![plate("table", 3.0), plate("sensor", 1.0)],
        joints: vec![weld],
        ..Model::default()
    };
    let plant = PlantBuilder::new().model("m", model, Base::fixed());
    let plant = plant.model("crate", cuboid(2.0, [0.05; 3]), at(0.6, 0.1, 0.3));
    let mut simulation = run(&alone(plant), cenic(1e-4), 1.0);
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-3, "{found}, not {expected}");
    let mut get = |name: &str| simulation.channel(&format!("plant.{name}")).unwrap();
    near(get("crate.body.contact.fz"), 2.0 * G);
    near(get("m.sensor.contact.fz"), -2.0 * G);
    // About the sensor: its own mass at x = 0.1, the box at (0.1, 0.1).
    near(get("m.sensor.reaction.fz"), 3.0 * G);
    near(get("m.sensor.reaction.tx"), 0.1 * 2.0 * G);
    near(get("m.sensor.reaction.ty"), -0.1 * 3.0 * G);
    near(get("m.table.reaction.fz"), 6.0 * G);
    near(get("m.table.reaction.ty"), -(0.1 * 3.0 + 0.6 * 3.0) * G);
    near(get("crate.body.reaction.fz"), 0.0);
}

/// A pendulum through its lowest point: the pivot force is m (g + l w²), without a torque about its axis.
#[test]
fn a_pendulum_pulls_at_its_pivot() {
    let (length, mass, w) = (0.5, 2.0, 3.0);
    let pivot: Joint = joint("pivot", JointKind::Continuous, "base", "bob", Vector3::y());
    let links = vec![Link { name: "base".into(), ..Link::default() }, link("bob", mass, [0.0, 0.0, -length])];
    let model = Model { name: "p".into(), links, joints: vec![pivot], ..Model::default() };
    let plant = PlantBuilder::new().model("p", model, Base::fixed()).initial("p/pivot", 0.0, w);
    let mut simulation = Simulation::new(&alone(plant), icf(1e-6)).unwrap();
    simulation.step(1.0).unwrap();
    for body in ["bob", "base"] {
        let mut get = |what: &str| simulation.channel(&format!("plant.p.{body}.reaction.{what}")).unwrap();
        let (fx, fz, ty) = (get("fx"), get("fz"), get("ty"));
        assert!(
            (fz - mass * (G + length * w * w)).abs() < 1e-9 && fx.abs() < 1e-9 && ty.abs() < 1e-9,
            "{fx} {fz} {ty}"
        );
    }
}

/// Along its axis, a joint transmits the efforts of its actuator, stop, spring and damper.
#[test]
fn reactions_along_axes_are_the_efforts() {
    let mut model = double_pendulum();
    model.joints[0].damping = 0.3;
    model.joints[1].armature = 0.05;
    model.joints[1].limits = (-0.2, 0.2);
    model.joints[1].kind = JointKind::Revolute;
    let mut b = DiagramBuilder::new("arm");
    let plant = PlantBuilder::new().model("p", model, Base::fixed()).initial("p/j1", 1.0, 0.5).spring("p/j1", 7.0, 0.1);
    let plant = b.add("plant", plant.build().unwrap());
    b.fix(plant.actuation("p"), [2.0, -3.0]);
    let diagram = b.build().unwrap();
    let mut simulation = Simulation::new(&diagram, cenic(1e-4)).unwrap();
    let mut stopped = false;
    while simulation.time() < 1.0 {
        simulation.step(1.0).unwrap();
        let record = simulation.step_record("plant").unwrap().unwrap().clone();
        let mut axis = |link: &str| simulation.channel(&format!("plant.p.{link}.reaction.ty")).unwrap();
        // All joints turn about y, so that torques about y do not change on the way down from the lower link's origin
        // to its joint.
        let at_start = |spring: f64, damping: f64| -7.0 * spring * (record.q[0] - 0.1) - 0.3 * damping * record.v[0];
        let first = 2.0 + at_start(1.0, 1.0) + record.passive[0];
        let v_dot = (record.velocity[1] - record.v[1]) / record.length;
        let second = -3.0 + record.stops[0] + record.passive[1] - 0.05 * v_dot;
        let (upper, lower) = (axis("upper"), axis("lower"));
        let scale = 1.0 + second.abs();
        assert!((upper - first).abs() < 1e-8 * scale, "{upper}, not {first}");
        assert!((lower - second).abs() < 1e-8 * scale, "{lower}, not {second}");
        stopped |= record.stops[0] != 0.0;
    }
    assert!(stopped);
}

/// Read-outs are part of the state: a saved run goes on with them, and samples inside a step show that step.
#[test]
fn read_outs_are_saved_and_sampled() {
    let plant = PlantBuilder::new().ground(0.0).model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.1 - G / 1e5));
    let diagram = alone(plant);
    let mut simulation = run(&diagram, cenic(1e-3), 0.5);
    let force = simulation.channel("plant.ball.body.contact.fz").unwrap();
    assert!((force - G).abs() < 1e-6, "{force}");
    let mut other = Simulation::new(&diagram, cenic(1e-3)).unwrap();
    assert_eq!(other.channel("plant.ball.body.contact.fz").unwrap(), 0.0);
    assert!(other.contact_results("plant").unwrap().contacts.is_empty());
    other.restore(&simulation.snapshot()).unwrap();
    assert_eq!(other.channel("plant.ball.body.contact.fz").unwrap(), force);
    let mut forces = Vec::new();
    let (mut values, mut fresh) = (diagram.values(), Simulation::new(&diagram, cenic(1e-3)).unwrap());
    let at = diagram.find_channels("plant.ball.body.contact.fz").unwrap()[0].index;
    let sample = |state: &kinegraph::diagram::State| {
        diagram.evaluate_state(state, &mut values);
        forces.push(values.arena()[at]);
    };
    fresh.advance_sampling(0.1, 0.001, sample).unwrap();
    assert_eq!(forces[0], 0.0, "before the first step");
    assert!(forces[1..].iter().all(|f| (f - G).abs() < 1e-3), "{forces:?}");
}

#[test]
fn contacts_can_be_read_and_printed() {
    let plant = PlantBuilder::new().ground(0.0).model("crate", cuboid(2.0, [0.1; 3]), at(0.0, 0.0, 0.1));
    let mut simulation = run(&alone(plant), cenic(1e-3), 1.0);
    let results = simulation.contact_results("plant").unwrap();
    assert_eq!(results.contacts.len(), 4);
    let text = results.to_string();
    assert!(
        text.lines().count() == 4 && text.lines().all(|line| line.starts_with("world -> crate/body: at [")),
        "{text}"
    );
    for contact in results.contacts {
        assert!(contact.normal == [0.0, 0.0, 1.0] && contact.depth > 0.0 && contact.force[2] > 0.0);
    }
    let [_, _, z] = results.force_on("crate/body");
    // Points are those of the second half of the step, the port has the mean over all of it.
    let port = simulation.channel("plant.crate.body.contact.fz").unwrap();
    assert!((port - 2.0 * G).abs() < 1e-3 && (z - 2.0 * G).abs() < 1e-3, "{z} {port}");
    let fault = simulation.contact_results("plan").unwrap_err();
    assert!(matches!(&fault, SimulationError::NoPlant { plants, .. } if plants == &["plant"]), "{fault}");
}

/// After the first step, reading the data of a step allocates nothing.
#[test]
fn reading_out_does_not_allocate() {
    let plant = PlantBuilder::new().ground(0.0).model("crate", cuboid(2.0, [0.1; 3]), at(0.0, 0.0, 0.1));
    let plant = plant.model("p", double_pendulum(), Base::fixed()).build().unwrap();
    let mut b = DiagramBuilder::new("d");
    let plant = b.add("plant", plant);
    let simulation = run(&b.build().unwrap(), cenic(1e-3), 0.1);
    let record = simulation.step_record("plant").unwrap().unwrap();
    let mut memory = simulation.state().discrete.clone();
    let mut point = PlantPoint::default();
    plant.evaluate(&record.q, &record.v, &mut point);
    plant.read_out(record, &mut point, &mut memory);
    let count = allocation_counter::measure(|| plant.read_out(record, &mut point, &mut memory)).count_total;
    assert_eq!(count, 0);
    // A record is that of the second half of the step; what the state reports of contact is the mean over all of it.
    for (read, held) in memory.iter().zip(&simulation.state().discrete) {
        assert!((read - held).abs() <= 1e-3 * held.abs(), "{read} {held}");
    }
}
