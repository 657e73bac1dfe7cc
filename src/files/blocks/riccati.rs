//! How large linear systems may be for which gains are designed.

use crate::form::{Matrix, Needs, Reader};
use nalgebra::DMatrix;

/// Most states for which a Riccati equation is solved while a file is built: it takes about a second.
const MAX_STATES: usize = 200;

/// Reports a system, the value of the parameter `A`, that is too large to design for.
pub(super) fn small_enough(r: &Reader<'_>, A: Needs<Matrix>, value: &DMatrix<f64>) -> Option<()> {
    if value.nrows() > MAX_STATES {
        r.conflict(A, format!("{} states; gains are designed for at most {MAX_STATES}", value.nrows()));
        return None;
    }
    Some(())
}
