//! From a checked wiring to an immutable diagram: layout of signals and state, and the schedule.

use super::builder::{DiagramBuilder, PortRef};
use super::dependencies::Dependencies;
use super::fault::{BuildError, BuildErrors, Side};
use super::lookup::{self, Lookup};
use super::loops;
use super::schedule::Schedule;
use super::wiring::{self, Wire, Wiring};
use kinegraph_systems::port::{BlockId, OutputPort};
use kinegraph_systems::{ErasedSystem, Out, Signal};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Where an input's numbers come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// From nowhere (an optional input).
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
    /// Where its continuous state stands in the diagram's.
    pub state: Range<usize>,
    /// Where each input stands in the arena of [`Values`](super::Values); `None`: not connected.
    pub inputs: Vec<Option<Range<usize>>>,
    /// Where each input comes from.
    pub sources: Vec<Source>,
    /// Where each output stands in the arena. The outputs of a block are contiguous.
    pub outputs: Vec<Range<usize>>,
}

/// An output found by its path.
#[derive(Clone, Debug)]
pub struct OutputPath<'a> {
    /// Index of the block.
    pub block: usize,
    /// Index of the output.
    pub port: usize,
    /// Where it stands in the arena of [`Values`](super::Values).
    pub range: Range<usize>,
    /// Its declaration: meaning, width, names of the elements.
    pub declaration: &'a OutputPort,
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
    /// Fixed values and where they stand in the arena.
    pub fixed: Vec<(Range<usize>, Vec<f64>)>,
    pub dependencies: Dependencies,
    pub schedule: Schedule,
    pub arena_width: usize,
    pub state_width: usize,
    /// Widest set of outputs of one block.
    pub scratch_width: usize,
}

/// Checks and compiles; see [`DiagramBuilder::build`].
pub(super) fn compile(builder: DiagramBuilder) -> Result<Diagram, BuildErrors> {
    let mut faults = Vec::new();
    let lookup = Lookup::new(&builder.name, &builder.blocks, &mut faults);
    let wiring = wiring::resolve(&lookup, &builder.wires, &builder.fixed, &mut faults);
    let dependencies = Dependencies::new(builder.blocks.iter().map(|(_, system)| &**system), &wiring);
    faults.extend(loops::find(&dependencies, &lookup));
    if !faults.is_empty() {
        return Err(BuildErrors(faults));
    }
    let by_id = lookup.by_id;
    let by_name = lookup.by_name.into_iter().map(|(name, index)| (name.to_owned(), index)).collect();
    let schedule = Schedule::new(&dependencies, &vec![true; dependencies.len()]);
    let scratch_width = builder.blocks.iter().map(|(_, system)| system.ports().outputs_width()).max().unwrap_or(0);
    let layout = Layout::new(builder.blocks, wiring);
    Ok(Diagram {
        inner: Arc::new(Inner {
            name: builder.name,
            blocks: layout.blocks,
            by_name,
            by_id,
            fixed: layout.fixed,
            dependencies,
            schedule,
            arena_width: layout.arena_width,
            state_width: layout.state_width,
            scratch_width,
        }),
    })
}

/// The arena: all outputs block by block, then the fixed values. The state: block by block.
struct Layout {
    blocks: Vec<Block>,
    fixed: Vec<(Range<usize>, Vec<f64>)>,
    arena_width: usize,
    state_width: usize,
}

impl Layout {
    fn new(systems: Vec<(String, Arc<dyn ErasedSystem>)>, wiring: Wiring) -> Self {
        let (mut arena, mut state) = (0, 0);
        let mut blocks = Vec::with_capacity(systems.len());
        for (name, system) in systems {
            let ports = system.ports();
            let outputs = ports.outputs().iter().map(|o| arena + o.range.start..arena + o.range.end).collect();
            let states = state..state + ports.continuous_width();
            arena += ports.outputs_width();
            state = states.end;
            blocks.push(Block { name, system, state: states, inputs: Vec::new(), sources: Vec::new(), outputs });
        }
        let mut fixed = Vec::new();
        for (block, wires) in wiring.into_iter().enumerate() {
            for wire in wires {
                let (range, source) = match wire {
                    Wire::Nothing => (None, Source::Unconnected),
                    Wire::Output(from, port) => {
                        (Some(blocks[from].outputs[port].clone()), Source::Output { block: from, port })
                    }
                    Wire::Fixed(values) => {
                        let range = arena..arena + values.len();
                        arena = range.end;
                        fixed.push((range.clone(), values));
                        (Some(range), Source::Fixed)
                    }
                };
                blocks[block].inputs.push(range);
                blocks[block].sources.push(source);
            }
        }
        Layout { blocks, fixed, arena_width: arena, state_width: state }
    }
}

