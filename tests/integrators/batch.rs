//! Worlds of one plan, advanced together: each has the bits of a run alone, and a failure in one is its own fault.

use super::worlds::{bits, scenes};
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::files::{Override, load};
use kinegraph::integrators::Options;
use kinegraph::simulate::{
    OpenInputError, Plan, RunError, Scenario, Simulation, WorldFault, Worlds, WorldsError, open_inputs,
};
use kinegraph::systems::operators::{Gain, Integrator};
use kinegraph::systems::sources::{Constant, Noise, derived_seed};
use kinegraph::systems::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar};
use rayon::ThreadPoolBuilder;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn plan(diagram: &Diagram, options: Options) -> Arc<Plan> {
    Arc::new(Plan::new(diagram, options).unwrap())
}

fn on<R: Send>(threads: usize, go: impl FnOnce() -> R + Send) -> R {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(go)
}

/// Every scene and integrator, worlds that start at different instants of one motion, in two advances as alone.
#[test]
fn worlds_have_the_bits_of_lone_runs_whatever_the_number_of_threads() {
    const N: usize = 5;
    for (name, diagram, options, half) in scenes() {
        let plan = plan(&diagram, options);
        let mut motion = Simulation::of(&plan);
        let starts: Vec<State> = (0..N)
            .map(|world| {
                motion.advance_to(0.1 * half * world as f64).unwrap();
                motion.state().clone()
            })
            .collect();
        let alone = |start: &State| {
            let mut simulation = Simulation::of(&plan);
            simulation.set_state(start.clone()).unwrap();
            for _ in 0..2 {
                simulation.advance_to(simulation.time() + 0.25 * half).unwrap();
            }
            (bits(simulation.state()), simulation.statistics().clone())
        };
        let expected: Vec<_> = starts.iter().map(alone).collect();
        for threads in [1, 2, 3] {
            let mut worlds = Worlds::new(&plan, N);
            starts.iter().enumerate().for_each(|(i, start)| worlds.start_at(i, start.clone()).unwrap());
            let advance =
                |worlds: &mut Worlds| on(threads, || worlds.advance(0.25 * half) + worlds.advance(0.25 * half));
            assert_eq!(advance(&mut worlds), 0, "{name}");
            let found = |worlds: &Worlds, i| (bits(worlds.state(i).unwrap()), worlds.statistics(i).unwrap().clone());
            for (i, expected) in expected.iter().enumerate() {
                assert_eq!(&found(&worlds, i), expected, "{name}, world {i}, {threads} threads");
            }
            // Every other one once more: reset worlds are new ones, the others go on.
            let mask: Vec<bool> = (0..N).map(|i| i % 2 == 0).collect();
            worlds.reset(&mask).unwrap();
            advance(&mut worlds);
            for (i, expected) in expected.iter().enumerate().filter(|(i, _)| mask[*i]) {
                assert_eq!(&found(&worlds, i), expected, "{name}, world {i}, reset, {threads} threads");
            }
        }
    }
}

/// `x' = 1`, except that at x = 1 the block panics, and at x = 2 its rate is not a number.
struct Fragile {
    x: Out<Dyn>,
    ports: Ports,
}

impl Fragile {
    fn diagram() -> Diagram {
        let mut ports = Ports::new();
        let x = ports.output_of_width("x", 1);
        ports.continuous_state("x", vec![0.0]);
        let mut b = DiagramBuilder::new("fragile");
        b.add("block", Fragile { x, ports });
        b.build().unwrap()
    }
}

impl LeafSystem for Fragile {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.x, ctx.continuous);
    }
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let x = ctx.continuous[0].value();
        assert!(!(1.0..1.5).contains(&x), "x = {x} is too much");
        derivatives[0] = if (2.0..2.5).contains(&x) { S::constant(f64::NAN) } else { S::constant(1.0) };
    }
}

