//! Choices of the methods beside the convex step of the engine: every number that somebody could have chosen otherwise,
//! and that no option sets. The form of the list is explained in [`kinegraph_convex::choices`]. What SAP takes from
//! Drake is a property of that method and no choice.

use kinegraph_convex::choices;

choices! {
    /// All choices of these methods, by part.
    pub const CHOICES;

    projected_gauss_seidel in ["projected_gauss_seidel/solver.rs"] {
        MAX_SWEEPS: usize = 1000, "sweeps", "largest number of sweeps of a solve, unless given in Rust";
        MIN_TOLERANCE: f64 = 1e-6, "1", "smallest relative tolerance, unless given in Rust";
    }
    sap_line_search in ["sap/line_search.rs"] {
        MIN_STEP_FRACTION: f64 = 1e-8, "1", "step of the line search `monotone_decay` below which it has failed, as a \
            part of Newton's";
    }
    sap_newton in ["sap/newton.rs"] {
        DECREASE: f64 = 1e-4, "1", "smallest decrease of the imbalance in a step without a cost, as a part of that of \
            a linear problem";
        MIN_STEP_FRACTION: f64 = 1e-6, "1", "step without a cost below which its search ends, as a part of Newton's";
        MAX_IMBALANCE: f64 = 0.01, "1", "largest imbalance of a solution, whatever the options, as a part of momenta \
            and impulses";
    }
    sap_stops in ["sap/limit.rs"] {
        // The whole impulse acts in a step of any length.
        REBOUND_SOFTNESS: f64 = 1e-6, "1", "compliance of a rebound, as a part of the inverse mass";
    }
    sweeps in ["sweeps/islands.rs", "sweeps/mod.rs", "sweeps/rows.rs"] {
        MAX_ROUNDS: usize = 10, "rounds", "largest number of rounds in which the set of efforts at their limits has to \
            settle";
        // Sliding contacts change the loads, and have to settle again.
        MAX_SHARINGS: usize = 2, "sharings", "largest number of times that statically indeterminate loads are shared \
            in a solve, within the first half of its sweeps";
        CORRECTION: f64 = 0.2, "1", "part of a violation that one step removes";
        // The distribution of force over the area of rigid bodies is not determined; with an even compliance it is.
        SURFACE_YIELD: f64 = 1e-2, "1", "compliance of a surface of contact, of all its points together, as a part of \
            the inverse mass";
    }
    ties in ["sweeps/ties.rs"] {
        MAX_POINTS: usize = 32, "points", "largest number of points whose loads are shared: with more the search costs \
            more than sweeps";
        TOUCHING: f64 = 1e-6, "1", "largest velocity of separation at which a point counts as touching, as a part of \
            the velocity that the largest load causes";
        MOVED: f64 = 1e-2, "1", "smallest change of a load that is made, as a part of the largest load";
        PASSES: usize = 10, "passes", "number of passes over the null vectors: a change along one may be bounded by \
            another";
    }
    theta_gamma in ["theta_gamma/solver.rs"] {
        FIRST_SWEEPS: usize = 30, "sweeps", "number of sweeps before the first round of Newton's method";
        SWEEPS: usize = 5, "sweeps", "number of sweeps after each round";
        // After the interior-point method, another round might increase it.
        RESIDUAL_TOLERANCE: f64 = 1e-6, "1", "residual of rounds at contacts of fibres, as a part of the impulses, \
            below which it counts as rounding once it stalls";
        STALLED: f64 = 0.5, "1", "ratio of the residual of a round to the one before it above which it stalls";
    }
    mixing in ["theta_gamma/mixing.rs"] {
        DEPTH: usize = 6, "iterations", "number of differences of iterations that are stored";
        RIDGE: f64 = 1e-12, "1", "regularization of the least squares, as a part of the largest square of a difference";
        WORSE: f64 = 2.0, "1", "ratio of a change to the one before it above which the history is discarded";
    }
    proximal in ["theta_gamma/proximal.rs", "theta_gamma/interior.rs"] {
        // With 1e-8 rounding topples heavy columns.
        COMPLIANCE: f64 = 1e-6, "1", "compliance of a round, as a part of the mobility of a row";
        MAX_ITERATIONS: usize = 50, "iterations", "largest number of iterations of a round";
        BALANCE: f64 = 1e-11, "1", "residual of the balance at which a round ends, as a part of the momenta";
        SLOPE: f64 = 1e-2, "1", "accepted slope of the line search, as a part of the initial slope";
        MAX_TRIALS: usize = 40, "trials", "largest number of trials of a line search";
    }
    interior in ["theta_gamma/interior.rs"] {
        FIRST_GAP: f64 = 1e-5, "1", "gap at the start of the first way, on which few contacts couple, in squares of \
            the largest impulse by its mobility";
        NEXT_GAP: f64 = 1e-2, "1", "gap at the start of the ways that go farther within the cones, in the parts of \
            `FIRST_GAP`";
        LAST_GAP: f64 = 1e-10, "1", "gap at which rounds take over, in the parts of `FIRST_GAP`";
        LAST_VIOLATION: f64 = 1e-4, "1", "residual velocity of a contact at which rounds take over; its square is in \
            the parts of `FIRST_GAP`";
        NEAR_GAP: f64 = 1e-8, "1", "gap at which a way that stalls has arrived, in the parts of `FIRST_GAP`";
        MIN_STRAIGHT: f64 = 0.5, "1", "part of the direction straight to the law within the cones below which a way \
            stalls";
        MAX_STEPS: usize = 25, "steps", "largest number of steps of a way";
        TO_BORDER: f64 = 0.9, "1", "part of the distance to the border of the cones that a step takes";
        MIN_PART: f64 = 0.02, "1", "smallest part of its direction that a step takes; a shorter one ends the way";
        LEAST_CENTRING: f64 = 1e-4, "1", "smallest gap that a step aims at, as a part of the present one";
        COUPLED: f64 = 1e-3, "1", "slope of a contact, as a part of the inverse mobility, below which the matrix does \
            not couple it";
        MAX_COUPLED: f64 = 1.5, "1", "largest number of contacts in a pattern, over that of coupled ones; above it the \
            pattern is computed anew";
        MAX_RATE_ITERATIONS: usize = 30, "iterations", "largest number of iterations for rates of the friction term";
        RATE_TOLERANCE: f64 = 1e-3, "1", "relative residual of the rates of the friction term";
        // Near rest the present direction of sliding is unstable.
        REST_RATIO: f64 = 1e-4, "1", "square of the speed up to which a contact counts as near rest, in gaps by the \
            mobility";
    }
    metric_friction in ["theta_gamma/prox.rs"] {
        REGULAR: f64 = 1e-6, "1", "multiple of the identity that is added to a singular metric, as a part of its norm";
        MAX_ITERATIONS: usize = 100, "iterations", "largest number of scalar iterations of a contact";
    }
    trapezoid in ["trapezoid/average.rs"] {
        // Velocities that a stop holds move by their value at the end: too far, but not as far off as before.
        CORRECTION_AT_STOPS: f64 = 1.5, "1", "factor on the correction of positions in an island with stops; \
            without stops it is 2";
    }
    volume in ["volume/solver.rs", "volume/option_group.rs"] {
        TOLERANCE: f64 = 1e-10, "1", "relative tolerance of the sweeps";
        MAX_TURNS: usize = 100, "turns", "largest number of turns of normal forces and friction in a sweep";
        SETTLED: f64 = 1e-9, "1", "relative change of impulses at which turns end";
        LEAST_PART: f64 = 1.0 / 64.0, "1", "smallest part of its change that friction makes in a turn";
        MAX_HALVINGS: usize = 10, "halvings", "largest number of times that friction which supplies energy is halved; \
            then it is set to zero";
        DIAGONAL_PART: f64 = 1e-6, "1", "relaxation of the diagonal of a patch, as a part of that of its block";
        MAX_SIDES: usize = 64, "sides", "largest number of sides of a pyramid of friction";
    }
    volume_friction in ["volume/friction.rs"] {
        EVEN: f64 = 1e-6, "1", "weight of even normal forces, over that of nearness to the holding wrench, in sliding";
    }
    volume_patch in ["volume/patch.rs"] {
        MIN_RADIUS_RATIO: f64 = 1e-6, "1", "radius of a patch, as a part of its length, below which it counts as a \
            line, without moments of its own";
    }
}
