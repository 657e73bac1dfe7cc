//! The options of `theta-gamma`, as files name them, and their ranges.

use crate::theta_gamma::{Friction, Metric, ThetaGammaOptions};
use kinegraph_engine::integrators::IfNotGiven::{Is, Words};
use kinegraph_engine::integrators::OptionError;
use kinegraph_engine::integrators::OptionValue::{Count, Flag, Number, Word};
use kinegraph_engine::integrators::Range::{NonNegative, Positive, Tolerance, Unit, UpperHalf};
use kinegraph_engine::integrators::{MAX_TOLERANCE, OptionConflict, OptionGroup, OptionKey, OptionNumber};

kinegraph_engine::option_choices! {
    Metric: Block, Diagonal;
}

/// Coulomb's law has no number; Contensou's is written as its radius.
impl OptionNumber for Friction {
    fn to_number(self) -> f64 {
        match self {
            Friction::Coulomb => f64::NAN,
            Friction::Contensou { radius } => radius,
        }
    }

    fn from_number(radius: f64) -> Self {
        if radius.is_nan() { Friction::Coulomb } else { Friction::Contensou { radius } }
    }
}

impl OptionGroup for ThetaGammaOptions {
    const KEY: &'static str = "theta_gamma";
    const EXPECTED: &'static str = "options of `theta-gamma`, such as `{theta: 0.5, gamma: 1}`";
    const IF_MISSING: &'static str = "theta 1, gamma 1, Coulomb's friction";
    const ABOUT: &'static str = "options of the integrator `theta-gamma`";
    const KEYS: &'static [OptionKey<Self>] = &[
        OptionKey {
            name: "theta",
            value: Number(UpperHalf, Is(1.0), |o, x| o.theta = x),
            about: "where in the step forces are evaluated",
        },
        OptionKey {
            name: "gamma",
            value: Number(UpperHalf, Is(1.0), |o, x| o.gamma = x),
            about: "where in the step the laws of contact hold",
        },
        OptionKey {
            name: "friction",
            value: Word {
                what: "law of friction",
                words: &[
                    ("coulomb", |o| o.friction = Friction::Coulomb),
                    ("contensou", |o| o.friction = Friction::Contensou { radius: 1e-3 }), // listed
                ],
                if_not_given: Is("coulomb"),
            },
            about: "whether contacts resist turning about their normal",
        },
        OptionKey {
            name: "contact_radius",
            // listed
            value: Number(Positive, Is(1e-3), |o, given| {
                if let Friction::Contensou { radius } = &mut o.friction {
                    *radius = given;
                }
            }),
            about: "moment of a contact that turns, over its friction force [m]",
        },
        OptionKey {
            name: "restitution",
            value: Number(Unit, Is(0.0), |o, x| o.restitution = x),
            about: "part of its speed that what strikes gets back",
        },
        OptionKey {
            name: "passes",
            value: Count(Words("1 with `theta` 1, else 2"), |o, n| o.passes = Some(n)),
            about: "linearizations of a step",
        },
        OptionKey {
            name: "correction",
            value: Number(NonNegative, Is(0.2), |o, x| o.correction = x), // listed
            about: "part of a violation that a step removes",
        },
        OptionKey {
            name: "slop",
            value: Number(NonNegative, Is(1e-5), |o, x| o.slop = x), // listed
            about: "depth of a contact that stays [m]",
        },
        OptionKey {
            name: "correction_speed",
            value: Number(NonNegative, Is(1.0), |o, x| o.correction_speed = x),
            about: "largest speed at which a depth is removed [m/s]",
        },
        OptionKey {
            name: "tolerance",
            value: Number(Tolerance, Is(1e-8), |o, x| o.tolerance = x), // listed
            about: "change of the impulses in a sweep, relative to them, that ends sweeps",
        },
        OptionKey { name: "sweeps", value: Count(Is(200), |o, n| o.max_sweeps = n), about: "sweeps at most" },
        OptionKey {
            name: "metric",
            value: Word {
                what: "metric of sweeps",
                words: &[("block", |o| o.metric = Metric::Block), ("diagonal", |o| o.metric = Metric::Diagonal)],
                if_not_given: Is("block"),
            },
            about: "in which metric a sweep solves the friction of a contact",
        },
        OptionKey {
            name: "solver",
            // Maximum number of rounds of Newton's method.
            value: Word {
                what: "solver",
                words: &[("newton", |o| o.rounds = 30), ("sweeps", |o| o.rounds = 0)],
                if_not_given: Is("newton"),
            },
            about: "whether all impulses are found at once where sweeps are slow",
        },
        OptionKey {
            name: "warm_start",
            value: Flag(Is(true), |o, flag| o.warm_start = flag),
            about: "whether a solve starts from the contact forces of the last step",
        },
    ];

    kinegraph_engine::option_numbers!(
        theta,
        gamma,
        friction,
        restitution,
        passes,
        correction,
        slop,
        correction_speed,
        tolerance,
        max_sweeps,
        metric,
        rounds,
        warm_start,
        threads,
    );

    fn check(&self) -> Result<(), OptionError> {
        for (name, value) in [("theta_gamma.theta", self.theta), ("theta_gamma.gamma", self.gamma)] {
            if !(0.5..=1.0).contains(&value) {
                return Err(OptionError::OutOfRange { name, value, least: 0.5, most: 1.0 });
            }
        }
        let e = self.restitution;
        if !(0.0..=1.0).contains(&e) {
            return Err(OptionError::OutOfRange { name: "theta_gamma.restitution", value: e, least: 0.0, most: 1.0 });
        }
        if e > 0.0 && self.gamma != 1.0 {
            return Err(OptionError::Excluded {
                name: "theta_gamma.restitution",
                value: e,
                other: "gamma",
                other_value: self.gamma,
                reason: "impacts give back (1 - gamma)/gamma by themselves: give `gamma: 1` or `restitution: 0`",
            });
        }
        if let Friction::Contensou { radius } = self.friction
            && !(radius > 0.0 && radius.is_finite())
        {
            return Err(OptionError::NotPositive { name: "theta_gamma.contact_radius", value: radius });
        }
        let value = self.tolerance;
        if !(0.0..=MAX_TOLERANCE).contains(&value) {
            let name = "theta_gamma.tolerance";
            return Err(OptionError::OutOfRange { name, value, least: 0.0, most: MAX_TOLERANCE });
        }
        for (name, value) in [
            ("theta_gamma.correction", self.correction),
            ("theta_gamma.slop", self.slop),
            ("theta_gamma.correction_speed", self.correction_speed),
        ] {
            if value.is_nan() || value < 0.0 {
                return Err(OptionError::Negative { name, value });
            }
        }
        Ok(())
    }

    fn conflict(&self) -> Option<OptionConflict> {
        (self.restitution > 0.0 && self.gamma < 1.0).then_some(OptionConflict {
            key: "restitution",
            message: "impacts give back (1 - gamma)/gamma by themselves with gamma below 1: give `gamma: 1` or no \
                      restitution",
        })
    }
}