#[test]
fn a_world_that_fails_is_a_result_and_the_others_go_on() {
    let diagram = Fragile::diagram();
    let plan = plan(&diagram, Options { max_step: 0.01, ..Options::dopri5(1e-6) });
    let mut worlds = Worlds::new(&plan, 4);
    for (i, x) in [-9.0, 0.5, 1.6, 3.0].into_iter().enumerate() {
        worlds.start_at(i, State { continuous: vec![x], ..diagram.initial_state() }).unwrap();
    }
    assert_eq!(worlds.advance_to(1.0), 2);
    let faults: Vec<_> = worlds.faults().map(|(i, fault)| (i, fault.clone())).collect();
    let [(1, WorldFault::Panicked { message }), (2, WorldFault::Run(RunError::Integrator(_)))] = &faults[..] else {
        panic!("{faults:?}")
    };
    assert!(message.contains("is too much"), "{message}");
    let times = worlds.times();
    assert_eq!((times[0], times[3]), (1.0, 1.0));
    assert!((times[2] - 0.4).abs() < 0.02, "the last good step: {}", times[2]);
    // They stand still until they are reset; the others do not notice.
    assert_eq!(worlds.advance(1.0), 2);
    assert_eq!((worlds.times()[0], worlds.times()[2]), (2.0, times[2]));
    worlds.reset(&[false, true, true, false]).unwrap();
    assert_eq!(worlds.faults().count(), 0);
    assert_eq!(worlds.advance(0.3), 0);
    assert!((worlds.state(1).unwrap().continuous[0] - 0.8).abs() < 1e-12);
    assert_eq!(worlds.times()[1..3], [0.3, 0.3]);
}

#[test]
fn an_advance_can_be_stopped_between_two_steps() {
    let plan = plan(&super::diagram::<super::Oscillator>(), Options { max_step: 1e-3, ..Options::dopri5(1e-9) });
    let mut worlds = Worlds::new(&plan, 2);
    let stop = worlds.stop_flag();
    let signal = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::SeqCst);
    });
    assert_eq!(worlds.advance_to(1e7), 0);
    signal.join().unwrap();
    assert!(worlds.times().iter().all(|time| (0.0..1e7).contains(time)));
    let before = worlds.times()[0];
    worlds.advance(0.01);
    assert_eq!(worlds.times()[0], before + 0.01);
}

/// x' = gain u, with u from outside.
fn driven(source: bool) -> Diagram {
    let mut b = DiagramBuilder::new("driven");
    let gain = b.add("gain", Gain::new(2, 3.0).unwrap());
    let x = b.add("x", Integrator::new(vec![0.0, 0.0]).unwrap());
    b.connect(gain.output, x.input);
    if source {
        let u = b.add("u", Constant::new([0.5, -0.5]).unwrap());
        b.connect(u.output, gain.input);
    } else {
        b.fix(gain.input, [0.5, -0.5]);
    }
    b.build().unwrap()
}

#[test]
fn inputs_are_set_from_arrays_and_kept() {
    for (source, path) in [(true, "u"), (true, "u.output"), (false, "gain.input")] {
        let opened = open_inputs(&driven(source), &[path]).unwrap();
        let (input, plan) = (&opened.inputs[0], plan(&opened.diagram, Options::rk3(1e-6)));
        assert_eq!((input.path.as_str(), input.width), (path, 2));
        let mut worlds = Worlds::new(&plan, 3);
        // As in the diagram, until it is set.
        worlds.advance(1.0);
        worlds.set_input(input, &[1.0, 0.0, 2.0, 0.0, 3.0, 0.5]).unwrap();
        worlds.advance(1.0);
        worlds.advance(1.0);
        let mut x = [0.0; 6];
        worlds.read(&opened.diagram.find_channels("x.output").unwrap(), &mut x).unwrap();
        let expected = [7.5, -1.5, 13.5, -1.5, 19.5, 1.5];
        assert!(x.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-9), "{path}: {x:?}");
        worlds.reset(&[true, false, false]).unwrap();
        worlds.advance(1.0);
        worlds.read_states(&mut x).unwrap();
        assert!((x[0] - 1.5).abs() < 1e-9 && (x[2] - 19.5).abs() < 1e-9, "{path}: {x:?}");
    }
}

