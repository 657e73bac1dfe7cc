//! Times of a run, with the counts that go with them.

use super::Simulation;
use crate::integrators::Statistics;
use kinegraph_convex::profile::{Phase, Phases};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Time by phase. In JSON: `total_s`, one key per phase (`geometry_s`, `line_search_s` …), `rest_s`, then the counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Wall time of all steps \[s\].
    pub total: f64,
    /// Time by phase.
    pub phases: Phases,
    /// Dual-number linearizations of external systems.
    pub linearizations: u64,
    /// Evaluations of the derivative of the whole state.
    pub derivative_evaluations: u64,
}

impl Profile {
    /// Times measured by a simulation so far; `None` if it does not measure.
    pub fn of(simulation: &Simulation) -> Option<Self> {
        let Statistics { linearizations, derivative_evaluations, .. } = simulation.statistics();
        simulation.phases().map(|phases| Profile {
            total: simulation.stepping_time().as_secs_f64(),
            phases: *phases,
            linearizations: *linearizations as u64,
            derivative_evaluations: *derivative_evaluations as u64,
        })
    }

    /// Time that belongs to no phase \[s\]: choosing steps, advancing positions, events, read-outs, dense output.
    pub fn rest(&self) -> f64 {
        self.total - self.phases.sum().as_secs_f64()
    }
}

impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("total_s", &self.total)?;
        for phase in Phase::ALL {
            let key = format!("{}_s", phase.name().replace(' ', "_"));
            map.serialize_entry(&key, &self.phases.of(phase).as_secs_f64())?;
        }
        map.serialize_entry("rest_s", &self.rest())?;
        map.serialize_entry("linearizations", &self.linearizations)?;
        map.serialize_entry("derivative_evaluations", &self.derivative_evaluations)?;
        map.end()
    }
}
