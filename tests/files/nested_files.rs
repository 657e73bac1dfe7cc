//! Diagram files as blocks of diagram files.

use kinegraph::cli::{self, Console};
use kinegraph::files::{Catalog, LoadError, MAX_BYTES, Override, load};
use kinegraph::simulate::{FileSimulator, Scenario};
use std::fs;
use std::path::{Path, PathBuf};

fn open(name: &str) -> Result<Scenario, LoadError> {
    Scenario::open(format!("tests/nested/{name}.yaml"))
}

fn faults(name: &str) -> Vec<String> {
    open(name).unwrap_err().faults.0.iter().map(ToString::to_string).collect()
}

#[test]
fn a_nested_file_equals_the_diagram_written_out() {
    let (nested, flat) = (open("pair").unwrap(), open("pair_by_hand").unwrap());
    let names: Vec<&str> = nested.diagram.blocks().iter().map(|block| block.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "goal",
            "left/servo/pid",
            "left/servo/x",
            "left/copy",
            "right/servo/pid",
            "right/servo/x",
            "right/copy",
            "scale"
        ]
    );
    let (mut a, mut b) = (nested.simulation().unwrap(), flat.simulation().unwrap());
    a.advance_to(1.0).unwrap();
    b.advance_to(1.0).unwrap();
    for (inside, by_hand) in [("left/servo/x", "l_x"), ("right/servo/x", "r_x"), ("left/servo/pid", "l_pid")] {
        let block = |d: &kinegraph::prelude::Diagram, name: &str| d.blocks()[d.find_block(name).unwrap()].state.clone();
        let (i, j) = (block(a.diagram(), inside), block(b.diagram(), by_hand));
        assert_eq!(a.state().continuous[i], b.state().continuous[j], "{inside}");
    }
    assert_ne!(a.channel("left.effort").unwrap(), a.channel("right.effort").unwrap(), "separate state");
    assert_eq!(a.channel("right.effort").unwrap(), b.channel("r_pid.effort").unwrap());
    let recorded: Vec<&str> = nested.channels.iter().map(|channel| channel.name.as_str()).collect();
    let expected = [
        "left/servo/x.output[0]",
        "left/servo/x.output[1]",
        "right/servo/x.output[1]",
        "left/servo/pid.effort",
        "right/servo/pid.effort",
    ];
    assert_eq!(recorded, expected);
}

#[test]
fn faults_of_inner_files_come_with_their_own_file_and_line_once() {
    let faults = faults("faults");
    for (place, part) in [
        ("tests/nested/faults.yaml:5:", "`../data/every_key.yaml` leads out of the diagram file's folder"),
        ("tests/nested/faults.yaml:6:", "there is no file `tests/nested/parts/none.yaml`"),
        ("tests/nested/loop.yaml:3:", "it would contain itself (faults.yaml -> loop.yaml -> faults.yaml)"),
        (
            "tests/nested/parts/faulty.yaml:3:",
            "systems.gain.gain: expected a number or a list of numbers, found the text `fast`",
        ),
        ("tests/nested/parts/faulty.yaml:4:", "`../servo.yaml` leads out of the diagram file's folder"),
        ("tests/nested/parts/faulty.yaml:6:", "exports.inputs.reference[1]: expected a port"),
    ] {
        let matching = faults.iter().filter(|fault| fault.starts_with(place) && fault.contains(part)).count();
        assert_eq!(matching, 1, "{place} {part}\n{faults:#?}");
    }
    assert_eq!(faults.len(), 6, "{faults:#?}");
}

/// Values of the controllers' `kp` that `kinegraph check --set OPTION` of `pair.yaml` sets, or its error.
fn set(options: &[&str]) -> Result<(f64, f64), String> {
    let overrides: Vec<Override> = options.iter().map(|option| Override::set(option).unwrap()).collect();
    let loaded = load(Path::new("tests/nested/pair.yaml"), &overrides).map_err(|error| error.to_string())?;
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed().to_string())?;
    // The efforts at the start, kp (1 - 0.1) - 0.6 and kp (0.05 - 0.1) - 0.3.
    let mut simulation = scenario.simulation().unwrap();
    let (left, right) = (simulation.channel("left.effort").unwrap(), simulation.channel("right.effort").unwrap());
    Ok(((left + 0.6) / 0.9, (right + 0.3) / -0.05))
}

#[test]
fn values_of_nested_files_are_set_from_the_command_line() {
    let close = |found: (f64, f64), kp: (f64, f64)| (found.0 - kp.0).abs() < 1e-9 && (found.1 - kp.1).abs() < 1e-9;
    assert!(close(set(&[]).unwrap(), (4.0, 4.0)));
    // A file that is nested twice is set once, by keys or by the block's full name; at any depth.
    assert!(close(set(&["systems.left.systems.servo.systems.pid.kp=3"]).unwrap(), (3.0, 4.0)));
    assert!(close(set(&["systems.right/servo/pid.kp=[5]"]).unwrap(), (4.0, 5.0)));
    assert!(close(set(&["systems.left/servo.systems.pid.kp=2", "systems.left/servo/pid.kp=6"]).unwrap(), (6.0, 4.0)));
    assert!(close(set(&["systems.left/servo.file=stiff.yaml"]).unwrap(), (400.0, 4.0)));
    for (option, part) in [
        (
            "systems.left/servo/pdi.kp=3",
            "there is no `pdi` in systems.left.systems.servo.systems\n  help: did you mean `pid`?",
        ),
        ("systems.lft/servo/pid.kp=3", "there is no `lft` in systems\n  help: did you mean `left`?"),
        (
            "systems.left.kp=3",
            "there is no `kp` in systems.left\n  help: valid here: kinegraph, systems, connections or exports",
        ),
        ("systems.left.simulation.step=1", "`simulation` of a nested file does not count: set it in the outer file"),
        ("systems.left/servo/pid.kp=fast", "systems.pid.kp: expected a number"),
        ("systems.left/servo/pid.kq=1", "unknown key `kq` in systems.pid"),
        ("systems.left/servo/pid.kp=[1", "broken YAML"),
    ] {
        let message = set(&[option]).unwrap_err();
        assert!(message.starts_with(&format!("--set {option}")) && message.contains(part), "{option}\n{message}");
    }
}

