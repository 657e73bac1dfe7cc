//! Reads a diagram file into a scenario that can be run: blocks built and wired, integrator chosen, channels found.

use super::assemble::{self, Part};
use super::fit::{self, FitAsked};
use super::gradient::{self, GradientAsked};
use super::requirements::{Observed, Requirements};
use super::trim;
use kinegraph_core::SignalKind;
use kinegraph_core::names::nearest;
use kinegraph_diagram::selection::find_output;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::integrators::{NonFinite, Options};
use kinegraph_engine::linearize::TrimOptions;
use kinegraph_engine::simulate::{
    Hands, ObservedRunError, Observer, RequirementReport, Simulation, SimulationError, Status, StopCondition,
    StopConditionError, stopping_when,
};
use kinegraph_files::{Catalog, DiagramFile, FaultKind, LoadError, Loader, Override, Position, RequirementSpec};
use std::collections::HashSet;
use std::path::Path;

/// A simulation described by a diagram file.
///
/// ```no_run
/// let scenario = kinegraph::scenario::Scenario::open("examples/franka/franka.yaml")?;
/// let mut simulation = scenario.simulation()?;
/// simulation.advance_to(scenario.duration)?;
/// println!("{}", simulation.channel("plant.arm.joint1.q")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scenario {
    /// The blocks and wires.
    pub diagram: Diagram,
    /// The integrator.
    pub options: Options,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Time between recorded samples \[s\].
    pub every: f64,
    /// True if two samples are recorded at each event, one before and one after it.
    pub events: bool,
    /// Channels that are recorded.
    pub channels: Vec<Channel>,
    /// Outputs that are recorded as pictures or scans, where the recording has some: `camera.depth`. Images are not
    /// channels.
    pub pictures: Vec<String>,
    /// Requirements of a run.
    pub requirements: Requirements,
    /// The derivatives that the file asks for.
    pub gradient: Option<GradientAsked>,
    /// The fit that the file asks for.
    pub fit: Option<FitAsked>,
    /// The search for an equilibrium that the file describes.
    pub trim: Option<TrimOptions>,
}

