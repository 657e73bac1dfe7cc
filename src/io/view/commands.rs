//! Commands of a page for a live run, and controls that the page is offered.
//!
//! The types of this file are a schema, as those of the lines are.

use kinegraph_core::unit::Unit;
use kinegraph_diagram::{Diagram, Source};
use kinegraph_engine::simulate::Act;
use kinegraph_files::{FileParameter, Loaded, OperatorSignal};
use kinegraph_scenario::{LiveKeyframe, LiveOperator, LiveParameter};
use serde::{Deserialize, Serialize};

/// Command of a page for a live run: one object of JSON, sent to `command`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Stand still.
    Pause,
    /// Go on.
    Go,
    /// Take one step, and stand still.
    Step,
    /// Start again, with the parameters as they are.
    Reset,
    /// Go at this pace: simulated time in a second of the clock; `None`: as fast as possible.
    Pace(Pace),
    /// Do this.
    Do(Do),
    /// Run the diagram again, with other numbers.
    Again(Again),
    /// Differentiate the run.
    Differentiate(Differentiate),
}

/// How fast a live run is to go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Simulated time in a second of the clock; `None`: as fast as possible.
    pub pace: Option<f64>,
}

/// Another run of the same diagram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Again {
    /// The numbers that are others; all others are as in the run before.
    pub numbers: Vec<ChangedNumber>,
    /// Outputs that are recorded besides, in this run and those that follow.
    #[serde(default)]
    pub record: Vec<String>,
}

/// A number of a diagram file, or a list of numbers, and what it is to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedNumber {
    /// Where it stands.
    pub path: String,
    /// New values.
    pub values: Vec<f64>,
}

/// Act to be done to a live run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Do {
    /// The act.
    #[serde(rename = "do")]
    pub act: Act,
}

/// Controls of a live run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Controls {
    /// Parameters of the diagram file.
    #[serde(default)]
    pub of_file: Vec<ParameterControl>,
    /// Positions of single-axis joints.
    pub joints: Vec<JointControl>,
    /// Parameters of blocks, but for those that a parameter of the file sets.
    pub parameters: Vec<NumberControl>,
    /// Inputs that no block drives.
    pub inputs: Vec<NumberControl>,
    /// Blocks that a person moves by gamepad and keys.
    pub operators: Vec<OperatorControl>,
    /// Named states of models.
    pub keyframes: Vec<KeyframeControl>,
}

/// A parameter of the diagram file, a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterControl {
    /// Where it stands (`parameters.mass`).
    pub path: String,
    /// Its meaning; empty if the file does not say.
    pub about: String,
    /// Its unit; empty if the file states none.
    pub unit: String,
    /// Its value, in this unit.
    pub value: f64,
    /// Its smallest and its largest value in this unit, if the file states them.
    pub range: Option<[f64; 2]>,
    /// True if blocks use it. Others have their effect at the next start.
    pub acts_at_once: bool,
}

/// The position of a single-axis joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointControl {
    /// Its channel (`plant.arm.joint1.q`).
    pub channel: String,
    /// Its unit.
    pub unit: String,
    /// Where it starts.
    pub value: f64,
    /// Its lower stop, or a value to slide to.
    pub lower: f64,
    /// Its upper stop, or a value to slide to.
    pub upper: f64,
}

/// Numbers that can be changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberControl {
    /// Where they stand.
    pub path: String,
    /// Meaning of the numbers.
    pub about: String,
    /// Their values.
    pub values: Vec<f64>,
    /// Their names, where they have some.
    pub names: Vec<String>,
}

/// A block that a person moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperatorControl {
    /// Full name of the block.
    pub block: String,
    /// Its signals.
    pub signals: Vec<OperatorSignal>,
}

/// A named state of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyframeControl {
    /// Full name of the plant's block.
    pub plant: String,
    /// Name of the model.
    pub model: String,
    /// Name of the state.
    pub name: String,
}

/// Range of an angle without stops \[rad\], and of a length \[m\].
const ANGLE: f64 = std::f64::consts::PI;
const LENGTH: f64 = 1.0;
/// Maximum number of numbers of an input that is offered.
const MAX_WIDTH: usize = 64;

