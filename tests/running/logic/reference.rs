//! Random state machines over sines, and a script that follows them event by event, by bisection on their truths alone.

use crate::common::Random;
use kinegraph::systems::control::{Machine, MachineState};

/// Number of signals `a sin(w t + p)`.
pub const SIGNALS: usize = 3;
/// Time between looks of the script, and the least time for which a condition must stay true so that steps of ten
/// milliseconds cannot miss it \[s\].
const GRID: f64 = 5e-4;
const WINDOW: f64 = 8e-3;
/// A condition changes at a well-conditioned time if its numbers change at least at this rate \[1/s\].
const SLOPE: f64 = 0.2;

/// A condition.
#[derive(Clone, Debug)]
pub enum Condition {
    Above(usize, f64),
    Below(usize, f64),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
    After(f64),
    Every(f64),
}

/// A random machine with its signals.
pub struct Case {
    pub signals: [[f64; 3]; SIGNALS],
    pub states: Vec<Vec<(usize, Condition)>>,
    pub adds: Vec<f64>,
}

/// History of a machine.
#[derive(Debug, Default, PartialEq)]
pub struct History {
    /// Times of the transitions, and the states that they led to.
    pub moves: Vec<(f64, usize)>,
    /// The sum of the numbers that the entries added.
    pub sum: f64,
}

