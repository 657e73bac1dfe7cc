//! Log of faults and notes of a diagram file and all files nested in it.

use super::fault::{FaultKind, FileFault, FileFaults};
use super::notes::FileNote;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of listed faults: more are not useful, and a hostile file must not fill the memory.
const MAX_FAULTS: usize = 200;

/// Maximum number of notes that are kept.
const MAX_NOTES: usize = 10_000;

/// Faults and notes.
#[derive(Debug, Default)]
pub(super) struct FaultLog {
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    faults: Vec<FileFault>,
    /// Number of faults beyond the listed ones.
    more: usize,
    /// Notes on files that were accepted.
    notes: Vec<FileNote>,
    /// Set of all notes, to find duplicates.
    known: HashSet<FileNote>,
}

impl FaultLog {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a fault.
    pub fn push(&self, fault: FileFault) {
        let mut found = self.found();
        if found.faults.len() >= MAX_FAULTS {
            found.more += 1;
        } else if !found.faults.contains(&fault) {
            // A file that is nested twice would report the same faults twice.
            found.faults.push(fault);
        }
    }

    /// True if further faults are only counted.
    pub fn is_full(&self) -> bool {
        self.found().faults.len() >= MAX_FAULTS
    }

    /// Records a note once: a model that is read in two ways repeats most notes.
    pub fn note(&self, note: FileNote) {
        let Found { notes, known, .. } = &mut *self.found();
        if notes.len() < MAX_NOTES && known.insert(note.clone()) {
            notes.push(note);
        }
    }

    /// Takes the notes, in the order in which they were recorded.
    pub fn take_notes(&self) -> Vec<FileNote> {
        let mut found = self.found();
        found.known.clear();
        std::mem::take(&mut found.notes)
    }

    /// Number of faults recorded.
    pub fn count(&self) -> usize {
        let found = self.found();
        found.faults.len() + found.more
    }

    /// True if no fault was recorded.
    pub fn is_clean(&self) -> bool {
        self.found().faults.is_empty()
    }

    /// Takes all faults: first those of the file `name` in its order, then those of each other file in its order.
    pub fn finish(&self, name: &str) -> Result<(), FileFaults> {
        let mut faults = std::mem::take(&mut self.found().faults);
        if faults.is_empty() {
            return Ok(());
        }
        let elsewhere = |fault: &FileFault| fault.at.is_some() && fault.file != name;
        let place = |fault: &FileFault| fault.at.map(|at| (at.line, at.column));
        faults.sort_by(|a, b| {
            let files =
                || if elsewhere(a) && elsewhere(b) { a.file.cmp(&b.file) } else { elsewhere(a).cmp(&elsewhere(b)) };
            files().then_with(|| place(a).cmp(&place(b)))
        });
        faults.dedup();
        let count = std::mem::take(&mut self.found().more);
        if count > 0 {
            faults.push(FileFault { file: name.to_owned(), at: None, kind: FaultKind::More { count } });
        }
        Err(FileFaults(faults))
    }
}
