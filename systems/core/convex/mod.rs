//! Interface of plants to convex integrators, and its plain data.
//!
//! Conventions: SI units, world axes, z up. `q` are the plant's positions, `v` its velocities, `q̇ = N(q) v`.
//! Spatial vectors are [angular; linear], taken at the body origin. A *clique* is a tree of the plant that
//! can move: its velocities are contiguous, and the mass matrix is block diagonal over cliques.

mod cache;
mod constraint_rows;
mod lost;
pub mod patch_report;
mod plant;
mod point;
mod ray_sensor;
mod spin;
pub mod step_record;
mod structure;
mod switches;

pub use crate::constraint_kind::ConstraintKind;
pub use cache::PlantCache;
pub use constraint_rows::{
    Compliance, ConstraintRows, MAX_COORDINATES, MAX_NORMAL_DIFFERENCE, NO_CONSTRAINT, RangeGap, RowCurve, RowFriction,
    RowMeasure, RowRange,
};
pub use lost::{LostBody, WhyLost};
pub use plant::{ConvexPlant, PlantConstraints, PlantContacts, PlantDynamics, PlantInputs, PlantReports};
pub use point::{ContactPoint, FEATURE_BITS, FarPair, POLYGON, PlantPoint, surface_of};
pub use ray_sensor::{RayKind, RaySensor};
pub use spin::SpinStructure;
pub use structure::{
    BodyStructure, ConstraintStructure, Coordinate, DryFriction, INERTIAL_PARAMETERS, JointElement, JointLimit,
    MovingPart, PlantStructure, StopCompliance,
};
pub use switches::Switches;
