//! Promises of the tests of published implementations of the convex step, with bounds as tight as the closed form
//! allows, and regression tests for errors of such implementations.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::integrators::{Candidate, IcfStep, OneStep, Options, Statistics, Step, StepMemory};
use kinegraph::simulate::Simulation;
use kinegraph::solvers::icf::Solver;
use kinegraph::systems::control::Pid;
use kinegraph::systems::convex::PlantPoint;
use kinegraph::systems::models::parse_urdf;
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::{Context, Fixed, LeafSystem, Out, Outputs, Ports, Scalar};
use std::f64::consts::FRAC_PI_2;

const G: f64 = 9.81;

/// A ball that falls on the ground beside a pendulum under control.
fn scene() -> Diagram {
    let plant = PlantBuilder::new()
        .ground(0.0)
        .model("ball", ball(1.0, 0.1), thrown([3.0, 0.0, 0.1], [0.0, 5.0, 0.0], [0.3, 0.1, -0.2]))
        .model("dp", double_pendulum(), Base::fixed())
        .initial("dp/j1", 0.4, 0.3)
        .initial("dp/j2", -0.7, 0.0);
    let mut b = DiagramBuilder::new("scene");
    let plant = b.add("plant", plant.build().unwrap());
    let pid = b.add("pid", Pid::new(2, 80.0, 10.0, 9.0).unwrap());
    b.connect(plant.state("dp"), pid.measured);
    b.connect(pid.effort, plant.actuation("dp"));
    b.fix(pid.desired, [0.2, 0.1, 0.0, 0.0]);
    b.build().unwrap()
}

/// A state that is set back to the same time with other values is a new state: nothing of the model of the old one is
/// used.
#[test]
fn a_state_reset_to_the_same_time_is_a_new_state() {
    let diagram = scene();
    let start = diagram.initial_state();
    let mut other = start.clone();
    for (i, x) in other.continuous.iter_mut().enumerate().skip(7) {
        *x += 0.01 * (i as f64).sin();
    }
    for options in [icf(1e-2), cenic(1e-3), cenic(1e-1)] {
        let mut fresh = options.build(&diagram).unwrap();
        let mut expected = other.clone();
        let step = fresh.advance(&mut expected, 1.0).unwrap();
        // After one step from the same time, on the same integrator and as a simulation set to the state.
        let mut used = options.build(&diagram).unwrap();
        used.advance(&mut start.clone(), 1.0).unwrap();
        used.recall(&StepMemory::default());
        let mut state = other.clone();
        assert_eq!(used.advance(&mut state, 1.0).unwrap(), step);
        assert_eq!(state, expected);
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        simulation.step(1.0).unwrap();
        simulation.set_state(State { started: true, ..other.clone() }).unwrap();
        assert_eq!(simulation.step(1.0).unwrap(), step);
        assert_eq!(simulation.state().continuous, expected.continuous);
    }
}

/// A joint has one actuator and one effort limit, that of the joint, for any number of transmissions; their rotors add
/// up.
#[test]
fn several_transmissions_on_a_joint_are_one_actuator() {
    let motor = |name: &str| {
        format!(
            "<transmission name='{name}'><type>SimpleTransmission</type><joint name='x'/><actuator name='{name}'>
             <drake:rotor_inertia value='0.5'/></actuator></transmission>"
        )
    };
    let text = format!(
        "<robot name='r' xmlns:drake='http://drake.mit.edu'><link name='a'/>
         <link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>
         <joint name='x' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/>
         <limit effort='3' velocity='100' lower='-100' upper='100'/></joint>{}{}</robot>",
        motor("m1"),
        motor("m2")
    );
    let model = parse_urdf(&text, "two motors").unwrap().model;
    let mut b = DiagramBuilder::new("two motors");
    let plant = b.add("plant", PlantBuilder::new().model("r", model, Base::fixed()).build().unwrap());
    // One number, not two.
    b.fix(plant.actuation("r"), [10.0]);
    let end = run(&b.build().unwrap(), icf(0.25), 1.0);
    // 3 N on 1 kg and two rotors of 0.5 kg.
    assert!((end.state().continuous[1] - 1.5).abs() < 1e-12, "{}", end.state().continuous[1]);
}

