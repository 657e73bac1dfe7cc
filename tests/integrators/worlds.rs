//! Many worlds of one plan: copies continue as the original does, and share data that depend on the diagram alone.

use crate::models::{Oscillator, diagram};
use kinegraph::diagram::{Diagram, State};
use kinegraph::integrators::{IntegratorError, METHODS, OfOptions, Options};
use kinegraph::simulate::{Plan, Scenario, Simulation, World};
use std::sync::Arc;

fn assert_send<T: Clone + Send>() {}

#[test]
fn worlds_are_copied_and_sent() {
    assert_send::<World>();
    assert_send::<Simulation>();
    assert_send::<Arc<Plan>>();
}

pub fn bits(state: &State) -> Vec<u64> {
    let numbers = state.continuous.iter().chain(&state.discrete).copied();
    std::iter::once(state.time).chain(numbers).map(f64::to_bits).collect()
}

/// Scenes with contact, feedback, events and sampled control, each with a suitable integrator.
pub fn scenes() -> Vec<(&'static str, Diagram, Options, f64)> {
    let scene = |file: &'static str, options: fn(Options) -> Options, half: f64| {
        let scenario = Scenario::open(file).unwrap();
        (file, scenario.diagram, options(scenario.options), half)
    };
    vec![
        scene("examples/clutter/clutter.yaml", |o| o, 0.25),
        scene("examples/franka/franka.yaml", |o| o, 0.3),
        scene("examples/conveyor/conveyor.yaml", |_| Options::cenic_trapezoid(1e-3), 0.2),
        scene("examples/vacuum/vacuum.yaml", |o| o, 0.4),
        scene("tests/data/scenes/gripper/gripper.yaml", |_| Options::icf(5e-3), 0.2),
        scene("examples/clutter/clutter.yaml", |_| super::projected_gauss_seidel(5e-3), 0.2),
        scene("examples/clutter/clutter.yaml", |_| Options::sap(5e-3), 0.2),
        scene("examples/clutter/clutter.yaml", |_| Options::theta_gamma(5e-3), 0.2),
        scene("examples/clutter/clutter.yaml", |_| Options::volume(5e-3), 0.2),
        scene("examples/bouncing_ball/bouncing_ball.yaml", |o| o, 0.7),
        scene("examples/sampled_motor/sampled_motor.yaml", |_| Options::rk3(1e-6), 0.2),
        scene("examples/franka/franka.yaml", |_| Options::bs23(1e-4), 0.1),
        scene("examples/franka/franka.yaml", |_| Options::sdirk2(1e-3), 0.3),
        scene("examples/vacuum/vacuum.yaml", |_| Options::implicit_euler(1e-3), 0.4),
        scene("examples/conveyor/conveyor.yaml", |_| Options::ros2(1e-3), 0.1),
        scene("examples/franka/franka.yaml", |_| Options::semi_implicit_euler(5e-5), 0.01),
    ]
}

/// After a copy in the middle of a run, both continue with the same bits, on threads of their own, and as if nothing
/// had been copied.
#[test]
fn a_copy_in_the_middle_of_a_run_goes_on_with_the_same_bits() {
    let mut used = Vec::new();
    for (name, diagram, options, half) in scenes() {
        used.push(options.integrator.name);
        let mut alone = Simulation::new(&diagram, options).unwrap();
        alone.advance_to(half).unwrap();
        alone.advance_to(2.0 * half).unwrap();
        let mut first = Simulation::new(&diagram, options).unwrap();
        first.advance_to(half).unwrap();
        let second = first.clone();
        assert!(Arc::ptr_eq(first.plan(), second.plan()), "{name}: one plan");
        let ends = [first, second].map(|mut simulation| {
            std::thread::spawn(move || {
                simulation.advance_to(2.0 * half).unwrap();
                simulation
            })
        });
        for end in ends.map(|thread| thread.join().unwrap()) {
            assert_eq!(bits(end.state()), bits(alone.state()), "{name}");
            assert_eq!(end.statistics(), alone.statistics(), "{name}");
            assert_eq!(end.integrator().memory(), alone.integrator().memory(), "{name}");
            assert_eq!(end.integrator().records(), alone.integrator().records(), "{name}");
        }
    }
    assert!(METHODS.iter().all(|method| used.contains(&method.name)), "every integrator was copied: {used:?}");
}

