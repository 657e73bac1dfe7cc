//! Numbers in messages.

/// A number with four significant digits: `1526000`, `0.04571`, `1.526e12`.
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
