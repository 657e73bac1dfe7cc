//! `simulation: {theta_gamma: {theta, gamma, …}}`: options of the integrator `theta-gamma`.

use crate::files::decode::{Choice, Count, Flag, NON_NEGATIVE, Number, POSITIVE, UNIT, UPPER_HALF};
use crate::files::parameter::{Optional, Takes, optional, takes};
use crate::files::reader::Reader;
use crate::files::section::Section;
use crate::integrators::{Friction, Metric, ThetaGammaOptions};

/// `theta_gamma: {…}`.
pub(super) const SECTION: Section<ThetaGammaOptions> =
    Section { about: "options of `theta-gamma`, such as `{theta: 0.5, gamma: 1}`", read };

/// Sweeps or passes at most.
const COUNT: Count = Count { limit: 1_000_000 };

const THETA: Takes<Number> = takes("theta", UPPER_HALF, 1.0, "where in the step forces are evaluated");
const GAMMA: Takes<Number> = takes("gamma", UPPER_HALF, 1.0, "where in the step the laws of contact hold");
const FRICTION: Takes<Choice<bool>> = takes(
    "friction",
    Choice { what: "law of friction", options: &[("coulomb", false), ("contensou", true)] },
    false,
    "whether contacts resist turning about their normal",
);
const RADIUS: Takes<Number> =
    takes("contact_radius", POSITIVE, 1e-3, "moment of a contact that turns, over its friction force [m]");
const RESTITUTION: Takes<Number> = takes("restitution", UNIT, 0.0, "part of its speed that what strikes gets back");
const PASSES: Optional<Count> = optional("passes", COUNT, "1 with `theta` 1, else 2", "linearizations of a step");
const CORRECTION: Takes<Number> = takes("correction", NON_NEGATIVE, 0.2, "part of a violation that a step removes");
const SLOP: Takes<Number> = takes("slop", NON_NEGATIVE, 1e-5, "depth of a contact that stays [m]");
const SPEED: Takes<Number> =
    takes("correction_speed", NON_NEGATIVE, 1.0, "largest speed at which a depth is removed [m/s]");
const TOLERANCE: Takes<Number> =
    takes("tolerance", NON_NEGATIVE, 1e-8, "change of the impulses in a sweep, relative to them, that ends sweeps");
const SWEEPS: Takes<Count> = takes("sweeps", COUNT, 200, "sweeps at most");
const METRIC: Takes<Choice<Metric>> = takes(
    "metric",
    Choice { what: "metric of sweeps", options: &[("block", Metric::Block), ("diagonal", Metric::Diagonal)] },
    Metric::Block,
    "in which metric a sweep solves the friction of a contact",
);
/// By rounds of Newton's method at most.
const SOLVER: Takes<Choice<usize>> = takes(
    "solver",
    Choice { what: "solver", options: &[("newton", 30), ("sweeps", 0)] },
    30,
    "whether all impulses are found at once where sweeps are slow",
);
const WARM_START: Takes<Flag> =
    takes("warm_start", Flag, true, "whether a solve starts from the contact forces of the last step");

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
