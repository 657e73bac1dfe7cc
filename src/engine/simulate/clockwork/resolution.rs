//! Longest step that follows the effect of the clockwork on the state.
//!
//! An estimate of error compares solutions that read a source at the same few times, and does not see changes between
//! these. So where a step is not short against the shortest period that the sources declare, the rates of the state are
//! sampled ahead, with the state itself held: at times of low discrepancy that differ from step to step, in windows of
//! a few periods, each time with a second sample shortly after. The deviation of a coordinate's rate from a straight
//! line over a window has a range R and a largest slope S, which are those of a wave of period
//!
//! ```text
//! P = pi R/S
//! ```
//!
//! A step is at most a third of such a period, so that the estimate sees the wave, unless the wave is too small to
//! matter: R/2 for the longest step allowed is below a thousandth of the accuracy.

use super::super::clockwork_table::shortest_period;
use super::super::event_table::EventTable;
use crate::integrators::ErrorNorm;
use kinegraph_core::TimeVariation;
use kinegraph_diagram::{Schedule, State, Values};

/// Part of the shortest period up to which a step is not checked.
const SHORT_STEP_RATIO: f64 = 0.125;
/// Samples within a window.
const LOOKS: usize = 48;
/// Distance of the second sample, as a part of the window.
const APART: f64 = 1.0 / 128.0;
/// Length of the first window in shortest periods, and the factor from one window to the next.
const WINDOW: f64 = 4.0;
/// Change from one sample to the second, as a part of the range, above which it is a jump.
const JUMP: f64 = 0.6;
/// Largest step, as a part of the period of a wave.
const RESOLVED: f64 = 1.0 / 3.0;
/// Least number of periods in a window for a wave to be seen, and the largest number with which it is followed.
const MIN_PERIODS: f64 = 3.0;
const MAX_PERIODS: f64 = 24.0;
/// Part of the accuracy below which the effect of a wave in the longest step does not count.
const NEGLIGIBLE: f64 = 1e-3;
/// The golden ratio less one: the additive recurrence of lowest discrepancy.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Largest number of shorter windows for sources without a declared period.
const MAX_DEPTH: usize = 12;

/// Accuracy and longest step of a run.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// The accuracy.
    pub accuracy: f64,
    /// The longest step allowed \[s\].
    pub longest_step: f64,
}

/// Samples the effect of the clockwork on the state; keeps its memory.
#[derive(Clone, Debug)]
pub struct Resolution {
    values: Values<f64>,
    /// Schedule of all inputs of blocks with state.
    schedule: Schedule,
    looks: Vec<Vec<f64>>,
    nows: Vec<f64>,
    rates: Vec<f64>,
}

/// Wave that was seen in a window, if any.
enum Seen {
    /// Nothing that matters.
    Nothing,
    /// A wave of this period \[s\].
    Wave(f64),
}

impl Resolution {
    /// Resolution of the clockwork of `table`.
    pub fn new(table: &EventTable) -> Self {
        let blocks = table.diagram.blocks();
        let stateful: Vec<usize> = (0..blocks.len()).filter(|&block| !blocks[block].state.is_empty()).collect();
        Resolution {
            values: table.diagram.values(),
            schedule: table.diagram.schedule_for_inputs_of(&stateful),
            looks: vec![Vec::new(); 2 * LOOKS],
            nows: Vec::new(),
            rates: vec![0.0; table.diagram.state_width()],
        }
    }

    /// Longest step \[s\] from `state`, up to `reach` \[s\]; infinite where nothing bounds it. Sources without a
    /// declared period are not evaluated after the time `end` \[s\].
    pub fn longest_step(
        &mut self,
        table: &EventTable,
        state: &State,
        (reach, end): (f64, f64),
        promise: Promise,
        norm: &ErrorNorm,
    ) -> f64 {
        let (clock, diagram) = (&table.clockwork, &table.diagram);
        let span = |h: f64| (state.time, state.time + h);
        let is_unknown =
            |&block: &usize| diagram.blocks()[block].system.time_variation(span(reach)) == TimeVariation::Unknown;
        let any_unknown = clock.sources.iter().any(is_unknown);
        // Sources that are slow at first and fast later are checked when that comes. A step that is short against the
        // fast part may enter it.
        let (mut horizon, mut period) = (reach, shortest_period(diagram, &clock.sources, span(reach)));
        let (mut h, mut shortest) = (horizon, period);
        while SHORT_STEP_RATIO * shortest < h && h > 1e-9 * reach {
            let before = shortest_period(diagram, &clock.sources, span(0.5 * h));
            if before >= 1.5 * shortest {
                let short = SHORT_STEP_RATIO * shortest;
                (horizon, period) = if 0.5 * h > short { (0.5 * h, before) } else { (short, shortest) };
            }
            (h, shortest) = (0.5 * h, before);
        }
        let unresolved = SHORT_STEP_RATIO * period < horizon;
        if !unresolved && !any_unknown {
            return if horizon < reach { horizon } else { f64::INFINITY };
        }
        self.values.hold(&state.discrete);
        diagram.evaluate_schedule(&self.schedule, state.time, &state.continuous, &mut self.values);
        let mut longest = if horizon < reach { horizon } else { f64::INFINITY };
        let most = if any_unknown { (end - state.time) / (1.0 + APART) } else { f64::INFINITY };
        if unresolved {
            let mut window = WINDOW * period;
            while window < 2.0 * MAX_PERIODS * horizon {
                if let Seen::Wave(period) = self.look(table, state, window.min(most), promise, norm) {
                    longest = longest.min(RESOLVED * period);
                    break;
                }
                if window >= most {
                    break;
                }
                window *= WINDOW;
            }
        }
        if any_unknown {
            let reach = horizon.min(longest);
            let window = (WINDOW * reach).min(most);
            longest = longest.min(self.unbounded(table, state, (reach, window), promise, norm));
        }
        longest
    }

