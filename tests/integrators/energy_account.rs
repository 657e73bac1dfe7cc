//! The energy check of a run includes the energy stored in constraints and supplied by their corrections: correct runs
//! pass, others fail, and a resumed run is checked like the whole one.

use crate::common::*;
use crate::reference::data;
use kinegraph::diagram::Diagram;
use kinegraph::files::{self, Override};
use kinegraph::integrators::{Options, method};
use kinegraph::scenario::Scenario;
use kinegraph::simulate::{FileSimulator, Observer, Sample, Simulation, Simulator, Status};
use kinegraph::systems::convex::Compliance;
use kinegraph::systems::multibody::PlantBuilder;
use kinegraph::systems::multibody::plant::{Attachment, BushingLaw, Constraint, ConstraintLaw};
use nalgebra::{Isometry3, Vector3};
use std::io;

struct Blind;

impl Observer for Blind {
    fn sample(&mut self, _: &mut Sample<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// Status at the end of a run of a file of `tests/data/energy` with these settings.
fn ending(file: &str, settings: &[&str]) -> Status {
    let overrides: Vec<_> = settings.iter().map(|setting| Override::set(setting).unwrap()).collect();
    let loaded = files::load(&data().join("energy").join(file), &overrides).unwrap();
    FileSimulator.build(&loaded.diagram, &loaded.loader).unwrap().run(&mut Blind).status
}

const METHODS: [[&str; 2]; 7] = [
    ["cenic", "accuracy=1e-2"],
    ["cenic", "accuracy=1e-5"],
    ["cenic-trapezoid", "accuracy=1e-4"],
    ["icf", "step=2e-3"],
    ["sap", "step=5e-3"],
    ["theta-gamma", "step=2e-3"],
    ["projected-gauss-seidel", "step=5e-3"],
];

#[test]
fn welds_and_distances_that_start_off_end_well() {
    for file in ["weld_1mm.yaml", "bungee.yaml"] {
        for [integrator, option] in METHODS {
            let set = [&*format!("simulation.integrator={integrator}"), &*format!("simulation.{option}")];
            let status = ending(file, &set);
            assert!(status.is_done(), "{file}, {integrator} {option}: {status}");
        }
    }
}

/// Steps of fixed length across a pulley gain up to 10¹³ times the energy; with error control they do not.
#[test]
fn a_pulley_that_gains_energy_fails_and_the_advice_can_help() {
    for integrator in ["icf", "sap", "theta-gamma", "projected-gauss-seidel"] {
        for step in ["5e-3", "2.5e-3"] {
            let set = [&*format!("simulation.integrator={integrator}"), &*format!("simulation.step={step}")];
            let Status::Failed(why) = ending("pulley.yaml", &set) else { panic!("{integrator} {step}: done") };
            assert!(why.contains("gained") && why.contains("take `cenic`"), "{integrator} {step}: {why}");
        }
    }
    for integrator in ["cenic", "cenic-trapezoid"] {
        let status = ending("pulley.yaml", &[&format!("simulation.integrator={integrator}")]);
        assert!(status.is_done(), "{integrator}: {status}");
    }
}

/// A floating ball and one of the constraints with the world, violated by a random vector.
fn off(random: &mut Random) -> (String, Diagram) {
    let size = random.log(5e-4, 0.4);
    let way = Vector3::from_fn(|_, _| random.between(-1.0, 1.0)).normalize() * size;
    let (stiffness, damping) = (random.log(30.0, 1e5), random.between(0.0, 1.0).round() * random.log(0.1, 100.0));
    let compliance = (random.part() < 0.5).then_some(Compliance { stiffness, damping });
    let turning = compliance.map(|law| Compliance { stiffness: 0.1 * law.stiffness, damping: 0.1 * law.damping });
    let (a, b) = (Attachment::at("ball/body", [0.0; 3]), Attachment::world(Isometry3::from(Vector3::z() * 0.5 + way)));
    let by_axis = |law: Compliance| [law, Compliance { stiffness: 2.0 * law.stiffness, ..law }, law];
    let soft = Compliance { stiffness, damping };
    let law = match (4.0 * random.part()) as usize {
        0 => ConstraintLaw::Weld { a, b, linear: compliance, angular: turning },
        1 => ConstraintLaw::Ball { a, b, compliance },
        2 => {
            let b = Attachment::world(Isometry3::translation(random.between(-0.2, 0.2), 0.0, 1.0));
            ConstraintLaw::Distance { a, b, length: 0.5 - size, compliance }
        }
        _ => ConstraintLaw::Bushing { a, b, law: BushingLaw { linear: by_axis(soft), angular: by_axis(soft) } },
    };
    let plant = PlantBuilder::new().model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.5));
    let title = format!("{law:?}, off by {size:.4} m");
    (title, alone(plant.constraint(Constraint::new("c", law))))
}

