//! Collecting blocks and wires; nothing is checked before [`DiagramBuilder::build`], which reports all faults together.

use super::compile;
use super::fault::BuildErrors;
use super::structure::Diagram;
use kinegraph_systems::port::BlockId;
use kinegraph_systems::signal::Feeds;
use kinegraph_systems::{ErasedSystem, In, Out, Signal};
use std::sync::Arc;

/// A diagram under construction.
///
/// ```
/// use kinegraph::diagram::DiagramBuilder;
/// use kinegraph_systems::operators::{Gain, Integrator};
///
/// let mut b = DiagramBuilder::new("decay");
/// let integrator = b.add("integrator", Integrator::new(vec![1.0])?);
/// let gain = b.add("gain", Gain::new(1, -2.0)?);
/// b.connect(integrator.output, gain.input);
/// b.connect(gain.output, integrator.input);
/// let diagram = b.build()?;
/// assert_eq!(diagram.blocks().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct DiagramBuilder {
    pub(super) name: String,
    pub(super) blocks: Vec<(String, Arc<dyn ErasedSystem>)>,
    pub(super) wires: Vec<(PortRef, PortRef)>,
    pub(super) fixed: Vec<(PortRef, Vec<f64>)>,
    pub(super) solve_loops: bool,
}

/// How the user named a port.
#[derive(Clone, Debug)]
pub(super) enum PortRef {
    /// By typed handle.
    Handle(BlockId, usize),
    /// By path `block.port`.
    Path(String),
}

impl DiagramBuilder {
    /// An empty diagram. The name appears in messages.
    pub fn new(name: impl Into<String>) -> Self {
        DiagramBuilder { name: name.into(), ..Default::default() }
    }

    /// Adds a block. The name may be a path with `/` (`left_arm/controller`); its parts consist of letters, digits, `_` and `-`.
    /// The returned pointer gives access to the block's port handles.
    pub fn add<T: ErasedSystem>(&mut self, name: impl Into<String>, block: T) -> Arc<T> {
        let block = Arc::new(block);
        self.add_erased(name, block.clone());
        block
    }

    /// Adds a block whose type is not known here (a block made by a registry). Wire it by path.
    pub fn add_erased(&mut self, name: impl Into<String>, block: Arc<dyn ErasedSystem>) {
        self.blocks.push((name.into(), block));
    }

    /// Adds everything in `other`, each block under `name/`. Port handles of its blocks stay valid; paths used inside
    /// `other` keep their meaning.
    pub fn nest(&mut self, name: &str, other: DiagramBuilder) {
        let prefixed = |port: PortRef| match port {
            PortRef::Path(path) => PortRef::Path(format!("{name}/{path}")),
            handle => handle,
        };
        self.blocks.extend(other.blocks.into_iter().map(|(block, system)| (format!("{name}/{block}"), system)));
        self.wires.extend(other.wires.into_iter().map(|(from, to)| (prefixed(from), prefixed(to))));
        self.fixed.extend(other.fixed.into_iter().map(|(port, values)| (prefixed(port), values)));
        self.solve_loops |= other.solve_loops;
    }

    /// Lets `output` drive `input`. Run-time widths are checked by [`build`](Self::build); ports that do not fit do not compile:
    ///
    /// ```compile_fail,E0277
    /// # use kinegraph_systems::{In, Out, Fixed};
    /// # fn wire(b: &mut kinegraph::diagram::DiagramBuilder, output: Out<Fixed<1>>, input: In<Fixed<2>>) {
    /// b.connect(output, input); // an output of type `Fixed<1>` cannot drive an input of type `Fixed<2>`
    /// # }
    /// ```
    pub fn connect<A: Feeds<B>, B: Signal>(&mut self, output: Out<A>, input: In<B>) {
        self.wires.push((PortRef::Handle(output.block, output.index), PortRef::Handle(input.block, input.index)));
    }

    /// Lets the output at path `output` (`block.port`) drive the input at path `input`.
    pub fn connect_paths(&mut self, output: impl Into<String>, input: impl Into<String>) {
        self.wires.push((PortRef::Path(output.into()), PortRef::Path(input.into())));
    }

    /// Gives an input a constant value.
    pub fn fix<T: Signal>(&mut self, input: In<T>, values: impl AsRef<[f64]>) {
        self.fixed.push((PortRef::Handle(input.block, input.index), values.as_ref().to_vec()));
    }

    /// Gives the input at path `input` (`block.port`) a constant value.
    pub fn fix_path(&mut self, input: impl Into<String>, values: impl AsRef<[f64]>) {
        self.fixed.push((PortRef::Path(input.into()), values.as_ref().to_vec()));
    }

    /// Removes the wires that were drawn by path to the input at path `input`, and returns where the last of them came from.
    pub(crate) fn disconnect_path(&mut self, input: &str) -> Option<String> {
        let mut from = None;
        self.wires.retain(|wire| match wire {
            (PortRef::Path(output), PortRef::Path(to)) if to == input => {
                from = Some(output.clone());
                false
            }
            _ => true,
        });
        from
    }

    /// Lets algebraic loops be solved instead of being faults: in every evaluation, Newton's method finds values of the loop's outputs
    /// that agree with each other. A loop without solution, or one that Newton's method does not reach, makes its outputs not-a-number
    /// and leaves a [`LoopFault`](super::LoopFault) in the [`Values`](super::Values).
    ///
    /// ```
    /// use kinegraph::diagram::DiagramBuilder;
    /// use kinegraph::systems::operators::{Adder, Gain};
    ///
    /// // y = 6 - 2 y
    /// let mut b = DiagramBuilder::new("loop");
    /// let sum = b.add("sum", Adder::new(1, [1.0, -1.0])?);
    /// let gain = b.add("gain", Gain::new(1, 2.0)?);
    /// b.fix(sum.inputs[0], [6.0]);
    /// b.connect(sum.output, gain.input);
    /// b.connect(gain.output, sum.inputs[1]);
    /// b.solve_algebraic_loops();
    /// let diagram = b.build()?;
    /// let mut values = diagram.values::<f64>();
    /// diagram.evaluate(0.0, &[], &mut values);
    /// assert!((diagram.read(sum.output, &values).unwrap()[0] - 2.0).abs() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_algebraic_loops(&mut self) {
        self.solve_loops = true;
    }

    /// Checks the wiring and compiles it.
    ///
    /// # Errors
    /// All faults of the diagram together, each with the full paths of the ports concerned.
    pub fn build(self) -> Result<Diagram, BuildErrors> {
        compile::compile(self)
    }
}
