//! The diagram files printed in README.md and docs/ are real: each is read, built and run.

use crate::command::kinegraph;
use kinegraph::cli::{self, Console};
use kinegraph::files::{Catalog, Loaded, load_str};
use kinegraph::integrators::METHODS;
use kinegraph::simulate::{FileSimulator, Scenario, Simulation, check_block_type};
use std::path::{Path, PathBuf};

/// The diagram files in a Markdown text, in its order.
fn diagrams(markdown: &str) -> Vec<&str> {
    let blocks = markdown.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.filter(|block| block.starts_with("kinegraph: 1")).collect()
}

/// Runs a text as if it were a file in `folder`, to its end.
fn run(text: &str, folder: &str) -> Simulation {
    let loaded: Loaded = load_str(&Path::new(folder).join("printed.yaml"), text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap_or_else(|| panic!("{}", loaded.failed()));
    let mut simulation = scenario.simulation().expect("an integrator");
    simulation.advance_to(scenario.duration).expect("the end");
    simulation
}

#[test]
fn the_diagram_of_the_readme_holds_both_pendulums_at_their_goal() {
    let texts = diagrams(include_str!("../../README.md"));
    assert_eq!(texts.len(), 1);
    let mut simulation = run(texts[0], "examples/double_pendulum");
    for (joint, goal) in [("j1", 1.0), ("j2", 0.5)] {
        let angle = simulation.channel(&format!("plant.pendulum.{joint}.q")).expect("a channel");
        assert!((angle - goal).abs() < 0.01, "{joint} is at {angle}");
    }
}

#[test]
fn the_diagram_of_the_reference_reaches_its_goal() {
    let texts = diagrams(include_str!("../../docs/diagram-file.md"));
    assert_eq!(texts.len(), 2);
    let mut simulation = run(texts[0], "examples/franka");
    for (joint, goal) in [("joint1", 0.5), ("joint4", -1.0), ("joint6", 1.0)] {
        let angle = simulation.channel(&format!("plant.arm.{joint}.q")).expect("a channel");
        assert!((angle - goal).abs() < 0.1, "{joint} is at {angle}");
    }
}

/// The nested file of the reference, whose first line is its name, is checked as a part.
#[test]
fn the_part_of_the_reference_can_be_checked_alone() {
    let markdown = include_str!("../../docs/diagram-file.md");
    let parts: Vec<&str> = markdown.split("```yaml\n# ").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(parts.len(), 1);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("part_of_the_reference");
    std::fs::create_dir_all(&folder).expect("a folder");
    for part in parts {
        let (name, text) = part.split_once('\n').expect("a name");
        let file = folder.join(name);
        std::fs::write(&file, text).expect("a file");
        let (code, out, err) = kinegraph(&["check", file.to_str().expect("a name")]);
        assert_eq!(code, 0, "{err}");
        assert!(out.contains("exported, for a diagram that has this file as a block to drive: reference"), "{out}");
    }
}

#[test]
fn the_diagram_with_parameters_of_the_reference_has_their_values() {
    let texts = diagrams(include_str!("../../docs/diagram-file.md"));
    let value = run(texts[1], "examples").channel("lag.output").expect("a channel");
    let (m, kp) = (2.0_f64, 80.0);
    let expected = 9.81 * m * (1.0 - (-1.0 / (2.0 * (m / kp).sqrt())).exp());
    assert!((value - expected).abs() < 1e-2, "{value} instead of {expected}");
}

#[test]
fn the_diagram_of_the_guide_to_blocks_turns_the_shorter_way() {
    let texts = diagrams(GUIDE);
    assert_eq!(texts.len(), 1);
    let heading = run(texts[0], "examples").channel("heading.output").expect("a channel");
    let across = 2.0 * std::f64::consts::PI - 3.0; // -3 rad, a turn later
    let expected = across + (3.0 - across) * (-8.0_f64).exp();
    assert!((heading - expected).abs() < 1e-5, "{heading} instead of {expected}");
}

const GUIDE: &str = include_str!("../../docs/write-a-block.md");

/// Code in the guide equals code that the library compiles and tests.
#[test]
fn the_code_of_the_guide_to_blocks_is_that_of_the_library() {
    let files = [
        include_str!("../../systems/src/operators/angle_difference.rs"),
        include_str!("../../systems/tests/all/blocks/operators/angle_difference.rs"),
        include_str!("../../src/files/blocks/angle_difference.rs"),
        include_str!("../../src/files/tests/all/blocks/angle_difference.rs"),
        include_str!("../../src/files/blocks/first_order_lag.rs"),
        include_str!("../../examples/own_block.rs"),
    ];
    let printed: Vec<&str> = GUIDE.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(printed.len(), 6);
    for code in printed {
        // Whole files stand as they are; of lists, single lines are shown.
        let is_whole = |file: &&str| file.contains(code);
        let has_lines = |line: &str| files.iter().any(|file| file.contains(&format!("{line}\n")));
        assert!(files.iter().any(is_whole) || code.lines().all(has_lines), "not in the library:\n{code}");
    }
    for (name, block, tests) in [
        ("angle_difference", files[0], files[1]),
        (
            "moving_average",
            include_str!("../../systems/src/dynamics/moving_average.rs"),
            include_str!("../../systems/tests/all/blocks/dynamics/moving_average.rs"),
        ),
    ] {
        assert!(block.trim_end().lines().count() <= 47, "{name} has become long");
        assert!(tests.contains("conformance::check("), "{name} is not enrolled");
    }
}

const GUIDE_TO_INTEGRATORS: &str = include_str!("../../docs/write-an-integrator.md");

/// The guide prints a whole file and one line of a test.
#[test]
fn the_code_of_the_guide_to_integrators_is_that_of_a_test() {
    let (method, test) = (
        include_str!("../integrators/own_method/explicit_midpoint.rs"),
        include_str!("../integrators/own_method/mod.rs"),
    );
    assert!(GUIDE_TO_INTEGRATORS.contains(&format!("````rust\n{method}````\n")), "the method is another");
    let line = GUIDE_TO_INTEGRATORS.split("\n```rust\n").nth(1).and_then(|rest| rest.split("\n```").next());
    assert!(test.contains(line.expect("a line")), "not in the test: {line:?}");
}

const GUIDE_TO_ELEMENTS: &str = include_str!("../../docs/write-an-element.md");

/// The guide prints a whole file and one word of the list.
#[test]
fn the_code_of_the_guide_to_elements_is_that_of_the_library() {
    let element = include_str!("../../src/convex/contact/elements/joint_friction.rs");
    let (_, list) =
        include_str!("../../src/convex/contact/elements/mod.rs").split_once("macro_rules! list").expect("the list");
    assert!(GUIDE_TO_ELEMENTS.contains(&format!("````rust\n{element}````\n")), "the element is another");
    let word = GUIDE_TO_ELEMENTS.split("\n```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert!(list.contains(word.expect("a word")), "not in the list: {word:?}");
}

const GUIDE_TO_RULES: &str = include_str!("../../docs/write-a-rule.md");

/// The guide prints a whole file, and one line of each of two lists.
#[test]
fn the_code_of_the_guide_to_rules_is_that_of_the_library() {
    let rule = include_str!("../../src/engine/integrators/cenic/rules/rebound.rs");
    assert!(GUIDE_TO_RULES.contains(&format!("````rust\n{rule}````\n")), "the rule is another");
    let lists = [
        include_str!("../../src/engine/integrators/rule.rs"),
        include_str!("../../src/engine/integrators/cenic/rules.rs"),
    ];
    let lines: Vec<&str> =
        GUIDE_TO_RULES.split("\n```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(lines.len(), lists.len());
    for (list, line) in lists.iter().zip(lines) {
        assert!(list.contains(line), "not in the list: {line}");
    }
}

/// A method is one file, with one line in a table: as many files declare a method as the tables have lines.
#[test]
fn a_method_is_one_file_and_one_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path()).collect()
    };
    let folders = entries(&root.join("src/methods")).into_iter().filter(|path| path.is_dir());
    let files =
        entries(&root.join("src/engine/integrators")).into_iter().chain(folders.flat_map(|path| entries(&path)));
    let declares = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.matches("static TYPE: IntegratorType").count()
    };
    let declared: Vec<usize> = files.map(|path| declares(&path)).filter(|count| *count > 0).collect();
    assert!(declared.iter().all(|count| *count == 1), "{declared:?}");
    let tables = [include_str!("../../src/engine/integrators/methods.rs"), include_str!("../../src/methods/table.rs")];
    let lines: usize = tables.iter().map(|table| table.matches("::TYPE,\n").count()).sum();
    assert_eq!([lines, declared.len()], [METHODS.len(); 2]);
}

