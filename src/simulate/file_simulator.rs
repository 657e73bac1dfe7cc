//! From the description in a diagram file to a run: builds the blocks, wires them, and drives a [`Simulation`] for the command line.

use super::linearization::{self, LinearizeError, LinearizeReport, LinearizeRequest};
use super::{Channels, Observer, Prepared, RunReport, Simulation, Simulator, Size, Status};
use crate::diagram::{Channel, Diagram, DiagramBuilder, State};
use crate::files::{DiagramFile, FaultKind, FileFaults, Loader, wiring};
use crate::integrators::{Integrator, Options, Scheme};
use kinegraph_systems::{ErasedSystem, Ports};
use std::collections::HashSet;
use std::sync::Arc;

/// The simulator behind the command line.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSimulator;

struct Run {
    name: String,
    size: Size,
    diagram: Diagram,
    integrator: Box<dyn Integrator>,
    accuracy: Option<f64>,
    duration: f64,
    every: f64,
    channels: Vec<Channel>,
}

impl Simulator for FileSimulator {
    fn build(&self, file: &DiagramFile, loader: &Loader) -> Result<Box<dyn Prepared>, FileFaults> {
        let blocks: Vec<Option<Arc<dyn ErasedSystem>>> =
            file.systems.iter().map(|system| system.build(loader)).collect();
        let integrator = integrator(file, loader);
        let diagram = wire(file, &blocks, loader);
        let channels = diagram.as_ref().map(|d| channels(file, d, loader));
        loader.finish()?;
        let (Some(diagram), Some(integrator), Some(channels)) = (diagram, integrator, channels) else {
            return Err(FileFaults(Vec::new()));
        };
        let size = Size {
            blocks: file.systems.len(),
            wires: file.connections.len(),
            states: diagram.state_width(),
            defaults: defaults(&diagram),
        };
        Ok(Box::new(Run {
            name: file.name.clone(),
            size,
            diagram,
            integrator,
            accuracy: file.simulation.integrator.error_controlled.then_some(file.simulation.accuracy),
            duration: file.simulation.duration,
            every: file.record.every,
            channels,
        }))
    }
}

/// The integrator that the file asks for.
fn integrator(file: &DiagramFile, loader: &Loader) -> Option<Box<dyn Integrator>> {
    let s = &file.simulation;
    let report = |message: String| {
        loader.report(s.integrator_at, FaultKind::Build { path: "simulation".into(), message });
        None
    };
    let Some(scheme) = Scheme::ALL.into_iter().find(|scheme| scheme.name() == s.integrator.name) else {
        let known: Vec<_> = Scheme::ALL.iter().map(|scheme| scheme.name()).collect();
        return report(format!(
            "integrator `{}` is planned, but not built yet; this version has {}",
            s.integrator.name,
            known.join(" and ")
        ));
    };
    let options = Options {
        scheme,
        accuracy: s.accuracy,
        step: s.step,
        max_step: s.max_step,
        initial_step: s.initial_step,
        min_step: s.min_step,
        feedback: s.feedback,
        ..Options::default()
    };
    match options.build() {
        Ok(integrator) => Some(integrator),
        Err(error) => report(error.to_string()),
    }
}

/// Blocks and wires as a diagram; faults are reported at the lines of the file.
fn wire(file: &DiagramFile, blocks: &[Option<Arc<dyn ErasedSystem>>], loader: &Loader) -> Option<Diagram> {
    let ports: Vec<(&str, Option<&Ports>)> = file
        .systems
        .iter()
        .zip(blocks)
        .map(|(system, block)| (system.name.as_str(), block.as_ref().map(|b| b.ports())))
        .collect();
    let wires = wiring::resolve(&file.connections, &ports, loader);
    // With a block missing, every fault of the graph would be a consequence.
    if blocks.iter().any(Option::is_none) || wires.len() < file.connections.len() {
        return None;
    }
    let mut builder = DiagramBuilder::new(&file.name);
    if file.solve_algebraic_loops {
        builder.solve_algebraic_loops();
    }
    for (system, block) in file.systems.iter().zip(blocks) {
        builder.add_erased(&system.name, block.clone()?);
    }
    for connection in &file.connections {
        builder.connect_paths(connection.from.to_string(), connection.to.to_string());
    }
    match builder.build() {
        Ok(diagram) => Some(diagram),
        Err(errors) => {
            for error in errors.0 {
                let paths = error.paths();
                let block = paths.first().and_then(|path| path.split('.').next()).unwrap_or("");
                let at = file
                    .connections
                    .iter()
                    .find(|c| {
                        paths.contains(&c.to.to_string().as_str()) && paths.contains(&c.from.to_string().as_str())
                    })
                    .map(|c| c.at)
                    .or_else(|| file.systems.iter().find(|s| s.name == block).map(|s| s.at));
                let kind = FaultKind::Build { path: block.to_string(), message: error.to_string() };
                match at {
                    Some(at) => loader.report(at, kind),
                    None => loader.report_whole(kind),
                }
            }
            None
        }
    }
}

/// The recorded channels.
fn channels(file: &DiagramFile, diagram: &Diagram, loader: &Loader) -> Vec<Channel> {
    let mut all: Vec<Channel> = Vec::new();
    let mut places = HashSet::new();
    for (at, path) in &file.record.channels {
        match diagram.find_channels(path) {
            Ok(found) => {
                all.extend(found.into_iter().filter(|channel| places.insert(channel.name.clone())));
            }
            Err(error) => {
                let path = "record.channels".into();
                loader.report(*at, FaultKind::Build { path, message: error.to_string() });
            }
        }
    }
    all
}

