//! Context of reading a diagram file besides its tree: its folder, the files it names, and the log of faults.

use super::derivations::Derivations;
use super::example_files::ExampleFile;
use super::fault::{FaultKind, FileFault, FileFaults};
use super::fault_log::FaultLog;
use super::file_cache::{FileCache, Reading};
use super::limits::{MAX_FILES, MAX_LEVELS};
use super::node::{Origin, Position};
use super::notes::FileNote;
use super::text_file::read_text;
use kinegraph_data::{self as data, Table, TableError};
use kinegraph_engine::integrators::IntegratorType;
use kinegraph_methods::METHODS;
use kinegraph_models::{self, FileAccess, InertiaPolicy, LoadOptions, MeshCollisions, MissingMeshes, Note, NoteKind};
use kinegraph_multibody::Model;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value that overrides one of the file.
#[derive(Debug)]
struct Given {
    /// Option as messages name it.
    option: String,
    /// True if it comes from the user of the program.
    trusted: bool,
}

/// Context of a diagram file while it is read.
#[derive(Debug)]
pub struct Loader {
    name: String,
    folder: PathBuf,
    /// Files that may be opened, and files that were.
    access: FileAccess,
    /// Overrides of the command line, by [`Origin::Override`].
    overrides: Vec<Given>,
    /// Files of an example, which are not on disk.
    given: &'static [ExampleFile],
    /// This file and the files it is nested in, the outermost first.
    chain: Vec<PathBuf>,
    /// Faults and notes of this file and of all files read with it.
    log: Arc<FaultLog>,
    /// Models and other files read together with this file.
    read: Arc<Mutex<FilesRead>>,
    /// Cache shared with other diagrams of the same file.
    cache: Option<Arc<FileCache>>,
    /// The integrators that files can name.
    integrators: Arc<[&'static IntegratorType]>,
    /// Formulas of the file that made values.
    derivations: Derivations,
}

/// The files read together with a diagram file.
#[derive(Debug, Default)]
struct FilesRead {
    /// Every model by its file and way of reading; `None` after its faults were recorded.
    models: HashMap<(PathBuf, Reading), Option<Arc<Model>>>,
    /// Folders that are searched for packages.
    model_paths: Vec<PathBuf>,
    /// Length and checksum of files that blocks name.
    contents: HashMap<PathBuf, String>,
    /// Number of nested files, and their bytes.
    nested: usize,
    nested_bytes: u64,
}

impl Loader {
    /// Creates the context of the file at `path`.
    pub fn new(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        Loader { name: path.display().to_string(), chain: vec![real(path)], ..Loader::of_program(folder) }
    }

    /// Creates the context of values that a program made; file names in them are relative to `folder`.
    pub(super) fn of_program(folder: &Path) -> Self {
        Loader {
            name: String::new(),
            folder: folder.to_owned(),
            access: FileAccess::of_folder(folder),
            overrides: Vec::new(),
            given: &[],
            chain: Vec::new(),
            log: Arc::default(),
            read: Arc::default(),
            cache: None,
            integrators: Arc::new(METHODS),
            derivations: Derivations::default(),
        }
    }

    /// Shares the files read with other contexts through `cache`.
    pub(super) fn sharing(self, cache: &Arc<FileCache>) -> Self {
        let access = self.access.noting_with(cache.access());
        Loader { cache: Some(cache.clone()), access, ..self }
    }

    /// Sets the integrators that files can name.
    pub(super) fn with_integrators(self, integrators: &[&'static IntegratorType]) -> Self {
        Loader { integrators: integrators.into(), ..self }
    }

    /// The integrators that files can name.
    pub fn integrators(&self) -> &[&'static IntegratorType] {
        &self.integrators
    }

    /// Allows files anywhere, if `anywhere`.
    pub(super) fn anywhere(self, anywhere: bool) -> Self {
        Loader { access: self.access.anywhere(anywhere), ..self }
    }

    /// Files that were read, or will be read to draw the diagram: this file, the files it names, their models and
    /// meshes.
    pub fn files_read(&self) -> Vec<PathBuf> {
        self.access.opened()
    }

    /// Text of the file at `path`: a diagram, or a file that a diagram names.
    pub(super) fn text(&self, path: &Path) -> Result<String, FaultKind> {
        if let Some(text) = self.given(path) {
            return Ok(text.to_owned());
        }
        self.access.note(path);
        match &self.cache {
            Some(cache) => cache.text(path, || read_text(path)),
            None => read_text(path),
        }
    }

    /// The recording at `path`, which a block plays back.
    ///
    /// # Errors
    /// A file that cannot be read, or is no recording.
    pub fn table(&self, path: &Path) -> Result<Arc<Table>, TableError> {
        if let Some(text) = self.given(path) {
            return data::parse(path, text.as_bytes()).map(Arc::new);
        }
        self.access.note(path);
        let read = || data::read(path).map(Arc::new);
        match &self.cache {
            Some(cache) => cache.table(path, read),
            None => read(),
        }
    }

    /// Creates the context of an example: its file, and the files it names, exist in the program only.
    pub(super) fn of_example(name: &str, given: &'static [ExampleFile]) -> Self {
        Loader { given, ..Loader::new(Path::new(name)) }
    }

    /// The text of a file that exists in the program only.
    fn given(&self, path: &Path) -> Option<&'static str> {
        self.given.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| *text)
    }

