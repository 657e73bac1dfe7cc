//! Every parameter of every block at the ends of its range and beyond: refused with a reason, or run without a panic,
//! within a time, to values that are finite.

use super::{Random, scratch};
use kinegraph::diagram::Side;
use kinegraph::files::{BlockType, Catalog, IfMissing, Override, Parameter};
use kinegraph::scenario::ports_of_example;
use kinegraph::simulate::{FileSimulator, Observer, RunReport, Sample, Simulator, Status, StepReport};
use kinegraph::systems::SignalKind;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Values that every parameter is set to.
pub(super) const VALUES: [&str; 27] = [
    "0", "-0.0", "1", "-1", "2", "0.5", "-0.5", "1e-308", "5e-324", "1e-100", "1e-60", "1e-30", "1e-18", "1e-12",
    "1e-9", "1e-6", "1e-3", "1e3", "1e6", "1e9", "1e12", "1e18", "1e30", "1e100", "1e308", ".nan", ".inf",
];

/// A run limited in steps and time, whose samples are finite.
struct Brief {
    start: Instant,
    steps: usize,
}

impl Observer for Brief {
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        assert!(sample.values().iter().all(|value| value.is_finite()), "a sample that is not finite");
        Ok(())
    }
    fn step(&mut self, _: &StepReport<'_>) -> io::Result<()> {
        self.steps += 1;
        Ok(())
    }
    fn wants_end(&self) -> Option<String> {
        (self.steps >= 100 || self.start.elapsed() > Duration::from_secs(5)).then(|| "enough".into())
    }
}

/// The report of the diagram file with a value replaced; `None` where it is refused, with at least one fault.
fn run(file: &Path, set: &str) -> Option<RunReport> {
    brief_run(file, &[Override::set(set).expect("a path and a value")])
}

/// The report of a brief run of the diagram file; `None` where it is refused, with at least one fault.
pub(super) fn brief_run(file: &Path, given: &[Override]) -> Option<RunReport> {
    let catalog = Catalog::standard();
    let loaded = match catalog.load(file, given) {
        Ok(loaded) => loaded,
        Err(error) => {
            assert!(!error.faults.0.is_empty());
            return None;
        }
    };
    let built = FileSimulator.build(&loaded.diagram, &loaded.loader).ok()?;
    Some(built.run(&mut Brief { start: Instant::now(), steps: 0 }))
}

/// Fault of the result for a value, if any.
pub(super) fn fault_of(file: &Path, set: &str, check: impl Fn(&RunReport) -> bool) -> Option<String> {
    let start = Instant::now();
    let report = match catch_unwind(AssertUnwindSafe(|| run(file, set))) {
        Ok(report) => report,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            return Some(format!("{set}: panics: {}", text.unwrap_or_default()));
        }
    };
    let elapsed = start.elapsed();
    if elapsed > Duration::from_secs(10) {
        return Some(format!("{set}: takes {elapsed:.1?}"));
    }
    let report = report?;
    let numbers = report.final_state.0.iter().map(|(_, value)| *value);
    let energies = [report.energy_start, report.energy_end].into_iter().flatten();
    let wrong = numbers.chain(energies).any(|value| !value.is_finite());
    if report.status.is_done() && wrong {
        return Some(format!("{set}: done, with values that are not finite"));
    }
    (report.status == Status::Done && !check(&report)).then(|| format!("{set}: done, and wrong"))
}

/// The paths of all parameters that are numbers or have numbers in them.
fn keys(prefix: &str, parameters: &[Parameter], paths: &mut Vec<String>) {
    for parameter in parameters {
        let path = format!("{prefix}.{}", parameter.key);
        // Where a map is missing in the example, single keys of it cannot be set.
        keys(&path, &parameter.keys, paths);
        let is_word = matches!(&parameter.if_missing, IfMissing::Value(word) if word.parse::<f64>().is_err());
        if !is_word || parameter.expects.contains("number") {
            paths.push(path);
        }
    }
}

