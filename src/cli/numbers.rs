//! Numbers for people.

use crate::files::node::show_number;

/// Four digits: enough to read, not more.
pub fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    show_number(rounded)
}