/// An input causes the same motion as a constant of its value, bit for bit.
#[test]
fn an_input_acts_as_a_constant_of_its_value() {
    let file = std::path::Path::new("examples/impedance/impedance.yaml");
    let scenario = |turning: f64| {
        let set = Override::set(&format!("systems.no_turning.value=[0, 0, {turning:?}]")).unwrap();
        let loaded = load(file, &[set]).unwrap();
        Scenario::build(&loaded.diagram, &loaded.loader).unwrap()
    };
    let turning = [0.0, 0.1, -0.2];
    let file = scenario(turning[0]);
    let opened = open_inputs(&file.diagram, &["no_turning"]).unwrap();
    let mut worlds = Worlds::new(&plan(&opened.diagram, file.options), 3);
    worlds.set_input(&opened.inputs[0], &turning.map(|w| [0.0, 0.0, w]).concat()).unwrap();
    worlds.advance_to(0.2);
    for (i, turning) in turning.into_iter().enumerate() {
        let mut alone = scenario(turning).simulation().unwrap();
        alone.advance_to(0.2).unwrap();
        assert_eq!(worlds.state(i).unwrap().continuous, alone.state().continuous, "{turning}");
    }
}

#[test]
fn inputs_that_cannot_be_opened_are_faults() {
    let mut b = DiagramBuilder::new("d");
    let level = b.add("level", Constant::new([1.0]).unwrap());
    let gain = b.add("gain", Gain::new(1, 2.0).unwrap());
    let x = b.add("x", Integrator::new(vec![0.0]).unwrap());
    b.connect(level.output, gain.input);
    b.connect(gain.output, x.input);
    let diagram = b.build().unwrap();
    assert!(open_inputs(&diagram, &["level"]).is_ok());
    let error = open_inputs(&diagram, &["x.input"]).unwrap_err();
    assert!(matches!(&error, OpenInputError::Driven { by, .. } if by == "gain"), "{error}");
    let error = open_inputs(&diagram, &["level", "level.output"]).unwrap_err();
    assert!(matches!(error, OpenInputError::Twice { .. }), "{error}");
    let error = open_inputs(&diagram, &["levl.output"]).unwrap_err();
    assert!(error.to_string().contains("level"), "{error}");
}

#[test]
fn arrays_of_the_wrong_size_and_worlds_that_there_are_not_are_reported() {
    let opened = open_inputs(&driven(true), &["u"]).unwrap();
    let mut worlds = Worlds::new(&plan(&opened.diagram, Options::rk3(1e-6)), 3);
    let shape = |result: Result<(), WorldsError>| matches!(result, Err(WorldsError::Shape { worlds: 3, .. }));
    assert!(shape(worlds.reset(&[true])));
    assert!(shape(worlds.read_states(&mut [0.0; 5])));
    assert!(shape(worlds.set_input(&opened.inputs[0], &[0.0; 3])));
    let error = worlds.set_input(&opened.inputs[0], &[0.0, 0.0, 0.0, f64::NAN, 0.0, 0.0]).unwrap_err();
    assert!(matches!(error, WorldsError::NotFinite { world: 1, .. }), "{error}");
    assert!(matches!(worlds.state(3), Err(WorldsError::NoWorld { index: 3, worlds: 3 })));
    let foreign = State { continuous: vec![0.0], ..opened.diagram.initial_state() };
    assert!(matches!(worlds.start_at(0, foreign), Err(WorldsError::State(_))));
    assert!(matches!(Worlds::of_plans(&[]), Err(WorldsError::Empty)));
}

