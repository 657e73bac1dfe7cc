//! Choices of this crate: every number that somebody could have chosen otherwise, declared once.
//!
//! A choice has a name, a unit, a meaning and a value, and stands with the files that use it. The engine lists its own
//! choices in the same form; `kinegraph integrators cenic --rules` prints both lists. Numbers that follow from others
//! are no choices and stay where they are, with a word behind them or in the line above:
//!
//! ```text
//! formula    a coefficient of a formula, or a threshold between two forms of it
//! method     a coefficient or a property of a published method
//! rounding   a guard against the rounding of numbers
//! size       how many numbers stand in a register, a block or a table
//! message    how much a message shows
//! listed     a value that a list of settable numbers reads: those of the step, or the options of a method
//! ```
//!
//! A test finds every other number outside the lists (`tests/source/words/numbers.rs`).

/// One choice.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Part of the program that uses it: the module of the list.
    pub part: &'static str,
    /// Files that use it, from the folder of the crate.
    pub files: &'static [&'static str],
    /// Name of the constant.
    pub name: &'static str,
    /// Unit; `1` of a ratio.
    pub unit: &'static str,
    /// Meaning, as a phrase.
    pub about: &'static str,
    /// Value.
    pub value: f64,
}

impl Choice {
    /// Value in decimals, with an exponent where these would be many.
    pub fn shown(&self) -> String {
        let size = self.value.abs();
        if (1e-3..1e6).contains(&size) { self.value.to_string() } else { format!("{:e}", self.value) } // message
    }
}

/// Declares choices by part: a module of constants each, and the list of all.
#[macro_export]
macro_rules! choices {
    ($(#[$doc:meta])* pub const $all:ident; $($part:ident in $files:tt {
        $($name:ident: $kind:ty = $value:expr, $unit:literal, $about:literal;)*
    })*) => {
        $(
            #[doc = concat!("Choices of `", stringify!($part), "`.")]
            pub mod $part {
                $(
                    #[doc = $about]
                    #[doc = concat!("\\[", $unit, "\\]")]
                    pub const $name: $kind = $value;
                )*
            }
        )*

        $(#[$doc])*
        pub const $all: &[$crate::choices::Choice] = &[$($($crate::choices::Choice {
            part: stringify!($part),
            files: &$files,
            name: stringify!($name),
            unit: $unit,
            about: $about,
            value: $part::$name as f64,
        },)*)*];
    };
}

