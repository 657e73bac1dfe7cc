//! Absurd input ends in an error with its time, or in a run, but never in a panic; the last good state is kept.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{IntegratorError, Options, StepFailure};
use kinegraph::simulate::{RunError, Simulation};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::{Context, Fixed, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};

/// A force that pulls the slider to zero until `end`, and is not a number from then on.
struct Breaking {
    measured: In<MultibodyState>,
    force: Out<Fixed<1>>,
    end: f64,
    value: f64,
    ports: Ports,
}

impl LeafSystem for Breaking {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let x = ctx.get(self.measured);
        let broken = ctx.time.value() > self.end;
        out.set(self.force, [if broken { S::constant(self.value) } else { -S::constant(10.0) * x[0] }]);
    }
}

fn breaking(value: f64) -> Diagram {
    let mut b = DiagramBuilder::new("breaking");
    let plant = PlantBuilder::new().model("s", slider(1.0), Base::fixed()).initial("s/x", 1.0, 0.0);
    let plant = b.add("plant", plant.build().unwrap());
    let mut ports = Ports::new();
    let (measured, force) = (ports.input_of_width("measured", 2), ports.output("force"));
    let block = b.add("block", Breaking { measured, force, end: 0.5, value, ports });
    b.connect(plant.state("s"), block.measured);
    b.connect(block.force, plant.applied_generalized_force("s"));
    b.build().unwrap()
}

#[test]
fn a_block_that_breaks_ends_the_run_with_the_time_and_the_last_good_state() {
    for value in [f64::NAN, f64::INFINITY] {
        for options in [cenic(1e-3), icf(1e-2)] {
            let mut simulation = Simulation::new(&breaking(value), options).unwrap();
            let error = simulation.advance_to(1.0).unwrap_err();
            let (time, failure) = match &error {
                RunError::Integrator(IntegratorError::StepTooSmall { time, last, .. }) => {
                    (*time, last.clone().unwrap())
                }
                RunError::Integrator(IntegratorError::FixedStepFailed { time, failure, .. }) => {
                    (*time, failure.clone())
                }
                _ => panic!("{error}"),
            };
            let StepFailure::NotFinite { what } = failure else { panic!("{error}") };
            assert_eq!(what, "output `block.force`");
            assert!((0.4..=0.5 + 1e-9).contains(&time), "{error}");
            assert_eq!(time, simulation.time());
            let [q, v] = simulation.state().continuous[..] else { panic!("two states") };
            let exact = (10.0_f64.sqrt() * time).cos();
            assert!((q - exact).abs() < 0.05 && v.is_finite(), "{q} instead of {exact} at {time}");
            assert!(error.to_string().contains("`block.force` is not a finite number"), "{error}");
            // The run still cannot continue, and still reports it.
            assert!(simulation.advance_to(1.0).is_err());
        }
    }
}

/// At most `steps` steps to `end`; in any case, the state consists of numbers and time does not run backwards.
fn survives(diagram: &Diagram, options: Options, end: f64, steps: usize) -> Result<(), RunError> {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    for _ in 0..steps {
        if simulation.time() >= end {
            break;
        }
        let before = simulation.state().clone();
        let outcome = simulation.step(end);
        assert!(simulation.state().continuous.iter().all(|x| x.is_finite()), "{outcome:?}");
        match outcome {
            Ok(_) => assert!(simulation.time() > before.time),
            Err(error) => {
                let state = simulation.state();
                assert_eq!((before.time, &before.continuous), (state.time, &state.continuous));
                return Err(error);
            }
        }
    }
    Ok(())
}

