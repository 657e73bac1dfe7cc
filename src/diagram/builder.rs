//! Collecting blocks and wires; nothing is checked before [`DiagramBuilder::build`], which reports all faults together.

use super::ends::{DiagramId, Drives, Export, InputEnd, OutputEnd, PortRef, SubDiagram};
use super::fact::Fact;
use super::fault::Side;
use super::stated_units::StatedUnits;
use kinegraph_core::parameter::PerChannel;
use kinegraph_core::{ErasedSystem, Numbers};
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
    pub(super) id: DiagramId,
    pub(super) name: String,
    pub(super) blocks: Vec<(String, Arc<dyn ErasedSystem>)>,
    pub(super) wires: Vec<(PortRef, PortRef)>,
    pub(super) fixed: Vec<(PortRef, Vec<f64>)>,
    /// The diagrams nested in this one, at any depth, with their paths.
    pub(super) nested: Vec<(DiagramId, String)>,
    pub(super) exports: Vec<Export>,
    pub(super) solve_loops: bool,
    /// Paths of outputs under error control, with their accuracies.
    pub(super) accuracies: Vec<(String, PerChannel)>,
    /// Facts from the diagram file about blocks, by name of the block.
    pub(super) described: Vec<(String, Fact)>,
    /// Units that are stated of blocks, by name of the block.
    pub(super) units: Vec<(String, StatedUnits)>,
}

impl DiagramBuilder {
    /// An empty diagram. The name appears in messages.
    pub fn new(name: impl Into<String>) -> Self {
        DiagramBuilder { name: name.into(), ..Default::default() }
    }

    /// Adds a block. The name may be a path with `/` (`left_arm/controller`); its parts consist of letters, digits, `_`
    /// and `-`. The returned pointer gives access to the block's port handles.
    pub fn add<T: ErasedSystem>(&mut self, name: impl Into<String>, block: T) -> Arc<T> {
        let block = Arc::new(block);
        self.add_erased(name, block.clone());
        block
    }

    /// Adds a block whose type is not known here (a block made by a registry). Wire it by path.
    pub fn add_erased(&mut self, name: impl Into<String>, block: Arc<dyn ErasedSystem>) {
        self.blocks.push((name.into(), block));
    }

    /// Records facts from the diagram file about the block `name`, for snapshots.
    pub fn describe(&mut self, name: &str, facts: impl IntoIterator<Item = Fact>) {
        self.described.extend(facts.into_iter().map(|fact| (name.to_owned(), fact)));
    }

