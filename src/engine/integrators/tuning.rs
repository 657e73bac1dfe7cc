//! Every number of the step that is a choice: its unit, its meaning, its default, and the rule that uses it.
//!
//! Numbers that are derived (rounding guards from the machine's precision, the coefficients of a method) are not here.
//! A number is declared once, in the list below: files (`simulation: {tuning: {NAME: value}}`), `kinegraph integrators
//! cenic --rules` and the ablation (`benches/ablation`) read that list.

use crate::choices::tuning::SECOND_ORDER_VISIBLE;
use crate::integrators::step_control::ControlTuning;

/// One number of the step.
#[derive(Clone, Copy, Debug)]
pub struct TuningNumber {
    /// Name: the field of [`CenicTuning`], and the key in files.
    pub name: &'static str,
    /// Rule, or part of the step, that uses it.
    pub used_by: &'static str,
    /// Unit; `1` of a ratio.
    pub unit: &'static str,
    /// Meaning, as a phrase.
    pub about: &'static str,
    /// Default value.
    pub default: f64,
    /// Returns its value.
    pub get: fn(&CenicTuning) -> f64,
    /// Sets its value.
    pub set: fn(&mut CenicTuning, f64),
}

macro_rules! numbers {
    ($($used_by:literal { $($name:ident = $default:expr, $unit:literal, $about:literal;)* })*) => {
        /// Every number of the step that is a choice. [`NUMBERS`](Self::NUMBERS) lists them.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Numbers {
            $($(#[doc = $about] #[doc = concat!("\\[", $unit, "\\]")] pub $name: f64,)*)*
        }

        impl Numbers {
            /// Default values.
            pub const DEFAULT: Numbers = Numbers { $($($name: $default,)*)* };
            /// All numbers, by the rule that uses them.
            pub const NUMBERS: &'static [TuningNumber] = &[$($(TuningNumber {
                name: stringify!($name),
                used_by: $used_by,
                unit: $unit,
                about: $about,
                default: $default,
                get: |tuning| tuning.$name,
                set: |tuning, value| tuning.$name = value,
            },)*)*];
        }
    };
}

impl CenicTuning {
    /// The numbers of step control.
    pub(super) fn control(&self) -> ControlTuning {
        let &CenicTuning { safety, first_step, max_shrink, max_growth, min_growth, stretch, .. } = self;
        ControlTuning { safety, first_step, max_shrink, max_growth, min_growth, stretch }
    }
}

impl CenicTuning {
    /// Returns the numbers for steps that are not refined: these follow impacts from a tenth of the visible motion on,
    /// in shorter parts of an oscillation.
    #[must_use]
    pub fn for_second_order(self) -> Self {
        CenicTuning {
            visible: SECOND_ORDER_VISIBLE * self.visible,
            well_visible: SECOND_ORDER_VISIBLE * self.well_visible,
            ..self
        }
    }
}

impl Default for CenicTuning {
    fn default() -> Self {
        CenicTuning::DEFAULT
    }
}

/// Every number of the step that is a choice.
pub type CenicTuning = Numbers;