/// Acts on one world do not affect another of the same plan.
#[test]
fn worlds_of_one_plan_are_independent() {
    for (name, diagram, options, half) in scenes() {
        let plan = Arc::new(Plan::new(&diagram, options).unwrap());
        let (mut one, mut other) = (Simulation::of(&plan), Simulation::of(&plan));
        one.advance_to(half).unwrap();
        other.advance_to(half).unwrap();
        assert_eq!(bits(one.state()), bits(other.state()), "{name}");
        assert_eq!(one.statistics(), other.statistics(), "{name}");
        // One goes on, is set back, and comes the same way again.
        one.advance_to(1.2 * half).unwrap();
        one.set_state(diagram.initial_state()).unwrap();
        one.advance_to(half).unwrap();
        assert_eq!(bits(one.state()), bits(other.state()), "{name}");
        assert_eq!(one.statistics(), other.statistics(), "{name}");
        assert_eq!(Arc::strong_count(&plan), 3);
    }
}

/// Worlds of a batch, by whatever number of threads, take the steps that they take alone.
#[test]
fn a_batch_has_the_bits_of_lone_runs() {
    let scenario = Scenario::open("tests/data/scenes/scaleb_005/scaleb_005.yaml").unwrap();
    for options in [Options::sap(5e-3), Options::theta_gamma(5e-3)] {
        let plan = Arc::new(Plan::new(&scenario.diagram, options).unwrap());
        // Each from a later state of the same fall.
        let mut fall = Simulation::of(&plan);
        let starts: Vec<State> = (0..6)
            .map(|world| {
                fall.advance_to(0.05 * f64::from(world)).unwrap();
                State { time: 0.0, ..fall.state().clone() }
            })
            .collect();
        let run = |world: usize| {
            let mut simulation = Simulation::of(&plan);
            simulation.set_state(starts[world].clone()).unwrap();
            simulation.advance_to(0.2).unwrap();
            bits(simulation.state())
        };
        let alone: Vec<_> = (0..6).map(run).collect();
        assert!((1..6).all(|world| alone[world] != alone[0]));
        for threads in [2, 3] {
            let batch: Vec<_> = std::thread::scope(|scope| {
                let run = &run;
                let share = |first: usize| move || (first..6).step_by(threads).map(|i| (i, run(i))).collect::<Vec<_>>();
                let workers: Vec<_> = (0..threads).map(|first| scope.spawn(share(first))).collect();
                workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
            });
            assert!(batch.iter().all(|(world, bits)| *bits == alone[*world]), "{threads} threads");
        }
    }
}

#[test]
fn a_plan_starts_worlds_at_states_of_its_diagram_only() {
    let plan = Plan::new(&diagram::<Oscillator>(), Options::dopri5(1e-6)).unwrap();
    let state = State { time: 1.0, continuous: vec![0.5, 0.25], ..plan.diagram().initial_state() };
    assert_eq!(plan.world_at(state.clone()).unwrap().state(), &state);
    let error = plan.world_at(State { continuous: vec![0.5], ..state }).unwrap_err();
    assert!(matches!(error, IntegratorError::ForeignState { continuous: 1, .. }), "{error}");
}

/// A change of the integrator in the middle of a run makes another plan; a copy made before keeps the old one.
#[test]
fn a_switch_leaves_other_worlds_alone() {
    let mut simulation = Simulation::new(&diagram::<Oscillator>(), Options::dopri5(1e-6)).unwrap();
    simulation.advance_to(1.0).unwrap();
    let mut copy = simulation.clone();
    simulation.switch(Options::rk3(1e-6)).unwrap();
    assert!(!Arc::ptr_eq(simulation.plan(), copy.plan()));
    for simulation in [&mut simulation, &mut copy] {
        simulation.advance_to(2.0).unwrap();
    }
    assert_eq!((simulation.integrator().name(), copy.integrator().name()), ("rk3", "dopri5"));
}
