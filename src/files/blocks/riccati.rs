//! Maximum size of linear systems for which gains are designed.

use crate::form::{Key, Reader};
use nalgebra::DMatrix;

/// Maximum number of states for which a Riccati equation is solved while a file is built: it takes about a second.
pub(super) const MAX_STATES: usize = 200;

/// Returns `None`, after recording a fault, if the system with the matrix `A` is too large.
pub(super) fn small_enough(r: &Reader<'_>, A: impl Key, value: &DMatrix<f64>) -> Option<()> {
    if value.nrows() > MAX_STATES {
        r.conflict(A, format!("{} states; gains are designed for at most {MAX_STATES}", value.nrows()));
        return None;
    }
    Some(())
}
