//! A search as it is saved, so that it can go on.

use super::problem::{Fit, FitError};
use kinegraph_engine::whole_file;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The best numbers of a search so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedFit {
    /// Checksum of the file, its models, the recordings and the options.
    pub key: u32,
    /// Names of the numbers.
    pub names: Vec<String>,
    /// Their values.
    pub values: Vec<f64>,
    /// Deviations of the channels, as they weigh now.
    pub deviations: Vec<f64>,
    /// Round of the search.
    pub round: usize,
    /// Number of iterations so far.
    pub iterations: usize,
    /// Number of runs with their derivatives so far.
    pub runs: usize,
}

impl SavedFit {
    /// Where the search of a fit that is written to `out` is saved: beside it.
    pub fn beside(out: &Path) -> PathBuf {
        let mut name = out.file_name().unwrap_or_default().to_os_string();
        name.push(".search");
        out.with_file_name(name)
    }

    /// Reads it.
    ///
    /// # Errors
    /// The file cannot be read, or is another one.
    pub fn read(path: &Path) -> Result<Self, FitError> {
        let fault = |reason: String| FitError::Saved { file: path.display().to_string(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => fault("there is no search to resume: run without --resume".to_owned()),
            _ => fault(error.to_string()),
        })?;
        serde_json::from_str(&text).map_err(|error| fault(format!("this is no search that was saved: {error}")))
    }

    /// Writes it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        whole_file::write(path, serde_json::to_string(self).map_err(io::Error::other)?.as_bytes())
    }

    pub(super) fn check(&self, key: u32, names: &[String]) -> Result<(), FitError> {
        let fault = |reason: String| Err(FitError::Saved { file: "--resume".to_owned(), reason });
        if self.names != names {
            return fault(format!(
                "the search that was saved is for {}, not for {}",
                self.names.join(", "),
                names.join(", ")
            ));
        }
        if self.key != key {
            return fault("the file, its models, the recordings or the options have changed since".to_owned());
        }
        Ok(())
    }
}

/// Checksum of what a search depends on, but the numbers' names.
pub(super) fn key(fit: &Fit) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&fit.template.digest().to_le_bytes());
    hasher.update(format!("{:?} {:?} {:?} {}", fit.numbers, fit.matches, fit.noise, fit.robust).as_bytes());
    hasher.update(fit.template.given().join("\n").as_bytes());
    for recording in &fit.recordings {
        for number in recording.times.iter().chain(recording.columns.iter().flatten()) {
            hasher.update(&number.to_le_bytes());
        }
    }
    hasher.finalize()
}
