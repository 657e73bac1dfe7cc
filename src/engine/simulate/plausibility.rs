//! The energy of a run: can it be true?
//!
//! Where nothing drives the plants, the motion can have no more energy than that at the start, what constraints held
//! there, and what the bodies lost in height. A method with steps of fixed length has no say in its error, and may gain
//! any amount; a run that ends with more than twice what there was is no result.
//!
//! Rigid constraints that are off at the start return, and lift and move bodies on their way: until they are met the
//! run may gain what that takes, and from there on it is judged by what it has then.
//!
//! Nor is a run a result that ends with a body on the other side of what it should have met: a step that is long
//! against the way to a contact may go past it.

use super::energies::Energies;
use super::envelope::largest;
use super::exact::Exact;
use kinegraph_diagram::{Diagram, State};
use serde::{Deserialize, Serialize};

/// Speed of light \[m/s\].
const LIGHT: f64 = 299_792_458.0;
/// The gain by which a run is known to diverge before its end, in multiples of the energy that was there.
const ABSURD: f64 = 100.0;
/// The same where forces are not those that laws ask for.
const UNSETTLED: f64 = 0.1;
/// The gain of a run that ends, in multiples of the energy that was there, from which it is reported.
const DOUBTFUL: f64 = 0.1;
/// Gains that would not move the bodies faster than this are of no account \[m/s\].
const MIN_SPEED_GAIN: f64 = 0.1;
/// What is off at the start is met after so many times the time that its correction takes at least, or never.
const RETURN: f64 = 4.0;
/// And not before so many steps: the speed of a correction is the way by the length of the step.
const RETURN_STEPS: u32 = 20;

/// The energy of a run that is judged, from its first step on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Judged {
    /// The energies that it is judged by; `None` before the first step.
    reference: Option<Reference>,
}

/// The energies that there were.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// As those of [`Energies`].
    moving: Exact,
    total: Exact,
    constraints: Exact,
    held: Exact,
    corrected: Exact,
    /// Until when what is off at the start may return \[s\], and for how many steps at least.
    returns_until: Exact,
    steps: u32,
    /// True if everything has returned.
    met: bool,
    buried: bool,
    /// The largest number of the state that was looked at.
    largest: Exact,
}

impl Reference {
    /// The energies at a time \[s\] at which the largest number of the state is this.
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

    /// The fault of the energies at the end in words, if there is one.
    fn fault_at_end(&self, end: &Energies) -> Option<String> {
        let times = if self.met { 1.0 } else { ABSURD };
        let buried = || end.buried.clone().filter(|_| !self.buried);
        runs_away(end).or_else(buried).or_else(|| self.gains(end, times))
    }

    /// The fault in words, if the plants gained more than `times` what anything could give.
    pub fn gains(&self, end: &Energies, times: f64) -> Option<String> {
        self.gain(end, times).map(|(gain, _)| {
            format!("the plants gained {gain:.3e} J that nothing gave them: the steps are too long for this motion")
        })
    }

    /// The gain of the plants, if it is more than `times` what anything could give, and what that is \[J\].
    fn gain(&self, end: &Energies, times: f64) -> Option<(f64, f64)> {
        let number = |x: Exact| f64::from(x);
        let gain = end.total - number(self.total) - number(self.constraints);
        let given = (end.moving - gain).max(0.0) + number(self.held) + number(self.corrected);
        let absurd = gain > times * given && gain > 0.5 * end.mass * MIN_SPEED_GAIN * MIN_SPEED_GAIN;
        (!end.driven && absurd).then_some((gain, given))
    }
}

impl Judged {
    /// The first step begins at `state`, unless there was one before.
    pub fn begin(&mut self, diagram: &Diagram, state: &State) {
        self.reference.get_or_insert_with(|| {
            Reference::of(&Energies::at(diagram, state), state.time, largest(&state.continuous).1)
        });
    }

    /// The fault of the energy at `state` in words, if there is one. Steps that err as they like (`by_size`) are judged
    /// whenever the largest number of the state has doubled, and, more strictly, where the forces of the last step are
    /// not those that its laws ask for (`unsettled`).
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

    /// The doubt about the energy at the end of a run that is no fault, in words, if there is one.
    pub fn doubt_at_end(&self, diagram: &Diagram, state: &State) -> Option<String> {
        let reference = self.reference.as_ref().filter(|reference| reference.met)?;
        let (gain, given) = reference.gain(&Energies::at(diagram, state), DOUBTFUL)?;
        let part = (100.0 * gain / given).round();
        Some(format!("the plants gained {gain:.3e} J, {part} % of what moves them, that nothing gave them"))
    }

    /// The fault of the energy at the end of a run, if there is one.
    pub fn fault_at_end(&self, diagram: &Diagram, state: &State) -> Option<String> {
        self.reference.as_ref()?.fault_at_end(&Energies::at(diagram, state))
    }
}

impl Energies {
    /// What is wrong with those at the `end` of a run that began with these, in words, if anything.
    pub fn fault(&self, end: &Energies) -> Option<String> {
        Reference::of(self, 0.0, 0.0).fault_at_end(end)
    }
}

fn runs_away(now: &Energies) -> Option<String> {
    let absurd = now.moving > 0.5 * now.mass * LIGHT * LIGHT;
    absurd.then(|| format!("the bodies move faster than light ({:.3e} J): the method has run away", now.moving))
}