    /// Creates the context of a file nested in this one; faults are collected together.
    ///
    /// # Errors
    /// A message if the file cannot be nested: it is nested in itself, or there are too many.
    pub(super) fn nested(&self, path: &Path) -> Result<Self, String> {
        let file = real(path);
        if let Some(i) = self.chain.iter().position(|outer| *outer == file) {
            let names = self.chain[i..].iter().chain([&file]).map(|file| {
                file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
            });
            return Err(format!("it would contain itself ({})", names.collect::<Vec<_>>().join(" -> ")));
        }
        if self.chain.len() > MAX_LEVELS {
            return Err(format!("files are nested deeper than {MAX_LEVELS} levels"));
        }
        let mut read = self.read();
        if read.nested >= MAX_FILES {
            return Err(format!("more than {MAX_FILES} files are nested"));
        }
        read.nested += 1;
        drop(read);
        let (log, read, cache) = (self.log.clone(), self.read.clone(), self.cache.clone());
        let chain = self.chain.iter().cloned().chain([file]).collect();
        let access = self.access.clone().with(path.parent().unwrap_or(Path::new("")));
        Ok(Loader {
            log,
            read,
            cache,
            chain,
            access,
            given: self.given,
            integrators: self.integrators.clone(),
            ..Loader::new(path)
        })
    }

    /// Adds the bytes of a nested file to the total and returns the total.
    pub(super) fn count_bytes(&self, bytes: u64) -> u64 {
        let mut read = self.read();
        read.nested_bytes += bytes;
        read.nested_bytes
    }

    fn read(&self) -> MutexGuard<'_, FilesRead> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an option of the command line; faults of its value refer to it.
    pub(super) fn add_override(&mut self, option: String, trusted: bool) -> Origin {
        self.overrides.push(Given { option, trusted });
        Origin::Override(self.overrides.len() - 1)
    }

    /// True if the text comes from the user of the program.
    fn is_trusted(&self, origin: Origin) -> bool {
        match origin {
            Origin::File => false,
            Origin::Override(i) => self.overrides.get(i).is_some_and(|given| given.trusted),
            Origin::Program => true,
        }
    }

    /// File name as it was given; faults of the file contain it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Folder of the diagram file, where models are looked up; empty for the working directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates a fault at a place of the file (or of the command line), without recording it.
    pub fn fault_at(&self, at: Position, kind: FaultKind) -> FileFault {
        match at.origin {
            Origin::File => FileFault { file: self.name.clone(), at: Some(at), kind },
            Origin::Override(i) => {
                let given = self.overrides.get(i).map(|given| given.option.clone());
                let file = given.unwrap_or_else(|| "command line".into());
                FileFault { file, at: None, kind }
            }
            Origin::Program => FileFault { file: self.name.clone(), at: None, kind },
        }
    }

    /// Records a fault at a place of the file. A fault of a value that a formula made names the formula; what follows
    /// from a formula with a fault is no further fault.
    pub fn report(&self, at: Position, kind: FaultKind) {
        self.report_of_copy(at, None, kind);
    }

    /// Records a fault at a place that each copy of a repeated diagram has, of one copy.
    pub(super) fn report_of_copy(&self, at: Position, copy: Option<usize>, kind: FaultKind) {
        if self.derivations.is_faulty(at) {
            return;
        }
        let kind = match self.derivations.of(at, copy) {
            Some(from) => FaultKind::OfFormula { fault: Box::new(kind), from },
            None => kind,
        };
        self.log.push(self.fault_at(at, kind));
    }

    /// Records a fault of the formula that begins `at`, at a `place` within it.
    pub(super) fn report_formula(&self, at: Position, place: Position, kind: FaultKind) {
        self.derivations.fail(at);
        self.log.push(self.fault_at(place, kind));
    }

