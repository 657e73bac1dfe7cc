//! Plausibility of the energy of a run.
//!
//! Where nothing drives the plants, the motion can have no more energy than that at the start, the energy of
//! constraints there, and the lost height of the bodies. A method with steps of fixed length does not control its
//! error, and may gain any amount; a run that ends with more than twice the initial energy is no result.
//!
//! Rigid constraints that are violated at the start return, and lift and move bodies meanwhile: until they are met the
//! run may gain the energy for that, and from there on it is judged by its energy then.
//!
//! Nor is a run a result that ends with a body on the other side of an obstacle: a step that is long against the
//! distance to a contact may pass it.

use super::energies::Energies;
use super::envelope::largest;
use super::exact::Exact;
use kinegraph_diagram::{Diagram, State};
use serde::{Deserialize, Serialize};

/// Speed of light \[m/s\].
const LIGHT: f64 = 299_792_458.0;
/// Gain from which a run diverges before its end, in multiples of the initial energy.
const ABSURD: f64 = 100.0;
/// Gain from which a run with unsettled solves diverges, in multiples of the initial energy.
const UNSETTLED: f64 = 0.1;
/// Gain of a run that ends from which it is reported, in multiples of the initial energy.
const DOUBTFUL: f64 = 0.1;
/// Speed \[m/s\] of the bodies up to which a gain does not matter.
const MIN_SPEED_GAIN: f64 = 0.1;
/// Factor on the least time of correction after which a violation at the start has returned, or never will.
const RETURN: f64 = 4.0;
/// Least number of steps for that: the speed of a correction is the distance over the length of the step.
const RETURN_STEPS: u32 = 20;

/// The energy of a run that is judged, from its first step on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Judged {
    /// Reference energies; `None` before the first step.
    reference: Option<Reference>,
}

/// Reference energies of a judgement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Energies as in [`Energies`].
    moving: Exact,
    total: Exact,
    constraints: Exact,
    held: Exact,
    corrected: Exact,
    /// Time until which violations at the start may return \[s\], and the least number of steps for that.
    returns_until: Exact,
    steps: u32,
    /// True if everything has returned.
    met: bool,
    buried: bool,
    /// Largest number of the state that was examined.
    largest: Exact,
}

impl Reference {
    /// Reference at a time \[s\] at which the largest number of the state is `largest`.
    pub fn of(energies: &Energies, time: f64, largest: f64) -> Self {
        Reference {
            moving: energies.moving.into(),
            total: energies.total.into(),
            constraints: energies.constraints.into(),
            held: energies.held.into(),
            corrected: energies.corrected.into(),
            returns_until: (time + RETURN * energies.returning).into(),
            steps: RETURN_STEPS,
            met: energies.returning == 0.0,
            buried: energies.buried.is_some(),
            largest: largest.into(),
        }
    }

    /// Fault of the energies at the end in words, if there is one.
    fn fault_at_end(&self, end: &Energies) -> Option<String> {
        let times = if self.met { 1.0 } else { ABSURD };
        let buried = || end.buried.clone().filter(|_| !self.buried);
        runs_away(end).or_else(buried).or_else(|| self.gains(end, times))
    }

    /// Fault in words, if the plants gained more than `times` what anything could give.
    pub fn gains(&self, end: &Energies, times: f64) -> Option<String> {
        self.gain(end, times).map(|(gain, _)| {
            format!("the plants gained {gain:.3e} J that nothing gave them: the steps are too long for this motion")
        })
    }

    /// Gain of the plants, if it is more than `times` what anything could give, and the amount that could be given
    /// \[J\].
    fn gain(&self, end: &Energies, times: f64) -> Option<(f64, f64)> {
        let number = |x: Exact| f64::from(x);
        let gain = end.total - number(self.total) - number(self.constraints);
        let given = (end.moving - gain).max(0.0) + number(self.held) + number(self.corrected);
        let absurd = gain > times * given && gain > 0.5 * end.mass * MIN_SPEED_GAIN * MIN_SPEED_GAIN;
        (!end.driven && absurd).then_some((gain, given))
    }
}

impl Judged {
    /// Notes that the first step begins at `state`, unless there was one before.
    pub fn begin(&mut self, diagram: &Diagram, state: &State) {
        self.reference.get_or_insert_with(|| {
            Reference::of(&Energies::at(diagram, state), state.time, largest(&state.continuous).1)
        });
    }

    /// Fault of the energy at `state` in words, if there is one. Steps without error control (`by_size`) are judged
    /// whenever the largest number of the state has doubled, and, more strictly, where the last solve was not settled
    /// (`unsettled`).
    pub fn fault(&mut self, diagram: &Diagram, state: &State, by_size: bool, unsettled: bool) -> Option<String> {
        let reference = self.reference.as_mut()?;
        let (_, size) = largest(&state.continuous);
        let has_doubled = by_size && size > 2.0 * f64::from(reference.largest);
        let unsettled = by_size && unsettled && reference.met;
        if reference.met && !has_doubled && !unsettled {
            return None;
        }
        if has_doubled {
            reference.largest = size.into();
        }
        reference.steps = reference.steps.saturating_sub(1);
        let now = Energies::at(diagram, state);
        let times = if unsettled { UNSETTLED } else { ABSURD };
        let fault = runs_away(&now).or_else(|| reference.gains(&now, times));
        let is_late = reference.steps == 0 && state.time >= f64::from(reference.returns_until);
        if fault.is_none() && !reference.met && (now.returning == 0.0 || is_late) {
            let buried = reference.buried;
            *reference = Reference::of(&now, state.time, f64::from(reference.largest));
            (reference.met, reference.buried) = (true, buried);
            reference.corrected = 0.0.into();
        }
        fault
    }

    /// Doubt about the energy at the end of a run that is no fault, in words, if there is one.
    pub fn doubt_at_end(&self, diagram: &Diagram, state: &State) -> Option<String> {
        let reference = self.reference.as_ref().filter(|reference| reference.met)?;
        let (gain, given) = reference.gain(&Energies::at(diagram, state), DOUBTFUL)?;
        let part = (100.0 * gain / given).round();
        Some(format!("the plants gained {gain:.3e} J, {part} % of what moves them, that nothing gave them"))
    }

    /// Fault of the energy at the end of a run, if there is one.
    pub fn fault_at_end(&self, diagram: &Diagram, state: &State) -> Option<String> {
        self.reference.as_ref()?.fault_at_end(&Energies::at(diagram, state))
    }
}

impl Energies {
    /// Fault of the energies at the `end` of a run that began with these, in words, if there is one.
    pub fn fault(&self, end: &Energies) -> Option<String> {
        Reference::of(self, 0.0, 0.0).fault_at_end(end)
    }
}

fn runs_away(now: &Energies) -> Option<String> {
    let absurd = now.moving > 0.5 * now.mass * LIGHT * LIGHT;
    absurd.then(|| format!("the bodies move faster than light ({:.3e} J): the method has run away", now.moving))
}
