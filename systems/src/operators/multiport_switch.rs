//! A choice among several signals by a number.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::Crossing;
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = input k` for the whole number k nearest to `select`: 0 chooses `input0`, the last input holds beyond the
/// last number, the first one below 0.
///
/// The block has no memory. Halfway between two numbers the output may jump, so witness functions end the step there;
/// at the half itself the larger number holds.
pub struct MultiportSwitch {
    /// The number of the input that is passed on.
    pub select: In<Fixed<1>>,
    /// The signals, width n each.
    pub inputs: Vec<In<Dyn>>,
    /// Width n.
    pub output: Out<Dyn>,
    ports: Ports,
}

/// Most inputs of one switch.
const MAX_INPUTS: usize = 1000;

impl MultiportSwitch {
    /// A switch of `count` signals of `width`.
    ///
    /// # Errors
    /// Fewer than two signals, or more than a thousand.
    pub fn new(count: usize, width: usize) -> Result<Self, ParameterError> {
        let is_valid = |n: f64| (2.0..=MAX_INPUTS as f64).contains(&n);
        parameter::within("inputs", &[count as f64], "a whole number from 2 to 1000", is_valid)?;
        let mut ports = Ports::new();
        let select = ports.input("select");
        let inputs: Vec<In<Dyn>> = (0..count).map(|k| ports.input_of_width(format!("input{k}"), width)).collect();
        let output = ports.output_of_width("output", width);
        for k in 1..count {
            ports.witness(format!("input{k}"), Crossing::Either);
        }
        ports.units_alike(inputs.iter().copied(), output);
        Ok(MultiportSwitch { select, inputs, output, ports })
    }
}

impl LeafSystem for MultiportSwitch {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let [select] = ctx.get(self.select);
        // As the witness functions compare, so that both see the same side.
        let chosen = (1..self.inputs.len()).take_while(|&k| select.value() - (k as f64 - 0.5) >= 0.0).count();
        out.set(self.output, ctx.get(self.inputs[chosen]));
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let [select] = ctx.get(self.select);
        for (k, value) in values.iter_mut().enumerate() {
            *value = select - (k as f64 + 0.5);
        }
    }
}
