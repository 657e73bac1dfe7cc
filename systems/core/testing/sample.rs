//! A point at which a block is evaluated.

use super::random::Random;
use crate::{ErasedSystem, SignalKind};

/// Time, state and inputs of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Time \[s\].
    pub time: f64,
    /// Continuous state, all runs in order of declaration.
    pub state: Vec<f64>,
    /// Discrete state, all runs in order of declaration.
    pub discrete: Vec<f64>,
    /// One list of numbers per input; `None` for an optional input that is not connected.
    pub inputs: Vec<Option<Vec<f64>>>,
}

impl Sample {
    /// A pseudo-random sample, a function of `number`: time in (0, 3), continuous states around their initial values,
    /// discrete states at them, inputs in (-1, 1), poses with unit quaternions. In odd samples optional inputs are not
    /// connected.
    pub fn random(block: &dyn ErasedSystem, number: u64) -> Sample {
        let mut random = Random(number.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let time = random.uniform(0.0, 3.0);
        let runs = block.ports().continuous().iter().flat_map(|run| &run.initial);
        let state = runs.map(|initial| initial + random.uniform(-0.5, 0.5)).collect();
        let discrete = initial_discrete(block);
        let inputs = block.ports().inputs().iter().map(|port| {
            let mut values: Vec<f64> = (0..port.width).map(|_| random.uniform(-1.0, 1.0)).collect();
            if port.kind == SignalKind::BodyPoses {
                for pose in values.chunks_exact_mut(7) {
                    pose[3..].copy_from_slice(&random.unit_quaternion());
                }
            }
            (!port.optional || number.is_multiple_of(2)).then_some(values)
        });
        Sample { time, state, discrete, inputs: inputs.collect() }
    }
}

/// Initial values of the discrete state, all runs in order of declaration.
pub(super) fn initial_discrete(block: &dyn ErasedSystem) -> Vec<f64> {
    block.ports().discrete().iter().flat_map(|run| run.initial.iter().copied()).collect()
}
