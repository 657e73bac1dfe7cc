//! Parting of two runs, with the rules of the step and the blocks that were switching at that time.

use kinegraph_engine::simulate::{Reading, Simulation};
use std::ops::ControlFlow;

/// First time at which a recorded channel of two runs differs by more than the bound.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Parting {
    /// Recorded time \[s\].
    pub time: f64,
    /// The channel.
    pub channel: String,
    /// The method of the other run.
    pub integrator: &'static str,
    /// The rules that asked for shorter steps since the recorded time before, by name.
    pub rules: Vec<&'static str>,
    /// Switches since then: witness functions as `block: witness`, and plants that made or lost contact.
    pub switching: Vec<String>,
}

/// Rules and switches of a repeated run, from `start` to `end` \[s\].
pub(super) fn what_happened(mut simulation: Simulation, start: f64, end: f64) -> (Vec<&'static str>, Vec<String>) {
    let (mut rules, mut switching): (Vec<&'static str>, Vec<String>) = Default::default();
    simulation.keep_attempts();
    let plants: Vec<String> = simulation.diagram().plants().map(|(block, _)| block.name.clone()).collect();
    let mut touching: Vec<usize> = vec![0; plants.len()];
    let times = [simulation.time(), end];
    let _ = simulation.advance_reading(&times, &[], |reading| {
        if let Reading::Step(simulation) = reading {
            let is_near = simulation.time() >= start;
            for attempt in simulation.attempts().iter().filter(|_| is_near) {
                if let Some(rule) = attempt.rule.map(|rule| rule.name()).filter(|rule| !rules.contains(rule)) {
                    rules.push(rule);
                }
            }
            let mut note = |what: String| {
                if is_near && !switching.contains(&what) {
                    switching.push(what);
                }
            };
            simulation.crossed().for_each(&mut note);
            for ((record, name), before) in simulation.integrator().records().iter().zip(&plants).zip(&mut touching) {
                let now = record.contacts.len();
                if now != *before {
                    note(format!("{name}: contact"));
                }
                *before = now;
            }
        }
        ControlFlow::Continue(())
    });
    (rules, switching)
}