/// The solver's tolerance is neither absolute nor common to all bodies: a mote falls correctly beside heavy and fast
/// bodies.
#[test]
fn light_bodies_fall_beside_heavy_ones() {
    for (options, time) in [(cenic(1e-1), 0.2), (cenic(1e-3), 0.2), (icf(1e-3), 0.2)] {
        for mass in [1e-3, 1e-6, 1e-9] {
            let heavy = thrown([100.0, 0.0, 50.0], [3.0, 0.0, 1.0], [300.0, 0.0, 0.0]);
            let plant = PlantBuilder::new().ground(0.0).model("heavy", cuboid(1e6, [1.0, 2.0, 3.0]), heavy).model(
                "light",
                ball(mass, 0.01),
                at(0.0, 0.0, 1.0),
            );
            let mut simulation = run(&alone(plant), options, time);
            let (_, v) = velocity(&mut simulation, "light");
            assert!((v.z + G * time).abs() < 1e-9, "{mass} kg at accuracy {}: {}", options.accuracy, v.z);
        }
    }
}

/// Heavy bodies do not change a bit of the contact of bodies beside them.
#[test]
fn heavy_islands_do_not_loosen_others() {
    let drop = |company: bool| {
        let mut plant = PlantBuilder::new().ground(0.0).contact(contact(1e3, 10.0, 0.5));
        plant = plant.model("light", ball(1e-4, 0.01), thrown([0.0, 0.0, 0.0101], [0.0; 3], [0.1, 0.0, -0.01]));
        if company {
            let base = thrown([100.0, 0.0, 2.9], [0.0; 3], [300.0, 0.0, -10.0]);
            plant = plant.model("heavy", cuboid(1e5, [1.0, 2.0, 3.0]), base);
        }
        let mut simulation = run(&alone(plant), icf(1e-3), 0.05);
        let (w, v) = velocity(&mut simulation, "light");
        (position(&mut simulation, "light"), w, v)
    };
    let (p, w, v) = drop(false);
    assert_eq!((p, w, v), drop(true));
    // The ball has landed and begun to roll.
    assert!(p.z < 0.01 && w.y > 1.0, "{p} {w} {v}");
}

/// A step of fixed length has no estimate of its error, whatever came before; the first step of a run does not depend
/// on the run before; error weights have an effect.
#[test]
fn estimates_weights_and_first_steps_are_those_of_the_run() {
    let diagram = scene();
    let start = diagram.initial_state();
    let mut fixed = icf(1e-2).build(&diagram).unwrap();
    let mut state = start.clone();
    for _ in 0..5 {
        assert!(matches!(fixed.advance(&mut state, 1.0).unwrap(), Step::Accepted { error: 0.0, .. }));
    }
    let mut controlled = Simulation::new(&diagram, cenic(1e-3)).unwrap();
    let counts = |simulation: &mut Simulation| {
        for _ in 0..20 {
            simulation.step(1.0).unwrap();
        }
        simulation.statistics().clone()
    };
    let first = counts(&mut controlled);
    assert!(first.steps == 20 && first.first_step.is_some());
    controlled.set_state(start.clone()).unwrap();
    assert_eq!(counts(&mut controlled), first);
    // Hinges that count a hundredfold ask for shorter steps.
    let mut weighed = cenic(1e-3);
    weighed.error_weights.angle *= 100.0;
    let steps = |options| run(&diagram, options, 0.3).statistics().steps;
    assert!(steps(weighed) > 2 * steps(cenic(1e-3)), "{} and {}", steps(weighed), steps(cenic(1e-3)));
}

/// A contact without stiffness exerts no force: a body in it falls freely.
#[test]
fn a_contact_without_stiffness_does_nothing() {
    for options in [icf(1e-2), cenic(1e-3)] {
        let plant = PlantBuilder::new().ground(0.0).contact(contact(0.0, 50.0, 0.5));
        let plant = plant.model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.05));
        let simulation = &mut run(&alone(plant), options, 0.2);
        let (w, v) = velocity(simulation, "ball");
        assert!((v.z + 0.2 * G).abs() < 1e-12 && v.xy().norm() == 0.0 && w.norm() == 0.0, "{v} {w}");
        assert!(simulation.statistics().max_contacts > 0);
    }
}

