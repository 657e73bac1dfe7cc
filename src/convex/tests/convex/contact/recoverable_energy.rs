//! Tests of `src/convex/contact/recoverable_energy.rs`.

use kinegraph_convex::contact::recoverable_energy;

#[test]
fn bodies_that_part_carry_what_is_recoverable() {
    let (mass, stiffness, depth) = (0.7, 1e4, 2e-3);
    let stored = 0.5 * stiffness * depth * depth;
    for dissipation in [0.0, 1e-3, 0.3, 3.0, 30.0, 1e3] {
        // Midpoint rule.
        let acceleration = |x: f64, v: f64| stiffness * x / mass * (1.0 - dissipation * v);
        let (mut x, mut v, h) = (depth, 0.0, 1e-7);
        while x > 0.0 {
            let (xm, vm) = (x - 0.5 * h * v, v + 0.5 * h * acceleration(x, v));
            (x, v) = (x - h * vm, v + h * acceleration(xm, vm));
            if v > 0.999_999_9 / dissipation {
                break;
            }
        }
        let back = recoverable_energy(stored, dissipation, 1.0 / mass);
        let carried = 0.5 * mass * v * v;
        assert!((back - carried).abs() < 1e-4 * carried, "d = {dissipation} s/m: {back} J, {carried} J");
    }
}
