//! Stops that rebound, and compliant stops, against closed forms.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::systems::convex::PlantPoint;
use kinegraph::systems::multibody::plant::StopLaw;
use kinegraph::systems::multibody::{Base, JointKind, Model, PlantBuilder};
use nalgebra::{Matrix2, Vector2, Vector3};

const G: f64 = 9.81;

/// A carriage on a rail along z, with a lower stop at zero.
fn on_a_rail(mass: f64) -> Model {
    let mut model = slider(mass);
    (model.joints[0].axis, model.joints[0].limits) = (Vector3::z(), (0.0, 100.0));
    model
}

/// The carriage falls on its stop from the height `x`.
fn falling(law: StopLaw, x: f64) -> PlantBuilder {
    PlantBuilder::new().model("s", on_a_rail(2.0), Base::fixed()).initial("s/x", x, 0.0).stops("s/x", law)
}

/// A falling carriage beside a ball that rests on the ground, so that motion is not free.
fn beside_contact(law: StopLaw, x: f64) -> Diagram {
    alone(falling(law, x).ground(-1.0).model("b", ball(1.0, 0.1), at(5.0, 0.0, -0.9)).contact(contact(1e4, 1.0, 0.5)))
}

/// Height and velocity at the time `t` after a fall from rest at `x` on a stop of restitution `e`.
fn bounced(e: f64, x: f64, t: f64) -> (f64, f64) {
    let (mut v, mut left) = ((2.0 * G * x).sqrt(), t - (2.0 * x / G).sqrt());
    if left < 0.0 {
        return (x - 0.5 * G * t * t, -G * t);
    }
    loop {
        v *= e;
        if v < 1e-9 {
            return (0.0, 0.0);
        }
        if left < 2.0 * v / G {
            return (v * left - 0.5 * G * left * left, v - G * left);
        }
        left -= 2.0 * v / G;
    }
}

#[test]
fn apexes_are_the_square_of_the_restitution_lower() {
    let diagram = alone(falling(StopLaw::giving_back(0.5), 1.0));
    for accuracy in [1e-2, 1e-3, 1e-5] {
        let mut simulation = Simulation::new(&diagram, cenic(accuracy)).unwrap();
        let first = (2.0 / G).sqrt();
        let mut apex = first;
        for bounce in 1..6 {
            // Up from the last impact, which follows the apex before by that time.
            let rise = first * 0.5_f64.powi(bounce);
            apex += if bounce == 1 { rise } else { 3.0 * rise };
            simulation.advance_to(apex).unwrap();
            let (x, v) = (simulation.state().continuous[0], simulation.state().continuous[1]);
            let height = 0.25_f64.powi(bounce);
            assert!((x - height).abs() < 1e-6, "{accuracy:e}, bounce {bounce}: {x} for {height}, speed {v}");
        }
        simulation.advance_to(5.0).unwrap();
        let state = &simulation.state().continuous;
        assert!(state[0].abs() < 0.1 * accuracy && state[1].abs() < 1e-9, "{accuracy:e}: {state:?}");
        assert!(simulation.statistics().steps < 400, "{accuracy:e}: {:?}", simulation.statistics());
    }
}

#[test]
fn beside_contact_errors_fall_with_the_accuracy() {
    let diagram = beside_contact(StopLaw::giving_back(0.5), 0.3);
    for (options, factor) in [cenic as fn(f64) -> Options, Options::cenic_trapezoid].into_iter().zip([10.0, 30.0]) {
        for accuracy in [1e-2, 1e-3, 1e-4] {
            let mut simulation = Simulation::new(&diagram, options(accuracy)).unwrap();
            let mut most = 0.0_f64;
            for i in 1..=16 {
                let t = 0.05 * f64::from(i);
                simulation.advance_to(t).unwrap();
                let x = simulation.channel("plant.s.x.q").unwrap();
                most = most.max((x - bounced(0.5, 0.3, t).0).abs());
            }
            let name = simulation.integrator().name();
            println!("{name} {accuracy:e}: {most:e} {:?}", simulation.statistics());
            assert!(most < factor * accuracy, "{name} {accuracy:e}: {most:e}");
        }
    }
}

