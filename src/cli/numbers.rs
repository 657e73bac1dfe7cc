//! Numbers for people.

use crate::files::node::show_number;

/// Four digits: enough to read, not more.
pub(super) fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    show_number(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        for (x, shown) in [(2.0, "2"), (0.123456, "0.1235"), (1.23456e-7, "1.235e-7"), (0.0, "0"), (-9.81, "-9.81")] {
            assert_eq!(short(x), shown);
        }
    }
}
