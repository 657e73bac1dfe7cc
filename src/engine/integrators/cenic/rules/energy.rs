//! The budget of energy: what is not a pair of half steps may not gain any, and half steps that do are too long.
//!
//! A convex step of length s with contacts of potential `U = k depth²/2` that finds the velocity v satisfies
//!
//! ```text
//! T1 + U1 = T0 + U0 + s v'f - D - N
//! ```
//!
//! with what the laws of contact and friction dissipate, `D >= 0`, and what the method loses, `N >= 0` (the inertia of
//! `v - v0`, and the Bregman distance of a convex U), in its own linear geometry. So a gain beyond the work of the
//! forces f is an error that is known to be one: of geometry that turned within the step, of a contact that was not
//! foreseen, of an extrapolation across an impact. The difference of full step and half steps need not see it, where
//! both err alike.
//!
//! The energy at the end of a step, with the depths that contacts have there, may exceed that at its start by the
//! credit of earlier losses, which is never more than a twentieth of the energy of the motion, or than what lifts the
//! bodies by the accuracy (the points at which faces touch appear and vanish, and what they store jumps). If an
//! improved end gains more, the half steps are taken as they were; if these gain more, the step is repeated with half
//! of its length.
//!
//! Where what contacts hold jumps (a point appears or vanishes in the deep), a step across has the gain however short
//! it is, and shorter steps end ever closer before that place. A step may gain what as many repetitions as it may have
//! itself did not make less, before the place was passed.
//!
//! Damped contacts give back only a part of what they hold (see `ContactRow::recoverable_energy`): depths that are
//! off by what the accuracy allows hold large amounts in stiff contacts, of which nothing returns. So much of a gain
//! is discounted, and is not in the budget any more for as long as contacts hold it unrecoverably: of all that the
//! bodies have, and can have back, the budget holds no less.

use super::rule::{Again, StepRule, Trial, Verdict};
use crate::integrators::cenic::scheme::Scheme;
use crate::integrators::cenic::tuning::CenicTuning;
use crate::integrators::memory::{EnergyMemory, GainInVain};
use crate::integrators::rule::Rule;
use crate::integrators::{MechanicalEnergy, OneStep, Outcome, StepControl};

/// The budget of energy.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnergyBudget {
    pub memory: EnergyMemory,
    pub tuning: CenicTuning,
    repeats: usize,
    /// What the last attempt would have gained beyond what it may \[J\].
    gain: f64,
}

impl EnergyBudget {
    /// Remembers what was booked; amounts that are none are forgotten.
    pub fn recall(&mut self, memory: &EnergyMemory) {
        (self.memory, self.repeats) = (memory.checked(), 0);
    }

    /// A step of `h` \[s\] was taken, and one of `wanted` is to follow: how long that is to be.
    pub fn next_step(&mut self, h: f64, wanted: f64) -> f64 {
        let Some(longest) = self.memory.longest else { return wanted };
        let longest = longest.max(self.tuning.growth * h);
        self.memory.longest = (longest < wanted).then_some(longest);
        wanted.min(longest)
    }

    /// Whether a step from `start` to `end` may be taken; if so, it is booked. `improved`: it is not what the half
    /// steps found.
    pub fn accepts(&mut self, start: MechanicalEnergy, end: MechanicalEnergy, accuracy: f64, improved: bool) -> bool {
        let tuning = &self.tuning;
        let before = self.memory.discounted.min(start.unrecoverable);
        let mut discounted = before.min(end.unrecoverable);
        let mut gain = (end.total - discounted) - (start.total - before);
        let largest = (tuning.largest_credit * start.moving).max(accuracy * start.weight);
        let credit = self.memory.credit.unwrap_or_default().min(largest);
        let allowed = credit + tuning.no_gain * start.moving + start.corrected + 1e-12 * start.total.abs();
        if gain > allowed {
            let part = gain.min(end.unrecoverable - discounted);
            (gain, discounted) = (gain - part, discounted + part);
        }
        if gain > allowed {
            let in_vain = f64::from(self.memory.in_vain.repeats);
            if improved || (self.repeats as f64).max(in_vain) < tuning.max_repeats {
                self.gain = gain;
                return false;
            }
            self.memory.in_vain = GainInVain::default();
        }
        self.memory.credit = Some((credit - gain).clamp(0.0, largest));
        (self.memory.discounted, self.repeats) = (discounted, 0);
        true
    }

    /// A step to the time `end` is repeated with a shorter one for the gain found last.
    pub fn note_repeat(&mut self, end: f64) {
        let GainInVain { until, gain, repeats } = &mut self.memory.in_vain;
        if *repeats == 0 {
            *until = end;
        }
        // What an error gains is at least halved with the step, and a jump stays: between the two.
        *repeats = if *repeats == 0 || self.gain > 0.75 * *gain { *repeats + 1 } else { 1 };
        *gain = self.gain;
    }

    /// A step from `time` begins: gains behind are no matter any more.
    pub fn forget_passed(&mut self, time: f64) {
        if time >= self.memory.in_vain.until {
            self.memory.in_vain = GainInVain::default();
        }
    }

    /// A step of length `h` \[s\] is repeated with a shorter one: how long it is, as a part.
    pub fn repeat(&mut self, h: f64) -> f64 {
        self.repeats += 1;
        self.memory.longest = Some(0.5 * h);
        0.5
    }
}

impl<S: Scheme> StepRule<S> for EnergyBudget {
    fn rule(&self) -> Rule {
        Rule::Energy
    }

    fn begin(&mut self, time: f64) {
        self.forget_passed(time);
    }

    /// The energy at the end needs the depths of contacts there, which the next step needs as well: its point is
    /// prepared ahead. An improved end that gains energy is not kept; half steps that do are too long.
    fn judge(&mut self, trial: &mut Trial<'_, S>) -> Verdict {
        let noted = (trial.statistics.max_contacts, trial.statistics.max_penetration);
        trial.record();
        let accuracy = trial.control.accuracy;
        let Some(start) = trial.scheme.method().energy_at(&trial.start.point, accuracy) else {
            return Verdict::Accept;
        };
        let (scheme, method) = (&*trial.scheme, trial.scheme.method());
        let middle = || scheme.middle().and_then(|middle| method.energy_at(middle, accuracy));
        if !(start.near || middle().is_some_and(|middle| middle.near)) {
            return Verdict::Accept;
        }
        loop {
            let improved = trial.scheme.is_improved();
            // A fault is met again, and dealt with, by the next step.
            let Some(end) = trial.energy_at_end() else { return Verdict::Accept };
            if self.accepts(start, end, accuracy, improved) {
                trial.settled = true;
                return Verdict::Accept;
            }
            if !improved {
                break;
            }
            trial.scheme.keep_plain();
            trial.read_end();
        }
        self.note_repeat(trial.end);
        let longest = self.repeat(trial.h) * trial.h;
        if longest < trial.control.min_step {
            trial.settled = true;
            return Verdict::Accept;
        }
        (trial.statistics.max_contacts, trial.statistics.max_penetration) = noted;
        Verdict::Again(Again { longest, outcome: Outcome::EnergyGain, wanted: true })
    }

    fn accepted(&mut self, h: f64, control: &mut StepControl) {
        control.limit(|wanted| self.next_step(h, wanted));
    }
}
