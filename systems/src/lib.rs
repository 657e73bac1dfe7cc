//! The contract of a Kinegraph block, and the blocks that ship with Kinegraph.
//!
//! A block declares typed ports and state ([`Ports`]), and states its mathematics once, generic over
//! the [`Scalar`], in [`LeafSystem`]. Blocks hold structure and parameters only; every value lives
//! outside, in the diagram's state and signals. This crate knows nothing of diagrams and integrators.

pub mod control;
pub mod dynamics;
pub mod grippers;
pub mod machines;
pub mod operators;
pub mod sensors;
pub mod sinks;
pub mod sources;

pub use kinegraph_core::{
    Context, ConvexPlant, Crossing, DerivativePolicy, Dyn, ErasedSystem, Fixed, In, JET_WIDTH, Jacobian, Jet,
    LeafSystem, MultibodyState, Numbers, Out, Outputs, Ports, Real, RealSystem, Reset, Sampling, Scalar, Signal,
    SignalKind, Tick, TimeVariation, WithDerivatives, Witness, context, convex, figures, memory, names, numbers,
    parameter, patch_report, picture, port, real, scalar, scene, signal, sizes, step_record, system, testing, threads,
    unit, unit_rules, variation,
};
pub use kinegraph_geometry as geometry;
pub use kinegraph_models as models;
pub use kinegraph_multibody as multibody;
