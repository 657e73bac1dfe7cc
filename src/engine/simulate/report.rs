//! Report of a run: one object, for machines (`--json`) and for people.

use super::{Lost, Profile, RequirementReport, Violation};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// Result of a run. The field names are the keys of the JSON object.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct RunReport {
    /// Name of the diagram.
    pub diagram: String,
    /// Name of the integration method.
    pub integrator: String,
    /// Accuracy asked for; `None` for a method without error control.
    pub accuracy: Option<f64>,
    /// Time asked for \[s\].
    pub duration: f64,
    /// Time reached \[s\].
    pub sim_time: f64,
    /// Name of the condition of `stop_when` that ended the run; `None` if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// Wall time of the run loop alone \[s\]: no loading, no recording to disk.
    pub wall_s: f64,
    /// Simulated time over wall time.
    pub real_time_factor: f64,
    /// Counts of the method.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// Where the time went, if that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Joints, constraints and contacts that are violated at the start, the largest amount first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starts_violated: Vec<Violation>,
    /// Bodies that fell through what they stood on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Lost>,
    /// Mechanical energy at time zero \[J\]; `None` without a plant.
    pub energy_start: Option<f64>,
    /// Mechanical energy at the end \[J\]; `None` without a plant.
    pub energy_end: Option<f64>,
    /// A doubt about the energy at the end that is no fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_doubt: Option<String>,
    /// Results of the requirements of the file, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementReport>,
    /// Every coordinate of the final state, by channel.
    pub final_state: Channels,
    /// How the run ended.
    pub status: Status,
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Attempts that were tried again with a smaller step.
    pub rejected_steps: u64,
    /// Convex problems solved.
    pub solves: u64,
    /// Newton iterations of these.
    pub solver_iterations: u64,
    /// Factorizations of a Hessian.
    pub factorizations: u64,
    /// Cost evaluations of line searches.
    pub linesearch_evaluations: u64,
    /// Queries of all contacts.
    pub geometry_queries: u64,
    /// Largest accepted step \[s\].
    pub largest_step: f64,
    /// Smallest accepted step \[s\]; steps cut short to meet the end or an event do not count.
    pub smallest_step: f64,
    /// Most contacts in one step.
    pub max_contacts: u64,
    /// Deepest penetration \[m\].
    pub max_penetration: f64,
    /// Contact points beyond the capacity of `sap` that were left out, of all steps.
    pub truncated_contacts: u64,
    /// Most of them in one step.
    pub max_truncated_contacts: u64,
    /// Solves that took what they had after the most sweeps (`theta-gamma`, `projected-gauss-seidel`).
    pub unsettled_solves: u64,
    /// Largest natural residual of a contact \[N\] (`theta-gamma`): by how much a force is not the answer of its law to
    /// the velocity of its point.
    pub max_residual: f64,
}

impl From<&crate::integrators::Statistics> for Statistics {
    fn from(s: &crate::integrators::Statistics) -> Self {
        Statistics {
            steps: s.steps as u64,
            rejected_steps: s.rejected_steps as u64,
            solves: s.solves as u64,
            solver_iterations: s.solver_iterations as u64,
            factorizations: s.factorizations as u64,
            linesearch_evaluations: s.linesearch_evaluations as u64,
            geometry_queries: s.geometry_queries as u64,
            largest_step: s.largest_step,
            smallest_step: s.smallest_step.unwrap_or(s.largest_step),
            max_contacts: s.max_contacts as u64,
            max_penetration: s.max_penetration,
            truncated_contacts: s.truncated_contacts as u64,
            max_truncated_contacts: s.max_truncated_contacts as u64,
            unsettled_solves: s.unsettled_solves as u64,
            max_residual: s.max_residual,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// At the time asked for.
    Done,
    /// Before, as somebody who watched wished (a signal).
    Interrupted(String),
    /// Before, for this reason (time, block or body, constraint, cause).
    Failed(String),
}

impl Status {
    /// True if the run reached the time asked for.
    pub fn is_done(&self) -> bool {
        matches!(self, Status::Done)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Status::Done => f.write_str("done"),
            Status::Interrupted(reason) => write!(f, "interrupted: {reason}"),
            Status::Failed(reason) => write!(f, "failed: {reason}"),
        }
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Values by channel name, in the order of the diagram; a JSON object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channels(pub Vec<(String, f64)>);

impl Serialize for Channels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
