//! Impacts: for any step, no body passes through another, and the energy does not grow.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{Options, method};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::PlantBuilder;

/// Balls of 1 kg and radius 50 mm on a line, from these places \[mm\], the first at 2 m/s.
fn row_of_balls(places: &[f64], stiffness: f64) -> Diagram {
    let plant = PlantBuilder::new().gravity([0.0; 3]).contact(contact(stiffness, 0.0, 0.0));
    let plant = places.iter().enumerate().fold(plant, |plant, (i, x)| {
        let speed = if i == 0 { 2.0 } else { 0.0 };
        plant.model(format!("b{i}"), ball(1.0, 0.05), thrown([1e-3 * x, 0.0, 0.0], [0.0; 3], [speed, 0.0, 0.0]))
    });
    alone(plant)
}

fn places(simulation: &mut Simulation, count: usize) -> Vec<f64> {
    (0..count).map(|i| position(simulation, &format!("b{i}")).x).collect()
}

/// Ball 0 pushes ball 1, which was at rest, through the gap to ball 2 within one step.
#[test]
fn a_step_pushes_no_body_through_another() {
    let start = [-5.0, 101.0, 202.0, 303.0, 404.0];
    let diagram = row_of_balls(&start, 1e9);
    let gauss_seidel = Options::of(method("projected-gauss-seidel").unwrap());
    for options in [icf(6.25e-3), Options { step: Some(6.25e-3), ..gauss_seidel }] {
        let mut simulation = run(&diagram, options, 6.25e-3);
        let x = places(&mut simulation, 5);
        assert!(x.windows(2).all(|x| x[1] - x[0] > 0.1 - 1e-6), "{x:?}");
        let energy = simulation.energy().unwrap();
        assert!(energy <= 2.0, "{energy} J of 2 J");
    }
}

/// Gravity ten times that on Earth: the ball falls farther within the step than its velocity at the start shows.
#[test]
fn a_step_ends_at_the_ground_however_strong_the_forces() {
    let plant = PlantBuilder::new().gravity([0.0, 0.0, -100.0]).ground(0.0).contact(contact(1e6, 0.0, 0.0));
    let diagram = alone(plant.model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.5)));
    let mut simulation = run(&diagram, icf(0.1), 0.1);
    let z = position(&mut simulation, "ball").z;
    assert!((0.0999..0.1001).contains(&z), "{z}");
}

#[test]
fn a_row_of_balls_gains_no_energy() {
    for accuracy in [1e-2, 1e-3, 1e-4, 1e-6] {
        let diagram = row_of_balls(&[-200.0, 101.0, 202.0, 303.0, 404.0], 1e9);
        let simulation = run(&diagram, cenic(accuracy), 0.5);
        let energy = simulation.energy().unwrap();
        assert!(energy <= 2.0 * (1.0 + 1e-6), "{accuracy}: {energy} J of 2 J");
    }
}

/// Balls and boxes that fly into each other: from a seed, stiffness 1e4 to 1e9 N/m, dissipation 0 or up to 1 s/m.
fn cluster(seed: u64) -> Diagram {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |from: f64, to: f64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        from + (to - from) * (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let stiffness = 10_f64.powf(random(4.0, 9.0));
    let dissipation = (random(-1.0, 1.0)).max(0.0);
    let plant = PlantBuilder::new().gravity([0.0; 3]).contact(contact(stiffness, dissipation, 0.0));
    let plant = (0..4).fold(plant, |plant, i| {
        let mass = 10_f64.powf(random(-1.0, 1.0));
        let body = if random(0.0, 1.0) < 0.5 { ball(mass, 0.05) } else { cuboid(mass, [0.05; 3]) };
        let place = [0.106 * f64::from(i) + 1e-3 * random(0.0, 5.0), random(-0.02, 0.02), random(-0.02, 0.02)];
        let (place, speed) = if i == 0 { ([-0.1, place[1], place[2]], random(1.0, 10.0)) } else { (place, 0.0) };
        let turning = [random(-3.0, 3.0), random(-3.0, 3.0), random(-3.0, 3.0)];
        plant.model(format!("b{i}"), body, thrown(place, turning, [speed, 0.0, 0.0]))
    });
    alone(plant)
}

#[test]
fn bodies_that_fly_into_each_other_gain_no_energy() {
    for (seed, accuracy) in (1..=12).flat_map(|seed| [1e-2, 1e-3, 1e-5].map(|accuracy| (seed, accuracy))) {
        let mut simulation = Simulation::new(&cluster(seed), cenic(accuracy)).unwrap();
        let start = simulation.energy().unwrap();
        simulation.advance_to(0.15).unwrap();
        let end = simulation.energy().unwrap();
        assert!(end <= 1.02 * start, "seed {seed} at {accuracy}: {start} J to {end} J");
    }
}
