//! Contacts, constraints, stops and locks in linear models.
//!
//! [`LinearContact::Law`] takes the derivatives of the laws of contact ([`law`]); [`LinearContact::Hold`] makes
//! bilateral constraints of what sticks ([`rows`]). Rigid constraints and locks hold in every model.

pub(super) mod directions;
mod law;
pub(super) mod report;
pub(super) mod rows;

pub use report::{HeldKind, HeldPart};

pub(super) use law::Laws;

/// Treatment of contacts in a linear model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinearContact {
    /// Their laws: normal stiffness and dissipation, regularized friction, resistance to rolling, with the shapes.
    #[default]
    Law,
    /// Bodies that stick hold, those that slide keep their distance and rub; the states are those of the motion left.
    Hold,
    /// They are left out, as if bodies did not touch, and joint stops with them.
    Without,
}

impl LinearContact {
    /// The models by their names in files and options.
    pub const NAMED: [(&'static str, LinearContact); 3] =
        [("law", LinearContact::Law), ("hold", LinearContact::Hold), ("none", LinearContact::Without)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            LinearContact::Law => "law",
            LinearContact::Hold => "hold",
            LinearContact::Without => "none",
        }
    }
}

/// Forces that follow from the motion, beside those of the smooth one.
#[derive(Clone, Copy, Debug)]
struct Yielding {
    contacts: bool,
    stops: bool,
}

impl From<LinearContact> for Yielding {
    fn from(model: LinearContact) -> Self {
        Yielding { contacts: model == LinearContact::Law, stops: model != LinearContact::Without }
    }
}
