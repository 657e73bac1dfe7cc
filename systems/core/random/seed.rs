//! Seeds of random numbers, as discrete state: the worlds of one diagram differ in them as in any other state.
//!
//! There a seed is two numbers, its upper and its lower 32 bits, which doubles hold exactly.

use super::philox::philox;
use crate::port::{Ports, StateRun};

/// The name of the run of discrete state that holds a seed.
const SEED: &str = "seed";

/// Declares the run that holds `seed`.
pub fn declare(ports: &mut Ports, seed: u64) {
    ports.discrete_state(SEED, halves(seed).to_vec());
}

/// The seed that a run holds.
pub fn held(run: &[f64]) -> u64 {
    match *run {
        [high, low] => (high as u64) << 32 | low as u64,
        _ => 0,
    }
}

/// A seed as the run of discrete state that holds it: its upper and its lower 32 bits.
pub fn halves(seed: u64) -> [f64; 2] {
    [(seed >> 32) as f64, f64::from(seed as u32)]
}

/// True if `run` holds the seed of a block.
pub fn is_seed(run: &StateRun) -> bool {
    run.name == SEED && run.initial.len() == 2
}

/// Replaces the seed that `run` holds ([`is_seed`]) by the one derived for the world, run or draw `number`:
/// [`derived_seed`].
pub fn derive_seed(run: &mut [f64], number: u64) {
    run.copy_from_slice(&halves(derived_seed(held(run), number)));
}

/// Derives a seed from a block's own `seed` and a `number`: streams of different pairs are independent. It has 53 bits,
/// so that it can be written in a diagram file.
pub fn derived_seed(seed: u64, number: u64) -> u64 {
    let words = |x: u64| [x as u32, (x >> 32) as u32];
    let ([n0, n1], key) = (words(number), words(seed));
    // This counter has no other use: channels are counted from zero.
    let [a, b, ..] = philox([n0, n1, u32::MAX, u32::MAX], key);
    (u64::from(a) | u64::from(b) << 32) >> 11
}
