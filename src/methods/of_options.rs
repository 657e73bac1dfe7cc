//! Constructors of options for the methods of this crate, as `Options` has them for those of the engine.

use crate::{sap, theta_gamma, trapezoid, volume};
use kinegraph_engine::integrators::Options;

/// Constructors of options for the methods of this crate: `Options::sap(1e-3)`.
pub trait OfOptions {
    /// The trapezoid scheme with error control.
    fn cenic_trapezoid(accuracy: f64) -> Options;

    /// SAP with steps of length `step` \[s\].
    fn sap(step: f64) -> Options;

    /// Theta-gamma with steps of length `step` \[s\].
    fn theta_gamma(step: f64) -> Options;

    /// Volume-based contact with steps of length `step` \[s\].
    fn volume(step: f64) -> Options;
}

impl OfOptions for Options {
    fn cenic_trapezoid(accuracy: f64) -> Options {
        Options { accuracy, ..Options::of(&trapezoid::TYPE) }
    }

    fn sap(step: f64) -> Options {
        Options { step: Some(step), ..Options::of(&sap::TYPE) }
    }

    fn theta_gamma(step: f64) -> Options {
        Options { step: Some(step), ..Options::of(&theta_gamma::TYPE) }
    }

    fn volume(step: f64) -> Options {
        Options { step: Some(step), ..Options::of(&volume::TYPE) }
    }
}