#[test]
fn extreme_masses_and_stiffnesses_do_not_panic() {
    for (mass, stiffness, dissipation) in [
        (1e-12, 1e5, 10.0),
        (1e12, 1e5, 10.0),
        (1.0, 1e12, 10.0),
        (1.0, 1e12, 0.0),
        (1.0, 1e5, 1e9),
        (1e-9, 1e12, 1e6),
        (1.0, 0.0, 0.0),
    ] {
        let plant = PlantBuilder::new().ground(0.0).contact(contact(stiffness, dissipation, 1.0));
        let plant =
            plant.model("a", ball(mass, 0.1), at(0.0, 0.0, 0.15)).model("b", ball(1.0, 0.1), at(0.01, 0.0, 0.36));
        let diagram = alone(plant);
        for options in [cenic(1e-3), icf(1e-3)] {
            let outcome = survives(&diagram, options, 0.3, 1000);
            if let Err(error) = &outcome {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn extreme_velocities_do_not_panic() {
    for speed in [1e3, 1e6, 1e12, 1e100, 1e200] {
        let plant = PlantBuilder::new()
            .ground(0.0)
            .model("a", cuboid(1.0, [0.1, 0.2, 0.3]), thrown([0.0, 0.0, 1.0], [speed, -speed, 0.0], [0.0, 0.0, -speed]))
            .model("dp", double_pendulum(), Base::fixed())
            .initial("dp/j1", 0.0, speed);
        let diagram = alone(plant);
        for options in [cenic(1e-3), icf(1e-3)] {
            let _ = survives(&diagram, options, 0.1, 300);
        }
    }
}

#[test]
fn deep_overlap_is_pushed_out() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 10.0, 0.5));
    let diagram =
        alone(plant.model("a", ball(1.0, 0.1), at(0.0, 0.0, -0.05)).model("b", ball(1.0, 0.1), at(0.0, 0.0, -0.05)));
    for options in [cenic(1e-3), icf(1e-3)] {
        survives(&diagram, options, 0.5, 5000).unwrap();
    }
}

#[test]
fn a_joint_far_beyond_its_stop_does_not_panic() {
    let mut model = double_pendulum();
    model.joints[0].limits = (-0.1, 0.1);
    model.joints[0].kind = kinegraph::systems::multibody::JointKind::Revolute;
    let plant = PlantBuilder::new().model("dp", model, Base::fixed()).initial("dp/j1", 3.0, 0.0);
    let diagram = alone(plant);
    for options in [cenic(1e-3), icf(1e-3)] {
        let _ = survives(&diagram, options, 0.5, 3000);
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let diagram = alone(PlantBuilder::new().model("s", slider(1.0), Base::fixed()));
    for options in [
        cenic(0.0),
        cenic(-1.0),
        cenic(f64::NAN),
        icf(0.0),
        icf(f64::INFINITY),
        Options { step: None, ..icf(1.0) },
        Options { max_step: 0.0, ..cenic(1e-3) },
        Options { initial_step: Some(f64::NAN), ..cenic(1e-3) },
        Options { min_step: f64::NAN, ..cenic(1e-3) },
        Options { min_step: -1.0, ..cenic(1e-3) },
        Options { min_step: 0.2, max_step: 0.1, ..cenic(1e-3) },
        Options { initial_step: Some(0.2), max_step: 0.1, ..cenic(1e-3) },
    ] {
        assert!(Simulation::new(&diagram, options).is_err(), "{options:?}");
    }
}

#[test]
fn a_smallest_step_that_is_too_large_names_the_coordinate() {
    let plant =
        PlantBuilder::new().ground(0.0).contact(contact(1e7, 0.0, 0.0)).model("a", ball(1.0, 0.1), at(0.0, 0.0, 0.5));
    let options = Options { min_step: 0.02, ..cenic(1e-6) };
    let mut simulation = Simulation::new(&alone(plant), options).unwrap();
    let error = simulation.advance_to(1.0).unwrap_err();
    let RunError::Integrator(IntegratorError::StepTooSmall { time, step, minimum, worst, .. }) = &error else {
        panic!("{error}")
    };
    assert_eq!((*minimum, *time), (0.02, simulation.time()));
    assert!(*step < 0.02 && worst.ends_with(".z"), "{error}");
}

/// A message that stops a run, or prevents its start, has a remedy.
#[test]
fn faults_of_runs_say_what_to_do() {
    let slider_alone = || alone(PlantBuilder::new().model("s", slider(1.0), Base::fixed()));
    let new = |options: Options| Simulation::new(&slider_alone(), options).expect_err("a fault").to_string();
    let broken = |options: Options| {
        let mut simulation = Simulation::new(&breaking(f64::NAN), options).unwrap();
        simulation.advance_to(1.0).unwrap_err().to_string()
    };
    let mut backwards = Simulation::new(&slider_alone(), icf(0.1)).unwrap();
    backwards.advance_to(0.5).unwrap();
    let foreign = Simulation::with(breaking(1.0).initial_state(), icf(0.1).build(&slider_alone()).unwrap());
    let mut empty = slider_alone().initial_state();
    empty.continuous.clear();
    let short = Simulation::with(empty, icf(0.1).build(&slider_alone()).unwrap());
    let infinite = {
        let mut state = slider_alone().initial_state();
        state.continuous[0] = f64::INFINITY;
        match Simulation::with(state, icf(0.1).build(&slider_alone()).unwrap()) {
            Ok(mut simulation) => simulation.advance_to(1.0).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        }
    };
    assert!(foreign.is_ok(), "two diagrams with states of the same layout");
    let thrown = {
        let plant = weightless().model("s", slider(1.0), Base::fixed()).initial("s/x", 0.0, 1.0);
        let options = Options { min_step: 0.05, ..cenic(1e-9) };
        let plant = plant.spring("s/x", 1e4, 0.0);
        let mut simulation = Simulation::new(&alone(plant), options).unwrap();
        simulation.advance_to(1.0).unwrap_err().to_string()
    };
    for (message, parts) in [
        (broken(cenic(1e-3)), &["`block.force` is not a finite number", "Look at the blocks that drive it"][..]),
        (
            broken(icf(1e-2)),
            &["`block.force` is not a finite number", "Take shorter steps, or an integrator with error control"],
        ),
        (
            thrown,
            &["the largest error is in plant.s.x", "Ask for a looser accuracy or allow smaller steps (`min_step`)"],
        ),
        (backwards.advance_to(f64::NAN).unwrap_err().to_string(), &["time runs forward only"]),
        (short.expect_err("a fault").to_string(), &["has 0 continuous", "take a state of this diagram"]),
        (infinite, &["not a finite number"]),
        (new(cenic(0.0)), &["accuracy is 0, but must be a positive number"]),
        (new(icf(-1.0)), &["step is -1, but must be a positive number"]),
        (new(Options { max_step: f64::NAN, ..cenic(1e-3) }), &["max_step is NaN, but must be a positive number"]),
        (new(Options { min_step: -1.0, ..cenic(1e-3) }), &["min_step is -1, but must be zero or a positive number"]),
        (new(Options { min_step: 0.2, ..cenic(1e-3) }), &["min_step is 0.2 s, longer than max_step, which is 0.1 s"]),
        (new(icf(1e-308)), &["step is 1e-308, but must be between 1e-15 and 1e12"]),
        (new(Options { max_step: 1e13, ..cenic(1e-3) }), &["max_step is 1e13, but must be between"]),
        (new(Options { initial_step: Some(1e-16), ..cenic(1e-3) }), &["initial_step is 1e-16, but must be between"]),
        (new(Options { min_step: 1e-16, ..cenic(1e-3) }), &["min_step is 1e-16, but must be between"]),
        (new(cenic(1.0)), &["accuracy is 1e0, but must be between 1e-15 and 1e0"]),
        (
            Simulation::new(&slider_alone(), icf(1e-14)).unwrap().advance_to(1.0).unwrap_err().to_string(),
            &["1.000e14 steps of at most 1e-14 s", "at most 1e11 are taken"],
        ),
        (new(Options { step: None, ..icf(1.0) }), &["give `step` (for example 0.001)"]),
    ] {
        for part in parts {
            assert!(message.contains(part), "expected {part:?} in: {message}");
        }
    }
}

#[test]
fn the_first_step_is_no_shorter_than_the_smallest() {
    // A tenth of the largest step, the default, would be too short.
    let diagram = alone(weightless().model("s", slider(1.0), Base::fixed()).initial("s/x", 0.0, 1.0));
    let simulation = run(&diagram, Options { min_step: 0.05, max_step: 0.1, ..cenic(1e-3) }, 1.0);
    assert_eq!(simulation.statistics().first_step, Some(0.05));
}
