//! Wrong diagram files: every fault names its file, line and cause, and a remedy.

use kinegraph::files::{FileFault, LoadError, load, load_str};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// A file of `tests/bad_files` with all of its faults: line (`None`: the file as a whole) and a part of the message.
type Case = (&'static str, &'static [(Option<usize>, &'static str)]);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("yaml_open_bracket", &[(Some(3), "broken YAML")]),
    ("yaml_wrong_indent", &[(Some(4), "broken YAML")]),
    ("yaml_tab_indent", &[(Some(3), "broken YAML")]),
    ("yaml_open_quote", &[(Some(3), "broken YAML")]),
    ("yaml_unknown_alias", &[(Some(3), "refers to no `&name`")]),
    ("yaml_two_documents", &[(Some(4), "a second document begins here")]),
    ("yaml_key_is_a_list", &[(Some(3), "a key must be plain text")]),
    ("yaml_alias_bomb", &[(Some(7), "more values than a diagram file may hold")]),
    ("yaml_too_deep", &[(Some(2), "nested deeper than")]),
    ("not_text", &[(None, "not UTF-8 text")]),
    ("duplicate_key", &[(Some(6), "the key `gain` is here a second time")]),
    ("duplicate_system", &[(Some(4), "the key `a` is here a second time")]),
    ("version_missing", &[(Some(1), "begins with `kinegraph: 1`; this one begins with `name`")]),
    ("version_not_first", &[(Some(1), "begins with `kinegraph: 1`")]),
    ("version_unknown", &[(Some(1), "format version 2 is not known; this program reads version 1")]),
    ("version_text", &[(Some(1), "format version `latest` is not known")]),
    ("empty", &[(Some(1), "this one is empty")]),
    ("a_list", &[(Some(1), "this one is a list of 1 value")]),
    ("top_level_key", &[(Some(2), "unknown key `system` in the file")]),
    ("no_systems", &[(Some(2), "systems: expected at least one block, found an empty map")]),
    ("systems_list", &[(Some(3), "systems: expected blocks by name, found a list of 1 value")]),
    ("system_name", &[(Some(3), "systems: expected a name of letters, digits, `_` and `-`")]),
    ("no_simulation", &[(Some(1), "the file lacks the key `simulation`")]),
    ("type_missing", &[(Some(4), "systems.block lacks the key `type`")]),
    ("type_unknown", &[(Some(4), "unknown block type `multibody_plan`")]),
    ("type_not_a_word", &[(Some(4), "systems.block.type: expected the name of a block type")]),
    ("key_unknown", &[(Some(5), "unknown key `gian` in systems.block")]),
    ("number_is_text", &[(Some(5), "systems.block.gain: expected a number or a list of numbers, found the text `fast`")]),
    ("number_is_quoted", &[(Some(5), "found the text `2.0`")]),
    ("number_is_nan", &[(Some(5), "systems.block.value[1]: expected a finite number, found not-a-number")]),
    ("number_is_infinite", &[(Some(5), "systems.block.value: expected a finite number, found -inf")]),
    ("number_overflows", &[(Some(5), "expected a finite number, found inf")]),
    ("number_is_huge", &[(Some(5), "expected a number of at most 1e100 in size (squares and quotients of it are computed), found 1e300")]),
    ("value_is_missing", &[(Some(5), "systems.block.gain: expected a number or a list of numbers, found nothing")]),
    ("list_is_empty", &[(Some(5), "systems.block.value: expected a number or a list of numbers, found an empty list")]),
    ("width_disagrees", &[(Some(5), "systems.block.gain: 3 numbers here, but `width` makes the width 2")]),
    ("width_is_a_fraction", &[(Some(5), "systems.block.width: expected a whole number from 1 to")]),
    ("gains_disagree", &[(Some(6), "systems.block.kd: 3 numbers here, but `kp` makes the width 2")]),
    ("time_constant_is_negative", &[(Some(6), "systems.block.derivative_filter[1]: expected a number above 0, found -2")]),
    ("reset_to_without_reset", &[(Some(5), "systems.block.reset_to: there is no reset: say when, `reset: rising`")]),
    ("matrix_is_ragged", &[(Some(5), "systems.block.A: expected rows of equal length, found 1 number in row 1 and 2 in row 0")]),
    ("matrix_is_a_number", &[(Some(5), "systems.block.A: expected a square matrix, as a list of rows, found 1")]),
    ("delay_is_not_sampled", &[(Some(6), "systems.block.period: 0.5 s is longer than the delay of 0.3 s")]),
    ("tracking_time", &[(Some(8), "only `anti_windup: back_calculation` has a tracking time")]),
    ("pid_input", &[(Some(6), "unknown input `eror`")]),
    ("signs", &[(Some(5), "systems.block.signs: expected one sign per input")]),
    ("trajectory_times", &[(Some(5), "systems.block.times: expected increasing times, found 2 then 1 (knots 1 and 2)")]),
    ("trajectory_knots", &[(Some(6), "systems.block.values: 2 knots here, but 3 in `times`")]),
    ("trajectory_widths", &[(Some(6), "knot 1 has 1 number, the first of `values` has 2")]),
    ("trajectory_interpolation", &[(Some(5), "unknown interpolation `cubik`")]),
    ("controller_model", &[(Some(5), "systems.block.model: expected the controller's model, such as `{file: robot.urdf}`")]),
    ("controller_gains", &[(Some(7), "systems.block.kd: 3 numbers here, but `kp` has 2")]),
    ("gravity_two_numbers", &[(Some(5), "systems.plant.gravity: expected 3 numbers [x, y, z] in m/s², found a list of 2 values")]),
    ("stiffness_negative", &[(Some(5), "systems.plant.contact.stiffness: expected a number above 0, found -100000")]),
    ("stiffness_misspelt", &[(Some(5), "unknown key `stifness` in systems.plant.contact")]),
    ("friction_order", &[(Some(5), "systems.plant.contact.dynamic_friction: 0.8 is above static_friction (0.5)")]),
    ("contact_model", &[(Some(5), "unknown contact model `points`")]),
    ("contact_points", &[(Some(5), "unknown kind of contact points `all`")]),
    ("no_models", &[(Some(5), "systems.plant.models: expected at least one model")]),
    ("model_file_missing", &[(Some(6), "systems.plant.models[0].file: there is no file `tests/bad_files/leg.urdf`")]),
    ("model_file_above", &[(Some(6), "`../bad_files/arm.urdf` leads out of the diagram file's folder")]),
    ("model_file_absolute", &[(Some(6), "`/etc/hostname` leads out of the diagram file's folder")]),
    ("model_file_is_a_folder", &[(Some(6), "`tests/bad_files/.` is a folder: name a file in it")]),
    ("model_name_missing", &[(Some(6), "systems.plant.models[0] lacks the key `name`")]),
    ("model_name_twice", &[(Some(7), "systems.plant.models[1].name: an earlier model is named `arm` too")]),
    ("model_name_with_slash", &[(Some(6), "systems.plant.models[0].name: expected a name of letters")]),
    ("base_unknown", &[(Some(6), "unknown base `floting`")]),
    ("base_of_unknown_model", &[(Some(7), "systems.plant.models[1].base: unknown model `amr`")]),
    ("base_of_later_model", &[(Some(6), "systems.plant.models[0].base: `arm/base` must stand before `hand`")]),
    ("base_of_itself", &[(Some(6), "systems.plant.models[0].base: `arm` cannot be held by its own link")]),
    ("pose_two_orientations", &[(Some(6), "`quat` gives the orientation already")]),
    ("pose_quaternion", &[(Some(6), "expected a unit quaternion [w, x, y, z], found one of length 0")]),
    ("velocity_of_fixed_base", &[(Some(6), "only a model with `base: floating` has a velocity of its own")]),
    ("actuated", &[(Some(6), "actuated: expected all, none or a list of joints")]),
    ("initial_of_unknown_model", &[(Some(7), "systems.plant.initial: unknown model `amr`")]),
    ("initial_not_a_state", &[(Some(7), "systems.plant.initial.arm.joint1: expected a joint's state, such as `0.1` or `{q: 0.1, v: 0}`, found a list")]),
    ("spring_without_model", &[(Some(7), "systems.plant.springs[0].joint: expected a joint as `model/joint`")]),
    ("spring_negative", &[(Some(7), "systems.plant.springs[0].stiffness: expected a number that is not negative, found -10")]),
    ("belt_motion", &[(Some(9), "systems.plant.belts[1].direction: expected a vector that is not zero"), (Some(10), "a belt has either an `axis` that its rollers turn about, or a `direction`")]),
    ("belt_ground", &[(Some(8), "systems.plant.belts[0]: the plant has no `ground`"), (Some(9), "systems.plant.belts[1]: an earlier belt is named `line` too"), (Some(10), "systems.plant.belts[2]: unknown model `amr`")]),
    ("fibres", &[
        (Some(7), "fibre `touching`: points 0 and 1 of its curve coincide"),
        (Some(8), "fibre `short`: points 0 and 1 of its curve coincide"),
        (Some(9), "fibres[2].section.radius: expected a number above 0, found 0"),
        (Some(10), "fibres[3].section.height: expected a number above 0, found 0"),
        (Some(11), "fibre `hollow`: inner radius of its section is 0.01, but must be zero or more, and less than the outer"),
        (Some(12), "fibres[5].material.young: expected a number above 0, found 0"),
        (Some(13), "fibre `sharp`: between its nodes 0 and 1 its axis turns by 3.132 rad; at most 2 rad can be"),
        (Some(14), "fibre `empty`: number of its elements is 0, but must be one or more"),
        (Some(15), "fibres[8].circle.radius: expected a number above 0, found 0"),
        (Some(16), "fibre `lone`: its curve has 1 point, but needs two or more"),
        (Some(17), "fibre `back`: its nodes 2 and 3 coincide where its curve turns back: give it another number of elements"),
        (Some(18), "fibre `twisted`: its twist of 8.1 rad turns each of its elements by 2.025 rad; at most 2 rad can be"),
        (Some(19), "fibre `nowhere`: length of its direction `up` is 0, but must be above zero"),
        (Some(20), "fibre `coil`: turns of its curve is 0, but must be a finite number other than zero"),
        (Some(21), "fibre `about`: length of the axis of its curve is 0, but must be above zero"),
        (Some(22), "fibre `held`: it is closed: its ends are joined, and neither can be clamped or pinned"),
        (Some(23), "fibre `yielding`: stiffness of its section is 0, but must be a finite number above zero"),
    ]),
    ("vacuum_gripper", &[(Some(6), "a force law is `{c, d0}` or `{force, reach}`"), (Some(7), "systems.gripper.cups[0].point: expected 3 numbers [x, y, z] in m"), (Some(9), "a target has one face: `plane`, `box` or `sphere`"), (Some(9), "systems.gripper.targets[0].sphere.radius: expected a number above 0, found 0")]),
    ("constraints", &[
        (Some(8), "systems.plant.constraints[0].type: unknown type of constraint `wled`"),
        (Some(9), "systems.plant.constraints[1].a.link: expected a link as `model/link`"),
        (Some(10), "systems.plant.constraints[2].joints: expected two joints, or `coefficients` with a number for each, found 1"),
        (Some(11), "systems.plant.constraints[3] lacks the key `length`"),
        (Some(12), "damping belongs to a compliant constraint: give `stiffness` too"),
        (Some(12), "unknown key `ratio` in systems.plant.constraints[4]"),
        (Some(12), "systems.plant.constraints[4].active: expected true or false, found 1"),
        (Some(13), "systems.plant.constraints[5].coefficients: expected one number for each of 3 joints, found 2"),
        (Some(13), "systems.plant.constraints[5].ratio: a coupler with `coefficients` has no `ratio`"),
        (Some(14), "systems.plant.constraints[6].joints: expected two joints, or `coefficients` with a number for each, found 3"),
        (Some(15), "systems.plant.constraints[7].joints: `arm/j1` is here twice: add its coefficients"),
        (Some(15), "systems.plant.constraints[7].coefficients: expected numbers other than 0: leave out a joint"),
        (Some(16), "systems.plant.constraints[8].polynomial: expected 2 to 5 numbers, found 1"),
        (Some(16), "systems.plant.constraints[8].offset: the first number of `polynomial` is the offset"),
        (Some(17), "systems.plant.constraints[9].polynomial: a coupler has `coefficients` or a `polynomial`, not both"),
        (Some(17), "systems.plant.constraints[9].coefficients[1]: expected a number, found the text `two`"),
        (Some(18), "unknown key `coefficients` in systems.plant.constraints[10]"),
        (Some(19), "systems.plant.lockable: expected a list of joints as `model/joint`"),
        (Some(20), "systems.plant.correction_speed: expected a number above 0, found 0"),
    ]),
    ("constraint_names", &[
        (Some(8), "systems.plant.constraints[0].a.link: unknown model `amr`"),
        (Some(9), "systems.plant.constraints[1].name: an earlier constraint is named `a` too"),
        (Some(9), "systems.plant.constraints[1].joints: unknown model `leg`"),
        (Some(11), "systems.plant.lockable: joint `arm/j1` is listed already"),
    ]),
    ("collisions_unknown", &[(Some(7), "unknown kind of collision `ground`")]),
    ("wire_without_arrow", &[(Some(6), "connections[0]: `source.output, sink.input` is not a connection: there is no `->`")]),
    ("wire_two_arrows", &[(Some(6), "there is more than one `->`")]),
    ("wire_without_port", &[(Some(6), "`source` names no port")]),
    ("wire_one_end", &[(Some(6), "one side is empty")]),
    ("wire_to_itself", &[(Some(6), "it leads from a port to itself")]),
    ("wire_unknown_block", &[(Some(6), "connections[0]: unknown block `sorce`")]),
    ("wire_twice", &[(Some(7), "sink.input is driven by source.output already (line 6)")]),
    ("wire_as_map", &[(Some(6), "connections[0]: expected a connection `block.output -> block.input`, found a map")]),
    ("wires_not_a_list", &[(Some(4), "connections: expected a list of connections")]),
    ("integrator_unknown", &[(Some(4), "simulation.integrator: unknown integrator `cenik`")]),
    ("duration_missing", &[(Some(4), "simulation lacks the key `duration` (a number that is not negative)")]),
    ("duration_negative", &[(Some(4), "simulation.duration: expected a number that is not negative, found -1")]),
    ("accuracy_zero", &[(Some(4), "simulation.accuracy: expected a number between 0 and 1, at least 1e-15, found 0")]),
    ("step_negative", &[(Some(4), "simulation.step: expected a number above 0, found -0.01")]),
    ("step_missing", &[(Some(4), "icf takes steps of fixed length: `step` must be given")]),
    ("steps_cross", &[(Some(4), "simulation.min_step: 0.2 is above max_step (0.1)")]),
    ("simulation_is_a_word", &[(Some(4), "simulation: expected how to simulate, such as")]),
    ("record_every_zero", &[(Some(5), "record.every: expected a number above 0, found 0")]),
    ("record_too_much", &[(Some(5), "1e12 samples in one run; at most 1e8 are recorded")]),
    ("record_unknown_block", &[(Some(5), "record.channels: unknown block `b`")]),
    ("record_channels", &[(Some(5), "record.channels: expected a list of channels")]),
    ("outputs_behind_others", &[
        (Some(4), "systems.pid lacks the key `kp`"),
        (Some(6), "outputs.accuracy: unknown block `sorce`"),
        (Some(6), "outputs.accuracy.pid.effort: expected a number above 0, found -1"),
    ]),
    ("output_behind_a_missing_key", &[
        (Some(4), "outputs.accuracy: unknown output of source `outptu`"),
        (Some(4), "outputs.accuracy: expected an output `block.output`, found `source`"),
        (Some(5), "simulation lacks the key `duration`"),
    ]),
    ("five_faults", &[(Some(6), "gravity"), (Some(7), "stifness"), (Some(9), "leg.urdf"), (Some(10), "increasing times"), (Some(12), "is not a connection")]),
    ("faults_behind_a_duplicate", &[(Some(6), "second time"), (Some(7), "width"), (Some(8), "duration")]),
];

fn folder() -> &'static Path {
    Path::new("tests/bad_files")
}

fn faults_of(path: &Path) -> Vec<FileFault> {
    match load(path, &[]) {
        Err(LoadError { faults, .. }) => faults.0,
        Ok(_) => panic!("{} reads without a fault", path.display()),
    }
}

#[test]
fn every_bad_file_gets_exactly_its_faults() {
    for (name, expected) in CASES {
        let path = folder().join(format!("{name}.yaml"));
        let faults = faults_of(&path);
        let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(shown.len(), expected.len(), "{name}: {shown:#?}");
        for (found, (line, part)) in shown.iter().zip(*expected) {
            let place = match line {
                Some(line) => format!("{}:{line}:", path.display()),
                None => format!("{}: ", path.display()),
            };
            assert!(found.starts_with(&place), "{name}: expected {place} in\n{found}");
            assert!(found.contains(part), "{name}: expected {part:?} in\n{found}");
            assert_eq!(found.lines().count(), 1, "{name}: one line, not\n{found}");
        }
    }
}

#[test]
fn every_bad_file_has_a_case() {
    let mut files: Vec<PathBuf> = folder().read_dir().expect("the folder").map(|e| e.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "yaml"));
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        assert!(CASES.iter().any(|(case, _)| *case == name), "{name} has no case");
    }
    assert_eq!(files.len(), CASES.len());
}

