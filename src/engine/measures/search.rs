//! Searches on an interval: the lowest point of a function, and the point where a truth changes.

/// Part of an interval by which a step of golden section goes into it.
const GOLDEN: f64 = 0.381_966_011_250_105_1;
/// Steps of that search, at most: golden sections alone shrink the interval to the root of the rounding.
const MAX_STEPS: usize = 40;
/// Part of the interval to which a lowest point is found: the root of the rounding, below which the function is flat.
const FLAT: f64 = 1e-8;
/// Bisections: an interval shrinks to the distance of two numbers.
const MAX_BISECTIONS: usize = 120;

/// The lowest point of `f` between `low` and `high`, and its value: there it falls, then rises. By parabolas through
/// three points, and golden sections where these do not shrink the interval \[Brent 1973, Algorithms for minimization
/// without derivatives, chapter 5\].
pub fn lowest(low: f64, high: f64, mut f: impl FnMut(f64) -> f64) -> (f64, f64) {
    let (mut a, mut b) = (low, high);
    let least = FLAT * (high - low);
    let start = a + GOLDEN * (b - a);
    // The lowest point so far, the second lowest, and the one before that.
    let mut x = (start, f(start));
    let (mut w, mut v) = (x, x);
    let (mut step, mut last_but_one) = (0.0_f64, 0.0_f64);
    for _ in 0..MAX_STEPS {
        let middle = 0.5 * (a + b);
        if (x.0 - middle).abs() + 0.5 * (b - a) <= 2.0 * least {
            break;
        }
        let before = last_but_one;
        last_but_one = step;
        step = parabola(x, w, v)
            .filter(|step| {
                let to = x.0 + step;
                step.abs() < 0.5 * before.abs() && to > a + least && to < b - least
            })
            .unwrap_or_else(|| {
                last_but_one = if x.0 < middle { b - x.0 } else { a - x.0 };
                GOLDEN * last_but_one
            });
        let to = x.0 + if step.abs() >= least { step } else { least.copysign(step) };
        let u = (to, f(to));
        if u.1 <= x.1 {
            if u.0 < x.0 {
                b = x.0
            } else {
                a = x.0
            }
            (v, w, x) = (w, x, u);
        } else {
            if u.0 < x.0 {
                a = u.0
            } else {
                b = u.0
            }
            if u.1 <= w.1 || w.0 == x.0 {
                (v, w) = (w, u);
            } else if u.1 <= v.1 || v.0 == x.0 || v.0 == w.0 {
                v = u;
            }
        }
    }
    x
}

/// Step from `x` to the extreme point of the parabola through three points.
fn parabola(x: (f64, f64), w: (f64, f64), v: (f64, f64)) -> Option<f64> {
    let r = (x.0 - w.0) * (x.1 - v.1);
    let q = (x.0 - v.0) * (x.1 - w.1);
    let step = -((x.0 - v.0) * q - (x.0 - w.0) * r) / (2.0 * (q - r));
    step.is_finite().then_some(step)
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