    /// Adds the diagram `other` as a block: each of its blocks under `name/`, its exports as the ports of `name`. Port
    /// handles of its blocks stay valid; paths used inside `other` keep their meaning.
    ///
    /// ```
    /// use kinegraph::diagram::DiagramBuilder;
    /// use kinegraph_systems::operators::{Gain, Integrator};
    ///
    /// let mut lag = DiagramBuilder::new("lag");
    /// let x = lag.add("x", Integrator::new(vec![0.0])?);
    /// let k = lag.add("k", Gain::new(1, 5.0)?);
    /// lag.connect(k.output, x.input);
    /// lag.export_input("u", k.input);
    /// lag.export_output("y", x.output);
    ///
    /// let mut b = DiagramBuilder::new("outer");
    /// let lag = b.add_diagram("lag", lag);
    /// b.fix(lag.input("u"), [2.0]);
    /// let diagram = b.build()?;
    /// assert_eq!(diagram.blocks()[0].name, "lag/x");
    /// assert_eq!(diagram.find_channels("lag.y")?, diagram.find_channels("lag/x.output")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_diagram(&mut self, name: impl Into<String>, other: DiagramBuilder) -> SubDiagram {
        let name = name.into();
        self.blocks.extend(other.blocks.into_iter().map(|(block, system)| (format!("{name}/{block}"), system)));
        self.wires.extend(other.wires.into_iter().map(|(from, to)| (from.inside(&name), to.inside(&name))));
        self.fixed.extend(other.fixed.into_iter().map(|(port, values)| (port.inside(&name), values)));
        self.solve_loops |= other.solve_loops;
        self.accuracies.extend(other.accuracies.into_iter().map(|(path, error)| (format!("{name}/{path}"), error)));
        let inside =
            |(block, fact): (String, Fact)| (format!("{name}/{block}"), Fact(format!("{name}/{}", fact.0), fact.1));
        self.described.extend(other.described.into_iter().map(inside));
        self.units.extend(other.units.into_iter().map(|(block, units)| (format!("{name}/{block}"), units)));
        self.nested.push((other.id, name.clone()));
        self.nested.extend(other.nested.into_iter().map(|(id, inner)| (id, format!("{name}/{inner}"))));
        self.exports.extend(other.exports.into_iter().map(|export| Export {
            scope: if export.scope.is_empty() { name.clone() } else { format!("{name}/{}", export.scope) },
            port: export.port.inside(&name),
            ..export
        }));
        SubDiagram { id: other.id }
    }

    /// [`add_diagram`](Self::add_diagram) for a diagram whose exports are not needed by handle.
    pub fn nest(&mut self, name: &str, other: DiagramBuilder) {
        self.add_diagram(name, other);
    }

    /// Makes `input` an input of this diagram, for the diagram that it is nested in. Several inputs exported under one
    /// name are driven together; they must have the same width.
    pub fn export_input(&mut self, name: impl Into<String>, input: impl InputEnd) {
        self.export(name.into(), Side::Input, input.port());
    }

    /// Makes `output` an output of this diagram, for the diagram that it is nested in.
    pub fn export_output(&mut self, name: impl Into<String>, output: impl OutputEnd) {
        self.export(name.into(), Side::Output, output.port());
    }

    /// [`export_input`](Self::export_input) for the input at path `input` (`block.port`).
    pub fn export_input_path(&mut self, name: impl Into<String>, input: impl Into<String>) {
        self.export(name.into(), Side::Input, PortRef::Path(input.into()));
    }

    /// Puts the output at path `output` (`block.port`) under error control: a step may err in none of its numbers by
    /// more than `accuracy`, one for all or one for each, in the unit of the output. Of methods with error control
    /// `cenic` and those for differential equations read this.
    pub fn control_output(&mut self, output: impl Into<String>, accuracy: impl Into<PerChannel>) {
        self.accuracies.push((output.into(), accuracy.into()));
    }

    /// [`export_output`](Self::export_output) for the output at path `output` (`block.port`).
    pub fn export_output_path(&mut self, name: impl Into<String>, output: impl Into<String>) {
        self.export(name.into(), Side::Output, PortRef::Path(output.into()));
    }

    fn export(&mut self, name: String, side: Side, port: PortRef) {
        self.exports.push(Export { owner: self.id, scope: String::new(), name, side, port });
    }

    /// Lets `output` drive `input`. Run-time widths are checked by [`build`](Self::build); ports that do not fit do not
    /// compile:
    ///
    /// ```compile_fail,E0277
    /// # use kinegraph_core::{In, Out, Fixed};
    /// # fn wire(b: &mut kinegraph::diagram::DiagramBuilder, output: Out<Fixed<1>>, input: In<Fixed<2>>) {
    /// b.connect(output, input); // an output of type `Fixed<1>` cannot drive an input of type `Fixed<2>`
    /// # }
    /// ```
    pub fn connect<O: Drives<I>, I: InputEnd>(&mut self, output: O, input: I) {
        self.wires.push((output.port(), input.port()));
    }

    /// Lets the output at path `output` (`block.port`) drive the input at path `input`.
    pub fn connect_paths(&mut self, output: impl Into<String>, input: impl Into<String>) {
        self.wires.push((PortRef::Path(output.into()), PortRef::Path(input.into())));
    }

    /// Gives an input a constant value.
    pub fn fix(&mut self, input: impl InputEnd, values: impl Numbers) {
        self.fixed.push((input.port(), values.numbers().to_vec()));
    }

    /// Gives the input at path `input` (`block.port`) a constant value.
    pub fn fix_path(&mut self, input: impl Into<String>, values: impl Numbers) {
        self.fixed.push((PortRef::Path(input.into()), values.numbers().to_vec()));
    }

    /// Removes the wires that were drawn by path to the input at path `input`, and returns where the last of them came
    /// from.
    pub fn disconnect_path(&mut self, input: &str) -> Option<String> {
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

    /// Removes the values that were given by path to the input at path `input`, and returns the last of them.
    pub fn unfix_path(&mut self, input: &str) -> Option<Vec<f64>> {
        let mut values = None;
        self.fixed.retain_mut(|(port, given)| match port {
            PortRef::Path(to) if to == input => {
                values = Some(std::mem::take(given));
                false
            }
            _ => true,
        });
        values
    }

    /// States the units of the block `name`: of a source, whose block does not know them, or [`StatedUnits::Any`] where
    /// unlike units are meant.
    ///
    /// ```
    /// use kinegraph::diagram::{DiagramBuilder, StatedUnits};
    /// use kinegraph_core::unit::Dimension;
    /// use kinegraph::systems::operators::Adder;
    /// use kinegraph::systems::sources::Constant;
    ///
    /// let mut b = DiagramBuilder::new("sum");
    /// let length = b.add("length", Constant::new(vec![2.0])?);
    /// let force = b.add("force", Constant::new(vec![3.0])?);
    /// let sum = b.add("sum", Adder::new(1, [1.0, 1.0])?);
    /// b.connect(length.output, sum.inputs[0]);
    /// b.connect(force.output, sum.inputs[1]);
    /// b.state_units("length", StatedUnits::Outputs(vec![Dimension::read("m")]));
    /// b.state_units("force", StatedUnits::Outputs(vec![Dimension::read("N")]));
    /// assert!(b.build().unwrap_err().to_string().contains("N"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state_units(&mut self, name: &str, units: StatedUnits) {
        self.units.push((name.to_owned(), units));
    }

    /// Lets algebraic loops be solved instead of being faults: in every evaluation, Newton's method finds values of the
    /// loop's outputs that agree with each other. A loop without solution, or one that Newton's method does not reach,
    /// makes its outputs not-a-number and leaves a [`LoopFault`](super::LoopFault) in the [`Values`](super::Values).
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
}
