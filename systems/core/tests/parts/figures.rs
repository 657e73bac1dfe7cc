//! Tests of `systems/core/figures.rs`.

use kinegraph_core::figures::four_digits;

#[test]
fn four_digits_count() {
    for (x, text) in [
        (1525883.4495297102, "1526000"),
        (39.405552669605555, "39.41"),
        (-0.045706, "-0.04571"),
        (0.0, "0"),
        (1.52571e12, "1.526e12"),
        (3.2e-9, "3.200e-9"),
        (2.0, "2.000"),
    ] {
        assert_eq!(four_digits(x), text);
    }
}