/// A mass on a spring, as a block without a plant: `(x, v)`.
struct Spring {
    state: Out<Fixed<2>>,
    ports: Ports,
    rate: f64,
}

impl LeafSystem for Spring {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.state, [ctx.continuous[0], ctx.continuous[1]]);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives.copy_from_slice(&[ctx.continuous[1], ctx.continuous[0] * S::constant(-self.rate)]);
    }
}

#[test]
fn a_spring_and_a_mass_outside_the_plant_are_integrated_to_the_accuracy() {
    for (k, m) in [(300.0, 2.0), (100.0, 1.0)] {
        for plants in [0, 1] {
            let (start, w) = ([0.1, 0.5], f64::sqrt(k / m));
            let mut ports = Ports::new();
            let state = ports.output("state");
            ports.continuous_state("x", start.to_vec());
            let mut b = DiagramBuilder::new("spring");
            b.add("spring", Spring { state, ports, rate: k / m });
            if plants > 0 {
                // At rest: it leaves the steps to the spring.
                let plant = weightless().model("dp", double_pendulum(), Base::fixed());
                b.add("plant", plant.build().unwrap());
            }
            let end = run(&b.build().unwrap(), cenic(1e-5), 1.0);
            let [x, v] = end.state().continuous[..2] else { panic!("two states") };
            let (s, c) = w.sin_cos();
            let error = (x - (start[0] * c + start[1] / w * s)).abs();
            let error_v = (v - (start[1] * c - start[0] * w * s)).abs();
            assert!(error < 1e-5 && error_v < 1e-5 * w, "k = {k}, m = {m}: {error:e}, {error_v:e}");
        }
    }
}

/// In free motion a step of fixed length is `M(q0) (v - v0) = -h k(q0, v0)`, `q = q0 + h v`.
#[test]
fn a_step_without_contact_is_semi_implicit() {
    let h = 0.01;
    let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed());
    let diagram = alone(plant.initial("dp/j1", 0.7, 1.5).initial("dp/j2", -1.1, -2.5));
    let mut simulation = Simulation::new(&diagram, icf(h)).unwrap();
    let plant = diagram.blocks()[0].system.as_plant().unwrap();
    let mut point = PlantPoint::default();
    for _ in 0..50 {
        let before = simulation.state().continuous.clone();
        simulation.set_state(State { time: 0.0, ..simulation.state().clone() }).unwrap();
        simulation.step(1.0).unwrap();
        let after = &simulation.state().continuous;
        plant.evaluate(&before[..2], &before[2..], &mut point);
        for i in 0..2 {
            let m = &point.mass_matrix[2 * i..2 * i + 2];
            let impulse = m[0] * (after[2] - before[2]) + m[1] * (after[3] - before[3]);
            let scale = (m[0] * before[2]).abs() + (m[1] * before[3]).abs() + h * point.bias[i].abs();
            assert!((impulse + h * point.bias[i]).abs() <= 100.0 * f64::EPSILON * scale, "{impulse}");
            assert!((after[i] - before[i] - h * after[2 + i]).abs() <= 4.0 * f64::EPSILON * before[i].abs().max(1.0));
        }
    }
}

/// The error estimate of a step of a first-order method is of second order.
#[test]
fn the_estimate_of_a_step_falls_with_the_square_of_its_length() {
    let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed());
    let diagram = alone(plant.initial("dp/j1", 0.7, 1.5).initial("dp/j2", -1.1, -2.5));
    for extrapolate in [false, true] {
        let estimates = [0.01, 0.005, 0.0025, 0.00125].map(|h| {
            let options = Options { max_step: h, initial_step: Some(h), extrapolate, ..cenic(1e-3) };
            let mut state = diagram.initial_state();
            match options.build(&diagram).unwrap().advance(&mut state, 1.0).unwrap() {
                Step::Accepted { h: taken, error } if taken == h => error,
                step => panic!("{step:?}"),
            }
        });
        for pair in estimates.windows(2) {
            // Extrapolated, free motion is followed by a method whose estimate is of the fifth order.
            let ratio = pair[0] / pair[1] / if extrapolate { 8.0 } else { 1.0 };
            assert!((3.6..4.2).contains(&ratio), "{estimates:?}");
        }
    }
}

