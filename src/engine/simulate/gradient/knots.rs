//! Finds the knot at which a step ends.

use super::landing::{Change, Gap, Knot, Root, Width, root, width_least, width_of};
use super::lockstep::Lockstep;
use super::notes::NoteKind;
use super::numbers::{BEFORE, CLOSE_TO_TOUCHED, MIN_STEP_RATIO, REPLACED, SOON, STRIKE, TOUCHED};
use super::request::GradientError;
use super::side::Target;
use crate::integrators::{Decisions, Integrator, StepMemory};
use crate::simulate::RunError;
use crate::simulate::event_table::Crossed;
use crate::simulate::world::World;
use std::sync::Arc;

/// Halvings of a step by which the time of a touch is guessed from the motion within it.
const GUESSES: usize = 16;

/// A gap that closes or opens within a step.
struct Touch {
    gap: Gap,
    change: Change,
    /// Guess of its time \[s\].
    time: f64,
    /// Width of the gap at the end of the step where it is closed \[m\].
    depth: f64,
}

impl Lockstep {
    /// Ends the step at the first knot within it, if there is one. The step and its `decisions` may become others:
    /// those of a step on this side of the knot, where the motion is smooth.
    pub(super) fn land(
        &mut self,
        memory: &StepMemory,
        decisions: &mut Decisions,
        latest: f64,
    ) -> Result<Option<(Knot, Root, Target)>, GradientError> {
        let (from, end) = (self.before.time, self.world.state.time);
        let mut located = self.world.state.clone();
        let World { events, integrator, .. } = &mut self.world;
        let crossed = if events.watches() { events.locate(integrator.dense(), &mut located)? } else { None };
        let longer = (end + 2.0 * SOON * (end - from)).min(latest);
        let touch = self.first_touch(crossed.as_ref().map_or(longer, |crossed| crossed.time));
        let other = touch.as_ref().filter(|touch| !matches!(touch.gap, Gap::Stop { .. }));
        let others = [other.map(|touch| touch.time), crossed.as_ref().map(|crossed| crossed.time)];
        let until = others.into_iter().flatten().fold(latest, f64::min);
        self.strikes = false;
        if let Some(stop) = self.nearest_stop(until, decisions)
            && let Some((root, target)) = self.land_on_stop(&stop, memory, decisions)?
        {
            return Ok(Some((Knot::Touch(stop.gap, stop.change), root, target)));
        }
        let Some(guess) = touch.as_ref().map(|touch| touch.time).or(crossed.as_ref().map(|crossed| crossed.time))
        else {
            return Ok(None);
        };
        if touch.is_some() && self.landings < 1.0 {
            let text = "touches are more than are located: the changes of their times are left out".to_owned();
            self.note(NoteKind::Bracketed, Some(guess), None, text);
            if crossed.is_none() {
                return Ok(None);
            }
        }
        let reached = self.world.state.clone();
        if !self.approach(guess, memory, decisions)? {
            return Ok(None);
        }
        if let Some(Touch { gap, change, depth, .. }) = touch.filter(|_| self.landings >= 1.0) {
            let margin = (4.0 * depth.abs()).max(self.margin);
            let target = Target::Gap(gap, change, margin);
            let mut taken = decisions.clone();
            let at = |time: f64| self.value_at(time, target, memory, &mut taken);
            if let Some(root) = root(guess, (from, longer), (change.sign(), CLOSE_TO_TOUCHED * TOUCHED), at)? {
                self.landings -= 1.0;
                return Ok(Some((Knot::Touch(gap, change), root, target)));
            }
            if !matches!(gap, Gap::Stop { .. }) {
                let name = gap.name(self.world.diagram(), &self.layout);
                let text = format!("the time of `{name}` was not located: its change is left out");
                self.note(NoteKind::Bracketed, Some(guess), None, text);
            }
            self.repeat_to(reached.time, memory, &taken)?;
        }
        let Some(crossed) = crossed else { return Ok(None) };
        let witness = crossed.which[0];
        let before = self.world.events.witness_at(&self.before, witness)?;
        let beyond = if before != 0.0 { -before } else { self.world.events.witness_at(&reached, witness)? };
        let target = Target::Witness(witness);
        let mut taken = decisions.clone();
        let at = |time: f64| self.value_at(time, target, memory, &mut taken);
        let root = match root(crossed.time, (from, end), (beyond.signum(), 0.0), at)? {
            Some(root) => root,
            None => {
                let name = self.world.events.table().name(witness);
                let text = format!("the time of `{name}` was not located: its change is left out");
                self.note(NoteKind::Bracketed, Some(crossed.time), None, text);
                self.repeat_to(crossed.time, memory, &taken)?;
                Root { time: crossed.time, rate: f64::INFINITY }
            }
        };
        let crossed = Crossed { time: self.world.state.time, ..crossed };
        Ok(Some((Knot::Event(crossed), root, target)))
    }

