//! Faults and notes found in the files of a model, each with its place in its own file.

use super::element::{At, Element};
use super::files::Files;
use crate::faults::FaultKind;
use crate::notes::MjcfNote;
use crate::notes::NoteKind;
use crate::options::LoadOptions;
use crate::report::{LoadError, Loaded, Report};
use crate::source::Place;
use kinegraph_multibody::Model;
use std::path::Path;

/// Collects faults and notes of all files.
pub(super) struct Log<'t> {
    reports: Vec<Report<'t>>,
}

impl<'t> Log<'t> {
    pub fn new(files: &'t Files, options: &LoadOptions) -> Self {
        let reports = files.names.iter().zip(&files.texts).map(|(name, text)| Report::new(name, text, 0..0, options));
        Log { reports: reports.collect() }
    }

    /// Records a fault.
    pub fn fault(&mut self, at: &At, kind: impl Into<FaultKind>) {
        self.reports[at.file].fault(at.span.clone(), kind.into());
    }

    /// Records a fault unless there is one at the same place: many elements have the numbers of one default class.
    pub fn fault_once(&mut self, at: &At, kind: impl Into<FaultKind>) {
        if !self.reports[at.file].has_fault(at.span.start) {
            self.fault(at, kind);
        }
    }

    /// Records a note unless there is one at the same place.
    pub fn note_once(&mut self, at: &At, kind: impl Into<NoteKind>) {
        if !self.reports[at.file].has_note(at.span.start) {
            self.note(at, kind);
        }
    }

    /// Records a note.
    pub fn note(&mut self, at: &At, kind: impl Into<NoteKind>) {
        self.reports[at.file].note(at.span.clone(), kind.into());
    }

    /// Notes that something of an element is not, or not quite, what the file says.
    pub fn differs(&mut self, element: &Element, how: &'static str) {
        self.note(&element.at, MjcfNote::Differs { element: element.describe(), how });
    }

    /// Notes that an element, or an attribute of it, is not simulated.
    pub fn ignored(&mut self, at: &At, element: &str, attribute: Option<&str>) {
        let element = element.to_owned();
        self.note(at, MjcfNote::Ignored { element, attribute: attribute.map(str::to_owned) });
    }

    /// The line and column of a place.
    pub fn place(&self, at: &At) -> Place {
        self.reports[at.file].place(at.span.start)
    }

    /// How the files are read.
    pub fn options(&self) -> &LoadOptions {
        self.reports[0].options()
    }

    /// The folder of the main file.
    pub fn folder(&self) -> &Path {
        self.reports[0].folder()
    }

    /// The folder of the file that a place is in.
    pub fn folder_of(&self, at: &At) -> &Path {
        self.reports[at.file].folder()
    }

    /// The name nearest to a wrong one.
    pub fn nearest<'c>(&self, name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
        self.reports[0].nearest(name, candidates)
    }

    /// The model with all notes, or all faults: file by file.
    pub fn finish(self, model: Model) -> Result<Loaded, LoadError> {
        let (mut notes, mut faults) = (Vec::new(), Vec::new());
        for report in self.reports {
            match report.finish(Model::default()) {
                Ok(loaded) => notes.extend(loaded.notes),
                Err(error) => faults.extend(error.faults),
            }
        }
        if faults.is_empty() { Ok(Loaded { model, notes }) } else { Err(LoadError { faults }) }
    }
}