#[test]
fn a_constant_force_lifts_by_half_its_acceleration_times_the_square_of_time() {
    for (options, bound) in [(cenic(1e-5), 1e-9), (cenic(1e-3), 1e-9), (icf(1e-3), 0.5 * 1e-3 * 0.3 * 41.0)] {
        let mut b = DiagramBuilder::new("lift");
        let plant = PlantBuilder::new().ground(0.0).model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.2));
        let plant = b.add("plant", plant.build().unwrap());
        b.fix(plant.applied_spatial_force("ball"), [0.0, 0.0, 0.0, 0.0, 0.0, 50.0]);
        let height = position(&mut run(&b.build().unwrap(), options, 0.3), "ball").z;
        let exact = 0.2 + 0.5 * (50.0 - G) * 0.3 * 0.3;
        assert!((height - exact).abs() < bound, "{:e} at accuracy {}", height - exact, options.accuracy);
    }
}

#[test]
fn a_ball_rolls_on_a_table_at_the_speed_it_began_with() {
    let (speed, radius, k) = (0.8, 0.1, 1e5);
    let depth = G / k;
    for options in [cenic(1e-3), cenic(1e-5), icf(1e-2)] {
        let base = thrown([0.0, 0.0, radius - depth], [0.0, speed / radius, 0.0], [speed, 0.0, 0.0]);
        let plant =
            PlantBuilder::new().ground(0.0).contact(contact(k, 10.0, 1.0)).model("ball", ball(1.0, radius), base);
        let mut simulation = run(&alone(plant), options, 1.0);
        let p = position(&mut simulation, "ball");
        let rolled = (p.x - speed).abs() < 1e-3 && p.y.abs() < 1e-9 && (p.z - radius).abs() < 1e-3;
        assert!(rolled, "{p} at accuracy {}", options.accuracy);
        let (w, v) = velocity(&mut simulation, "ball");
        assert!((w.y * radius - v.x).abs() < 1e-3, "{w} {v}");
    }
}

#[test]
fn quaternions_keep_their_length_in_a_wild_spin() {
    let base = || thrown([0.0; 3], [70.0, -50.0, 90.0], [1.0, 2.0, 3.0]);
    let ball = alone(weightless().model("ball", ball(1.0, 0.1), base()));
    // Its gyroscopic torque wants steps of less than a radian.
    let cuboid = alone(weightless().model("box", cuboid(1.0, [0.1, 0.2, 0.3]), base()));
    for (diagram, options) in [(&ball, icf(0.1)), (&ball, cenic(1e-1)), (&cuboid, icf(1e-3)), (&cuboid, cenic(1e-3))] {
        let mut simulation = Simulation::new(diagram, options).unwrap();
        while simulation.time() < 1.0 {
            simulation.step(1.0).unwrap();
            let norm = simulation.state().continuous[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((norm - 1.0).abs() <= 10.0 * f64::EPSILON, "{:e} at {}", norm - 1.0, simulation.time());
        }
    }
}

#[test]
fn a_pendulum_under_pid_control_reaches_its_target_and_the_integral_its_weight() {
    let (target, ki) = ([FRAC_PI_2, -FRAC_PI_2], 60.0);
    for options in [cenic(1e-3), cenic(1e-1), icf(1e-2)] {
        let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed());
        let mut b = DiagramBuilder::new("pid");
        let plant = b.add("plant", plant.build().unwrap());
        let pid = b.add("pid", Pid::new(2, 100.0, ki, 30.0).unwrap());
        b.connect(plant.state("dp"), pid.measured);
        b.connect(pid.effort, plant.actuation("dp"));
        b.fix(pid.desired, [target[0], target[1], 0.0, 0.0]);
        let end = run(&b.build().unwrap(), options, 20.0);
        let [q1, q2, v1, v2, z1, z2] = end.state().continuous[..] else { panic!("six states") };
        for (x, goal) in [(q1, target[0]), (q2, target[1]), (v1, 0.0), (v2, 0.0)] {
            assert!((x - goal).abs() < 1e-3, "{:?}", end.state().continuous);
        }
        // Links of 1 kg, centres at 0.5 m: the weights of the upper one and of all of the lower one turn j1; the lower
        // one hangs.
        let weight = [G * (0.5 + 1.0) * target[0].sin(), 0.0];
        for (z, weight) in [z1, z2].into_iter().zip(weight) {
            assert!((ki * z - weight).abs() < 1e-3, "{} instead of {weight} at {}", ki * z, options.accuracy);
        }
    }
}