/// A diagram file of the example of a block, all of its inputs driven.
fn example(block: &BlockType, catalog: &Catalog) -> PathBuf {
    let folder = scratch("parameters");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in block.files {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    let (mut systems, mut wires) = (block.example_text(), String::new());
    let ports = ports_of_example(block, catalog).expect("an example");
    for (i, port) in ports.iter().filter(|port| port.side == Side::Input && !port.optional).enumerate() {
        let from = match port.kind {
            SignalKind::BodyPoses => "plant.body_poses".to_owned(),
            SignalKind::BodyVelocities => "plant.body_velocities".to_owned(),
            _ => {
                systems += &format!("  source{i}: {{type: constant, value: {:?}}}\n", vec![0.25; port.width]);
                format!("source{i}.output")
            }
        };
        wires += &format!("  - {from} -> {}.{}\n", block.example_name(), port.name);
    }
    let wires = if wires.is_empty() { wires } else { format!("connections:\n{wires}") };
    let file = folder.join(format!("{}.yaml", block.name));
    let text = format!("kinegraph: 1\nsystems:\n{systems}{wires}simulation: {{duration: 0.05}}\n");
    std::fs::write(&file, text).expect("a file");
    file
}

/// Indices of the cases that are tried: all, or some from a seed.
pub(super) fn chosen(cases: usize, some: usize) -> Vec<usize> {
    if std::env::var_os("KINEGRAPH_WHOLE").is_some() {
        return (0..cases).collect();
    }
    let mut random = Random(0x1234_5678_9abc_def1);
    (0..some).map(|_| random.below(cases)).collect()
}

#[test]
fn values_of_parameters_cause_no_panic_hang_or_nan() {
    let catalog = Catalog::standard();
    let mut cases = Vec::new();
    for block in catalog.types() {
        let mut paths = Vec::new();
        keys(&format!("systems.{}", block.example_name()), &block.own_parameters(), &mut paths);
        cases.extend(paths.into_iter().flat_map(|path| VALUES.map(|value| (block, format!("{path}={value}")))));
    }
    let chosen = chosen(cases.len(), 250);
    let faults: Vec<String> = chosen
        .iter()
        .filter_map(|&i| {
            let (block, set) = &cases[i];
            fault_of(&example(block, &catalog), set, |_| true)
        })
        .collect();
    println!(
        "| every parameter of every block with each of 27 values, 0 to 1e308 and not-a-number | {} of {} | refused with \
         a reason or run: no panic, none over 10 s, none that ends well with a value that is not finite |",
        chosen.len(),
        cases.len()
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// A ball falls on the ground and stays on it, for all options of the method.
#[test]
fn no_option_of_a_method_lets_a_ball_through_the_ground() {
    let ball = "<robot name=\"ball\"><link name=\"ball\"><inertial><mass value=\"1\"/>\
        <inertia ixx=\"0.004\" iyy=\"0.004\" izz=\"0.004\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
        <collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link></robot>";
    std::fs::write(scratch("falling.urdf"), ball).expect("a file");
    let mut cases = Vec::new();
    for (integrator, keys) in [
        ("cenic", &["accuracy", "max_step", "min_step", "initial_step", "duration"][..]),
        ("icf", &["step"]),
        (
            "sap",
            &[
                "step",
                "sap.absolute_tolerance",
                "sap.relative_tolerance",
                "sap.max_iterations",
                "sap.beta",
                "sap.relaxation_time",
                "sap.sigma",
                "sap.max_rigid_contact",
            ],
        ),
        (
            "theta-gamma",
            &[
                "step",
                "theta_gamma.theta",
                "theta_gamma.gamma",
                "theta_gamma.tolerance",
                "theta_gamma.slop",
                "theta_gamma.restitution",
                "theta_gamma.sweeps",
                "theta_gamma.contact_radius",
            ],
        ),
    ] {
        let file = scratch(&format!("falling_{integrator}.yaml"));
        let text = format!(
            "kinegraph: 1\nsystems:\n  plant:\n    type: multibody_plant\n    ground: {{height: 0}}\n    models: \
             [{{name: ball, file: falling.urdf, base: floating, pose: {{xyz: [0, 0, 0.105]}}}}]\n\
             simulation: {{integrator: {integrator}, step: 0.01, duration: 0.4}}\n"
        );
        std::fs::write(&file, text).expect("a file");
        for key in keys {
            cases.extend(VALUES.map(|value| (file.clone(), format!("simulation.{key}={value}"))));
        }
    }
    let on_the_ground = |report: &RunReport| {
        let height = report.final_state.0.iter().find(|(name, _)| name.ends_with(".z")).map(|(_, z)| *z);
        height.is_some_and(|z| (0.08..0.12).contains(&z))
    };
    let chosen = chosen(cases.len(), 120);
    let faults: Vec<String> =
        chosen.iter().filter_map(|&i| fault_of(&cases[i].0, &cases[i].1, on_the_ground)).collect();
    println!(
        "| 22 options of `cenic`, `icf`, `sap` and `theta-gamma` with the same values | {} of {} | a ball on the ground \
         is on the ground at the end, or the run fails |",
        chosen.len(),
        cases.len()
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Blocks that programs create by the name of their type (as Python does) have the ranges of files.
#[test]
fn blocks_by_name_have_the_ranges_of_files() {
    let build = |value: f64| {
        let parameters = serde_json::json!({"time_constant": value});
        Catalog::standard().build("first_order_lag", parameters, std::path::Path::new("")).map(drop)
    };
    let refused = build(1e40).expect_err("a fault").to_string();
    assert!(refused.contains("expected a number of at most 1e12 s in size"), "{refused}");
    assert!(build(1e9).is_ok());
}
