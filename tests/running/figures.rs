//! The figures printed in README.md, in the READMEs of the examples and in some tables of benches/FIGURES.md are those
//! of the program.
//!
//! A comment before a block or a table states the source of its figures:
//!
//! - `<!-- printed by: kinegraph run FILE … -->`, before a text block: the output of the command, from the first line
//!   of the block on;
//! - `<!-- figures: NAME -->`, before a table: its rows are those of `table(NAME)` here.
//!
//! Counts, depths and energies are compared. Times are not: they depend on the machine. This writes today's figures
//! into the documents, and times where it is a release build:
//!
//! ```sh
//! KINEGRAPH_FIGURES=write cargo test --release --test running figures
//! ```

use crate::examples;
use crate::reference::{Reference, Samples, run_file, run_scene};
use kinegraph::cli::{Console, run};
use kinegraph::files::Catalog;
use kinegraph::simulate::{FileSimulator, RunReport};
use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files whose figures are those of the program.
fn documents() -> Vec<PathBuf> {
    let examples = Path::new("examples").read_dir().expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut all: Vec<PathBuf> = examples.map(|example| example.join("README.md")).collect();
    all.retain(|file| file.is_file());
    all.extend(["README.md".into(), "benches/FIGURES.md".into()]);
    all.sort();
    all
}

/// The text of a marker, where `line` is one of that kind.
fn marker<'a>(line: &'a str, kind: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?.strip_prefix(kind)?.strip_prefix(": ")?.strip_suffix(" -->")
}

/// A document with the figures of the program, and its times where `times` are asked for; and how many markers it has.
fn renewed(text: &str, times: bool) -> (String, usize) {
    let (mut new, mut markers) = (Vec::new(), 0);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        new.push(line.to_owned());
        if let Some(command) = marker(line, "printed by") {
            assert_eq!(lines.next(), Some("```text"), "after {line}");
            let old: Vec<&str> = std::iter::from_fn(|| lines.next_if(|line| *line != "```")).collect();
            new.push("```text".into());
            new.extend(printed(command, &old, times));
            markers += 1;
        } else if let Some(name) = marker(line, "figures") {
            new.extend(lines.by_ref().take(2).map(str::to_owned));
            assert!(new.last().is_some_and(|rule| rule.starts_with("|---")), "after {line}");
            while lines.next_if(|row| row.starts_with('|')).is_some() {}
            new.extend(table(name));
            markers += 1;
        }
    }
    (new.join("\n") + "\n", markers)
}

/// Output of a command line: results and messages.
fn output(args: &[&str]) -> [String; 2] {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    run(args, &Catalog::standard(), &FileSimulator, &mut Console { out: &mut out, err: &mut err, interactive: false });
    [out, err].map(|text| String::from_utf8(text).expect("text"))
}

/// Output of a command, from the first line of `old` on. Lines that differ from those only in their times are kept,
/// unless `times` are asked for.
fn printed(command: &str, old: &[&str], times: bool) -> Vec<String> {
    let [out, err] = output(&command.split(' ').collect::<Vec<_>>());
    // How many notes there are on model files is for people.
    let faults = err.lines().find(|line| !line.contains("on what the model files say"));
    assert_eq!(faults, None, "{command}");
    let from = |line: &&str| old.first().is_none_or(|first| without_times(line) == without_times(first));
    let new = out.lines().skip_while(|line| !from(line));
    let kept = new.enumerate().map(|(i, line)| match old.get(i) {
        Some(old) if !times && without_times(old) == without_times(line) => *old,
        _ => line,
    });
    let kept: Vec<String> = kept.map(str::to_owned).collect();
    assert!(!kept.is_empty(), "{command} does not print `{}`", old[0]);
    kept
}

/// A line of a summary without values that depend on the machine: all but the counts of a profile.
pub fn without_times(line: &str) -> String {
    let name = line.trim_start().split("  ").next().unwrap_or_default();
    match line.split_once(" %") {
        _ if name == "took" => name.into(),
        Some((_, counts)) => format!("{name}:{}", counts.split(',').next().unwrap_or_default()),
        None => line.into(),
    }
}