#[test]
fn no_bounce_goes_higher_than_the_one_before() {
    for e in [0.5, 0.9, 1.0] {
        for (free, options) in
            [(true, cenic(1e-3)), (true, icf(1e-3)), (false, cenic(1e-3)), (false, Options::cenic_trapezoid(1e-3))]
        {
            let law = StopLaw::giving_back(e);
            let diagram = if free { alone(falling(law, 0.5)) } else { beside_contact(law, 0.5) };
            let mut simulation = Simulation::new(&diagram, options).unwrap();
            let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
            for i in 1..=400 {
                simulation.advance_to(0.005 * f64::from(i)).unwrap();
                let (x, v) = (simulation.channel("plant.s.x.q").unwrap(), simulation.channel("plant.s.x.v").unwrap());
                let energy = G * x + 0.5 * v * v;
                // Fixed steps of h keep it up to h g v / 2.
                let slack = if free && options.step.is_some() { 0.5 * 1e-3 * G * v.abs() } else { 0.0 };
                most = most.max(energy - slack);
                least = least.min(energy + slack);
            }
            let kept = 0.5 * G;
            assert!(most < kept * 1.01, "{} e = {e}: {most} of {kept}", options.integrator.name);
            if e == 1.0 {
                assert!(least > kept * 0.98, "{}: {least} of {kept}", options.integrator.name);
            }
        }
    }
}

/// Two links that swing freely; the second meets its stop. The impulse p along its joint changes the velocities by
/// `M⁻¹ j p`, so that its speed turns round.
#[test]
fn the_impulse_of_a_stop_is_that_of_the_mass_matrix() {
    let mut model = double_pendulum();
    (model.joints[1].kind, model.joints[1].limits) = (JointKind::Revolute, (-0.3, 2.0));
    for e in [0.0, 0.5, 1.0] {
        let plant = weightless().model("p", model.clone(), Base::fixed()).initial("p/j1", 0.2, 1.0);
        let plant = plant.initial("p/j2", 0.0, -2.0).stops("p/j2", StopLaw::giving_back(e));
        let diagram = alone(plant);
        let system = diagram.blocks()[diagram.find_block("plant").unwrap()].system.clone();
        let mut simulation = Simulation::new(&diagram, cenic(1e-5)).unwrap();
        let mut before = simulation.state().clone();
        loop {
            simulation.step(1.0).unwrap();
            let state = simulation.state();
            if (state.continuous[3] >= -1e-9) && state.continuous[1] < -0.29 {
                break;
            }
            before = state.clone();
            assert!(state.time < 0.9);
        }
        // The velocity on arrival: a run without stops, as far.
        let mut open = model.clone();
        open.joints[1].limits = (-3.0, 3.0);
        let free = weightless().model("p", open, Base::fixed()).initial("p/j1", 0.2, 1.0).initial("p/j2", 0.0, -2.0);
        let arrived = run(&alone(free), cenic(1e-5), simulation.time()).state().continuous.clone();
        let (q, v) = (&arrived[..2], Vector2::new(arrived[2], arrived[3]));
        assert!((q[1] + 0.3).abs() < 1e-8 && before.time < simulation.time());
        let mut point = PlantPoint::default();
        system.as_plant().unwrap().evaluate(q, v.as_slice(), &mut point);
        let m = Matrix2::from_column_slice(&point.mass_matrix);
        let answer = m.try_inverse().unwrap() * Vector2::y();
        let after = v - answer * ((1.0 + e) * v.y / answer.y);
        let found = &simulation.state().continuous;
        assert!((found[2] - after.x).abs() < 1e-6 && (found[3] - after.y).abs() < 1e-6, "{e}: {found:?}, {after}");
    }
}

