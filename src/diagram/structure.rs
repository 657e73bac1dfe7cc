//! A compiled diagram: its blocks, the layout of their numbers, and look-up by path.

use super::alias::{self, Alias};
use super::dependencies::Dependencies;
use super::fact::Fact;
use super::fault::{BuildError, Side};
use super::schedule::Schedule;
use super::stated_units::{OutputUnits, StatedUnits};
use kinegraph_core::parameter::PerChannel;
use kinegraph_core::port::{BlockId, InputPort, OutputPort};
use kinegraph_core::unit::Dimension;
use kinegraph_core::{ConvexPlant, ErasedSystem, Out, Signal};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Source of an input's numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// None (an optional input).
    Unconnected,
    /// From an output.
    Output {
        /// Index of the block that drives the input.
        block: usize,
        /// Index of the output of that block.
        port: usize,
    },
    /// From a value fixed in the diagram.
    Fixed,
}

/// A block in its place in a diagram.
#[derive(Clone)]
pub struct Block {
    /// Full name, parts separated by `/`.
    pub name: String,
    /// The block itself.
    pub system: Arc<dyn ErasedSystem>,
    /// Range of its continuous state in the diagram's.
    pub state: Range<usize>,
    /// Range of its discrete state in the diagram's.
    pub discrete: Range<usize>,
    /// Range of each input in the arena of [`Values`](super::Values); `None`: not connected.
    pub inputs: Vec<Option<Range<usize>>>,
    /// Source of each input.
    pub sources: Vec<Source>,
    /// Range of each output in the arena. The outputs of a block are contiguous.
    pub outputs: Vec<Range<usize>>,
}

/// An output found by its path.
#[derive(Clone, Debug)]
pub struct OutputPath<'a> {
    /// Index of the block.
    pub block: usize,
    /// Index of the output.
    pub port: usize,
    /// Range in the arena of [`Values`](super::Values).
    pub range: Range<usize>,
    /// Its declaration: meaning, width, names of the elements.
    pub declaration: &'a OutputPort,
}

/// An input found by its path.
#[derive(Clone, Debug)]
pub struct InputPath<'a> {
    /// Index of the block.
    pub block: usize,
    /// Index of the input.
    pub port: usize,
    /// Range in the arena of [`Values`](super::Values); `None`: not connected.
    pub range: Option<Range<usize>>,
    /// Source of its numbers.
    pub source: &'a Source,
    /// Its declaration: meaning and width.
    pub declaration: &'a InputPort,
}

/// An output under error control.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlledOutput {
    /// Index of its block.
    pub block: usize,
    /// Index of the output.
    pub port: usize,
    /// Accuracy of each of its numbers: the largest error of a step, in the unit of the output.
    pub accuracies: Vec<f64>,
}

/// Blocks wired into one system: structure only, immutable, shared between threads and cheap to clone.
#[derive(Clone)]
pub struct Diagram {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub name: String,
    pub blocks: Vec<Block>,
    pub by_name: HashMap<String, usize>,
    pub by_id: HashMap<BlockId, usize>,
    pub nested: Vec<String>,
    pub aliases: Vec<Alias>,
    /// Fixed values and their ranges in the arena.
    pub fixed: Vec<(Range<usize>, Vec<f64>)>,
    /// True if algebraic loops are solved.
    pub solve_loops: bool,
    /// Outputs under error control, by path and as (block, port), with their accuracies.
    pub accuracies: Vec<(String, PerChannel)>,
    pub controlled: Vec<ControlledOutput>,
    /// Facts from the diagram file about blocks, by name of the block.
    pub described: Vec<(String, Fact)>,
    /// Units that the diagram states of blocks, by name of the block.
    pub stated_units: Vec<(String, StatedUnits)>,
    /// Unit of each output number, in the order of the arena.
    pub units: OutputUnits,
    /// Facts about the diagram, computed on first use.
    pub facts: OnceLock<Vec<Fact>>,
    pub dependencies: Dependencies,
    pub schedule: Schedule,
    pub arena_width: usize,
    pub state_width: usize,
    pub discrete_width: usize,
    /// Largest total width of the outputs of one block.
    pub scratch_width: usize,
}

