//! A model of a plant, or another block, as a linear system at an equilibrium of its own.

use super::super::riccati::MAX_STATES;
use super::{AT, INPUTS, OF};
use crate::form::{FaultKind, Key, Position, Site};
use crate::names::unknown;
use crate::trim::{TrimName, TrimSpec};
use kinegraph_core::port::InputPort;
use kinegraph_core::{ErasedSystem, SignalKind};
use kinegraph_diagram::{Diagram, DiagramBuilder, State};
use kinegraph_engine::linearize::state_space::{DRIFT, LinearContact, LinearModel, LinearizeFaults, Rotations};
use kinegraph_engine::linearize::{LinearizeFault, LinearizePorts, Linearizer, TrimFault, TrimOptions};
use kinegraph_systems::control::OperatingPoint;
use nalgebra::DMatrix;
use std::sync::Arc;

/// Where a block is linearized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// At an equilibrium that is searched for.
    Trim,
    /// At the initial state.
    Initial,
}

/// Block that is linearized.
#[derive(Clone, Debug)]
pub(super) struct Of {
    /// Name of the block.
    pub block: String,
    /// The model in a plant, if one is named.
    model: Option<String>,
    /// Place of the name.
    pub at: Position,
    point: At,
    contact: LinearContact,
    /// The efforts, with their places; empty: as wires say.
    inputs: Vec<(Position, String)>,
}

/// A linear system at its operating point.
#[derive(Clone, Debug)]
pub(super) struct Linearized {
    /// States x states.
    pub a: DMatrix<f64>,
    /// States x efforts.
    pub b: DMatrix<f64>,
    /// States by the numbers of the signal that measures them.
    pub deviations: DMatrix<f64>,
    /// The operating point.
    pub point: OperatingPoint,
    /// Names of the states.
    pub states: Vec<String>,
    /// Names of the efforts.
    pub inputs: Vec<String>,
    /// True if bodies touch that may slide.
    pub slips: bool,
}

/// Remedy where friction leaves positions free.
const BY_HOLD: &str = "Bodies touch there, and regularized friction brings none of them back to its place: with `contact: \
    hold` what sticks stays where it is";

/// The block alone in a diagram.
struct Alone {
    diagram: Diagram,
    linearizer: Linearizer,
    state: State,
    inputs: Vec<f64>,
}

impl Of {
    /// Block or model that `name` names, at its place.
    pub fn new(name: &str, at: Position, point: At, contact: LinearContact, inputs: Vec<(Position, String)>) -> Self {
        let (block, model) = name.split_once('.').map_or((name, None), |(block, model)| (block, Some(model)));
        Of { block: block.to_owned(), model: model.map(str::to_owned), at, point, contact, inputs }
    }

    /// The whole name.
    pub fn name(&self) -> String {
        self.model.as_ref().map_or_else(|| self.block.clone(), |model| format!("{}.{model}", self.block))
    }

    /// The linear system; `None` after a fault was recorded.
    pub fn linearized(&self, site: &Site<'_>) -> Option<Linearized> {
        let Some(block) = site.beside else {
            site.fault("an lqr with `of` is made for another block of its file");
            return None;
        };
        let model = self.model_of(site, &**block)?;
        let ports = self.ports_of(site, &**block, model.as_deref())?;
        let mut alone = self.alone(site, block, &ports)?;
        let names = self.names_of(&ports);
        let driven = self.driven(site, &names)?;
        if self.point == At::Trim {
            self.check_trim(site, &alone.diagram)?;
            let known = (alone.diagram.state_names(), alone.linearizer.input_names());
            let options = self.options(site.trim, &names, &driven, known);
            let found = match alone.linearizer.trim(&alone.state, &alone.inputs, &options) {
                Ok(found) => found,
                Err(fault) => {
                    self.refuse(site, AT.key(), self.no_equilibrium(&fault, &options, &ports));
                    return None;
                }
            };
            (alone.state, alone.inputs) = (found.state, found.inputs);
        }
        let found = match alone.linearizer.at(&alone.state, &alone.inputs) {
            Ok(found) => found,
            Err(fault) => {
                self.refuse(site, AT.key(), format!("`{}` has no linear model: {}", self.name(), reason(&fault)));
                return None;
            }
        };
        let fastest = found.rates.iter().zip(&found.state_names).max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        if let Some((rate, name)) = fastest.filter(|(rate, _)| rate.abs() > DRIFT) {
            let message = format!(
                "the initial state of `{}` is no equilibrium: the rate of {name} is {rate:.3e}. Write `at: trim`, or another \
                 initial state",
                self.name()
            );
            self.refuse(site, AT.key(), message);
            return None;
        }
        let slips = self.contact == LinearContact::Law && {
            let touching = alone.linearizer.held(&alone.state, &alone.inputs);
            touching.is_ok_and(|parts| parts.iter().any(|part| part.points > 0))
        };
        let restricted = self.restricted(&alone, &found, model.as_deref(), &names, &driven);
        Some(Linearized { slips, ..restricted })
    }