/// Chains that strike several stops with restitutions of their own: energy never grows.
#[test]
fn several_stops_never_give_more_than_they_took() {
    let mut model = double_pendulum();
    for j in &mut model.joints {
        (j.kind, j.limits) = (JointKind::Revolute, (-0.6, 0.5));
    }
    for (e1, e2) in [(0.2, 0.9), (1.0, 1.0), (0.7, 0.0)] {
        let plant = PlantBuilder::new().model("p", model.clone(), Base::fixed()).initial("p/j1", 0.4, 3.0);
        let plant = plant.initial("p/j2", -0.5, 4.0);
        let plant = plant.stops("p/j1", StopLaw::giving_back(e1)).stops("p/j2", StopLaw::giving_back(e2));
        let mut simulation = Simulation::new(&alone(plant), cenic(1e-4)).unwrap();
        let start = simulation.energy().unwrap();
        let mut energy = start;
        for i in 1..=40 {
            simulation.advance_to(0.05 * f64::from(i)).unwrap();
            let now = simulation.energy().unwrap();
            assert!(now < energy + 1e-5 * start.abs(), "{e1} {e2}: {energy} to {now}");
            energy = now;
        }
        if (e1, e2) == (1.0, 1.0) {
            assert!((energy - start).abs() < 1e-4 * start.abs(), "{start} to {energy}");
        }
    }
}

/// At rest it deflects by m g / k; in an impact without gravity it takes half a period of the oscillation of m on k,
/// and returns all of the speed.
#[test]
fn a_stop_that_yields_is_a_spring() {
    let (k, m, speed) = (800.0, 2.0, 0.5);
    let still = alone(falling(StopLaw::compliant(k, 2.0), 0.001));
    for options in [cenic(1e-3), cenic(1e-5), Options::cenic_trapezoid(1e-4), icf(1e-3)] {
        let mut simulation = run(&still, options, 20.0);
        let (x, rests) = (simulation.state().continuous[0], -m * G / k);
        assert!((x - rests).abs() < 1e-3 * rests.abs(), "{}: {x} for {rests}", options.integrator.name);
        let reported = simulation.channel("plant.constraint_forces.s.x").unwrap_or(f64::NAN);
        assert!(reported.is_nan() || (reported - m * G).abs() < 0.01, "{reported}");
    }
    let plant = weightless().model("s", on_a_rail(m), Base::fixed()).initial("s/x", 0.1, -speed);
    let thrown = alone(plant.stops("s/x", StopLaw::compliant(k, 0.0)));
    let period = std::f64::consts::PI * (m / k).sqrt();
    let mut errors = Vec::new();
    for accuracy in [1e-3, 1e-4, 1e-5] {
        let simulation = run(&thrown, cenic(accuracy), 0.1 / speed + period + 0.2);
        let [x, v] = simulation.state().continuous[..] else { panic!() };
        println!("compliant {accuracy:e}: {:e} {:e} {:?}", x - 0.2 * speed, v - speed, simulation.statistics());
        assert!((x - 0.2 * speed).abs() < 20.0 * accuracy, "{accuracy:e}: {x}");
        errors.push((v - speed).abs());
    }
    assert!(errors[2] < errors[0], "{errors:?}");
}

/// The law of a stop with dissipation is that of contact: the rebound speed of an impact speed s is `e(d s) s`.
#[test]
fn dissipation_of_a_stop_is_that_of_a_contact() {
    use kinegraph::contact::restitution;
    let (d, speed) = (2.0, 0.5);
    let plant = weightless().model("s", on_a_rail(2.0), Base::fixed()).initial("s/x", 0.1, -speed);
    let thrown = alone(plant.stops("s/x", StopLaw::compliant(2000.0, d)));
    let simulation = run(&thrown, cenic(1e-6), 1.0);
    let (v, back) = (simulation.state().continuous[1], speed * restitution(d * speed));
    assert!((v - back).abs() < 1e-3, "{v} for {back}");
}

