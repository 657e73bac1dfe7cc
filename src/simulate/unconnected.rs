//! The simulator of a program without integrators: reads and checks files, runs nothing.

use super::{Channels, Observer, Prepared, RunReport, Simulator, Size, Statistics, Status};
use crate::files::{DiagramFile, FileFaults, Loader};

/// Builds nothing and fails every run.
#[derive(Clone, Copy, Debug)]
pub struct Unconnected;

struct Nothing {
    size: Size,
    report: RunReport,
}

impl Simulator for Unconnected {
    fn build(&self, diagram: &DiagramFile, _: &Loader) -> Result<Box<dyn Prepared>, FileFaults> {
        let simulation = &diagram.simulation;
        let report = RunReport {
            diagram: diagram.name.clone(),
            integrator: simulation.integrator.name.into(),
            accuracy: simulation.integrator.error_controlled.then_some(simulation.accuracy),
            duration: simulation.duration,
            sim_time: 0.0,
            wall_s: 0.0,
            real_time_factor: 0.0,
            statistics: Statistics::default(),
            energy_start: None,
            energy_end: None,
            final_state: Channels::default(),
            status: Status::Failed("this program has no integrator".into()),
        };
        let size = Size { blocks: diagram.systems.len(), wires: diagram.connections.len(), ..Size::default() };
        Ok(Box::new(Nothing { size, report }))
    }
}

impl Prepared for Nothing {
    fn size(&self) -> Size {
        self.size.clone()
    }
    fn run(self: Box<Self>, _: &mut dyn Observer) -> RunReport {
        self.report
    }
}
