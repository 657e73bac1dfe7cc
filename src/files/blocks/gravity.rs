//! Gravity, where a file states none.

use crate::form::{Vector, WithDefault, with_default};

/// The parameter `gravity`.
pub(super) const fn gravity(about: &'static str) -> WithDefault<Vector<3>> {
    with_default("gravity", Vector { about: "[x, y, z] in m/s²" }, [0.0, 0.0, -9.81], about)
}
