//! The ledger of energy: what is not a pair of half steps may not gain any, and half steps that do are too long.
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
//! bodies by the accuracy (the points at which faces touch come and go, and what they store jumps). If an improved end
//! gains more, the half steps are taken as they were; if these gain more, the step is repeated with half of its length.
//!
//! Damped contacts give back only a part of what they hold (see `PointContact::recoverable_energy`): depths that are
//! off by what the accuracy allows hold large amounts in stiff contacts, of which nothing comes back. So much of a gain
//! is written off, and is not in the ledger any more for as long as contacts hold it unrecoverably: of all that the
//! bodies have, and can have back, the ledger says no less.

use serde::{Deserialize, Serialize};

/// The credit is never more than this part of the energy of the motion.
const LARGEST_CREDIT: f64 = 5e-2;
/// That before the first step.
const FIRST_CREDIT: f64 = 1e-2;
/// A gain of this part of the energy of the motion is none.
const ROUNDING: f64 = 1e-6;
/// Half steps may gain so much beyond the credit: their geometry is not linear.
const CURVATURE: f64 = 1e-4;
/// So often a step is repeated for its energy; then it is taken as it is.
const MOST_REPEATS: usize = 8;
/// The steps that follow one repeated for its energy are longer by no more than this factor, each than the one before.
const GROWTH: f64 = 1.2;

/// The energy of all that nothing drives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MechanicalEnergy {
    /// All of it: kinetic, of gravity, springs and contacts \[J\].
    pub total: f64,
    /// The part that contacts hold and bodies cannot have back: damping takes it \[J\].
    pub unrecoverable: f64,
    /// That of the motion: kinetic, and of contacts \[J\].
    pub moving: f64,
    /// The weight of all \[N\].
    pub weight: f64,
    /// Whether any body is near another.
    pub near: bool,
}

/// What is booked, from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// What may be gained \[J\]; `None` before the first step: the largest.
    credit: Option<f64>,
    /// How long \[s\] the next step may be, since one was too long for its energy.
    longest: Option<f64>,
    /// What contacts hold that came from nowhere and is of no consequence \[J\].
    written_off: f64,
    #[serde(skip)]
    repeats: usize,
}

impl Ledger {
    /// The ledger as it is remembered: amounts that are none are forgotten.
    pub fn recalled(&self) -> Self {
        let credit = self.credit.filter(|credit| *credit >= 0.0);
        let longest = self.longest.filter(|longest| *longest > 0.0);
        let written_off = if self.written_off > 0.0 { self.written_off } else { 0.0 };
        Ledger { credit, longest, written_off, repeats: 0 }
    }

    /// A step of `h` \[s\] was taken, and one of `wanted` is to follow: how long that is to be.
    pub fn next_step(&mut self, h: f64, wanted: f64) -> f64 {
        let Some(longest) = self.longest else { return wanted };
        let longest = longest.max(GROWTH * h);
        self.longest = (longest < wanted).then_some(longest);
        wanted.min(longest)
    }

    /// Whether a step from `start` to `end` may be taken; if so, it is booked. `improved`: it is not what the half
    /// steps found.
    pub fn accepts(&mut self, start: MechanicalEnergy, end: MechanicalEnergy, accuracy: f64, improved: bool) -> bool {
        let before = self.written_off.min(start.unrecoverable);
        let mut written_off = before.min(end.unrecoverable);
        let mut gain = (end.total - written_off) - (start.total - before);
        let largest = (LARGEST_CREDIT * start.moving).max(accuracy * start.weight);
        let credit = self.credit.unwrap_or(FIRST_CREDIT * start.moving).min(largest);
        let part = if improved { ROUNDING } else { CURVATURE };
        let allowed = credit + part * start.moving + 1e-12 * start.total.abs();
        if gain > allowed {
            let part = gain.min(end.unrecoverable - written_off);
            (gain, written_off) = (gain - part, written_off + part);
        }
        if gain > allowed && (improved || self.repeats < MOST_REPEATS) {
            return false;
        }
        self.credit = Some((credit - gain).clamp(0.0, largest));
        (self.written_off, self.repeats) = (written_off, 0);
        true
    }

    /// A step of length `h` \[s\] is repeated with a shorter one: how long it is, as a part.
    pub fn repeat(&mut self, h: f64) -> f64 {
        self.repeats += 1;
        self.longest = Some(0.5 * h);
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn energy(total: f64) -> MechanicalEnergy {
        MechanicalEnergy { total, moving: 10.0, near: true, ..MechanicalEnergy::default() }
    }

    #[test]
    fn gains_are_paid_by_losses() {
        let mut ledger = Ledger { credit: Some(0.0), ..Ledger::default() };
        assert!(!ledger.accepts(energy(0.0), energy(0.01), 1e-3, true));
        assert!(ledger.accepts(energy(0.0), energy(-0.02), 1e-3, true));
        assert!(ledger.accepts(energy(0.0), energy(0.01), 1e-3, true));
        assert!(ledger.accepts(energy(0.0), energy(0.01), 1e-3, true));
        assert!(!ledger.accepts(energy(0.0), energy(0.001), 1e-3, true));
    }

    #[test]
    fn losses_of_long_ago_pay_for_little() {
        let mut ledger = Ledger::default();
        assert!(ledger.accepts(energy(0.0), energy(-5.0), 1e-3, false));
        assert!(!ledger.accepts(energy(0.0), energy(0.51), 1e-3, false));
        assert!(ledger.accepts(energy(0.0), energy(0.5), 1e-3, false));
    }

    #[test]
    fn what_contacts_hold_for_good_is_written_off_as_long_as_they_do() {
        let mut ledger = Ledger { credit: Some(0.0), ..Ledger::default() };
        let held = |total: f64, unrecoverable: f64| MechanicalEnergy { unrecoverable, ..energy(total) };
        assert!(ledger.accepts(held(0.0, 0.0), held(3.0, 3.0), 1e-3, true));
        // It comes back none the less.
        assert!(!ledger.accepts(held(3.0, 3.0), held(3.0, 0.0), 1e-3, true));
        // Damping takes it: nothing was lost of what there was.
        assert!(ledger.accepts(held(3.0, 3.0), held(1.0, 1.0), 1e-3, true));
        assert!(!ledger.accepts(held(1.0, 1.0), held(1.01, 1.0), 1e-3, true));
    }

    #[test]
    fn steps_grow_slowly_after_one_that_gained() {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.next_step(1.0, 3.0), 3.0);
        let h = ledger.repeat(1.0);
        assert_eq!((h, ledger.next_step(h, 1.0)), (0.5, 0.6));
        assert_eq!(ledger.next_step(0.6, 0.7), 0.7);
        assert_eq!(ledger.next_step(0.7, 3.0), 3.0);
    }

    #[test]
    fn a_step_that_cannot_be_had_without_a_gain_is_taken_in_the_end() {
        let mut ledger = Ledger::default();
        let mut repeated = 0;
        while !ledger.accepts(energy(0.0), energy(5.0), 1e-3, false) {
            ledger.repeat(1.0);
            repeated += 1;
        }
        assert_eq!(repeated, MOST_REPEATS);
    }
}
