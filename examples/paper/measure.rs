//! Runs, what they cost and how they ended.

use kinegraph::integrators::{Options, Statistics};
use kinegraph::simulate::{Scenario, Simulation};
use std::time::Instant;

/// Cost of a run, and its end.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Time of stepping \[s\], on one core.
    pub seconds: f64,
    /// Its counts.
    pub statistics: Statistics,
    /// How it ended.
    pub end: End,
    /// The simulated time that it reached \[s\].
    pub reached: f64,
    /// The continuous state there.
    pub state: Vec<f64>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// At its end.
    Done,
    /// Given up, when its budget of time was spent.
    Late,
    /// Failed, for this reason.
    Failed(String),
}

impl Cost {
    /// Convex problems solved, and evaluations of derivatives.
    pub fn work(&self) -> usize {
        self.statistics.solves + self.statistics.derivative_evaluations
    }

    /// One word.
    pub fn status(&self) -> String {
        match &self.end {
            End::Done => "done".into(),
            End::Late => format!("given up at t = {:.3} s", self.reached),
            End::Failed(why) => format!("failed at t = {:.3} s: {why}", self.reached),
        }
    }
}

/// Processor time of this thread \[s\]; wall time where the system does not report it. Beside other work on the same
/// machine the two differ, alone they do not.
pub struct Clock(Option<f64>, Instant);

impl Clock {
    /// Begins.
    pub fn start() -> Self {
        Clock(processor_time(), Instant::now())
    }

    /// The time since \[s\].
    pub fn seconds(&self) -> f64 {
        let used = processor_time().zip(self.0).map(|(now, then)| now - then);
        used.unwrap_or_else(|| self.1.elapsed().as_secs_f64())
    }
}

fn processor_time() -> Option<f64> {
    // Brings the figure up to date.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

/// Runs `scenario` with `options`, for no longer than `budget` \[s\].
pub fn run(scenario: &Scenario, options: Options, budget: f64) -> Cost {
    match Simulation::new(&scenario.diagram, options) {
        Ok(simulation) => advance(simulation, scenario.duration, budget),
        Err(refused) => Cost {
            seconds: f64::NAN,
            statistics: Statistics::default(),
            end: End::Failed(refused.to_string()),
            reached: 0.0,
            state: Vec::new(),
        },
    }
}

/// Advances `simulation` to `until` \[s\], for no longer than `budget` \[s\].
pub fn advance(mut simulation: Simulation, until: f64, budget: f64) -> Cost {
    // The clock is a file: it is not asked after every step.
    const STEPS: usize = 16;
    let clock = Clock::start();
    let mut end = End::Done;
    let mut steps = 0;
    while simulation.time() < until {
        if let Err(error) = simulation.step(until) {
            end = End::Failed(error.to_string());
            break;
        }
        steps += 1;
        if steps % STEPS == 0 && clock.seconds() > budget {
            end = End::Late;
            break;
        }
    }
    Cost {
        seconds: clock.seconds(),
        statistics: simulation.statistics().clone(),
        end,
        reached: simulation.time(),
        state: simulation.state().continuous.clone(),
    }
}

/// Runs `scenario`, and again up to four times while all runs together take less than 0.2 s; returns the fastest run.
pub fn repeated(scenario: &Scenario, options: Options, budget: f64) -> Cost {
    let mut best = run(scenario, options, budget);
    let mut spent = best.seconds;
    for _ in 0..4 {
        if best.end != End::Done || spent > 0.2 {
            break;
        }
        let other = run(scenario, options, budget);
        spent += other.seconds;
        if other.seconds < best.seconds {
            best = other;
        }
    }
    best
}

/// The integrator of this name at this accuracy.
pub fn controlled(name: &str, accuracy: f64) -> Options {
    let integrator = kinegraph::integrators::method(name).unwrap_or_else(|| panic!("there is no integrator `{name}`"));
    Options { accuracy, step: None, ..Options::of(integrator) }
}

/// The integrator of this name with steps of this length \[s\].
pub fn fixed(name: &str, step: f64) -> Options {
    Options { step: Some(step), ..controlled(name, 1e-3) }
}
