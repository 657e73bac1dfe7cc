//! Jumps within steps that no witness function marks: a block that branches.
//!
//! A step across a jump of the rates f at a time t* takes its two sides with the same stages on either side of it, in
//! the run and in those beside, whose own jumps come a little earlier or later. What that leaves out of the state of a
//! run beside is `(f(t*-) - f(t*+)) (t - t*)`, with its own time t: it is added. Where that is not known, a note says
//! so.

use super::lockstep::Lockstep;
use super::notes::NoteKind;
use super::numbers::{AT_ENDS, INSTANT, JUMP, JUMPS_PER_STEP, LARGEST_SHIFT, MAX_HALVINGS, MOSTLY};
use super::signals::Signals;
use crate::integrators::DenseStep;
use kinegraph_core::ConvexPlant;
use kinegraph_diagram::{Diagram, State, Values};

/// Intervals of a step at whose ends signals are looked at.
const INTERVALS: usize = 4;

/// Signals within a step.
struct Looks<'a> {
    signals: &'a Signals,
    diagram: &'a Diagram,
    dense: &'a DenseStep,
    values: &'a mut Values<f64>,
    probe: &'a mut State,
}

/// A time in a step, with the signals there.
type Look = (f64, Vec<f64>);

impl Looks<'_> {
    fn at(&mut self, time: f64) -> Look {
        let mut found = Vec::new();
        self.probe.time = time;
        self.dense.evaluate(time, &mut self.probe.continuous);
        self.signals.find(self.diagram, self.probe, self.values, &mut found);
        (time, found)
    }

    /// The first jump of some of the numbers `which` between two times: the bracket of its time, and the numbers.
    fn jump(&mut self, low: &Look, high: &Look, which: &[usize], halvings: usize) -> Option<(Look, Look, Vec<usize>)> {
        let middle = 0.5 * (low.0 + high.0);
        if which.is_empty() {
            return None;
        }
        if halvings == 0 || middle <= low.0 || middle >= high.0 {
            return Some((low.clone(), high.clone(), which.to_vec()));
        }
        let middle = self.at(middle);
        for (from, to) in [(low, &middle), (&middle, high)] {
            let is_within = |&i: &usize| {
                let (part, whole) = ((to.1[i] - from.1[i]).abs(), (high.1[i] - low.1[i]).abs());
                part > MOSTLY * whole && part > JUMP * whole.max(to.1[i].abs()).max(1.0)
            };
            let within: Vec<usize> = which.iter().copied().filter(is_within).collect();
            if let Some(found) = self.jump(from, to, &within, halvings - 1) {
                return Some(found);
            }
        }
        // A sign is zero for an instant: then each half has a part of the jump.
        (halvings + INSTANT < MAX_HALVINGS).then(|| (low.clone(), high.clone(), which.to_vec()))
    }

    /// The time near `time` at which a number that jumps from `low` to `high` does so \[s\].
    fn time_of(&mut self, i: usize, time: f64, (low, high): (f64, f64)) -> Option<f64> {
        let span = self.dense.times.1 - self.dense.times.0;
        let is_after = |look: &Look| (look.1[i] - low).abs() > (look.1[i] - high).abs();
        let mut width = 1e-9 * span;
        let mut both = loop {
            let both = (self.at(time - width), self.at(time + width));
            if !is_after(&both.0) && is_after(&both.1) {
                break both;
            }
            width *= 4.0;
            if width > LARGEST_SHIFT * span {
                return None;
            }
        };
        for _ in 0..MAX_HALVINGS {
            let middle = 0.5 * (both.0.0 + both.1.0);
            if middle <= both.0.0 || middle >= both.1.0 {
                break;
            }
            let middle = self.at(middle);
            if is_after(&middle) { both.1 = middle } else { both.0 = middle }
        }
        Some(both.1.0)
    }
}

/// A jump within a step.
struct Jump {
    block: usize,
    /// Number that jumps, with its values before and after it.
    number: usize,
    sides: (f64, f64),
    /// Time just after it \[s\].
    time: f64,
    /// Rates of all states before it less those after it.
    rates: Vec<f64>,
    /// True if it acts on a plant.
    acts_on_plant: bool,
}

