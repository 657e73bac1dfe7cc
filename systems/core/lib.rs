//! The contract of a Kinegraph block.
//!
//! A block declares typed ports and state ([`Ports`]), and states its mathematics once, generic over
//! the [`Scalar`], in [`LeafSystem`]. Blocks hold structure and parameters only; every value lives
//! outside, in the diagram's state and signals. This crate knows nothing of diagrams and integrators.

mod compiled_here;
mod constraint_kind;
pub mod context;
pub mod convex;
mod debug_is_message;
pub mod figures;
pub mod held;
pub mod logic;
pub mod memory;
pub mod names;
pub mod numbers;
pub mod parameter;
pub mod picture;
pub mod port;
pub mod random;
pub mod real;
pub mod scalar;
pub mod scene;
pub mod signal;
pub mod sizes;
pub mod system;
pub mod testing;
pub mod threads;
pub mod unit;
pub mod unit_rules;
pub mod variation;
mod wide;

pub use context::{Context, Outputs};
pub use convex::{ConvexPlant, patch_report, step_record};
pub use held::Held;
pub use numbers::Numbers;
pub use port::{Crossing, In, Out, Ports, Sampling, Tick, Witness};
pub use real::{Jacobian, Real, RealSystem, WithDerivatives};
pub use scalar::{JET_WIDTH, Jet, Scalar};
pub use signal::{Dyn, Fixed, MultibodyState, Signal, SignalKind};
pub use system::{DerivativePolicy, ErasedSystem, LeafSystem, Reset};
pub use variation::TimeVariation;
pub use wide::wide;