numbers! {
    "control" {
        safety = ControlTuning::DEFAULT.safety, "1", "safety factor on the step length that the error would allow";
        first_step = ControlTuning::DEFAULT.first_step, "1", "first step of a run, as a part of `max_step`, unless `initial_step` is given";
        max_shrink = ControlTuning::DEFAULT.max_shrink, "1", "smallest factor from one attempt to the next, whether the first is accepted, rejected or has no finite error";
        max_growth = ControlTuning::DEFAULT.max_growth, "1", "largest factor from one step to the next";
        min_growth = ControlTuning::DEFAULT.min_growth, "1", "smallest factor by which a step grows at all";
        stretch = ControlTuning::DEFAULT.stretch, "1", "largest factor by which a step is stretched to end exactly at a limit";
    }
    "attempt" {
        solver_tolerance = 1e-3, "1", "tolerance of the convex solver, as a part of the accuracy";
        wander = 2.0, "1", "a contact point that moves along the bodies more than this many times as fast as they turn and slide counts as another point";
        shortest_bound = 1e-5, "1", "shortest step that rules may ask for, as a part of the length that step control wants";
        at_rest = 1e-5, "1", "largest speed at rest, as a part of the stiction tolerance";
        stiff = 1.0, "1", "largest rate of feedback, damping, springs and external state, times the step, that is not stiff";
    }
    "transition" {
        loosest_search = 5e-3, "1", "loosest accuracy at which transitions are searched for; the search budget grows from zero there to its full size at half of it";
        resolution = 0.5, "1", "a transition is crossed by a step of at most the root of the accuracy over `resolution`, as a part of the step that met it";
        search_cost = 8.0, "attempts", "smallest budget with which a search begins";
        searches = 6.0, "searches", "largest budget, in multiples of `search_cost`; a run begins with half of it";
    }
    "rebound" {
        part_of_way = 0.5, "1", "longest step towards a stop with restitution, as a part of the time until the joint strikes it";
        struck_from = 0.1, "1", "largest gap from which a joint strikes a stop with restitution within one step, as a part of the accuracy";
    }
    "sweep" {
        thinnest = 1e-3, "1", "smallest thickness that a body counts with, as a part of its reach";
    }
    "oscillation" {
        angle = 0.8, "rad", "longest step during an impact, as an angle of its oscillation; half of it for springs, compliant stops, feedback and sliding contacts";
        visible = 10.0, "1", "smallest motion after an impact that is followed, in accuracies";
        to_the_end = 0.25, "1", "factor on `visible` once bodies touch, so that an impact is followed to its end";
        well_visible = 200.0, "1", "motion after an impact, in accuracies, above which steps become shorter with the fourth root of it";
        springy = 5.0, "1", "largest product of dissipation and impact speed of an impact that is followed; above it bodies hardly rebound";
    }
    "free_motion" {
        free_accuracy = 1e-4, "1", "accuracy of steps of free motion, as a part of the accuracy";
        free_unknown = 0.1, "1", "factor on the length of the convex step with which free motion of constrained bodies is compared until the first convex step was taken";
        free_shortest = 0.25, "1", "shortest step of free motion, in lengths of the convex step";
        slack = 1.05, "1", "safety factor on the approach of bodies within a step of free motion, whose cubic deviates from the motion";
    }
    "extrapolation" {
        third_pays = 3.0, "1", "smallest ratio of the step length of the third order to that of the second at which the third order is used";
    }
    "friction_onset" {
        onset_horizon = 10.0, "1", "longest time over which an error of sliding velocity counts, in largest steps: at the onset of sliding, and where friction lags behind the normal force";
        steady = 1e-2, "1", "relative change of the normal force after which an error of velocity at the onset of sliding no longer counts";
    }
    "energy" {
        largest_credit = 5e-2, "1", "largest credit of the energy budget, as a part of the energy of the motion";
        no_gain = 1e-4, "1", "gain of energy that a step may have without credit, as a part of the energy of the motion";
        max_repeats = 10.0, "repetitions", "largest number of repetitions of a step that gains energy";
        shallow = 0.3, "1", "largest depth of a contact whose unrecoverable energy is discounted, as a part of the accuracy";
    }
    "constraints" {
        off_constraint = 0.1, "1", "violation of a stop or constraint above which convex steps return it, as a part of the way that the stiction tolerance makes in the largest step";
        broken = 1e-2, "1", "speed of constraint rows, as a part of the fastest velocity, above which velocities are projected to the constraints before the step";
        compliant_part = 1e-6, "1", "regularization of the forces of rigid constraints: the part of its diagonal that is added to the Delassus operator";
        nearly_redundant = 1e-2, "1", "regularization of position corrections, as that of `compliant_part`; large enough for mechanisms with nearly redundant rows";
    }
}
