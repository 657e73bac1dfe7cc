//! Simulator of the command line: a [`Scenario`] with recording, progress and a report.

use super::{Prepared, Scenario, Simulator, Size, trim, written_units};
use kinegraph_diagram::{Diagram, Side, Source, State};
use kinegraph_engine::integrators::IntegratorError;
use kinegraph_engine::simulate::{
    Channels, Hands, LinearizeError, LinearizeReport, LinearizeRequest, Observer, Profile, RequirementReport,
    RunReport, Simulation, SimulationError, Snapshot, SnapshotError, Statistics, Status, held_read_outs,
    linear_analysis, measured_response, sources_too_fast,
};
use kinegraph_files::{DiagramFile, FaultKind, FileFaults, FileNote, Loader};
use kinegraph_methods::method;

/// The simulator behind the command line.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSimulator;

/// Longest step of a live run \[s\]: every change takes effect at the end of a step.
const MAX_LIVE_STEP: f64 = 1.0 / 30.0;

struct Run {
    name: String,
    size: Size,
    scenario: Scenario,
    /// Snapshot where the run starts, instead of the initial state.
    resumed: Option<Snapshot>,
    /// Number of the draw of a sweep.
    seed: Option<u64>,
    profile: bool,
}

impl Simulator for FileSimulator {
    fn build(&self, file: &DiagramFile, loader: &Loader) -> Result<Box<dyn Prepared>, FileFaults> {
        let scenario = Scenario::build(file, loader);
        loader.finish()?;
        let scenario = scenario.ok_or(FileFaults(Vec::new()))?;
        let simulation = scenario.simulation();
        if let Err(SimulationError::Integrator(error)) = &simulation
            && matches!(error, IntegratorError::TooLarge { .. } | IntegratorError::Memory(_))
        {
            let (path, message) = ("simulation.integrator".into(), error.to_string());
            loader.report(file.simulation.integrator_at, FaultKind::Build { path, message });
            loader.finish()?;
        }
        let mut notes = loader.take_notes();
        if let Ok(simulation) = &simulation {
            let redundant = simulation.redundant_rows();
            notes.extend(redundant.iter().map(|rows| FileNote::of_diagram(rows, rows.conflicts || rows.rows == 0)));
        }
        notes.extend(fast_sources(&scenario));
        notes.extend(held_read_outs(&scenario.diagram).iter().map(|held| FileNote::of_diagram(held, true)));
        let size = Size {
            blocks: scenario.diagram.blocks().len(),
            nested: scenario.diagram.nested().len(),
            wires: wires(&scenario.diagram),
            states: scenario.diagram.state_width(),
            ports: scenario.ports(),
            defaults: scenario.defaults(),
            exported: if file.is_part { exported(&scenario.diagram) } else { Vec::new() },
            starts_violated: simulation.map(|simulation| simulation.violations()).unwrap_or_default(),
            notes,
            pictures: scenario.pictures.clone(),
            channels: scenario.channels.iter().map(|channel| channel.name.clone()).collect(),
            requirements: scenario.requirements.facts().to_vec(),
        };
        Ok(Box::new(Run { name: file.name.clone(), size, scenario, resumed: None, seed: None, profile: false }))
    }
}

/// The inputs that a diagram exports, each with its width.
fn exported(diagram: &Diagram) -> Vec<String> {
    let own = diagram.aliases().iter().filter(|alias| alias.diagram.is_empty() && alias.side == Side::Input);
    let ends = own.filter_map(|alias| Some((alias.path(), diagram.inputs(&alias.path()).ok()?)));
    ends.map(|(path, ends)| format!("{path} (width {})", ends[0].declaration.width)).collect()
}

/// Notes on sources that a method with steps of fixed length does not follow.
fn fast_sources(scenario: &Scenario) -> Vec<FileNote> {
    let options = &scenario.options;
    if options.error_controlled() {
        return Vec::new();
    }
    let (method, step) = (options.integrator.name, options.longest_step());
    let note = |(name, period): (String, f64)| {
        let what = format!("`{name}` changes within periods of {period:.3e} s, which steps of {step} s do not follow");
        FileNote::of_diagram(format!("{what}: {method} needs steps below {:.1e} s", 0.25 * period), true)
    };
    sources_too_fast(&scenario.diagram, step, scenario.duration).into_iter().map(note).collect()
}

impl Prepared for Run {
    fn size(&self) -> Size {
        self.size.clone()
    }

    fn resume(&mut self, snapshot: &Snapshot, changed: bool) -> Result<Vec<String>, SnapshotError> {
        snapshot.state_of(&self.scenario.diagram)?;
        let changes = snapshot.changes(&self.scenario.diagram);
        if !changed && !changes.is_empty() {
            return Err(SnapshotError::Changed { changes });
        }
        let own = self.scenario.options.integrator.name;
        let name = snapshot.integrator.as_str();
        if !name.is_empty() && name != own && method(name).is_none() {
            return Err(SnapshotError::UnknownIntegrator { name: snapshot.integrator.clone() });
        }
        let (time, end) = (snapshot.time, self.scenario.duration);
        if time > end {
            return Err(SnapshotError::PastTheEnd { time, end });
        }
        self.resumed = Some(snapshot.clone());
        Ok(changes)
    }

    fn draw(&mut self, seed: u64) {
        self.seed = Some(seed);
    }

    fn profile(&mut self) {
        self.profile = true;
    }

    fn run(self: Box<Self>, observer: &mut dyn Observer) -> RunReport {
        self.go(Simulation::resume_changed, |scenario, simulation| {
            scenario.run_judged(simulation, &scenario.channels, observer)
        })
    }