/// Every entry of the catalog keeps to its contract: parameters, defaults, an example that builds, conforms and runs.
#[test]
fn every_block_type_keeps_to_its_contract() {
    let catalog = Catalog::standard();
    for block in catalog.types() {
        check_block_type(block, &catalog).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The documents with tables that the program prints.
const WITH_TABLES: [&str; 2] = ["docs/diagram-file.md", "docs/choose-an-integrator.md"];

/// A document with the output of the program between each `<!-- printed by: COMMAND -->` and `<!-- end of print -->`.
fn with_tables(text: &str) -> String {
    let mut lines = text.lines();
    let mut new = Vec::new();
    while let Some(line) = lines.next() {
        new.push(line.to_owned());
        let command = line.strip_prefix("<!-- printed by: ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some(command) = command else { continue };
        let end = lines.find(|line| *line == "<!-- end of print -->").expect("the end of what is printed").to_owned();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console { out: &mut out, err: &mut err, interactive: false };
        let code = cli::run(command.split(' '), &Catalog::standard(), &FileSimulator, &mut console);
        assert_eq!(code, 0, "{command}: {}", String::from_utf8_lossy(&err));
        let printed = String::from_utf8(out).expect("text");
        new.extend([String::new(), printed, end]);
    }
    new.join("\n") + "\n"
}

/// The tables come from declarations: block types and parameters from the catalog, integrators and features from their
/// tables.
#[test]
fn the_tables_of_the_documents_are_what_the_program_prints() {
    for document in WITH_TABLES {
        let text = std::fs::read_to_string(document).expect("the document");
        let new = with_tables(&text);
        if std::env::var("KINEGRAPH_TABLES").is_ok_and(|wish| wish == "write") {
            std::fs::write(document, new).expect("a file that can be written");
            continue;
        }
        let differs = text.lines().zip(new.lines()).find(|(old, new)| old != new);
        assert!(
            text == new,
            "{document} does not have what the program prints: {differs:?}\nThis writes it anew:\n  \
             KINEGRAPH_TABLES=write cargo test -p kinegraph --test files the_tables"
        );
    }
}

/// The reference names every integrator.
#[test]
fn the_reference_has_every_integrator() {
    let text = include_str!("../../docs/diagram-file.md");
    for method in kinegraph::integrators::METHODS {
        assert!(text.contains(&format!("`{}`", method.name)), "{} is not described", method.name);
    }
}

/// All Rust texts below a folder, one after another.
fn rust_below(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_below(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// Every line of the page on closed forms names tests that exist and integrators that exist.
#[test]
fn closed_forms_are_held_by_tests() {
    let mut code = String::new();
    for folder in ["tests", "src", "systems"] {
        rust_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut code);
    }
    let page = include_str!("../../docs/closed-forms.md");
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let (mut lines, mut tests) = (0, 0);
    for line in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let [_, _, under, held] = cells[..] else { panic!("four cells: {line}") };
        lines += 1;
        for test in names(held) {
            tests += 1;
            // A function, or a line that enrols something in a suite.
            let is_there = code.contains(&format!("fn {test}()")) || code.contains(&format!(" => {test};"));
            assert!(is_there, "no test `{test}`: {line}");
        }
        for method in names(under) {
            assert!(METHODS.iter().any(|known| known.name == method), "no integrator `{method}`: {line}");
        }
        assert!(!names(held).is_empty(), "{line}");
    }
    assert!(lines >= 25 && tests >= lines, "{lines} lines, {tests} tests");
}
