//! Restitution of an impact.
//!
//! For the law `m x'' = -k x (1 + d x')` (x: depth), with impact speed v and rebound speed e v, energy and dissipation
//! during contact give, whatever m and k,
//!
//! ```text
//! G(d v) = G(-d e v),   G(s) = s - ln(1 + s),
//! ```
//!
//! from `m w dw/dx = -k x (1 + d w)` by separation of the variables. Also with `y = 1 - d e v`:
//! `y - 1 - ln y = s - ln(1 + s)`, s = d v, on 0 < y < 1.

/// Value of s below which the series is used: its error is of the third order.
const SERIES_THRESHOLD: f64 = 1e-4; // formula
/// Value of s above which the other root is the exponential but for rounding.
const ASYMPTOTE_THRESHOLD: f64 = 30.0; // formula

/// Restitution e of an impact at the speed v, by `s = d v`: 1 without dissipation, falling to `1/s`.
pub fn restitution(s: f64) -> f64 {
    if s < SERIES_THRESHOLD {
        return 1.0 - s * (2.0 / 3.0 - s * (4.0 / 9.0)); // formula
    }
    let level = s - s.ln_1p();
    let least = (-1.0 - level).exp();
    if s > ASYMPTOTE_THRESHOLD {
        return (1.0 - least) / s;
    }
    // Newton's method, kept between bounds: y - 1 - ln y falls from `least` to one.
    let (mut low, mut high) = (least, 1.0);
    let mut y = (1.0 - (2.0 * level).sqrt()).max(least);
    for _ in 0..60 {
        let excess = y - 1.0 - y.ln() - level;
        if excess > 0.0 {
            low = y;
        } else {
            high = y;
        }
        let next = y - excess * y / (y - 1.0);
        let next = if low < next && next < high { next } else { 0.5 * (low + high) };
        // rounding
        if (next - y).abs() <= 1e-16 {
            break;
        }
        y = next;
    }
    (1.0 - y) / s
}
