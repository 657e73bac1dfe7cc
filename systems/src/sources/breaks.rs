//! Instants at which a source jumps or has a kink, as events.
//!
//! A step of an integrator must end at such an instant, and every evaluation up to its end must see the old branch,
//! even one at the instant itself, where a function of time alone cannot decide. So each instant is a periodic event
//! (which never recurs), and a discrete state counts the instants passed. At the instant itself the state states the
//! side (before the event the old branch, after it the new one, which recordings show); everywhere else time alone
//! does. A simulation may thus start anywhere.

use kinegraph_core::port::{Ports, Sampling, Tick, simultaneous};

/// A row of a signal given by rows where the signal or its rate jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Largest number of rows that lie behind before its event.
    pub before: usize,
    /// Smallest number of rows that lie behind after its event.
    pub after: usize,
}

/// Increasing instants, declared as events of a block.
pub struct Breaks {
    times: Vec<f64>,
}

impl Breaks {
    /// Declares the events and the discrete state that counts them: the block has no others.
    pub fn declare(times: Vec<f64>, ports: &mut Ports) -> Self {
        for &time in &times {
            ports.periodic(Sampling::once(time));
        }
        ports.discrete_state("passed", vec![0.0]);
        Breaks { times }
    }

    /// The instants \[s\].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Number of instants passed at `time`, given the block's discrete state.
    pub fn passed(&self, time: f64, discrete: &[f64]) -> usize {
        let rounding = simultaneous(time);
        let behind = self.times.partition_point(|&instant| instant < time - rounding);
        let now = self.times[behind..].iter().take_while(|&&instant| instant <= time + rounding).count();
        behind + now.min((discrete[0] as usize).saturating_sub(behind))
    }

    /// Number of rows at increasing `times` that lie behind at `time`; `jumps` are those of the instants. At a jump the
    /// discrete state states the side, on which rounding may not have put the time.
    pub fn rows_behind(&self, times: &[f64], jumps: &[Jump], time: f64, discrete: &[f64]) -> usize {
        let behind = times.partition_point(|&row| row <= time);
        let passed = self.passed(time, discrete);
        let least = if passed > 0 { jumps[passed - 1].after } else { 0 };
        behind.clamp(least, jumps.get(passed).map_or(times.len(), |jump| jump.before))
    }

    /// The discrete state after an event.
    pub fn update(&self, tick: Tick, next: &mut [f64]) {
        next[0] = (tick.index + 1) as f64;
    }
}
