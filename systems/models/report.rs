//! The load report: faults and notes of a reader, collected while it reads and sorted by place at the end.

use super::element_path;
use super::faults::FaultKind;
use super::mesh;
use super::notes::NoteKind;
use super::options::LoadOptions;
use super::source::{Lines, Place};
use kinegraph_core::names::nearest;
use kinegraph_multibody::Model;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A model with the notes on its file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Notes on everything ignored, assumed or doubtful, in file order.
    pub notes: Vec<Note>,
}

/// Error of a file that was refused: every fault found, in file order, never empty.
#[derive(Clone, thiserror::Error)]
#[error("{}", .faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct LoadError {
    /// The faults.
    pub faults: Vec<Fault>,
}

kinegraph_core::debug_is_message!(LoadError);

/// A fault that makes a file unusable.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Path or name of the file.
    pub file: String,
    /// Line, from 1; 0 if the file could not be read at all.
    pub line: usize,
    /// Column in characters, from 1; 0 with line 0.
    pub column: usize,
    /// Byte range of the fault in the file.
    pub span: Range<usize>,
    /// Kind of the fault.
    pub kind: FaultKind,
}

/// A place in a file.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    file: String,
    pub(super) place: Place,
    span: Range<usize>,
}

/// A note on a file that was accepted.
#[derive(Clone, Debug)]
pub struct Note {
    /// Path or name of the file.
    pub file: String,
    /// Line of the first occurrence, from 1.
    pub line: usize,
    /// Column of the first occurrence in characters, from 1.
    pub column: usize,
    /// Path of the element that it is about: `robot/link[arm]/collision/geometry`.
    pub element: String,
    /// The bytes of the file that the note is about (first occurrence).
    pub span: Range<usize>,
    /// Kind of the note.
    pub kind: NoteKind,
    /// Number of occurrences; only ignored elements and attributes are counted together.
    pub count: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return write!(f, "{}: {}", self.file, self.kind);
        }
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.kind)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.kind)?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}

impl LoadError {
    /// The error of a file that could not be read or decoded: one fault.
    pub(super) fn single(file: &str, place: Place, kind: FaultKind) -> Self {
        let Place { line, column } = place;
        Self { faults: vec![Fault { file: file.to_owned(), line, column, span: 0..0, kind }] }
    }
}

/// Maximum number of faults (and of notes) kept from one file; further ones are counted.
const MAX_FAULTS: usize = 1000;

/// Collects faults and notes of one file.
pub(super) struct Report<'t> {
    file: String,
    options: LoadOptions,
    lines: Lines<'t>,
    /// Folder of meshes that are not found at their addresses, if the file states one.
    mesh_folder: Option<PathBuf>,
    /// Text that the reader put into its working copy of the file; see [`Report::original`].
    inserted: Range<usize>,
    faults: Vec<Fault>,
    omitted_faults: usize,
    notes: Vec<Note>,
    omitted_notes: usize,
    /// Ignored elements and attributes by their message: index of the note that counts them.
    ignored: HashMap<String, usize>,
    /// Faults and notes of files that this one includes.
    of_others: (Vec<Fault>, Vec<Note>),
}

impl<'t> Report<'t> {
    /// A report on `text`, of which the reader works on a copy with additional bytes at `inserted` (may be empty).
    pub(super) fn new(file: &str, text: &'t str, inserted: Range<usize>, options: &LoadOptions) -> Self {
        let access = options.access_of_model(Path::new(file));
        Self {
            file: file.to_owned(),
            options: LoadOptions { access, ..options.clone() },
            lines: Lines::new(text),
            mesh_folder: None,
            inserted,
            faults: Vec::new(),
            omitted_faults: 0,
            notes: Vec::new(),
            omitted_notes: 0,
            ignored: HashMap::new(),
            of_others: Default::default(),
        }
    }

    /// Sets the folder in which meshes that are not found at their addresses are searched for by name.
    pub(super) fn set_mesh_folder(&mut self, folder: &str) {
        self.mesh_folder = Some(PathBuf::from(folder));
    }

