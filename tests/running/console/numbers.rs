//! Numbers for display.

use kinegraph::cli::numbers::short;

#[test]
fn numbers_keep_four_digits() {
    for (x, shown) in [(2.0, "2"), (0.123456, "0.1235"), (1.23456e-7, "1.235e-7"), (0.0, "0"), (-9.81, "-9.81")] {
        assert_eq!(short(x), shown);
    }
}
