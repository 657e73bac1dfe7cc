//! The diagram files printed in README.md and docs/ are real: each is read, built and run.

use kinegraph::files::{Loaded, load_str};
use kinegraph::simulate::{Scenario, Simulation};
use std::path::Path;

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
    let texts = diagrams(include_str!("../README.md"));
    assert_eq!(texts.len(), 1);
    let mut simulation = run(texts[0], "examples/double_pendulum");
    for (joint, goal) in [("j1", 1.0), ("j2", 0.5)] {
        let angle = simulation.channel(&format!("plant.pendulum.{joint}.q")).expect("a channel");
        assert!((angle - goal).abs() < 0.01, "{joint} is at {angle}");
    }
}

#[test]
fn the_diagram_of_the_reference_reaches_its_goal() {
    let texts = diagrams(include_str!("../docs/diagram-file.md"));
    assert_eq!(texts.len(), 1);
    let mut simulation = run(texts[0], "examples/franka");
    for (joint, goal) in [("joint1", 0.5), ("joint4", -1.0), ("joint6", 1.0)] {
        let angle = simulation.channel(&format!("plant.arm.{joint}.q")).expect("a channel");
        assert!((angle - goal).abs() < 0.1, "{joint} is at {angle}");
    }
}

/// The reference names every key of every block type, and nothing that the program does not know.
#[test]
fn the_reference_has_every_key_of_every_block_type() {
    let text = include_str!("../docs/diagram-file.md");
    for block in kinegraph::files::BLOCK_TYPES {
        assert!(text.contains(&format!("`{}`", block.name)), "{} is not described", block.name);
        for parameter in block.parameters() {
            assert!(
                text.contains(&format!("`{}`", parameter.key)),
                "{}.{} is not described",
                block.name,
                parameter.key
            );
        }
    }
    for method in &kinegraph::files::INTEGRATORS {
        assert!(text.contains(&format!("`{}`", method.name)), "{} is not described", method.name);
    }
}
