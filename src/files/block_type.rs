//! What a block type of diagram files is: a name, its parameters, and how a block is made of them.

use super::decode::Choice;
use super::example_files::ExampleFile;
use super::fault::FaultKind;
use super::item::Parameter;
use super::loader::Loader;
use super::node::Position;
use super::operator::OperatorSignal;
use super::parameter::{Declaration, Optional, optional};
use super::reader::{Reader, parameters_of};
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::{DerivativePolicy, ErasedSystem};
use kinegraph_systems::control::ControllerError;
use kinegraph_systems::sensors::{ImuError, SensorError};
use std::any::Any;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The type of a block that another diagram file takes the place of.
pub(super) const NESTED: &str = "diagram";

/// What every block takes besides its own parameters; nested diagrams do not.
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

/// One block type of diagram files.
#[derive(Clone, Copy, Debug)]
pub struct BlockType {
    /// The word after `type:`.
    pub name: &'static str,
    /// What kind of block it is, for lists.
    pub group: Group,
    /// One line on what the block does.
    pub about: &'static str,
    /// An entry of `systems` that makes such a block (`name: {type: …}`).
    pub example: &'static str,
    /// The files that the example names, with their texts.
    pub files: &'static [ExampleFile],
    /// Reads the parameters; asks for all of them even after a fault.
    pub read: fn(&mut Reader<'_>) -> Option<SystemSpec>,
}

impl BlockType {
    /// The parameters of the type's own: those that it asks an empty map for.
    pub fn own_parameters(&self) -> Vec<Parameter> {
        parameters_of(self.read)
    }

    /// All parameters: those of its own, and what every block takes.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.own_parameters();
        if self.name != NESTED {
            parameters.push(DERIVATIVES.describe());
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

/// What kind of block a type is, in the order of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Bodies, joints and contact.
    Plants,
    /// What acts on plants besides robots: grippers, drives.
    Machines,
    /// What a robot knows of its plant.
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
    /// A group of a program's own, by its title.
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

/// What the file says about one block: parameters, read and checked.
pub trait BlockSpec: Any + fmt::Debug + Send + Sync {
    /// The diagram file that takes the place of a block, and where it is named; `None` for a block proper.
    fn nested_file(&self) -> Option<(&Path, Position)> {
        None
    }
    /// The block of the same file that this one is made for, by name, and where it is named.
    fn beside(&self) -> Option<(&str, Position)> {
        None
    }
    /// What a person moves of this block while a run goes on.
    fn operator(&self) -> &[OperatorSignal] {
        &[]
    }
    /// The named states of the models of this block.
    fn keyframes(&self, _loader: &Loader) -> Vec<NamedKeyframe> {
        Vec::new()
    }
    /// The block itself; `None` after faults were recorded.
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>>;
}

/// What the file says about one block.
pub type SystemSpec = Box<dyn BlockSpec>;

impl dyn BlockSpec {
    /// The description as its own type, e.g. `spec.downcast::<Gain>()`.
    pub fn downcast<T: BlockSpec>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

/// Where a block is built: its entry in the diagram file, and where faults go.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// Where the entry stands in the tree: `systems.NAME`.
    pub path: &'a str,
    /// Where its name is written.
    pub at: Position,
    /// Its keys with the places of their values.
    pub keys: &'a [(String, Position)],
    /// The block that [`BlockSpec::beside`] names.
    pub beside: Option<&'a dyn ErasedSystem>,
    /// What the file says about that block.
    pub beside_spec: Option<&'a dyn BlockSpec>,
    /// Where faults go and files are found.
    pub loader: &'a Loader,
}

impl Site<'_> {
    /// Where the value of a parameter is written; the place of the block for one that is not.
    pub fn place_of(&self, parameter: &str) -> Position {
        self.keys.iter().find(|(key, _)| key == parameter).map_or(self.at, |(_, at)| *at)
    }

    /// Records a fault of the block as a whole.
    pub fn fault(&self, message: impl Into<String>) {
        self.loader.report(self.at, FaultKind::Build { path: self.path.to_owned(), message: message.into() });
    }

    /// The block made from its parameters, or a fault at the place of the wrong parameter, or of the block.
    pub fn built<B: ErasedSystem, E: fmt::Display + 'static>(
        &self,
        block: Result<B, E>,
    ) -> Option<Arc<dyn ErasedSystem>> {
        block.map_err(|error| self.refused(&error)).ok().map(|block| Arc::new(block) as _)
    }

    /// Records why the block cannot be made.
    fn refused<E: fmt::Display + 'static>(&self, error: &E) {
        let at = parameter_of(error).map_or(self.at, |parameter| self.place_of(parameter));
        self.loader.report(at, FaultKind::Build { path: self.path.to_owned(), message: error.to_string() });
    }
}

/// The parameter that an error of a constructor is about, if it says so.
fn parameter_of(error: &dyn Any) -> Option<&str> {
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

/// A description that only says how the block is made: for blocks whose parameters nobody else reads.
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

/// The description of a block that `build` makes at a site.
fn recipe_at(build: impl Fn(&Site<'_>) -> Option<Arc<dyn ErasedSystem>> + Send + Sync + 'static) -> Option<SystemSpec> {
    Some(Box::new(Recipe(build)))
}

/// The description of a block that `make` makes. Where it fails with a [`ParameterError`], the fault is shown at the
/// value of that parameter.
pub fn recipe<B: ErasedSystem, E: fmt::Display + 'static>(
    make: impl Fn() -> Result<B, E> + Send + Sync + 'static,
) -> Option<SystemSpec> {
    recipe_at(move |site| site.built(make()))
}
