//! Feedback with kinks: play, slack springs, limited signals.
//!
//! The feedback that a step linearizes at its start does not act beyond a kink. Blocks report where their outputs have
//! kinks (`LeafSystem::kinks`). Where the motion passes such a place and enters feedback that oscillates, that is an
//! impact, whatever makes the force. With the gains G by position and D by velocity of the feedback linearized there,
//! the forces G p oppose the motion p, and accelerate along `u = M⁻¹ G p` with
//! ```text
//! ω² = u'G u / u'M u,   2 ζ ω = u'D u / u'M u,   speed along u:  s² = vn² + (an/ω)²
//! ```
//!
//! As with contacts (`cenic/rules/oscillation.rs`), steps follow the oscillation in parts where the speed that it
//! returns is visible, and end at kinks. Feedback whose oscillation does not return to a kink is not treated here.

use super::accelerations::Accelerations;
use super::impact::kept_after_half_turn;
use super::manifold::met;
use super::plan::StepPlan;
use super::point::StepPoint;
use crate::choices::kinks::{FIRST_OVERSHOOT, OVERSHOOT, PASSED_RATIO, RATE_INTERVAL};
use crate::linearize::{External, Linearization};
use kinegraph_convex::contact::Problem;

/// Kinks of feedback; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(in crate::integrators) struct Kinks {
    /// Value of each kink at the start, its rate, and its value at the end if nothing else changes.
    start: Vec<f64>,
    rates: Vec<f64>,
    end: Vec<f64>,
    /// Rate of each kink at the start.
    before: Vec<f64>,
    /// Rates of the whole state, a state later, and its velocities.
    motion: Vec<f64>,
    later: Vec<f64>,
    velocity: Vec<f64>,
    scratch: Vec<f64>,
    /// Feedback linearized beyond a kink.
    linear: Linearization,
    forces: Vec<f64>,
    along: Vec<f64>,
    product: Vec<f64>,
}

/// Oscillation of feedback, along the motion that it opposes.
#[derive(Clone, Copy, Debug)]
struct Oscillation {
    /// Angular frequency \[rad/s\].
    omega: f64,
    /// Effect of the speed that it returns, as an error of positions over the largest step, in accuracies.
    seen: f64,
}

impl Kinks {
    /// Longest step \[s\], up to `h`, from `point` that follows feedback beyond a kink which `accuracy` can see.
    pub fn longest_step(
        &mut self,
        plan: &StepPlan,
        external: &mut External,
        accelerations: &Accelerations,
        point: &mut StepPoint,
        h: f64,
        accuracy: f64,
    ) -> f64 {
        let StepPoint { state, linear: here, problem, .. } = point;
        let (time, x) = (state.time, &state.continuous);
        external.kinks(time, x, &mut self.start);
        if self.start.is_empty() {
            return f64::INFINITY;
        }
        self.motion.resize(x.len(), 0.0);
        external.rates(time, x, &mut self.motion);
        if self.motion.iter().any(|rate| !rate.is_finite()) {
            return f64::INFINITY;
        }
        self.go(external, x, RATE_INTERVAL * h);
        external.kinks(time + RATE_INTERVAL * h, &self.later, &mut self.rates);
        self.rates.iter_mut().zip(&self.start).for_each(|(rate, start)| *rate = (*rate - start) / (RATE_INTERVAL * h));
        self.go(external, x, h);
        external.kinks(time + h, &self.later, &mut self.end);
        let tuning = &plan.options.tuning;
        let now = self.oscillation(plan, here, problem, accelerations, accuracy);
        let mut longest = f64::INFINITY;
        if let Some(Oscillation { omega, seen }) = now.filter(|now| now.seen > tuning.to_the_end * tuning.visible) {
            let returns = self.each(h).filter(|kink| kink.at.abs() <= kink.amplitude(omega));
            let mut any = false;
            for kink in returns {
                any = true;
                longest = longest.min(kink.time_to_return(omega) + OVERSHOOT / omega);
            }
            if any {
                let part = (tuning.well_visible / seen).powf(0.25).min(1.0); // formula
                return longest.min(0.5 * tuning.angle * part / omega);
            }
        }
        // Oscillation that begins beyond the first kink of the motion.
        let first = self.each(h).filter_map(|kink| kink.time_to_pass(h)).fold(f64::INFINITY, f64::min);
        if first < h {
            self.go(external, x, first * (1.0 + RATE_INTERVAL) + RATE_INTERVAL * h);
            let mut linear = std::mem::take(&mut self.linear);
            external.linearize(time + first, &self.later, &mut linear);
            let beyond = self.oscillation(plan, &linear, problem, accelerations, accuracy);
            self.linear = linear;
            if let Some(Oscillation { omega, .. }) = beyond.filter(|beyond| beyond.seen > tuning.visible) {
                longest = longest.min(first + FIRST_OVERSHOOT * OVERSHOOT / omega);
            }
        }
        longest
    }

