//! Files that a command writes. All of them are claimed before the first is opened: no output may be a file that the
//! command reads, none may be written twice, and obstacles are reported before a long run.

mod claim;
mod format;
mod same;

pub use format::OutputFormat;

use claim::Claim;
use kinegraph_systems::models::files_of_mesh;
use std::path::{Path, PathBuf};

/// The outputs of a command.
pub struct Outputs {
    /// The files that the command reads.
    inputs: Vec<PathBuf>,
    claims: Vec<Claim>,
}

impl Outputs {
    /// Creates the outputs of a command that reads `inputs`: diagram files, models, meshes, recordings.
    pub fn new(inputs: Vec<PathBuf>) -> Self {
        Outputs { inputs, claims: Vec::new() }
    }

    /// Adds a file that the command reads.
    pub(super) fn reads(&mut self, file: &Path) {
        self.inputs.push(file.to_owned());
    }

    /// Claims `file` for `option`. Nothing is written yet.
    ///
    /// # Errors
    /// A message why it cannot be written.
    pub fn claim(&mut self, option: &'static str, file: &Path, format: &OutputFormat) -> Result<(), String> {
        let claim = Claim::new(option, file)?;
        if let Some(other) = self.claims.iter().find(|other| other.is_same(&claim)) {
            let why = match other.option == option {
                true => "named twice".to_owned(),
                false => format!("{} writes this file: give one of them another name", other.option),
            };
            return Err(format!("{option} {}: {why}", file.display()));
        }
        if let Some(input) = self.input_at(&claim) {
            let what = match same::spelled_alike(input, file) {
                true => "it is read".to_owned(),
                false => format!("it is {}, which is read", input.display()),
            };
            return Err(format!("{option} {}: {what} by this command: give the output another name", file.display()));
        }
        format.check(option, &claim)?;
        claim.check_writable(format.is_whole)?;
        self.claims.push(claim);
        Ok(())
    }

    /// Claims the file of an optional option.
    ///
    /// # Errors
    /// As [`claim`](Self::claim).
    pub(super) fn claim_given(
        &mut self,
        option: &'static str,
        file: Option<&PathBuf>,
        format: &OutputFormat,
    ) -> Result<(), String> {
        file.map_or(Ok(()), |file| self.claim(option, file, format))
    }

    /// Input file at the place of a claim.
    fn input_at(&self, claim: &Claim) -> Option<&Path> {
        let exists = claim.existing()?;
        if let Some(input) = self.inputs.iter().find(|input| same::is_same(input, exists)) {
            return Some(input);
        }
        // Meshes for display are read later, with the files that they name, which are in their folders.
        let near = |mesh: &&PathBuf| mesh.parent().is_some_and(|folder| exists.starts_with(folder));
        let names_files = |mesh: &&PathBuf| {
            let ending = mesh.extension().map(|ending| ending.to_ascii_lowercase());
            ending.is_some_and(|ending| ending == "obj" || ending == "gltf" || ending == "glb")
        };
        let meshes = self.inputs.iter().filter(names_files).filter(near);
        let is_named = |mesh: &&PathBuf| files_of_mesh(mesh).iter().any(|file| same::is_same(file, exists));
        meshes.into_iter().find(is_named).map(PathBuf::as_path)
    }
}