    fn run_live(mut self: Box<Self>, observer: &mut dyn Observer, hands: &mut Hands<'_>) -> RunReport {
        let longest = &mut self.scenario.options.max_step;
        *longest = longest.min(MAX_LIVE_STEP);
        // Changes made by hand start from the state of the snapshot.
        self.go(Simulation::restore_changed, |scenario, simulation| {
            // By hand, the run is not the one that the file asks something of.
            (scenario.run_live(simulation, observer, hands), Vec::new())
        })
    }

    fn linearize(self: Box<Self>, request: &LinearizeRequest) -> Result<LinearizeReport, LinearizeError> {
        let run = *self;
        let failed = |error: String| LinearizeError::Failed(error);
        let mut simulation = run.scenario.simulation().map_err(|e| failed(e.to_string()))?;
        simulation.advance_to(request.at).map_err(|e| failed(e.to_string()))?;
        let diagram = &run.scenario.diagram;
        written_units::check(&request.units, diagram)?;
        let mut request = request.clone();
        if let (Some(asked), Some(of_file)) = (&request.trim, &run.scenario.trim) {
            request.trim = Some(trim::joined(asked, of_file));
        }
        let request = &request;
        let mut report = linear_analysis::linearize(run.name, diagram, simulation.state(), request)?;
        if let (Some(_), Some(chosen)) = (&request.measure, report.chosen_inputs.first()) {
            return Err(LinearizeError::Request(format!(
                "--measure: the search for the equilibrium chose {}, which runs have at its old value: name it by --input",
                chosen.name
            )));
        }
        if let Some(asked) = &request.measure {
            let state = report.snapshot.state_of(diagram).map_err(|e| failed(e.to_string()))?;
            let options = run.scenario.options;
            measured_response::measure(diagram, options, &state, &request.ports, asked, &mut report)?;
        }
        Ok(report)
    }
}

/// A gain of energy above this part of the total energy is reported.
const PART_OF_ALL: f64 = 0.05;

impl Run {
    /// Calls `run` and returns the report. If there is a snapshot, `resume` restores it first.
    fn go(
        self,
        resume: fn(&mut Simulation, &Snapshot) -> Result<Vec<String>, SnapshotError>,
        run: impl FnOnce(&Scenario, &mut Simulation) -> (Status, Vec<RequirementReport>),
    ) -> RunReport {
        let Run { name, scenario, resumed, seed, profile, size } = self;
        let options = &scenario.options;
        let duration = scenario.duration;
        let mut report = RunReport {
            diagram: name,
            integrator: options.integrator.name.into(),
            accuracy: options.error_controlled().then_some(options.accuracy),
            duration,
            sim_time: 0.0,
            stopped_by: None,
            wall_s: 0.0,
            real_time_factor: 0.0,
            statistics: Statistics::default(),
            profile: None,
            starts_violated: size.starts_violated,
            lost: Vec::new(),
            energy_start: None,
            energy_end: None,
            energy_doubt: None,
            requirements: Vec::new(),
            final_state: Channels::default(),
            status: Status::Done,
        };
        let mut simulation = match scenario.simulation() {
            Ok(simulation) => simulation,
            Err(error) => return RunReport { status: Status::Failed(error.to_string()), ..report },
        };
        if let Some(seed) = seed {
            let start = scenario.diagram.seeded(scenario.diagram.initial_state(), seed);
            if let Err(error) = simulation.set_state(start) {
                return RunReport { status: Status::Failed(error.to_string()), ..report };
            }
        }
        if let Some(snapshot) = resumed {
            if let Err(error) = resume(&mut simulation, &snapshot) {
                return RunReport { status: Status::Failed(error.to_string()), ..report };
            }
            report.starts_violated = simulation.violations();
        }
        if profile {
            simulation.profile();
        }
        let start = simulation.time();
        report.energy_start = simulation.energy();
        (report.status, report.requirements) = run(&scenario, &mut simulation);
        report.wall_s = simulation.stepping_time().as_secs_f64();
        report.sim_time = simulation.time();
        report.stopped_by = simulation.stopped_by().map(str::to_owned);
        report.real_time_factor = if report.wall_s > 0.0 { (report.sim_time - start) / report.wall_s } else { 0.0 };
        report.statistics = simulation.statistics().into();
        report.profile = Profile::of(&simulation);
        report.energy_end = simulation.energy();
        // At a turning point the kinetic energy is small: a gain counts only if it is also large against the total
        // energy.
        let size = |energy: Option<f64>| energy.unwrap_or(0.0).abs();
        let [start, end] = [report.energy_start, report.energy_end].map(size);
        let gain = size(report.energy_end.zip(report.energy_start).map(|(end, start)| end - start));
        let is_much = gain > PART_OF_ALL * start.max(end);
        report.energy_doubt = simulation.energy_doubt().filter(|_| report.status.is_done() && is_much);
        report.lost = simulation.lost_bodies();
        report.final_state = final_state(simulation.diagram(), simulation.state());
        report
    }
}

/// Number of inputs that outputs drive, including those of nested diagrams.
fn wires(diagram: &Diagram) -> usize {
    let sources = diagram.blocks().iter().flat_map(|block| &block.sources);
    sources.filter(|source| matches!(source, Source::Output { .. })).count()
}

/// Every coordinate of every plant, then every other state.
fn final_state(diagram: &Diagram, state: &State) -> Channels {
    let named: Vec<(String, f64)> = diagram.state_names().into_iter().zip(state.continuous.iter().copied()).collect();
    let mut is_plant = vec![false; named.len()];
    for (block, _) in diagram.plants() {
        is_plant[block.state.clone()].fill(true);
    }
    let (plants, others): (Vec<_>, Vec<_>) = named.into_iter().enumerate().partition(|(i, _)| is_plant[*i]);
    Channels(plants.into_iter().chain(others).map(|(_, channel)| channel).collect())
}
