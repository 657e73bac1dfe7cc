//! Diagram files that read well but cannot be built: wires, loops, joints, links, channels and models, each reported at
//! its place. The faults of reading itself are in `bad_files.rs`.

use crate::command::{kinegraph, kinegraph_on};
use kinegraph::cli::WRONG_INPUT;
use kinegraph::simulate::FileSimulator;
use std::path::{Path, PathBuf};

const FOLDER: &str = "tests/bad_diagrams";

/// A file of `tests/bad_diagrams` with all of its faults: file, line and a part of the message or its help.
type Case = (&'static str, &'static [(&'static str, usize, &'static str)]);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("algebraic_loop", &[("algebraic_loop.yaml", 7, "algebraic loop: first.output -> second.input")]),
    ("own_output", &[("own_output.yaml", 6, "algebraic loop: block.output -> block.input")]),
    ("unknown_port", &[("unknown_port.yaml", 7, "unknown output of source `outptu`\n  help: did you mean `output`?")]),
    ("widths", &[("widths.yaml", 7, "source.output gives 3 numbers, sink.input takes 2")]),
    ("unconnected_input", &[("unconnected_input.yaml", 7, "controller.desired (width 2) is not connected\n  help: add `- BLOCK.OUTPUT -> controller.desired` to `connections`; for a fixed value add a block `controller_desired: {type: constant, value: [0, 0]}` and `- controller_desired.output -> controller.desired`")]),
    ("loop_of_three", &[("loop_of_three.yaml", 8, "help: write `algebraic_loops: solve` at the top of the file to have it solved in every step")]),
    ("controlled_outputs", &[
        ("controlled_outputs.yaml", 8, "unknown output of filter `outptu`\n  help: did you mean `output`?"),
        ("controlled_outputs.yaml", 9, "expected an output `block.output`, found `source`"),
    ]),
    ("five_faults", &[
        ("five_faults.yaml", 9, "goal.output gives 2 numbers, narrow.input takes 1\n  help: make the widths equal"),
        ("five_faults.yaml", 10, "unknown output of goal `outptu`"),
        ("five_faults.yaml", 11, "algebraic loop: wide.output -> wide.input"),
        ("five_faults.yaml", 12, "goal.output is an output, an input is needed here (goal has none)"),
        ("five_faults.yaml", 14, "unknown channel of sum `otput`"),
    ]),
    ("parameters", &[
        ("parameters.yaml", 5, "systems.limit: lower[0] = 1 is not below upper[0] = -1"),
        ("parameters.yaml", 10, "systems.zone: lower[1] = 1 is not below upper[1] = 0"),
        ("parameters.yaml", 14, "systems.heater: fall_at[0] = 1 is not below rise_at[0] = -1"),
        ("parameters.yaml", 18, "systems.valve: arguments[2] = 1 does not come after arguments[1] = 1"),
        ("parameters.yaml", 22, "systems.short: values has 2 elements, expected 3"),
        ("parameters.yaml", 26, "systems.law: `a + * 2`, column 5: expected a number, a name or `(`, found `*`"),
        ("parameters.yaml", 30, "systems.stranger: `a + b`, column 5: `b` is neither an input nor a function"),
        ("parameters.yaml", 33, "systems.path: breaks has 2 elements, expected 3"),
        ("parameters.yaml", 38, "systems.motor: B is 1 x 1, expected 2 x 1"),
        ("parameters.yaml", 42, "systems.wash: the numerator has degree 2, the denominator 1"),
        ("parameters.yaml", 50, "systems.names: names[1] = `height` is empty or stands before: give each a name of its own"),
        ("parameters.yaml", 53, "systems.memory: initial[0] is 5, expected a number within the limits"),
        ("parameters.yaml", 60, "systems.robot: kp has 2 elements, expected 1"),
        ("parameters.yaml", 67, "systems.estimate: measurement_noise has the eigenvalue -1.000e0, but must be positive definite"),
    ]),
    ("too_fast", &[
        ("too_fast.yaml", 3, "fast has a periodic event every 0.000000000001 s from 0 s: the period must be at least a nanosecond"),
    ]),
    ("wires_of_a_plant", &[
        ("wires_of_a_plant.yaml", 9, "plant.arm.state gives 2 numbers (arm.shoulder.q, arm.shoulder.v), controller.measured takes 4"),
        ("wires_of_a_plant.yaml", 10, "plant.arm.state is an output, an input is needed here (plant has arm.actuation"),
        ("wires_of_a_plant.yaml", 11, "plant.body_poses carries a signal of type body poses, controller.desired takes multibody state\n  help: connect an output"),
    ]),
    (
        "meshes",
        &[("meshes.yaml", 6, "meshes: unknown link or collision shape of arm `tol`\n  help: did you mean `tool`?")],
    ),
    ("initial_joint", &[("initial_joint.yaml", 7, "unknown joint of arm `sholder`\n  help: did you mean `shoulder`?")]),
    ("initial_of_fixed_joint", &[("initial_of_fixed_joint.yaml", 7, "joint `arm/flange` is fixed: it has no position")]),
    ("spring_joint", &[("spring_joint.yaml", 7, "springs[0].joint: unknown joint of arm `elbow`\n  help: valid here: shoulder")]),
    ("spring_on_fixed_joint", &[("spring_on_fixed_joint.yaml", 7, "springs[0].joint: joint `arm/flange` is fixed")]),
    ("belt_link", &[
        ("belt_link.yaml", 8, "belts[0].link: unknown link of arm `tol`\n  help: did you mean `tool`?"),
    ]),
    ("vacuum_links", &[
        ("vacuum_links.yaml", 11, "systems.gripper.cups: unknown link `arm/tol`\n  help: did you mean `arm/tool`?"),
        ("vacuum_links.yaml", 12, "systems.gripper.targets: unknown link `arm/bse`\n  help: did you mean `arm/base`?"),
        ("vacuum_links.yaml", 15, "systems.nowhere: unknown block `plan`\n  help: did you mean `plant`?"),
        ("vacuum_links.yaml", 21, "systems.elsewhere.plant: `source` is no multibody_plant"),
    ]),
    ("constraints", &[
        ("constraints.yaml", 8, "constraints[0].a.link: unknown link of arm `tol`\n  help: did you mean `tool`?"),
        ("constraints.yaml", 9, "constraints[1].joints: unknown joint of arm `sholder`\n  help: did you mean `shoulder`?"),
        ("constraints.yaml", 9, "constraints[1].joints: joint `arm/flange` is fixed"),
        ("constraints.yaml", 10, "locked: unknown movable joint of arm `flange`\n  help: valid here: shoulder"),
        ("constraints.yaml", 11, "lockable: unknown movable joint of arm `base`\n  help: valid here: shoulder"),
    ]),
    ("constraint_on_one_body", &[
        ("constraint_on_one_body.yaml", 3, "constraint `a` joins `arm/upper` and `arm/tool`, which cannot move relative to each other"),
        ("constraint_on_one_body.yaml", 3, "coupler `b` names joint `arm/shoulder` twice"),
    ]),
    ("actuated_joint", &[("actuated_joint.yaml", 6, "models[0].actuated: unknown joint of arm `elbow`")]),
    ("base_link", &[("base_link.yaml", 7, "models[1].base: unknown link of arm `tol`\n  help: did you mean `tool`?")]),
    ("channels", &[
        ("channels.yaml", 8, "unknown channel of plant `arm.shouldr`\n  help: did you mean `arm.shoulder`"),
        ("channels.yaml", 8, "unknown channel of plant `stat`\n  help: did you mean `state`?"),
    ]),
    ("controller_model", &[("controller_model.yaml", 3, "systems.controller: kp has 2 elements, expected 1")]),
    ("no_gain", &[
        ("no_gain.yaml", 3, "systems.unreached: no gain makes the loop stable: a mode of A that does not decay is not reached by B"),
        ("no_gain.yaml", 4, "systems.improper: the numerator has degree 1, the denominator 0"),
        ("no_gain.yaml", 5, "systems.wide: D is 1 x 2, expected 1 x 1"),
    ]),
    ("non_manifold", &[
        ("non_manifold.yaml", 3, "the triangle mesh of `fin/body` touches in local minima of the distance, and more than two triangles meet in the edge from [0.0, 0.0, 0.0] to [1.0, 0.0, 0.0] m"),
        ("non_manifold.yaml", 3, "the triangle mesh of `other/body` touches"),
    ]),
    ("missing_model", &[("missing_model.yaml", 6, "there is no file `tests/bad_diagrams/arm.yaml.missing`")]),
    ("negative_mass", &[
        ("negative_mass.urdf", 4, "the mass of link \"upper\" must be greater than zero, it is -1 kg"),
        ("negative_mass.urdf", 7, "the parent of joint \"shoulder\" is link \"bse\", which does not exist (did you mean \"base\"?)"),
    ]),
    ("falls_apart", &[("falls_apart.yaml", 6, "falls into 2 separate parts, because these links are no joint's child: ")]),
    ("not_xml", &[("not_xml.urdf", 3, "not well-formed XML: </robot> stands where </link> is expected")]),
    ("nothing_to_move", &[("nothing_to_move.yaml", 3, "joint `arm/slide` moves nothing with inertia")]),
    ("several", &[
        ("several.yaml", 7, "unknown joint of arm `elbow`"),
        ("several.yaml", 8, "unknown joint of arm `sholder`"),
        ("several.yaml", 9, "joint `arm/flange` is fixed"),
        ("several.yaml", 13, "unknown output of source `outptu`"),
        ("several.yaml", 15, "unknown channel of sink `outputt`"),
        ("negative_mass.urdf", 4, "must be greater than zero"),
        ("negative_mass.urdf", 7, "which does not exist"),
    ]),
];

