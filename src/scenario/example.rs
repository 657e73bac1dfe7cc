//! Examples of block types: their ports, and checks of an entry of a catalog.

use super::Scenario;
use super::assemble::{self, Part};
use kinegraph_core::SignalKind;
use kinegraph_core::testing::conformance;
use kinegraph_diagram::Side;
use kinegraph_engine::simulate::{RunError, SimulationError};
use kinegraph_files::{BlockType, Catalog, IfMissing, LoadError, Override};

/// One port of the example of a block type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExamplePort {
    /// Input or output.
    pub side: Side,
    /// Its name within the block.
    pub name: String,
    /// Kind of its numbers.
    pub kind: SignalKind,
    /// Width in the example.
    pub width: usize,
    /// True if it may stay unconnected.
    pub optional: bool,
}

/// Fault of a block type.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum BlockTypeError {
    /// The example does not read, build or wire.
    #[error("the example of `{block}`: {error}")]
    Example {
        /// The block type.
        block: &'static str,
        /// Its faults.
        error: LoadError,
    },
    /// A parameter is asked for only where others are given: it is missing in lists and documents.
    #[error(
        "`{block}` asks for `{key}` only after others have been read: ask for all parameters first, `?` comes last"
    )]
    AskedLate {
        /// The block type.
        block: &'static str,
        /// The parameter.
        key: &'static str,
    },
    /// The default of a parameter is no value that it takes.
    #[error("the default of `{block}.{key}`: {error}")]
    Default {
        /// The block type.
        block: &'static str,
        /// The parameter.
        key: &'static str,
        /// The faults of its default.
        error: LoadError,
    },
    /// The block of the example violates contracts of blocks.
    #[error("`{block}`: {report}")]
    Conformance {
        /// The block type.
        block: &'static str,
        /// Report of the violated contracts.
        report: conformance::Report,
    },
    /// The integrator rejects the example.
    #[error("the example of `{block}` does not start: {error}")]
    Start {
        /// The block type.
        block: &'static str,
        /// Reason of the rejection.
        error: SimulationError,
    },
    /// The example does not run to its end.
    #[error("the example of `{block}` does not run: {error}")]
    Run {
        /// The block type.
        block: &'static str,
        /// Reason of the failure.
        error: RunError,
    },
}

kinegraph_core::debug_is_message!(BlockTypeError);

/// Simulated time of an example \[s\].
const DURATION: f64 = 0.05;

/// Checks an entry of a catalog: it asks for all parameters before it looks at any, its defaults are values that it
/// accepts, its example builds and runs, and the block of the example conforms ([`conformance`]). A program checks a
/// block type of its own by one line in a test:
///
/// ```
/// # use kinegraph::files::Catalog;
/// # use kinegraph::scenario::check_block_type;
/// # let catalog = Catalog::standard();
/// # let my_block_type = catalog.get("gain").unwrap();
/// check_block_type(my_block_type, &catalog)?;
/// # Ok::<(), kinegraph::scenario::BlockTypeError>(())
/// ```
///
/// # Errors
/// The first of these checks that fails.
pub fn check_block_type(block: &BlockType, catalog: &Catalog) -> Result<(), BlockTypeError> {
    let name = block.name;
    let faults = |error| BlockTypeError::Example { block: name, error };
    let listed = block.own_parameters();
    if let Some(late) = block.parameters_asked_of_example().iter().find(|asked| !listed.contains(asked)) {
        return Err(BlockTypeError::AskedLate { block: name, key: late.key });
    }
    for parameter in &listed {
        if let IfMissing::Value(value) = &parameter.if_missing {
            let path = format!("systems.{}.{}", block.example_name(), parameter.key);
            let given = catalog.load_example(block, &[Override::flag("default", &path, value)]);
            given.map_err(|error| BlockTypeError::Default { block: name, key: parameter.key, error })?;
        }
    }
    if let Part::Block(built) = part_of_example(block, catalog).map_err(faults)? {
        let report = conformance::report_at_random(&*built);
        if !report.failures.is_empty() {
            return Err(BlockTypeError::Conformance { block: name, report });
        }
    }
    let ports = ports_of_example(block, catalog).map_err(faults)?;
    let loaded = catalog.load_beside_example(block, driven(block, &ports), &[]).map_err(faults)?;
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| faults(loaded.failed()))?;
    let mut simulation = scenario.simulation().map_err(|error| BlockTypeError::Start { block: name, error })?;
    simulation.advance_to(DURATION).map_err(|error| BlockTypeError::Run { block: name, error })
}

/// Diagram file of the example, with all required inputs driven.
fn driven(block: &BlockType, ports: &[ExamplePort]) -> String {
    let name = block.example_name();
    let (mut systems, mut wires) = (block.example_text(), String::new());
    let open = ports.iter().filter(|port| port.side == Side::Input && !port.optional);
    for (i, port) in open.enumerate() {
        let from = match port.kind {
            SignalKind::BodyPoses => "plant.body_poses".to_owned(),
            SignalKind::BodyVelocities => "plant.body_velocities".to_owned(),
            _ => {
                systems += &format!("  source{i}: {{type: constant, value: {:?}}}\n", vec![0.25; port.width]);
                format!("source{i}.output")
            }
        };
        wires += &format!("  - {from} -> {name}.{}\n", port.name);
    }
    let wires = if wires.is_empty() { wires } else { format!("connections:\n{wires}") };
    format!("kinegraph: 1\nsystems:\n{systems}{wires}simulation: {{duration: {DURATION}}}\n")
}

/// The ports of the example of a block type, inputs first; the example may name the block types of `catalog`.
///
/// # Errors
/// None, as long as the examples are correct.
pub fn ports_of_example(block: &BlockType, catalog: &Catalog) -> Result<Vec<ExamplePort>, LoadError> {
    let part = part_of_example(block, catalog)?;
    let ports = part.ports();
    let inputs = ports.inputs().iter().filter(|port| port.element_of.is_none()).map(|port| ExamplePort {
        side: Side::Input,
        name: port.name.clone(),
        kind: port.kind,
        width: port.width,
        optional: port.optional,
    });
    let outputs = ports.outputs().iter().map(|port| ExamplePort {
        side: Side::Output,
        name: port.name.clone(),
        kind: port.kind,
        width: port.width,
        optional: false,
    });
    Ok(inputs.chain(outputs).collect())
}

/// The block of the example, or the diagram.
fn part_of_example(block: &BlockType, catalog: &Catalog) -> Result<Part, LoadError> {
    let loaded = catalog.load_example(block, &[])?;
    let parts = assemble::parts(loaded.diagram.graph(), &loaded.loader);
    parts.into_iter().next().flatten().ok_or_else(|| loaded.failed())
}