#[test]
fn the_figures_of_the_documents_are_those_of_the_program() {
    let write = std::env::var("KINEGRAPH_FIGURES").is_ok_and(|value| value == "write");
    let (mut stale, mut markers) = (Vec::new(), 0);
    for file in documents() {
        let old = fs::read_to_string(&file).expect("text");
        let (new, found) = renewed(&old, write && !cfg!(debug_assertions));
        markers += found;
        if write {
            fs::write(&file, new).expect("a file");
        } else if let Some((printed, today)) = old.lines().zip(new.lines()).find(|(old, new)| old != new) {
            stale.push(format!("{}:\n  printed {printed}\n  today   {today}", file.display()));
        } else if old.len() != new.len() {
            stale.push(format!("{}: more or fewer lines", file.display()));
        }
    }
    assert!(stale.is_empty(), "{}", stale.join("\n"));
    assert_eq!(markers, TABLES.len() + 8, "a table or a block without its marker");
}

/// The faults that README.md shows: a joint by a wrong name and a box of negative mass in the example `franka`.
#[test]
fn the_faults_of_the_readme_are_those_of_the_program() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults of the readme");
    fs::create_dir_all(&folder).expect("a folder");
    for entry in fs::read_dir("examples/franka").expect("a folder") {
        let file = entry.expect("an entry").path();
        let text = fs::read_to_string(&file).expect("text");
        let text = text.replace("joint3: {q", "joint33: {q").replace("<mass value=\"0.411\"/>", "<mass value=\"-1\"/>");
        fs::write(folder.join(file.file_name().expect("a name")), text).expect("a file");
    }
    let file = folder.join("franka.yaml").display().to_string();
    let [_, faults] = output(&["kinegraph", "check", &file]);
    let faults = faults.replace(&file.replace("franka.yaml", ""), "");
    let readme = fs::read_to_string("README.md").expect("text");
    assert!(faults.ends_with("2 faults\n") && readme.contains(&format!("```text\n{faults}```\n")), "{faults}");
}

/// Makes the rows of a table.
type Table = fn() -> Vec<String>;

/// The tables of the documents.
const TABLES: [(&str, Table); 19] = [
    ("clutter", clutter),
    ("conveyor", conveyor),
    ("cylinder", examples::cylinder::table),
    ("double pendulum", double_pendulum),
    ("elastic ball", examples::elastic_ball::table),
    ("franka", franka),
    ("gripper", examples::gripper::table),
    ("hard clutter", examples::clutter::hard_table),
    ("high gain", examples::high_gain::table),
    ("impedance", impedance),
    ("plate rack", examples::plate_rack::table),
    ("quadruped", examples::quadruped::table),
    ("rover", examples::rover::table),
    ("skate", examples::skate::table),
    ("soft clutter", examples::clutter::soft_table),
    ("stick slip", examples::stick_slip::table),
    ("three meshes", examples::three_meshes::table),
    ("vacuum", vacuum),
    ("work and precision", work_and_precision),
];

/// The rows of a table.
fn table(name: &str) -> Vec<String> {
    let table = TABLES.iter().find(|table| table.0 == name);
    table.unwrap_or_else(|| panic!("no table of that name: {name}")).1()
}

/// A run of an example at an accuracy.
fn example(name: &str, accuracy: &str, settings: &[&str]) -> (RunReport, Samples) {
    let accuracy = format!("simulation.accuracy={accuracy}");
    let settings: Vec<&str> = settings.iter().copied().chain([accuracy.as_str()]).collect();
    run_file(Path::new(&format!("examples/{name}/{name}.yaml")), &settings)
}

fn energy(report: &RunReport) -> f64 {
    report.energy_end.expect("a plant")
}