choices! {
    /// All choices of contact and of the convex solver, by part.
    pub const CHOICES;

    contact in ["contact/elements/contact.rs", "contact/onset.rs"] {
        STATIC: f64 = 4.0, "regularization velocities", "largest slip at which friction is static";
        DYNAMIC: f64 = 16.0, "regularization velocities", "smallest slip at which friction is dynamic";
        // It must not depend on the step itself, so that full and half steps solve one law, and a creep means the same
        // at every accuracy. The reference implementation has a thousandth of the step.
        STOPPING_PART: f64 = 1e8, "1", "largest step over the time in which friction must not stop more than the \
            regularization velocity: bodies under a heavier load slip faster than the stiction tolerance, which bounds \
            the conditioning";
        RESOLVED: f64 = 1.0, "rad²", "largest `dt² k w` (w the inverse effective mass) with which a step follows the \
            oscillation of two bodies on each other: ten steps a period";
        // For impacts without sliding it is `RESOLVED`: with sliding, errors of the normal force last in the velocity
        // of sliding.
        SOFT: f64 = 0.25, "rad²", "largest `dt² k w` with which an explicit method of fourth order is the more accurate \
            one where a body slides";
        DAMPED: f64 = 2.5, "1", "largest rate of damping times the step with which that method follows an impact: it is \
            stable up to 2.8";
        RUBBING: f64 = 1e-3, "1", "friction below this part of the normal force counts as none";
        // Beyond, it errs by orders of magnitude. Measured: 100 and 1000 serve alike, 4 is too little.
        CLOSING: f64 = 100.0, "rad²", "largest squared angle of the oscillation in a step with which an explicit method \
            is tried where a contact closes: its error shortens the step to one that follows the impact";
        NEAR_RATIO: f64 = 1e-2, "1", "touching or parting within this part of a step counts as at its start";
    }
    constraint_rows in ["contact/rows.rs"] {
        // Impulses are known to the rounding of velocities over this softness, which decides about the balance of
        // momentum; the expected forces are then those found.
        SOFTNESS: f64 = 2.5e-4, "1", "softness of rigid constraints without contact";
        HARD: f64 = 1e-6, "1", "softness of rigid constraints with contact, whose tolerance decides: no contact may be \
            harder than a rigid constraint";
    }
    friction_arms in ["contact/friction_arms.rs"] {
        // It resists no spin, but is at rest where bodies turn about it: as the centre of pressure moves to and fro it
        // would push them along.
        NEAR_RATIO: f64 = 0.25, "1", "distance from the centre, over the mean distance of the points, below which a \
            point keeps its friction in place, by the square of the ratio";
    }
    joint_friction in ["contact/elements/joint_friction.rs", "contact/elements/contact.rs"] {
        // Friction with a larger regularization velocity of its own keeps that.
        STICTION_PART: f64 = 0.1, "1", "regularization velocity of dry friction of joints, in stiction tolerances of the \
            plant: by default a joint under its largest load creeps by less than a micrometre in a tenth of a second, or \
            a microradian. Also the least one of contacts whose friction depends on the direction";
    }
    joint_stops in ["contact/elements/joint_stops.rs", "contact/mod.rs"] {
        SLOWEST_REBOUND: f64 = 10.0, "1", "speed of the slowest impact with a rebound, in stiction tolerances: a joint \
            that bounces on its stop rests in the end";
        SOFTNESS: f64 = 3e-5, "1", "softness of a rebound, as a part of the inverse of the diagonal of the mass matrix: \
            however short the step, it has the whole impulse";
        RETURN: f64 = 10.0, "1", "largest step over the shortest time in which a joint returns from the depth to which \
            its load pressed it";
        PRESSED: f64 = 1.1e-6, "1", "depth to which an acceleration of one unit presses a joint into its stop, and a \
            little more, in squares of the largest step";
    }
    near_rigid in ["contact/elements/near_rigid.rs"] {
        // The reference has 0.1: then the load of a robot presses the stop of a light leg in by as much as the accuracy
        // in a long step, and by a quarter of that in one half as long.
        BETA: f64 = 2e-3 * std::f64::consts::PI, "1", "period of a regularized constraint, in steps: it yields to an \
            impulse by a millionth of the velocity that the impulse would make, `(beta/2 pi)²`";
        MAX_STEP_RATIO: f64 = 1e3, "1", "largest step over the step below which the stiffness of a constraint no longer \
            grows";
    }
    redundant_rows in ["contact/drop_redundant_rows.rs"] {
        REDUNDANT: f64 = 1e-8, "1", "square of the largest motion of a redundant combination of rows, as a part of its \
            motion if its bodies were free";
        WEAK: f64 = 1e-5, "1", "square of the largest motion of weak rows that are not redundant, on the scale of \
            `REDUNDANT`";
        TAKES_PART: f64 = 1e-5, "1", "smallest weight, in a redundant combination, of a row that takes part in it";
    }
    rigid in ["contact/elements/rigid.rs"] {
        RIGID_PERIOD: f64 = 1e-3, "s", "natural period of the spring in place of a rigid constraint or stop where there \
            is no step";
    }
    row_range in ["contact/elements/row_range.rs"] {
        HARDLY: f64 = 0.01, "1", "largest rebound, as a part of the impact speed, of a stop that counts as without \
            rebound";
    }
    run_scales in ["contact/run_scales.rs"] {
        MAX_STEP: f64 = 0.1, "s", "largest step of a run, unless given";
    }
    spins in ["contact/spins.rs"] {
        LARGEST_TURN: f64 = 1.0, "rad", "largest turn of one part of the midpoint rule, for which Newton's method \
            converges";
        MAX_PARTS: f64 = 1000.0, "parts", "largest number of parts; bodies that turn further keep their angular velocity \
            in their own axes";
        MAX_ITERATIONS: usize = 30, "iterations", "largest number of Newton's iterations of one part";
        // The force of the constraint, which is of first order, turns with the body. The resulting energy grows with
        // the fourth power of the turn.
        TURNING: f64 = 0.01, "rad", "largest turn within the step of a body that is extrapolated while a constraint \
            holds it";
    }
    stiffness in ["contact/stiffness.rs"] {
        IDLE: f64 = 1e-6, "1", "part of the force of another point below which a point of a contact surface counts as \
            idle";
        MAX_CHANGE: f64 = 4.0, "1", "largest change of a force by the error of a displacement, in sizes of the force, \
            with which the motion is extrapolated";
        MAX_INCREASE: f64 = 4.0, "1", "largest force at the end of a step, over that at its start, of bodies that are \
            extrapolated though the step does not follow their impact";
    }

    dense in ["linear_algebra/block_cholesky/dense.rs"] {
        MAX_UNBLOCKED_ROWS: usize = 64, "rows", "largest number of rows up to which the preparations of a blocked \
            factorization take longer than all the arithmetic";
    }
    lu in ["linear_algebra/lu.rs"] {
        MAX_UNBLOCKED_ROWS: usize = 16, "rows", "largest number of rows of a matrix that is factored column by column: \
            the preparations of a blocked method cost more than the work";
    }
    ordering in ["linear_algebra/block_cholesky/ordering.rs"] {
        SHORTEST_TAIL: usize = 24, "velocities", "smallest number of velocities of a dense tail; fewer are eliminated \
            clique by clique";
        // Blocks of free bodies have kernels of their own.
        SHORTEST_FREE_TAIL: usize = 72, "velocities", "smallest number of velocities of a dense tail where all \
            remaining cliques have the size of free bodies or less";
        MIN_QUEUE: usize = 128, "cliques", "number of cliques below which the next one is searched among all that are \
            left: a heap costs more";
        TAIL_DENSITY: f64 = 0.7, "1", "density at which the tail begins: every remaining clique has at least this part \
            of the remaining velocities in its neighbors and itself";
    }
    sparse_lu in ["linear_algebra/sparse_lu.rs"] {
        DIAGONAL_PREFERENCE: f64 = 0.1, "1", "ratio of the diagonal entry to the largest one below which the pivot is \
            taken off the diagonal";
    }

    certificate in ["solvers/icf/certificate.rs"] {
        // Sliding contacts curve little, and their gap is a difference of almost equal numbers.
        INSIDE: f64 = 0.99, "1", "part of the largest friction impulse above which linearized ones are replaced by those \
            at the velocity";
    }
    contact_dual in ["solvers/icf/pools/contact_dual.rs"] {
        MAX_SCALAR_ITERATIONS: usize = 20, "iterations", "largest number of scalar iterations, of which 1 to 4 are \
            needed, where rounding keeps them from ending";
        // Each leaves about the square. The point of linearization need not be exact: the gap measures the impulse
        // there, whatever it is.
        SCALAR_ACCURACY: f64 = 1e-2, "1", "relative change at which the scalar iteration ends";
    }
    monotone in ["solvers/icf/monotone.rs"] {
        MAX_ITERATIONS: usize = 40, "iterations", "largest number of iterations with feedback that is not symmetric; a \
            solve that needs more fails";
        MAX_FREE_ITERATIONS: usize = 8, "iterations", "largest number of iterations without contact, where every step is \
            exact but for the set of limited efforts";
        DECREASE: f64 = 1e-4, "1", "smallest decrease of the residual in the line search, as a part of that of a linear \
            problem";
        MIN_STEP_FRACTION: f64 = 1e-6, "1", "step of the line search below which it ends, as a part of Newton's";
    }
    newton in ["solvers/icf/newton.rs", "solvers/icf/monotone.rs"] {
        EDGES: usize = 10, "steps", "number of steps of rounding size after which the iteration ends";
        EDGE_ERROR_RATIO: f64 = 128.0, "1", "largest error at that end, over the error by rounding of velocities; above \
            it the iteration has failed";
        MAX_CONTRACTION: f64 = 0.9999, "1", "largest ratio of a step to the one before it that the estimate of the error \
            uses";
        FIRST_CONTRACTION: f64 = 0.5, "1", "ratio presumed for the first step, which has none before it";
    }
    pair_iterate in ["solvers/icf/pair_iterate.rs"] {
        INSIDE: f64 = 0.999, "1", "largest friction impulse from which an iteration starts, as a part of the largest \
            possible one";
        DUAL_STEP: f64 = 0.99, "1", "part of the distance to the largest friction impulse that one iteration may cover";
    }
    primal_dual in ["solvers/icf/primal_dual/mod.rs"] {
        PHASE: usize = 6, "iterations", "number of iterations in which friction of points without neighbours is \
            linearized where it settles";
        SLOPE: f64 = 0.5, "1", "accepted slope of the line search, as a part of the initial slope";
    }
    shares in ["solvers/common/shares.rs"] {
        // With more velocities a point takes proportionally more.
        OF_A_POINT: usize = 25_000, "instructions", "work of a contact point between bodies with `BETWEEN` velocities, \
            by which islands are shared out to threads";
        BETWEEN: usize = 12, "velocities", "velocities of the bodies for which `OF_A_POINT` holds";
        OF_A_PAIR: usize = 80, "instructions", "work of each pair of velocities of an island";
    }
    solver in ["solvers/icf/solver.rs"] {
        MAX_ITERATIONS: usize = 100, "iterations", "largest number of iterations; a solve that needs more fails";
        MIN_TOLERANCE: f64 = 1e-12, "1", "smallest relative tolerance";
        LINESEARCH_TOLERANCE: f64 = 0.1, "1", "accepted slope of the line search of Newton's method, as a part of the \
            initial slope";
    }
    system in ["solvers/icf/primal_dual/system.rs"] {
        DESCENT: f64 = 0.1, "1", "descent required of a direction, over its length squared";
        ANGLE: f64 = 1e-6, "1", "cosine required of the angle between a direction and the steepest descent";
    }
    views in ["solvers/icf/primal_dual/views.rs"] {
        TOLERANCE: f64 = 1e-8, "1", "relative tolerance of `solve_contacts`, which compares instructions of the machine";
    }
    watch in ["solvers/icf/primal_dual/watch.rs", "solvers/icf/primal_dual/mod.rs"] {
        MAX_STALLED: usize = 3, "iterations", "number of iterations within which the error has to halve; if not, a line \
            search guards the iteration";
        DIVERGED: f64 = 100.0, "1", "growth of the error that ends the unguarded iteration at once";
        SLOW_CONTRACTION: f64 = 0.3, "1", "ratio of an error to the one before it above which an iteration is slow";
    }
}
