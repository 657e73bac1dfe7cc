//! Implicit methods: stiff equations in few steps, rigid elements without short steps, and plants with the results of
//! other methods.

use crate::common::*;
use crate::models::*;
use crate::moved_plants::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{ErrorWeights, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::Scalar;
use kinegraph::systems::control::Pid;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::Vector3;

/// A method with the given accuracy, and its order.
type Method = (fn(f64) -> Options, i32);

const METHODS: [Method; 3] = [(Options::implicit_euler, 1), (Options::sdirk2, 2), (Options::ros2, 2)];

fn fixed(options: Options, step: f64) -> Options {
    Options { step: Some(step), ..options }
}

fn solve<E: Equation>(options: Options, end: f64) -> Simulation {
    run(&diagram::<E>(), options, end)
}

/// A linear system with rates from 1 to 1e6.
struct Decays;
impl Equation for Decays {
    fn initial() -> Vec<f64> {
        vec![1.0, 1.0, 1.0]
    }
    fn rates<S: Scalar>(_t: S, x: &[S], rates: &mut [S]) {
        (rates[0], rates[1], rates[2]) = (-x[0], -x[1] * S::constant(1e3), -x[2] * S::constant(1e6));
    }
    fn exact(t: f64) -> Vec<f64> {
        vec![(-t).exp(), (-1e3 * t).exp(), (-1e6 * t).exp()]
    }
}

#[test]
fn stiff_decays_take_few_steps() {
    for (method, _) in METHODS {
        for end in [solve::<Decays>(method(1e-4), 5.0), solve::<Stiff>(method(1e-4), 5.0)] {
            let (s, name) = (end.statistics(), end.integrator().name());
            let x = &end.state().continuous;
            let error = if x.len() == 3 { error_at::<Decays>(5.0, x) } else { error_at::<Stiff>(5.0, x) };
            assert!(error < 2e-3, "{name}: {error:e}");
            assert!(s.steps < 1100 && s.rejected_steps < 30, "{name}: {} steps", s.steps);
        }
    }
    // The third power of the step pays.
    let steps = |method: fn(f64) -> Options| solve::<Smooth>(method(1e-6), 2.0).statistics().steps;
    assert!(8 * steps(Options::sdirk2) < steps(Options::implicit_euler));
}

/// A decay that is fast against the step is nearly gone after it: L-stability.
#[test]
fn decays_faster_than_a_step_vanish_in_it() {
    for (method, _) in METHODS {
        let end = solve::<Decays>(fixed(method(1e-3), 0.1), 0.1);
        let x = &end.state().continuous;
        assert!(x[2].abs() < 1e-4 && x[1].abs() < 0.06, "{}: {x:?}", end.integrator().name());
    }
}

/// TR-BDF2 keeps its order on a stiff equation with a moving right-hand side.
#[test]
fn stages_of_second_order_keep_their_order_on_stiff_equations() {
    let error =
        |h: f64| error_at::<Stiff>(1.0, &solve::<Stiff>(fixed(Options::sdirk2(1e-3), h), 1.0).state().continuous);
    let (long, short) = (error(0.1), error(0.05));
    assert!(long < 1e-6 && short < long, "{long:e} {short:e}");
}

#[test]
fn van_der_pol_relaxes_as_the_reference_says() {
    for (method, accuracy, most) in
        [(METHODS[0].0, 1e-2, 60_000), (Options::sdirk2, 1e-3, 10_000), (Options::ros2, 1e-2, 60_000)]
    {
        let options = Options { initial_step: Some(1e-6), ..method(accuracy) };
        let end = solve::<VanDerPol>(options, 2.0);
        let y = end.state().continuous[0];
        let (steps, name) = (end.statistics().steps, end.integrator().name());
        assert!((y - VAN_DER_POL_AT_2).abs() < 5e-2, "{name}: {y}");
        assert!(steps < most, "{name}: {steps}");
    }
}

/// Held at first, then released: `x' = 1 - 1e6 exp(-20 t) x`.
struct Release;
impl Equation for Release {
    fn initial() -> Vec<f64> {
        vec![1e-6]
    }
    fn rates<S: Scalar>(t: S, x: &[S], rates: &mut [S]) {
        rates[0] = S::one() - (t * S::constant(-20.0)).exp() * x[0] * S::constant(1e6);
    }
}

/// An old Jacobian does not hold a state that was released.
#[test]
fn a_released_state_is_not_held_by_an_old_jacobian() {
    let exact = solve::<Release>(Options::sdirk2(1e-9), 2.0).state().continuous[0];
    // The state is released about when the rate falls to that of the exponential.
    assert!((exact - (2.0 - 5e4_f64.ln() / 20.0)).abs() < 0.05, "{exact}");
    for (method, _) in METHODS {
        for accuracy in [1e-2, 1e-3] {
            let end = solve::<Release>(method(accuracy), 2.0);
            let error = end.state().continuous[0] - exact;
            assert!(error.abs() < 5.0 * accuracy, "{} {accuracy:e}: {error:e}", end.integrator().name());
        }
    }
}

/// The Jacobian of a linear equation is computed once, and factored once for every step length.
#[test]
fn a_jacobian_is_kept_while_it_serves() {
    for method in [Options::implicit_euler, Options::sdirk2] {
        let end = solve::<Oscillator>(fixed(method(1e-3), 0.01), 1.0);
        let s = end.statistics();
        let (solves, factors) = if end.integrator().name() == "sdirk2" { (2, 1) } else { (3, 2) };
        // The last step is a little shorter, or longer.
        assert!(s.linearizations == 1 && s.factorizations <= 2 * factors, "{s:?}");
        assert_eq!((s.solves, s.solver_iterations), (solves * s.steps, 2 * solves * s.steps));
        assert_eq!(s.derivative_evaluations, 1 + s.solver_iterations + s.steps);
    }
    let s = solve::<Oscillator>(fixed(Options::ros2(1e-3), 0.01), 1.0).statistics().clone();
    assert_eq!((s.linearizations, s.derivative_evaluations, s.solves), (s.steps, 1 + 3 * s.steps, 0));
}

#[test]
fn methods_have_their_order_on_a_plant() {
    let diagram = swinging();
    let exact = run(&diagram, Options::dopri5(1e-12), 0.5);
    let check = |options: &dyn Fn(f64) -> Options, order: i32| {
        let error = |h: f64| {
            let end = run(&diagram, options(h), 0.5);
            distance(&end.state().continuous, &exact.state().continuous)
        };
        let seen = (error(0.002) / error(0.001)).log2();
        assert!((seen - f64::from(order)).abs() < 0.2, "{:?}: {seen} for {order}", options(0.1).integrator);
    };
    for (method, order) in METHODS {
        check(&|h| fixed(method(1e-3), h), order);
    }
    check(&Options::semi_implicit_euler, 1);
}

#[test]
fn a_double_pendulum_swings_as_the_explicit_method_has_it() {
    let diagram = swinging();
    let exact = run(&diagram, Options::dopri5(1e-12), 1.0);
    for (method, order) in METHODS {
        for accuracy in [1e-3, 1e-5] {
            let end = run(&diagram, method(accuracy), 1.0);
            let error = distance(&end.state().continuous[..2], &exact.state().continuous[..2]);
            // Errors of all steps, of which there are the more the lower the order.
            let p = f64::from(order);
            let bound = 30.0 * accuracy.powf(p / (p + 1.0));
            assert!(error < bound, "{:?} {accuracy:e}: {error:e}", method(accuracy).integrator);
        }
    }
}

/// A carriage of 1 kg that a controller of gains `kp` and `kd` moves to the position 0.5.
fn servo(kp: f64, kd: f64) -> Diagram {
    let mut b = DiagramBuilder::new("servo");
    let plant = weightless().model("s", slider(1.0), Base::fixed()).initial("s/x", 0.0, 0.0);
    let plant = b.add("plant", plant.build().unwrap());
    let pid = b.add("pid", Pid::new(1, kp, 0.0, kd).unwrap());
    b.connect(plant.state("s"), pid.measured);
    b.fix(pid.desired, [0.5, 0.0]);
    b.connect(pid.effort, plant.actuation("s"));
    b.build().unwrap()
}

/// An oscillation continues for ever: `v²/2 + k x²/2 - h k x v/2` is kept to rounding.
#[test]
fn semi_implicit_steps_neither_gain_nor_lose_energy() {
    let (k, h) = (100.0, 0.01);
    let mut simulation = Simulation::new(&servo(k, 0.0), Options::semi_implicit_euler(h)).unwrap();
    for t in 1..=100 {
        simulation.advance_to(f64::from(t)).unwrap();
        let [x, v] = simulation.state().continuous[..] else { panic!("a carriage") };
        let x = x - 0.5;
        let kept = 0.5 * (v * v + k * x * x - h * k * x * v);
        assert!((kept - 0.5 * k * 0.25).abs() < 1e-9, "{t}: {kept}");
    }
}

/// A body that tumbles, whose orientation is a quaternion.
#[test]
fn a_tumbling_body_turns_as_the_explicit_method_has_it() {
    let plant =
        weightless().model("box", cuboid(1.0, [0.1, 0.2, 0.4]), thrown([0.0; 3], [2.0, 5.0, 1.0], [0.3, 0.1, 0.0]));
    let diagram = alone(plant);
    let exact = run(&diagram, Options::dopri5(1e-12), 1.0);
    for (method, order) in METHODS {
        let end = run(&diagram, method(1e-5), 1.0);
        let error = distance(&end.state().continuous, &exact.state().continuous);
        let p = f64::from(order);
        assert!(error < 100.0 * 1e-5_f64.powf(p / (p + 1.0)), "{:?}: {error:e}", method(1e-5).integrator);
    }
}

#[test]
fn a_soft_ball_comes_to_rest_where_its_weight_is_carried() {
    let diagram = ball_over_ground(0.1 + 0.01, 20.0);
    for (method, _) in METHODS {
        let end = run(&diagram, method(1e-4), 20.0);
        let z = position(&mut end.clone(), "ball").z;
        assert!((z - (0.1 - G / 1e4)).abs() < 1e-6, "{:?}: {z}", method(1e-4).integrator);
        // At rest steps are as long as they may be.
        assert!(end.statistics().steps < 800, "{}", end.statistics().steps);
    }
}

#[test]
fn a_bouncing_ball_is_where_the_convex_step_has_it() {
    let diagram = ball_over_ground(0.1 + 0.2, 1.0);
    let reference = height(&diagram, cenic(1e-9), 0.6);
    for (method, _) in METHODS {
        let state = |accuracy| Options { error_weights: ErrorWeights::STATE, ..method(accuracy) };
        let errors = [1e-4, 1e-6].map(|accuracy| (height(&diagram, state(accuracy), 0.6) - reference).abs());
        assert!(errors[1] < 2e-3 && errors[1] < 0.5 * errors[0], "{:?} {errors:?}", method(1e-4).integrator);
    }
    let error = (height(&diagram, Options::semi_implicit_euler(1e-5), 0.6) - reference).abs();
    assert!(error < 1e-3, "{error:e}");
}

/// Stiff springs that replace rigid constraints need no short steps; an explicit or semi-implicit method refuses long
/// ones.
#[test]
fn a_weld_holds_in_long_steps() {
    for (method, _) in METHODS {
        for options in [method(1e-4), fixed(method(1e-4), 0.05)] {
            let mut end = run(&hanging(), options, 1.0);
            assert_hangs(&mut end);
            assert!(end.statistics().steps < 60, "{:?}: {}", options.integrator, end.statistics().steps);
        }
    }
    let (longest, _) = longest_that_hangs(Options::semi_implicit_euler(1e-3));
    let mut end = run(&hanging(), Options::semi_implicit_euler(longest), 0.1);
    let sag = 1.0 - position(&mut end, "box").z;
    assert!((sag - SAG).abs() < 1e-2 * SAG, "{sag:e}");
}

#[test]
fn a_stop_holds_within_its_sag() {
    let mut model = slider(2.0);
    (model.joints[0].axis, model.joints[0].limits) = (Vector3::z(), (0.0, 100.0));
    let diagram = alone(PlantBuilder::new().model("s", model, Base::fixed()).initial("s/x", 0.1, 0.0));
    for (method, _) in METHODS {
        let end = run(&diagram, method(1e-5), 2.0);
        let [x, v] = end.state().continuous[..] else { panic!("a carriage") };
        assert!((x + SAG).abs() < 1e-9 && v.abs() < 1e-6, "{:?}: {x:e} {v:e}", method(1e-5).integrator);
    }
}

/// A joint that is locked in motion comes to rest and passes its momentum to the rest of its tree, by every method.
#[test]
fn a_joint_locked_in_motion_comes_to_rest() {
    let plant = PlantBuilder::new().model("arm", double_pendulum(), Base::fixed()).lock("arm/j2", true);
    let diagram = alone(plant.initial("arm/j1", 1.0, 0.0).initial("arm/j2", 0.3, 2.0));
    let expected = run(&diagram, Options::dopri5(1e-9), 0.5).state().continuous.clone();
    assert_eq!(expected[3], 0.0);
    let check = |options: Options, most: f64| {
        let end = run(&diagram, options, 0.5);
        let x = &end.state().continuous;
        assert!(x[3].abs() < 1e-9 && (x[0] - expected[0]).abs() < most, "{options:?}: {x:?} for {expected:?}");
        assert_eq!(x[1], 0.3);
    };
    for (method, _) in METHODS {
        check(method(1e-6), 1e-2);
    }
    check(Options::semi_implicit_euler(5e-5), 1e-3);
    let refused = Simulation::new(&diagram, Options::semi_implicit_euler(1e-2)).unwrap().advance_to(0.5);
    assert!(refused.unwrap_err().to_string().contains("rigid"));
}

/// A stiff servo: gains that an explicit method follows in steps of 1e-4 s.
#[test]
fn a_stiff_servo_takes_few_steps() {
    let diagram = servo(1e8, 2e4);
    for (method, _) in METHODS {
        let end = run(&diagram, method(1e-4), 10.0);
        let x = end.state().continuous[0];
        assert!((x - 0.5).abs() < 1e-6, "{x}");
        assert!(end.statistics().steps < 400, "{:?}: {}", method(1e-4).integrator, end.statistics().steps);
    }
}

/// Differences for separate bodies share evaluations.
#[test]
fn jacobians_of_separate_bodies_share_evaluations() {
    let many = |count: usize| {
        let plant = (0..count).fold(PlantBuilder::new().ground(0.0), |plant, i| {
            plant.model(format!("ball{i}"), ball(1.0, 0.1), at(f64::from(i as u32), 0.0, 0.15))
        });
        alone(plant.contact(contact(1e4, 5.0, 0.5)))
    };
    for (method, _) in METHODS {
        let [one, five] = [1, 5].map(|count| run(&many(count), method(1e-4), 0.5).statistics().clone());
        assert_eq!(one.derivative_evaluations, five.derivative_evaluations, "{:?}", method(1e-4).integrator);
        assert_eq!((one.steps, one.linearizations), (five.steps, five.linearizations));
    }
}

#[test]
fn a_run_with_contact_goes_on_from_a_snapshot_bit_for_bit() {
    assert_goes_on_from_a_snapshot(METHODS.map(|(method, _)| method(1e-4)));
    assert_goes_on_from_a_snapshot([Options::semi_implicit_euler(1e-3)]);
}

#[test]
fn a_whole_scene_ends_as_the_convex_step_has_it() {
    assert_lifts_a_box(METHODS.map(|(method, _)| method(1e-4)));
}

/// A step that cannot be solved is a failure with its time.
#[test]
fn a_fixed_step_that_does_not_converge_is_reported() {
    let diagram = diagram::<FiniteEscape>();
    let error =
        Simulation::new(&diagram, fixed(Options::implicit_euler(1e-3), 0.4)).unwrap().advance_to(2.0).unwrap_err();
    assert!(error.to_string().contains("did not converge"), "{error}");
}

/// A force that grows along a slider overcomes friction, for random masses, loads, coefficients and rates: the block
/// breaks loose at that time, and `x = r (t - t0)³/(6 m)`.
#[test]
fn blocks_break_loose_when_friction_no_longer_holds() {
    use kinegraph::systems::geometry::Shape;
    use kinegraph::systems::multibody::Collision;
    use kinegraph::systems::multibody::plant::{ContactParameters, Material};
    use kinegraph::systems::sources::Ramp;
    use nalgebra::Isometry3;
    let mut random = Random(31);
    for scene in 0..5 {
        let (mass, normal) = (random.log(0.1, 10.0), random.log(10.0, 300.0));
        let (mu, tolerance) = (random.between(0.2, 0.8), random.log(1e-6, 1e-4));
        // The way after a second is half a metre.
        let (rate, loose) = (3.0 * mass, random.between(0.5, 2.0));
        let mut model = slider(mass);
        model.joints[0].X_PF = Isometry3::translation(0.0, 0.0, 0.05 - normal / 1e5);
        let shape = Shape::Box { half_extents: Vector3::new(0.1, 0.1, 0.05) };
        model.links[1].collisions =
            vec![Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None }];
        let pair = Material { stiffness: 1e5, dissipation: 10.0, static_friction: mu, dynamic_friction: mu };
        let contact = ContactParameters { pair, stiction_tolerance: tolerance, ..ContactParameters::default() };
        let plant = PlantBuilder::new().ground(0.0).contact(contact).model("b", model, Base::fixed());
        let mut builder = DiagramBuilder::new("loose");
        let start = mu * normal - rate * loose;
        let load = builder.add("load", Ramp::new(1, rate, start, 0.0, None).unwrap());
        let plant = builder.add("plant", plant.build().unwrap());
        builder.connect(load.output, plant.actuation("b"));
        let diagram = builder.build().unwrap();
        let reference = run(&diagram, cenic(1e-6), loose + 1.0).channel("plant.b.x.q").unwrap();
        for (method, accuracy, bound) in [
            (Options::sdirk2 as fn(f64) -> Options, 1e-3, 0.05),
            (Options::sdirk2, 1e-5, 0.01),
            (Options::implicit_euler, 1e-4, 0.05),
        ] {
            let mut simulation = run(&diagram, method(accuracy), loose + 1.0);
            let x = simulation.channel("plant.b.x.q").unwrap();
            println!(
                "{scene} {} {accuracy:e}: {x} of {reference}, {} steps",
                simulation.integrator().name(),
                simulation.statistics().steps
            );
            assert!((x - reference).abs() < bound, "{scene} {accuracy:e}: {x} of {reference}");
        }
        let x = run(&diagram, fixed(Options::sdirk2(1e-3), 1e-3), loose + 1.0).channel("plant.b.x.q").unwrap();
        assert!((x - reference).abs() < 0.01, "{scene}, fixed steps: {x} of {reference}");
    }
}
