//! Sweeps: rows are the same wherever and whenever they are computed, and a killed process does not lose them.

use crate::command::kinegraph;
use kinegraph::files::{Override, load};
use kinegraph::simulate::Scenario;
use kinegraph::sweep::{
    Axis, Derivatives, Jobs, Results, SampledParameter, Sweep, TableCell, Template, Variation, columns, run_each,
};
use kinegraph::sweep::{SweepRow, run_variation};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const THERMOSTAT: &str = "examples/thermostat/thermostat.yaml";
const PENDULUM: &str = "examples/double_pendulum/double_pendulum.yaml";

/// A new folder for the files of a test.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweeps").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn sorted(path: &Path) -> Vec<String> {
    let mut lines: Vec<String> = fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn jobs(n: usize) -> Jobs {
    Jobs(NonZero::new(n).unwrap())
}

/// A sweep over gains, integrators, accuracies and draws.
fn sweep() -> Sweep {
    Sweep {
        vary: vec![Axis::parse("systems.plant.initial.pendulum.j1.q=0.5:1.5:3").unwrap()],
        integrators: vec!["cenic".into(), "dopri5".into()],
        accuracies: vec![1e-2, 1e-4],
        sample: vec![SampledParameter::parse("systems.plant.initial.pendulum.j2.v=normal(0,0.5)").unwrap()],
        runs: 2,
        seed: 3,
        measures: ["end(plant.pendulum.j1.q)", "max(plant.pendulum.j2.v)", "crossing(plant.pendulum.j1.q,0)"]
            .map(|measure| measure.parse().unwrap())
            .into(),
        requirements: Vec::new(),
        derivatives: Derivatives::default(),
        verify: None,
    }
}

fn template() -> Template {
    Template::open(PENDULUM, &[("simulation.duration", "0.6")]).unwrap()
}

fn rows(template: &Template, sweep: &Sweep, threads: usize) -> Vec<SweepRow> {
    let rows = Mutex::new(Vec::new());
    let keep = |row| {
        rows.lock().unwrap().push(row);
        Ok(())
    };
    run_each(template, sweep, jobs(threads), &AtomicBool::new(false), &|_| true, keep).unwrap();
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|row: &SweepRow| row.variation.index);
    rows
}

fn bits(cells: &[TableCell]) -> Vec<String> {
    let shown = |cell: &TableCell| match cell {
        TableCell::Number(x) => format!("{:x}", x.to_bits()),
        other => format!("{other:?}"),
    };
    cells.iter().map(shown).collect()
}

#[test]
fn a_row_is_that_of_the_run_made_alone() {
    let template = template();
    let sweep = sweep().checked(&template).unwrap();
    let all = rows(&template, &sweep, 2);
    assert_eq!(all.len(), 24);
    for row in all.iter().step_by(5) {
        // As `kinegraph run` makes it.
        let Variation { overrides, integrator, accuracy, .. } = &row.variation;
        let mut set = vec![Override::flag("--until", "simulation.duration", "0.6")];
        set.extend(overrides.iter().map(|(path, value)| Override::set(&format!("{path}={value}")).unwrap()));
        set.push(Override::flag("--integrator", "simulation.integrator", integrator.as_ref().unwrap()));
        set.push(Override::flag("--accuracy", "simulation.accuracy", &accuracy.unwrap().to_string()));
        let loaded = load(Path::new(PENDULUM), &set).unwrap();
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap();
        let mut simulation = scenario.simulation().unwrap();
        let (mut largest, mut crossed, mut before) = (f64::NEG_INFINITY, None, None);
        let diagram = scenario.diagram.clone();
        let place = |name: &str| diagram.state_names().iter().position(|state| state == name).unwrap();
        let (q, v) = (place("plant.pendulum.j1.q"), place("plant.pendulum.j2.v"));
        simulation
            .advance_sampling(0.6, scenario.every, |state| {
                largest = largest.max(state.continuous[v]);
                let now = (state.time, state.continuous[q]);
                if let Some((time, x)) = before.replace(now)
                    && x > 0.0
                    && now.1 <= 0.0
                {
                    crossed.get_or_insert(time + (now.0 - time) * x / (x - now.1));
                }
            })
            .unwrap();
        assert_eq!(row.status, "done");
        assert_eq!(row.statistics.steps, simulation.statistics().steps as u64);
        assert_eq!(row.measures[..2], [Some(simulation.state().continuous[q]), Some(largest)]);
        assert_eq!(row.measures[2].is_some(), crossed.is_some());
        if let (Some(found), Some(expected)) = (row.measures[2], crossed) {
            assert!((found - expected).abs() < 1e-12);
        }
    }
}

