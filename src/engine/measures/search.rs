//! Searches on an interval: the lowest point of a function, and the point where a truth changes.

/// Part of an interval that a step of the search for a minimum keeps: the golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Steps of that search: the interval shrinks to the root of the rounding, below which the function is flat.
const MAX_GOLDEN_STEPS: usize = 40;
/// Bisections: an interval shrinks to the distance of two numbers.
const MAX_BISECTIONS: usize = 120;

/// The lowest point of `f` between `low` and `high`, and its value, by golden section: there it falls, then rises.
pub fn lowest(mut low: f64, mut high: f64, mut f: impl FnMut(f64) -> f64) -> (f64, f64) {
    let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let mut values = inner.map(&mut f);
    for _ in 0..MAX_GOLDEN_STEPS {
        if values[0] <= values[1] {
            high = inner[1];
            inner = [high - GOLDEN * (high - low), inner[0]];
            values = [f(inner[0]), values[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + GOLDEN * (high - low)];
            values = [values[1], f(inner[1])];
        }
    }
    let least = usize::from(values[1] < values[0]);
    (inner[least], values[least])
}

/// The first point, to rounding, at which `is_true` holds between `low`, where it does not, and `high`, where it does.
pub fn change(mut low: f64, mut high: f64, mut is_true: impl FnMut(f64) -> bool) -> f64 {
    for _ in 0..MAX_BISECTIONS {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            break;
        }
        if is_true(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
