//! Runs one diagram file several times in one process and prints one JSON object: Kinegraph's part of the comparison
//! with its peers.
//!
//! As the runners of the peers do: loading, building and initializing are not timed, nothing is recorded, a short run
//! comes first to warm up, and runs below 0.1 s are repeated up to nine times.

use kinegraph::files::{Override, load};
use kinegraph::profile::{Phase, Phases};
use kinegraph::simulate::{Scenario, Simulation};
use serde_json::{Map, Value, json};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: peers FILE [--accuracy A] [--integrator NAME] [--step DT] [--set PATH=VALUE] [--repeats N] [--budget S] [--profile]\n\
    (benches/peers/compare.py calls this program; see benches/peers/README.md)";
/// Runs shorter than this are repeated \[s\], so many times in all.
const SHORT_RUN_SECONDS: f64 = 0.1;
const MAX_RUNS: usize = 9;

struct Arguments {
    file: String,
    overrides: Vec<Override>,
    repeats: usize,
    budget: f64,
    profile: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut found =
        Arguments { file: String::new(), overrides: Vec::new(), repeats: 1, budget: f64::INFINITY, profile: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--accuracy" => found.overrides.push(Override::flag("--accuracy", "simulation.accuracy", &value()?)),
            "--integrator" => found.overrides.push(Override::flag("--integrator", "simulation.integrator", &value()?)),
            "--step" => found.overrides.push(Override::flag("--step", "simulation.step", &value()?)),
            "--set" => found.overrides.push(Override::set(&value()?)?),
            "--repeats" => found.repeats = value()?.parse().map_err(|e| format!("--repeats: {e}"))?,
            "--budget" => found.budget = value()?.parse().map_err(|e| format!("--budget: {e}"))?,
            "--profile" => found.profile = true,
            _ if word.starts_with('-') => return Err(format!("unknown option {word}")),
            _ => found.file = word,
        }
    }
    if found.file.is_empty() { Err("no diagram file".into()) } else { Ok(found) }
}

/// CPU time of this thread \[s\]; `None` where the system does not report it. Yielding first brings the figure up to
/// date.
fn cpu_time() -> Option<f64> {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

/// How a run ended: at its end, after the budget of time, or with this failure.
enum End {
    Done,
    OutOfTime,
    Failed(String),
}

fn advance(simulation: &mut Simulation, until: f64, budget: f64) -> End {
    let start = Instant::now();
    while simulation.time() < until {
        if let Err(error) = simulation.step(until) {
            return End::Failed(error.to_string());
        }
        if start.elapsed().as_secs_f64() > budget {
            return End::OutOfTime;
        }
    }
    End::Done
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn run(arguments: &Arguments) -> Result<Value, String> {
    let loaded = load(arguments.file.as_ref(), &arguments.overrides).map_err(|e| e.to_string())?;
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed().to_string())?;
    let fresh = || scenario.simulation().map_err(|e| e.to_string());
    advance(&mut fresh()?, (0.05 * scenario.duration).min(0.1), arguments.budget);

    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    // Of the fastest run: the clock of the phases goes on while others use the core.
    let mut profile: Option<(f64, Phases)> = None;
    let (simulation, end) = loop {
        let mut simulation = fresh()?;
        if arguments.profile {
            simulation.profile();
        }
        let (wall, cpu) = (Instant::now(), cpu_time());
        let end = advance(&mut simulation, scenario.duration, arguments.budget);
        walls.push(wall.elapsed().as_secs_f64());
        cpus.extend(cpu_time().zip(cpu).map(|(end, start)| end - start));
        let total = simulation.stepping_time().as_secs_f64();
        if let Some(phases) = simulation.phases().filter(|_| profile.is_none_or(|(least, _)| total < least)) {
            profile = Some((total, *phases));
        }
        let enough =
            walls.len() >= arguments.repeats && (median(&walls) >= SHORT_RUN_SECONDS || walls.len() >= MAX_RUNS);
        if enough || !matches!(end, End::Done) {
            break (simulation, end);
        }
    };
    let (status, error) = match end {
        End::Done => ("ok", None),
        End::OutOfTime => ("timeout", None),
        End::Failed(error) => ("failed", Some(error)),
    };
    let s = simulation.statistics();
    let names = scenario.diagram.state_names();
    let state: Map<String, Value> =
        names.into_iter().zip(&simulation.state().continuous).map(|(name, x)| (name, json!(x))).collect();
    let phases = profile.map(|(_, phases)| {
        let seconds = Phase::ALL.map(|p| (p.name().to_owned(), json!(phases.of(p).as_secs_f64())));
        Map::from_iter(seconds)
    });
    Ok(json!({
        "simulator": "kinegraph", "version": env!("CARGO_PKG_VERSION"), "status": status, "error": error,
        "duration": scenario.duration, "sim_time": simulation.time(),
        "wall_s": median(&walls), "cpu_s": if cpus.is_empty() { Value::Null } else { json!(median(&cpus)) },
        "walls_s": walls, "steps": s.steps, "rejected": s.rejected_steps, "solves": s.solves,
        "solver_iterations": s.solver_iterations, "factorizations": s.factorizations,
        "linesearch_iterations": s.linesearch_evaluations, "geometry_queries": s.geometry_queries,
        "max_penetration": s.max_penetration, "max_contacts": s.max_contacts, "final_state": state, "phases": phases,
        "profile_s": profile.map(|(total, _)| total),
    }))
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            println!("{message}\n{USAGE}");
            // `cargo bench` runs every benchmark without a file.
            let called_by_cargo = std::env::args().any(|word| word == "--bench");
            return if called_by_cargo { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    match run(&arguments) {
        Ok(report) => println!("{report}"),
        Err(error) => println!("{}", json!({"simulator": "kinegraph", "status": "failed", "error": error})),
    }
    ExitCode::SUCCESS
}