/// Rows in any order, by any number of threads, from a template of another process: here, another template, and a
/// variation that was sent as JSON.
#[test]
fn rows_are_the_same_bits_wherever_they_are_made() {
    let (here, there) = (template(), template());
    assert_eq!(here.digest(), there.digest());
    let sweep = sweep().checked(&here).unwrap();
    let (one, three) = (rows(&here, &sweep, 1), rows(&here, &sweep, 3));
    for ((one, three), variation) in one.iter().zip(&three).zip(sweep.variations()) {
        let sent: Variation = serde_json::from_str(&serde_json::to_string(&variation).unwrap()).unwrap();
        let alone = run_variation(&there, &sent, &sweep.measures);
        assert_eq!(bits(&one.cells()), bits(&three.cells()));
        assert_eq!(bits(&one.cells()), bits(&alone.cells()));
        assert_eq!(one.cells().len(), columns(&sweep).len());
    }
}

/// The random numbers of a seed are part of a sweep's definition: another version of a library must not change them.
#[test]
fn random_numbers_of_a_seed_do_not_change() {
    let sample = ["a=normal(0,1)", "b=uniform(0,1)", "c=integer(0,999999)"];
    let sample = sample.map(|text| SampledParameter::parse(text).unwrap()).into();
    let sweep = Sweep { sample, runs: 2, seed: 1, ..Sweep::default() };
    for (index, expected) in [
        (0, ["-0.207363305739774", "0.8000311494966896", "24604"]),
        (1, ["0.555411140293467", "0.26812210341110587", "771843"]),
    ] {
        let found = sweep.variation(index).unwrap().overrides;
        assert!(found.iter().map(|(_, value)| value).eq(&expected), "{found:?}");
    }
}

#[test]
fn a_run_that_fails_is_a_row_that_says_why_and_is_recorded_again() {
    let folder = scratch("failures");
    let out = folder.join("r.jsonl");
    // The first needs steps that are shorter than they may be for its last accuracy, the second is no accuracy.
    let args = [
        "sweep",
        PENDULUM,
        "--vary",
        "simulation.accuracy=1e-3,-1,1e-13",
        "--vary",
        "simulation.min_step=0.05",
        "--until",
        "0.5",
        "--measure",
        "end(plant.pendulum.j1.q)",
        "--keep",
        "failures",
        "--out",
        text(&out),
    ];
    let (code, shown, err) = kinegraph(&args);
    assert_eq!(code, 0, "{err}");
    assert!(shown.contains("3 runs, "), "{shown}");
    let rows: Vec<serde_json::Value> = sorted(&out).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let status = |i: usize| rows[i]["status"].as_str().unwrap();
    assert!(status(1).starts_with("refused: ") && status(1).contains("accuracy"), "{}", status(1));
    assert!(status(2).starts_with("failed: "), "{}", status(2));
    assert!(rows[2]["sim_time"].as_f64().unwrap() < 0.5);
    assert!(rows[1]["end(plant.pendulum.j1.q)"].is_null() && rows[2]["end(plant.pendulum.j1.q)"].is_null());
    let kept = folder.join("r.failures");
    let reason = fs::read_to_string(kept.join("run-2.txt")).unwrap();
    assert!(reason.contains("failed: ") && reason.contains("kinegraph run"), "{reason}");
    assert!(kept.join("run-2.mcap").metadata().unwrap().len() > 1000);
    assert!(fs::read_to_string(kept.join("run-2.steps.csv")).unwrap().lines().count() > 1);
    assert!(fs::read_to_string(kept.join("run-1.txt")).unwrap().contains("refused"));
    assert_eq!(kept.join("run-0.txt").exists(), status(0) != "done");
}

