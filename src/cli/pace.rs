//! Observer that warns during a run whose steps are very short.

use super::numbers::short;
use crate::integrators::Rule;
use crate::simulate::{Observer, RunStart, StepReport};
use indicatif::HumanDuration;
use std::collections::HashMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Number of steps, or time with a smaller number of steps, that is observed before a warning; it doubles after each.
const STEPS: u64 = 10_000;
const TIME: Duration = Duration::from_secs(10);
const STEPS_IN_TIME: u64 = 1000;
/// There is no warning if fewer steps of that length lead to the end.
const MIN_STEPS_LEFT: f64 = 1e6;
/// Interval, in steps, at which the cause of their length is sampled.
const LOOK: u64 = 16;

/// Observes the lengths of steps.
pub(super) struct Pace<'a> {
    out: &'a mut dyn Write,
    end: f64,
    /// Simulated time and instant at which the observed steps began, and their number.
    from: (f64, Instant),
    steps: u64,
    /// Number of steps to observe.
    most: u64,
    /// Causes of the step lengths, with their counts.
    limits: HashMap<(String, Option<&'static str>), u64>,
}

impl<'a> Pace<'a> {
    /// Creates an observer that writes to `out`.
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Pace { out, end: 0.0, from: (0.0, Instant::now()), steps: 0, most: STEPS, limits: HashMap::new() }
    }

    fn say(&mut self, time: f64) -> io::Result<()> {
        let (start, began) = self.from;
        let length = (time - start) / self.steps as f64;
        let left = (self.end - time) / length;
        if left < MIN_STEPS_LEFT || left.is_nan() {
            return Ok(());
        }
        let limit = self.limits.iter().max_by_key(|(limit, count)| (**count, *limit)).map(|(limit, _)| limit);
        let limit = limit.map_or_else(String::new, |(worst, rule)| {
            let rule = rule.map(|rule| format!("the rule `{rule}` limits them"));
            let worst = Some(worst).filter(|worst| !worst.is_empty());
            let worst = worst.map(|worst| format!("the largest error is in {worst}"));
            format!(" ({})", [rule, worst].into_iter().flatten().collect::<Vec<_>>().join(", "))
        });
        let seconds = began.elapsed().as_secs_f64() / self.steps as f64 * left;
        let takes = HumanDuration(Duration::from_secs_f64(seconds.min(1e9)));
        writeln!(
            self.out,
            "note: at t = {} s the last {} steps were {length:.1e} s long on average{limit}; {left:.1e} more of them, some \
             {takes}, lead to t = {} s",
            short(time),
            self.steps,
            short(self.end)
        )
    }
}

impl Observer for Pace<'_> {
    fn wants_samples(&self) -> bool {
        false
    }

    fn wants_attempts(&self) -> bool {
        true
    }

    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        (self.end, self.from) = (run.end, (run.time, Instant::now()));
        Ok(())
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        self.steps += 1;
        if !self.steps.is_multiple_of(LOOK) {
            return Ok(());
        }
        // The cause is that of the last rejected attempt, else the largest error of the accepted one.
        let asked = step.attempts.iter().rev().find(|attempt| attempt.rule.is_some());
        if let Some(attempt) = asked.or(step.attempts.last()) {
            let worst = step.worst(attempt);
            if attempt.rule.is_some() || !worst.is_empty() {
                *self.limits.entry((worst.to_owned(), attempt.rule.map(Rule::name))).or_default() += 1;
            }
        }
        let is_slow = self.steps >= STEPS_IN_TIME && self.from.1.elapsed() >= TIME;
        if self.steps >= self.most || is_slow {
            self.say(step.time)?;
            self.from = (step.time, Instant::now());
            (self.steps, self.most) = (0, 2 * self.most);
            self.limits.clear();
        }
        Ok(())
    }
}
