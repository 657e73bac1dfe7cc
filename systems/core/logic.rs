//! Logical signals: 0 and 1, true above a half; and truths that a block holds as discrete state.

/// Level above which a signal is true.
pub const TRUE_ABOVE: f64 = 0.5;

/// A truth that is not held yet, before time zero: the signals of the moment decide.
pub const UNDECIDED: f64 = -1.0;

/// True if a signal is true.
pub fn is_true(signal: f64) -> bool {
    signal > TRUE_ABOVE
}

/// A truth as a signal, or as a number of discrete state.
pub fn number(truth: bool) -> f64 {
    f64::from(u8::from(truth))
}

/// The truth that discrete state holds; `None` before one is held.
pub fn held(state: f64) -> Option<bool> {
    (state != UNDECIDED).then_some(is_true(state))
}

/// Value of a witness function at this `distance` from where a truth changes: positive if the truth `is_other` than the
/// one that is held. A distance of zero is made positive then, so that what becomes true at equality is seen to cross.
/// Not-a-number stays.
pub fn due(is_other: bool, distance: f64) -> f64 {
    match (distance.is_nan(), is_other) {
        (true, _) => f64::NAN,
        (false, true) => distance.abs().max(f64::MIN_POSITIVE),
        (false, false) => -distance.abs(),
    }
}

/// The smaller one of two margins; not-a-number if one of them is.
pub fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}
