//! Profile of the time of a run, for display.

use super::numbers::short;
use crate::profile::Phase;
use crate::simulate::{Profile, Statistics};
use std::fmt::{self, Display};

/// Profile as a table: seconds, part of the total, and the counts of what was done.
pub(super) struct ProfileTable<'a>(pub(super) &'a Profile, pub(super) &'a Statistics);

impl Display for ProfileTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ProfileTable(profile, s) = *self;
        let mut row = |name: &str, seconds: f64, count: Option<(u64, &str)>| {
            let percent = if profile.total > 0.0 { 100.0 * seconds / profile.total } else { 0.0 };
            write!(f, "    {name:<18} {:>10} s {percent:>5.1} %", short(seconds))?;
            match count {
                Some((n @ 1.., what)) => writeln!(f, "  {n} {what}, {} µs each", short(1e6 * seconds / n as f64)),
                _ => writeln!(f),
            }
        };
        for phase in Phase::ALL {
            let count = match phase {
                Phase::Geometry | Phase::Plants => Some((s.geometry_queries, "queries")),
                Phase::External => Some((profile.linearizations, "linearizations")),
                Phase::Problem => Some((s.solves, "solves")),
                Phase::Assembly => Some((s.solver_iterations, "iterations")),
                Phase::Factorization => Some((s.factorizations, "factorizations")),
                Phase::LineSearch => Some((s.linesearch_evaluations, "evaluations")),
                Phase::Refinement => Some((profile.derivative_evaluations, "evaluations")),
            };
            row(phase.name(), profile.phases.of(phase).as_secs_f64(), count)?;
        }
        row("rest", profile.rest(), Some((s.steps, "steps")))?;
        row("total", profile.total, None)
    }
}
