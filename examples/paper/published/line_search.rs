//! The exact line search: the root of the slope along a direction, by Newton's method safeguarded by bisection
//! \[Kurtz and Castro, CENIC, sec. VI-D\], from one of three starts.

/// Where the search starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// At the full step.
    Full,
    /// At the minimum of the parabola through the costs at both ends and the slope at the first.
    Quadratic,
    /// At the minimum of the cubic through costs and slopes at both ends.
    #[default]
    Cubic,
}

/// The three starts, in the order in which their iterations are counted.
pub const STARTS: [Start; 3] = [Start::Full, Start::Quadratic, Start::Cubic];

/// Slopes are found to this part of that at the start.
const TOLERANCE: f64 = 1e-8;

/// The cost along a direction: value, slope and curvature.
pub struct Ends {
    /// Cost and slope at 0.
    pub first: (f64, f64),
    /// Cost, slope and curvature at 1.
    pub last: (f64, f64, f64),
}

impl Start {
    /// The first guess.
    fn guess(self, ends: &Ends) -> f64 {
        let ((l0, s0), (l1, s1, _)) = (ends.first, ends.last);
        let guess = match self {
            Start::Full => 1.0,
            Start::Quadratic => -s0 / (2.0 * (l1 - l0 - s0)),
            Start::Cubic => {
                // 3 a t² + 2 b t + c = 0
                let (a, b, c) = (2.0 * (l0 - l1) + s0 + s1, -3.0 * (l0 - l1) - 2.0 * s0 - s1, s0);
                let root = (b * b - 3.0 * a * c).max(0.0).sqrt();
                if b > 0.0 { -c / (b + root) } else { (root - b) / (3.0 * a) }
            }
        };
        if guess > 0.0 && guess <= 1.0 { guess } else { 0.5 }
    }
}

/// The root of the slope in (0, 1] and the evaluations that it took beyond those of the ends; `at` gives slope and
/// curvature.
pub fn search(ends: &Ends, start: Start, mut at: impl FnMut(f64) -> (f64, f64)) -> (f64, usize) {
    let (scale, (_, slope1, curvature1)) = (-ends.first.1, ends.last);
    // The full step still descends, or all but ends at the minimum.
    if slope1 <= f64::EPSILON || slope1 <= TOLERANCE * scale {
        return (1.0, 0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    let (mut alpha, mut last) = (start.guess(ends), 1.0_f64);
    let mut known = (start == Start::Full).then_some((slope1, curvature1));
    let mut evaluations = 0;
    while evaluations < 100 {
        let (slope, curvature) = known.take().unwrap_or_else(|| {
            evaluations += 1;
            at(alpha)
        });
        if slope.abs() <= TOLERANCE * scale {
            break;
        }
        (low, high) = if slope > 0.0 { (low, alpha) } else { (alpha, high) };
        let mut next = alpha - slope / curvature;
        if 2.0 * slope.abs() > (last * curvature).abs() || !(next > low && next < high) {
            next = 0.5 * (low + high);
        }
        last = next - alpha;
        alpha = next;
        if last.abs() < TOLERANCE {
            break;
        }
    }
    (alpha, evaluations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_leads_to_the_root_and_the_cubic_one_is_exact_on_cubics() {
        // l = t³ + t²/2 - t has its minimum where 3 t² + t - 1 = 0.
        let (slope, curvature) = (|t: f64| 3.0 * t * t + t - 1.0, |t: f64| 6.0 * t + 1.0);
        let ends = Ends { first: (0.0, -1.0), last: (0.5, slope(1.0), curvature(1.0)) };
        let root = (13.0_f64.sqrt() - 1.0) / 6.0;
        for start in STARTS {
            let (found, evaluations) = search(&ends, start, |t| (slope(t), curvature(t)));
            assert!((found - root).abs() < 1e-8, "{start:?}: {found}");
            assert_eq!(evaluations == 1, start == Start::Cubic, "{start:?}: {evaluations}");
        }
    }
}