impl Inner {
    /// Block and port index of the output at path `block.port`, or of an exported output of that name.
    pub fn find_output(&self, path: &str) -> Option<(usize, usize)> {
        let is_output = |alias: &&Alias| alias.side == Side::Output && alias.path() == path;
        if let Some(port) = self.aliases.iter().find(is_output).and_then(|alias| alias.ports.first()) {
            return Some(*port);
        }
        let (name, port) = path.split_once('.')?;
        let block = *self.by_name.get(name)?;
        let outputs = self.blocks[block].system.ports().outputs();
        Some((block, outputs.iter().position(|output| output.name == port)?))
    }
}

impl Diagram {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// All blocks, in order of insertion; other methods refer to a block by its index in this slice.
    pub fn blocks(&self) -> &[Block] {
        &self.inner.blocks
    }

    /// The blocks that are plants, in the same order.
    pub fn plants(&self) -> impl Iterator<Item = (&Block, &dyn ConvexPlant)> {
        self.blocks().iter().filter_map(|block| Some((block, block.system.as_plant()?)))
    }

    /// True if a block has kinks or jumps that no witness function shows.
    pub fn has_kinks(&self) -> bool {
        self.blocks().iter().any(|block| block.system.has_kinks())
    }

    /// Paths of the diagrams nested in this one, at any depth.
    pub fn nested(&self) -> &[String] {
        &self.inner.nested
    }

    /// Exports of the nested diagrams, and last those of the diagram itself.
    pub fn aliases(&self) -> &[Alias] {
        &self.inner.aliases
    }

    /// The outputs under error control.
    pub fn controlled_outputs(&self) -> &[ControlledOutput] {
        &self.inner.controlled
    }

    /// The calls of a full evaluation.
    pub fn schedule(&self) -> &Schedule {
        &self.inner.schedule
    }

    /// Number of scalars of all outputs and fixed values together.
    pub fn arena_width(&self) -> usize {
        self.inner.arena_width
    }

    /// Number of continuous states.
    pub fn state_width(&self) -> usize {
        self.inner.state_width
    }

    /// Number of discrete states.
    pub fn discrete_width(&self) -> usize {
        self.inner.discrete_width
    }

    /// Index of the block with this full name.
    ///
    /// # Errors
    /// [`BuildError::UnknownBlock`] with the nearest name.
    pub fn find_block(&self, name: &str) -> Result<usize, BuildError> {
        self.inner.by_name.get(name).copied().ok_or_else(|| {
            let valid = self.blocks().iter().map(|block| block.name.clone()).collect();
            BuildError::unknown_block(name, name, valid)
        })
    }