    /// Time of the first kink within the step of length `h` from `time` \[s\], between the states at both ends.
    pub fn passed(&mut self, external: &mut External, [time, h]: [f64; 2], [start, end]: [&[f64]; 2]) -> Option<f64> {
        let look = |own: &mut Self, external: &mut External, at: f64, x: &[f64], ahead: f64| {
            external.kinks(at, x, &mut own.end);
            own.motion.resize(x.len(), 0.0);
            external.rates(at, x, &mut own.motion);
            own.go(external, x, ahead);
            external.kinks(at + ahead, &own.later, &mut own.rates);
            own.rates.iter_mut().zip(&own.end).for_each(|(rate, at)| *rate = (*rate - at) / ahead);
        };
        look(self, external, time, start, RATE_INTERVAL * h);
        std::mem::swap(&mut self.start, &mut self.end);
        std::mem::swap(&mut self.before, &mut self.rates);
        look(self, external, time + h, end, -RATE_INTERVAL * h);
        let pairs = self.start.iter().zip(&self.end).zip(self.before.iter().zip(&self.rates));
        let passed = pairs.filter_map(|((&w0, &w1), (&d0, &d1))| {
            let sign = if w0 < 0.0 { -1.0 } else { 1.0 };
            let (gap, way) = (sign * w0, (w1 - w0).abs().max(h * d0.abs()).max(h * d1.abs()));
            if gap <= PASSED_RATIO * way {
                return None;
            }
            met(PASSED_RATIO * way, h, [gap, sign * w1], [sign * d0, sign * d1])
        });
        passed.filter(|time| *time < h * (1.0 - RATE_INTERVAL)).reduce(f64::min)
    }

    /// Writes the state after `dt` \[s\] of the motion to `later`.
    fn go(&mut self, external: &External, x: &[f64], dt: f64) {
        let (diagram, layout) = (external.diagram(), external.layout());
        self.later.clear();
        self.later.extend(x.iter().zip(&self.motion).map(|(x, rate)| x + dt * rate));
        self.scratch.clear();
        self.scratch.extend(x.iter().zip(&self.motion).map(|(x, rate)| x + 0.5 * dt * rate));
        layout.gather_velocities(&self.scratch, &mut self.velocity);
        layout.advance_positions(diagram, x, &self.velocity, dt, &mut self.later, &mut self.scratch);
    }