    /// The rigid stop that a joint meets first, before `until` and within the length that error control allows, in a
    /// step with contacts or constraints. There the impact is within the step, or ever shorter ones lead to it.
    fn nearest_stop(&self, until: f64, decisions: &Decisions) -> Option<Touch> {
        let (from, end) = (self.before.time, self.world.state.time);
        if decisions.is_free || self.landings < 1.0 || self.layout.plants.is_empty() {
            return None;
        }
        let until = until.min(from + decisions.reach.max(end - from));
        let [starts, ends] = &self.found;
        let met = starts.iter().filter_map(|&(gap, start)| {
            let away = self.away_from_stop(&gap)?;
            let [before, after] = [&self.before.continuous, &self.world.state.continuous].map(|x| away(x));
            let width = width_of(&gap, ends)?;
            if before >= 0.0 || start <= 1e3 * TOUCHED {
                return None;
            }
            let goes_on = width > 0.0 && after < 0.0;
            let time = if goes_on { end - width / after } else { end.min(from - start / before) };
            Some(Touch { gap, change: Change::Closes, time, depth: start })
        });
        met.filter(|touch| touch.time <= until).min_by(|a, b| a.time.total_cmp(&b.time))
    }

    /// Speed away from a rigid stop, of a continuous state; `None` of other gaps.
    fn away_from_stop(&self, gap: &Gap) -> Option<impl Fn(&[f64]) -> f64 + use<>> {
        let Gap::Stop { plant, limit, side } = *gap else { return None };
        let slot = &self.layout.plants[plant];
        let limit = &self.layout.plant(self.world.diagram(), slot).structure().limits[limit];
        let (sign, _) = limit.stops().nth(side).filter(|_| limit.compliance.is_none())?;
        let speed = slot.velocities.start + limit.velocity;
        Some(move |x: &[f64]| sign * x[speed])
    }

    /// Ends the step where a joint meets a stop, with a step in which stops do not act; if it does not, the step is
    /// that of the run. The impact is a step of its own ([`strike`](Self::strike)).
    fn land_on_stop(
        &mut self,
        stop: &Touch,
        memory: &StepMemory,
        decisions: &mut Decisions,
    ) -> Result<Option<(Root, Target)>, GradientError> {
        let (from, end) = (self.before.time, self.world.state.time);
        let reached = self.world.state.clone();
        let mut opened = decisions.clone();
        if stop.time <= end {
            // The decisions of a step without the impact.
            self.approach(stop.time, memory, &mut opened)?;
        }
        opened.opens_stops = !opened.is_free;
        let target = Target::Gap(stop.gap, stop.change, self.margin);
        let longest = from + 2.0 * (stop.time - from);
        let at = |time: f64| self.value_at(time, target, memory, &mut opened);
        let close = CLOSE_TO_TOUCHED * TOUCHED;
        if let Some(root) = root(stop.time, (from, longest), (stop.change.sign(), close), at)? {
            self.landings -= 1.0;
            self.strikes = opened.opens_stops;
            *decisions = opened;
            return Ok(Some((root, target)));
        }
        self.repeat_to(reached.time, memory, decisions)?;
        Ok(None)
    }

    /// Takes the short step in which a joint strikes the stop at which the last step ended: as long in each run beside,
    /// wherever its own last step ended.
    pub(super) fn strike(&mut self, latest: f64) -> Result<(), GradientError> {
        let from = self.world.state.time;
        if !std::mem::take(&mut self.strikes) || from + STRIKE >= latest {
            return Ok(());
        }
        self.before.clone_from(&self.world.state);
        let World { integrator, state, .. } = &mut self.world;
        integrator.advance(state, from + STRIKE).map_err(RunError::from)?;
        let (end, decisions) = (state.time, differentiable(&**integrator));
        self.gauges.see_step(&self.before, integrator.dense(), (from, end));
        for side in self.directions.iter_mut().flat_map(|direction| &mut direction.sides) {
            side.begin();
            side.integrator.repeat(&mut side.state, side.before.time + (end - from), &decisions)?;
            side.see_step();
        }
        Ok(())
    }