/// Random constraints that start violated by 0.5 mm to 0.4 m, under random methods, for 0.02 to 2 s.
#[test]
fn energy_of_constraints_and_corrections_is_no_gain() {
    let mut random = Random(47);
    for case in 0..100 {
        let (title, diagram) = off(&mut random);
        let accuracy = [1e-2, 1e-3, 1e-5][case % 3];
        let of = |name: &str, step: f64| Options { step: Some(step), ..Options::of(method(name).unwrap()) };
        let step = [1e-3, 5e-3][case % 2];
        let options = match case % 7 {
            0 | 1 => Options::cenic(accuracy),
            2 => Options { accuracy, ..Options::of(method("cenic-trapezoid").unwrap()) },
            3 => of("icf", step),
            4 => of("sap", step),
            5 => of("theta-gamma", step),
            _ => of("projected-gauss-seidel", step),
        };
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        simulation.judge_energy();
        let end = [0.02, 0.3, 2.0][(3.0 * random.part()) as usize];
        let ran = simulation.advance_to(end);
        let fault = ran.err().map(|error| error.to_string()).or_else(|| simulation.energy_fault());
        assert_eq!(fault, None, "case {case}, {options:?}: {title}");
    }
}

/// Energy with a stretched spring between two bodies is conserved, and the reported energy includes the spring.
#[test]
fn reported_energy_includes_that_of_constraints() {
    let (stiffness, way) = (200.0, 0.3);
    let law = ConstraintLaw::Distance {
        a: Attachment::at("ball/body", [0.0; 3]),
        b: Attachment::world(Isometry3::translation(0.0, 0.0, 1.0)),
        length: 0.2,
        compliance: Some(Compliance { stiffness, damping: 0.0 }),
    };
    let plant = PlantBuilder::new().gravity([0.0; 3]).model("ball", ball(2.0, 0.1), at(0.0, 0.0, 0.5));
    let diagram = alone(plant.constraint(Constraint::new("c", law)));
    let mut simulation = Simulation::new(&diagram, Options::cenic(1e-6)).unwrap();
    let held = 0.5 * stiffness * way * way;
    assert!((simulation.energy().unwrap() - held).abs() < 1e-12, "{:?}", simulation.energy());
    // A quarter of a period later all of it moves.
    simulation.advance_to(0.5 * std::f64::consts::PI * (2.0 / stiffness).sqrt()).unwrap();
    assert!((simulation.energy().unwrap() / held - 1.0).abs() < 1e-3, "{:?}", simulation.energy());
}

/// A run that is cut and resumed at any time ends as the whole one does.
#[test]
fn a_resumed_run_is_judged_as_the_whole_one() {
    let cases = [("pulley.yaml", "projected-gauss-seidel", 5e-3, 0.9), ("bungee.yaml", "icf", 1e-3, 0.4)];
    for (file, integrator, step, end) in cases {
        let overrides: Vec<_> = [
            format!("simulation.integrator={integrator}"),
            format!("simulation.step={step}"),
            format!("simulation.duration={end}"),
        ]
        .iter()
        .map(|setting| Override::set(setting).unwrap())
        .collect();
        let loaded = files::load(&data().join("energy").join(file), &overrides).unwrap();
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap();
        let whole = scenario.run(&mut scenario.simulation().unwrap(), &[], &mut Blind);
        for part in [0.1, 0.5, 0.8] {
            let mut first = scenario.simulation().unwrap();
            first.judge_energy();
            first.advance_to(part * end).unwrap();
            let bytes = first.snapshot().to_bytes().unwrap();
            let snapshot = kinegraph::simulate::Snapshot::from_bytes(&bytes).unwrap();
            let mut second = scenario.simulation().unwrap();
            second.restore(&snapshot).unwrap();
            let resumed = scenario.run(&mut second, &[], &mut Blind);
            // Where it is cut, a step is shorter: the fault may come in another digit of the time.
            let both = (&resumed, &whole);
            let same = matches!(both, (Status::Done, Status::Done) | (Status::Failed(_), Status::Failed(_)));
            assert!(same, "{file} from {part}: {both:?}");
        }
    }
}
