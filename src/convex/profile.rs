//! Time measurement of a run, and interruption within a step.
//!
//! A [`Stopwatch`] travels with the counts of a run and is lent to the code that does the work; there is no global
//! state. Switched off, as it is by default, it reads no clock, and a lap costs one comparison. No result depends on
//! it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Phase of the work in a run. Phases do not overlap; time outside of them is the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Finding the contact points of a scene.
    Geometry,
    /// Kinematics and dynamics of plants: poses, Jacobians, mass matrices, biases.
    Plants,
    /// Evaluating and linearizing external systems, and their law in the convex step.
    External,
    /// Writing down the convex problem: cliques, contact points, constraints, islands.
    Problem,
    /// Gradients and Hessians of the convex problem.
    Assembly,
    /// Factorizations, and the solutions with them.
    Factorization,
    /// Line searches.
    LineSearch,
    /// Refinement of smooth motion, which evaluates plants, external systems and soft contact together.
    Refinement,
}

impl Phase {
    /// All phases, in the order of a step.
    pub const ALL: [Phase; 8] = [
        Phase::Geometry,
        Phase::Plants,
        Phase::External,
        Phase::Problem,
        Phase::Assembly,
        Phase::Factorization,
        Phase::LineSearch,
        Phase::Refinement,
    ];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Geometry => "geometry",
            Phase::Plants => "plants",
            Phase::External => "external systems",
            Phase::Problem => "problem",
            Phase::Assembly => "assembly",
            Phase::Factorization => "factorization",
            Phase::LineSearch => "line search",
            Phase::Refinement => "refinement",
        }
    }
}

/// Time spent in each phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases([Duration; Phase::ALL.len()]);

impl Phases {
    /// Time spent in a phase.
    pub fn of(&self, phase: Phase) -> Duration {
        self.0[phase as usize]
    }

    /// Time spent in all phases together.
    pub fn sum(&self) -> Duration {
        self.0.iter().sum()
    }
}

/// Request to end a step that lasts: long-running code polls it.
#[derive(Clone, Debug)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    /// Time that a step may continue after the request.
    grace: Duration,
    seen: OnceLock<Instant>,
}

impl Interrupt {
    /// Interrupts once `asked` is set and `grace` has passed since that was first seen.
    pub fn new(asked: Arc<AtomicBool>, grace: Duration) -> Self {
        Interrupt { asked, grace, seen: OnceLock::new() }
    }

    /// True if the step is to end now.
    fn is_due(&self) -> bool {
        self.asked.load(Ordering::Relaxed) && self.seen.get_or_init(Instant::now).elapsed() >= self.grace
    }
}

/// Adds up the time spent in each phase; off by default. As small as a pointer, since it is handed around even when
/// off.
#[derive(Clone, Debug, Default)]
pub struct Stopwatch(Option<Box<Watch>>);

#[derive(Clone, Debug, Default)]
struct Watch {
    phases: Option<Phases>,
    interrupt: Option<Interrupt>,
}

impl PartialEq for Stopwatch {
    /// Stopwatches with equal times are equal.
    fn eq(&self, other: &Self) -> bool {
        self.phases() == other.phases()
    }
}

impl Eq for Stopwatch {}

/// Start of a lap; `None` if the stopwatch is off.
#[derive(Clone, Copy, Debug)]
pub struct Lap(pub Option<Instant>);

impl Stopwatch {
    /// Switches it on, at zero.
    pub fn switch_on(&mut self) {
        self.0.get_or_insert_default().phases = Some(Phases::default());
    }

    /// Sets the interrupt that may end steps.
    pub fn interrupt_by(&mut self, interrupt: Interrupt) {
        self.0.get_or_insert_default().interrupt = Some(interrupt);
    }

    /// True if the step is to end now, whatever its result.
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.0.as_ref().is_some_and(|watch| watch.interrupt.as_ref().is_some_and(Interrupt::is_due))
    }

    /// Begins a lap.
    #[inline]
    pub fn start(&self) -> Lap {
        Lap(self.phases().map(|_| Instant::now()))
    }

    /// Ends `lap`, adds its time to `phase`, and begins the next one.
    #[inline]
    pub fn lap(&mut self, phase: Phase, lap: &mut Lap) {
        if let (Some(watch), Some(since)) = (&mut self.0, &mut lap.0)
            && let Some(phases) = &mut watch.phases
        {
            let now = Instant::now();
            phases.0[phase as usize] += now - *since;
            *since = now;
        }
    }

    /// Measured times; `None` if the stopwatch is off.
    pub fn phases(&self) -> Option<&Phases> {
        self.0.as_ref()?.phases.as_ref()
    }
}
