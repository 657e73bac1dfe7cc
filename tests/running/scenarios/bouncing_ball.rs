//! A ball from a height h that keeps the part e of its speed: bounce n at `T (1 + 2 (e + … + eⁿ))` with `T = √(2h/g)`,
//! and a parabola between bounces.

use super::{Bound, hold, indices, methods, open, plain};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::dynamics::{Counter, Integrator, IntegratorSettings, Restart};
use kinegraph::systems::operators::Gain;
use kinegraph::systems::port::Crossing;
use kinegraph::systems::sources::Constant;

const G: f64 = 9.81;
const E: f64 = 0.8;

fn by_hand() -> DiagramBuilder {
    let restarts = || IntegratorSettings {
        reset: Some(Restart::from_input_on(Crossing::Falling)),
        ..IntegratorSettings::default()
    };
    let mut b = DiagramBuilder::new("bouncing_ball");
    let gravity = b.add("gravity", Constant::new([-G]).unwrap());
    let velocity = b.add("velocity", Integrator::with([0.0], restarts()).unwrap());
    let height = b.add("height", Integrator::with([1.0], restarts()).unwrap());
    let bounce = b.add("bounce", Gain::new(1, -E).unwrap());
    let ground = b.add("ground", Constant::new([0.0]).unwrap());
    let bounces = b.add("bounces", Counter::new(0.0, None).unwrap());
    b.connect(gravity.output, velocity.input);
    b.connect(velocity.output, height.input);
    b.connect(height.output, velocity.reset.unwrap());
    b.connect(velocity.output, bounce.input);
    b.connect(bounce.output, velocity.reset_value.unwrap());
    b.connect(height.output, height.reset.unwrap());
    b.connect(ground.output, height.reset_value.unwrap());
    b.connect(velocity.output, bounces.input);
    b
}

/// Height, velocity and number of bounces.
fn exact(t: f64) -> (f64, f64, i32) {
    let fall = (2.0 / G).sqrt();
    let (mut bounce, mut n) = (fall, 0);
    if t < fall {
        return (1.0 - 0.5 * G * t * t, -G * t, 0);
    }
    while bounce + 2.0 * fall * E.powi(n + 1) <= t {
        n += 1;
        bounce += 2.0 * fall * E.powi(n);
    }
    let (up, t) = (G * fall * E.powi(n + 1), t - bounce);
    (up * t - 0.5 * G * t * t, up - G * t, n + 1)
}

#[test]
fn heights_and_bounces_of_a_ball() {
    let scenario = open("examples/bouncing_ball/bouncing_ball.yaml", by_hand());
    let [height, velocity] = indices(&scenario.diagram, &["height", "velocity"])[..] else { panic!("two states") };
    let run = |options: Options| {
        let mut simulation = Simulation::new(&scenario.diagram, options).unwrap();
        let mut worst = 0.0_f64;
        simulation
            .advance_sampling(scenario.duration, 0.0401, |state| {
                worst = worst.max((state.continuous[height] - exact(state.time).0).abs());
            })
            .unwrap();
        let counted = simulation.channel("bounces.output").unwrap();
        assert_eq!(counted, f64::from(exact(scenario.duration).2), "{options:?}");
        (simulation, worst)
    };
    for (options, bound) in methods() {
        let bound = match bound {
            // A parabola is exact for methods of second order and above, in their steps and between them: only the
            // location of a bounce errs, by rounding.
            Bound::Times(_) => Bound::Times(1e-3),
            // A bounce converts the error of a step in height to an error of time, which grows: there is no bound, but
            // an order.
            Bound::Sum => continue,
        };
        let (simulation, worst) = run(options);
        hold(&simulation, options, bound, worst, "in the height");
    }
    // Steps of first order have a length of the root of the accuracy, and errors of that length.
    let (coarse, fine) = (run(plain(1e-4)).1, run(plain(1e-6)).1);
    assert!((8.0..12.0).contains(&(coarse / fine)), "{coarse:e} and {fine:e}");
    // Close to the end of all bounces, after fourteen of them.
    let mut simulation = Simulation::new(&scenario.diagram, Options::dopri5(1e-3)).unwrap();
    simulation.advance_to(3.9).unwrap();
    let (z, v, n) = exact(3.9);
    let state = &simulation.state().continuous;
    assert!((state[height] - z).abs() < 1e-12 && (state[velocity] - v).abs() < 1e-11, "{state:?} instead of {z}, {v}");
    assert_eq!((simulation.channel("bounces.output").unwrap(), n), (14.0, 14));
}