#[test]
fn misspelt_names_come_with_the_right_one() {
    for (name, right) in [
        ("key_unknown", "gain"),
        ("stiffness_misspelt", "stiffness"),
        ("type_unknown", "multibody_plant"),
        ("integrator_unknown", "cenic"),
        ("trajectory_interpolation", "cubic"),
        ("base_unknown", "floating"),
        ("base_of_unknown_model", "arm"),
        ("wire_unknown_block", "source"),
        ("top_level_key", "systems"),
        ("collisions_unknown", "ground_only"),
    ] {
        let help = faults_of(&folder().join(format!("{name}.yaml")))[0].kind.help().unwrap_or_default();
        assert!(help.starts_with(&format!("did you mean `{right}`?")), "{name}: {help}");
    }
}

#[test]
fn a_file_that_is_not_there_a_folder_and_an_oversized_file_are_refused() {
    let message = |path: &Path| faults_of(path)[0].to_string();
    assert_eq!(message(Path::new("tests/none.yaml")), "tests/none.yaml: cannot be read: no such file");
    assert_eq!(message(Path::new("tests")), "tests: cannot be read: it is a folder");

    let large = Path::new(env!("CARGO_TARGET_TMPDIR")).join("large.yaml");
    let file = std::fs::File::create(&large).expect("a file");
    file.set_len(kinegraph::files::MAX_BYTES + 1).expect("a size");
    assert!(message(&large).ends_with("has 16777217 bytes; a diagram file has at most 16777216"));
}

