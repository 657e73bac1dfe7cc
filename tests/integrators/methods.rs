//! The table of integrators is the only list of them: files, messages and documents follow it.

use crate::common::*;
use crate::models::{Smooth, diagram};
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::files::{LoadError, Loaded, load_str};
use kinegraph::integrators::{
    Build, Controller, ErrorWeights, GroupSource, IfNotGiven, IntegratorType, METHODS, MethodOptions, OptionGroup,
    OptionKey, OptionValue, Options, SapOptions, ThetaGammaOptions, VolumeOptions, method,
};
use kinegraph::linearize::Feedback;
use kinegraph::methods::read_options;
use kinegraph::simulate::Simulation;
use kinegraph::solvers::icf::Method;
use kinegraph::systems::control::InverseDynamicsController;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Two lines of the table are two integrators: names, descriptions and constructors differ.
#[test]
fn names_are_unique_and_every_line_describes() {
    let names: BTreeSet<&str> = METHODS.iter().map(|method| method.name).collect();
    assert_eq!(names.len(), METHODS.len());
    let about: BTreeSet<&str> = METHODS.iter().map(|method| method.about).collect();
    assert_eq!(about.len(), METHODS.len());
    for one in METHODS {
        assert_eq!(method(one.name), Some(one));
        let options: BTreeSet<&str> = one.options.iter().copied().collect();
        assert_eq!(options.len(), one.options.len(), "{one:?}");
    }
    assert_eq!(method("cenik"), None);
    assert_eq!(Options::default().integrator, METHODS[0]);
}

/// Options of an integrator that fit any diagram it takes.
fn options_of(integrator: &'static IntegratorType) -> Options {
    let step = matches!(integrator.build, Build::Fixed(_)).then_some(0.01);
    Options { step, accuracy: 1e-4, ..Options::of(integrator) }
}

#[test]
fn every_integrator_is_the_one_of_its_name_and_takes_what_it_says() {
    let plant = alone(PlantBuilder::new().model("dp", double_pendulum(), Base::fixed()));
    for integrator in METHODS {
        let options = options_of(integrator);
        let built = options.build(&diagram::<Smooth>()).unwrap();
        assert_eq!(built.name(), integrator.name);
        let with_plant = options.build(&plant).map(|built| built.name());
        assert_eq!(with_plant, Ok(integrator.name));
        assert_eq!(Options { step: None, ..options }.check().is_ok(), integrator.error_controlled(), "{integrator:?}");
    }
}

fn load(text: &str) -> Result<Loaded, Box<LoadError>> {
    load_str(Path::new("file.yaml"), text, &[]).map_err(Box::new)
}

/// A file can name every integrator; for an unknown one the message has the nearest name, and all of them.
#[test]
fn files_name_every_integrator() {
    let file = |name: &str| {
        format!(
            "kinegraph: 1\nsystems:\n  a: {{type: constant, value: 1}}\nsimulation: {{integrator: {name}, step: 0.1, duration: 0}}\n"
        )
    };
    for integrator in METHODS {
        let loaded = load(&file(integrator.name)).unwrap();
        assert_eq!(loaded.diagram.simulation.integrator, integrator);
        let mut wrong = integrator.name.to_owned();
        wrong.push('x');
        let faults = load(&file(&wrong)).err().unwrap().to_string();
        assert!(faults.contains(&format!("`{}`", integrator.name)), "{faults}");
    }
    let faults = load(&file("zzzzzz")).err().unwrap().to_string();
    for integrator in METHODS {
        assert!(faults.contains(integrator.name), "{faults}");
    }
}

/// A pendulum under control that couples its joints, and a ball on the ground, so that every option has an effect.
fn controlled() -> Diagram {
    let plant = PlantBuilder::new()
        .ground(0.0)
        .model("ball", ball(1.0, 0.1), thrown([3.0, 0.0, 0.2], [0.0, 5.0, 0.0], [0.3, 0.1, -0.2]))
        .model("dp", double_pendulum(), Base::fixed())
        .initial("dp/j1", 0.4, 0.3)
        .initial("dp/j2", -0.7, 0.0);
    let mut b = DiagramBuilder::new("scene");
    let plant = b.add("plant", plant.build().unwrap());
    let control = InverseDynamicsController::new(&double_pendulum(), [0.0, 0.0, -9.81], 100.0, 10.0, 20.0).unwrap();
    let control = b.add("control", control);
    b.connect(plant.state("dp"), control.estimated_state);
    b.connect(control.generalized_force, plant.actuation("dp"));
    b.fix(control.desired_state, [0.2, 0.1, 0.0, 0.0]);
    b.build().unwrap()
}