    /// The address of a mesh, resolved by the conventions of the file.
    pub(super) fn mesh_address<'a>(&self, written: &'a str) -> Cow<'a, str> {
        let written = written.trim();
        let name = written.rsplit(['/', '\\']).next().unwrap_or(written);
        match &self.mesh_folder {
            Some(folder) if mesh::find(written, self.folder(), &self.options).is_err() => {
                folder.join(name).display().to_string().into()
            }
            _ => written.into(),
        }
    }

    /// Records a fault at a byte range of the working copy.
    pub(super) fn fault(&mut self, span: Range<usize>, kind: FaultKind) {
        if self.faults.len() >= MAX_FAULTS {
            self.omitted_faults += 1;
            return;
        }
        let span = self.original(span);
        let Place { line, column } = self.lines.place(span.start);
        self.faults.push(Fault { file: self.file.clone(), line, column, span, kind });
    }

    /// True if a fault begins at this byte of the file.
    pub(super) fn has_fault(&self, start: usize) -> bool {
        self.faults.iter().any(|fault| fault.span.start == start)
    }

    /// True if a note begins at this byte of the file.
    pub(super) fn has_note(&self, start: usize) -> bool {
        self.notes.iter().any(|note| note.span.start == start)
    }

    /// Origin of a byte range of the working copy, for a fault that is found while another file is read.
    pub(super) fn origin(&self, span: Range<usize>) -> Origin {
        let span = self.original(span);
        Origin { file: self.file.clone(), place: self.lines.place(span.start), span }
    }

    /// Records a fault at a place of this file or of one that it includes.
    pub(super) fn fault_at(&mut self, at: &Origin, kind: FaultKind) {
        let Origin { file, place: Place { line, column }, span } = at.clone();
        let fault = Fault { file, line, column, span, kind };
        let (own, others) = (&mut self.faults, &mut self.of_others.0);
        let list = if fault.file == self.file { own } else { others };
        if list.len() < MAX_FAULTS {
            list.push(fault);
        } else {
            self.omitted_faults += 1;
        }
    }

    /// Records a note on a number that is likely to be a mistake, if `doubt` says so.
    pub(super) fn note_strange(&mut self, span: Range<usize>, element: String, attribute: &str, doubt: Option<String>) {
        if let Some(strange) = doubt {
            self.note(span, NoteKind::StrangeNumber { element, attribute: attribute.to_owned(), strange });
        }
    }

    /// Records a note at a byte range of the working copy.
    pub(super) fn note(&mut self, span: Range<usize>, kind: NoteKind) {
        if self.notes.len() >= MAX_FAULTS {
            self.omitted_notes += 1;
            return;
        }
        if kind.is_counted() {
            let next = self.notes.len();
            let index = *self.ignored.entry(kind.to_string()).or_insert(next);
            if let Some(note) = self.notes.get_mut(index) {
                note.count += 1;
                return;
            }
        }
        let span = self.original(span);
        let Place { line, column } = self.lines.place(span.start);
        let (file, element) = (self.file.clone(), String::new());
        self.notes.push(Note { file, line, column, element, span, kind, count: 1 });
    }

    /// True if further faults are only counted, so that suggestions for them are wasted work.
    pub(super) fn is_full(&self) -> bool {
        self.faults.len() + self.of_others.0.len() >= MAX_FAULTS
    }

    /// True if no fault was recorded, for this file and those it includes.
    pub(super) fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.of_others.0.is_empty()
    }

    /// Records the faults and notes of an included file.
    pub(super) fn adopt(&mut self, read: Result<Loaded, LoadError>) {
        match read {
            Ok(loaded) => self.of_others.1.extend(loaded.notes),
            Err(error) => self.of_others.0.extend(error.faults),
        }
    }

    /// Options with which the file is read.
    pub(super) fn options(&self) -> &LoadOptions {
        &self.options
    }

    /// The folder of the file, to which paths in it are relative.
    pub(super) fn folder(&self) -> &Path {
        Path::new(&self.file).parent().unwrap_or(Path::new(""))
    }

    /// Place of a byte offset of the working copy.
    pub(super) fn place(&self, offset: usize) -> Place {
        self.lines.place(self.original(offset..offset).start)
    }

    /// The name nearest to a wrong one; `None` if so much is wrong already that nobody would read it.
    pub(super) fn nearest<'c>(&self, name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
        if self.faults.len() >= MAX_FAULTS || self.notes.len() >= MAX_FAULTS {
            return None;
        }
        nearest(name, candidates)
    }

    /// The model with its notes, or all faults.
    pub(super) fn finish(mut self, model: Model) -> Result<Loaded, LoadError> {
        self.faults.sort_by_key(|fault| fault.span.start);
        self.notes.sort_by_key(|note| note.span.start);
        let offsets: Vec<usize> = self.notes.iter().map(|note| note.span.start).collect();
        for (note, element) in self.notes.iter_mut().zip(element_path::paths(self.lines.text(), &offsets)) {
            note.element = element;
        }
        if let Some(last) = self.faults.last().filter(|_| self.omitted_faults > 0) {
            let more = Fault { kind: FaultKind::More { count: self.omitted_faults }, ..last.clone() };
            self.faults.push(more);
        }
        if let Some(last) = self.notes.last().filter(|_| self.omitted_notes > 0) {
            let more = Note { kind: NoteKind::More { count: self.omitted_notes }, count: 1, ..last.clone() };
            self.notes.push(more);
        }
        self.faults.append(&mut self.of_others.0);
        self.notes.append(&mut self.of_others.1);
        if self.faults.is_empty() {
            Ok(Loaded { model, notes: self.notes })
        } else {
            Err(LoadError { faults: self.faults })
        }
    }

    /// Converts a byte range of the working copy to one of the file.
    fn original(&self, span: Range<usize>) -> Range<usize> {
        let Range { start, end } = self.inserted;
        let back = |offset: usize| if offset >= end { offset - (end - start) } else { offset.min(start) };
        back(span.start)..back(span.end)
    }
}
