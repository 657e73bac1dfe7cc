//! A block is its file and its form: every list of blocks follows from the files that are there.
//!
//! `new/` holds the two files of a block that the library does not have, and the two files of their tests, at the paths
//! that they would have in it. The lists of a copy of the folders with these take the block up, and they are compiled
//! here as they stand: this crate has the names that they use.

mod lists;

#[path = "new/systems/src/operators/soft_sign.rs"]
mod soft_sign;
#[path = "new/src/files/blocks/soft_sign.rs"]
mod soft_sign_form;
#[path = "new/src/files/tests/all/blocks/soft_sign.rs"]
mod soft_sign_form_tests;
#[path = "new/systems/tests/all/blocks/operators/soft_sign.rs"]
mod soft_sign_tests;

// The form finds here what it finds in its crate, and the block in that of the blocks; tests find both.
extern crate self as kinegraph_files;
extern crate self as kinegraph_systems;
pub use kinegraph::files::{Catalog, form};
/// The folder of the block.
pub mod operators {
    pub use crate::soft_sign::SoftSign;
}
/// The folder of its form.
mod blocks {
    pub(crate) use crate::soft_sign_form as soft_sign;
}

use kinegraph::scenario::{Scenario, check_block_type};
use lists::{BLOCKS, FORMS, TESTS, listed};
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn folders() -> impl Iterator<Item = &'static str> {
    BLOCKS.into_iter().chain([FORMS]).chain(TESTS)
}

#[test]
fn every_list_has_what_its_folder_has() {
    for folder in folders() {
        let (path, new) = listed(Path::new(ROOT), folder);
        if std::env::var("KINEGRAPH_LISTS").is_ok_and(|wish| wish == "write") {
            fs::write(&path, new).unwrap();
            continue;
        }
        let old = fs::read_to_string(&path).unwrap();
        let differs = old.lines().zip(new.lines()).find(|(old, new)| old != new);
        assert!(old == new, "{folder}/mod.rs has another list: {differs:?}\n.ci/lists writes it");
    }
}

/// A form that is listed has a file of tests of its own, or a case in the tables of `tests/files`.
#[test]
fn every_form_is_tested() {
    // These need a robot, another file or a person; they have tests of their own.
    const ELSEWHERE: [&str; 19] = [
        "operator_input",
        "model_sensor",
        "segmentation_camera",
        "multibody_plant",
        "inverse_dynamics_controller",
        "impedance_controller",
        "operational_space_controller",
        "imu",
        "force_torque_sensor",
        "frame_sensor",
        "clock",
        "joint_encoder",
        "contact_sensor",
        "range_finder",
        "lidar",
        "depth_camera",
        "magnetometer",
        "vacuum_gripper",
        "diagram",
    ];
    let tables = ["blocks_in_files.rs", "dynamics_files.rs"]
        .map(|name| fs::read_to_string(Path::new(ROOT).join("tests/files").join(name)).unwrap());
    let own = Path::new(ROOT).join(TESTS[8]);
    for (name, _) in lists::modules(&Path::new(ROOT).join(FORMS), |text| text.contains("\npub const TYPE:")) {
        let case = format!("type: {name}");
        let tests = fs::read_to_string(own.join(format!("{name}.rs"))).unwrap_or_default();
        let is_tested = tests.contains("#[test]") || tables.iter().any(|table| table.contains(&case));
        assert!(is_tested || ELSEWHERE.contains(&name.as_str()), "{FORMS}/{name}.rs has no test");
    }
}

/// Two files make a block: the lists of a tree with these files contain it.
#[test]
fn two_files_are_a_block() {
    let new = Path::new(ROOT).join("tests/blocks/new");
    let is_of_tests = |file: &PathBuf| file.strip_prefix(&new).unwrap().iter().any(|folder| folder == "tests");
    let (tests, added): (Vec<_>, Vec<_>) = files_below(&new).into_iter().partition(is_of_tests);
    assert_eq!((added.len(), tests.len()), (2, 2), "{added:?} {tests:?}");
    let tree = std::env::temp_dir().join(format!("kinegraph-blocks-{}", std::process::id()));
    for folder in folders() {
        copy(&Path::new(ROOT).join(folder), &tree.join(folder));
    }
    copy(&new, &tree);
    for (folder, lines) in [
        ("systems/src/operators", &["mod soft_sign;", "pub use soft_sign::SoftSign;"][..]),
        (FORMS, &["pub mod soft_sign;", "    soft_sign::TYPE,"]),
        ("systems/tests/all/blocks/operators", &["mod soft_sign;"]),
        ("src/files/tests/all/blocks", &["mod soft_sign;"]),
    ] {
        let ((_, with), (_, without)) = (listed(&tree, folder), listed(Path::new(ROOT), folder));
        let more: Vec<&str> = with.lines().filter(|line| !without.lines().any(|old| old == *line)).collect();
        assert_eq!(more, lines);
    }
    fs::remove_dir_all(&tree).unwrap();
}

/// The block type of the two files, compiled here, meets its contract and acts in a diagram.
#[test]
fn the_block_of_the_two_files_acts_in_a_diagram() {
    let catalog = Catalog::standard().with(soft_sign_form::TYPE).unwrap();
    check_block_type(&soft_sign_form::TYPE, &catalog).unwrap();
    let file = Path::new(ROOT).join("tests/blocks/soft_sign.yaml");
    let scenario = Scenario::open_over(&catalog, file).unwrap();
    let mut simulation = scenario.simulation().unwrap();
    simulation.advance_to(scenario.duration).unwrap();
    // ẋ = -x/√(x² + 1) from 1: √(x² + 1) - artanh(1/√(x² + 1)) decreases at 1/s.
    let x = simulation.channel("x.output").unwrap();
    let of = |x: f64| x.hypot(1.0) - (1.0 / x.hypot(1.0)).atanh();
    assert!((of(1.0) - of(x) - scenario.duration).abs() < 1e-6, "x = {x}");
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn copy(from: &Path, to: &Path) {
    for file in files_below(from) {
        let copied = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(copied.parent().unwrap()).unwrap();
        fs::copy(&file, copied).unwrap();
    }
}
