//! Summary of a run, for display.

use super::numbers::short;
use super::profile::ProfileTable;
use crate::files::node::show_number;
use crate::simulate::{RunReport, listed_violations};
use std::fmt::{self, Display};

/// Report as a table.
pub(super) struct Summary<'a>(pub(super) &'a RunReport);

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let r = self.0;
        let s = &r.statistics;
        let accuracy = r.accuracy.map_or(String::new(), |a| format!(", accuracy {}", show_number(a)));
        writeln!(f, "{}: {} ({}{accuracy})", r.diagram, r.status, r.integrator)?;
        let mut row = |name: &str, value: String| writeln!(f, "  {name:<14} {value}");
        let by = r.stopped_by.as_ref().map_or(String::new(), |name| format!(", stopped by `{name}`"));
        row("simulated", format!("{} of {} s{by}", short(r.sim_time), short(r.duration)))?;
        row("took", format!("{} s, {} x real time", short(r.wall_s), short(r.real_time_factor)))?;
        row("steps", format!("{} ({} rejected)", s.steps, s.rejected_steps))?;
        if s.steps > 0 {
            row("step length", format!("{} to {} s", short(s.smallest_step), short(s.largest_step)))?;
        }
        if s.solves > 0 {
            row(
                "solves",
                format!(
                    "{} ({} iterations, {} factorizations, {} line-search evaluations)",
                    s.solves, s.solver_iterations, s.factorizations, s.linesearch_evaluations
                ),
            )?;
        }
        if s.geometry_queries > 0 {
            row(
                "contact",
                if s.max_contacts == 0 {
                    format!("none ({} queries)", s.geometry_queries)
                } else {
                    let depth = short(s.max_penetration);
                    format!("at most {}, deepest {depth} m ({} queries)", counted(s.max_contacts), s.geometry_queries)
                },
            )?;
        }
        if s.truncated_contacts > 0 {
            let (all, most) = (counted(s.truncated_contacts), s.max_truncated_contacts);
            row("left out", format!("{all} beyond `max_rigid_contact`, at most {most} in a step"))?;
        }
        if s.unsettled_solves > 0 {
            let (all, of) = (s.unsettled_solves, s.solves);
            row("unsettled", format!("{all} of {of} solves ended at the most sweeps"))?;
        }
        if let (Some(start), Some(end)) = (r.energy_start, r.energy_end) {
            row("energy", format!("{} J -> {} J", short(start), short(end)))?;
        }
        if let Some(doubt) = &r.energy_doubt {
            row("note", doubt.clone())?;
        }
        if !r.requirements.is_empty() {
            let met = r.requirements.iter().filter(|one| one.is_met()).count();
            row("requirements", format!("{met} of {} met", r.requirements.len()))?;
            let width = r.requirements.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
            for one in &r.requirements {
                row("", format!("{:<width$}  {one}", one.name))?;
            }
        }
        for violation in listed_violations(&r.starts_violated) {
            row("start", violation)?;
        }
        for lost in &r.lost {
            row("lost", lost.to_string())?;
        }
        if let Some(profile) = &r.profile {
            write!(f, "  profile\n{}", ProfileTable(profile, s))?;
        }
        Ok(())
    }
}

/// Text such as `1 contact point` or `8 contact points`.
fn counted(points: u64) -> String {
    crate::files::words::counted(usize::try_from(points).unwrap_or(usize::MAX), "contact point")
}
