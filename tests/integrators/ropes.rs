//! Forces that are slack and then stiff: ropes, ball joints with a range, play. A step that begins without a force must
//! not end deep in one, and no impact may return more energy than it took.

use crate::common::*;
use crate::reference::data;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::{Base, PlantBuilder};

fn scene(name: &str) -> Diagram {
    Scenario::open(data().join(format!("edges/{name}.yaml"))).unwrap().diagram
}

/// The largest energy in a run to `end` over that at its start \[J\], and the simulation.
fn largest_gain(diagram: &Diagram, options: Options, end: f64) -> (f64, Simulation) {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    let start = simulation.energy().unwrap();
    let mut most = f64::NEG_INFINITY;
    for i in 1..=50 {
        simulation.advance_to(end * f64::from(i) / 50.0).unwrap();
        most = most.max(simulation.energy().unwrap() - start);
    }
    (most, simulation)
}

fn methods() -> Vec<(String, Options)> {
    let mut all: Vec<(String, Options)> =
        [1e-2, 3e-3, 1e-3, 1e-4, 1e-5].map(|a| (format!("cenic {a:e}"), Options::cenic(a))).into();
    all.push(("icf".into(), Options::icf(0.01)));
    all.push(("sap".into(), Options::sap(0.01)));
    all.push(("theta-gamma".into(), Options::theta_gamma(0.002)));
    for accuracy in [1e-2, 1e-3, 1e-4] {
        all.push((format!("cenic-trapezoid {accuracy:e}"), Options::cenic_trapezoid(accuracy)));
    }
    all.extend(explicit());
    all
}

/// Explicit methods, with their names.
fn explicit() -> Vec<(String, Options)> {
    let all = [1e-2, 1e-4].map(|a| {
        let methods = [("dopri5", Options::dopri5(a)), ("rk3", Options::rk3(a)), ("bs23", Options::bs23(a))];
        methods.map(|(name, options)| (format!("{name} {a:e}"), options))
    });
    all.into_iter().flatten().collect()
}

#[test]
fn a_mass_at_rest_on_a_rope_stays_there() {
    let diagram = scene("one_string");
    for (name, options) in methods() {
        let (gain, simulation) = largest_gain(&diagram, options, 0.5);
        // The rope yields by 0.44 um under the weight.
        let z = simulation.state().continuous[0];
        assert!(gain < 1e-3 * 19.62 && z.abs() < 1e-3, "{name}: {gain} J more, at {z} m");
    }
}

#[test]
fn a_ball_joint_that_meets_its_range_gains_nothing() {
    let diagram = scene("cone");
    for (name, options) in methods() {
        let (gain, _) = largest_gain(&diagram, options, 0.5);
        assert!(gain < 1e-2 * 19.62, "{name}: {gain} J more");
    }
}

/// The range is damped critically: the ball stays at it.
#[test]
fn a_stop_that_is_damped_throws_nothing_back() {
    let diagram = scene("cone");
    let mut methods = explicit();
    for accuracy in [1e-2, 1e-3, 1e-4] {
        methods.push((format!("cenic {accuracy:e}"), Options::cenic(accuracy)));
        methods.push((format!("cenic-trapezoid {accuracy:e}"), Options::cenic_trapezoid(accuracy)));
        methods.push((format!("ros2 {accuracy:e}"), Options::ros2(accuracy)));
    }
    for (name, options) in methods {
        let energy = run(&diagram, options, 0.5).energy().unwrap();
        // Half a metre turns down by 60 degrees.
        assert!((energy - 11.12428).abs() < 1e-3, "{name}: {energy} J");
    }
}