/// The noise of a draw has its own seeds: the command in the report of a failure repeats it, to the last bit.
#[test]
fn a_draw_that_fails_is_run_again_by_the_command_that_it_leaves() {
    let folder = scratch("draws");
    let file = folder.join("walk.yaml");
    fs::write(
        &file,
        "kinegraph: 1\n\
         systems:\n  \
           gusts: {type: noise, standard_deviation: 1, period: 0.05, seed: 3}\n  \
           walk: {type: integrator, initial: 0.2}\n  \
           root: {type: expression, inputs: {x: 1}, expression: sqrt(x)}\n\
         connections: [gusts.output -> walk.input, walk.output -> root.x]\n\
         simulation: {accuracy: 1.0e-4, duration: 40}\n\
         record: {every: 0.1, channels: [walk.output, root.output]}\n",
    )
    .unwrap();
    let out = folder.join("r.csv");
    let args = ["sweep", text(&file), "--runs", "3", "--seed", "1", "--keep", "failures", "--out", text(&out)];
    let (code, _, err) = kinegraph(&args);
    assert_eq!(code, 0, "{err}");
    let mut ends = Vec::new();
    for draw in 0..3 {
        let kept = fs::read_to_string(folder.join(format!("r.failures/run-{draw}.txt"))).unwrap();
        let (reason, command) = (kept.lines().next().unwrap(), kept.lines().last().unwrap());
        let again: Vec<&str> = command.split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
        let (code, shown, err) = kinegraph(&again);
        assert_eq!(code, 1, "{command}: {shown}");
        let found = reason.strip_prefix("failed: ").unwrap();
        assert!(shown.contains(found) || err.contains(found), "{found}\n{shown}{err}");
        ends.push(found.to_owned());
    }
    ends.dedup();
    assert_eq!(ends.len(), 3, "draws that fail at times of their own: {ends:?}");
}

/// Runs by their numbers, and the one with the largest value of a measure, are recorded in full.
#[test]
fn runs_that_are_chosen_are_recorded_in_full() {
    let folder = scratch("chosen");
    let out = folder.join("r.csv");
    let swept = |keep: &str| {
        let vary = "systems.plant.initial.pendulum.j1.q=0.5,2.5,1.5";
        let measure = "peak(plant.pendulum.j1.v)";
        let args = ["sweep", PENDULUM, "--vary", vary, "--until", "0.3", "--measure", measure, "--out", text(&out)];
        kinegraph(&[&args[..], &["--keep", keep]].concat())
    };
    assert_eq!(swept("0,2").0, 0);
    let kept = |run: u64| folder.join(format!("r.kept/run-{run}.mcap")).exists();
    assert_eq!([kept(0), kept(1), kept(2)], [true, false, true]);
    let rows = fs::read_to_string(&out).unwrap();
    let peak = |row: &str| row.rsplit(',').next().unwrap().parse::<f64>().unwrap();
    let worst = rows.lines().skip(1).max_by(|a, b| peak(a).total_cmp(&peak(b))).unwrap();
    let worst: u64 = worst.split(',').next().unwrap().parse().unwrap();
    let _ = fs::remove_dir_all(folder.join("r.kept"));
    let (code, shown, err) = swept("worst(peak(plant.pendulum.j1.v))");
    assert_eq!(code, 0, "{err}");
    assert!(shown.contains("1 of them recorded") && kept(worst), "{shown}");
    let (code, _, err) = swept("7");
    assert!(code != 0 && err.contains("--keep 7: the runs have the numbers 0 to 2"), "{err}");
    let (code, _, err) = swept("worst(max(plant.pendulum.j1.q))");
    assert!(code != 0 && err.contains("measured (`--measure`): peak(plant.pendulum.j1.v)"), "{err}");
    // The table is drawn, too.
    let picture = folder.join("r.svg");
    assert_eq!(kinegraph(&["plot", text(&out), "-o", text(&picture)]).0, 0);
    assert_eq!(fs::read_to_string(&picture).unwrap().matches("<circle").count(), 3);
}