impl Scenario {
    /// Reads the diagram file at `path` and builds its diagram.
    ///
    /// # Errors
    /// Every fault of the file and of the models it names.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::open_over(&Catalog::standard(), path)
    }

    /// Reads the diagram file at `path` with the block types of `catalog` and builds its diagram.
    ///
    /// # Errors
    /// Every fault of the file and of the models it names.
    pub fn open_over(catalog: &Catalog, path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let loaded = catalog.load(path.as_ref(), &[])?;
        Self::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed())
    }

    /// Builds the scenario that `file` describes; `None` after faults were recorded in `loader`.
    pub fn build(file: &DiagramFile, loader: &Loader) -> Option<Self> {
        let parts = assemble::parts(file.graph(), loader);
        let options = options(file, loader);
        let known = check_channels(file, &parts, loader);
        let diagram = assemble::diagram(file.graph(), parts, loader, file.is_part)?;
        let diagram = with_stop_conditions(file, diagram, loader)?;
        if !known || !loader.is_clean() {
            return None;
        }
        let mut channels = channels(file, &diagram, loader);
        let pictures = pictures(&diagram, &mut channels);
        let requirements = Requirements::of(file, &diagram, loader);
        let gradient = gradient::asked(file, &diagram, loader);
        let fit = fit::asked(file, &diagram, loader);
        let trim = trim::options(file, &diagram, loader);
        let (duration, every, events) = (file.simulation.duration, file.record.every, file.record.events);
        let scenario = Scenario {
            diagram,
            options: options?,
            duration,
            every,
            events,
            channels,
            pictures,
            requirements,
            gradient,
            fit,
            trim,
        };
        loader.is_clean().then_some(scenario)
    }

    /// Creates a simulation of the diagram at its initial state, with the file's integrator.
    ///
    /// # Errors
    /// An integrator that does not suit the diagram.
    pub fn simulation(&self) -> Result<Simulation, SimulationError> {
        let mut simulation = Simulation::new(&self.diagram, self.options)?;
        simulation.sample_events(self.events);
        Ok(simulation)
    }

    /// Runs `simulation` to the end of the scenario, reports the values of `channels` to `observer`, and returns how
    /// the run ended.
    pub fn run(&self, simulation: &mut Simulation, channels: &[Channel], observer: &mut dyn Observer) -> Status {
        simulation.judge_energy();
        match simulation.advance_observing(self.duration, self.every, channels, observer) {
            Ok(()) => {
                let fault = simulation.energy_fault().or_else(|| self.wrong_energy(simulation));
                fault.map_or(Status::Done, Status::Failed)
            }
            Err(ObservedRunError::Stopped { reason, .. }) => Status::Interrupted(reason),
            Err(error) => Status::Failed(error.to_string()),
        }
    }

    /// Runs as [`run`](Self::run) does, and judges the run by the requirements of the file. The run is the same to the
    /// last bit.
    pub fn run_judged(
        &self,
        simulation: &mut Simulation,
        channels: &[Channel],
        observer: &mut dyn Observer,
    ) -> (Status, Vec<RequirementReport>) {
        if self.requirements.is_empty() {
            return (self.run(simulation, channels, observer), Vec::new());
        }
        let mut monitor = self.requirements.monitor(&self.diagram);
        let status = self.run(simulation, channels, &mut Observed::new(observer, &mut monitor));
        let judged = monitor.report(simulation.time(), status.is_done());
        let seen = if observer.wants_verdicts() { observer.judged(&judged) } else { Ok(()) };
        (seen.map_or_else(|error| Status::Failed(error.to_string()), |()| status), judged)
    }

    /// Runs as [`run`](Self::run) does, with changes made by hand. They add or remove energy, so the energy at the end
    /// is not checked. An observer that wants verdicts gets those of the run as it is.
    pub(crate) fn run_live(
        &self,
        simulation: &mut Simulation,
        observer: &mut dyn Observer,
        hands: &mut Hands<'_>,
    ) -> Status {
        let (duration, every, channels) = (self.duration, self.every, &self.channels);
        let run = if observer.wants_verdicts() && !self.requirements.is_empty() {
            let mut monitor = self.requirements.monitor(&self.diagram);
            let mut observed = Observed::new(observer, &mut monitor);
            let run = simulation.advance_live(duration, every, channels, &mut observed, hands);
            let judged = monitor.report(simulation.time(), run.is_ok());
            run.and_then(|()| Ok(observer.judged(&judged)?))
        } else {
            simulation.advance_live(duration, every, channels, observer, hands)
        };
        match run {
            Ok(()) => self.wrong_energy(simulation).map_or(Status::Done, Status::Failed),
            Err(ObservedRunError::Stopped { reason, .. }) => Status::Interrupted(reason),
            Err(error) => Status::Failed(error.to_string()),
        }
    }

    /// Message if the energy at the end is not a finite number although it should be.
    fn wrong_energy(&self, simulation: &Simulation) -> Option<String> {
        let energy = simulation.energy().filter(|energy| !energy.is_finite())?;
        let stops = self.options.non_finite == NonFinite::Stop;
        stops.then(|| format!("the mechanical energy at t = {} s is {energy}", simulation.time()))
    }

    /// Plant inputs that nothing drives, each with its default.
    pub fn defaults(&self) -> Vec<String> {
        let mut defaults = Vec::new();
        for block in self.diagram.blocks().iter().filter(|block| block.system.as_plant().is_some()) {
            let inputs = block.system.ports().inputs();
            for (i, (port, source)) in inputs.iter().zip(&block.inputs).enumerate() {
                if source.is_some() || port.width == 0 || !port.name.ends_with(".actuation") {
                    continue;
                }
                let parts = || inputs.iter().zip(&block.inputs).filter(|(part, _)| part.element_of == Some(i));
                if parts().all(|(_, source)| source.is_none()) {
                    defaults.push(format!("{}.{} (zero effort)", block.name, port.name));
                } else {
                    let open = parts().filter(|(_, source)| source.is_none());
                    defaults.extend(open.map(|(part, _)| format!("{}.{} (zero effort)", block.name, part.name)));
                }
            }
        }
        defaults
    }
}

/// The diagram with the conditions that end its run; `None` after faults were recorded.
fn with_stop_conditions(file: &DiagramFile, diagram: Diagram, loader: &Loader) -> Option<Diagram> {
    let stop_when = &file.simulation.stop_when;
    let conditions: Vec<StopCondition> = stop_when
        .iter()
        .map(|one| StopCondition { name: one.name.clone(), condition: one.condition.clone() })
        .collect();
    let path = |i: usize| format!("simulation.stop_when[{i}].if");
    match stopping_when(&diagram, &conditions) {
        Ok(diagram) => Some(diagram),
        Err(StopConditionError::Conditions(faults)) => {
            for (i, error) in faults {
                let message = error.to_string();
                loader.report(stop_when[i].at, FaultKind::Build { path: path(i), message });
            }
            None
        }
        Err(StopConditionError::Build(errors)) => {
            loader.report(stop_when[0].at, FaultKind::Build { path: path(0), message: errors.to_string() });
            None
        }
    }
}

/// Options of the integrator that the file selects.
fn options(file: &DiagramFile, loader: &Loader) -> Option<Options> {
    let s = &file.simulation;
    let report = |message: String| {
        loader.report(s.integrator_at, FaultKind::Build { path: "simulation.integrator".into(), message });
        None
    };
    let options = Options {
        integrator: s.integrator,
        accuracy: s.accuracy,
        step: s.step,
        max_step: s.max_step,
        initial_step: s.initial_step,
        min_step: s.min_step,
        feedback: s.feedback,
        extrapolate: s.extrapolate,
        error_weights: s.error_weights,
        controller: s.controller,
        solver: s.solver,
        methods: s.methods,
        rules: s.rules,
        tuning: s.tuning,
        threads: s.threads,
        non_finite: s.non_finite,
        ..Options::default()
    };
    match options.check() {
        Ok(()) => Some(options),
        Err(error) => report(error.to_string()),
    }
}

