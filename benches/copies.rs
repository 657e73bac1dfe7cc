//! The time that N separate copies of a scene take, beside N times that of one: `cargo bench --bench copies`.

use kinegraph::files::load_str;
use kinegraph::simulate::Scenario;
use std::path::Path;
use std::time::{Duration, Instant};

/// The shortest of five runs of `n` copies of `scene`.
fn time(scene: &str, n: usize, until: f64) -> Duration {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenes/copies.yaml");
    let copies: String =
        (0..n).map(|i| format!("  copy{i}: {{type: diagram, file: {scene}/{scene}.yaml}}\n")).collect();
    let text =
        format!("kinegraph: 1\nname: copies\nsystems:\n{copies}simulation: {{accuracy: 1e-3, duration: {until}}}\n");
    let loaded = load_str(&file, &text, &[]).unwrap_or_else(|error| panic!("{error:?}"));
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).expect("no faults");
    let run = |_| {
        let mut simulation = scenario.simulation().expect("options in range");
        let start = Instant::now();
        simulation.advance_to(until).expect("a run without failure");
        start.elapsed()
    };
    (0..5).map(run).min().unwrap_or_default()
}

fn main() {
    // Cargo passes `--bench`; a test run of all targets does not, and wants no measurement.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("{:14} {:>4} {:>12} {:>16}", "scene", "N", "time [ms]", "per copy, of one");
    for (scene, until) in
        [("scaleb_005", 0.5), ("scale_005", 0.3), ("quadruped", 0.5), ("franka", 1.0), ("vacuum", 0.5)]
    {
        let one = time(scene, 1, until).as_secs_f64();
        for n in [1, 4, 16] {
            let many = time(scene, n, until).as_secs_f64();
            println!("{scene:14} {n:4} {:12.3} {:16.2}", 1e3 * many, many / (n as f64 * one));
        }
    }
}