/// A link is a path too.
#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_refused_unless_it_is_given_on_the_command_line() {
    let inside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links");
    std::fs::create_dir_all(inside.join("parts")).expect("a folder");
    for part in ["parts/halved.yaml", "samples.csv"] {
        std::fs::copy(Path::new("tests/data").join(part), inside.join(part)).expect("a copy");
    }
    let target = std::env::current_dir().expect("a folder").join("tests/bad_files/arm.urdf");
    let link = inside.join("arm.urdf");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    let text = valid().replace("control.urdf", "arm.urdf");

    let refused = load_str(&inside.join("d.yaml"), &text, &[]).expect_err("a fault");
    assert!(refused.faults.0.iter().all(|f| f.to_string().contains("`arm.urdf` leads out of")), "{refused}");

    let models = ["plant.models.0", "plant.models.1", "controller.model", "hand.model"];
    let given: Vec<_> = models
        .iter()
        .map(|model| format!("systems.{model}.file"))
        .map(|path| kinegraph::files::Override::set(&format!("{path}={}", target.display())).expect("path=value"))
        .collect();
    load_str(&inside.join("d.yaml"), &text, &given).expect("no fault");
}

#[test]
fn a_thousand_faults_are_counted_and_not_all_listed() {
    let keys: String = (0..5000).map(|i| format!("  key{i}: 1\n")).collect();
    let text = format!("kinegraph: 1\nsystems:\n{keys}simulation: {{duration: 1}}\n");
    let error = load_str(Path::new("many.yaml"), &text, &[]).expect_err("faults");
    assert!(error.faults.0.len() <= 201);
    let last = error.faults.0.last().map(ToString::to_string).unwrap_or_default();
    assert_eq!(last, "many.yaml: further faults that are not listed: 4800");
}

