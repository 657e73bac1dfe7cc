#![allow(non_snake_case)]
//! What a Kinegraph block is, and the blocks that ship with Kinegraph.
//!
//! A block declares typed ports and state ([`Ports`]), and states its mathematics once, generic over
//! the [`Scalar`], in [`LeafSystem`]. Blocks hold structure and parameters only; every value lives
//! outside, in the diagram's state and signals. This crate knows nothing of diagrams and integrators.

mod constraint_kind;
pub mod context;
pub mod control;
pub mod convex;
pub mod dynamics;
pub mod figures;
pub mod geometry;
pub mod grippers;
pub mod machines;
pub mod models;
pub mod multibody;
pub mod names;
pub mod numbers;
pub mod operators;
pub mod parameter;
pub mod picture;
pub mod port;
pub mod real;
pub mod scalar;
pub mod scene;
pub mod sensors;
pub mod signal;
pub mod sinks;
pub mod sizes;
pub mod sources;
pub mod system;
pub mod testing;
pub mod threads;

pub use context::{Context, Outputs};
pub use convex::{ConvexPlant, patch_report, step_record};
pub use numbers::Numbers;
pub use port::{Crossing, In, Out, Ports, Sampling, Tick, Witness};
pub use real::{Jacobian, Real, RealSystem, WithDerivatives};
pub use scalar::{JET_WIDTH, Jet, Scalar};
pub use signal::{Dyn, Fixed, MultibodyState, Signal, SignalKind};
pub use system::{DerivativePolicy, ErasedSystem, LeafSystem, Reset};
