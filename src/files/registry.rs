//! The block types a diagram file can name. A new type is one file in `blocks/` and one line here.

use super::blocks;
use super::decode::{Choice, Text};
use super::fault::FaultKind;
use super::loader::Loader;
use super::names::unknown;
use super::nested::Nested;
use super::node::{Node, Position, Value};
use super::reader::{Asked, Item, Path, Reader};
use super::schema::diagram::NamedSystem;
use kinegraph_systems::control::ControllerError;
use kinegraph_systems::parameter::ParameterError;
use kinegraph_systems::{DerivativePolicy, ErasedSystem};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What the file says about one block: parameters, read and checked.
pub trait BlockSpec: Any + fmt::Debug + Send + Sync {
    /// The word after `type:`.
    fn type_name(&self) -> &'static str;
    /// The diagram that takes the place of a block; `None` for a block proper.
    fn nested(&self) -> Option<&Nested> {
        None
    }
    /// The block of the same file that this one is made for, by name, and where it is named.
    fn beside(&self) -> Option<(&str, Position)> {
        None
    }
    /// The block made for the block `other` that [`beside`](Self::beside) names; `None` after faults were reported to
    /// `loader`.
    fn build_beside(
        &self,
        _other: &dyn ErasedSystem,
        system: &NamedSystem,
        loader: &Loader,
    ) -> Option<Arc<dyn ErasedSystem>> {
        self.build(system, loader)
    }
    /// The block itself; `None` after faults were reported to `loader`. `system` says where it stands in the file.
    fn build(&self, system: &NamedSystem, loader: &Loader) -> Option<Arc<dyn ErasedSystem>>;
}

/// The block made from its parameters, or a fault at the place of the wrong parameter, or of the block.
pub(super) fn built<B: ErasedSystem, E: fmt::Display + 'static>(
    block: Result<B, E>,
    system: &NamedSystem,
    loader: &Loader,
) -> Option<Arc<dyn ErasedSystem>> {
    match block {
        Ok(block) => Some(Arc::new(block)),
        Err(error) => {
            let path = format!("systems.{}", system.name);
            let at = parameter_of(&error).map_or(system.at, |parameter| system.place_of(parameter));
            loader.report(at, FaultKind::Build { path, message: error.to_string() });
            None
        }
    }
}

/// The parameter that an error of a constructor is about, if it says so.
fn parameter_of(error: &dyn Any) -> Option<&str> {
    let error = match error.downcast_ref::<ControllerError>() {
        Some(ControllerError::Parameter(error)) => Some(error),
        _ => error.downcast_ref::<ParameterError>(),
    };
    error.and_then(ParameterError::parameter)
}

/// A description that only says how the block is made: for blocks whose parameters nobody else reads.
struct Recipe<F> {
    type_name: &'static str,
    make: F,
}

impl<F> fmt::Debug for Recipe<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipe({})", self.type_name)
    }
}

impl<B, E, F> BlockSpec for Recipe<F>
where
    B: ErasedSystem,
    E: fmt::Display + 'static,
    F: Fn() -> Result<B, E> + Send + Sync + 'static,
{
    fn type_name(&self) -> &'static str {
        self.type_name
    }
    fn build(&self, system: &NamedSystem, loader: &Loader) -> Option<Arc<dyn ErasedSystem>> {
        built((self.make)(), system, loader)
    }
}

/// The description of a block that `make` makes.
pub(super) fn recipe<B: ErasedSystem, E: fmt::Display + 'static>(
    block_type: &BlockType,
    make: impl Fn() -> Result<B, E> + Send + Sync + 'static,
) -> Option<SystemSpec> {
    Some(Box::new(Recipe { type_name: block_type.name, make }))
}

/// What the file says about one block.
pub type SystemSpec = Box<dyn BlockSpec>;

impl dyn BlockSpec {
    /// The description as its own type, e.g. `spec.downcast::<Gain>()`.
    pub fn downcast<T: BlockSpec>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

/// One block type of the diagram file.
pub struct BlockType {
    /// The word after `type:`.
    pub name: &'static str,
    /// What kind of block it is, for lists.
    pub group: Group,
    /// One line on what the block does.
    pub about: &'static str,
    /// The parameters, as a person needs them: what [`read`](Self::read) asks for, with defaults and meanings.
    pub parameters: &'static [Parameter],
    /// An entry of `systems` that makes such a block (`name: {type: …}`).
    pub example: &'static str,
    /// The files that the example names, with their texts.
    pub files: &'static [ExampleFile],
    /// Reads the parameters; asks for all of its keys even after a fault.
    pub read: fn(&mut Reader<'_>) -> Option<SystemSpec>,
}

/// A file that an example names: its name and its text.
pub type ExampleFile = (&'static str, &'static str);

/// What kind of block a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Bodies, joints and contact.
    Plants,
    /// What acts on plants besides robots: grippers, drives.
    Machines,
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
}

impl Group {
    /// All groups, in the order in which they are listed.
    pub const ALL: [Group; 8] = [
        Group::Plants,
        Group::Machines,
        Group::Controllers,
        Group::Sources,
        Group::Operators,
        Group::Dynamics,
        Group::Sampled,
        Group::Structure,
    ];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Group::Plants => "plants",
            Group::Machines => "grippers and machines",
            Group::Controllers => "controllers and estimators",
            Group::Sources => "sources",
            Group::Operators => "operators",
            Group::Dynamics => "linear systems and filters",
            Group::Sampled => "sampled blocks",
            Group::Structure => "structure",
        }
    }
}