/// Checks that every channel to record and every one of a requirement exists, as far as its block could be built.
fn check_channels(file: &DiagramFile, parts: &[Option<Part>], loader: &Loader) -> bool {
    let mut known = true;
    let recorded = file.record.channels.iter().map(|(at, name)| (*at, "record.channels", name.as_str()));
    let asked = file.requirements.iter().flat_map(RequirementSpec::channels);
    let differentiated = file.gradient.iter().flat_map(|spec| spec.channels());
    let asked = asked.map(|one| (one.at, one.path.as_str(), one.name.as_str())).chain(differentiated);
    for (at, key, path) in recorded.chain(asked) {
        let Some((name, channel)) = path.split_once('.') else { continue };
        let Some(i) = file.systems.iter().position(|s| s.name == name) else { continue };
        let Some(part) = &parts[i] else { continue };
        let outputs = part.ports().outputs();
        let is_place = |channel| matches!(find_output(part.ports(), channel), Ok(Some(_)));
        let names: Vec<String> = outputs.iter().flat_map(|output| output.element_names()).collect();
        let mut valid: Vec<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
        if valid.contains(&channel) || names.iter().any(|name| name == channel) || is_place(channel) {
            continue;
        }
        // The list of all channels would be long.
        let near = nearest_channel(channel, &names);
        valid.extend(near.as_deref().filter(|near| !valid.contains(near)));
        let what = format!("channel of {name}");
        let kind = kinegraph_files::names::unknown(channel, &what, key.into(), valid.iter().copied(), loader);
        loader.report(at, kind);
        known = false;
    }
    known
}

/// Most likely meant channel, or name of several channels, for `name`: one with as many parts, if there is any.
fn nearest_channel(name: &str, channels: &[String]) -> Option<String> {
    let words = name.matches('.').count();
    let beginning = |channel: &String| {
        let end = channel.match_indices('.').nth(words).map_or(channel.len(), |(end, _)| end);
        channel[..end].to_owned()
    };
    let mut alike: Vec<String> =
        channels.iter().filter(|one| one.matches('.').count() >= words).map(beginning).collect();
    alike.dedup();
    nearest(name, &alike).or_else(|| nearest(name, channels))
}

/// Channels that the file records, by names that may stand for several channels. By default the state of every plant;
/// an empty list, if there is no plant, stands for all outputs.
fn wanted_channels(file: &DiagramFile, diagram: &Diagram) -> Vec<(Position, String)> {
    let mut wanted = file.record.channels.clone();
    if wanted.is_empty() {
        wanted.extend(diagram.plants().map(|(block, _)| (file.record.every_at, format!("{}.state", block.name))));
    }
    wanted
}

/// `record.channels` of `file` with `more` appended; `None` if the file records all channels.
pub fn also_recorded(file: &DiagramFile, diagram: &Diagram, more: &[String]) -> Option<Override> {
    let wanted = wanted_channels(file, diagram);
    if wanted.is_empty() {
        return None;
    }
    let names: Vec<&str> = wanted.iter().map(|(_, name)| &**name).chain(more.iter().map(|name| &**name)).collect();
    let value = serde_json::to_string(&names).ok()?;
    Some(Override::flag("--channels", "record.channels", &value))
}

/// The recorded channels.
fn channels(file: &DiagramFile, diagram: &Diagram, loader: &Loader) -> Vec<Channel> {
    let wanted = wanted_channels(file, diagram);
    if wanted.is_empty() {
        return diagram.channels();
    }
    let (mut all, mut names): (Vec<Channel>, HashSet<String>) = Default::default();
    for (at, path) in &wanted {
        match diagram.find_channels(path) {
            Ok(found) => {
                for channel in found {
                    if names.insert(channel.name.clone()) {
                        all.push(channel);
                    }
                }
            }
            Err(error) => {
                let path = "record.channels".into();
                loader.report(*at, FaultKind::Build { path, message: error.to_string() });
            }
        }
    }
    all
}

/// Pictures and scans among `channels`: images of which all numbers are recorded, which are removed from `channels`,
/// and scans of which any number is.
fn pictures(diagram: &Diagram, channels: &mut Vec<Channel>) -> Vec<String> {
    let mut found = Vec::new();
    for block in diagram.blocks() {
        for (output, range) in block.system.ports().outputs().iter().zip(&block.outputs) {
            if output.picture.is_none() || range.is_empty() {
                continue;
            }
            let count = channels.iter().filter(|channel| range.contains(&channel.index)).count();
            let is_image = output.kind == SignalKind::Image;
            if count < if is_image { range.len() } else { 1 } {
                continue;
            }
            found.push(format!("{}.{}", block.name, output.name));
            if is_image {
                channels.retain(|channel| !range.contains(&channel.index));
            }
        }
    }
    found
}
