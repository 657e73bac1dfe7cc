//! Options of the solver.

/// Precision of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// 24 bits: `f32`.
    Single,
    /// 53 bits: `f64`.
    #[default]
    Double,
}

/// Parts that are computed in single precision. Their input is rounded, they run in `f32` throughout, and their result
/// is used as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Precision {
    /// Velocities v* of motion without contact.
    pub free_motion: Digits,
    /// Effective weights of contact points.
    pub weights: Digits,
    /// Factor of the Hessian, and the directions found with it.
    pub linear: Digits,
}

/// Estimate of the effective weight w of a contact point \[1/kg\]: see [`weights`](super::weights).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightMode {
    /// From mass and moments of inertia of the two bodies alone.
    BodyInertia,
    /// `J diag(A)^-1 J'`.
    #[default]
    DiagDelassus,
    /// `J A^-1 J'`, along the normal and along the surface.
    BlockDelassus,
}

/// Rule for the length of a step along its direction: see [`line_search`](super::line_search).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineSearch {
    /// To the minimum of the cost.
    #[default]
    ExactRoot,
    /// Backwards from beyond the full step, until the cost has decreased enough and stops decreasing.
    ArmijoDecay,
    /// Halved until the cost does not increase.
    MonotoneDecay,
}

/// Options of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverOptions {
    /// Effective weights.
    pub weights: WeightMode,
    /// Where single precision is used.
    pub precision: Precision,
    /// Contacts are softened so that their period is at least this part of the step.
    pub beta: f64,
    /// Compliance of friction that sticks, in units of the effective weight.
    pub sigma: f64,
    /// Relaxation time of a pair of bodies \[s\], which determines the dissipation of its contact; `None`: the step.
    pub relaxation_time: Option<f64>,
    /// The line search.
    pub line_search: LineSearch,
    /// Maximum number of trials of a line search; `None`: 100 for the exact one, 40 for the others.
    pub line_search_max_iterations: Option<usize>,
    /// Fraction of the decrease predicted by the slope that [`LineSearch::ArmijoDecay`] requires.
    pub armijo_c: f64,
    /// Factor from trial to trial of [`LineSearch::ArmijoDecay`].
    pub rho: f64,
    /// Slopes below this part of the cost count as zero in [`LineSearch::ArmijoDecay`]; `None`: 1000 units of rounding.
    pub line_search_relative_slop: Option<f64>,
    /// Iterations end when the cost changes by less than this \[J\]; `None`: by the line search.
    pub cost_abs_tol: Option<f64>,
    /// Iterations end when the cost changes by less than this, relative to the cost.
    pub cost_rel_tol: Option<f64>,
    /// Iterations end when the imbalance is smaller than this \[sqrt(J)\].
    pub absolute_tolerance: f64,
    /// Iterations end when the imbalance is smaller than this, relative to momenta and impulses.
    pub relative_tolerance: f64,
    /// Maximum number of iterations; a solve that needs more fails.
    pub max_iterations: usize,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions {
            weights: WeightMode::default(),
            precision: Precision::default(),
            beta: 1.0,
            sigma: 1e-3, // listed
            relaxation_time: None,
            line_search: LineSearch::default(),
            line_search_max_iterations: None,
            armijo_c: 1e-4, // listed
            rho: 0.8,       // listed
            line_search_relative_slop: None,
            cost_abs_tol: None,
            cost_rel_tol: None,
            absolute_tolerance: 1e-14, // listed
            relative_tolerance: 1e-6,  // listed
            max_iterations: 100,
        }
    }
}

impl SolverOptions {
    /// Bounds of the change of the cost below which iterations end: absolute, relative, and the fraction of a full step
    /// from which on they apply.
    pub(super) fn cost_test(&self) -> (f64, f64, f64) {
        let (absolute, relative, shortest) = match self.line_search {
            LineSearch::MonotoneDecay => (0.0, 5e-3, 0.0), // listed
            LineSearch::ArmijoDecay | LineSearch::ExactRoot => (1e-30, 1e-15, 0.5), // listed
        };
        (self.cost_abs_tol.unwrap_or(absolute), self.cost_rel_tol.unwrap_or(relative), shortest)
    }

    /// Maximum number of trials of a line search.
    pub(super) fn most_trials(&self) -> usize {
        let usual = if self.line_search == LineSearch::ExactRoot { 100 } else { 40 };
        self.line_search_max_iterations.unwrap_or(usual)
    }
}