    fn refuse(&self, site: &Site<'_>, key: &str, message: String) {
        let is_written = site.keys.iter().any(|(written, _)| written == key);
        let (key, at) = if is_written { (key, site.place_of(key)) } else { (OF.key(), self.at) };
        site.loader.report(at, FaultKind::Build { path: format!("{}.{key}", site.path), message });
    }

    /// The model of a plant; `Some(None)` for another block, `None` after a fault.
    fn model_of(&self, site: &Site<'_>, block: &dyn ErasedSystem) -> Option<Option<String>> {
        if block.as_plant().is_none() {
            if self.model.is_some() {
                let message = format!("`{0}` is no multibody_plant: write `of: {0}`", self.block);
                self.refuse(site, OF.key(), message);
                return None;
            }
            return Some(None);
        }
        let outputs = block.ports().outputs();
        let models: Vec<&str> = outputs.iter().filter_map(|output| output.name.strip_suffix(".state")).collect();
        let found = match (&self.model, models.as_slice()) {
            (Some(model), _) => models.iter().find(|known| *known == model).copied(),
            (None, [only]) => Some(*only),
            (None, _) => None,
        };
        if found.is_none() {
            let path = format!("{}.{}", site.path, OF.key());
            let kind = match &self.model {
                Some(model) => {
                    let what = format!("model of {}", self.block);
                    unknown(model, &what, path, models.iter().copied(), site.loader)
                }
                None => {
                    let names: Vec<String> = models.iter().map(|model| format!("`{}.{model}`", self.block)).collect();
                    let message = format!("`{}` has several models: write one of {}", self.block, names.join(", "));
                    FaultKind::Conflict { path, message }
                }
            };
            site.loader.report(self.at, kind);
        }
        found.map(|model| Some(model.to_owned()))
    }

