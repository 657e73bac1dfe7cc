//! Methods beside the convex step and its error control: other laws of contact (SAP, theta-gamma, volume contact,
//! projected Gauss-Seidel) in the contact step of the engine, and the trapezoid scheme over the convex step.
//!
//! [`METHODS`] is the table of all integrators, including those of the engine. Files, the command line, the documents,
//! messages and the tests of all integrators use it.

pub mod choices;
mod inertia_groups;
mod of_options;
pub mod projected_gauss_seidel;
pub mod sap;
mod sweeps;
mod table;
pub mod theta_gamma;
pub mod trapezoid;
pub mod volume;

pub use of_options::OfOptions;
pub use sap::NEAR_RIGID;
pub use sweeps::RIGID;
pub use table::{METHODS, method, read_options};