/// A file that uses every key.
fn valid() -> String {
    super::every_key::text()
}

#[test]
fn the_file_with_every_key_reads() {
    if let Err(error) = load(Path::new("tests/data/every_key.yaml"), &[]) {
        panic!("{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    /// Bytes replaced, inserted and removed at random give a description or faults, never a panic, and every fault is
    /// in the file.
    #[test]
    fn damaged_files_never_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3u8, any::<u8>()), 1..8)) {
        let mut bytes = valid().into_bytes();
        for (place, what, byte) in edits {
            let at = place.index(bytes.len());
            match what {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.drain(at..(at + usize::from(byte)).min(bytes.len() - 1).max(at))),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Err(error) = load_str(Path::new("tests/data/every_key.yaml"), &text, &[]) {
            prop_assert!(!error.faults.0.is_empty());
            for fault in &error.faults.0 {
                // A lone carriage return is a line break to YAML.
                let lines = text.lines().count() + text.matches('\r').count() + 1;
                prop_assert!(fault.at.is_none_or(|at| at.line >= 1 && at.line <= lines), "{fault}");
            }
        }
    }

    /// Characters with a meaning in YAML, in any order.
    #[test]
    fn yaml_soup_never_panics(soup in "[-:{}\\[\\],&*!|>'\"%@` \n\tab1.#?~é]{0,200}") {
        let text = format!("kinegraph: 1\nsystems: {soup}");
        prop_assert!(load_str(Path::new("soup.yaml"), &text, &[]).is_err());
    }
}