/// Plant inputs that nothing drives: they are zero.
fn defaults(diagram: &Diagram) -> Vec<String> {
    let mut defaults = Vec::new();
    for block in diagram.blocks() {
        for (port, source) in block.system.ports().inputs().iter().zip(&block.inputs) {
            if source.is_none() && port.width > 0 && port.name.ends_with(".actuation") {
                defaults.push(format!("{}.{} (zero effort)", block.name, port.name));
            }
        }
    }
    defaults
}

impl Prepared for Run {
    fn size(&self) -> Size {
        self.size.clone()
    }

    fn run(self: Box<Self>, observer: &mut dyn Observer) -> RunReport {
        let run = *self;
        let integrator_name = run.integrator.name();
        let start = run.diagram.initial_state();
        let mut simulation = match Simulation::with(&run.diagram, start.clone(), run.integrator) {
            Ok(simulation) => simulation,
            Err(error) => return failed_to_start(run.name, integrator_name, run.duration, error.to_string()),
        };
        let names: Vec<String> = run.channels.iter().map(|c| c.name.clone()).collect();
        let mut recorder = Recorder { run_values: run.diagram.values(), channels: &run.channels, row: Vec::new() };
        let status = drive(&mut simulation, run.duration, run.every, &names, &mut recorder, observer);
        let wall_s = simulation.stepping_time().as_secs_f64();
        let sim_time = simulation.time();
        RunReport {
            diagram: run.name,
            integrator: integrator_name.into(),
            accuracy: run.accuracy,
            duration: run.duration,
            sim_time,
            wall_s,
            real_time_factor: if wall_s > 0.0 { sim_time / wall_s } else { 0.0 },
            statistics: simulation.statistics().into(),
            energy_start: simulation.energy_at(&start),
            energy_end: simulation.energy(),
            final_state: final_state(&run.diagram, simulation.state()),
            status,
        }
    }

    fn linearize(self: Box<Self>, request: &LinearizeRequest) -> Result<LinearizeReport, LinearizeError> {
        let run = *self;
        let start = run.diagram.initial_state();
        let failed = |error: String| LinearizeError::Failed(error);
        let mut simulation =
            Simulation::with(&run.diagram, start, run.integrator).map_err(|e| failed(e.to_string()))?;
        simulation.advance_to(request.at).map_err(|e| failed(e.to_string()))?;
        linearization::linearize(run.name, &run.diagram, simulation.state(), request)
    }
}

struct Recorder<'a> {
    run_values: crate::diagram::Values<f64>,
    channels: &'a [Channel],
    row: Vec<f64>,
}

impl Recorder<'_> {
    fn read(&mut self, diagram: &Diagram, state: &State) -> &[f64] {
        diagram.evaluate_state(state, &mut self.run_values);
        self.row.clear();
        self.row.extend(self.channels.iter().map(|c| self.run_values.arena()[c.index]));
        &self.row
    }
}

/// Advances to the end, or to the first failure of the integrator or the observer.
fn drive(
    simulation: &mut Simulation,
    duration: f64,
    every: f64,
    names: &[String],
    recorder: &mut Recorder,
    observer: &mut dyn Observer,
) -> Status {
    let diagram = simulation.diagram().clone();
    let mut result = observer.begin(names).map_err(|e| format!("recording failed: {e}"));
    if result.is_ok() {
        let wants = observer.wants_samples() && !names.is_empty();
        let outcome = if wants {
            let mut lost = None;
            let advanced = simulation.advance_sampling(duration, every, |state| {
                if lost.is_none() {
                    observer.progress(state.time);
                    lost = observer.sample(state.time, recorder.read(&diagram, state)).err();
                }
            });
            match lost {
                Some(error) => Err(format!("recording failed: {error}")),
                None => advanced.map_err(|e| e.to_string()),
            }
        } else {
            advance_with_progress(simulation, duration, observer)
        };
        result = outcome;
    }
    if let Err(error) = observer.end() {
        result = result.and(Err(format!("recording failed: {error}")));
    }
    match result {
        Ok(()) => Status::Done,
        Err(reason) => Status::Failed(reason),
    }
}

fn advance_with_progress(
    simulation: &mut Simulation,
    duration: f64,
    observer: &mut dyn Observer,
) -> Result<(), String> {
    while simulation.time() < duration {
        simulation.step(duration).map_err(|e| e.to_string())?;
        observer.progress(simulation.time());
    }
    Ok(())
}

/// Every coordinate of every plant, then every other state.
fn final_state(diagram: &Diagram, state: &State) -> Channels {
    let named: Vec<(String, f64)> = diagram.state_names().into_iter().zip(state.continuous.iter().copied()).collect();
    let mut is_plant = vec![false; named.len()];
    for block in diagram.blocks().iter().filter(|block| block.system.as_plant().is_some()) {
        is_plant[block.state.clone()].fill(true);
    }
    let (plants, others): (Vec<_>, Vec<_>) = named.into_iter().enumerate().partition(|(i, _)| is_plant[*i]);
    Channels(plants.into_iter().chain(others).map(|(_, channel)| channel).collect())
}

fn failed_to_start(diagram: String, integrator: &str, duration: f64, reason: String) -> RunReport {
    RunReport {
        diagram,
        integrator: integrator.into(),
        accuracy: None,
        duration,
        sim_time: 0.0,
        wall_s: 0.0,
        real_time_factor: 0.0,
        statistics: super::report::Statistics::default(),
        energy_start: None,
        energy_end: None,
        final_state: Channels::default(),
        status: Status::Failed(reason),
    }
}
