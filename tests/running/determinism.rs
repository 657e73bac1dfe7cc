//! Equal inputs lead to equal bits, for any observation, interruption or copy of the run.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::Pid;
use kinegraph::systems::multibody::plant::{Actuated, Collisions, PlantModel};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Vector3};

/// A controlled pendulum beside two boxes and a ball that fall on each other.
fn scene() -> Diagram {
    let tilted = Base::floating(Isometry3::new(Vector3::new(0.05, 2.0, 0.6), Vector3::new(0.3, 0.2, 0.1)));
    let plant = PlantBuilder::new()
        .ground(0.0)
        .model("dp", double_pendulum(), Base::Fixed { X_WR: Isometry3::translation(0.0, -2.0, 3.0) })
        .model("a", cuboid(1.0, [0.1, 0.2, 0.15]), at(0.0, 2.0, 0.2))
        .model("b", cuboid(0.5, [0.1, 0.1, 0.1]), tilted)
        .model("c", ball(0.3, 0.1), at(0.02, 2.01, 1.0))
        .initial("dp/j1", 1.0, 0.0);
    let mut b = DiagramBuilder::new("scene");
    let plant = b.add("plant", plant.build().unwrap());
    let pid = b.add("pid", Pid::new(2, 100.0, 10.0, 5.0).unwrap());
    b.connect(plant.state("dp"), pid.measured);
    b.connect(pid.effort, plant.actuation("dp"));
    b.fix(pid.desired, [0.3, -0.2, 0.0, 0.0]);
    b.build().unwrap()
}

fn bits(state: &State) -> Vec<u64> {
    std::iter::once(state.time).chain(state.continuous.iter().copied()).map(f64::to_bits).collect()
}

const OPTIONS: [fn() -> Options; 2] = [|| cenic(1e-3), || icf(1e-3)];

#[test]
fn the_same_run_twice_is_bit_identical() {
    for options in OPTIONS {
        let (a, b) = (run(&scene(), options(), 0.5), run(&scene(), options(), 0.5));
        assert_eq!(bits(a.state()), bits(b.state()));
        assert_eq!(a.statistics(), b.statistics());
    }
}

#[test]
fn the_same_simulation_run_again_is_bit_identical() {
    // Nothing of the first run is left in the integrator or its workspaces.
    let diagram = scene();
    for options in OPTIONS {
        let mut simulation = run(&diagram, options(), 0.5);
        let first = simulation.state().clone();
        simulation.set_state(diagram.initial_state()).unwrap();
        simulation.advance_to(0.5).unwrap();
        assert_eq!(bits(&first), bits(simulation.state()));
    }
}

#[test]
fn a_state_saved_as_text_continues_bit_for_bit() {
    let diagram = scene();
    // Steps of fixed length know nothing but the state.
    let mut simulation = run(&diagram, icf(1e-3), 0.25);
    let text = serde_json::to_string(simulation.state()).unwrap();
    simulation.advance_to(0.5).unwrap();
    let restored: State = serde_json::from_str(&text).unwrap();
    let mut other = Simulation::with(restored, icf(1e-3).build(&diagram).unwrap()).unwrap();
    other.advance_to(0.5).unwrap();
    assert_eq!(bits(simulation.state()), bits(other.state()));
}

#[test]
fn samples_never_change_the_steps() {
    let diagram = scene();
    for options in OPTIONS {
        let alone = run(&diagram, options(), 0.5);
        let mut watched = Simulation::new(&diagram, options()).unwrap();
        let mut times = Vec::new();
        watched.advance_sampling(0.5, 0.0037, |state| times.push(state.time)).unwrap();
        assert_eq!(bits(alone.state()), bits(watched.state()));
        assert_eq!(alone.statistics(), watched.statistics());
        assert_eq!(times.len(), 1 + 135 + 1);
        assert!(times.windows(2).all(|t| t[0] < t[1]));
    }
}

#[test]
fn stopping_on_the_way_leads_to_the_same_place() {
    let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed()).initial("dp/j1", 1.0, 0.0);
    let diagram = alone(plant);
    for (options, bound) in [(cenic(1e-4), 2e-2), (icf(1e-3), 2e-3)] {
        let straight = run(&diagram, options, 0.5);
        let mut stopping = Simulation::new(&diagram, options).unwrap();
        for stop in [0.0731, 0.0732, 0.2, 0.31415, 0.5] {
            stopping.advance_to(stop).unwrap();
            assert_eq!(stopping.time(), stop);
        }
        let pairs = straight.state().continuous[..2].iter().zip(&stopping.state().continuous);
        let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < bound, "{apart:e}");
    }
}

/// `n` copies of a box that tumbles onto the ground and of a pendulum, all in the same place, none touching another.
fn copies(n: usize) -> Diagram {
    let tilted = Base::floating(Isometry3::new(Vector3::new(0.1, 0.2, 0.4), Vector3::new(0.3, 0.2, 0.1)));
    let mut plant = PlantBuilder::new().ground(0.0);
    for copy in 0..n {
        plant = plant
            .add(PlantModel {
                name: format!("box{copy}"),
                model: cuboid(1.0, [0.1, 0.2, 0.15]),
                base: tilted.clone(),
                actuated: Actuated::Default,
                collisions: Collisions::GroundOnly,
                excluded: Default::default(),
                start: None,
            })
            .model(format!("dp{copy}"), double_pendulum(), Base::fixed())
            .initial(format!("dp{copy}/j1"), 1.0, 0.0);
    }
    alone(plant)
}

#[test]
fn copies_of_a_scene_move_as_one_does() {
    let read = |n: usize, options: Options| -> Vec<Vec<u64>> {
        let diagram = copies(n);
        let mut simulation = run(&diagram, options, 0.6);
        assert!(simulation.statistics().max_contacts >= n);
        let mut numbers = |copy: usize| -> Vec<u64> {
            ["box", "dp"]
                .iter()
                .flat_map(|model| simulation_numbers(&mut simulation, &format!("{model}{copy}")))
                .collect()
        };
        (0..n).map(&mut numbers).collect()
    };
    let one = read(1, icf(1e-3));
    for copy in read(4, icf(1e-3)) {
        assert_eq!(copy, one[0]);
    }
    // Error control sees the same errors; only the solver's statistics differ.
    let one = read(1, cenic(1e-3));
    for copy in read(3, cenic(1e-3)) {
        assert_eq!(copy, one[0]);
    }
}

/// Positions and velocities of a model, as bits.
fn simulation_numbers(simulation: &mut Simulation, model: &str) -> Vec<u64> {
    let channels = simulation.diagram().find_channels(&format!("plant.{model}.state")).unwrap();
    channels.iter().map(|c| simulation.channel(&c.name).unwrap().to_bits()).collect()
}
