//! Tests of `src/engine/simulate/bracket.rs`.

use kinegraph_engine::simulate::bracket::Bracket;

/// Root and number of looks of a function that is negative at 0 and positive at 1.
fn find(f: impl Fn(f64) -> f64) -> (f64, usize) {
    let mut bracket = Bracket::new(0.0, 1.0, 1e-15);
    let mut looks = 0;
    while let Some(t) = bracket.next(f(bracket.low), f(bracket.high)) {
        if f(t) > 0.0 {
            bracket.cut_high(t);
        } else {
            bracket.cut_low(t);
        }
        looks += 1;
    }
    assert!(f(bracket.high()) > 0.0);
    (bracket.high(), looks)
}

#[test]
fn smooth_functions_take_few_looks_and_jumps_no_more_than_bisection() {
    for (f, root, most) in [
        (&(|t: f64| t - 0.3) as &dyn Fn(f64) -> f64, 0.3, 6),
        (&|t: f64| t * t - 0.5, 0.5_f64.sqrt(), 14),
        (&|t: f64| (20.0 * (t - 0.9)).exp() - 1.0, 0.9, 24),
        (&|t: f64| (t - 0.2).powi(9), 0.2, 160),
        (&|t: f64| if t < 1.0 / 3.0 { -1e-9 } else { 5.0 }, 1.0 / 3.0, 160),
    ] {
        let (found, looks) = find(f);
        assert!((found - root).abs() < 1e-14 || f(found) < 1e-15, "{found} instead of {root}");
        assert!(looks <= most, "{looks} looks for {root}");
    }
}
