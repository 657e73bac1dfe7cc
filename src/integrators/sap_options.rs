//! Options of `sap`, and the presets that they begin with.

use super::{Capacity, ContactPointMode, Discretization, PositionIntegration};
use crate::solvers::sap::{Digits, Precision, SolverOptions, WeightMode};

/// A name for all options of [`SapOptions`] that distinguish one way to discretize from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// As Drake: all in double precision, weights from the diagonal of A, contact at points between the surfaces,
    /// positions by the velocities at the end.
    #[default]
    Drake,
    /// Cheaper estimates: weights of single bodies, contact at the surfaces, positions by mean velocities.
    Approx64,
    /// The same, with single precision for poses, free motion, weights and factors.
    Approx32,
}

/// Where a solve starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarmStart {
    /// At the velocities of the state.
    #[default]
    State,
    /// At those that the last step found: others where something has changed the state since.
    Previous,
}

/// Options of `sap`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SapOptions {
    /// Of the solver.
    pub solver: SolverOptions,
    /// Where relative velocities are measured.
    pub points: ContactPointMode,
    /// How positions advance.
    pub positions: PositionIntegration,
    /// With how many digits bodies are placed to look for contacts.
    pub poses: Digits,
    /// How many contact points there may be.
    pub capacity: Capacity,
    /// Whether joint damping acts with the velocities at the end of the step.
    pub implicit_damping: bool,
    /// Whether contacts take part that the step may close.
    pub anticipate_contact: bool,
    /// Where a solve starts.
    pub warm_start: WarmStart,
}

impl Default for SapOptions {
    fn default() -> Self {
        SapOptions::preset(Preset::default())
    }
}

impl SapOptions {
    /// All options as a preset has them; to be changed one by one.
    pub fn preset(preset: Preset) -> Self {
        let drake = SapOptions {
            solver: SolverOptions::default(),
            points: ContactPointMode::ContactMidpoint,
            positions: PositionIntegration::SapEuler,
            poses: Digits::Double,
            capacity: Capacity::default(),
            implicit_damping: true,
            anticipate_contact: false,
            warm_start: WarmStart::State,
        };
        if preset == Preset::Drake {
            return drake;
        }
        let digits = if preset == Preset::Approx32 { Digits::Single } else { Digits::Double };
        let precision = Precision { free_motion: digits, weights: digits, linear: digits };
        SapOptions {
            solver: SolverOptions { weights: WeightMode::BodyInertia, precision, ..drake.solver },
            points: ContactPointMode::WitnessPoint,
            positions: PositionIntegration::Midpoint,
            poses: digits,
            ..drake
        }
    }

    /// What of them is not the solver's.
    pub(super) fn discretization(&self) -> Discretization {
        Discretization {
            points: self.points,
            positions: self.positions,
            single_precision_poses: self.poses == Digits::Single,
            explicit_damping: !self.implicit_damping,
            implicit_springs: false,
            spins_by_bias: false,
            body_inertias: self.solver.weights == WeightMode::BodyInertia,
            capacity: self.capacity,
        }
    }
}