fn clutter() -> Vec<String> {
    let row = |accuracy| {
        let (report, _) = example("clutter", accuracy, &[]);
        let s = report.statistics;
        let (shortest, longest) = (1e3 * s.smallest_step, s.largest_step);
        let (deepest, energy) = (1e3 * s.max_penetration, energy(&report));
        format!(
            "| {accuracy} | {} ({}) | {shortest:.2} ms to {longest:.2} s | {deepest:.1} mm | {energy:.1} J |",
            s.steps, s.rejected_steps
        )
    };
    ["1e-2", "1e-3", "1e-4"].map(row).into()
}

fn conveyor() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = example("conveyor", accuracy, &[]);
        let place = |name: &str| 1.0 + samples.at(1.0, &format!("plant.{name}.parcel.x"));
        let travel = |name: &str| samples.at(1.0, &format!("{name}_drive.travel"));
        let parcels = [("kept", "gentle"), ("slipped", "harsh")]
            .map(|(parcel, drive)| format!("{:.3}, {:.3}", place(parcel), travel(drive)));
        format!("| {accuracy} | {} | {} | {} |", report.statistics.steps, parcels[0], parcels[1])
    };
    ["1e-2", "1e-3", "1e-4", "1e-5"].map(row).into()
}

fn double_pendulum() -> Vec<String> {
    let row = |accuracy| {
        let on = example("double_pendulum", accuracy, &[]).0;
        let off = example("double_pendulum", accuracy, &["simulation.extrapolate=off"]).0;
        let (steps, without) = (on.statistics.steps, off.statistics.steps);
        format!("| {accuracy} | {steps} | {:.5} J | {without} | {:.2} J |", energy(&on), energy(&off))
    };
    ["1e-3", "1e-4", "1e-5"].map(row).into()
}

fn franka() -> Vec<String> {
    let row = |extrapolate: &str, accuracy: &str| {
        let (report, samples) = example("franka", accuracy, &[&format!("simulation.extrapolate={extrapolate}")]);
        let (end, _) = Reference::of("franka").errors(&samples, f64::INFINITY);
        format!("| {extrapolate} | {accuracy} | {} | {end:.1e} |", report.statistics.steps)
    };
    [("on", "1e-3"), ("on", "1e-4"), ("off", "1e-3"), ("off", "1e-4")].map(|(on, accuracy)| row(on, accuracy)).into()
}

fn impedance() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = example("impedance", accuracy, &[]);
        let s = report.statistics;
        let force = |time, axis| samples.at(time, &format!("plant.table.top.contact.f{axis}"));
        let (rest, friction) = (-force(1.5, "z"), force(3.0, "x").hypot(force(3.0, "y")) / -force(3.0, "z"));
        format!("| {accuracy} | {} ({}) | {rest:.2} N | {friction:.3} |", s.steps, s.rejected_steps)
    };
    ["1e-2", "1e-3", "1e-4", "1e-5"].map(row).into()
}

fn vacuum() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = example("vacuum", accuracy, &[]);
        let (s, height) = (report.statistics, samples.at(2.9, "plant.crate.crate.z"));
        format!("| {accuracy} | {} ({}) | {height:.4} |", s.steps, s.rejected_steps)
    };
    ["1e-1", "1e-2", "1e-3", "1e-4"].map(row).into()
}

/// Deviation at the end from the reference, steps and rejected attempts.
fn work_and_precision() -> Vec<String> {
    let cell = |scene: &str, extrapolate: &str, accuracy: &str| {
        let settings = [("extrapolate", extrapolate), ("accuracy", accuracy)];
        let settings = settings.map(|(key, value)| format!("simulation.{key}={value}"));
        let (report, samples) = run_scene(scene, &settings.each_ref().map(String::as_str));
        let (end, _) = Reference::of(scene).errors(&samples, f64::INFINITY);
        format!("{end:.1e}, {}+{}", report.statistics.steps, report.statistics.rejected_steps)
    };
    let row = |scene: &str| {
        let cells = ["on", "off"].map(|on| ["1e-3", "1e-4", "1e-5"].map(|accuracy| cell(scene, on, accuracy)));
        format!("| {scene} | {} |", cells.concat().join(" | "))
    };
    ["double_pendulum", "arm7", "bouncing_ball", "franka", "gripper_mp", "vacuum", "conveyor"].map(row).into()
}