impl Diagram {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// All blocks, in order of insertion; an index into this slice is what other methods call a block.
    pub fn blocks(&self) -> &[Block] {
        &self.inner.blocks
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

    /// The index of the block with that full name.
    ///
    /// # Errors
    /// [`BuildError::UnknownBlock`] with the nearest name.
    pub fn find_block(&self, name: &str) -> Result<usize, BuildError> {
        self.inner.by_name.get(name).copied().ok_or_else(|| {
            let valid: Vec<String> = self.blocks().iter().map(|block| block.name.clone()).collect();
            let nearest = lookup::nearest(name, &valid);
            BuildError::UnknownBlock { path: name.to_owned(), block: name.to_owned(), nearest, valid }
        })
    }

    /// The output at path `block.port`.
    ///
    /// # Errors
    /// [`BuildError::UnknownBlock`], [`BuildError::UnknownPort`] or [`BuildError::MalformedPath`].
    pub fn output(&self, path: &str) -> Result<OutputPath<'_>, BuildError> {
        let Some((name, port)) = path.split_once('.') else {
            return Err(BuildError::MalformedPath { path: path.to_owned() });
        };
        let block = self.find_block(name).map_err(|fault| match fault {
            BuildError::UnknownBlock { block, nearest, valid, .. } => {
                BuildError::UnknownBlock { path: path.to_owned(), block, nearest, valid }
            }
            fault => fault,
        })?;
        let ports = self.blocks()[block].system.ports();
        match ports.outputs().iter().position(|output| output.name == port) {
            Some(index) => Ok(OutputPath {
                block,
                port: index,
                range: self.blocks()[block].outputs[index].clone(),
                declaration: &ports.outputs()[index],
            }),
            None => Err(lookup::unknown_port(path, name, port, Side::Output, ports)),
        }
    }

    /// The block that declared a port handle; `None` if it is not in this diagram.
    pub fn block_of(&self, id: BlockId) -> Option<usize> {
        self.inner.by_id.get(&id).copied()
    }

    /// Where an output stands in the arena; `None` if its block is not in this diagram.
    pub fn range_of<T: Signal>(&self, output: Out<T>) -> Option<Range<usize>> {
        self.block_of(output.block).map(|block| self.blocks()[block].outputs[output.index].clone())
    }

    pub(super) fn dependencies(&self) -> &Dependencies {
        &self.inner.dependencies
    }

    /// The diagram as a builder: the same blocks and wires, by path.
    pub fn to_builder(&self) -> DiagramBuilder {
        let mut builder = DiagramBuilder::new(self.name());
        let mut fixed = self.inner.fixed.iter();
        for block in self.blocks() {
            builder.add_erased(block.name.clone(), block.system.clone());
            for (input, source) in block.system.ports().inputs().iter().zip(&block.sources) {
                let to = PortRef::Path(format!("{}.{}", block.name, input.name));
                match *source {
                    Source::Unconnected => {}
                    Source::Output { block: from, port } => {
                        let from = &self.blocks()[from];
                        let name = &from.system.ports().outputs()[port].name;
                        builder.wires.push((PortRef::Path(format!("{}.{name}", from.name)), to));
                    }
                    // Fixed values are laid out in the order of the inputs.
                    Source::Fixed => builder.fixed.extend(fixed.next().map(|(_, values)| (to, values.clone()))),
                }
            }
        }
        builder
    }
}

impl std::fmt::Debug for Diagram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let blocks: Vec<&str> = self.blocks().iter().map(|block| block.name.as_str()).collect();
        f.debug_struct("Diagram").field("name", &self.inner.name).field("blocks", &blocks).finish()
    }
}