    /// Formulas of the file that made values.
    pub(super) fn derivations(&self) -> &Derivations {
        &self.derivations
    }

    /// A place in words: `arm.yaml:3:5`, or the option of the command line.
    pub(super) fn place(&self, at: Position) -> String {
        let option = |i: usize| self.overrides.get(i).map_or("the command line", |given| given.option.as_str());
        match at.origin {
            Origin::File => format!("{}:{}:{}", self.name, at.line, at.column),
            Origin::Override(i) => option(i).to_owned(),
            Origin::Program => "the program".to_owned(),
        }
    }

    /// Records a fault of the file as a whole.
    pub fn report_whole(&self, kind: FaultKind) {
        self.log.push(FileFault { file: self.name.clone(), at: None, kind });
    }

    /// True if further faults are only counted, so that their suggestions need not be computed.
    pub fn is_full(&self) -> bool {
        self.log.is_full()
    }

    /// Records a note on something that was accepted: ignored, assumed, or suspicious.
    pub fn note(&self, note: impl ToString) {
        self.log.note(FileNote::of_diagram(note, false));
    }

    /// Records a note that a number is probably not the intended one.
    pub fn note_doubt(&self, note: impl ToString) {
        self.log.note(FileNote { doubt: true, ..FileNote::of_diagram(note, false) });
    }

    /// Records a note that shapes which should take part in contact do not.
    pub fn note_loss(&self, note: impl ToString) {
        self.log.note(FileNote::of_diagram(note, true));
    }

    /// Records a note of a model file that was read before.
    pub(super) fn note_again(&self, note: FileNote) {
        self.log.note(note);
    }

    /// Takes the notes, in the order in which they were recorded.
    pub fn take_notes(&self) -> Vec<FileNote> {
        self.log.take_notes()
    }

    /// Adds folders that are searched for packages.
    pub(super) fn add_model_paths(&self, paths: impl IntoIterator<Item = PathBuf>) {
        self.read().model_paths.extend(paths);
    }

    /// Model in the file at `path`, for its motion only: meshes may be missing.
    pub fn model(&self, path: &Path) -> Option<Arc<Model>> {
        let (inertia, missing_meshes) = (InertiaPolicy::default(), MissingMeshes::Ignore);
        let meshes = MeshCollisions::default();
        self.model_for(path, Reading { inertia, missing_meshes, meshes, touches: false })
    }

    /// Model in the file at `path`. Each file is read once for each way of reading. Its notes and faults are recorded
    /// with their places in that file.
    pub fn model_with(
        &self,
        path: &Path,
        inertia: InertiaPolicy,
        missing_meshes: MissingMeshes,
        meshes: MeshCollisions,
    ) -> Option<Arc<Model>> {
        self.model_for(path, Reading { inertia, missing_meshes, meshes, touches: true })
    }

    fn model_for(&self, path: &Path, reading: Reading) -> Option<Arc<Model>> {
        let key = (path.to_owned(), reading);
        if let Some(model) = self.read().models.get(&key) {
            return model.clone();
        }
        let Reading { inertia, missing_meshes, ref meshes, touches } = key.1;
        let (meshes, model_paths) = (meshes.clone(), self.read().model_paths.clone());
        let shared = (key.0.clone(), key.1.clone(), model_paths.clone());
        if let Some(model) = self.cache.as_ref().and_then(|cache| cache.model(&shared)) {
            // Its notes were reported when it was read.
            self.read().models.insert(key, Some(model.clone()));
            return Some(model);
        }
        let options = LoadOptions { inertia, missing_meshes, meshes, model_paths, access: self.access.clone() };
        let read = match self.given(path) {
            Some(text) => kinegraph_models::parse_model(text, &path.display().to_string(), &options),
            None => kinegraph_models::read_model(path, &options),
        };
        let model = match read {
            Ok(loaded) => {
                // Limits that exclude zero are checked for the joints of the plant, with their initial positions.
                let asked_elsewhere = |note: &Note| matches!(note.kind, NoteKind::ZeroOutsideLimits { .. });
                let of_shapes = |note: &Note| note.kind.is_loss();
                let mut notes = loaded.notes;
                notes.retain(|note| !asked_elsewhere(note) && (touches || !of_shapes(note)));
                notes.iter().for_each(|note| self.log.note(note.into()));
                Some(Arc::new(loaded.model))
            }
            Err(error) => {
                for fault in error.faults {
                    let at = Position {
                        origin: Origin::File,
                        line: fault.line,
                        column: fault.column,
                        offset: fault.span.start,
                        length: fault.span.len(),
                    };
                    let kind = FaultKind::Model { message: fault.kind.to_string() };
                    self.log.push(FileFault { file: fault.file, at: (fault.line > 0).then_some(at), kind });
                }
                None
            }
        };
        if let (Some(cache), Some(model)) = (&self.cache, &model) {
            cache.keep_model(shared, model);
        }
        self.read().models.insert(key, model.clone());
        model
    }

