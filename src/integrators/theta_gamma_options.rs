//! The range of the options of `theta-gamma`.

use super::OptionError;
use crate::solvers::theta_gamma::{Friction, ThetaGammaOptions};

/// Whether options are in their range.
pub(super) fn check(options: &ThetaGammaOptions) -> Result<(), OptionError> {
    for (name, value) in [("theta_gamma.theta", options.theta), ("theta_gamma.gamma", options.gamma)] {
        if !(0.5..=1.0).contains(&value) {
            return Err(OptionError::OutOfRange { name, value, least: 0.5, most: 1.0 });
        }
    }
    let e = options.restitution;
    if !(0.0..=1.0).contains(&e) {
        return Err(OptionError::OutOfRange { name: "theta_gamma.restitution", value: e, least: 0.0, most: 1.0 });
    }
    if e > 0.0 && options.gamma != 1.0 {
        return Err(OptionError::TwoRestitutions { restitution: e, gamma: options.gamma });
    }
    if let Friction::Contensou { radius } = options.friction
        && !(radius > 0.0 && radius.is_finite())
    {
        return Err(OptionError::NotPositive { name: "theta_gamma.contact_radius", value: radius });
    }
    for (name, value) in [
        ("theta_gamma.correction", options.correction),
        ("theta_gamma.slop", options.slop),
        ("theta_gamma.correction_speed", options.correction_speed),
        ("theta_gamma.tolerance", options.tolerance),
    ] {
        if value.is_nan() || value < 0.0 {
            return Err(OptionError::Negative { name, value });
        }
    }
    Ok(())
}