#[test]
fn faults_of_a_sweep_are_reported_before_any_run() {
    let folder = scratch("wrong");
    let out = folder.join("r.csv");
    for (args, reported) in [
        (&["--vary", "systems.plnt.gravity=1,2"][..], "there is no `plnt`"),
        (&["--vary", "simulation.accuracy=1e-2", "--accuracy", "1e-3"], "varied twice"),
        (&["--measure", "end(plant.pendulum.j9.q)"], "j9"),
        (&["--integrator", "cenik"], "cenik"),
    ] {
        let (code, shown, err) = kinegraph(&[&["sweep", PENDULUM, "--out", text(&out)][..], args].concat());
        assert_eq!((code, shown.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(reported), "{args:?}: {err}");
        assert!(!out.exists());
    }
    let (code, _, err) = kinegraph(&["sweep", PENDULUM, "--vary", "a.b"]);
    assert!(code == 2 && err.contains("PATH="), "{err}");
    let (code, _, err) = kinegraph(&["sweep", PENDULUM, "--out", "r.parquet"]);
    assert!(code == 2 && err.contains(".csv, .jsonl and .ndjson are"), "{err}");
}

/// Rows of another sweep are not mixed with these, and the file is not changed.
#[test]
fn another_command_on_the_same_file_is_refused_with_what_differs() {
    let folder = scratch("other");
    let out = folder.join("r.csv");
    let run = |extra: &[&str]| {
        let args = ["sweep", THERMOSTAT, "--until", "20", "--accuracy", "1e-3,1e-4", "--out", text(&out), "--quiet"];
        kinegraph(&[&args[..], extra].concat())
    };
    assert_eq!(run(&[]).0, 0);
    let before = fs::read(&out).unwrap();
    // The same command again has nothing left to do. The number of threads is not part of a sweep's identity.
    assert_eq!(run(&["--jobs", "1"]).0, 0);
    for (extra, differs) in [
        (&["--seed", "5"][..], "seed"),
        (&["--set", "simulation.max_step=0.05"], "set"),
        (&["--measure", "end(room.output)", "--runs", "2"], "measures, runs"),
        (&["--wall-time"], "wall_time"),
    ] {
        let (code, _, err) = run(extra);
        assert!(code == 2 && err.contains("another sweep") && err.contains(differs), "{extra:?}: {err}");
    }
    assert_eq!(fs::read(&out).unwrap(), before);
    // Nor with a file that is of something else.
    let other = folder.join("other.csv");
    fs::write(&other, "time,x\n0,1\n").unwrap();
    let (code, _, err) = kinegraph(&["sweep", THERMOSTAT, "--out", text(&other)]);
    assert!(code == 2 && err.contains("no ") && err.contains("other.csv.sweep.json"), "{err}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "time,x\n0,1\n");
}

/// Two processes do not write one file.
#[test]
fn a_file_that_is_being_written_is_refused() {
    let folder = scratch("busy");
    let out = folder.join("r.csv");
    let template = template();
    let sweep = sweep().checked(&template).unwrap();
    let open = || Results::open(&out, &template, &sweep, false);
    let first = open().unwrap();
    let error = open().unwrap_err();
    assert!(error.to_string().contains("another sweep is writing it"), "{error}");
    drop(first);
    assert!(open().is_ok());
}

/// A process that is killed in the middle, and a row torn in two, leave rows to which the others are added: together
/// they are those of an uninterrupted sweep.
#[test]
fn a_killed_sweep_goes_on_and_loses_nothing() {
    for extension in ["csv", "jsonl"] {
        let folder = scratch(&format!("killed_{extension}"));
        let (whole, killed) = (folder.join(format!("whole.{extension}")), folder.join(format!("killed.{extension}")));
        let command = |out: &Path| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_kinegraph"));
            command
                .args(["sweep", PENDULUM, "--vary", "systems.plant.initial.pendulum.j1.q=0.1:1.5:10"])
                .args(["--vary", "simulation.accuracy=1e-6:1e-4:2:log", "--until", "2"])
                .args(["--sample", "systems.plant.initial.pendulum.j2.v=uniform(-1,1)", "--runs", "3", "--jobs", "2"])
                .args(["--measure", "rms(plant.pendulum.j2.v)", "--measure", "crossing(plant.pendulum.j1.q,0)"])
                .arg("--out")
                .arg(out)
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            command
        };
        let done = |path: &Path| fs::read(path).map_or(0, |bytes| bytes.iter().filter(|b| **b == b'\n').count());
        assert!(command(&whole).status().unwrap().success());
        let all = done(&whole);
        assert!(all >= 60);
        let mut child = command(&killed).spawn().unwrap();
        let began = Instant::now();
        while done(&killed) < all / 3 {
            assert!(began.elapsed() < Duration::from_secs(120), "no rows");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let there = done(&killed);
        assert!((all / 3..all).contains(&there), "killed in the middle: {there} of {all} lines");
        // A row that the kill cut in two.
        let mut bytes = fs::read(&killed).unwrap();
        let last = bytes.iter().rposition(|byte| *byte == b'\n').unwrap();
        bytes.truncate(last - 5);
        fs::write(&killed, &bytes).unwrap();
        let output = command(&killed).output().unwrap();
        assert!(output.status.success());
        let reported = String::from_utf8(output.stderr).unwrap();
        assert!(reported.contains(&format!("of {} runs are in", 60)), "{reported}");
        assert_eq!(sorted(&killed), sorted(&whole), "{extension}");
    }
}
