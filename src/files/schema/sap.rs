//! `simulation: {sap: {preset, …}}`: options of the integrator `sap`. What is not given is as the preset has it.

use crate::files::decode::{Choice, Count, FRACTION, Flag, NON_NEGATIVE, Number, POSITIVE};
use crate::files::parameter::{Optional, WithDefault, optional, with_default};
use crate::files::reader::Reader;
use crate::files::section::Section;
use crate::integrators::{ContactPointMode, Overflow, PositionIntegration, Preset, SapOptions, WarmStart};
use crate::solvers::sap::{Digits, LineSearch, WeightMode};

/// `sap: {…}`.
pub(super) const SECTION: Section<SapOptions> =
    Section { about: "options of `sap`, such as `{preset: drake, relaxation_time: 0.1}`", read };

/// Contact points, iterations or trials at most.
const COUNT: Count = Count { limit: 1_000_000 };

const PRESET: WithDefault<Choice<Preset>> = with_default(
    "preset",
    Choice {
        what: "preset",
        options: &[
            ("drake", Preset::Drake),
            ("approx64", Preset::Approx64),
            ("approx32", Preset::Approx32),
            ("approx_64", Preset::Approx64),
            ("approx-64", Preset::Approx64),
            ("approx_32", Preset::Approx32),
            ("approx-32", Preset::Approx32),
        ],
    },
    Preset::Drake,
    "what all else is where it is not given",
);
const WEIGHT: Optional<Choice<WeightMode>> = optional(
    "contact_weight_mode",
    Choice {
        what: "contact weight",
        options: &[
            ("body_inertia", WeightMode::BodyInertia),
            ("diag_delassus", WeightMode::DiagDelassus),
            ("block_delassus", WeightMode::BlockDelassus),
        ],
    },
    "by `preset`",
    "how the effective mass at a contact is estimated",
);
const POINT: Optional<Choice<ContactPointMode>> = optional(
    "contact_point_mode",
    Choice {
        what: "contact point",
        options: &[
            ("witness_point", ContactPointMode::WitnessPoint),
            ("contact_midpoint", ContactPointMode::ContactMidpoint),
        ],
    },
    "by `preset`",
    "where the velocity of bodies in contact is measured",
);
const POSITIONS: Optional<Choice<PositionIntegration>> = optional(
    "position_integration",
    Choice {
        what: "position integration",
        options: &[("sap_euler", PositionIntegration::SapEuler), ("midpoint", PositionIntegration::Midpoint)],
    },
    "by `preset`",
    "which velocities advance positions",
);

const fn digits(key: &'static str, about: &'static str) -> Optional<Choice<Digits>> {
    const OPTIONS: &[(&str, Digits)] =
        &[("f32", Digits::Single), ("f64", Digits::Double), ("fp32", Digits::Single), ("fp64", Digits::Double)];
    optional(key, Choice { what: "precision", options: OPTIONS }, "by `preset`", about)
}

const POSES: Optional<Choice<Digits>> = digits("boundary_pose_precision", "of the poses at which contacts are found");
const FREE_MOTION: Optional<Choice<Digits>> = digits("free_motion_solve_precision", "of the velocities of free motion");
const WEIGHTS: Optional<Choice<Digits>> = digits("contact_weight_precision", "of contact weights");
const LINEAR: Optional<Choice<Digits>> =
    digits("contact_linear_solve_precision", "of the factor of the Hessian and of directions");
const LINE_SEARCH: Optional<Choice<LineSearch>> = optional(
    "line_search_variant",
    Choice {
        what: "line search",
        options: &[
            ("exact_root", LineSearch::ExactRoot),
            ("armijo_decay", LineSearch::ArmijoDecay),
            ("monotone_decay", LineSearch::MonotoneDecay),
        ],
    },
    "exact_root",
    "how far a Newton step goes",
);
const TRIALS: Optional<Count> =
    optional("line_search_max_iterations", COUNT, "100 of `exact_root`, else 40", "trials of a line search at most");
const ARMIJO: Optional<Number> = optional("armijo_c", FRACTION, "1e-4", "part of the promised decrease that is enough");
const RHO: Optional<Number> = optional("rho", FRACTION, "0.8", "factor from trial to trial of `armijo_decay`");
const SLOP: Optional<Number> =
    optional("line_search_relative_slop", NON_NEGATIVE, "1000 units of rounding", "slope that counts as none");
const COST_ABS: Optional<Number> =
    optional("cost_abs_tol", NON_NEGATIVE, "1e-30; `monotone_decay` 0", "change of the cost that ends iterations [J]");