    /// Output at path `block.port`, or the output that a nested diagram exports under this name.
    ///
    /// # Errors
    /// [`BuildError::UnknownBlock`], [`BuildError::UnknownPort`] or [`BuildError::MalformedPath`].
    pub fn output(&self, path: &str) -> Result<OutputPath<'_>, BuildError> {
        if let Some(output) = self.find_output(path) {
            return Ok(output);
        }
        let (block, name, port) = self.split(path, Side::Output)?;
        let ports = self.blocks()[block].system.ports();
        Err(BuildError::unknown_port(path, name, port, Side::Output, |side| side.names(ports)))
    }

    /// Output at a path as in [`output`](Self::output); `None` if there is none.
    pub fn find_output(&self, path: &str) -> Option<OutputPath<'_>> {
        self.inner.find_output(path).map(|(block, port)| self.output_at(block, port))
    }

    fn output_at(&self, block: usize, port: usize) -> OutputPath<'_> {
        let at = &self.blocks()[block];
        OutputPath { block, port, range: at.outputs[port].clone(), declaration: &at.system.ports().outputs()[port] }
    }

    /// Input at path `block.port`, or the input that a nested diagram exports under this name.
    ///
    /// # Errors
    /// As [`inputs`](Self::inputs); [`BuildError::SeveralInputs`] for a name under which several inputs are exported.
    pub fn input(&self, path: &str) -> Result<InputPath<'_>, BuildError> {
        let mut inputs = self.inputs(path)?;
        if inputs.len() > 1 {
            let inputs = inputs.iter().map(|input| self.path_of(input)).collect();
            return Err(BuildError::SeveralInputs { path: path.to_owned(), inputs });
        }
        Ok(inputs.swap_remove(0))
    }

    /// The inputs at path `block.port`: one, or all that a nested diagram exports under this name. The list is never
    /// empty.
    ///
    /// # Errors
    /// [`BuildError::UnknownBlock`], [`BuildError::UnknownPort`] or [`BuildError::MalformedPath`].
    pub fn inputs(&self, path: &str) -> Result<Vec<InputPath<'_>>, BuildError> {
        let is_input = |alias: &&Alias| alias.side == Side::Input && !alias.ports.is_empty() && alias.path() == path;
        if let Some(alias) = self.aliases().iter().find(is_input) {
            return Ok(alias.ports.iter().map(|&(block, port)| self.input_at(block, port)).collect());
        }
        let (block, name, port) = self.split(path, Side::Input)?;
        let ports = self.blocks()[block].system.ports();
        match ports.inputs().iter().position(|input| input.name == port) {
            Some(index) => Ok(vec![self.input_at(block, index)]),
            None => Err(BuildError::unknown_port(path, name, port, Side::Input, |side| side.names(ports))),
        }
    }

    /// Path `block.port` of an input, also if it was found by another name.
    pub fn path_of(&self, input: &InputPath<'_>) -> String {
        format!("{}.{}", self.blocks()[input.block].name, input.declaration.name)
    }

    fn input_at(&self, block: usize, port: usize) -> InputPath<'_> {
        let at = &self.blocks()[block];
        let (range, source) = (at.inputs[port].clone(), &at.sources[port]);
        InputPath { block, port, range, source, declaration: &at.system.ports().inputs()[port] }
    }

    /// Index of the block, its name, and the port's name.
    fn split<'p>(&self, path: &'p str, side: Side) -> Result<(usize, &'p str, &'p str), BuildError> {
        let Some((name, port)) = path.split_once('.') else {
            return Err(BuildError::MalformedPath { path: path.to_owned() });
        };
        if let Some(&block) = self.inner.by_name.get(name) {
            return Ok((block, name, port));
        }
        if self.nested().iter().any(|nested| nested == name) {
            let names = |side| alias::names(self.aliases(), name, side);
            return Err(BuildError::unknown_port(path, name, port, side, names));
        }
        let names = self.blocks().iter().map(|block| &block.name).chain(self.nested());
        Err(BuildError::unknown_block(path, name, names.cloned().collect()))
    }

    /// The block that declared a port handle; `None` if it is not in this diagram.
    pub fn block_of(&self, id: BlockId) -> Option<usize> {
        self.inner.by_id.get(&id).copied()
    }

    /// Unit of the output number at an index of the arena of [`Values`](super::Values); `None`: any.
    pub fn unit_at(&self, index: usize) -> Option<Dimension> {
        self.inner.units.get(index).copied().flatten()
    }

    /// Where an output stands in the arena; `None` if its block is not in this diagram.
    pub fn range_of<T: Signal>(&self, output: Out<T>) -> Option<Range<usize>> {
        self.block_of(output.block).map(|block| self.blocks()[block].outputs[output.index].clone())
    }

    pub(super) fn dependencies(&self) -> &Dependencies {
        &self.inner.dependencies
    }
}

impl std::fmt::Debug for Diagram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let blocks: Vec<&str> = self.blocks().iter().map(|block| block.name.as_str()).collect();
        f.debug_struct("Diagram").field("name", &self.inner.name).field("blocks", &blocks).finish()
    }
}
