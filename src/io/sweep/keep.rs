//! Repeats the failed runs of a sweep with full recordings.

use super::run::simulation;
use super::spec::Sweep;
use super::{Jobs, SweepError};
use crate::record::mcap::McapSink;
use crate::record::steps::StepsSink;
use crate::template::{Template, Variation};
use kinegraph_engine::simulate::{Observer, panic_message};
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Repeats the runs `indices` of `sweep` and records each in `folder`: `run-12.mcap` (poses, contacts, channels),
/// `run-12.steps.csv` (every attempt at a step), and last `run-12.txt`, which says how it ended and how to repeat it.
/// Runs whose text file exists are skipped.
///
/// # Errors
/// A file that cannot be written.
pub fn keep_runs(
    template: &Template,
    sweep: &Sweep,
    indices: &[u64],
    folder: &Path,
    jobs: Jobs,
    stop: &AtomicBool,
) -> Result<usize, SweepError> {
    fs::create_dir_all(folder)?;
    let open: Vec<Variation> = indices
        .iter()
        .filter(|index| !folder.join(format!("run-{index}.txt")).exists())
        .filter_map(|index| sweep.variation(*index))
        .collect();
    let (next, fault) = (AtomicUsize::new(0), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..jobs.of(open.len() as u64) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed)
                    && let Some(variation) = open.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    if let Err(error) = keep_run(template, variation, folder, stop) {
                        let mut fault = fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        fault.get_or_insert(error);
                        return;
                    }
                }
            });
        }
    });
    match fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error.into()),
        None => Ok(open.len()),
    }
}

/// Files in `folder` with the recording of run `index`.
pub fn kept_files(folder: &Path, index: u64) -> [PathBuf; 3] {
    ["mcap", "steps.csv", "txt"].map(|ending| folder.join(format!("run-{index}.{ending}")))
}

/// Observer that ends a run when the sweep ends.
struct Stop<'a>(&'a AtomicBool);

impl Observer for Stop<'_> {
    fn wants_samples(&self) -> bool {
        false
    }

    fn wants_end(&self) -> Option<String> {
        self.0.load(Ordering::Relaxed).then(|| "the sweep ends".to_owned())
    }
}

fn keep_run(template: &Template, variation: &Variation, folder: &Path, stop: &AtomicBool) -> io::Result<()> {
    let file = |extension: &str| folder.join(format!("run-{}.{extension}", variation.index));
    let recorded = catch_unwind(AssertUnwindSafe(|| -> io::Result<String> {
        let scenario = match template.scenario(variation) {
            Ok(scenario) => scenario,
            Err(error) => return Ok(format!("refused:\n{error}")),
        };
        let mut simulation = match simulation(&scenario, scenario.options, variation) {
            Ok(simulation) => simulation,
            Err(error) => return Ok(format!("refused: {error}")),
        };
        let mut observers: Vec<Box<dyn Observer + '_>> = vec![
            Box::new(McapSink::create(&file("mcap"), None)?.with_pictures(scenario.pictures.clone())),
            Box::new(StepsSink::create(&file("steps.csv"))?),
            Box::new(Stop(stop)),
        ];
        Ok(scenario.run(&mut simulation, &scenario.channels, &mut observers).to_string())
    }));
    let ended = match recorded {
        Ok(ended) => ended?,
        Err(panic) => format!("failed: a block panicked: {}", panic_message(&*panic)),
    };
    if stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    fs::write(file("txt"), format!("{ended}\n\n{}\n", template.command(variation)))
}