#[test]
fn check_counts_blocks_and_wires_inside() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, interactive: false };
    assert_eq!(
        cli::run(["kinegraph", "check", "tests/nested/pair.yaml"], &Catalog::standard(), &FileSimulator, &mut console),
        0
    );
    let out = String::from_utf8(out).unwrap();
    // Of each cascade three blocks and two wires; goal and scale; their wires drive an exported pair of inputs twice.
    assert!(out.contains("  8 blocks (in 4 nested diagrams and this file), 9 connections, 6 states\n"), "{out}");
}

/// A part that has exports can be checked alone; run alone, it reports which inputs nothing drives.
#[test]
fn a_file_with_exports_is_checked_alone() {
    let kinegraph = |command: &str, file: &str| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console { out: &mut out, err: &mut err, interactive: false };
        let code = cli::run(["kinegraph", command, file], &Catalog::standard(), &FileSimulator, &mut console);
        (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    };
    let (code, out, err) = kinegraph("check", "tests/nested/parts/exported.yaml");
    assert_eq!(code, 0, "{err}");
    let exported =
        "exported, for a diagram that has this file as a block to drive: reference (width 2), rate (width 2)";
    assert!(out.contains(exported), "{out}");
    let (code, out, err) = kinegraph("check", "tests/nested/parts/exported_alone.yaml");
    assert_eq!((code, out.contains(exported)), (0, true), "{out}{err}");
    let (code, _, err) = kinegraph("run", "tests/nested/parts/exported_alone.yaml");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("take `reference` out of `exports` and add `- BLOCK.OUTPUT -> pid.desired`"), "{err}");
}

#[test]
fn wires_to_exports_are_checked_like_wires_to_ports() {
    let faults = faults("misfits");
    assert_eq!(faults.len(), 3, "{faults:#?}");
    // An input that no wire was meant for; the one behind the faulty wire is no fault of its own.
    assert!(
        faults[0].starts_with("tests/nested/misfits.yaml:4:")
            && faults[0].contains("servo.rate (servo/x.input) (width 2) is not connected")
    );
    let faults = &faults[1..];
    assert!(
        faults[0].starts_with("tests/nested/misfits.yaml:7:")
            && faults[0].contains("goal.output gives 3 numbers, servo.desired takes 2")
    );
    assert!(
        faults[1].starts_with("tests/nested/misfits.yaml:8:") && faults[1].contains("unknown output of servo `efort`")
    );
}

#[test]
fn faults_of_the_build_are_reported_in_the_file_that_can_mend_them() {
    let faults = faults("open");
    for (place, part) in [
        ("tests/nested/open.yaml:3:", "servo.desired (servo/pid.desired) (width 2) is not connected"),
        ("tests/nested/open.yaml:3:", "servo.rate (servo/x.input) (width 2) is not connected"),
        ("tests/nested/open.yaml:4:", "half.twice (half/a.input) (width 1) is not connected"),
        ("tests/nested/parts/open.yaml:10:", "half/a.input is exported twice, as `half.twice` and as `half.again`"),
    ] {
        assert!(faults.iter().any(|f| f.starts_with(place) && f.contains(part)), "{place} {part}\n{faults:#?}");
    }
    assert_eq!(faults.len(), 4, "{faults:#?}");
}

#[test]
fn exports_of_ports_that_do_not_exist_are_the_only_faults() {
    let faults = faults("unknown_exports");
    assert_eq!(faults.len(), 2, "{faults:#?}");
    assert!(
        faults[0].starts_with("tests/nested/parts/unknown_exports.yaml:5:")
            && faults[0].contains("unknown input of pid `desird`")
    );
    assert!(
        faults[1].starts_with("tests/nested/parts/unknown_exports.yaml:6:")
            && faults[1].contains("unknown output of pid `measured`")
    );
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Each file of a chain names the next one `times` times.
fn chain(folder: &Path, length: usize, times: usize, padding: usize) -> PathBuf {
    for i in 0..length {
        let mut text = "kinegraph: 1\nsystems:\n  g: {type: constant, value: 1}\n".to_owned();
        if i + 1 < length {
            (0..times).for_each(|k| text += &format!("  s{k}: {{type: diagram, file: f{}.yaml}}\n", i + 1));
        }
        text += "simulation: {duration: 0}\n#";
        text += &"x".repeat(padding);
        fs::write(folder.join(format!("f{i}.yaml")), text).unwrap();
    }
    folder.join("f0.yaml")
}

#[test]
fn nesting_is_bounded_in_depth_number_and_size() {
    assert!(load(&chain(&scratch("chain_16"), 17, 1, 0), &[]).is_ok());
    for (folder, length, times, padding, part) in [
        ("chain_17", 18, 1, 0, "files are nested deeper than 16 levels"),
        ("chain_wide", 12, 8, 0, "more than 1000 files are nested"),
        ("chain_large", 4, 3, (MAX_BYTES as usize) / 8, "have more than 67108864 bytes"),
    ] {
        let error = load(&chain(&scratch(folder), length, times, padding), &[]).unwrap_err();
        assert!(error.to_string().contains(part), "{part}\n{}", error.faults.0[0]);
    }
}