    /// Length and checksum of the file that `written` names, if it names one; every file is read once for that.
    pub(super) fn content(&self, written: &str, at: Position) -> Option<String> {
        // Most texts are not file names, which have an extension.
        let path = written.contains('.').then(|| self.resolve(written, at, "").ok())??;
        if self.given(&path).is_some() {
            return None;
        }
        let known = self.read().contents.get(&path).cloned();
        let shared = || self.cache.as_ref().and_then(|cache| cache.content(&path));
        let content = known.or_else(shared).or_else(|| content_of(&path))?;
        if let Some(cache) = &self.cache {
            cache.keep_content(path.clone(), content.clone());
        }
        self.read().contents.insert(path, content.clone());
        Some(content)
    }

    /// Number of faults recorded.
    pub(super) fn count(&self) -> usize {
        self.log.count()
    }

    /// True if no fault was recorded.
    pub fn is_clean(&self) -> bool {
        self.log.is_clean()
    }

    /// Takes all faults: those of the diagram file in its order, then those of each model file in its order.
    ///
    /// # Errors
    /// The faults, if there is one.
    pub fn finish(&self) -> Result<(), FileFaults> {
        self.log.finish(&self.name)
    }

    /// Returns the existing file that `written` names, relative to the diagram file's folder.
    ///
    /// A file is data: its paths stay within its folder, links included, or within the folders that it lists as
    /// `model_paths`. A path given on the command line or by a program may be outside. Packages are searched in
    /// `model_paths`, in the folders above the file and in those of the environment.
    pub(super) fn resolve(&self, written: &str, at: Position, path: &str) -> Result<PathBuf, FaultKind> {
        let model_paths = self.read().model_paths.clone();
        if written.starts_with("package://") {
            let options = LoadOptions { model_paths, access: self.access.clone(), ..LoadOptions::default() };
            let located = kinegraph_models::locate(written, &self.folder, &options);
            let located =
                located.map_err(|fault| FaultKind::Conflict { path: path.into(), message: fault.to_string() })?;
            return match located.is_file() {
                true => {
                    self.access.note(&located);
                    Ok(located)
                }
                false => Err(FaultKind::NoFile { path: path.into(), file: located.display().to_string() }),
            };
        }
        let outside = || FaultKind::OutsideFolder { path: path.into(), file: written.into() };
        let inside = Path::new(written).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        let resolved = self.folder.join(written);
        let chosen = model_paths.iter().fold(FileAccess::default(), |access, folder| access.with(folder));
        let trusted = self.is_trusted(at.origin)
            || self.access.is_anywhere()
            || (!model_paths.is_empty() && chosen.holds(&resolved));
        if !trusted && !inside {
            return Err(outside());
        }
        if self.given(&resolved).is_some() {
            return Ok(resolved);
        }
        if resolved.is_dir() {
            let message = format!("`{}` is a folder: name a file in it", resolved.display());
            return Err(FaultKind::Conflict { path: path.into(), message });
        }
        if !resolved.is_file() {
            return Err(FaultKind::NoFile { path: path.into(), file: resolved.display().to_string() });
        }
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let stays_inside = match (resolved.canonicalize(), folder.canonicalize()) {
            (Ok(file), Ok(folder)) => file.starts_with(folder),
            _ => false,
        };
        if !trusted && !stays_inside {
            return Err(outside());
        }
        self.access.note(&resolved);
        Ok(resolved)
    }
}

/// Length and checksum of a file.
fn content_of(path: &Path) -> Option<String> {
    let (mut file, mut hasher, mut length) = (File::open(path).ok()?, crc32fast::Hasher::new(), 0);
    let mut bytes = vec![0; 1 << 16];
    loop {
        match file.read(&mut bytes).ok()? {
            0 => return Some(format!("{length} bytes, checksum {:08x}", hasher.finalize())),
            n => {
                hasher.update(&bytes[..n]);
                length += n;
            }
        }
    }
}

/// Path with links resolved, to compare files; unchanged if there is no such file.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
