//! Block types of diagram files: a name, its parameters, and how a block is built from them.

use super::connection::ConnectionSpec;
use super::decode::Choice;
use super::example_files::ExampleFile;
use super::fault::FaultKind;
use super::given::Given;
use super::item::Parameter;
use super::lists::Named;
use super::loader::Loader;
use super::node::Position;
use super::operator::OperatorSignal;
use super::parameter::{Declaration, Optional, optional};
use super::reader::{Reader, parameters_of};
use super::run_condition::RunCondition;
use super::stated_unit::StatedUnit;
use super::trim::TrimSpec;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::{DerivativePolicy, ErasedSystem};
use kinegraph_systems::control::{ControllerError, RiccatiError};
use kinegraph_systems::sensors::{ImuError, SensorError};
use std::any::Any;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Type of a block that stands for another diagram file.
pub(super) const NESTED: &str = "diagram";

/// Parameter that every block has besides its own; nested diagrams do not have it.
pub(super) const DERIVATIVES: Optional<Choice<DerivativePolicy>> = optional(
    "derivatives",
    Choice {
        what: "source of derivatives",
        options: &[
            ("exact", DerivativePolicy::Exact),
            ("differences", DerivativePolicy::Differences),
            ("explicit", DerivativePolicy::Explicit),
        ],
    },
    "exact",
    "where its derivatives come from: `exact`, dual numbers; `differences` of its values; `explicit`, none within a step",
);

/// Parameter that every block has besides its own; nested diagrams do not have it.
pub(super) const UNIT: Optional<StatedUnit> = optional(
    "unit",
    StatedUnit,
    "as far as it is known",
    "unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes and gives every unit",
);

/// One block type of diagram files.
#[derive(Clone, Copy, Debug)]
pub struct BlockType {
    /// The word after `type:`.
    pub name: &'static str,
    /// Group of the block in lists.
    pub group: Group,
    /// One line that says what the block does.
    pub about: &'static str,
    /// An entry of `systems` that makes such a block (`name: {type: …}`).
    pub example: &'static str,
    /// The files that the example names, with their texts.
    pub files: &'static [ExampleFile],
    /// Reads the parameters. It must ask for all of them even after a fault.
    pub read: fn(&mut Reader<'_>) -> Option<SystemSpec>,
}

impl BlockType {
    /// The type's own parameters: those that `read` asks an empty map for.
    pub fn own_parameters(&self) -> Vec<Parameter> {
        parameters_of(self.read)
    }

    /// All parameters: the type's own, and those that every block has.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.own_parameters();
        if self.name != NESTED {
            parameters.push(DERIVATIVES.describe());
            parameters.push(UNIT.describe());
        }
        parameters
    }

    /// The example as the `systems` of a file.
    pub fn example_text(&self) -> String {
        self.example.lines().map(|line| format!("  {line}\n")).collect()
    }

    /// The name of the block in the example.
    pub fn example_name(&self) -> &'static str {
        self.example.split(':').next().unwrap_or(self.example)
    }
}

/// Groups of block types, in the order of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Bodies, joints and contact.
    Plants,
    /// Devices that act on plants, besides robots: grippers, drives.
    Machines,
    /// Measurements of a plant.
    Sensors,
    /// Feedback laws and estimators.
    Controllers,
    /// Signals without inputs.
    Sources,
    /// Functions of the inputs.
    Operators,
    /// Blocks with continuous state.
    Dynamics,
    /// Blocks that act at certain times only.
    Sampled,
    /// Names, and diagrams within diagrams.
    Structure,
    /// Group of a program's own, by its title.
    Own(&'static str),
}

impl Group {
    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Group::Plants => "plants",
            Group::Machines => "grippers and machines",
            Group::Sensors => "sensors",
            Group::Controllers => "controllers and estimators",
            Group::Sources => "sources",
            Group::Operators => "operators",
            Group::Dynamics => "linear systems and filters",
            Group::Sampled => "sampled blocks",
            Group::Structure => "structure",
            Group::Own(title) => title,
        }
    }
}

/// A named state of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedKeyframe {
    /// Name of the model.
    pub model: String,
    /// Name of the state.
    pub name: String,
}

/// A diagram file that a block stands for.
#[derive(Clone, Copy, Debug)]
pub struct NestedSpec<'a> {
    /// The file.
    pub path: &'a Path,
    /// Place where it is named.
    pub at: Position,
    /// Values of its parameters.
    pub set: &'a [Named<(Position, Given)>],
    /// Condition on which the diagram runs, if it does not always.
    pub condition: Option<&'a RunCondition>,
}

