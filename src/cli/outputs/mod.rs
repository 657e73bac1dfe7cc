//! The files that a command writes, all of them claimed before the first is opened: none may be a file that the command
//! reads, none may be written twice, and what prevents one is reported before a long run.

mod claim;
mod format;
mod same;

pub(super) use format::OutputFormat;

use claim::Claim;
use kinegraph_systems::models::files_of_mesh;
use std::path::{Path, PathBuf};

/// The outputs of a command.
pub(super) struct Outputs {
    /// The files that the command reads.
    inputs: Vec<PathBuf>,
    claims: Vec<Claim>,
}

impl Outputs {
    /// Those of a command that reads `inputs`: diagram files, models, meshes, recordings.
    pub(super) fn new(inputs: Vec<PathBuf>) -> Self {
        Outputs { inputs, claims: Vec::new() }
    }

    /// Adds a file that the command reads.
    pub(super) fn reads(&mut self, file: &Path) {
        self.inputs.push(file.to_owned());
    }

    /// Claims `file` for `option`. Nothing is written yet.
    ///
    /// # Errors
    /// Why it cannot be written, as a message.
    pub(super) fn claim(&mut self, option: &'static str, file: &Path, format: &OutputFormat) -> Result<(), String> {
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

    /// Claims the file of an option that may not be given.
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

    /// The file that is read at the place of a claim.
    fn input_at(&self, claim: &Claim) -> Option<&Path> {
        let exists = claim.existing()?;
        if let Some(input) = self.inputs.iter().find(|input| same::is_same(input, exists)) {
            return Some(input);
        }
        // Meshes that are only drawn are read later, with the files that they name; these lie in their folders.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Every spelling of one file is that file, whether it exists or not.
    #[test]
    fn two_outputs_are_two_files_and_no_input() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["input.csv", "old.csv"] {
            fs::write(path(name), "old").unwrap();
        }
        fs::hard_link(path("input.csv"), path("hard.csv")).unwrap();
        fs::create_dir(path("below")).unwrap();
        let mut outputs = Outputs::new(vec![path("input.csv")]);
        for input in ["input.csv", "./input.csv", "below/../input.csv", "hard.csv"] {
            let why = outputs.claim("--record", &path(input), &OutputFormat::TABLES).unwrap_err();
            assert!(why.contains("is read by this command"), "{why}");
        }
        outputs.claim("--record", &path("new.csv"), &OutputFormat::TABLES).unwrap();
        outputs.claim("--record", &path("old.csv"), &OutputFormat::TABLES).unwrap();
        for other in ["new.csv", "below/../new.csv", "old.csv", "./old.csv"] {
            let why = outputs.claim("--steps", &path(other), &OutputFormat::STEPS).unwrap_err();
            assert!(why.contains("--record writes this file"), "{why}");
            assert!(
                outputs.claim("--record", &path(other), &OutputFormat::TABLES).unwrap_err().ends_with("named twice")
            );
        }
        assert_eq!(fs::read(path("old.csv")).unwrap(), b"old");
        assert!(!path("new.csv").exists());
    }

    #[test]
    fn a_file_that_a_mesh_names_is_read_too() {
        let folder = tempfile::tempdir().unwrap();
        let (mesh, colours) = (folder.path().join("a.obj"), folder.path().join("colours.json"));
        fs::write(&mesh, "mtllib colours.json\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n").unwrap();
        fs::write(&colours, "newmtl a\nKd 1 0 0\n").unwrap();
        let mut outputs = Outputs::new(vec![mesh]);
        assert!(outputs.claim("--snapshot", &colours, &OutputFormat::SNAPSHOT).is_err());
    }

    #[test]
    fn unknown_endings_and_places_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut outputs = Outputs::new(Vec::new());
        for name in ["a.txt", "a", "a.csv.bak", "a.json", ".csv"] {
            let why = outputs.claim("--record", &folder.path().join(name), &OutputFormat::TABLES).unwrap_err();
            assert!(why.contains("is not written"), "{why}");
        }
        for name in ["none/a.csv", "none/deeper/a.csv"] {
            let why = outputs.claim("--record", &folder.path().join(name), &OutputFormat::TABLES).unwrap_err();
            assert!(why.contains("there is no folder") && why.ends_with("none"), "{why}");
        }
        let why = outputs.claim("--record", folder.path(), &OutputFormat::TABLES).unwrap_err();
        assert!(why.ends_with("it is a folder"), "{why}");
        outputs.claim("--record", &folder.path().join("A.CSV"), &OutputFormat::TABLES).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_take_what_they_are_given_and_links_to_nothing_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut outputs = Outputs::new(Vec::new());
        for option in ["--record", "--steps"] {
            outputs.claim(option, Path::new("/dev/null"), &OutputFormat::TABLES).unwrap();
        }
        let link = folder.path().join("a.csv");
        std::os::unix::fs::symlink("/nowhere/at/all", &link).unwrap();
        assert!(outputs.claim("--record", &link, &OutputFormat::TABLES).is_err());
        // Nobody writes there, not even the administrator.
        assert!(outputs.claim("--record", Path::new("/proc/self/a.csv"), &OutputFormat::TABLES).is_err());
    }
}