    /// All kinks, in a step of length `h`.
    fn each(&self, h: f64) -> impl Iterator<Item = Kink> + '_ {
        self.start.iter().zip(&self.rates).zip(&self.end).map(move |((&at, &rate), &end)| Kink {
            at,
            rate,
            acceleration: 2.0 * (end - at - h * rate) / (h * h),
        })
    }

    /// Oscillation of the feedback in `linear`, along the motion at the start of the step.
    fn oscillation(
        &mut self,
        plan: &StepPlan,
        linear: &Linearization,
        problem: &mut Problem,
        accelerations: &Accelerations,
        accuracy: f64,
    ) -> Option<Oscillation> {
        let mut v = std::mem::take(&mut self.velocity);
        v.clone_from(&problem.trees.v0);
        let found = self
            .oscillation_along(plan, linear, problem, accelerations, accuracy, &v)
            .or_else(|| self.oscillation_along(plan, linear, problem, accelerations, accuracy, &accelerations.all));
        self.velocity = v;
        found
    }

    fn oscillation_along(
        &mut self,
        plan: &StepPlan,
        linear: &Linearization,
        problem: &mut Problem,
        accelerations: &Accelerations,
        accuracy: f64,
        motion: &[f64],
    ) -> Option<Oscillation> {
        linear.push_back(motion, false, &mut self.forces);
        self.along.clone_from(&self.forces);
        for clique in 0..problem.num_cliques() {
            let range = problem.velocities_of(clique);
            if self.along[range.clone()].iter().any(|x| *x != 0.0)
                && !problem.solve_mass(clique, &mut self.along[range])
            {
                return None;
            }
        }
        let inertia = dot(&self.along, &self.forces);
        let speed = dot(&problem.trees.v0, &self.forces) / inertia;
        let acceleration = dot(&accelerations.all, &self.forces) / inertia;
        linear.push_back(&self.along, false, &mut self.product);
        let omega = (dot(&self.along, &self.product) / inertia).sqrt();
        linear.push_back(&self.along, true, &mut self.product);
        let own = self.along.iter().zip(&problem.trees.damping).map(|(u, damping)| damping * u * u).sum::<f64>();
        let zeta = 0.5 * (dot(&self.along, &self.product) + own) / (inertia * omega);
        // Not-a-number is no oscillation.
        let turns = inertia > 0.0 && omega > 0.0 && zeta < 1.0;
        if !turns {
            return None;
        }
        let back = kept_after_half_turn(zeta.max(0.0)) * speed.hypot(acceleration / omega);
        let largest = self.along.iter().enumerate().map(|(i, u)| u.abs() * plan.scales.weight(i)).fold(0.0, f64::max);
        Some(Oscillation { omega, seen: back * largest * plan.options.max_step / accuracy })
    }
}

/// A kink near the motion of a step.
#[derive(Clone, Copy, Debug)]
struct Kink {
    at: f64,
    rate: f64,
    acceleration: f64,
}

impl Kink {
    /// Amplitude of its signal in an oscillation of this frequency.
    fn amplitude(&self, omega: f64) -> f64 {
        (self.rate / omega).hypot(self.acceleration / (omega * omega))
    }

    /// Time \[s\] after which an oscillation about it returns to it; infinity where it is there and leaves.
    fn time_to_return(&self, omega: f64) -> f64 {
        let (x, rate) = (self.at.abs(), if self.at < 0.0 { -self.rate } else { self.rate } / omega);
        // x cos + rate sin = 0
        let angle = x.atan2(-rate);
        if angle > 0.0 { angle / omega } else { f64::INFINITY }
    }

    /// Time at which it is passed at constant acceleration within `h` \[s\].
    fn time_to_pass(&self, h: f64) -> Option<f64> {
        let sign = if self.at < 0.0 { -1.0 } else { 1.0 };
        let (gap, rate, acceleration) = (sign * self.at, sign * self.rate, sign * self.acceleration);
        if gap <= PASSED_RATIO * (h * rate.abs() + 0.5 * h * h * acceleration.abs()) {
            return None;
        }
        // gap + rate t + acceleration t²/2 = 0, the first root.
        let root = (rate * rate - 2.0 * acceleration * gap).sqrt();
        let time = if rate <= 0.0 { 2.0 * gap / (root - rate) } else { (root + rate) / -acceleration };
        (time > 0.0 && time < h).then_some(time)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
