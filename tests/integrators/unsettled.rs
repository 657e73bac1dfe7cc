//! Diverging motions end the run, unsettled solves gain no energy, statically indeterminate loads are even; error
//! weights have an effect in every diagram.

use crate::reference::data;
use kinegraph::integrators::{Options, method};
use kinegraph::simulate::{Observer, Sample, Scenario, Simulation, Status};
use std::io;

/// Observer that ignores everything.
struct Blind;

impl Observer for Blind {
    fn sample(&mut self, _: &mut Sample<'_>) -> io::Result<()> {
        Ok(())
    }
}

fn scenario(name: &str) -> Scenario {
    Scenario::open(data().join("unsettled").join(name)).unwrap()
}

/// The run stops once the energy has grown, and reports it.
#[test]
fn a_run_that_runs_away_ends_as_soon_as_its_energy_grows() {
    let scenario = scenario("deep.yaml");
    let mut simulation = scenario.simulation().unwrap();
    match scenario.run(&mut simulation, &[], &mut Blind) {
        Status::Failed(why) => assert!(why.contains("gained") || why.contains("faster than light"), "{why}"),
        status => assert!(simulation.energy().is_some_and(f64::is_finite), "{status}"),
    }
}

/// Friction presses a box down, which increases friction: alternating solves for normal forces and friction do not
/// converge.
#[test]
fn a_box_that_lands_by_volume_gains_nothing() {
    let scenario = scenario("landing.yaml");
    let mut simulation = scenario.simulation().unwrap();
    let start = simulation.energy().unwrap();
    let status = scenario.run(&mut simulation, &[], &mut Blind);
    assert!(simulation.energy().unwrap() < 1.01 * start, "{status}");
}

/// Four rigid wheels all carry load though three could: equal torques lead to equal speeds.
#[test]
fn a_car_on_four_rigid_wheels_has_load_on_each() {
    let mut simulation = scenario("car.yaml").simulation().unwrap();
    simulation.advance_to(2.0).unwrap();
    let wheels = ["rl", "rr", "fl", "fr"].map(|wheel| simulation.channel(&format!("plant.car.j{wheel}.v")).unwrap());
    for speed in wheels {
        assert!((speed / 31.8 - 1.0).abs() < 0.01, "{wheels:?}");
    }
}

#[test]
fn weights_of_errors_count_without_plants() {
    let scenario = scenario("pascals.yaml");
    for name in ["sdirk2", "ros2", "implicit-euler", "rk3", "bs23"] {
        let steps = |weight: f64| {
            let mut options = Options { accuracy: 1e-2, ..Options::of(method(name).unwrap()) };
            options.error_weights.external = weight;
            let mut simulation = Simulation::new(&scenario.diagram, options).unwrap();
            simulation.advance_to(0.02).unwrap();
            simulation.statistics().steps
        };
        let (all, weighted) = (steps(1.0), steps(1e-6));
        assert!(2 * weighted < all, "{name}: {all} steps, {weighted} with weights");
    }
}