#[test]
fn worlds_of_own_plans_have_own_parameters() {
    let with = |gain: f64| {
        let block = Gain::new(2, gain).unwrap();
        plan(&driven(true).replace("gain", Arc::new(block)).unwrap(), Options::rk3(1e-6))
    };
    let plans = [with(1.0), with(2.0), with(4.0)];
    let mut worlds = Worlds::of_plans(&plans).unwrap();
    assert_eq!(worlds.advance_to(1.0), 0);
    for (i, gain) in [1.0, 2.0, 4.0].into_iter().enumerate() {
        let mut alone = Simulation::of(&plans[i]);
        alone.advance_to(1.0).unwrap();
        assert_eq!(bits(worlds.state(i).unwrap()), bits(alone.state()));
        assert!((worlds.state(i).unwrap().continuous[0] - 0.5 * gain).abs() < 1e-9);
    }
    let other = plan(&super::diagram::<super::Oscillator>(), Options::rk3(1e-6));
    let error = Worlds::of_plans(&[with(1.0), other]).unwrap_err();
    assert!(matches!(error, WorldsError::OtherDiagram { index: 1, .. }), "{error}");
}

fn noisy(seed: u64) -> Diagram {
    let mut b = DiagramBuilder::new("noisy");
    let noise = b.add("noise", Noise::new(1, 1.0, 0.0, 0.1, seed).unwrap());
    let x = b.add("x", Integrator::new(vec![0.0]).unwrap());
    b.connect(noise.output, x.input);
    b.build().unwrap()
}

/// World i of a diagram has the noise of a diagram whose noise has the seed derived for i.
#[test]
fn worlds_have_seeds_of_their_own() {
    let diagram = noisy(7);
    let mut worlds = Worlds::new(&plan(&diagram, Options::rk3(1e-6)), 3);
    for i in 0..3 {
        worlds.start_at(i, diagram.seeded(diagram.initial_state(), i as u64)).unwrap();
    }
    worlds.advance_to(2.0);
    for i in 0..3 {
        let mut alone = Simulation::new(&noisy(derived_seed(7, i as u64)), Options::rk3(1e-6)).unwrap();
        alone.advance_to(2.0).unwrap();
        assert_eq!(worlds.state(i).unwrap().continuous, alone.state().continuous);
    }
    assert_ne!(worlds.state(0).unwrap().continuous, worlds.state(1).unwrap().continuous);
}

#[test]
fn a_world_is_taken_out_as_a_simulation() {
    let mut worlds = Worlds::new(&plan(&driven(true), Options::rk3(1e-6)), 2);
    worlds.advance_to(0.5);
    let mut one = worlds.simulation(1).unwrap();
    one.advance_to(1.0).unwrap();
    worlds.advance_to(1.0);
    assert_eq!(bits(one.state()), bits(worlds.state(1).unwrap()));
}

/// A world that would take 1e14 steps takes none, and is the only one at fault; reset, it goes on.
#[test]
fn a_world_of_too_many_steps_stands_still_at_once() {
    let scenario = Scenario::open("examples/double_pendulum/double_pendulum.yaml").unwrap();
    let plans = [1e-3, 1e-14].map(|step| plan(&scenario.diagram, Options::icf(step)));
    let mut worlds = Worlds::of_plans(&plans).unwrap();
    assert_eq!(worlds.advance_to(1.0), 1);
    assert_eq!(worlds.times(), [1.0, 0.0]);
    let fault = worlds.fault(1).unwrap();
    assert!(
        matches!(fault, Some(WorldFault::Run(RunError::TooManySteps { steps, .. })) if (steps / 1e14 - 1.0).abs() < 1e-9)
    );
    assert_eq!(worlds.statistics(1).unwrap().solves, 0);
    worlds.reset(&[false, true]).unwrap();
    assert_eq!(worlds.advance_to(3e-14), 0);
    assert_eq!(worlds.times(), [1.0, 3e-14]);
}
