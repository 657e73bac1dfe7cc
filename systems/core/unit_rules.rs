//! Rules of the units of a block's ports, from which a diagram infers the units of its wires.

use crate::port::{In, Out, Ports};
use crate::signal::Signal;
use crate::unit::Dimension;

/// Rule of the units of a block's ports. Of a port of one number, that number stands for each.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitRule {
    /// The numbers of these ports have one unit, place by place: the terms of a sum and the sum.
    Alike {
        /// Inputs, by index.
        inputs: Vec<usize>,
        /// Outputs, by index.
        outputs: Vec<usize>,
    },
    /// An output is a product of powers of inputs and a factor, place by place.
    Product {
        /// The output, by index.
        output: usize,
        /// Units of the factor: one for all numbers or one each; an unknown one makes the output unknown.
        factor: Vec<Option<Dimension>>,
        /// Inputs by index, with their powers.
        inputs: Vec<(usize, i32)>,
    },
    /// An output passes on numbers of inputs: input and place of each; `None`: of no input.
    Gather {
        /// The output, by index.
        output: usize,
        /// Source of each of its numbers.
        from: Vec<Option<(usize, usize)>>,
    },
}

impl Ports {
    /// States that the numbers of these inputs and of this output have one unit, place by place.
    pub fn units_alike<I: Signal, O: Signal>(&mut self, inputs: impl IntoIterator<Item = In<I>>, output: Out<O>) {
        let inputs = inputs.into_iter().map(|input| input.index).collect();
        self.unit_rule(UnitRule::Alike { inputs, outputs: vec![output.index] });
    }

    /// States that the numbers of these inputs have one unit, place by place.
    pub fn input_units_alike<I: Signal>(&mut self, inputs: impl IntoIterator<Item = In<I>>) {
        let inputs = inputs.into_iter().map(|input| input.index).collect();
        self.unit_rule(UnitRule::Alike { inputs, outputs: Vec::new() });
    }

    /// States that the unit of `output` is that of `input` times `factor`.
    pub fn units_times<I: Signal, O: Signal>(&mut self, output: Out<O>, input: In<I>, factor: Vec<Option<Dimension>>) {
        self.unit_rule(UnitRule::Product { output: output.index, factor, inputs: vec![(input.index, 1)] });
    }

    /// States that the unit of `output` is that of `input` times a power of the second.
    pub fn units_times_seconds<I: Signal, O: Signal>(&mut self, output: Out<O>, input: In<I>, power: i32) {
        self.units_times(output, input, vec![Dimension::ONE.times(Dimension::SECOND, power)]);
    }

    /// States a rule of the units of the ports. A rule for the same output by a factor replaces the one before.
    pub fn unit_rule(&mut self, rule: UnitRule) {
        if let UnitRule::Product { output, .. } = &rule {
            let is_other = |old: &UnitRule| !matches!(old, UnitRule::Product { output: same, .. } if same == output);
            self.unit_rules.retain(is_other);
        }
        self.unit_rules.push(rule);
    }

    /// The rules of the units of the ports.
    pub fn unit_rules(&self) -> &[UnitRule] {
        &self.unit_rules
    }
}
