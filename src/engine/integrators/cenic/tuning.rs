//! Every number of the step that is a choice: its unit, what it means, which rule uses it, and why it is what it is.
//!
//! What is derived (rounding guards from the machine's precision, the coefficients of a method) is not here. A number
//! is declared once, in the list below: files (`simulation: {tuning: {NAME: value}}`), `kinegraph integrators cenic
//! --rules` and the ablation (`benches/ablation`) read that list.

use crate::integrators::step_control::ControlTuning;

/// One number of the step.
#[derive(Clone, Copy, Debug)]
pub struct TuningNumber {
    /// Its name: the field of [`CenicTuning`], and the key in files.
    pub name: &'static str,
    /// The rule, or the part of the step, that uses it.
    pub used_by: &'static str,
    /// Its unit; `1` of a ratio.
    pub unit: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Its default.
    pub default: f64,
    /// Reads it.
    pub get: fn(&CenicTuning) -> f64,
    /// Changes it.
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
            /// What each number is by default.
            pub const DEFAULT: Numbers = Numbers { $($($name: $default,)*)* };
            /// All numbers, by what uses them.
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
        let &CenicTuning { safety, max_shrink, max_growth, growth, stretch, .. } = self;
        ControlTuning { safety, max_shrink, max_growth, growth, stretch }
    }
}

impl CenicTuning {
    /// The same for steps that are not refined: they follow impacts from a tenth of what is visible on, in shorter
    /// parts of an oscillation.
    #[must_use]
    pub fn for_second_order(self) -> Self {
        CenicTuning { visible: 0.1 * self.visible, well_visible: 0.1 * self.well_visible, ..self }
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
        safety = ControlTuning::DEFAULT.safety, "1", "part of the step that the error would allow; a step that a limit cuts by more than half of what this takes off does not change the next";
        max_shrink = ControlTuning::DEFAULT.max_shrink, "1", "least part of its length to which a rejected step is cut, part of `max_step` that is tried first, part of a first convex step that free motion replaces where constraints take part, and part of a step within which bodies that touch count as touching";
        max_growth = ControlTuning::DEFAULT.max_growth, "1", "largest factor from step to step";
        growth = ControlTuning::DEFAULT.growth, "1", "growth by less is not taken, and no more after a step that gained energy or free motion in vain";
        stretch = ControlTuning::DEFAULT.stretch, "1", "a limit within this factor of the wanted step is stepped to exactly";
    }
    "attempt" {
        solver_tolerance = 1e-3, "1", "part of the accuracy to which convex problems are solved";
        wander = 2.0, "1", "a contact point whose place moves faster than the bodies turn by more than this factor is at another place";
        shortest_bound = 1e-5, "1", "rules bound a step to no less than this part of it";
        max_repeats = 10.0, "solves", "solves in which contacts join, and repetitions of a step to end at a stop or for its energy";
        at_rest = 1e-5, "1", "what moves no faster than this part of the stiction tolerance rests; times the largest step, gaps below it are none";
        stiff = 1.0, "1", "feedback or damping times the step beyond this part of the inertia is left to the convex step, and beyond this over the accuracy is not extrapolated";
    }
    "transition" {
        loosest_search = 5e-3, "1", "loosest accuracy at which transitions are searched for; at half of it and tighter ones the budget holds all searches, between them a part";
        resolution = 0.5, "1", "the step that crosses a transition is this many times shorter than the one that met it, over the root of the accuracy";
        search_cost = 8.0, "attempts", "a search begins only with this much in the budget; so many accepted steps pay for one attempt";
        searches = 6.0, "searches", "the budget holds no more than these, and half of them at first";
    }
    "rebound" {
        part_of_way = 0.5, "1", "part of its way to a stop with restitution that a joint makes in a step";
        struck_from = 0.1, "1", "part of the accuracy from which such a stop is struck";
    }
    "sweep" {
        thinnest = 1e-3, "1", "a body counts as no thinner than this part of its reach";
    }
    "oscillation" {
        angle = 0.8, "rad", "part of the oscillation of an impact that a step may be long; twice that of springs and of what rubs";
        visible = 10.0, "1", "motion after an impact, in accuracies, from which the impact is followed";
        to_the_end = 0.25, "1", "part of that which is enough to follow it to its end";
        well_visible = 200.0, "1", "motion after an impact, in accuracies, from which its steps are shorter";
        springy = 5.0, "1", "impacts of more dissipation times speed are no oscillations";
    }
    "free_motion" {
        free_accuracy = 1e-4, "1", "part of the accuracy to which steps of free motion are held";
        free_shortest = 0.25, "1", "shortest step of free motion, in convex steps";
        slack = 1.05, "1", "factor of the approach by which a cubic may deviate from the motion";
    }
    "extrapolation" {
        third_pays = 3.0, "1", "steps of the third order are taken where they are this many times as long as those of the second";
    }
    "friction_onset" {
        onset_horizon = 10.0, "1", "time in which an error of velocity counts at the onset of sliding and where friction lags, in largest steps";
        steady = 1e-2, "1", "change of the normal force of a contact, as a part of it, until which an error of velocity at the onset of sliding counts";
    }
    "energy" {
        largest_credit = 5e-2, "1", "largest credit, saved up by steps that lose energy, and gain of a step on contact surfaces that counts as none, as a part of the energy of the motion";
        no_gain = 1e-4, "1", "gain that counts as none, as a part of the energy of the motion";
        shallow = 0.3, "1", "contacts deeper than this part of the accuracy are discounted nothing";
    }
    "constraints" {
        broken = 1e-2, "1", "part of the fastest velocity at which constraint rows count as broken";
        compliant_part = 1e-6, "1", "part of the diagonal by which rows yield where forces are sought that they hold with";
        nearly_redundant = 1e-2, "1", "the same for displacements, of mechanisms with nearly redundant rows as well";
    }
}
