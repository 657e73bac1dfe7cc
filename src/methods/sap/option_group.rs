//! Options of `sap`, as files name them, and its presets.

use super::adjustments::{add_inertias, round_poses};
use crate::sap::{Digits, LineSearch, Precision, SolverOptions, WeightMode};
use kinegraph_engine::integrators::IfNotGiven::{Is, Words};
use kinegraph_engine::integrators::OptionValue::{Count, Flag, Number, Word};
use kinegraph_engine::integrators::Range::{Fraction, NonNegative, Positive, Tolerance};
use kinegraph_engine::integrators::{
    Capacity, ContactPointMode, Discretization, FrictionPlace, OptionError, Overflow, PositionIntegration,
};
use kinegraph_engine::integrators::{MAX_TOLERANCE, OptionGroup, OptionKey, OptionValue};

/// Gap that lifts sliding bodies, relative to the distance that friction moves in a step.
const GAP: f64 = 2.0; // method

/// Name of a set of [`SapOptions`] that distinguish discretizations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// As Drake: all in double precision, weights from the diagonal of A, contact at points between the surfaces,
    /// positions by the velocities at the end.
    #[default]
    Drake,
    /// Cheaper estimates: weights of single bodies, contact at the surfaces, positions by mean velocities.
    Approx64,
    /// As [`Approx64`](Self::Approx64), with single precision for poses, free motion, weights and factors.
    Approx32,
}

/// Initial guess of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarmStart {
    /// The velocities of the state.
    #[default]
    State,
    /// The velocities of the last solve; these differ if something has changed the state since.
    Previous,
}

/// Options of `sap`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SapOptions {
    /// Options of the solver.
    pub solver: SolverOptions,
    /// Point at which relative velocities are measured.
    pub points: ContactPointMode,
    /// Integration of positions.
    pub positions: PositionIntegration,
    /// Precision of the poses of bodies in the search for contacts.
    pub poses: Digits,
    /// Maximum number of contact points.
    pub capacity: Capacity,
    /// True if joint damping acts with the velocities at the end of the step.
    pub implicit_damping: bool,
    /// True if the problem includes contacts that the step may close.
    pub anticipate_contact: bool,
    /// Initial guess of a solve.
    pub warm_start: WarmStart,
}

impl Default for SapOptions {
    fn default() -> Self {
        SapOptions::preset(Preset::default())
    }
}

impl SapOptions {
    /// Options of a preset, which may then be changed one by one.
    pub fn preset(preset: Preset) -> Self {
        let drake = SapOptions {
            solver: SolverOptions::default(),
            points: ContactPointMode::ContactMidpoint,
            positions: PositionIntegration::Chord,
            poses: Digits::Double,
            capacity: Capacity::default(),
            implicit_damping: true,
            anticipate_contact: false,
            warm_start: WarmStart::State,
        };
        if preset == Preset::Drake {
            return drake;
        }
        let digits = if preset == Preset::Approx32 { Digits::Single } else { Digits::Double };
        let precision = Precision { free_motion: digits, weights: digits, linear: digits };
        SapOptions {
            solver: SolverOptions { weights: WeightMode::BodyInertia, precision, ..drake.solver },
            points: ContactPointMode::WitnessPoint,
            positions: PositionIntegration::Midpoint,
            poses: digits,
            ..drake
        }
    }

    /// Options of the discretization, which are not those of the solver.
    pub(super) fn discretization(&self) -> Discretization {
        Discretization {
            points: self.points,
            positions: self.positions,
            explicit_damping: !self.implicit_damping,
            implicit_springs: false,
            spins_by_bias: false,
            adjust: (self.poses == Digits::Single).then_some(round_poses as _),
            complete: (self.solver.weights == WeightMode::BodyInertia).then_some(add_inertias as _),
            friction: FrictionPlace::ByDepth { gap: GAP },
            redundant_rows: false,
            capacity: self.capacity,
        }
    }
}

/// Choice of a precision for `field`; by default that of the preset.
macro_rules! digits {
    ($($field:ident).+) => {
        OptionValue::Word {
            what: "precision",
            words: &[
                ("f32", |o| o.$($field).+ = Digits::Single),
                ("f64", |o| o.$($field).+ = Digits::Double),
                ("fp32", |o| o.$($field).+ = Digits::Single),
                ("fp64", |o| o.$($field).+ = Digits::Double),
            ],
            if_not_given: Words("by `preset`"),
        }
    };
}

