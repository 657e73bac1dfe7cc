//! Options of volume-based contact.

/// Method for the friction of a sliding patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kinetic {
    /// Nearest to the wrench that would hold it, by least squares: continuous.
    #[default]
    LeastSquares,
    /// The linear program of the source: at most three corners carry force, and these jump.
    LinearProgram,
}

/// Options of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeOptions {
    /// Twice the part of an overlap that a step removes, `k h`.
    pub correction: f64,
    /// Relaxation of the program, relative to the block of each patch.
    pub relaxation: f64,
    /// Number of sides of the friction pyramid.
    pub sides: usize,
    /// Rotation of the pyramid, in parts of a side.
    pub phase: f64,
    /// Method for sliding friction.
    pub kinetic: Kinetic,
    /// Maximum number of sweeps of a solve, and of alternations of normal forces and friction in all of them together.
    pub max_sweeps: usize,
}

impl Default for VolumeOptions {
    fn default() -> Self {
        VolumeOptions {
            correction: 1.0,
            relaxation: 1e-3, // listed
            sides: 8,
            phase: 0.0,
            kinetic: Kinetic::LeastSquares,
            max_sweeps: 1000,
        }
    }
}
