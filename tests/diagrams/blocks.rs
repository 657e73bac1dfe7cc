//! A block whose shape is chosen by the test.

use kinegraph_systems::port::Feedthrough;
use kinegraph_systems::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Width of every port of a [`Mixer`].
pub const WIDTH: usize = 2;

/// Output j = sin(Σ (i + 1) inputᵢ) + state + j cos(time) over the inputs it is declared to depend on; ẋ = Σ inputs -
/// x/2. An unconnected input (all are optional when the mixer is `lenient`) counts as zero.
pub struct Mixer {
    pub inputs: Vec<In<Dyn>>,
    pub outputs: Vec<Out<Dyn>>,
    ports: Ports,
}

impl Mixer {
    /// `feedthrough[j]` lists the inputs of output j.
    pub fn new(inputs: usize, feedthrough: &[Vec<usize>], initial: Option<f64>, lenient: bool) -> Self {
        let mut ports = Ports::new();
        let inputs: Vec<In<Dyn>> = (0..inputs)
            .map(|i| match lenient {
                true => ports.optional_input_of_width(format!("u{i}"), WIDTH),
                false => ports.input_of_width(format!("u{i}"), WIDTH),
            })
            .collect();
        let mut outputs = Vec::new();
        for (j, depends) in feedthrough.iter().enumerate() {
            let output = ports.output_of_width(format!("y{j}"), WIDTH);
            ports.no_feedthrough(output);
            depends.iter().for_each(|&i| ports.feedthrough(output, inputs[i]));
            outputs.push(output);
        }
        if let Some(initial) = initial {
            ports.continuous_state("x", vec![initial; WIDTH]);
        }
        Mixer { inputs, outputs, ports }
    }

    /// One input, one output that depends on it.
    pub fn direct() -> Self {
        Mixer::new(1, &[vec![0]], None, false)
    }

    /// One input, one output that depends on the state only.
    pub fn lagged(initial: f64) -> Self {
        Mixer::new(1, &[vec![]], Some(initial), false)
    }

    /// Value of an output, given the values of the inputs.
    pub fn formula<S: Scalar>(&self, output: usize, time: S, state: &[S], input: impl Fn(usize) -> Vec<S>) -> Vec<S> {
        let Feedthrough::Only(inputs) = &self.ports.outputs()[output].feedthrough else { unreachable!() };
        (0..WIDTH)
            .map(|k| {
                let mut sum = S::zero();
                for &i in inputs {
                    sum += S::constant((i + 1) as f64) * input(i)[k];
                }
                sum.sin() + state.get(k).copied().unwrap_or(S::zero()) + S::constant(output as f64) * time.cos()
            })
            .collect()
    }
}

impl LeafSystem for Mixer {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (j, &output) in self.outputs.iter().enumerate() {
            let input = |i: usize| ctx.get_optional(self.inputs[i]).map_or(vec![S::zero(); WIDTH], <[S]>::to_vec);
            out.set(output, self.formula(j, ctx.time, ctx.continuous, input));
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        for (k, rate) in derivatives.iter_mut().enumerate() {
            *rate = S::constant(-0.5) * ctx.continuous[k];
            for &input in &self.inputs {
                *rate += ctx.get_optional(input).map_or(S::zero(), |values| values[k]);
            }
        }
    }
}

#[test]
fn the_mixer_itself_conforms() {
    let mixer = Mixer::new(3, &[vec![0, 2], vec![], vec![1]], Some(0.4), true);
    kinegraph_systems::testing::conformance::check(&mixer);
}