    /// Takes a step that ends just before a knot at about the time `guess`. Returns whether it gets there; if not, it
    /// is the step of the run.
    fn approach(&mut self, guess: f64, memory: &StepMemory, decisions: &mut Decisions) -> Result<bool, GradientError> {
        let (from, end) = (self.before.time, self.world.state.time);
        let goal = from + BEFORE * (guess - from);
        if goal >= end || goal - from < MIN_STEP_RATIO * (end - from) {
            return Ok(true);
        }
        let World { integrator, state, .. } = &mut self.world;
        integrator.recall(memory);
        state.clone_from(&self.before);
        integrator.advance(state, goal).map_err(RunError::from)?;
        self.steps.1 += 1;
        *decisions = differentiable(&**integrator);
        Ok(self.world.state.time >= goal)
    }

    /// Takes the step of the run again, to `time`.
    pub(super) fn repeat_to(
        &mut self,
        time: f64,
        memory: &StepMemory,
        decisions: &Decisions,
    ) -> Result<(), GradientError> {
        let World { integrator, state, .. } = &mut self.world;
        integrator.recall(memory);
        state.clone_from(&self.before);
        integrator.repeat(state, time, decisions)?;
        self.steps.1 += 1;
        Ok(())
    }

    /// Takes the step of the run again, to `time`, and reads the function of `target` there. The next one starts from
    /// the solutions of this one.
    fn value_at(
        &mut self,
        time: f64,
        target: Target,
        memory: &StepMemory,
        decisions: &mut Decisions,
    ) -> Result<f64, GradientError> {
        self.repeat_to(time, memory, decisions)?;
        decisions.solutions = self.world.integrator.solutions().map(Arc::new);
        let World { state, events, .. } = &mut self.world;
        match target {
            Target::Witness(witness) => Ok(events.witness_at(state, witness)?),
            Target::Gap(gap, change, margin) => {
                let found = &mut self.found[1];
                self.gaps.find(&events.table().diagram, &self.layout, &state.continuous, margin, found);
                Ok(width_of(&gap, found).map_or(f64::NAN, |width| change.zero(width)))
            }
        }
    }

    /// The gap that closes or opens first within the step, up to `latest`.
    fn first_touch(&mut self, latest: f64) -> Option<Touch> {
        let diagram = self.world.diagram().clone();
        if self.layout.plants.is_empty() {
            return None;
        }
        let (from, end) = (self.before.time, self.world.state.time);
        let [starts, ends] = &mut self.found;
        self.gaps.find(&diagram, &self.layout, &self.before.continuous, 0.0, starts);
        self.gaps.find(&diagram, &self.layout, &self.world.state.continuous, 0.0, ends);
        let closed = changed_gaps(ends, starts).map(|found| (found, Change::Closes));
        let opened = changed_gaps(starts, ends).map(|found| (found, Change::Opens));
        let changed: Vec<(Width, Change)> = closed.chain(opened).collect();
        let dense = self.world.integrator.dense().clone();
        let mut x = Vec::new();
        let mut found: Vec<Width> = Vec::new();
        let mut first: Option<Touch> = None;
        for ((mut gap, depth), change) in changed {
            let (mut low, mut high) = (from, end.min(latest));
            let is_point = matches!(gap, Gap::Point { .. });
            let mut deepest_closed = 0.0_f64;
            let mut has_changed = |time: f64| {
                dense.evaluate(time, &mut x);
                self.gaps.find(&diagram, &self.layout, &x, 0.0, &mut found);
                let deepest =
                    found.iter().filter(|(other, _)| gap.is_of_same(other)).min_by(|a, b| a.1.total_cmp(&b.1));
                let is_closed = deepest.is_some_and(|(_, width)| *width <= 0.0);
                if let (true, Some((deepest, width))) = (is_closed, deepest) {
                    deepest_closed = *width;
                    if change == Change::Opens && !is_point {
                        gap = *deepest;
                    }
                }
                is_closed == (change == Change::Closes)
            };
            if !has_changed(high) {
                continue;
            }
            for _ in 0..GUESSES {
                let middle = 0.5 * (low + high);
                (low, high) = if has_changed(middle) { (low, middle) } else { (middle, high) };
            }
            // A point that comes or goes at a depth takes the place of another one: the force has no kink there.
            let is_replaced = is_point && deepest_closed < REPLACED * depth;
            if !is_replaced && first.as_ref().is_none_or(|first| high < first.time) {
                first = Some(Touch { gap, change, time: high, depth });
            }
        }
        if first.is_none() && latest > end {
            first = self.soon(latest);
        }
        first
    }

