//! Numbers in messages.

/// A number with the four digits that count: `1526000`, `0.04571`, `1.526e12`.
pub fn four_digits(x: f64) -> String {
    let digits = 3.0 - x.abs().max(f64::MIN_POSITIVE).log10().floor();
    if x == 0.0 {
        "0".into()
    } else if (0.0..=8.0).contains(&digits) {
        format!("{x:.*}", digits as usize)
    } else if (-6.0..0.0).contains(&digits) {
        let unit = 10_f64.powf(-digits);
        format!("{:.0}", (x / unit).round() * unit)
    } else {
        format!("{x:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::four_digits;

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
}