    /// The inputs of the block that are efforts.
    fn ports_of<'b>(
        &self,
        site: &Site<'_>,
        block: &'b dyn ErasedSystem,
        model: Option<&str>,
    ) -> Option<Vec<&'b InputPort>> {
        let ports = block.ports().inputs().iter().filter(|port| port.element_of.is_none() && port.width > 0);
        let named = self.named(site);
        let found: Vec<&InputPort> = match model {
            None => ports.filter(|port| port.kind == SignalKind::Vector).collect(),
            Some(model) => {
                let own: Vec<&InputPort> = ports.filter(|port| port.name.starts_with(&format!("{model}."))).collect();
                let is_named = |port: &&&InputPort| {
                    let whole = format!("{}.{}", self.block, port.name);
                    named.iter().any(|name| is_called(&whole, name.split('[').next().unwrap_or(name)))
                };
                let chosen: Vec<&InputPort> = own.iter().filter(is_named).copied().collect();
                let actuation = own.into_iter().filter(|port| port.name == format!("{model}.actuation"));
                if chosen.is_empty() { actuation.collect() } else { chosen }
            }
        };
        if found.is_empty() {
            let remedy = match model {
                Some(_) => {
                    "no joint of it is actuated, so nothing can be driven (`actuated: all` makes all of them; `inputs: \
                     [applied_generalized_force]` drives a free body)"
                }
                None => "it has no inputs that could be driven",
            };
            self.refuse(site, OF.key(), format!("`{}`: {remedy}", self.name()));
            return None;
        }
        Some(found)
    }

    /// The names of single efforts as the file knows them, in order: all that one of them may be called.
    fn names_of(&self, ports: &[&InputPort]) -> Vec<Vec<String>> {
        let mut names = Vec::new();
        for port in ports {
            let whole = format!("{}.{}", self.block, port.name);
            for i in 0..port.width {
                let own = if port.width > 1 { format!("{whole}[{i}]") } else { whole.clone() };
                let element = port.elements.get(i).map(|element| format!("{}.{element}", self.block));
                names.push(element.into_iter().chain([own, whole.clone()]).collect());
            }
        }
        names
    }

    /// Indices of the efforts that the regulator drives.
    fn driven(&self, site: &Site<'_>, names: &[Vec<String>]) -> Option<Vec<usize>> {
        let meant = |name: &str| -> Vec<usize> {
            (0..names.len()).filter(|i| names[*i].iter().any(|known| is_called(known, name))).collect()
        };
        let mut driven = Vec::new();
        for (at, name) in &self.inputs {
            let found = meant(name);
            let path = format!("{}.{}", site.path, INPUTS.key());
            if found.is_empty() {
                let what = format!("effort of {}", self.name());
                let valid = names.iter().map(|names| names[0].as_str());
                site.loader.report(*at, unknown(name, &what, path, valid, site.loader));
                return None;
            }
            if found.iter().any(|i| driven.contains(i)) {
                let message = format!("`{name}` is named twice");
                site.loader.report(*at, FaultKind::Conflict { path, message });
                return None;
            }
            driven.extend(found);
        }
        if self.inputs.is_empty() {
            self.named(site).iter().for_each(|name| driven.extend(meant(name)));
        }
        Some(if driven.is_empty() { (0..names.len()).collect() } else { driven })
    }

    /// Names of the efforts: as written, or the inputs to which wires lead from the regulator, in the order of its
    /// efforts; none where they leave one out.
    fn named(&self, site: &Site<'_>) -> Vec<String> {
        if !self.inputs.is_empty() {
            return self.inputs.iter().map(|(_, name)| name.clone()).collect();
        }
        let own = site.path.rsplit('.').next().unwrap_or_default();
        let mut found: Vec<(usize, String)> = Vec::new();
        for wire in site.connections.iter().filter(|wire| wire.from.block == own && wire.to.block == self.block) {
            let place = match wire.from.port.strip_prefix("effort") {
                Some("") => Some(0),
                Some(part) => part.strip_prefix('[').and_then(|part| part.strip_suffix(']')?.parse().ok()),
                None => None,
            };
            found.extend(place.map(|place| (place, wire.to.to_string())));
        }
        found.sort();
        let are_all = found.iter().enumerate().all(|(k, (place, _))| k == *place);
        if are_all { found.into_iter().map(|(_, name)| name).collect() } else { Vec::new() }
    }

    /// A diagram with the block alone; what it needs besides is zero.
    fn alone(&self, site: &Site<'_>, block: &Arc<dyn ErasedSystem>, ports: &[&InputPort]) -> Option<Alone> {
        let mut builder = DiagramBuilder::new(&self.block);
        builder.add_erased(&self.block, block.clone());
        for port in block.ports().inputs().iter().filter(|port| !port.optional && port.element_of.is_none()) {
            builder.fix_path(format!("{}.{}", self.block, port.name), vec![0.0; port.width]);
        }
        let fault = |message: String| {
            self.refuse(site, OF.key(), format!("`{}` has no linear model: {message}", self.name()));
        };
        let diagram = match builder.build() {
            Ok(diagram) => diagram,
            Err(errors) => {
                fault(errors.to_string());
                return None;
            }
        };
        let states = diagram.state_width();
        if states == 0 || states > MAX_STATES {
            fault(format!("{states} states; gains are designed for 1 to {MAX_STATES}"));
            return None;
        }
        let inputs = ports.iter().map(|port| format!("{}.{}", self.block, port.name)).collect();
        let state = diagram.initial_state();
        let ports = LinearizePorts { inputs, ..LinearizePorts::default() };
        match Linearizer::new(&diagram, &state, &ports) {
            Ok(linearizer) => {
                let own = vec![format!("{}.", self.name())];
                let linearizer = linearizer.with_contact(self.contact).preferring(own);
                let inputs = linearizer.start_inputs().to_vec();
                Some(Alone { diagram, linearizer, state, inputs })
            }
            Err(LinearizeFaults(faults)) => {
                faults.iter().for_each(|one| fault(reason(one)));
                None
            }
        }
    }

    /// Checks that names of the search that are of this block exist; `None` after a fault.
    fn check_trim(&self, site: &Site<'_>, diagram: &Diagram) -> Option<()> {
        let states = diagram.state_names();
        let mut are_known = true;
        for TrimName { key, at, name, state, input } in site.trim.iter().flat_map(|trim| trim.names()) {
            let port = name.split('[').next().unwrap_or(name);
            let is_own = name.strip_prefix(&self.block).is_some_and(|rest| rest.starts_with('.'));
            let is_state = state && states.iter().any(|known| known == name);
            if !is_own || is_state || (input && diagram.inputs(port).is_ok()) {
                continue;
            }
            let inputs = diagram.blocks().iter().flat_map(|block| block.system.ports().inputs());
            let inputs = inputs.filter(|port| input && port.width > 0);
            let inputs: Vec<String> = inputs.map(|port| format!("{}.{}", self.block, port.name)).collect();
            let own = states.iter().filter(|_| state);
            let what = if state && input {
                "state or input"
            } else if state {
                "state"
            } else {
                "input"
            };
            let valid: Vec<&str> = own.chain(&inputs).map(String::as_str).collect();
            site.loader.report(at, unknown(name, what, key.into(), valid.iter().copied(), site.loader));
            are_known = false;
        }
        are_known.then_some(())
    }

    /// The search for an equilibrium, as far as it is about this block.
    fn options(
        &self,
        trim: Option<&TrimSpec>,
        names: &[Vec<String>],
        driven: &[usize],
        (states, of_linearizer): (Vec<String>, Vec<String>),
    ) -> TrimOptions {
        let rename = |name: &str| {
            let is_port = of_linearizer.iter().any(|known| is_number_of(known, name));
            let known = driven.iter().find(|i| names[**i].iter().any(|known| known == name)).filter(|_| !is_port);
            known
                .map(|i| of_linearizer[*i].clone())
                .or_else(|| (is_port || states.iter().any(|known| known == name)).then(|| name.to_owned()))
        };
        let mut options = trim.map_or_else(TrimOptions::default, |trim| trim.options(rename));
        // The name of a port stands for all of its efforts that are driven.
        let (ports, single): (Vec<String>, Vec<String>) =
            std::mem::take(&mut options.free).into_iter().partition(|name| !of_linearizer.contains(name));
        options.free = single;
        for port in ports {
            let of_port = |name: &&String| is_number_of(name, &port);
            options.free.extend(driven.iter().map(|i| &of_linearizer[*i]).filter(of_port).cloned());
        }
        options
    }

    fn no_equilibrium(&self, fault: &TrimFault, options: &TrimOptions, ports: &[&InputPort]) -> String {
        let ports: Vec<String> = ports.iter().map(|port| format!("{}.{}", self.block, port.name)).collect();
        let fault = match fault {
            TrimFault::Linearize(fault) => reason(fault),
            other => other.to_string(),
        };
        let remedy = if options.free.is_empty() {
            format!(
                ". Efforts keep their values; `trim: {{free: [{}]}}` lets the search choose them, `near` in it begins \
                 elsewhere",
                ports.join(", ")
            )
        } else {
            ". `near` in `trim` begins elsewhere, `hold` in it keeps states".to_owned()
        };
        format!("`{}`: {fault}{remedy}", self.name())
    }

    /// The part of a model that is that of the model in the plant, by the efforts that are driven.
    fn restricted(
        &self,
        alone: &Alone,
        found: &LinearModel,
        model: Option<&str>,
        names: &[Vec<String>],
        driven: &[usize],
    ) -> Linearized {
        let Alone { diagram, state, inputs, .. } = alone;
        let states = diagram.state_names();
        let of_signal: Vec<usize> = match model {
            Some(model) => {
                let channels = diagram.find_channels(&format!("{}.{model}.state", self.block)).unwrap_or_default();
                channels.iter().filter_map(|channel| states.iter().position(|name| *name == channel.name)).collect()
            }
            None => (0..states.len()).collect(),
        };
        let rotations = Rotations::of(diagram);
        let all = rotations.deviations(&state.continuous);
        // Minimal coordinates of the model that a number of the signal enters.
        let whole = alone.linearizer.kept();
        let is_own = |at: &usize| of_signal.iter().any(|column| all[(whole[*at], *column)] != 0.0);
        let own: Vec<usize> = (0..whole.len()).filter(is_own).collect();
        let rows: Vec<usize> = own.iter().map(|at| whole[*at]).collect();
        let starts = rotations.starts().iter();
        Linearized {
            a: found.a.select_rows(&own).select_columns(&own),
            b: found.b.select_rows(&own).select_columns(driven),
            deviations: all.select_rows(&rows).select_columns(&of_signal),
            point: OperatingPoint {
                state: of_signal.iter().map(|i| state.continuous[*i]).collect(),
                effort: driven.iter().map(|i| inputs[*i]).collect(),
                quaternions: starts.filter_map(|start| of_signal.iter().position(|i| i == start)).collect(),
            },
            states: own.iter().map(|i| found.state_names[*i].clone()).collect(),
            inputs: driven.iter().map(|i| names[*i][0].clone()).collect(),
            slips: false,
        }
    }
}