    /// Longest step \[s\] for sources without a declared period. Samples ever shorter windows, as long as a wave is too
    /// fast for the samples.
    fn unbounded(
        &mut self,
        table: &EventTable,
        state: &State,
        (reach, mut window): (f64, f64),
        promise: Promise,
        norm: &ErrorNorm,
    ) -> f64 {
        let mut longest = f64::INFINITY;
        for _ in 0..MAX_DEPTH {
            let Seen::Wave(period) = self.look(table, state, window, promise, norm) else { break };
            longest = longest.min(RESOLVED * period);
            if MAX_PERIODS * period > window {
                break;
            }
            window /= MAX_PERIODS;
        }
        if longest < reach { longest } else { f64::INFINITY }
    }

    /// Samples the rates over a window from `state` on.
    fn look(&mut self, table: &EventTable, state: &State, window: f64, promise: Promise, norm: &ErrorNorm) -> Seen {
        let start = state.time;
        // A number between 0 and 1 that differs from step to step.
        let mut phase = (start.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1_u64 << 53) as f64;
        self.nows.clear();
        for k in 0..LOOKS {
            phase = (phase + GOLDEN).fract();
            self.nows.push(phase - 0.5);
            for (at, part) in [(2 * k, phase), (2 * k + 1, phase + APART)] {
                self.rates_at(table, state, start + part * window);
                self.looks[at].clone_from(&self.rates);
            }
        }
        let mut shortest = f64::INFINITY;
        for effect in &table.effects {
            let allowed = norm.deviation(effect.position, promise.accuracy);
            let time = promise.longest_step;
            let factor = if effect.is_velocity { 0.25 * time * time } else { 0.5 * time };
            let (range, slope) = self.left_of_a_line(effect.rate, window);
            if allowed > 0.0 && range * factor > NEGLIGIBLE * allowed && slope > 0.0 {
                shortest = shortest.min(std::f64::consts::PI * range / slope);
            }
        }
        if MIN_PERIODS * shortest <= window { Seen::Wave(shortest) } else { Seen::Nothing }
    }

    /// Computes the rates of the state at `time`, with the state held.
    fn rates_at(&mut self, table: &EventTable, state: &State, time: f64) {
        let Resolution { values, rates, .. } = self;
        table.diagram.evaluate_schedule(&table.clockwork.for_states, time, &state.continuous, values);
        table.diagram.derivatives_with_plants(time, &state.continuous, values, rates);
    }

    /// Range and largest slope of the deviation of a rate from a straight line.
    fn left_of_a_line(&self, rate: usize, window: f64) -> (f64, f64) {
        let count = self.nows.len() as f64;
        let value = |k: usize| self.looks[2 * k][rate];
        let (mut mean, mut middle) = (0.0, 0.0);
        for (k, u) in self.nows.iter().enumerate() {
            (mean, middle) = (mean + value(k) / count, middle + u / count);
        }
        let (mut moment, mut spread) = (0.0, 0.0);
        for (k, u) in self.nows.iter().enumerate() {
            (moment, spread) = (moment + (u - middle) * (value(k) - mean), spread + (u - middle) * (u - middle));
        }
        let line = moment / spread;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for (k, u) in self.nows.iter().enumerate() {
            let left = value(k) - line * u;
            (least, most) = (least.min(left), most.max(left));
        }
        let range = most - least;
        let rises = (0..self.nows.len()).map(|k| (self.looks[2 * k + 1][rate] - value(k) - line * APART).abs());
        // A jump is no wave: steps end there.
        let steepest = rises.filter(|rise| *rise <= JUMP * range).fold(0.0, f64::max);
        // Numbers that are not finite are ignored: the step meets and reports them.
        if range.is_finite() { (range, steepest / (APART * window)) } else { (0.0, 0.0) }
    }
}