impl Condition {
    fn random(r: &mut Random, depth: usize) -> Self {
        let signal = (r.part() * SIGNALS as f64) as usize;
        let level = r.between(-0.8, 0.8);
        let inner = |r: &mut Random| Box::new(Condition::random(r, depth - 1));
        match (r.part() * if depth == 0 { 3.0 } else { 7.0 }) as usize {
            0 => Condition::Above(signal, level),
            1 => Condition::Below(signal, level),
            2 => Condition::After(r.between(0.05, 1.5)),
            3 => Condition::Both(inner(r), inner(r)),
            4 => Condition::Either(inner(r), inner(r)),
            5 => Condition::Not(inner(r)),
            _ => {
                let above = Box::new(Condition::Above(signal, level));
                Condition::Both(Box::new(Condition::Every(r.between(0.2, 0.9))), above)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Condition::Above(i, level) => format!("s{i} > {level}"),
            Condition::Below(i, level) => format!("s{i} < {level}"),
            Condition::Both(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Condition::Either(a, b) => format!("({}) or ({})", a.text(), b.text()),
            Condition::Not(a) => format!("not ({})", a.text()),
            Condition::After(time) => format!("after {} ms", 1e3 * time),
            Condition::Every(period) => format!("every {period} s"),
        }
    }

    fn is_true(&self, case: &Case, t: f64, entry: f64, ticks: bool) -> bool {
        match self {
            Condition::Above(i, level) => case.signal(*i, t) > *level,
            Condition::Below(i, level) => case.signal(*i, t) < *level,
            Condition::Both(a, b) => a.is_true(case, t, entry, ticks) && b.is_true(case, t, entry, ticks),
            Condition::Either(a, b) => a.is_true(case, t, entry, ticks) || b.is_true(case, t, entry, ticks),
            Condition::Not(a) => !a.is_true(case, t, entry, ticks),
            Condition::After(time) => t - entry >= *time,
            Condition::Every(_) => ticks,
        }
    }

    /// Period of its `every`, of which there is one at most, at its head.
    fn period(&self) -> Option<f64> {
        match self {
            Condition::Every(period) => Some(*period),
            Condition::Both(a, _) => a.period(),
            _ => None,
        }
    }

    /// True if an `every` stands elsewhere.
    fn hides_every(&self, is_head: bool) -> bool {
        match self {
            Condition::Every(_) => !is_head,
            Condition::Both(a, b) => a.hides_every(is_head) || b.hides_every(false),
            Condition::Either(a, b) => a.hides_every(false) || b.hides_every(false),
            Condition::Not(a) => a.hides_every(false),
            _ => false,
        }
    }

    /// Smallest rate of its signals at a time.
    fn slope(&self, case: &Case, t: f64) -> f64 {
        match self {
            Condition::Above(i, level) | Condition::Below(i, level) => {
                let [a, w, p] = case.signals[*i];
                let is_near = (case.signal(*i, t) - level).abs() < 1e-2;
                if is_near { (a * w * (w * t + p).cos()).abs() } else { f64::INFINITY }
            }
            Condition::Both(a, b) | Condition::Either(a, b) => a.slope(case, t).min(b.slope(case, t)),
            Condition::Not(a) => a.slope(case, t),
            _ => f64::INFINITY,
        }
    }
}

impl Case {
    pub fn random(seed: u64) -> Self {
        let mut r = Random(seed);
        let signals = std::array::from_fn(|_| [r.between(0.5, 1.5), r.between(1.0, 6.0), r.between(0.0, 6.0)]);
        let states = 2 + (r.part() * 4.0) as usize;
        let mut all = Vec::new();
        for _ in 0..states {
            let mut to = Vec::new();
            while to.len() < 1 + (r.part() * 3.0) as usize {
                let condition = Condition::random(&mut r, 2);
                if !condition.hides_every(true) {
                    to.push(((r.part() * states as f64) as usize, condition));
                }
            }
            all.push(to);
        }
        let adds = (0..states).map(|_| (r.between(1.0, 9.0)).round()).collect();
        Case { signals, states: all, adds }
    }

    pub fn signal(&self, i: usize, t: f64) -> f64 {
        let [a, w, p] = self.signals[i];
        a * (w * t + p).sin()
    }

    /// The machine as the library takes it.
    pub fn machine(&self) -> Machine {
        let name = |i: usize| format!("m{i}");
        let state = |(i, to): (usize, &Vec<(usize, Condition)>)| {
            let of = |state: MachineState, (next, when): &(usize, Condition)| state.goes_to(name(*next), &when.text());
            let own =
                MachineState::new(name(i)).output("number", 10 * i).on_enter("sum", format!("sum + {}", self.adds[i]));
            to.iter().fold(own, of)
        };
        Machine {
            inputs: (0..SIGNALS).map(|i| format!("s{i}")).collect(),
            outputs: vec![("number".into(), 1)],
            variables: vec![("sum".into(), 0.0)],
            states: self.states.iter().enumerate().map(state).collect(),
            initial: name(0),
        }
    }

    /// First transition of `state` that is true at a time.
    fn first(&self, state: usize, t: f64, entry: f64, ticks: impl Fn(f64) -> bool) -> Option<&(usize, Condition)> {
        let is_true = |(_, when): &&(usize, Condition)| when.is_true(self, t, entry, when.period().is_some_and(&ticks));
        self.states[state].iter().find(is_true)
    }

    /// Follows the machine to `end`; `None` if its times are not well conditioned, or if it circles.
    pub fn follow(&self, end: f64) -> Option<History> {
        let (mut t, mut entry, mut state) = (0.0, 0.0, 0);
        let mut history = History { moves: Vec::new(), sum: self.adds[0] };
        loop {
            let mut at_once = 0;
            while let Some((next, when)) = self.first(state, t, entry, |_| false) {
                // Another step must not see another truth: it lasts, and began at a clear time.
                let lasts = (0..20).all(|k| {
                    let later = t + 1e-7 + WINDOW * f64::from(k) / 20.0;
                    when.is_true(self, later, entry, false)
                });
                at_once += 1;
                if !lasts || when.slope(self, t) < SLOPE || at_once > 5 {
                    return None;
                }
                (state, entry) = (*next, t);
                history.moves.push((t, state));
                history.sum += self.adds[state];
            }
            let (time, ticked) = self.next(state, t, entry, end)?;
            if time >= end {
                return Some(history);
            }
            t = time;
            if let Some(next) = ticked {
                (state, entry) = (next, t);
                history.moves.push((t, state));
                history.sum += self.adds[state];
            }
        }
    }

    /// The next time at which a condition is true; with the next state if an `every` made it so.
    fn next(&self, state: usize, from: f64, entry: f64, end: f64) -> Option<(f64, Option<usize>)> {
        let mut low = from;
        while low < end {
            let high = low + GRID;
            let is_due = |t: f64| self.first(state, t, entry, |_| false).is_some();
            let mut found = end;
            if is_due(high) {
                let (mut a, mut b) = (low, high);
                while b - a > 1e-13 {
                    let middle = 0.5 * (a + b);
                    if middle <= a || middle >= b {
                        break;
                    }
                    if is_due(middle) { b = middle } else { a = middle }
                }
                found = b;
            }
            // Instants of `every` before that.
            let mut ticked: Option<(f64, usize)> = None;
            for (_, when) in &self.states[state] {
                let Some(period) = when.period() else { continue };
                let k = ((low - entry) / period + 1e-9).floor() + 1.0;
                let instant = entry + k * period;
                if instant > high || instant >= found || ticked.is_some_and(|(t, _)| t <= instant) {
                    continue;
                }
                let at = |other: f64| ((instant - entry) / other - ((instant - entry) / other).round()).abs() < 1e-9;
                // A truth that changes at this very instant is not clear.
                if when.slope(self, instant) < f64::INFINITY {
                    return None;
                }
                if let Some((next, _)) = self.first(state, instant, entry, at) {
                    ticked = Some((instant, *next));
                }
            }
            if let Some((t, next)) = ticked {
                return Some((t, Some(next)));
            }
            if found < end {
                return Some((found, None));
            }
            low = high;
        }
        Some((end, None))
    }
}
