//! The level above which a signal of logic is true.

use crate::form::{NUMBER, Number, WithDefault, with_default};

/// Halfway between 0 (false) and 1 (true).
pub(super) const TRUE_ABOVE: WithDefault<Number> =
    with_default("threshold", NUMBER, 0.5, "level above which an input is true [any]");