/// A key of files, and a change of the option that it names.
type Change = (&'static str, fn(&mut Options));

/// Options that can be changed, by their keys in files.
const CHANGES: &[Change] = &[
    ("accuracy", |o| o.accuracy *= 0.1),
    ("max_step", |o| o.max_step = 4e-3),
    ("min_step", |o| o.min_step = 5e-2),
    ("initial_step", |o| o.initial_step = Some(3e-3)),
    ("step", |o| o.step = Some(7e-3)),
    ("external", |o| o.feedback = Feedback::Explicit),
    ("feedback", |o| o.feedback = Feedback::Diagonal),
    ("extrapolate", |o| o.extrapolate = false),
    ("error_norm", |o| o.error_weights = ErrorWeights::STATE),
    ("error_weights", |o| o.error_weights.angle = 30.0),
    ("step_control", |o| o.controller = Controller::H211),
    ("solver", |o| o.solver = Method::Newton),
    ("rules", |o| o.rules = o.rules.without_smooth()),
    ("tuning", |o| o.tuning.safety = 0.5),
    ("sap", |o| o.methods.change::<SapOptions>(|sap| sap.solver.sigma = 0.1)),
    ("theta_gamma", |o| o.methods.change::<ThetaGammaOptions>(|theta_gamma| theta_gamma.theta = 0.75)),
    ("volume", |o| o.methods.change::<VolumeOptions>(|volume| volume.max_sweeps = 1)),
];

/// The bits of a run, or its failure.
fn outcome(diagram: &Diagram, options: Options) -> Result<Vec<u64>, String> {
    let mut simulation = Simulation::new(diagram, options).map_err(|e| e.to_string())?;
    simulation.advance_to(0.5).map_err(|e| e.to_string())?;
    Ok(simulation.state().continuous.iter().map(|x| x.to_bits()).collect())
}

/// An integrator reads the keys that its line lists, and no other: changing a listed one changes a run, changing
/// another does not.
#[test]
fn the_keys_that_an_integrator_reads_are_those_of_its_line() {
    let diagram = &controlled();
    for integrator in METHODS {
        let options = options_of(integrator);
        let before = outcome(diagram, options);
        assert!(before.is_ok(), "{before:?}");
        // Nothing here rebounds, sweeps or is struck: no rule of the trapezoid scheme has anything to do.
        let is_idle = |key: &str| key == "rules" && integrator.name == "cenic-trapezoid";
        for (key, change) in CHANGES.iter().filter(|(key, _)| !is_idle(key)) {
            let mut changed = options;
            change(&mut changed);
            let reads = outcome(diagram, changed) != before;
            assert_eq!(reads, integrator.options.contains(key), "`{key}` of `{}`", integrator.name);
        }
        assert!(integrator.options.iter().all(|key| CHANGES.iter().any(|(known, _)| known == key)));
    }
}

/// A method with options of its own declares them in its own files. Elsewhere a line of the table names them, and the
/// library passes them on.
#[test]
fn options_of_a_method_are_in_its_own_files_and_a_line_of_the_table() {
    const TABLE: &str = "src/methods/table.rs";
    let table = fs::read_to_string(TABLE).unwrap();
    let (_, lines) = table.split_once("options.set::<").unwrap();
    let groups: Vec<&str> = std::iter::once(lines)
        .chain(lines.split("options.set::<").skip(1))
        .filter_map(|line| line.split_once('>').map(|(group, _)| group))
        .collect();
    assert!(groups.contains(&"SapOptions") && groups.contains(&"ThetaGammaOptions"), "{groups:?}");
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    for group in groups {
        let method = group.strip_suffix("Options").unwrap().chars().next().unwrap().to_ascii_lowercase();
        let is_own = |path: &Path| {
            path.strip_prefix("src/methods").is_ok_and(|path| {
                path.iter().any(|part| part != "table.rs" && part.to_string_lossy().starts_with(method))
            })
        };
        let mut elsewhere: Vec<_> = files
            .iter()
            .filter(|path| !is_own(path) && fs::read_to_string(path).unwrap().contains(group))
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        elsewhere.sort();
        assert_eq!(elsewhere, ["src/integrators.rs", TABLE], "{group}");
    }
}

/// The Rust files in a folder, at any depth.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Sets every option to the default that its declaration names.
struct Declared;

impl GroupSource for Declared {
    fn group<G: OptionGroup>(&mut self) -> G {
        let mut group = G::default();
        for OptionKey { name, value, .. } in G::KEYS {
            match *value {
                OptionValue::Number(_, IfNotGiven::Is(x), set) => set(&mut group, x),
                OptionValue::Count(IfNotGiven::Is(n), set) => set(&mut group, n),
                OptionValue::Flag(IfNotGiven::Is(flag), set) => set(&mut group, flag),
                OptionValue::Word { words, if_not_given: IfNotGiven::Is(default), .. } => {
                    let named = words.iter().find(|(word, _)| *word == default);
                    named.unwrap_or_else(|| panic!("{name}: {default} is none of its words")).1(&mut group);
                }
                _ => {}
            }
        }
        group
    }
}

#[test]
fn declared_defaults_are_the_defaults() {
    assert_eq!(read_options(&mut Declared), MethodOptions::default());
}