    /// The gap that closes or opens first in a small part of the step after its end, or was struck there.
    fn soon(&mut self, latest: f64) -> Option<Touch> {
        let diagram = self.world.diagram().clone();
        let (from, end) = (self.before.time, self.world.state.time);
        let part = SOON * (end - from);
        let mut x = Vec::new();
        self.world.integrator.dense().evaluate(end - part, &mut x);
        let (mut now, mut earlier) = (Vec::new(), Vec::new());
        self.gaps.find(&diagram, &self.layout, &self.world.state.continuous, self.margin, &mut now);
        self.gaps.find(&diagram, &self.layout, &x, self.margin, &mut earlier);
        let mut first: Option<Touch> = None;
        for &(mut gap, width) in &now {
            // Of shapes, the deepest point decides; where they touch, each of the others on its own.
            if let Some(least) = width_least(&gap, &now).filter(|least| *least < width) {
                match gap.of_point().filter(|_| least <= 0.0) {
                    Some(point) => gap = point,
                    None => continue,
                }
            }
            let Some(before) = width_of(&gap, &earlier) else { continue };
            let rate = (width - before) / part;
            let time = end - width / rate;
            let change = if width > 0.0 { Change::Closes } else { Change::Opens };
            if rate * change.sign() > 0.0
                && time <= (end + part).min(latest)
                && first.as_ref().is_none_or(|f| time < f.time)
            {
                first = Some(Touch { gap, change, time, depth: width });
            }
        }
        first.or_else(|| {
            let struck = self.struck_stops();
            struck.first().map(|&(gap, depth)| Touch { gap, change: Change::Closes, time: end, depth })
        })
    }

    /// Joint stops that were struck at the end of the step, before they were quite reached.
    fn struck_stops(&self) -> Vec<Width> {
        let (x0, x1) = (&self.before.continuous, &self.world.state.continuous);
        let [starts, ends] = &self.found;
        let is_struck = |&(gap, width): &Width| {
            let Some(away) = self.away_from_stop(&gap) else { return false };
            let start = width_of(&gap, starts).unwrap_or(0.0);
            width > 0.0 && start > 4.0 * width && start > 1e3 * TOUCHED && away(x0) < 0.0 && away(x1) >= 0.0
        };
        ends.iter().filter(|found| is_struck(found)).copied().collect()
    }
}

/// Decisions of the last step of an integrator, changed to those that have derivatives, with its solutions.
pub(super) fn differentiable(integrator: &dyn Integrator) -> Decisions {
    let mut decisions = integrator.decisions().cloned().unwrap_or_default();
    decisions.solutions = integrator.solutions().map(Arc::new);
    decisions.smoothness.refines &= !decisions.refines_friction;
    decisions
}

/// Gaps that are closed at one end of a step, where these were `found`, and open at the `other`: of two shapes the
/// whole, or points of it where they touch at both ends.
fn changed_gaps<'a>(found: &'a [Width], other: &'a [Width]) -> impl Iterator<Item = Width> + 'a {
    found.iter().filter_map(|&(gap, width)| {
        let alone = gap.of_point().filter(|point| closes(point, width, other));
        if closes(&gap, width, other) { Some((gap, width)) } else { alone.map(|point| (point, width)) }
    })
}

/// True if a gap that is closed at one end of a step, with this width, is open at the `other`.
fn closes(gap: &Gap, width: f64, other: &[Width]) -> bool {
    let was = other.iter().filter(|(other, _)| gap.is_of_same(other)).map(|(_, width)| *width).reduce(f64::min);
    match gap {
        Gap::Shapes { .. } | Gap::Point { .. } => width < -2.0 * TOUCHED && was.is_none_or(|was| was > 0.0),
        _ => width < -2.0 * TOUCHED && was.is_some_and(|was| was > 2.0 * TOUCHED),
    }
}
