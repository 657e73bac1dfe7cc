//! The budget of energy: an improved end may not gain energy, and half steps that gain some are too long.
//!
//! A convex step of length s with contacts of potential `U = k depth²/2` that finds the velocity v satisfies
//!
//! ```text
//! T1 + U1 = T0 + U0 + s v'f - D - N
//! ```
//!
//! Here `D >= 0` is the dissipation of contact and friction, and `N >= 0` the loss of the method (the inertia of `v -
//! v0`, and the Bregman distance of a convex U), in its own linear geometry. So a gain beyond the work of the forces f
//! is certainly an error: of geometry that turned within the step, of a contact that was not foreseen, of an
//! extrapolation across an impact. The difference of full step and half steps need not show it, since both may err
//! alike.
//!
//! The energy at the end of a step, with the depths that contacts have there, may exceed that at its start by the
//! credit of earlier losses. This credit is never more than a part of the energy of the motion (`largest_credit`), or
//! than the energy that lifts the bodies by the accuracy (the points at which faces touch appear and vanish, and their
//! stored energy jumps). If an improved end gains more, the half steps are kept as they were solved. If these gain
//! more, the step is repeated with half of its length.
//!
//! Where the stored energy of contacts jumps (a point appears or vanishes at depth), a step across has the gain however
//! short it is, and shorter steps end ever closer before that place. So a gain that the largest number of repetitions
//! did not reduce is accepted.
//!
//! Damped contacts return only a part of the energy that they hold (see `ContactRow::recoverable_energy`): depths that
//! err within the accuracy hold large amounts in stiff contacts, of which nothing returns. This part of a gain is
//! discounted: it stays out of the budget for as long as contacts hold it unrecoverably. The budget never holds less
//! than the energy that the bodies have or can regain.

use crate::choices::energy::{LASTING_GAIN, REGROWTH};
use crate::integrators::MechanicalEnergy;
use crate::integrators::memory::{EnergyMemory, GainInVain};
use crate::integrators::tuning::CenicTuning;

/// The budget of energy.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnergyBudget {
    pub memory: EnergyMemory,
    pub tuning: CenicTuning,
    repeats: usize,
    /// Gain of the last attempt beyond the allowed one \[J\].
    gain: f64,
}

impl EnergyBudget {
    /// Restores the memory; amounts that are not valid are forgotten.
    pub fn recall(&mut self, memory: &EnergyMemory) {
        (self.memory, self.repeats) = (memory.checked(), 0);
    }

    /// Returns the length \[s\] of the next step after one of `h` \[s\], where `wanted` \[s\] is wanted.
    pub fn next_step(&mut self, h: f64, wanted: f64) -> f64 {
        let Some(longest) = self.memory.longest else { return wanted };
        let longest = longest.max(REGROWTH * h);
        self.memory.longest = (longest < wanted).then_some(longest);
        wanted.min(longest)
    }

    /// Decides whether a step from `start` to `end` is accepted, and if so books it. `improved`: its end differs from
    /// the one that the half steps found.
    pub fn accepts(&mut self, start: MechanicalEnergy, end: MechanicalEnergy, accuracy: f64, improved: bool) -> bool {
        let tuning = &self.tuning;
        let before = self.memory.discounted.min(start.unrecoverable);
        let mut discounted = before.min(end.unrecoverable);
        let mut gain = (end.total - discounted) - (start.total - before);
        let largest = (tuning.largest_credit * start.moving).max(accuracy * start.weight);
        let credit = self.memory.credit.unwrap_or_default().min(largest);
        let allowed = credit + tuning.no_gain * start.moving + start.corrected + 1e-12 * start.total.abs(); // rounding
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

    /// Notes that a step to the time `end` is repeated with a shorter one because of the last gain.
    pub fn note_repeat(&mut self, end: f64) {
        let GainInVain { until, gain, repeats } = &mut self.memory.in_vain;
        if *repeats == 0 {
            *until = end;
        }
        // The gain of an error is at least halved with the step, and a jump stays: this factor is between the two.
        *repeats = if *repeats == 0 || self.gain > LASTING_GAIN * *gain { *repeats + 1 } else { 1 };
        *gain = self.gain;
    }

    /// Begins a step from `time`: forgets gains in vain that lie behind.
    pub fn begin(&mut self, time: f64) {
        if time >= self.memory.in_vain.until {
            self.memory.in_vain = GainInVain::default();
        }
    }

    /// Notes that a step of length `h` \[s\] is repeated with a shorter one, and returns the factor on its length.
    pub fn repeat(&mut self, h: f64) -> f64 {
        self.repeats += 1;
        self.memory.longest = Some(0.5 * h);
        0.5
    }
}