#[test]
fn a_step_to_where_it_is_changes_nothing() {
    let diagram = scene();
    for options in [icf(1e-2), cenic(1e-3)] {
        let mut state = diagram.initial_state();
        let mut integrator = options.build(&diagram).unwrap();
        for _ in 0..3 {
            let (before, statistics) = (state.clone(), integrator.statistics().clone());
            let time = state.time;
            let step = integrator.advance(&mut state, time).unwrap();
            assert_eq!(step, Step::ReachedLimit { h: 0.0, error: 0.0 });
            assert_eq!((&state, integrator.statistics()), (&before, &statistics));
            integrator.advance(&mut state, 1.0).unwrap();
        }
    }
}

#[test]
fn times_may_be_negative_and_steps_as_short_as_numbers_allow() {
    let diagram = scene();
    for options in [icf(1e-2), cenic(1e-3)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        simulation.advance_to(1e-40).unwrap();
        assert_eq!(simulation.time(), 1e-40);
        // A shift of time by an exact number changes no step but for rounding.
        let ends = [0.0, -1.0].map(|t0| {
            let mut simulation = Simulation::new(&diagram, options).unwrap();
            simulation.set_state(State { time: t0, ..diagram.initial_state() }).unwrap();
            simulation.advance_to(t0 + 0.5).unwrap();
            assert_eq!(simulation.time(), t0 + 0.5);
            simulation.state().continuous.clone()
        });
        for (a, b) in ends[0].iter().zip(&ends[1]) {
            assert!((a - b).abs() < 1e-9, "{a} and {b}");
        }
    }
}

#[test]
fn a_lock_beside_a_weld_between_the_same_links_is_no_trouble() {
    for options in [cenic(1e-3), icf(1e-3)] {
        let weld = Constraint::weld(
            "weld",
            Attachment::at("arm/upper", [0.0, 0.0, -1.0]),
            Attachment::at("arm/lower", [0.0; 3]),
        );
        let plant = PlantBuilder::new().model("arm", double_pendulum(), Base::fixed()).constraint(weld);
        let plant = plant.initial("arm/j1", 0.5, 0.0).initial("arm/j2", 0.2, 0.0).lock("arm/j1", true);
        let end = run(&alone(plant), options, 0.5);
        assert_eq!((end.state().continuous[0], end.state().continuous[2]), (0.5, 0.0));
        assert!(end.state().continuous[1].abs() < 1e-4, "{:?}", end.state().continuous);
    }
}

/// A retry with a shorter step, from data prepared for the longer one, has the bits of a first attempt.
#[test]
fn a_retry_has_the_bits_of_a_first_attempt() {
    let diagram = scene();
    let state = diagram.initial_state();
    let (long, short) = (0.02, 0.003);
    let ends = [&[long, short][..], &[short][..]].map(|lengths| {
        let mut method = IcfStep::new(&diagram, Default::default(), Solver::default());
        let (mut point, mut statistics) = (Default::default(), Statistics::default());
        method.prepare(&state, long, &mut point, &mut statistics).unwrap();
        let mut next = Candidate::default();
        for &h in lengths {
            next.velocity = method.velocity_at(&point).to_vec();
            method.step(&mut point, h, 1e-8, &mut next, &mut statistics).unwrap();
        }
        assert_eq!(statistics.geometry_queries, 1);
        (next.continuous, next.velocity)
    });
    assert_eq!(ends[0], ends[1]);
}
