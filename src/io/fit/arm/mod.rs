//! Inertial parameters of an arm from recorded torques: inverse dynamics is linear in them.
//!
//! With the regressor Y of a plant, the torques of its joints are `τ = Y π + rotors + friction`, linear in the ten
//! parameters of every link. Not all of them act: the *base parameters*, combinations that do, are found by the rank of
//! the regressor at random states ([`Base`]), and fitted to the recording by weighted least squares. Links with masses
//! that are possible and come nearest to them are found at the end ([`feasible`]).

mod base;
mod columns;
mod feasible;
mod fit;
mod motion;
mod report;
mod rows;
mod written;

pub use columns::ArmDataError;
pub use fit::{ArmFit, ArmFitError, ArmOptions};
pub use report::{ArmNumber, ArmReport, JointResidual, PossibleJoint, PossibleLink};
