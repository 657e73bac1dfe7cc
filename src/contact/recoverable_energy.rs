//! What damped contacts give back of the energy that they hold.

/// The part of the energy `stored` in a contact that the bodies can have back \[J\]: damping takes the rest. `mobility`
/// is their inverse effective mass 1/m \[1/kg\].
///
/// Bodies of the effective mass m that are at rest at the depth x part at a speed v below 1/d:
///
/// ```text
/// m v' = k x (1 - d v),  x' = -v   =>   - ln(1 - s) - s = a   with s = d v, a = d² k x² / (2 m)
/// ```
///
/// and carry `m v²/2`, the part `s² / (2 a)` of what was stored. With `y = - ln(1 - s)` the equation is convex.
pub fn recoverable_energy(stored: f64, dissipation: f64, mobility: f64) -> f64 {
    let a = dissipation * dissipation * stored * mobility;
    if a < 1e-10 {
        return stored;
    }
    // From above, where Newton's method stays.
    let mut y = a + (2.0 * a).sqrt();
    for _ in 0..4 {
        let left = (-y).exp();
        y -= (y - 1.0 + left - a) / (1.0 - left);
    }
    let s = 1.0 - (-y).exp();
    stored * s * s / (2.0 * a)
}

#[cfg(test)]
mod tests {
    use super::recoverable_energy;

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
}
