//! Verification of a run: it is repeated at a tenth of the accuracy, and by a method of another family.
//!
//! Every recorded channel is compared at every recorded time, in accuracies. Where the runs part, a still tighter one
//! distinguishes an error of the method from a motion that cannot be predicted.
//!
//! ```no_run
//! use kinegraph::scenario::Scenario;
//! use kinegraph::verify::verify;
//!
//! let scenario = Scenario::open("examples/double_pendulum/double_pendulum.yaml")?;
//! let verification = verify(&scenario, 20.0)?;
//! println!("{verification}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beside;
mod forces;
mod measure;
mod parting;
mod readings;
mod sensitivity;
mod verification;
mod verifier;

pub use beside::Beside;
pub use parting::Parting;
pub use verification::{ChannelDifference, Verdict, Verification};
pub use verifier::{DEFAULT_WITHIN, Verifier, verify};