/// What a person should know of a parameter besides the type of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its key.
    pub key: &'static str,
    /// Its value where the key is missing, or words for it; `None`: the key must be there.
    pub default: Option<&'static str>,
    /// What it means, with its unit.
    pub about: &'static str,
}

/// A parameter that must be there.
pub(super) const fn needs(key: &'static str, about: &'static str) -> Parameter {
    Parameter { key, default: None, about }
}

/// A parameter that may be missing.
pub(super) const fn takes(key: &'static str, default: &'static str, about: &'static str) -> Parameter {
    Parameter { key, default: Some(default), about }
}

/// The number of signals of a block whose parameters may be lists.
pub(super) const WIDTH: Parameter = takes("width", "the length of the lists, or 1", "signals in parallel");

/// What every block takes besides its own parameters; nested diagrams do not.
pub const EVERY_BLOCK: Parameter = takes(
    "derivatives",
    "exact",
    "where its derivatives come from: dual numbers, differences of its values, or none within a step",
);

/// Every block type, in the order in which they are listed.
pub const BLOCK_TYPES: &[BlockType] = &[
    blocks::multibody_plant::TYPE,
    blocks::inverse_dynamics_controller::TYPE,
    blocks::vacuum_gripper::TYPE,
    blocks::conveyor_belt::TYPE,
    blocks::pid::TYPE,
    blocks::trajectory::TYPE,
    blocks::constant::TYPE,
    blocks::step::TYPE,
    blocks::ramp::TYPE,
    blocks::sine::TYPE,
    blocks::chirp::TYPE,
    blocks::pulse::TYPE,
    blocks::piecewise_polynomial::TYPE,
    blocks::noise::TYPE,
    blocks::gain::TYPE,
    blocks::adder::TYPE,
    blocks::angle_difference::TYPE,
    blocks::integrator::TYPE,
    blocks::first_order_lag::TYPE,
    blocks::second_order::TYPE,
    blocks::state_space::TYPE,
    blocks::transfer_function::TYPE,
    blocks::transport_delay::TYPE,
    blocks::zero_order_hold::TYPE,
    blocks::unit_delay::TYPE,
    blocks::moving_average::TYPE,
    blocks::discrete_derivative::TYPE,
    blocks::discrete_state_space::TYPE,
    blocks::discrete_transfer_function::TYPE,
    blocks::counter::TYPE,
    blocks::lqr::TYPE,
    blocks::kalman_filter::TYPE,
    blocks::recorder::TYPE,
    blocks::matrix_gain::TYPE,
    blocks::product::TYPE,
    blocks::function::TYPE,
    blocks::binary_function::TYPE,
    blocks::expression::TYPE,
    blocks::table::TYPE,
    blocks::saturation::TYPE,
    blocks::dead_zone::TYPE,
    blocks::rate_limiter::TYPE,
    blocks::quantizer::TYPE,
    blocks::switch::TYPE,
    blocks::relay::TYPE,
    blocks::multiplexer::TYPE,
    blocks::demultiplexer::TYPE,
    blocks::diagram::TYPE,
];

/// The block type of this name.
pub fn block_type(name: &str) -> Option<&'static BlockType> {
    BLOCK_TYPES.iter().find(|t| t.name == name)
}

impl BlockType {
    /// The keys that the type asks for: found by reading an empty map.
    pub fn asked(&self) -> Vec<Asked> {
        let loader = Loader::new(std::path::Path::new(""));
        let node = Node { at: Position::default(), value: Value::Map(Vec::new()) };
        let item = Item { node: &node, path: &Path::Root, loader: &loader };
        Reader::new(item).map_or_else(Vec::new, |mut reader| {
            (self.read)(&mut reader);
            reader.optional("derivatives", DERIVATIVES);
            reader.asked().to_vec()
        })
    }
}

/// Where derivatives may come from.
const DERIVATIVES: Choice<DerivativePolicy> = Choice {
    what: "source of derivatives",
    options: &[
        ("exact", DerivativePolicy::Exact),
        ("differences", DerivativePolicy::Differences),
        ("explicit", DerivativePolicy::Explicit),
    ],
};

/// Reads one system: its `type`, then what that type asks for, and `derivatives`, which every block takes.
pub(super) fn read_system(item: Item<'_>) -> Option<(SystemSpec, Option<DerivativePolicy>)> {
    let mut reader = Reader::new(item)?;
    let Some(name) = reader.required("type", Text { about: "the name of a block type" }) else {
        reader.abandon();
        return None;
    };
    let Some(block_type) = block_type(&name) else {
        let names = BLOCK_TYPES.iter().map(|t| t.name);
        let path = reader.path_of("type");
        reader.report(reader.at_key("type"), unknown(&name, "block type", path, names, item.loader));
        return None;
    };
    let spec = (block_type.read)(&mut reader);
    let derivatives = reader.optional("derivatives", DERIVATIVES);
    reader.finish();
    Some((spec?, derivatives))
}