/// The relative speed of two rotors with play between them is conserved through their impacts.
#[test]
fn rotors_with_play_conserve_energy_and_momentum() {
    let diagram = scene("play");
    for accuracy in [1e-2, 1e-3, 1e-4] {
        let simulation = run(&diagram, Options::cenic(accuracy), 1.0);
        let [qa, qb, va, vb] = simulation.state().continuous[..] else { panic!("two joints") };
        let beyond = ((qa - qb).abs() - 0.01).max(0.0);
        let energy = 0.5 * (0.01 * va * va + 0.02 * vb * vb + 1e4 * beyond * beyond);
        assert!((energy / 0.005 - 1.0).abs() < 0.01, "{accuracy:e}: {energy} J of 0.005 J");
        let mean = (0.01 * va + 0.02 * vb) / 0.03;
        assert!((mean - 1.0 / 3.0).abs() < 1e-6, "{accuracy:e}: {mean} rad/s");
    }
}

#[test]
fn play_keeps_its_energy_under_other_methods() {
    let diagram = scene("play");
    let explicit = [1e-2, 1e-3, 1e-4].map(Options::dopri5);
    for options in explicit.into_iter().chain([1e-2, 1e-3, 1e-4].map(Options::cenic_trapezoid)) {
        let simulation = run(&diagram, options, 1.0);
        let [qa, qb, va, vb] = simulation.state().continuous[..] else { panic!("two joints") };
        let beyond = ((qa - qb).abs() - 0.01).max(0.0);
        let energy = 0.5 * (0.01 * va * va + 0.02 * vb * vb + 1e4 * beyond * beyond);
        let off = (energy / 0.005 - 1.0).abs();
        assert!(off < 0.05, "{} {:e}: {energy} J of 0.005 J", options.integrator.name, options.accuracy);
    }
}

/// A mass that falls into a rope of random length and stiffness, or is thrown into it.
fn caught(random: &mut Random) -> Diagram {
    let (length, mass, time) = (random.log(0.5, 2.0), random.log(0.2, 5.0), random.log(5e-4, 2e-2));
    let start = length * random.log(0.5, 0.95);
    let speed = random.log(0.5, 2.0);
    let text = format!(
        r#"<mujoco><option gravity="0 0 -9.81"/><worldbody><site name="A" pos="0 0 3"/><body name="m" pos="0 0 {}">
        <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
        <geom type="sphere" size="0.05" mass="{mass}"/><site name="s"/></body></worldbody><tendon>
        <spatial name="rope" limited="true" range="0 {length}" solreflimit="{time} 1"><site site="A"/><site site="s"/>
        </spatial></tendon></mujoco>"#,
        3.0 - start
    );
    let model = parse_mjcf(&text, "rope.xml", &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
    alone(PlantBuilder::new().model("r", model, Base::fixed()).initial("r/x", 0.0, speed))
}

#[test]
fn ropes_that_catch_a_falling_mass_gain_no_energy() {
    let mut random = Random(5);
    for seed in 0..6 {
        let diagram = caught(&mut random);
        let exact = run(&diagram, Options::dopri5(1e-10), 1.0).energy().unwrap();
        for accuracy in [1e-2, 1e-3, 1e-4] {
            let (gain, simulation) = largest_gain(&diagram, Options::cenic(accuracy), 1.0);
            let start = simulation.energy().unwrap() - exact;
            assert!(gain < 0.05 * exact.abs(), "rope {seed} at {accuracy:e}: {gain} J more");
            assert!(start.abs() < 0.1 * exact.abs(), "rope {seed} at {accuracy:e}: {start} J from {exact} J");
        }
        for options in [Options::dopri5(1e-3), Options::cenic_trapezoid(1e-3)] {
            let (gain, simulation) = largest_gain(&diagram, options, 1.0);
            let off = simulation.energy().unwrap() - exact;
            let name = options.integrator.name;
            assert!(gain.max(off.abs()) < 0.05 * exact.abs(), "rope {seed} by {name}: {gain} J more, {off} J off");
        }
        let (gain, _) = largest_gain(&diagram, Options::icf(0.002), 1.0);
        assert!(gain < 0.05 * exact.abs(), "rope {seed} by icf: {gain} J more");
    }
}
