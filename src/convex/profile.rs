//! Where a run spends its time.
//!
//! A [`Stopwatch`] travels with the counts of a run and is lent to whoever does the work; there is no global state.
//! Switched off, as it is by default, it reads no clock, and a lap costs one comparison. Nothing that is computed
//! depends on it.

use std::time::{Duration, Instant};

/// What the time of a run is spent on. Phases do not overlap; what belongs to none is the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Finding the contact points of a scene.
    Geometry,
    /// Kinematics and dynamics of plants: poses, Jacobians, mass matrices, biases.
    Plants,
    /// Evaluating and linearizing all that is no plant, and the law that the convex step has of it.
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

    /// Its name in tables.
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

/// Adds up the time spent in each phase; off by default. As small as a pointer, since it is handed around even when
/// off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stopwatch(Option<Box<Phases>>);

/// When a lap began; nothing if the stopwatch is off.
#[derive(Clone, Copy, Debug)]
pub struct Lap(pub Option<Instant>);

impl Stopwatch {
    /// A stopwatch that is switched on, at zero.
    pub fn on() -> Self {
        Stopwatch(Some(Box::default()))
    }

    /// Begins a lap.
    #[inline]
    pub fn start(&self) -> Lap {
        Lap(self.0.is_some().then(Instant::now))
    }

    /// Ends `lap`, adds its time to `phase`, and begins the next one.
    #[inline]
    pub fn lap(&mut self, phase: Phase, lap: &mut Lap) {
        if let (Some(phases), Some(since)) = (&mut self.0, &mut lap.0) {
            let now = Instant::now();
            phases.0[phase as usize] += now - *since;
            *since = now;
        }
    }

    /// What was measured; `None` if the stopwatch is off.
    pub fn phases(&self) -> Option<&Phases> {
        self.0.as_deref()
    }
}
