//! N worlds of one plan, by one thread and by two, beside N runs of the program: `cargo bench --bench worlds`.
//!
//! Wall and processor time of each; the machine may be shared, processor time is what a run costs. Runs of the program
//! are measured on a few and count N times. One thread and two take turns, and the best of each counts.

use kinegraph::diagram::State;
use kinegraph::simulate::{Plan, Scenario, Worlds};
use rayon::ThreadPoolBuilder;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

const N: usize = 1000;
/// So many runs of the program are measured.
const LONE: usize = 40;
/// Turns of one thread and two.
const TURNS: usize = 5;

/// Wall time and processor time \[s\].
#[derive(Clone, Copy)]
struct Took {
    wall: f64,
    processor: f64,
}

/// Processor time of this process and of those that it waited for \[s\]; Linux only.
fn processor() -> f64 {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    // From the state on: utime, stime, cutime and cstime are the fields 14 to 17.
    fields.split_whitespace().skip(11).take(4).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

fn time(go: impl FnOnce()) -> Took {
    let (start, before) = (Instant::now(), processor());
    go();
    Took { wall: start.elapsed().as_secs_f64(), processor: processor() - before }
}

/// `LONE` runs of the program, one after the other, as if they were `N`.
fn lone(file: &Path, until: f64) -> Took {
    let took = time(|| {
        for _ in 0..LONE {
            let mut run = Command::new(env!("CARGO_BIN_EXE_kinegraph"));
            let run = run.arg("run").arg(file).args(["--until", &until.to_string(), "--quiet"]);
            assert!(run.stdout(Stdio::null()).status().is_ok_and(|status| status.success()));
        }
    });
    let all = N as f64 / LONE as f64;
    Took { wall: all * took.wall, processor: all * took.processor }
}

fn main() {
    // Cargo passes `--bench`; a test run of all targets does not, and wants no measurement.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let pools = [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"));
    println!("N = {N}; wall and (processor) time [s]");
    println!(
        "{:16} {:>6} {:>16} {:>16} {:>16} {:>8} {:>10} {:>10}",
        "scene", "t [s]", "program", "1 thread", "2 threads", "1 -> 2", "x, 1 thr.", "x, 2 thr."
    );
    for (file, until) in [
        ("examples/double_pendulum/double_pendulum.yaml", 0.1),
        ("examples/double_pendulum/double_pendulum.yaml", 1.0),
        ("examples/double_pendulum/double_pendulum.yaml", 5.0),
        ("tests/data/scenes/arm7/arm7.yaml", 0.1),
        ("tests/data/scenes/arm7/arm7.yaml", 1.0),
        ("tests/data/scenes/arm7/arm7.yaml", 2.0),
        ("examples/franka/franka.yaml", 0.1),
        ("examples/franka/franka.yaml", 0.5),
    ] {
        let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let scenario = Scenario::open(&path).expect("a file without faults");
        let plan = Arc::new(Plan::new(&scenario.diagram, scenario.options).expect("a plan"));
        let mut worlds = Worlds::new(&plan, N);
        // Each a little elsewhere, so that they do not all take the same steps.
        for i in 0..N {
            let mut state: State = scenario.diagram.initial_state();
            state.continuous[0] += 1e-4 * i as f64;
            worlds.start_at(i, state).expect("a state of the diagram");
        }
        let best = |a: Took, b: Took| if a.wall < b.wall { a } else { b };
        let mut turns = [Took { wall: f64::INFINITY, processor: 0.0 }; 2];
        for _ in 0..TURNS {
            for (pool, took) in pools.iter().zip(&mut turns) {
                let turn = time(|| {
                    pool.install(|| {
                        worlds.reset(&[true; N]).expect("a mask");
                        assert_eq!(worlds.advance_to(until), 0, "no world fails");
                    });
                });
                *took = best(*took, turn);
            }
        }
        let ([one, two], program) = (turns, lone(&path, until));
        let shown = |took: Took| format!("{:.3} ({:.2})", took.wall, took.processor);
        println!(
            "{:16} {until:6} {:>16} {:>16} {:>16} {:8.2} {:10.1} {:10.1}",
            scenario.diagram.name(),
            shown(program),
            shown(one),
            shown(two),
            one.wall / two.wall,
            program.wall / one.wall,
            program.wall / two.wall,
        );
    }
}
