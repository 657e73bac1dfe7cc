//! A bracketed root.

/// A root in [-1, 1] of a function that does not fall (to within `tolerance` of its value), or the end nearest to one,
/// by the secant method with the far end's value halved (Illinois), and a bisection at every fourth step.
pub(super) fn crossing(f: impl Fn(f64) -> f64, tolerance: f64) -> f64 {
    let (mut low, mut high) = (-1.0_f64, 1.0_f64);
    let (mut f_low, mut f_high) = (f(low), f(high));
    if f_low >= -tolerance {
        return low;
    }
    if f_high <= tolerance {
        return high;
    }
    let mut last_side = 0;
    for i in 0..100 {
        let secant = (low * f_high - high * f_low) / (f_high - f_low);
        let s = if i % 4 == 3 || !(secant > low && secant < high) { 0.5 * (low + high) } else { secant };
        if s <= low || s >= high || high - low < 1e-15 {
            break;
        }
        let value = f(s);
        if value.abs() <= tolerance {
            return s;
        } else if value < 0.0 {
            (low, f_low) = (s, value);
            if last_side == -1 {
                f_high *= 0.5;
            }
            last_side = -1;
        } else {
            (high, f_high) = (s, value);
            if last_side == 1 {
                f_low *= 0.5;
            }
            last_side = 1;
        }
    }
    0.5 * (low + high)
}
