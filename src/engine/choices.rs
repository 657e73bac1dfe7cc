//! Choices of the engine: every number of linearization, of the step and of the methods that somebody could have chosen
//! otherwise, and that no option sets. Numbers of the step that files can set are
//! [`CenicTuning`](crate::integrators::CenicTuning); those of contact and of the convex solver are
//! [`kinegraph_convex::choices`], where the form of the list is explained.

use kinegraph_convex::choices;

choices! {
    /// All choices of the engine, by part.
    pub const CHOICES;

    effort_limits in ["linearize/effort_limits.rs", "linearize/law.rs", "linearize/law/stages.rs"] {
        FREE_EFFORT: f64 = 0.9, "1", "part of an effort limit within which a row still counts as unlimited";
    }
    gate in ["linearize/gate.rs", "linearize/growth.rs"] {
        MIN_EIGENVALUE: f64 = 0.5, "1", "smallest real eigenvalue of `I + dt M^-1 K` that a step may have";
        LARGEST_DECOMPOSED: usize = 16, "rows", "size of the largest block that is decomposed. For larger ones only the \
            sign of a determinant is checked, which misses an even number of such eigenvalues";
    }
    growth in ["linearize/growth.rs"] {
        LARGEST_DECOMPOSED: usize = 128, "rows", "size of the largest block whose fastest growth is found by \
            decomposition";
        SQUARINGS: usize = 10, "squarings", "largest number of squarings of the Cayley transform";
    }
    linear_model in ["state_space/model.rs"] {
        DRIFT: f64 = 1e-6, "units of the state/s", "rates below this count as zero: searches for equilibria leave less";
        SWEEPS: usize = 100, "sweeps", "largest number of sweeps of the eigenvalue iteration, for each state; it usually \
            takes two or three";
    }
    contact_model in ["state_space/contact/directions.rs", "state_space/contact/law.rs",
        "state_space/contact/rows.rs", "state_space/held/hold.rs", "state_space/held/linearizer.rs"] {
        TURN: f64 = 1e-3, "rad, m", "largest step of a difference along a position";
        PART_OF_SIZE: f64 = 1e-3, "1", "largest step, as a part of the size of a body in contact";
        PART_OF_DEPTH: f64 = 0.125, "1", "largest step, as a part of the depth of a contact";
        PART_OF_SLIP: f64 = 2e-3, "1", "largest step of a velocity, as a part of the speed of sliding and the \
            regularization velocity together";
        HELD_GAP: f64 = 1e-5, "m, rad", "largest gap of a contact, and of a joint to its stop, that is held";
        STICKS: f64 = 4.0, "regularization velocities", "fastest slip of a contact that sticks: friction is the static \
            one up to there";
        PULLS: f64 = 1e-9, "1", "pull of a contact, as a part of the largest force, that is rounding";
        RANK: f64 = 1e-9, "1", "part of the largest singular value below which a row holds nothing";
        MOVES: f64 = 1e-9, "m/s, rad/s", "speed above which rows turn while they hold";
    }
    loop_rate in ["linearize/loop_rate.rs"] {
        SQUARINGS: i32 = 6, "squarings", "largest number of squarings of the matrix of a loop";
        SQUARINGS_OF_LARGE: i32 = 2, "squarings", "largest number of squarings of a large matrix, and of a sparse one";
        LARGE_SIZE: usize = 64, "rows", "size of the largest matrix that is not large";
    }
    margins in ["state_space/margins.rs"] {
        BISECTIONS: usize = 80, "halvings", "number of halvings of an interval that holds a crossing: down to rounding";
    }
    response_grid in ["state_space/response_grid.rs"] {
        PER_DECADE: f64 = 40.0, "1", "frequencies in a decade where a response is straight";
        DECADES_BEYOND: f64 = 2.0, "decades", "range of frequencies beyond the slowest and the fastest corner of a model";
        BEND: f64 = 0.1, "rad", "largest turn, and logarithm of the ratio of sizes, of a response between two frequencies";
        MAX_HALVINGS: usize = 12, "halvings", "largest number of halvings of the ratio of two frequencies";
    }
    linearization in ["simulate/linear_analysis.rs"] {
        PADE_ORDER: usize = 4, "1", "degree of the approximants of delays in models with states alone";
    }
    sparse_power in ["linearize/sparse_power.rs"] {
        // A chain has one and a half, and where one state meets all others the square would be full.
        MAX_FILL: usize = 8, "entries", "largest number of entries of a square for each one of the matrix";
    }
    stabilizing in ["linearize/stabilizing.rs"] {
        EXPLICIT: f64 = 0.05, "1", "largest part of the convex part of a gain that an explicit rest may make up";
        NEGLIGIBLE: f64 = 1e-3, "1", "largest part of the inertia of a step that an explicit rest may make up";
    }
    sampled in ["state_space/sampled/lifting.rs", "state_space/sampled/period.rs"] {
        WHOLE: f64 = 1e-9, "1", "distance of a ratio of two times from a whole number, relative to it, that counts as \
            rounding";
        LARGEST_RATIO: f64 = 1e4, "1", "largest numerator or denominator of the ratio of two periods with a common \
            multiple";
        MAX_INSTANTS: usize = 20_000, "1", "largest number of events in the period of a model";
        MAX_QUEUED: usize = 4_000, "1", "largest number of values on their way through exact delays";
    }
    scaling in ["state_space/scaling.rs"] {
        SWEEPS: usize = 10, "sweeps", "largest number of sweeps that scale the states of a model";
    }
    reduce in ["state_space/reduce.rs"] {
        ITERATIONS: usize = 100, "iterations", "largest number of iterations to a Gramian";
        CORRECTIONS: usize = 2, "corrections", "corrections of the two parts of a model";
        MAX_SYLVESTER: usize = 900, "1", "largest product of the numbers of states of two parts that are corrected";
        STABLE: f64 = 1e-7, "1", "distance of a pole from the imaginary axis, as a part of the largest pole, below which \
            it counts as not stable";
    }
    peak in ["state_space/peak.rs"] {
        AXIS: f64 = 1e-6, "1", "real part of an eigenvalue, relative to it, that may be rounding";
        ON_AXIS: f64 = 1e-12, "1", "real part of a pole, as a part of the largest pole, with which there is no peak";
        GRID: i32 = 8, "1", "frequencies above each pole, up to its double, at which the search for a peak begins";
        RELATIVE: f64 = 1e-9, "1", "part by which a gain has to be larger than the largest one known";
        ROUNDS: usize = 40, "rounds", "largest number of levels; each has twice as many right digits as the one before";
    }
    measured_response in ["simulate/measured_response.rs"] {
        DECAY: f64 = 12.0, "1", "decay of the slowest part before a measurement, as the logarithm of a ratio";
        MIN_PERIODS: f64 = 3.0, "periods", "shortest time before a measurement";
        MAX_PERIODS: f64 = 2_000.0, "periods", "longest time before a measurement, unless given";
        PERIODS: usize = 4, "periods", "length of a measurement";
        SAMPLES: usize = 64, "samples", "samples in a period";
    }
    root_locus in ["state_space/root_locus.rs"] {
        EDGE: f64 = 1e-10, "1", "distance of a pole from the edge of stability, as a part of the largest pole, that is \
            rounding";
        ITERATIONS: usize = 100, "iterations", "largest number of values at which one crossing is looked for";
        RELATIVE: f64 = 1e-11, "1", "part of a value of the parameter to which a crossing is located";
    }
    step_response in ["state_space/step_response.rs"] {
        POINTS: usize = 500, "1", "points of a step response without delays";
        NODES: usize = 9, "1", "nodes of a segment of a step response with delays";
        MAX_SEGMENTS: usize = 20_000, "segments", "largest number of segments of a step response";
        DECAY: f64 = 7.0, "1", "decay or growth of the slowest part that a step response shows, as the logarithm of a \
            ratio";
        REACH: f64 = 5.0, "1", "delays that a step response is longer for";
    }
    zeros in ["state_space/zeros.rs"] {
        RANK_TOLERANCE: f64 = 1e-11, "1", "part of the largest norm of A, B, C, D below which a singular value is zero";
    }
    trim in ["state_space/trim.rs"] {
        TOLERANCE: f64 = 1e-9, "units of the state/s", "largest rate at an equilibrium, unless given";
        MAX_ITERATIONS: usize = 100, "steps", "largest number of steps of a search for an equilibrium, unless given";
        RANK_TOLERANCE: f64 = 1e-11, "1", "part of the largest singular value below which a direction changes nothing";
        MAX_HALVINGS: usize = 40, "halvings", "largest number of times that a step is halved";
        MAX_TURN: f64 = 0.5, "rad", "largest turn of an angle in one step";
        START_TURN: f64 = 1.2, "rad", "turn of angles where the search begins again";
        MAX_STARTS: usize = 12, "angles", "largest number of angles for which the search begins again";
        SAME: f64 = 1e-5, "1", "distance of two equilibria that count as one, relative to their largest number; part by which one has to be nearer than another";
        STATE_SHARE: f64 = 1e-3, "1", "how far states move beside inputs where a search with free inputs begins again";
    }

    clearance in ["integrators/contact/clearance.rs"] {
        // Falling bodies are predicted to meet too early anyway; of 60 flights without gravity, 201 attempts would
        // miss.
        ROUNDED_UP: f64 = 1.001, "1", "factor on a gap, so that a step that is predicted to keep bodies apart does so";
    }
    dense in ["integrators/dense.rs"] {
        MIDDLE_ERROR_RATIO: f64 = 0.1, "1", "largest error of a curve in the middle of a step, as a part of the \
            deviation that the accuracy allows";
        RATE_ERRORS: f64 = 5.0, "1", "largest difference, in errors, between the rates at the ends of a step and its \
            parabola, over a cubic";
    }
    divergence in ["integrators/divergence.rs"] {
        MAX_RATE_RATIO: f64 = 2.0, "1", "largest ratio between the rate of a growing number and the fastest rate of \
            growth at which the two count as the same";
    }
    deferred_contacts in ["integrators/contact/deferred_contacts.rs", "integrators/contact/step.rs"] {
        MAX_ROUNDS: usize = 10, "solves", "largest number of solves that add deferred contacts to a step";
        OPEN_POINTS: usize = 8, "points", "largest number of open points of a pair of shapes that take part from the \
            start, the nearest ones: those that the solution closes join";
    }
    energy in ["integrators/cenic/rules/energy_budget.rs", "integrators/contact/energy.rs"] {
        // The gain of an error is at least halved with the step, and a jump stays: this factor is between the two.
        LASTING_GAIN: f64 = 0.75, "1", "gain of energy of a repeated step, over that of the step before it, above which \
            the gain counts as one that shorter steps do not remove";
        REGROWTH: f64 = 1.2, "1", "largest factor from step to step after a repetition for a gain of energy";
        // Forces of contact surfaces derive from no energy.
        SURFACE_GAIN: f64 = 5e-2, "1", "gain of energy of a step with contact surfaces that counts as none, as a part \
            of the energy of the motion";
    }
    error_norm in ["integrators/error_norm.rs"] {
        VELOCITY_WEIGHT: f64 = 0.1, "s", "weight of velocities and angular velocities in the error norm `state`: an \
            error of velocity matters for this time";
    }
    extrapolation in ["integrators/cenic/keep.rs"] {
        // The tighter the accuracy, the stiffer the motion may be.
        MAX_STIFFNESS: f64 = 1.0, "1", "largest ratio of feedback, damping and springs within a step to inertia, times \
            the accuracy, at which motion is extrapolated";
    }
    fault in ["integrators/fault.rs", "integrators/methods.rs"] {
        MAX_MATRIX_BYTES: f64 = 4e9, "bytes", "largest memory of the matrices of a linearization";
    }
    fixed_step in ["integrators/fixed_step.rs"] {
        MIN_STEP_RATIO: f64 = 1e-3, "1", "shortest cut of a step of fixed length, as a part of it";
        TOLERANCE: f64 = 1e-8, "1", "solver tolerance of steps without error control";
    }
    free_motion in ["integrators/cenic/free_motion.rs"] {
        MAX_REPEATS: usize = 10, "repetitions", "largest number of repetitions of a free step that ends early";
        STABLE: f64 = 3.0, "1", "largest step length times rate of free motion: the stability limit of the method of \
            Dormand and Prince, rounded down";
    }
    implicit_newton in ["integrators/implicit/newton.rs"] {
        MAX_ITERATIONS: usize = 20, "iterations", "largest number of iterations of one stage";
        MAX_JACOBIANS: usize = 10, "Jacobians", "largest number of Jacobians along the iteration of one stage";
        MAX_CONTRACTION_RATE: f64 = 0.95, "1", "ratio of a change to the one before it above which an iteration has \
            failed";
        STALE_CONTRACTION_RATE: f64 = 0.2, "1", "ratio of a change to the one before it above which a new Jacobian is \
            wanted: at once if one can be had, or before the next step";
        MIN_DAMPING_FACTOR: f64 = 1.0 / 64.0, "1", "smallest factor by which a change is cut";
        REMAINING_ERROR_RATIO: f64 = 0.02, "1", "remaining error when the iteration ends, as a part of the accuracy";
        // Forces at the solution are then those that make the motion.
        REMAINING_MOMENTUM_RATIO: f64 = 5e-3, "1", "residual momentum when the iteration ends, as a part of the impulses \
            of contacts";
        MAX_MOMENTUM_ITERATIONS: usize = 4, "iterations", "largest number of additional iterations for the momentum";
        CHANGE_TOLERANCE: f64 = 2e-8, "1", "change of a number, as a part of the accuracy, below which it is invisible, \
            whatever its rate";
    }
    kinks in ["integrators/contact/kinks.rs"] {
        RATE_INTERVAL: f64 = 1e-4, "1", "part of a step after which the rates of kinks are taken";
        OVERSHOOT: f64 = 1e-5, "1", "part of an oscillation by which steps go beyond a kink where feedback returns, so \
            that the next one begins beyond it";
        FIRST_OVERSHOOT: f64 = 10.0, "1", "the same beyond the first kink of a motion, in multiples of `OVERSHOOT`";
        PASSED_RATIO: f64 = 1e-6, "1", "distance at which a kink counts as passed, as a part of its motion in a step";
    }
    last_step in ["integrators/fixed_step.rs", "integrators/ode_integrator.rs"] {
        STRETCH: f64 = 1.001, "1", "largest factor by which a step of fixed length is stretched to end exactly at a \
            limit";
    }
    limits in ["integrators/option_group.rs"] {
        MAX_COUNT: usize = 1_000_000, "1", "largest number that a count of contact points, sweeps or iterations may be";
        MAX_TOLERANCE: f64 = 0.01, "1", "largest relative tolerance of a solve: with more, its forces need not hold \
            anything";
    }
    manifold in ["integrators/contact/manifold/mod.rs"] {
        REDUNDANT: f64 = 1e-12, "1", "regularization of redundant rows for accelerations and velocities: part of the \
            diagonal that is added to it";
        RELEASE_OVERSHOOT: f64 = 1.0005, "1", "factor on the time at which a stop releases its joint, so that the next \
            step finds it released";
        FIRST_RELEASE: f64 = 1e-3, "1", "earliest release that ends a step, as a part of it";
        LAST_RELEASE: f64 = 0.999, "1", "latest release that ends a step, as a part of it";
    }
    ode_integrator in ["integrators/ode_integrator.rs"] {
        FIXED_ACCURACY: f64 = 1e-8, "1", "accuracy of the stages of steps of fixed length";
    }
    options in ["integrators/options.rs"] {
        ACCURACY: f64 = 1e-3, "1", "accuracy of a run, unless given";
        STEP: f64 = 1e-3, "s", "step of methods that need one, unless given in Rust";
        MAX_STEPS: f64 = 1e11, "steps", "largest number of steps of one run: the fastest steps take a day";
    }
    oscillation in ["integrators/contact/impact.rs"] {
        NEAREST_END: f64 = 0.1, "1", "time at which bodies touch or part, over that which counts as at the start of a \
            step, below which no step ends there";
    }
    stops in ["integrators/contact/manifold/stops.rs"] {
        SAMPLES: usize = 16, "points", "number of points of a step at which a stop is looked for";
    }
    step_control in ["integrators/step_control.rs"] {
        FILTER: f64 = 4.0, "1", "b of the controller with memory, H211b";
        LEAST_ERROR: f64 = 1e-3, "1", "smallest error of the last step that the controller with memory counts, as a part \
            of its tolerance";
    }
    strikes in ["integrators/contact/strikes.rs"] {
        PART_OF_STABILITY: f64 = 0.25, "1", "part of the stability of a method that steps may use at a stop";
        BEYOND_STOP: f64 = 1e-2, "1", "part of the time of a stop by which steps go beyond where it is met, so that the \
            next one begins beyond it";
        HELD_RATIO: f64 = 0.5, "1", "part of a load that a stop has to take for it to count as held";
        PART_OF_WAY: f64 = 0.7, "1", "part of the time until a compliant stop \
            is met, at constant acceleration, that a step may always cover";
    }
    sweeps in ["integrators/contact/sweeps.rs"] {
        HALVINGS: usize = 30, "halvings", "number of halvings of the interval of time in which turning bodies meet";
    }
    transition in ["integrators/cenic/rules/transitions.rs"] {
        HALVED_FROM: f64 = 1.5, "1", "time to a transition, in lengths of the step that is to cross it, above which a \
            step covers half of it";
        CROSSING_MARGIN: f64 = 1.01, "1", "longest step that may cross a transition, in lengths of the step that is to \
            cross it: a margin for rounding";
        STEPS_PER_ATTEMPT: f64 = 8.0, "steps", "number of accepted steps that pay for one attempt of a search";
    }
    tuning in ["integrators/tuning.rs"] {
        SECOND_ORDER_VISIBLE: f64 = 0.1, "1", "factor on `visible` and `well_visible` in steps that are not refined";
    }
    turning in ["integrators/contact/turning.rs"] {
        // The step of a difference in place of a derivative. An eighth of it makes the same errors
        // (`docs/decisions/02-contact-geometry-that-turns.md`).
        DIFFERENCE_STEP_RATIO: f64 = 1e-3, "1", "time after which geometry is evaluated again to see how it turns, as a \
            part of the largest step";
    }
    untried in ["integrators/cenic/free_motion.rs", "integrators/cenic/step.rs", "integrators/cenic/thirds.rs"] {
        PRESUMED_GROWTH: f64 = 1.2, "1", "factor by which the length presumed for a kind of step that is not tried \
            (free, convex, of third order) grows with each step of another kind";
    }
}
