//! Takes no step that gains energy beyond its budget: see `energy_budget.rs`.

use super::trial::{Again, Trial, Verdict};
use crate::integrators::Outcome;

/// Judges the energy at the end. It needs the depths of contacts there, which the next step needs as well: the point
/// there is prepared ahead. An improved end that gains energy is not kept; half steps that gain some are too long.
pub(super) fn judge(trial: &mut Trial<'_>) -> Verdict {
    let noted = (trial.statistics.max_contacts, trial.statistics.max_penetration);
    trial.record();
    let accuracy = trial.control.accuracy;
    let method = trial.scheme.method();
    let Some(start) = method.energy_at(&trial.start.point, accuracy) else {
        return Verdict::Accept;
    };
    let middle = || trial.scheme.doubling().and_then(|halves| method.energy_at(halves.middle(), accuracy));
    if !(start.near || middle().is_some_and(|middle| middle.near)) {
        return Verdict::Accept;
    }
    loop {
        let improved = trial.scheme.doubling().is_some_and(|halves| halves.kept.is_improved());
        // A fault is met again, and dealt with, by the next step.
        let Some(end) = trial.energy_at_end() else { return Verdict::Accept };
        if trial.rules.energy.accepts(start, end, accuracy, improved) {
            trial.next.settled = true;
            return Verdict::Accept;
        }
        match trial.scheme.doubling_mut().filter(|_| improved) {
            Some(halves) => halves.kept.take_plain(),
            None => break,
        }
        trial.read_end();
    }
    let budget = &mut trial.rules.energy;
    budget.note_repeat(trial.end);
    let longest = budget.repeat(trial.h) * trial.h;
    if longest < trial.control.min_step {
        trial.next.settled = true;
        return Verdict::Accept;
    }
    (trial.statistics.max_contacts, trial.statistics.max_penetration) = noted;
    Verdict::Again(Again { longest, outcome: Outcome::EnergyGain, wanted: true })
}
