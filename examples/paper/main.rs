//! The figures of the CENIC paper \[Kurtz and Castro, CENIC: Convex Error-controlled Numerical Integration for
//! Contact\], computed with this library: `cargo run --release --example paper -- all`.
//!
//! Each figure is a file here and writes a table (CSV) and a picture (SVG). The scenes are those of
//! `tests/data/scenes`. `docs/paper.md` shows the pictures beside what the paper says.

mod chart;
mod draw;
mod fig10;
mod fig12;
mod fig13;
mod fig14;
mod fig17;
mod fig18;
mod fig19;
mod fig8;
mod fig9;
mod measure;
mod output;
mod published;
mod scenes;
mod table2;
mod table3;

use output::{Outcome, Output};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// A figure or a table.
struct Entry {
    name: &'static str,
    /// True if the figure shows times: then nothing else runs beside it.
    timed: bool,
    run: fn(&Output) -> Outcome,
}

const ENTRIES: [Entry; 11] = [
    Entry { name: "fig8", timed: false, run: fig8::run },
    Entry { name: "fig9", timed: true, run: fig9::run },
    Entry { name: "fig10", timed: true, run: fig10::run },
    Entry { name: "fig12", timed: false, run: fig12::run },
    Entry { name: "fig13", timed: false, run: fig13::run },
    Entry { name: "fig14", timed: false, run: fig14::run },
    Entry { name: "fig17", timed: true, run: fig17::run },
    Entry { name: "fig18", timed: true, run: fig18::run },
    Entry { name: "fig19", timed: false, run: fig19::run },
    Entry { name: "table2", timed: true, run: table2::run },
    Entry { name: "table3", timed: true, run: table3::run },
];

const USAGE: &str = "usage: cargo run --release --example paper -- NAME… [--out FOLDER]
NAME is all, fig8, fig9, fig10, fig12, fig13, fig14, fig17, fig18, fig19, table2 or table3";

/// Parses the command line: the figures asked for, and a folder.
fn arguments(mut words: impl Iterator<Item = String>) -> Result<(Vec<&'static Entry>, PathBuf), String> {
    let (mut wanted, mut folder) = (Vec::new(), PathBuf::from("target/paper"));
    while let Some(word) = words.next() {
        if word == "--out" {
            folder = words.next().ok_or("--out needs a folder")?.into();
        } else if word == "all" {
            wanted.extend(&ENTRIES);
        } else {
            let entry = ENTRIES.iter().find(|entry| entry.name == word);
            wanted.push(entry.ok_or_else(|| format!("there is no figure `{word}`"))?);
        }
    }
    if wanted.is_empty() { Err("no figure is asked for".into()) } else { Ok((wanted, folder)) }
}

/// Runs a figure and says how long that took; whether it succeeded.
fn run(entry: &Entry, output: &Output) -> bool {
    let start = Instant::now();
    let outcome = (entry.run)(output);
    let took = start.elapsed().as_secs_f64();
    match &outcome {
        Ok(()) => eprintln!("{}: done in {took:.1} s", entry.name),
        Err(error) => eprintln!("{}: failed after {took:.1} s: {error}", entry.name),
    }
    outcome.is_ok()
}

fn main() -> ExitCode {
    let (wanted, folder) = match arguments(std::env::args().skip(1)) {
        Ok(found) => found,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let output = match Output::new(folder) {
        Ok(output) => output,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let (timed, counted): (Vec<&Entry>, Vec<&Entry>) = wanted.into_iter().partition(|entry| entry.timed);
    // What shows no times shares two cores; the rest has the machine for itself.
    let waiting = Mutex::new(counted.into_iter());
    let next = || waiting.lock().ok().and_then(|mut left| left.next());
    let mut done = std::thread::scope(|scope| {
        // All of them run, whatever became of others.
        let work = || std::iter::from_fn(next).filter(|entry| !run(entry, &output)).count() == 0;
        let other = scope.spawn(work);
        let own = work();
        other.join().unwrap_or(false) && own
    });
    for entry in timed {
        done &= run(entry, &output);
    }
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> impl Iterator<Item = String> {
        text.split_whitespace().map(str::to_owned)
    }

    #[test]
    fn the_command_line_names_figures_and_a_folder() {
        let (wanted, folder) = arguments(words("fig8 table2 --out x")).expect("known names");
        assert_eq!(wanted.iter().map(|entry| entry.name).collect::<Vec<_>>(), ["fig8", "table2"]);
        assert_eq!(folder, PathBuf::from("x"));
        assert!(
            arguments(words("fig7")).is_err() && arguments(words("")).is_err() && arguments(words("--out")).is_err()
        );
        assert_eq!(arguments(words("all")).map(|(wanted, _)| wanted.len()), Ok(ENTRIES.len()));
    }

    #[test]
    fn a_figure_writes_its_table_and_its_picture() {
        let folder = std::env::temp_dir().join(format!("kinegraph-paper-{}", std::process::id()));
        let output = Output::new(folder.clone()).expect("a folder");
        fig14::run(&output).expect("the conveyor");
        let table = std::fs::read_to_string(folder.join("fig14.csv")).expect("a table");
        let picture = std::fs::read_to_string(folder.join("fig14.svg")).expect("a picture");
        std::fs::remove_dir_all(&folder).expect("removed");
        assert!(picture.contains("friction force [N]"), "an axis says what it is");
        let fine: Vec<Vec<f64>> = table
            .lines()
            .map(|line| line.split(',').filter_map(|cell| cell.parse().ok()).collect())
            .filter(|row: &Vec<f64>| row.first() == Some(&1e-4))
            .collect();
        // The belt takes the block along until its acceleration, 2 pi sin(2 pi t) m/s², is that of friction at rest.
        let slips = fine.iter().find(|row| row[3].abs() > 0.01).expect("it slides")[1];
        assert!((0.1425..0.155).contains(&slips), "{slips} s");
        let most = fine.iter().map(|row| row[2].abs()).fold(0.0, f64::max);
        assert!((0.97..1.01).contains(&(most / (0.5 * 9.81))), "{most} N");
    }
}
