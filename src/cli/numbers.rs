//! Numbers for display.

use crate::files::node::show_rounded;

/// Number with four digits.
pub fn short(x: f64) -> String {
    show_rounded(x, 3)
}

/// Number with seven digits.
pub fn long(x: f64) -> String {
    show_rounded(x, 6)
}