/// One bounce of a joint on its stop, of other masses, heights and restitutions, by itself and on a carriage that is
/// free to move: the relative velocity turns round, the momentum stays.
#[test]
fn the_tighter_the_accuracy_the_smaller_the_error_of_a_bounce() {
    let mut random = Random(24);
    for scene in 0..6 {
        let (mass, on, e) = (random.log(0.1, 10.0), random.log(0.1, 10.0), random.between(0.2, 0.95));
        let (way, speed, push) = (random.between(0.1, 1.0), random.between(0.5, 3.0), random.between(-0.5, 0.5));
        let alone_on_rail = scene % 2 == 0;
        let (name, diagram) = if alone_on_rail {
            let mut model = on_a_rail(mass);
            model.joints[0].axis = Vector3::x();
            let plant = weightless().model("s", model, Base::fixed()).initial("s/x", way, -speed);
            ("s.x", alone(plant.stops("s/x", StopLaw::giving_back(e))))
        } else {
            let mut model = slider(on);
            model.links.push(link("rider", mass, [0.0; 3]));
            model.joints.push(joint("y", JointKind::Prismatic, "carriage", "rider", Vector3::x()));
            model.joints[1].limits = (0.0, 100.0);
            let plant = weightless().model("s", model, Base::fixed()).initial("s/x", 0.0, push);
            let plant = plant.initial("s/y", way, -speed).stops("s/y", StopLaw::giving_back(e));
            ("s.y", alone(plant))
        };
        let struck = way / speed;
        let end = 1.7 * struck;
        let exact = e * speed * (end - struck);
        // With momentum (M + m) x' + m y' the same before and after.
        let turned = mass * (1.0 + e) * speed / (on + mass);
        let exact_base = push * end - turned * (end - struck);
        for accuracy in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
            let options = Options { max_step: 0.02, ..Options::cenic_trapezoid(accuracy) };
            let mut simulation = run(&diagram, options, end);
            let q = simulation.channel(&format!("plant.{name}.q")).unwrap();
            let mut error = (q - exact).abs();
            if !alone_on_rail {
                error = error.max((simulation.channel("plant.s.x.q").unwrap() - exact_base).abs());
            }
            println!("{scene} {accuracy:e}: {:.2} accuracies", error / accuracy);
            assert!(error < 5.0 * accuracy, "scene {scene}, {accuracy:e}: {error:e}");
        }
    }
}

/// Under gravity the scheme of the second order follows the flight, too.
#[test]
fn a_bounce_under_gravity_errs_by_the_accuracy() {
    let mut random = Random(25);
    for scene in 0..4 {
        let (e, x) = (random.between(0.3, 0.9), random.between(0.2, 1.5));
        let first = (2.0 * x / G).sqrt();
        let end = first * (1.0 + random.between(0.5, 1.8) * e);
        for accuracy in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            let mut simulation =
                run(&alone(falling(StopLaw::giving_back(e), x)), Options::cenic_trapezoid(accuracy), end);
            let error = (simulation.channel("plant.s.x.q").unwrap() - bounced(e, x, end).0).abs();
            println!("{scene} {accuracy:e}: {:.2} accuracies", error / accuracy);
            assert!(error < 10.0 * accuracy, "scene {scene}, {accuracy:e}: {error:e}");
        }
    }
}

/// A carriage on its stop, with this shape, over the ground or under a box.
fn on_its_stop(mass: f64, shape: &Model) -> Model {
    let mut model = on_a_rail(mass);
    model.links[1].collisions.clone_from(&shape.links[0].collisions);
    model
}

