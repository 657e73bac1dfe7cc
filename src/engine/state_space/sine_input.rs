//! A diagram with a sine on top of one of the inputs of a linear model, to measure a frequency response.

use super::LinearizeFault;
use super::fault::LinearizeFaults;
use super::rewire::{self, LinearizePorts, rewire};
use kinegraph_diagram::{Channel, Diagram, State};
use kinegraph_systems::sources::Sine;

/// A diagram in which input number `input` is `inputs[input] + amplitude sin(frequency (t - state.time))` and the other
/// inputs have their values; with its state, and the channels of the outputs.
pub(crate) struct SineInput {
    pub diagram: Diagram,
    pub state: State,
    pub outputs: Vec<Channel>,
}

/// A sine: number of its input, amplitude, and angular frequency \[rad/s\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wave {
    pub input: usize,
    pub amplitude: f64,
    pub frequency: f64,
}

impl SineInput {
    pub fn new(
        diagram: &Diagram,
        state: &State,
        ports: &LinearizePorts,
        inputs: &[f64],
        wave: Wave,
    ) -> Result<Self, LinearizeFaults> {
        let Wave { input, amplitude, frequency } = wave;
        let rewired = rewire(diagram, state, ports)?;
        let mut builder = rewired.diagram.to_builder();
        let mut first = 0;
        for (number, (place, width)) in rewired.places.iter().enumerate() {
            let offsets = inputs[first..first + width].to_vec();
            builder.unfix_path(place);
            match input.checked_sub(first).filter(|at| at < width) {
                None => builder.fix_path(place, offsets),
                Some(at) => {
                    let amplitudes: Vec<f64> = (0..*width).map(|i| if i == at { amplitude } else { 0.0 }).collect();
                    let phase = -frequency * state.time;
                    let not_finite = |_| LinearizeFaults(vec![LinearizeFault::NotFinite { what: place.clone() }]);
                    let sine = Sine::new(*width, amplitudes, frequency, phase, offsets).map_err(not_finite)?;
                    let mut name = format!("sine{number}");
                    while rewired.diagram.find_block(&name).is_ok() {
                        name.push('_');
                    }
                    builder.add(&name, sine);
                    builder.connect_paths(format!("{name}.output"), place);
                }
            }
            first += width;
        }
        let with = builder.build().map_err(rewire::all)?;
        let mut outputs = Vec::new();
        for path in &ports.outputs {
            let fault = |fault| LinearizeFaults(vec![LinearizeFault::Port(Box::new(fault))]);
            outputs.extend(with.find_channels(path).map_err(fault)?);
        }
        Ok(SineInput { state: with.carry_over(diagram, state), outputs, diagram: with })
    }
}