impl Controls {
    /// Controls of `diagram`, which is built from `loaded`.
    pub fn of(diagram: &Diagram, loaded: &Loaded) -> Self {
        let number = |one: LiveParameter| NumberControl {
            path: one.path,
            about: one.about,
            values: one.values,
            names: Vec::new(),
        };
        let of_file = &loaded.diagram.parameters;
        let is_set = |one: &LiveParameter| of_file.iter().any(|other| other.uses.contains(&one.path));
        let operator = |one: LiveOperator| OperatorControl { block: one.block, signals: one.signals };
        let keyframe = |one: LiveKeyframe| KeyframeControl { plant: one.plant, model: one.model, name: one.name };
        Controls {
            of_file: of_file.iter().filter(|one| one.formula.is_none()).map(parameter).collect(),
            joints: joints(diagram),
            parameters: LiveParameter::of(loaded).into_iter().filter(|one| !is_set(one)).map(number).collect(),
            inputs: inputs(diagram),
            operators: LiveOperator::of(loaded).into_iter().map(operator).collect(),
            keyframes: LiveKeyframe::of(loaded).into_iter().map(keyframe).collect(),
        }
    }
}

fn parameter(one: &FileParameter) -> ParameterControl {
    let unit = Unit::read(&one.unit);
    let written = |number: f64| unit.as_ref().map_or(number, |unit| unit.from_si(number));
    ParameterControl {
        path: format!("parameters.{}", one.name),
        about: one.about.clone(),
        unit: one.unit.clone(),
        value: written(one.value),
        range: one.range.map(|range| range.map(written)),
        acts_at_once: one.uses.iter().any(|path| path.starts_with("systems.") || path.starts_with("parameters.")),
    }
}

fn joints(diagram: &Diagram) -> Vec<JointControl> {
    let start = diagram.initial_state();
    let mut joints = Vec::new();
    for (block, plant) in diagram.plants() {
        let structure = plant.structure();
        for (i, name) in structure.position_names.iter().enumerate() {
            let Some(joint) = name.strip_suffix(".q") else { continue };
            let velocity = format!("{joint}.v");
            let Some(v) = structure.velocity_names.iter().position(|name| *name == velocity) else { continue };
            let is_angle = structure.coordinates.get(v) == Some(&kinegraph_core::convex::Coordinate::Angle);
            let reach = if is_angle { ANGLE } else { LENGTH };
            let stop = structure.limits.iter().find(|limit| limit.position == i);
            let within = |stop: Option<f64>, otherwise: f64| stop.filter(|x| x.is_finite()).unwrap_or(otherwise);
            let value = start.continuous[block.state.start + i];
            joints.push(JointControl {
                channel: format!("{}.{name}", block.name),
                unit: if is_angle { "rad" } else { "m" }.to_owned(),
                value,
                lower: within(stop.map(|stop| stop.lower), -reach).min(value),
                upper: within(stop.map(|stop| stop.upper), reach).max(value),
            });
        }
    }
    joints
}

/// Inputs of plants for efforts and speeds, and exported inputs, if no block drives them.
fn inputs(diagram: &Diagram) -> Vec<NumberControl> {
    let mut values = diagram.values::<f64>();
    diagram.evaluate_state(&diagram.initial_state(), &mut values);
    let exported = diagram.aliases().iter().map(|alias| alias.path());
    let own = diagram.blocks().iter().flat_map(|block| {
        let ports = block.system.ports().inputs().iter();
        let offered = ports.filter(|port| port.name.ends_with(".actuation") || port.name.ends_with(".speed"));
        offered.map(|port| format!("{}.{}", block.name, port.name)).collect::<Vec<_>>()
    });
    let mut found: Vec<NumberControl> = Vec::new();
    for path in exported.chain(own) {
        let Ok(ends) = diagram.inputs(&path) else { continue };
        let width = ends[0].declaration.width;
        let is_free = ends.iter().all(|end| !matches!(end.source, Source::Output { .. }));
        if !is_free || width == 0 || width > MAX_WIDTH || found.iter().any(|other| other.path == path) {
            continue;
        }
        let start = ends[0].range.clone().map_or_else(|| vec![0.0; width], |range| values.get(range).to_vec());
        found.push(NumberControl {
            about: ends[0].declaration.kind.to_string(),
            values: start,
            names: ends[0].declaration.elements.clone(),
            path,
        });
    }
    found
}

/// Wish for derivatives of the run, in the words of the command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Differentiate {
    /// Measures.
    pub of: Vec<String>,
    /// Numbers by which they are differentiated.
    pub by: Vec<String>,
    /// Channels that are differentiated over time.
    pub over_time: Vec<String>,
}

/// Measures and numbers of which a page may ask derivatives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GradientControl {
    /// Measures that the diagram file names.
    pub of: Vec<String>,
    /// Numbers by which it differentiates.
    pub by: Vec<String>,
    /// Channels that it differentiates over time.
    pub over_time: Vec<String>,
    /// Numbers by which can be differentiated.
    pub choices: Vec<String>,
}