/// A foot that touches the ground with a hundredth of its weight while its leg is on its stop, which bears the rest:
/// there is no oscillation of 100 rad/s to be followed.
#[test]
fn a_load_on_a_stop_does_not_oscillate_on_its_contact() {
    let plant = PlantBuilder::new().ground(-0.09999).contact(contact(1e5, 0.1, 0.5));
    let diagram = alone(plant.model("foot", on_its_stop(10.0, &ball(1.0, 0.1)), Base::fixed()));
    for accuracy in [1e-3, 1e-4, 1e-5] {
        let mut simulation = run(&diagram, cenic(accuracy), 2.0);
        let q = simulation.channel("plant.foot.x.q").unwrap();
        assert!(q.abs() < 1e-7, "{accuracy}: {q} m from its stop");
        assert!(attempts(&simulation) <= 30, "{accuracy}: {} attempts", attempts(&simulation));
    }
}

/// A plate of 10 g on its stop bears a box of 10 kg: the deflection of the stop is the same in long and short steps,
/// within the accuracy, and the effect of the load on the contact is smooth.
#[test]
fn a_stop_bears_a_heavy_load_in_long_steps() {
    let stiffness = 1e5;
    let plate = on_its_stop(0.01, &cuboid(1.0, [0.2, 0.2, 0.01]));
    let plant = PlantBuilder::new().model("plate", plate, Base::fixed()).contact(contact(stiffness, 10.0, 0.5));
    let diagram = alone(plant.model("box", cuboid(10.0, [0.1; 3]), at(0.0, 0.0, 0.1098)));
    // On the one point where it is deepest.
    let rest = 0.11 - 10.0 * G / stiffness;
    for (accuracy, most) in [(1e-2, 26), (1e-3, 40), (1e-4, 60)] {
        let mut simulation = run(&diagram, cenic(accuracy), 2.0);
        let z = position(&mut simulation, "box").z;
        assert!((z - rest).abs() < 0.5 * accuracy, "{accuracy}: {z}, not {rest}");
        assert!(attempts(&simulation) <= most, "{accuracy}: {} attempts", attempts(&simulation));
    }
}

/// The servo presses the cart on its stop at once, with steps of any length before.
#[test]
fn a_stop_that_gives_nothing_back_is_not_left() {
    let file = format!("{}/tests/data/struck/servo.yaml", env!("CARGO_MANIFEST_DIR"));
    let diagram = Scenario::open(file).unwrap_or_else(|fault| panic!("{fault}")).diagram;
    for accuracy in [1e-4, 1e-5, 1e-6, 1e-7] {
        let mut simulation = Simulation::new(&diagram, Options::cenic(accuracy)).unwrap();
        for t in [0.07, 0.08, 0.1, 0.15] {
            simulation.advance_to(t).unwrap();
            let q = simulation.channel("plant.cart.j0.q").unwrap();
            assert!((q + 0.18).abs() < accuracy.max(1e-6), "{q} at {t} s, {accuracy}");
        }
    }
}

/// The end of the range of a ball joint has no restitution either: the body stays at its angle of 0.961 rad for a
/// while.
#[test]
fn a_range_that_gives_nothing_back_is_not_left() {
    let file = format!("{}/tests/data/struck/ball.yaml", env!("CARGO_MANIFEST_DIR"));
    let diagram = Scenario::open(file).unwrap_or_else(|fault| panic!("{fault}")).diagram;
    for accuracy in [1e-3, 3e-4, 1e-4, 3e-5] {
        let options = Options { max_step: 0.256, ..Options::cenic(accuracy) };
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        for t in [0.34, 0.36, 0.38, 0.45] {
            simulation.advance_to(t).unwrap();
            let turn = 2.0 * simulation.channel("plant.m.l0.pose.qw").unwrap().clamp(-1.0, 1.0).acos();
            assert!((turn - 0.961).abs() < 5.0 * accuracy.max(2e-4), "{turn} at {t} s, {accuracy}");
        }
    }
}
