//! Notes on derivatives: where there is none, or none that holds far.

use serde::Serialize;
use std::fmt;

/// Kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// Bodies touch, or a function crosses, so slowly that the time of it changes without bound.
    Grazing,
    /// Something almost happens: beyond a small change it does.
    NearMiss,
    /// Two events are so close in time that a small change exchanges them.
    Order,
    /// Errors of the run grow so much that they decide.
    Amplified,
    /// The estimated error is more than a tenth of the derivative.
    Estimate,
    /// A block has a corner between the runs beside, or jumps without a witness function, or errors of derivatives do
    /// not shrink with the steps.
    Kink,
    /// A time at which bodies touch was not found, or not looked for.
    Bracketed,
    /// A block does not change with its input, or a number is at an end of what it may be.
    Held,
}

impl NoteKind {
    /// All kinds, in their order.
    pub const ALL: [NoteKind; 8] = [
        NoteKind::Grazing,
        NoteKind::NearMiss,
        NoteKind::Order,
        NoteKind::Amplified,
        NoteKind::Estimate,
        NoteKind::Kink,
        NoteKind::Bracketed,
        NoteKind::Held,
    ];

    /// Name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            NoteKind::Grazing => "grazing",
            NoteKind::NearMiss => "near_miss",
            NoteKind::Order => "order",
            NoteKind::Amplified => "amplified",
            NoteKind::Estimate => "estimate",
            NoteKind::Kink => "kink",
            NoteKind::Bracketed => "bracketed",
            NoteKind::Held => "held",
        }
    }
}

/// A note on derivatives of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// Its kind.
    pub kind: NoteKind,
    /// Time \[s\], of what has one.
    pub time: Option<f64>,
    /// The number by which is differentiated, if it concerns one.
    pub by: Option<String>,
    /// The note, in words.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind.name())?;
        if let Some(time) = self.time {
            write!(f, " at {time:.6} s")?;
        }
        write!(f, ": {}", self.text)
    }
}
