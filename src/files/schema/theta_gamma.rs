//! `simulation: {theta_gamma: {theta, gamma, …}}`: options of the integrator `theta-gamma`.

use crate::files::decode::{Choice, Count, Flag, NON_NEGATIVE, Number, POSITIVE, UNIT, UPPER_HALF};
use crate::files::parameter::{Optional, WithDefault, optional, with_default};
use crate::files::reader::Reader;
use crate::files::section::Section;
use crate::integrators::{Friction, Metric, ThetaGammaOptions};

/// `theta_gamma: {…}`.
pub(super) const SECTION: Section<ThetaGammaOptions> =
    Section { about: "options of `theta-gamma`, such as `{theta: 0.5, gamma: 1}`", read };

/// Sweeps or passes at most.
const COUNT: Count = Count { limit: 1_000_000 };

const THETA: WithDefault<Number> = with_default("theta", UPPER_HALF, 1.0, "where in the step forces are evaluated");
const GAMMA: WithDefault<Number> = with_default("gamma", UPPER_HALF, 1.0, "where in the step the laws of contact hold");
const FRICTION: WithDefault<Choice<bool>> = with_default(
    "friction",
    Choice { what: "law of friction", options: &[("coulomb", false), ("contensou", true)] },
    false,
    "whether contacts resist turning about their normal",
);
const RADIUS: WithDefault<Number> =
    with_default("contact_radius", POSITIVE, 1e-3, "moment of a contact that turns, over its friction force [m]");
const RESTITUTION: WithDefault<Number> =
    with_default("restitution", UNIT, 0.0, "part of its speed that what strikes gets back");
const PASSES: Optional<Count> = optional("passes", COUNT, "1 with `theta` 1, else 2", "linearizations of a step");
const CORRECTION: WithDefault<Number> =
    with_default("correction", NON_NEGATIVE, 0.2, "part of a violation that a step removes");
const SLOP: WithDefault<Number> = with_default("slop", NON_NEGATIVE, 1e-5, "depth of a contact that stays [m]");
const SPEED: WithDefault<Number> =
    with_default("correction_speed", NON_NEGATIVE, 1.0, "largest speed at which a depth is removed [m/s]");
const TOLERANCE: WithDefault<Number> = with_default(
    "tolerance",
    NON_NEGATIVE,
    1e-8,
    "change of the impulses in a sweep, relative to them, that ends sweeps",
);
const SWEEPS: WithDefault<Count> = with_default("sweeps", COUNT, 200, "sweeps at most");
const METRIC: WithDefault<Choice<Metric>> = with_default(
    "metric",
    Choice { what: "metric of sweeps", options: &[("block", Metric::Block), ("diagonal", Metric::Diagonal)] },
    Metric::Block,
    "in which metric a sweep solves the friction of a contact",
);
/// By rounds of Newton's method at most.
const SOLVER: WithDefault<Choice<usize>> = with_default(
    "solver",
    Choice { what: "solver", options: &[("newton", 30), ("sweeps", 0)] },
    30,
    "whether all impulses are found at once where sweeps are slow",
);
const WARM_START: WithDefault<Flag> =
    with_default("warm_start", Flag, true, "whether a solve starts from the contact forces of the last step");

fn read(r: &mut Reader<'_>) -> Option<ThetaGammaOptions> {
    let (theta, gamma, contensou, radius) = (r.get(&THETA), r.get(&GAMMA), r.get(&FRICTION), r.get(&RADIUS));
    let restitution = r.get(&RESTITUTION);
    if restitution > 0.0 && gamma < 1.0 {
        r.conflict(
            RESTITUTION,
            "impacts give back (1 - gamma)/gamma by themselves with gamma below 1: give `gamma: 1` or no restitution",
        );
    }
    Some(ThetaGammaOptions {
        theta,
        gamma,
        friction: if contensou { Friction::Contensou { radius } } else { Friction::Coulomb },
        restitution,
        passes: r.get(&PASSES),
        correction: r.get(&CORRECTION),
        slop: r.get(&SLOP),
        correction_speed: r.get(&SPEED),
        tolerance: r.get(&TOLERANCE),
        max_sweeps: r.get(&SWEEPS),
        metric: r.get(&METRIC),
        rounds: r.get(&SOLVER),
        warm_start: r.get(&WARM_START),
    })
}
