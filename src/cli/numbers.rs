//! Numbers for display.

use crate::files::node::show_number;

/// Number with four digits.
pub fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    show_number(rounded)
}