const COST_REL: Optional<Number> =
    optional("cost_rel_tol", NON_NEGATIVE, "1e-15; `monotone_decay` 5e-3", "the same relative to the cost");
const ABSOLUTE: Optional<Number> =
    optional("absolute_tolerance", NON_NEGATIVE, "1e-14", "imbalance that ends iterations [sqrt(J)]");
const RELATIVE: Optional<Number> =
    optional("relative_tolerance", NON_NEGATIVE, "1e-6", "the same relative to momenta and impulses");
const ITERATIONS: Optional<Count> =
    optional("max_iterations", COUNT, "100", "Newton iterations beyond which a step fails");
const BETA: Optional<Number> =
    optional("beta", NON_NEGATIVE, "1", "period of near-rigid contacts, in parts of the step");
const SIGMA: Optional<Number> = optional("sigma", POSITIVE, "1e-3", "compliance of friction that sticks");
const RELAXATION: Optional<Number> =
    optional("relaxation_time", NON_NEGATIVE, "the step", "dissipation time of a pair of bodies [s]");
const MAX_CONTACTS: Optional<Count> = optional("max_rigid_contact", COUNT, "128", "contact points at most");
const OVERFLOW: Optional<Choice<Overflow>> = optional(
    "on_overflow",
    Choice {
        what: "overflow",
        options: &[("grow", Overflow::Grow), ("drop_shallowest", Overflow::DropShallowest), ("error", Overflow::Error)],
    },
    "grow",
    "what happens with more",
);
const DAMPING: Optional<Flag> =
    optional("implicit_damping", Flag, "true", "whether joint damping acts with the velocities at the end of the step");
const ANTICIPATE: Optional<Flag> =
    optional("anticipate_contact", Flag, "false", "whether contacts take part that the step may close");
const WARM_START: Optional<Choice<WarmStart>> = optional(
    "warm_start",
    Choice { what: "warm start", options: &[("state", WarmStart::State), ("previous", WarmStart::Previous)] },
    "state",
    "where a solve starts",
);

fn read(r: &mut Reader<'_>) -> Option<SapOptions> {
    let mut o = SapOptions::preset(r.get(&PRESET));
    let precision = o.solver.precision;
    let solver = &mut o.solver;
    solver.weights = r.get(&WEIGHT).unwrap_or(solver.weights);
    o.points = r.get(&POINT).unwrap_or(o.points);
    o.positions = r.get(&POSITIONS).unwrap_or(o.positions);
    o.poses = r.get(&POSES).unwrap_or(o.poses);
    solver.precision.free_motion = r.get(&FREE_MOTION).unwrap_or(precision.free_motion);
    solver.precision.weights = r.get(&WEIGHTS).unwrap_or(precision.weights);
    solver.precision.linear = r.get(&LINEAR).unwrap_or(precision.linear);
    solver.line_search = r.get(&LINE_SEARCH).unwrap_or(solver.line_search);
    solver.line_search_max_iterations = r.get(&TRIALS);
    solver.armijo_c = r.get(&ARMIJO).unwrap_or(solver.armijo_c);
    solver.rho = r.get(&RHO).unwrap_or(solver.rho);
    solver.line_search_relative_slop = r.get(&SLOP);
    solver.cost_abs_tol = r.get(&COST_ABS);
    solver.cost_rel_tol = r.get(&COST_REL);
    solver.absolute_tolerance = r.get(&ABSOLUTE).unwrap_or(solver.absolute_tolerance);
    solver.relative_tolerance = r.get(&RELATIVE).unwrap_or(solver.relative_tolerance);
    solver.max_iterations = r.get(&ITERATIONS).unwrap_or(solver.max_iterations);
    solver.beta = r.get(&BETA).unwrap_or(solver.beta);
    solver.sigma = r.get(&SIGMA).unwrap_or(solver.sigma);
    solver.relaxation_time = r.get(&RELAXATION);
    o.capacity.max_rigid_contact = r.get(&MAX_CONTACTS).unwrap_or(o.capacity.max_rigid_contact);
    o.capacity.on_overflow = r.get(&OVERFLOW).unwrap_or(o.capacity.on_overflow);
    o.implicit_damping = r.get(&DAMPING).unwrap_or(o.implicit_damping);
    o.anticipate_contact = r.get(&ANTICIPATE).unwrap_or(o.anticipate_contact);
    o.warm_start = r.get(&WARM_START).unwrap_or(o.warm_start);
    Some(o)
}