/// Exit code, standard output and standard error.
#[test]
fn every_fault_is_blamed_at_its_place_and_all_together() {
    for (name, expected) in CASES {
        let path = format!("{FOLDER}/{name}.yaml");
        for command in ["check", "run"] {
            let (code, out, err) = kinegraph(&[command, &path]);
            assert_eq!((code, out.as_str()), (WRONG_INPUT, ""), "{name}: {err}");
            // Each fault begins with its place; what follows up to the next one belongs to it.
            let faults: Vec<&str> = err
                .split(&format!("{FOLDER}/"))
                .filter(|f| f.contains(": ") && !f.starts_with("arm.yaml.missing"))
                .collect();
            let faults =
                if *name == "missing_model" { vec![err.trim_start_matches(&format!("{FOLDER}/"))] } else { faults };
            assert_eq!(faults.len(), expected.len(), "{name}:\n{err}");
            for (found, (file, line, part)) in faults.iter().zip(*expected) {
                assert!(found.starts_with(&format!("{file}:{line}:")), "{name}: expected {file}:{line} in\n{err}");
                assert!(found.contains(part), "{name}: expected {part:?} in\n{found}");
            }
            let count = format!("\n{} faults\n", expected.len());
            assert_eq!(err.ends_with(&count), expected.len() > 1, "{name}:\n{err}");
        }
    }
}