/// Description of one block in a diagram file: its parameters, read and checked.
pub trait BlockSpec: Any + fmt::Debug + Send + Sync {
    /// Diagram file that the block stands for; `None` for any other block.
    fn nested_file(&self) -> Option<NestedSpec<'_>> {
        None
    }
    /// Name of the block of the same file that this one belongs to, and where it is named.
    fn beside(&self) -> Option<(&str, Position)> {
        None
    }
    /// Signals of this block that a person operates during a run.
    fn operator(&self) -> &[OperatorSignal] {
        &[]
    }
    /// The named states of the models of this block.
    fn keyframes(&self, _loader: &Loader) -> Vec<NamedKeyframe> {
        Vec::new()
    }
    /// Builds the block; `None` after faults were recorded.
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>>;
}

/// Description of one block in a diagram file.
pub type SystemSpec = Box<dyn BlockSpec>;

impl dyn BlockSpec {
    /// Downcasts the description to its own type, e.g. `spec.downcast::<Gain>()`.
    pub fn downcast<T: BlockSpec>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

/// Surroundings of a block in its file.
#[derive(Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The block that [`BlockSpec::beside`] names, with its description.
    pub beside: Option<(&'a Arc<dyn ErasedSystem>, &'a dyn BlockSpec)>,
    /// The search for an equilibrium of the file, if that states one.
    pub trim: Option<&'a TrimSpec>,
    /// The wires of the file.
    pub connections: &'a [ConnectionSpec],
}

/// Context in which a block is built: its entry in the diagram file, and the collector of faults.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// Path of the entry in the file: `systems.NAME`.
    pub path: &'a str,
    /// Place of its name.
    pub at: Position,
    /// Its keys with the places of their values.
    pub keys: &'a [(String, Position)],
    /// The block that [`BlockSpec::beside`] names.
    pub beside: Option<&'a Arc<dyn ErasedSystem>>,
    /// Description of that block.
    pub beside_spec: Option<&'a dyn BlockSpec>,
    /// The search for an equilibrium of its file, if that states one.
    pub trim: Option<&'a TrimSpec>,
    /// The wires of its file.
    pub connections: &'a [ConnectionSpec],
    /// Collects faults and finds files.
    pub loader: &'a Loader,
}

impl Site<'_> {
    /// Place of the value of a parameter; the place of the block, if the parameter is not written.
    pub fn place_of(&self, parameter: &str) -> Position {
        self.keys.iter().find(|(key, _)| key == parameter).map_or(self.at, |(_, at)| *at)
    }

    /// Records a fault of the block as a whole.
    pub fn fault(&self, message: impl Into<String>) {
        self.loader.report(self.at, FaultKind::Build { path: self.path.to_owned(), message: message.into() });
    }

    /// Returns the block made from its parameters, or records a fault at the wrong parameter or at the block.
    pub fn built<B: ErasedSystem, E: fmt::Display + 'static>(
        &self,
        block: Result<B, E>,
    ) -> Option<Arc<dyn ErasedSystem>> {
        block.map_err(|error| self.refused(&error)).ok().map(|block| Arc::new(block) as _)
    }

    /// Records the error of the block's constructor.
    fn refused<E: fmt::Display + 'static>(&self, error: &E) {
        let at = parameter_of(error).map_or(self.at, |parameter| self.place_of(parameter));
        self.loader.report(at, FaultKind::Build { path: self.path.to_owned(), message: error.to_string() });
    }
}

/// Parameter that an error of a constructor is about, if the error names it.
fn parameter_of(error: &dyn Any) -> Option<&str> {
    if let Some(error) = error.downcast_ref::<RiccatiError>() {
        return error.parameter();
    }
    let error = match error.downcast_ref::<ControllerError>() {
        Some(ControllerError::Parameter(error)) => Some(error),
        _ => match error.downcast_ref::<ImuError>() {
            Some(ImuError::Parameter(error)) => Some(error),
            _ => match error.downcast_ref::<SensorError>() {
                Some(SensorError::Parameter(error)) => Some(error),
                _ => error.downcast_ref::<ParameterError>(),
            },
        },
    };
    error.and_then(ParameterError::parameter)
}

/// Description that only stores how the block is built, for blocks whose parameters are not read by others.
struct Recipe<F>(F);

impl<F> fmt::Debug for Recipe<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipe({})", std::any::type_name::<F>())
    }
}

impl<F> BlockSpec for Recipe<F>
where
    F: Fn(&Site<'_>) -> Option<Arc<dyn ErasedSystem>> + Send + Sync + 'static,
{
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        (self.0)(site)
    }
}

/// Description of a block that `build` builds from its context.
fn recipe_at(build: impl Fn(&Site<'_>) -> Option<Arc<dyn ErasedSystem>> + Send + Sync + 'static) -> Option<SystemSpec> {
    Some(Box::new(Recipe(build)))
}

/// Description of a block that `make` creates. If `make` fails with a [`ParameterError`], the fault is shown at the
/// value of that parameter.
pub fn recipe<B: ErasedSystem, E: fmt::Display + 'static>(
    make: impl Fn() -> Result<B, E> + Send + Sync + 'static,
) -> Option<SystemSpec> {
    recipe_at(move |site| site.built(make()))
}