kinegraph_engine::option_choices! {
    WeightMode: BodyInertia, DiagDelassus, BlockDelassus;
    Digits: Single, Double;
    LineSearch: ExactRoot, ArmijoDecay, MonotoneDecay;
    WarmStart: State, Previous;
}

impl OptionGroup for SapOptions {
    const KEY: &'static str = "sap";
    const EXPECTED: &'static str = "options of `sap`, such as `{preset: drake, relaxation_time: 0.1}`";
    const IF_MISSING: &'static str = "those of the preset `drake`";
    const ABOUT: &'static str = "options of the integrator `sap`";
    const KEYS: &'static [OptionKey<Self>] = &[
        OptionKey {
            name: "preset",
            value: Word {
                what: "preset",
                words: &[
                    ("drake", |o| *o = SapOptions::preset(Preset::Drake)),
                    ("approx64", |o| *o = SapOptions::preset(Preset::Approx64)),
                    ("approx32", |o| *o = SapOptions::preset(Preset::Approx32)),
                    ("approx_64", |o| *o = SapOptions::preset(Preset::Approx64)),
                    ("approx-64", |o| *o = SapOptions::preset(Preset::Approx64)),
                    ("approx_32", |o| *o = SapOptions::preset(Preset::Approx32)),
                    ("approx-32", |o| *o = SapOptions::preset(Preset::Approx32)),
                ],
                if_not_given: Is("drake"),
            },
            about: "what all else is where it is not given",
        },
        OptionKey {
            name: "contact_weight_mode",
            value: Word {
                what: "contact weight",
                words: &[
                    ("body_inertia", |o| o.solver.weights = WeightMode::BodyInertia),
                    ("diag_delassus", |o| o.solver.weights = WeightMode::DiagDelassus),
                    ("block_delassus", |o| o.solver.weights = WeightMode::BlockDelassus),
                ],
                if_not_given: Words("by `preset`"),
            },
            about: "how the effective mass at a contact is estimated",
        },
        OptionKey {
            name: "contact_point_mode",
            value: Word {
                what: "contact point",
                words: &[
                    ("witness_point", |o| o.points = ContactPointMode::WitnessPoint),
                    ("contact_midpoint", |o| o.points = ContactPointMode::ContactMidpoint),
                ],
                if_not_given: Words("by `preset`"),
            },
            about: "where the velocity of bodies in contact is measured",
        },
        OptionKey {
            name: "position_integration",
            value: Word {
                what: "position integration",
                words: &[
                    ("sap_euler", |o| o.positions = PositionIntegration::Chord),
                    ("midpoint", |o| o.positions = PositionIntegration::Midpoint),
                ],
                if_not_given: Words("by `preset`"),
            },
            about: "which velocities advance positions",
        },
        OptionKey {
            name: "boundary_pose_precision",
            value: digits!(poses),
            about: "of the poses at which contacts are found",
        },
        OptionKey {
            name: "free_motion_solve_precision",
            value: digits!(solver.precision.free_motion),
            about: "of the velocities of free motion",
        },
        OptionKey {
            name: "contact_weight_precision",
            value: digits!(solver.precision.weights),
            about: "of contact weights",
        },
        OptionKey {
            name: "contact_linear_solve_precision",
            value: digits!(solver.precision.linear),
            about: "of the factor of the Hessian and of directions",
        },
        OptionKey {
            name: "line_search_variant",
            value: Word {
                what: "line search",
                words: &[
                    ("exact_root", |o| o.solver.line_search = LineSearch::ExactRoot),
                    ("armijo_decay", |o| o.solver.line_search = LineSearch::ArmijoDecay),
                    ("monotone_decay", |o| o.solver.line_search = LineSearch::MonotoneDecay),
                ],
                if_not_given: Words("exact_root"),
            },
            about: "how far a Newton step goes",
        },
        OptionKey {
            name: "line_search_max_iterations",
            value: Count(Words("100 of `exact_root`, else 40"), |o, n| o.solver.line_search_max_iterations = Some(n)),
            about: "trials of a line search at most",
        },
        OptionKey {
            name: "armijo_c",
            value: Number(Fraction, Words("1e-4"), |o, x| o.solver.armijo_c = x),
            about: "part of the promised decrease that is enough",
        },
        OptionKey {
            name: "rho",
            value: Number(Fraction, Words("0.8"), |o, x| o.solver.rho = x),
            about: "factor from trial to trial of `armijo_decay`",
        },
        OptionKey {
            name: "line_search_relative_slop",
            value: Number(NonNegative, Words("1000 units of rounding"), |o, x| {
                o.solver.line_search_relative_slop = Some(x)
            }),
            about: "slope that counts as none",
        },
        OptionKey {
            name: "cost_abs_tol",
            value: Number(NonNegative, Words("1e-30; `monotone_decay` 0"), |o, x| o.solver.cost_abs_tol = Some(x)),
            about: "change of the cost that ends iterations [J]",
        },
        OptionKey {
            name: "cost_rel_tol",
            value: Number(NonNegative, Words("1e-15; `monotone_decay` 5e-3"), |o, x| o.solver.cost_rel_tol = Some(x)),
            about: "the same relative to the cost",
        },
        OptionKey {
            name: "absolute_tolerance",
            value: Number(Tolerance, Words("1e-14"), |o, x| o.solver.absolute_tolerance = x),
            about: "imbalance that ends iterations [sqrt(J)]",
        },
        OptionKey {
            name: "relative_tolerance",
            value: Number(Tolerance, Words("1e-6"), |o, x| o.solver.relative_tolerance = x),
            about: "the same relative to momenta and impulses",
        },
        OptionKey {
            name: "max_iterations",
            value: Count(Words("100"), |o, n| o.solver.max_iterations = n),
            about: "Newton iterations beyond which a step fails",
        },
        OptionKey {
            name: "beta",
            value: Number(NonNegative, Words("1"), |o, x| o.solver.beta = x),
            about: "period of near-rigid contacts, in parts of the step",
        },
        OptionKey {
            name: "sigma",
            value: Number(Positive, Words("1e-3"), |o, x| o.solver.sigma = x),
            about: "compliance of friction that sticks",
        },
        OptionKey {
            name: "relaxation_time",
            value: Number(NonNegative, Words("the step"), |o, x| o.solver.relaxation_time = Some(x)),
            about: "dissipation time of a pair of bodies [s]",
        },
        OptionKey {
            name: "max_rigid_contact",
            value: Count(Words("128"), |o, n| o.capacity.max_rigid_contact = n),
            about: "contact points at most",
        },
        OptionKey {
            name: "on_overflow",
            value: Word {
                what: "overflow",
                words: &[
                    ("grow", |o| o.capacity.on_overflow = Overflow::Grow),
                    ("drop_shallowest", |o| o.capacity.on_overflow = Overflow::DropShallowest),
                    ("error", |o| o.capacity.on_overflow = Overflow::Error),
                ],
                if_not_given: Words("grow"),
            },
            about: "what happens with more",
        },
        OptionKey {
            name: "implicit_damping",
            value: Flag(Words("true"), |o, flag| o.implicit_damping = flag),
            about: "whether joint damping acts with the velocities at the end of the step",
        },
        OptionKey {
            name: "anticipate_contact",
            value: Flag(Words("false"), |o, flag| o.anticipate_contact = flag),
            about: "whether contacts take part that the step may close",
        },
        OptionKey {
            name: "warm_start",
            value: Word {
                what: "warm start",
                words: &[
                    ("state", |o| o.warm_start = WarmStart::State),
                    ("previous", |o| o.warm_start = WarmStart::Previous),
                ],
                if_not_given: Words("state"),
            },
            about: "where a solve starts",
        },
    ];

    kinegraph_engine::option_numbers!(
        solver.weights,
        solver.precision.free_motion,
        solver.precision.weights,
        solver.precision.linear,
        solver.beta,
        solver.sigma,
        solver.relaxation_time,
        solver.line_search,
        solver.line_search_max_iterations,
        solver.armijo_c,
        solver.rho,
        solver.line_search_relative_slop,
        solver.cost_abs_tol,
        solver.cost_rel_tol,
        solver.absolute_tolerance,
        solver.relative_tolerance,
        solver.max_iterations,
        points,
        positions,
        poses,
        capacity.max_rigid_contact,
        capacity.on_overflow,
        implicit_damping,
        anticipate_contact,
        warm_start,
    );

    fn check(&self) -> Result<(), OptionError> {
        for (name, value) in [
            ("sap.absolute_tolerance", self.solver.absolute_tolerance),
            ("sap.relative_tolerance", self.solver.relative_tolerance),
        ] {
            if !(0.0..=MAX_TOLERANCE).contains(&value) {
                return Err(OptionError::OutOfRange { name, value, least: 0.0, most: MAX_TOLERANCE });
            }
        }
        Ok(())
    }
}
