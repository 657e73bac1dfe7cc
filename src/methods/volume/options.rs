//! Options of volume-based contact.

/// How the friction of a patch that slides is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kinetic {
    /// As near as can be to what would hold it, by least squares: continuous.
    #[default]
    LeastSquares,
    /// The linear program of the source: at most three corners, which jump.
    LinearProgram,
}

/// Options of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeOptions {
    /// Twice the part of an overlap that a step removes, `k h`.
    pub correction: f64,
    /// Relaxation of the program, relative to the block of each patch.
    pub relaxation: f64,
    /// Sides of the pyramid of friction.
    pub sides: usize,
    /// By how much the pyramid is turned, in parts of a side.
    pub phase: f64,
    /// Friction of what slides.
    pub kinetic: Kinetic,
    /// A solve takes no more sweeps than this, and all of them together no more turns of normal forces and friction.
    pub max_sweeps: usize,
}

impl Default for VolumeOptions {
    fn default() -> Self {
        VolumeOptions {
            correction: 1.0,
            relaxation: 1e-3,
            sides: 8,
            phase: 0.0,
            kinetic: Kinetic::LeastSquares,
            max_sweeps: 1000,
        }
    }
}
