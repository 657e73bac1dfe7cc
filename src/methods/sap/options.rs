//! Options of the solver.

/// With how many digits something is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// 24 bits: `f32`.
    Single,
    /// 53 bits: `f64`.
    #[default]
    Double,
}

/// Where single precision takes the place of double precision. What is computed with single precision gets its input
/// rounded, runs on `f32` throughout, and its result goes on as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Precision {
    /// The velocities v* of motion without contact.
    pub free_motion: Digits,
    /// The effective weights of contact points.
    pub weights: Digits,
    /// The factor of the Hessian, and the directions found with it.
    pub linear: Digits,
}

/// How the effective weight w of a contact point \[1/kg\] is estimated: see [`weights`](super::weights).
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

/// How far a step goes along its direction: see [`line_search`](super::line_search).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineSearch {
    /// To the minimum of the cost.
    #[default]
    ExactRoot,
    /// From beyond the full step back until the cost has fallen enough and rises no more.
    ArmijoDecay,
    /// Halved until the cost does not rise.
    MonotoneDecay,
}

/// Options of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverOptions {
    /// Effective weights.
    pub weights: WeightMode,
    /// Where single precision is used.
    pub precision: Precision,
    /// Contacts that would oscillate faster than with this part of the step for a period are softened to that.
    pub beta: f64,
    /// Compliance of friction that sticks, in units of the effective weight.
    pub sigma: f64,
    /// Relaxation time of a pair of bodies \[s\]: how fast its contact dissipates; `None`: the step.
    pub relaxation_time: Option<f64>,
    /// The line search.
    pub line_search: LineSearch,
    /// Trials of a line search at most; `None`: 100 of the exact one, 40 of the others.
    pub line_search_max_iterations: Option<usize>,
    /// Part of the decrease that the slope promises, with which [`LineSearch::ArmijoDecay`] is content.
    pub armijo_c: f64,
    /// Factor from trial to trial of [`LineSearch::ArmijoDecay`].
    pub rho: f64,
    /// Slopes below this part of the cost count as none in [`LineSearch::ArmijoDecay`]; `None`: 1000 units of rounding.
    pub line_search_relative_slop: Option<f64>,
    /// Iterations end where the cost changes by less \[J\]; `None`: by the line search.
    pub cost_abs_tol: Option<f64>,
    /// The same relative to the cost.
    pub cost_rel_tol: Option<f64>,
    /// Iterations end where the balance is off by less \[sqrt(J)\].
    pub absolute_tolerance: f64,
    /// The same relative to momenta and impulses.
    pub relative_tolerance: f64,
    /// A solve that needs more iterations fails.
    pub max_iterations: usize,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions {
            weights: WeightMode::default(),
            precision: Precision::default(),
            beta: 1.0,
            sigma: 1e-3,
            relaxation_time: None,
            line_search: LineSearch::default(),
            line_search_max_iterations: None,
            armijo_c: 1e-4,
            rho: 0.8,
            line_search_relative_slop: None,
            cost_abs_tol: None,
            cost_rel_tol: None,
            absolute_tolerance: 1e-14,
            relative_tolerance: 1e-6,
            max_iterations: 100,
        }
    }
}

impl SolverOptions {
    /// Below which change of the cost iterations end: absolute, relative, and after steps longer than which part of a
    /// full one.
    pub(super) fn cost_test(&self) -> (f64, f64, f64) {
        let (absolute, relative, shortest) = match self.line_search {
            LineSearch::MonotoneDecay => (0.0, 5e-3, 0.0),
            LineSearch::ArmijoDecay | LineSearch::ExactRoot => (1e-30, 1e-15, 0.5),
        };
        (self.cost_abs_tol.unwrap_or(absolute), self.cost_rel_tol.unwrap_or(relative), shortest)
    }

    /// Trials of a line search at most.
    pub(super) fn most_trials(&self) -> usize {
        let usual = if self.line_search == LineSearch::ExactRoot { 100 } else { 40 };
        self.line_search_max_iterations.unwrap_or(usual)
    }
}
