//! Tests of `systems/models/mjcf/surfaces.rs`.

use kinegraph_models::mjcf::surfaces::Impedance;

/// Depths at which a body rests in the reference implementation (version 4.0.0) \[mm\].
#[test]
fn bodies_rest_as_deep_as_they_were_measured() {
    let default = [0.9, 0.95, 0.001, 0.5, 2.0];
    for (solimp, solref, depth) in [
        (default, [0.02, 1.0], 0.36718),
        (default, [0.04, 1.0], 0.83329),
        (default, [0.02, 0.5], 0.10776),
        ([0.95, 0.99, 0.001, 0.5, 2.0], [0.02, 1.0], 0.19834),
    ] {
        let found = 1e3 * Impedance { solimp, solref }.rest_depth(9.81);
        assert!((found - depth).abs() < 1e-5, "{found} instead of {depth}");
    }
}

/// Spring and damper by time constant and damping ratio, and as they are: K = 1/(T² ζ²), B = 2/T.
#[test]
fn negative_numbers_are_the_spring_and_the_damper() {
    let solimp = [0.9, 0.95, 0.001, 0.5, 2.0];
    let of = |solref| Impedance { solimp, solref };
    let (a, b) = (of([0.02, 0.5]), of([-1.0 / (0.02_f64 * 0.5).powi(2), -2.0 / 0.02]));
    assert!((a.rest_depth(9.81) - b.rest_depth(9.81)).abs() < 1e-12);
    assert!((b.damping_ratio() - 0.5).abs() < 1e-12);
}
