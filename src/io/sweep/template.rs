//! The diagram file of a sweep, read once, and the run of one variation.

use super::gauge::Gauges;
use super::row::SweepRow;
use super::variation::Variation;
use crate::verify::{Verdict, Verifier};
use kinegraph_diagram::Channel;
use kinegraph_engine::integrators::{NonFinite, Options};
use kinegraph_engine::measures::Measure;
use kinegraph_engine::simulate::{Simulation, Status, panic_message};
use kinegraph_files::node::show_number;
use kinegraph_files::{Catalog, FileCache, LoadError, Override, number_at};
use kinegraph_scenario::Scenario;
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A diagram file that is varied. The file, its nested files and its models are read once: changes on the disk during a
/// sweep have no effect.
#[derive(Debug)]
pub struct Template {
    path: PathBuf,
    /// Overrides of all variations.
    overrides: Vec<Override>,
    catalog: Catalog,
    cache: Arc<FileCache>,
    digest: u32,
}

impl Template {
    /// Opens the diagram file at `path`, with overrides as paths and values of `--set`.
    ///
    /// # Errors
    /// A file that cannot be read; a malformed path of an override. Its value is checked when the file is varied.
    pub fn open(path: impl AsRef<Path>, given: &[(&str, &str)]) -> Result<Self, LoadError> {
        let overrides = given.iter().map(|(path, value)| set(path, value)).collect();
        Self::open_over(Catalog::standard(), path, overrides)
    }

    /// Opens the diagram file at `path` with another catalog.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_over(catalog: Catalog, path: impl AsRef<Path>, overrides: Vec<Override>) -> Result<Self, LoadError> {
        let (path, cache) = (path.as_ref().to_owned(), Arc::<FileCache>::default());
        // The file may need the values of a variation to be complete; here it must only be readable.
        let read = catalog.load_sharing(&path, &overrides, &cache);
        match read {
            Ok(loaded) => drop(Scenario::build(&loaded.diagram, &loaded.loader)),
            Err(error) if error.text.is_empty() => return Err(error),
            Err(_) => {}
        }
        let digest = digest(&cache);
        Ok(Template { path, overrides, catalog, cache, digest })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files that were read: the file itself, the files it names, models and meshes.
    pub fn files_read(&self) -> Vec<PathBuf> {
        self.cache.files_read()
    }

    /// Checksum of the diagram files and models; it is equal in other processes if their files are.
    pub fn digest(&self) -> u32 {
        self.digest
    }

    /// The number that the file, whose text this is, has at a path with the overrides of all variations.
    pub(crate) fn number_at(&self, text: &str, path: &str) -> Option<f64> {
        number_at(text, &self.overrides, path)
    }

    /// Overrides of all variations, as text.
    pub(crate) fn given(&self) -> Vec<String> {
        self.overrides.iter().map(ToString::to_string).collect()
    }

    /// A command line that repeats the run of `variation`.
    pub fn command(&self, variation: &Variation) -> String {
        let quoted = |text: String| format!("'{}'", text.replace('\'', "'\\''"));
        let mut words = vec!["kinegraph run".to_owned(), quoted(self.path.display().to_string())];
        let varied = variation.overrides.iter().map(|(path, value)| set(path, value));
        let named = self.overrides(&Variation { overrides: Vec::new(), ..variation.clone() });
        for one in named.into_iter().chain(varied) {
            let option = one.to_string();
            let (flag, value) = option.split_once(' ').unwrap_or((&option, ""));
            words.extend([flag.to_owned(), quoted(value.to_owned())]);
        }
        words.extend(variation.seed.map(|seed| format!("--seed {seed}")));
        words.join(" ")
    }

    /// Overrides of a variation, in order of precedence.
    pub(super) fn overrides(&self, variation: &Variation) -> Vec<Override> {
        let mut all = self.overrides.clone();
        let varied = |(path, value): &(String, String)| Override::flag_of("in the sweep,", path, value);
        all.extend(variation.overrides.iter().map(varied));
        let integrator = variation.integrator.iter();
        all.extend(integrator.map(|name| Override::flag("--integrator", "simulation.integrator", name)));
        let accuracy = variation.accuracy.map(show_number);
        all.extend(accuracy.iter().map(|value| Override::flag("--accuracy", "simulation.accuracy", value)));
        all
    }

    /// True if something in the diagram draws random numbers.
    pub fn is_random(&self) -> bool {
        let is_random = |scenario: Scenario| {
            let start = scenario.diagram.initial_state();
            scenario.diagram.seeded(start.clone(), 1) != start
        };
        self.scenario(&Variation::default()).is_ok_and(is_random)
    }

    /// Builds the scenario of a variation.
    ///
    /// # Errors
    /// Every fault of the file with the values of the variation.
    pub fn scenario(&self, variation: &Variation) -> Result<Scenario, LoadError> {
        let loaded = self.catalog.load_sharing(&self.path, &self.overrides(variation), &self.cache)?;
        Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed())
    }
}

