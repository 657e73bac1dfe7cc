//! Methods for differential equations move plants: closed forms, and agreement with the convex step.

use crate::common::*;
use crate::moved_plants::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{ErrorWeights, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::dynamics::ZeroOrderHold;
use kinegraph::systems::multibody::plant::StopLaw;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::operators::MatrixGain;
use kinegraph::systems::port::Sampling;
use nalgebra::Vector3;

/// The methods, with the given accuracy.
const METHODS: [fn(f64) -> Options; 3] = [Options::rk3, Options::bs23, Options::dopri5];

/// The elastic bounce: free fall, half an oscillation about where the weight is carried, and up again.
#[test]
fn an_elastic_ball_bounces_by_the_closed_form() {
    let diagram = ball_over_ground(0.3, 0.0);
    let (rate, v) = (1e4_f64.sqrt(), (2.0 * G * 0.2_f64).sqrt());
    let fall = v / G;
    // z'' = -rate² (z - z0) with the depth g/rate² at rest, entered at the speed v.
    let phase = (v * rate / G).atan();
    let pressed = 2.0 * (std::f64::consts::PI - phase) / rate;
    for method in METHODS {
        for (accuracy, most) in [(1e-5, 1e-2), (1e-8, 1e-5)] {
            let z = height(&diagram, method(accuracy), fall + pressed + fall);
            assert!((z - 0.3).abs() < most, "{:?} {accuracy:e}: {:e}", method(accuracy).integrator, z - 0.3);
        }
    }
}

/// The effect of an impact on a velocity is in the position long after: with velocities in the norm errors are smaller.
#[test]
fn a_bouncing_ball_is_where_the_convex_step_has_it() {
    for dissipation in [0.0, 1.0] {
        let diagram = ball_over_ground(0.3, dissipation);
        let reference = height(&diagram, Options::dopri5(1e-11), 0.6);
        let errors_of = |options: &dyn Fn(f64) -> Options| {
            [1e-5, 1e-7].map(|accuracy| (height(&diagram, options(accuracy), 0.6) - reference).abs())
        };
        for method in METHODS {
            let state = |accuracy| Options { error_weights: ErrorWeights::STATE, ..method(accuracy) };
            let (by_positions, by_state) = (errors_of(&method), errors_of(&state));
            let name = method(1e-7).integrator;
            assert!(by_positions[1] < 2e-3 && by_positions[1] < by_positions[0], "{name:?} {by_positions:?}");
            assert!(by_state[1] < 1e-4 && by_state[1] < 0.7 * by_state[0], "{name:?} {by_state:?}");
        }
        let convex = errors_of(&cenic);
        assert!(convex[1] < 2e-6, "d = {dissipation}: {convex:?}");
    }
}

#[test]
fn a_double_pendulum_keeps_its_energy_to_the_accuracy() {
    let diagram = swinging();
    let start = Simulation::new(&diagram, Options::dopri5(1e-3)).unwrap().energy().unwrap();
    for method in METHODS {
        for accuracy in [1e-4, 1e-6, 1e-8] {
            let gain = run(&diagram, method(accuracy), 2.0).energy().unwrap() - start;
            assert!(gain.abs() < 3e3 * accuracy, "{:?} {accuracy:e}: {gain:e}", method(accuracy).integrator);
        }
    }
}

#[test]
fn methods_have_their_order_on_a_plant() {
    let diagram = swinging();
    let exact = run(&diagram, Options::dopri5(1e-12), 0.5);
    for (method, order) in METHODS.into_iter().zip([3, 3, 5]) {
        let error = |h: f64| {
            let end = run(&diagram, Options { step: Some(h), ..method(1e-3) }, 0.5);
            crate::models::distance(&end.state().continuous, &exact.state().continuous)
        };
        let seen = (error(0.01) / error(0.005)).log2();
        assert!((seen - f64::from(order)).abs() < 0.4, "{seen} for {order}");
    }
}

/// A block on a slope (gravity turned) whose tangent is `slope`.
fn on_a_slope(slope: f64) -> (Diagram, f64) {
    let angle = slope.atan();
    let gravity = [G * angle.sin(), 0.0, -G * angle.cos()];
    let plant = PlantBuilder::new().gravity(gravity).ground(0.0).model("block", block(), at(0.0, 0.0, 0.06));
    (alone(plant.contact(contact(1e4, 20.0, 0.5))), angle)
}

/// A block creeps under friction below its limit: `mu v/sqrt(v² + v_s²)` is the tangent of the slope. At looser
/// accuracies the block trembles instead, within the accuracy in every step.
#[test]
fn a_block_creeps_down_a_slope_by_the_closed_form() {
    let (diagram, _) = on_a_slope(0.3);
    let creep = 1e-4 * 0.6 / (1.0_f64 - 0.36).sqrt();
    for method in METHODS {
        let mut simulation = run(&diagram, method(1e-10), 0.5);
        let before = position(&mut simulation, "block").x;
        simulation.advance_to(0.6).unwrap();
        let v = (position(&mut simulation, "block").x - before) / 0.1;
        assert!((v - creep).abs() < 1e-2 * creep, "{v:e} for {creep:e}");
    }
}

#[test]
fn a_block_slides_down_a_slope_by_the_closed_form() {
    let (diagram, angle) = on_a_slope(0.8);
    let acceleration = G * (angle.sin() - 0.5 * angle.cos());
    for method in METHODS {
        let mut simulation = run(&diagram, method(1e-6), 0.5);
        let (_, before) = velocity(&mut simulation, "block");
        simulation.advance_to(1.0).unwrap();
        let (_, after) = velocity(&mut simulation, "block");
        let a = (after.x - before.x) / 0.5;
        assert!((a - acceleration).abs() < 1e-4 * acceleration, "{a} for {acceleration}");
    }
}

/// A carriage of 2 kg on an upright rail, `height` above its stop.
fn above_a_stop(height: f64, restitution: f64) -> Diagram {
    let mut model = slider(2.0);
    (model.joints[0].axis, model.joints[0].limits) = (Vector3::z(), (0.0, 100.0));
    let plant = PlantBuilder::new().model("s", model, Base::fixed()).initial("s/x", height, 0.0);
    alone(plant.stops("s/x", StopLaw::giving_back(restitution)))
}

#[test]
fn a_stop_holds_within_its_sag_and_gives_back_its_restitution() {
    for method in METHODS {
        let rests = run(&above_a_stop(0.1, 0.0), method(1e-5), 0.5);
        let [x, v] = rests.state().continuous[..] else { panic!("a carriage") };
        assert!((x + SAG).abs() < 1e-9 && v.abs() < 1e-6, "{x:e} {v:e}");
        let force = rests.integrator().records()[0].stops[0];
        assert!((force - 2.0 * G).abs() < 1e-2, "{force}");
        // The apex after a bounce is the square of the restitution lower, but for what gravity does while the stop is
        // pressed, for half its period.
        let bounce = run(&above_a_stop(0.1, 0.5), method(1e-10), 1.5 * (0.2 / G).sqrt() + 0.5e-3);
        assert!((bounce.state().continuous[0] - 0.025).abs() < 4e-4, "{:?}", bounce.state().continuous);
    }
}

#[test]
fn a_weld_holds_within_its_sag_and_reports_its_force() {
    for method in METHODS {
        assert_hangs(&mut run(&hanging(), method(1e-4), 0.1));
    }
}

/// Steps of fixed length that cannot follow rigid elements are refused, with the admissible length.
#[test]
fn fixed_steps_too_long_for_what_is_rigid_are_refused() {
    let options = Options { step: Some(1e-3), ..Options::rk3(1e-3) };
    let (longest, error) = longest_that_hangs(options);
    assert!(error.to_string().contains("`cenic`"), "{error}");
    run(&hanging(), Options { step: Some(longest), ..options }, 0.1);
}

#[test]
fn a_locked_joint_stands_still() {
    let plant = PlantBuilder::new().model("arm", double_pendulum(), Base::fixed()).lock("arm/j2", true);
    let diagram = alone(plant.initial("arm/j1", 1.0, 0.0).initial("arm/j2", 0.3, 0.0));
    for method in METHODS {
        let (a, b) = (run(&diagram, method(1e-6), 1.0), run(&diagram, cenic(1e-6), 1.0));
        let [a, b] = [a, b].map(|simulation| simulation.state().continuous.clone());
        assert_eq!((a[1], a[3]), (0.3, 0.0));
        assert!((a[0] - b[0]).abs() < 1e-4, "{a:?} {b:?}");
    }
}

#[test]
fn a_joint_creeps_under_dry_friction() {
    let mut model = slider(1.0);
    model.joints[0].friction = 2.0;
    let plant = PlantBuilder::new().gravity([1.0, 0.0, 0.0]).model("s", model, Base::fixed());
    let simulation = run(&alone(plant), Options::bs23(1e-11), 0.01);
    let v = simulation.state().continuous[1];
    assert!((v - 0.5e-5).abs() < 0.1 * 0.5e-5, "{v:e}");
}

/// A spring that samples the position of a carriage every 0.1 s and requires more than the effort limit.
#[test]
fn a_sampled_controller_acts_within_its_effort_limit() {
    let (gain, limit, period) = (-10.0, 2.0, 0.1);
    let mut model = slider(1.0);
    model.joints[0].effort = limit;
    let mut b = DiagramBuilder::new("sampled");
    let plant = weightless().model("s", model, Base::fixed()).initial("s/x", 0.5, 0.0);
    let plant = b.add("plant", plant.build().unwrap());
    let sampling = Sampling { period, offset: 0.0 };
    let hold = b.add("hold", ZeroOrderHold::new(2, sampling, 0.0).unwrap());
    let law = b.add("gain", MatrixGain::new(vec![vec![gain, 0.0]]).unwrap());
    b.connect(plant.state("s"), hold.input);
    b.connect(hold.output, law.input);
    b.connect(law.output, plant.actuation("s"));
    let diagram = b.build().unwrap();
    let (mut x, mut v) = (0.5_f64, 0.0);
    for _ in 0..8 {
        let u = (gain * x).clamp(-limit, limit);
        (x, v) = (x + period * v + 0.5 * period * period * u, v + period * u);
    }
    for method in METHODS {
        let end = run(&diagram, method(1e-6), 0.8);
        let [q, rate] = end.state().continuous[..] else { panic!("a carriage") };
        assert!((q - x).abs() < 1e-12 && (rate - v).abs() < 1e-12, "{q} {rate} for {x} {v}");
    }
}

#[test]
fn a_run_with_contact_goes_on_from_a_snapshot_bit_for_bit() {
    assert_goes_on_from_a_snapshot(METHODS.map(|method| method(1e-4)));
}

#[test]
fn a_whole_scene_ends_as_the_convex_step_has_it() {
    assert_lifts_a_box(METHODS.map(|method| method(1e-6)));
}
