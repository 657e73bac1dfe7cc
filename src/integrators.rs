//! Integrators of a diagram's state: those of the engine, and those of the methods beside it.

pub use kinegraph_engine::integrators::*;
pub use kinegraph_methods::sap::{Preset, SapOptions, WarmStart};
pub use kinegraph_methods::theta_gamma::{Friction, Metric, ThetaGammaOptions, ThetaStep};
pub use kinegraph_methods::trapezoid::Trapezoid;
pub use kinegraph_methods::volume::{Kinetic, VolumeOptions};
pub use kinegraph_methods::{METHODS, NEAR_RIGID, OfOptions, RIGID, method};
