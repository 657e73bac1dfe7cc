//! A diagram file that is varied, read once.

mod channels;
mod variation;

pub(crate) use channels::of_channels;
pub use variation::{Derivatives, Variation};

use kinegraph_files::node::show_number;
use kinegraph_files::{Catalog, FileCache, LoadError, NoNumber, Override};
use kinegraph_scenario::Scenario;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A diagram file that is varied. The file, its nested files and its models are read once: changes on the disk during a
/// sweep have no effect.
#[derive(Clone, Debug)]
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
    pub(crate) fn overrides(&self, variation: &Variation) -> Vec<Override> {
        let mut all = self.overrides.clone();
        let varied = |(path, value): &(String, String)| Override::flag_of("with", path, value);
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

    /// The number at a path of the file, as a variation changes it.
    ///
    /// # Errors
    /// A path that leads to no number.
    pub fn number_at(&self, variation: &Variation, path: &str) -> Result<f64, NoNumber> {
        self.catalog.number_at(&self.path, &self.overrides(variation), &self.cache, path)
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
