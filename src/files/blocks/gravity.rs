//! Gravity, where a file states none.

use crate::files::form::{Takes, Vector, takes};

/// The parameter `gravity`.
pub(super) const fn gravity(about: &'static str) -> Takes<Vector<3>> {
    takes("gravity", Vector { about: "[x, y, z] in m/s²" }, [0.0, 0.0, -9.81], about)
}