#[test]
fn every_bad_diagram_has_a_case() {
    let entries = Path::new(FOLDER).read_dir().expect("the folder");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "yaml"));
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        assert!(CASES.iter().any(|(case, _)| *case == name), "{name} has no case");
    }
    assert_eq!(files.len(), CASES.len());
}

/// On a terminal a fault of a model file shows the lines of that file.
#[test]
fn a_person_sees_the_line_of_the_model_file() {
    let (_, _, err) = kinegraph_on(&FileSimulator, &["check", &format!("{FOLDER}/negative_mass.yaml")], true);
    assert!(err.contains("<mass value=\"-1\"/>") && err.contains("<parent link=\"bse\"/>"), "{err}");
}

/// Names of Rust functions are no help to the author of a file.
#[test]
fn advice_for_files_names_no_functions() {
    for (name, _) in CASES {
        let (_, _, err) = kinegraph(&["check", &format!("{FOLDER}/{name}.yaml")]);
        assert!(!err.contains("DiagramBuilder") && !err.contains("Ports::") && !err.contains("fix its value"), "{err}");
    }
}

/// A faulty model file that is used twenty times is reported once.
#[test]
fn faults_of_a_model_file_are_reported_once() {
    let models: String =
        (0..20).map(|i| format!("      - {{name: m{i}, file: not_xml.urdf, base: fixed}}\n")).collect();
    let text = format!(
        "kinegraph: 1\nsystems:\n  plant:\n    type: multibody_plant\n    models:\n{models}simulation: {{duration: 1}}\n"
    );
    let loaded = kinegraph::files::load_str(&Path::new(FOLDER).join("twenty.yaml"), &text, &[]).expect("it reads");
    assert!(kinegraph::simulate::Scenario::build(&loaded.diagram, &loaded.loader).is_none());
    assert_eq!(loaded.failed().faults.0.len(), 1);
}