/// Creates an override; a malformed path is a fault when the file is read.
fn set(path: &str, value: &str) -> Override {
    Override::set(&format!("{path}={value}")).unwrap_or_else(|_| Override::flag("--set", path, value))
}

/// Checksum of the files that were read.
fn digest(cache: &FileCache) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for path in cache.files() {
        let mut bytes = Vec::new();
        // A file that can no longer be read is left out of the checksum.
        let read = File::open(path).and_then(|file| file.take(kinegraph_files::MAX_BYTES).read_to_end(&mut bytes));
        if read.is_ok() {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(&bytes);
        }
    }
    hasher.finalize()
}

/// Creates a simulation of a variation of `scenario` with these options, at its start.
pub(super) fn simulation(scenario: &Scenario, options: Options, variation: &Variation) -> Result<Simulation, String> {
    let mut simulation = Simulation::new(&scenario.diagram, options).map_err(|error| error.to_string())?;
    if let Some(seed) = variation.seed {
        let start = scenario.diagram.seeded(scenario.diagram.initial_state(), seed);
        simulation.set_state(start).map_err(|error| error.to_string())?;
    }
    Ok(simulation)
}

/// Verifies a finished run; `None` if `stop` ends the verification.
fn verified(scenario: &Scenario, variation: &Variation, within: f64, stop: &AtomicBool) -> Option<(Verdict, f64)> {
    let begin = |options| simulation(scenario, options, variation);
    let interrupt = || stop.load(Ordering::Relaxed).then(String::new);
    let verification = Verifier { scenario, begin: &begin, within, interrupt: &interrupt }.verify(&Status::Done);
    (!stop.load(Ordering::Relaxed)).then_some((verification.verdict, verification.accuracies))
}

/// Runs a variation. Any failure, also a file that cannot be built or a block that panics, is reported in the status of
/// the row. The row depends on `template`, `variation` and `measures` alone, except for its wall time.
pub fn run_variation(template: &Template, variation: &Variation, measures: &[Measure]) -> SweepRow {
    run_until(template, variation, measures, &AtomicBool::new(false))
        .unwrap_or_else(|| SweepRow::refused(variation, measures, "interrupted".into()))
}

/// Runs a variation unless `stop` ends it, in which case there is no row.
pub(super) fn run_until(
    template: &Template,
    variation: &Variation,
    measures: &[Measure],
    stop: &AtomicBool,
) -> Option<SweepRow> {
    // Only texts of files are kept after a panic.
    let run = catch_unwind(AssertUnwindSafe(|| run(template, variation, measures, stop)));
    run.unwrap_or_else(|panic| {
        let message = format!("failed: a block panicked: {}", panic_message(&*panic));
        Some(SweepRow::refused(variation, measures, message))
    })
}

fn run(template: &Template, variation: &Variation, measures: &[Measure], stop: &AtomicBool) -> Option<SweepRow> {
    let refused = |why: String| Some(SweepRow::refused(variation, measures, format!("refused: {why}")));
    let scenario = match template.scenario(variation) {
        Ok(scenario) => scenario,
        Err(error) => return refused(error.to_string()),
    };
    let mut channels: Vec<Channel> = Vec::with_capacity(measures.len());
    for measure in measures {
        match scenario.diagram.find_channels(&measure.channel).as_deref() {
            Ok([channel]) => channels.push(channel.clone()),
            Ok(several) => return refused(format!("{measure} is of {} channels", several.len())),
            Err(error) => return refused(error.to_string()),
        }
    }
    let mut simulation = match simulation(&scenario, scenario.options, variation) {
        Ok(simulation) => simulation,
        Err(error) => return refused(error),
    };
    let (energy_start, mut gauges) = (simulation.energy(), Gauges::new(measures, stop));
    let (status, requirements) = scenario.run_judged(&mut simulation, &channels, &mut gauges);
    if let Status::Interrupted(_) = status {
        return None;
    }
    // Squares of finite samples may overflow.
    let overflow = gauges.not_finite().filter(|_| status.is_done() && scenario.options.non_finite == NonFinite::Stop);
    let status = overflow.map_or(status, |(i, value)| Status::Failed(format!("{} is {value}", measures[i])));
    let done = status.is_done();
    let verified = match variation.verify.filter(|_| done) {
        Some(within) => Some(verified(&scenario, variation, within, stop)?),
        None => None,
    };
    Some(SweepRow {
        requirements,
        verified,
        variation: variation.clone(),
        status: super::row::one_line(&status.to_string()),
        sim_time: simulation.time(),
        statistics: simulation.statistics().into(),
        energy_start,
        energy_end: simulation.energy(),
        measures: if done { gauges.values() } else { vec![None; measures.len()] },
        wall_s: simulation.stepping_time().as_secs_f64(),
    })
}
