//! Energy that damped contacts return.

/// Part of the energy `stored` in a contact that the bodies can regain \[J\]: damping takes the rest. `mobility` is
/// their inverse effective mass 1/m \[1/kg\].
///
/// Bodies of the effective mass m that are at rest at the depth x part at a speed v below 1/d:
///
/// ```text
/// m v' = k x (1 - d v),  x' = -v   =>   - ln(1 - s) - s = a   with s = d v, a = d² k x² / (2 m)
/// ```
///
/// and carry `m v²/2`, the part `s² / (2 a)` of the stored energy. With `y = - ln(1 - s)` the equation is convex.
pub fn recoverable_energy(stored: f64, dissipation: f64, mobility: f64) -> f64 {
    let a = dissipation * dissipation * stored * mobility;
    // formula
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