impl Linearized {
    /// Reason why no gain makes it stable.
    pub fn obstacle(&self) -> String {
        let n = self.a.nrows();
        let model = LinearModel {
            a: self.a.clone(),
            b: self.b.clone(),
            c: DMatrix::identity(n, n),
            d: DMatrix::zeros(n, self.b.ncols()),
            rates: vec![0.0; n],
            output_values: vec![0.0; n],
            state_names: self.states.clone(),
            input_names: self.inputs.clone(),
            output_names: self.states.clone(),
            cut_by: Vec::new(),
            flat: Vec::new(),
            period: None,
        };
        const TOLERANCE: f64 = 1e-9; // message
        let removed = model.minimal(TOLERANCE).map(|(_, removed)| removed.unreachable).unwrap_or_default();
        let modes: Vec<String> = removed
            .iter()
            .filter(|pole| pole.re > -TOLERANCE)
            .map(|pole| format!("{:.4}{:+.4}i", pole.re, pole.im))
            .collect();
        match modes.as_slice() {
            [] => "a mode that does not decay costs nothing in Q".to_owned(),
            modes => format!(
                "{} does not move what does not decay, with poles at {} 1/s. {}",
                self.inputs.join(", "),
                modes.join(", "),
                if self.slips { BY_HOLD } else { "Drive more of it, or take it out" }
            ),
        }
    }
}

/// True if `name` is one number of a wider port.
fn is_number_of(name: &str, port: &str) -> bool {
    name.strip_prefix(port).is_some_and(|rest| rest.starts_with('['))
}

/// True if `known`, as `block.model.name`, may be called `name`: by all or by the last of its parts.
fn is_called(known: &str, name: &str) -> bool {
    known == name || known.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
}

/// A fault of a linearization, with what a file can do about it.
fn reason(fault: &LinearizeFault) -> String {
    match fault {
        LinearizeFault::BeyondStop { position, value } => format!(
            "{position} = {value} is beyond the joint's stop there: choose a point between the stops, or hold it there \
             (`contact: hold`)"
        ),
        LinearizeFault::SlipsAway { bodies, needed, force, .. } => format!(
            "{} cannot stick: they press on each other with {force:.4} N, and {needed:.4} N along the surface would be \
             needed, more than friction can hold",
            bodies.join(" and ")
        ),
        other => other.to_string(),
    }
}
