//! Tests of `src/methods/theta_gamma/cone.rs`.

use kinegraph_methods::theta_gamma::cone::{Cone, Impulse};

/// The projection onto the cone is the nearest impulse of the cone, and its derivative agrees with differences.
#[test]
fn cone_projection_is_nearest_and_its_derivative_is_right() {
    let cone = Cone { friction: 0.6, compliance: (0.3, 0.7) };
    let distance = |g: &Impulse, y: &Impulse| {
        let tangents: f64 = (1..4).map(|i| (g[i] - y[i]).powi(2)).sum();
        0.3 * (g[0] - y[0]).powi(2) + 0.7 * tangents
    };
    let mut surfaces = 0;
    for seed in 0..200 {
        let number = |k: usize| ((seed * 4 + k) as f64 * 12.9898).sin();
        let y = [0, 1, 2, 3].map(number);
        let (found, slope) = cone.project(&y);
        let length = (found[1].powi(2) + found[2].powi(2) + found[3].powi(2)).sqrt();
        assert!(length <= 0.6 * found[0] + 1e-12);
        surfaces += usize::from(length > 0.0 && found != y);
        for other in 0..50 {
            let s = [1, 2, 3].map(|k| ((other * 3 + k) as f64 * 78.233).sin());
            let size = (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]).sqrt();
            let normal = f64::from(other as u32) / 25.0;
            let part = 0.6 * normal / size.max(1.0);
            let other = [normal, s[0] * part, s[1] * part, s[2] * part];
            assert!(distance(&other, &y) >= distance(&found, &y) - 1e-12);
        }
        for k in 0..4 {
            let r = if k == 0 { 0.3 } else { 0.7 };
            let near = |sign: f64| {
                let mut y = y;
                y[k] += sign * 1e-7 / r;
                cone.project(&y).0
            };
            let (more, less) = (near(1.0), near(-1.0));
            for i in 0..4 {
                assert!(((more[i] - less[i]) / 2e-7 - slope[i][k]).abs() < 1e-5, "{y:?}");
            }
        }
    }
    assert!(surfaces > 50);
    assert_eq!(Cone { friction: 0.0, ..cone }.project(&[2.0, 1.0, 0.0, 0.0]).0, [2.0, 0.0, 0.0, 0.0]);
}