impl Lockstep {
    /// Seeks jumps within the step over these times that no witness function marks, and moves the runs beside to where
    /// they would be with jumps at their own times.
    pub(super) fn see_jumps(&mut self, (from, to): (f64, f64)) {
        for jump in self.jumps((from, to)) {
            self.jumped.push((jump.block, jump.time));
            let is_bound = jump.acts_on_plant && self.is_bound();
            let name = self.world.diagram().blocks()[jump.block].name.clone();
            for d in 0..self.directions.len() {
                let direction = &mut self.directions[d];
                let mut shifts = [0.0; 2];
                let mut are_known = true;
                for (side, shift) in direction.sides.iter_mut().zip(&mut shifts) {
                    let mut probe = side.before.clone();
                    let mut looks = Looks {
                        signals: &self.signals,
                        diagram: &side.diagram,
                        dense: side.integrator.dense(),
                        values: &mut side.looks,
                        probe: &mut probe,
                    };
                    match looks.time_of(jump.number, jump.time, jump.sides) {
                        Some(time) => *shift = time - jump.time,
                        None => are_known = false,
                    }
                }
                let moves = !are_known || (shifts[0] - shifts[1]).abs() > 0.0;
                if are_known && moves {
                    for (side, shift) in direction.sides.iter_mut().zip(shifts) {
                        let states = side.state.continuous.iter_mut().zip(&jump.rates);
                        states.for_each(|(x, rate)| *x += rate * shift);
                        side.integrator.interrupted();
                    }
                }
                if !are_known || moves && is_bound {
                    let by = self.by[d].name.clone();
                    let how = if are_known { "counts as in free motion" } else { "is left out" };
                    let text = format!("`{name}` jumps without a witness function: the change of its time {how}");
                    self.note(NoteKind::Kink, Some(jump.time), Some(by), text);
                }
            }
        }
    }

    /// True if something of a plant touches, or a constraint acts: forces on it do not make its acceleration alone.
    fn is_bound(&mut self) -> bool {
        let diagram = self.world.diagram().clone();
        let mut found = Vec::new();
        self.gaps.find(&diagram, &self.layout, &self.world.state.continuous, 0.0, &mut found);
        let has_rows = |plant: &dyn ConvexPlant| {
            let own = plant.structure();
            let is_limited = own.effort_limits.iter().any(|limit| limit.is_finite());
            is_limited || !own.constraints.is_empty() || !own.joint_friction.is_empty()
        };
        found.iter().any(|(_, width)| *width <= 0.0) || diagram.plants().any(|(_, plant)| has_rows(plant))
    }

    /// Jumps within the step of the run over these times, but at its ends.
    fn jumps(&mut self, (from, to): (f64, f64)) -> Vec<Jump> {
        let mut found = Vec::new();
        if self.signals.items.is_empty() || to <= from {
            return found;
        }
        let diagram = self.world.diagram().clone();
        let mut probe = self.before.clone();
        let mut looks = Looks {
            signals: &self.signals,
            diagram: &diagram,
            dense: self.world.integrator.dense(),
            values: &mut self.looks,
            probe: &mut probe,
        };
        let interval = (to - from) / INTERVALS as f64;
        let inner = AT_ENDS * (to - from);
        let mut low = looks.at(from + inner);
        for k in 1..=INTERVALS {
            let end = if k == INTERVALS { to - inner } else { from + interval * k as f64 };
            let high = looks.at(end);
            while found.len() < JUMPS_PER_STEP {
                let changed = |&&i: &&usize| (high.1[i] - low.1[i]).abs() > JUMP * high.1[i].abs().max(1.0);
                let which: Vec<usize> = self.signals.numbers.iter().filter(changed).copied().collect();
                let Some((before, after, jumped)) = looks.jump(&low, &high, &which, MAX_HALVINGS) else { break };
                if let Some(item) = self.signals.first(|i| jumped.contains(&i)).map(|k| &self.signals.items[k])
                    && let Some(&number) = jumped.iter().find(|i| item.range.contains(i))
                {
                    let rates = |looks: &mut Looks<'_>, time: f64| {
                        let mut rates = vec![0.0; diagram.state_width()];
                        looks.at(time);
                        let Looks { values, probe, .. } = looks;
                        diagram.derivatives_with_plants(time, &probe.continuous, values, &mut rates);
                        rates
                    };
                    let (mut lost, gained) = (rates(&mut looks, before.0), rates(&mut looks, after.0));
                    lost.iter_mut().zip(&gained).for_each(|(lost, gained)| *lost -= gained);
                    let acts_on_plant =
                        self.layout.plants.iter().any(|slot| {
                            slot.velocities.clone().any(|i| lost[i].abs() > JUMP * gained[i].abs().max(1.0))
                        });
                    let sides = (before.1[number], after.1[number]);
                    let time = looks.time_of(number, after.0, sides).unwrap_or(after.0);
                    found.push(Jump { block: item.block, number, sides, time, rates: lost, acts_on_plant });
                }
                low = after;
            }
            low = high;
        }
        found
    }
}
