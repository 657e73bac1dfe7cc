//! Search for the loop of a diagram that diverges.
//!
//! The largest number of the state belongs to a block. Loops are circles of wires through it: for each wire into the
//! block, the shortest path from its outputs back to that wire. Of several, the loop is chosen without which the
//! linearized diagram grows least: that wire is cut off, and the eigenvalue with the largest real part is that of the
//! rest. Gains are the derivatives of the outputs of the other blocks with respect to the inputs on the path, where
//! they depend directly on them; of several numbers the largest.

use super::envelope::{Growth, largest};
use super::run_error::RunError;
use crate::linearize::state_space::{LinearizePorts, linearize};
use kinegraph_core::figures::four_digits;
use kinegraph_diagram::{Diagram, Source, State};
use std::collections::VecDeque;
use std::fmt;

/// Largest number of states of a system that is analysed: eigenvalues take the cube of their number.
const MAX_STATES: usize = 200;
/// Largest ratio between the rates of an eigenvalue and of the growth that it explains.
const MAX_RATE_RATIO: f64 = 2.0;
/// Largest number of loops through one block that are compared.
const MAX_LOOPS: usize = 8;

/// A loop that diverges.
#[derive(Clone, Debug, PartialEq)]
pub struct DivergingLoop {
    /// Time \[s\].
    pub time: f64,
    /// Name of the largest number of the state.
    pub what: String,
    /// Value of that number.
    pub value: f64,
    /// Blocks in the order of the signal, from the block of that number on; with the gains of those that have direct
    /// feedthrough.
    pub blocks: Vec<(String, Option<f64>)>,
    /// Real and imaginary part of the fastest growing eigenvalue of the linearized diagram \[1/s\], where it explains
    /// the growth: with samples or delays in the loop it does not.
    pub eigenvalue: Option<(f64, f64)>,
    /// Rate at which the state grew \[1/s\].
    pub rate: Option<f64>,
}

impl fmt::Display for DivergingLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DivergingLoop { time, what, value, blocks, eigenvalue, rate } = self;
        write!(f, "at t = {time} s {what} is {value:.3e} and grows without bound: the loop ")?;
        for (name, gain) in blocks {
            match gain {
                Some(gain) => write!(f, "{name} (gain {}) -> ", four_digits(*gain))?,
                None => write!(f, "{name} -> ")?,
            }
        }
        write!(f, "{} diverges", blocks.first().map_or("", |(name, _)| name))?;
        match (eigenvalue, rate) {
            (Some((re, im)), _) if *im != 0.0 => {
                write!(f, ", with the eigenvalue {} ± {}i 1/s", four_digits(*re), four_digits(im.abs()))?;
            }
            (Some((re, _)), _) => write!(f, ", with the eigenvalue {} 1/s", four_digits(*re))?,
            (None, Some(rate)) => write!(
                f,
                " as e^({} t), which no eigenvalue of the motion between samples explains: sampling or a delay in the loop \
                 does that",
                four_digits(*rate)
            )?,
            (None, None) => {}
        }
        write!(
            f,
            ". Check signs and sizes of its gains, sampling periods and delays; or end the run before (`duration`)"
        )
    }
}

/// Returns the loop that diverges at `state`, as an error; `None` if the largest number is in no loop.
pub(super) fn named(diagram: &Diagram, state: &State, growth: Option<Growth>) -> Option<RunError> {
    let (index, _) = largest(&state.continuous);
    let block = diagram.blocks().iter().position(|block| block.state.contains(&index))?;
    let loops = loops_through(diagram, block);
    let closed = fastest(diagram, state, &[]);
    let rate = growth.map(|growth| growth.rate);
    let explains = |re: f64| re > 0.0 && rate.is_none_or(|r| re < MAX_RATE_RATIO * r && r < MAX_RATE_RATIO * re);
    let eigenvalue = closed.filter(|(re, _)| explains(*re));
    // Without an eigenvalue all cuts look the same: the shortest loop is named.
    let open = |of: &Loop| match eigenvalue {
        Some(_) => fastest(diagram, state, &[of.cut(diagram)]).map_or(f64::INFINITY, |(re, _)| re),
        None => 0.0,
    };
    let rated = loops.iter().map(|of| (open(of), of));
    let shorter = |a: &Loop, b: &Loop| a.blocks.len().cmp(&b.blocks.len());
    let (_, worst) = rated.min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| shorter(a.1, b.1)))?;
    Some(RunError::Diverges(Box::new(DivergingLoop {
        time: state.time,
        what: diagram.state_names().get(index).cloned().unwrap_or_default(),
        value: state.continuous[index],
        blocks: worst.with_gains(diagram, state),
        eigenvalue,
        rate,
    })))
}

/// A circle of wires: each block with the input by which the signal enters and the output by which it leaves.
struct Loop {
    blocks: Vec<(usize, usize, usize)>,
}

impl Loop {
    /// Input at which it is cut: that of its first block.
    fn cut(&self, diagram: &Diagram) -> String {
        let (block, input, _) = self.blocks[0];
        let block = &diagram.blocks()[block];
        format!("{}.{}", block.name, block.system.ports().inputs()[input].name)
    }

    fn with_gains(&self, diagram: &Diagram, state: &State) -> Vec<(String, Option<f64>)> {
        let gain = |i: usize, &(block, input, output): &(usize, usize, usize)| {
            let block = &diagram.blocks()[block];
            let ports = block.system.ports();
            let (input, output) = (&ports.inputs()[input].name, &ports.outputs()[output].name);
            let paths = LinearizePorts {
                inputs: vec![format!("{}.{input}", block.name)],
                outputs: vec![format!("{}.{output}", block.name)],
                ..LinearizePorts::default()
            };
            // The signal of the first block passes through its state.
            let model = (i > 0).then(|| linearize(diagram, state, &paths).ok()).flatten();
            let largest = model.and_then(|model| model.d.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())));
            (block.name.clone(), largest.filter(|gain| *gain != 0.0))
        };
        self.blocks.iter().enumerate().map(|(i, at)| gain(i, at)).collect()
    }
}

/// The shortest loop through `block` for each of its wired inputs.
fn loops_through(diagram: &Diagram, block: usize) -> Vec<Loop> {
    let blocks = diagram.blocks();
    // The block before each on the shortest path from `block`, with the output and the input of the wire between them.
    let mut from: Vec<Option<(usize, usize, usize)>> = vec![None; blocks.len()];
    let mut queue = VecDeque::from([block]);
    let mut seen = vec![false; blocks.len()];
    seen[block] = true;
    while let Some(at) = queue.pop_front() {
        for (next, other) in blocks.iter().enumerate().filter(|(next, _)| !seen[*next]) {
            let wire = other.sources.iter().enumerate().find_map(|(input, source)| match source {
                Source::Output { block, port } if *block == at => Some((at, *port, input)),
                _ => None,
            });
            // The other blocks are not visited twice: `seen` is set below.
            if wire.is_some() {
                from[next] = wire;
            }
        }
        for next in 0..blocks.len() {
            if !seen[next] && from[next].is_some_and(|(before, ..)| before == at) {
                seen[next] = true;
                queue.push_back(next);
            }
        }
    }
    let mut loops = Vec::new();
    for (input, source) in blocks[block].sources.iter().enumerate() {
        let Source::Output { block: driver, port } = source else { continue };
        if !seen[*driver] || loops.len() == MAX_LOOPS {
            continue;
        }
        // Backwards from the wire into the block.
        let (mut way, mut at, mut leaves) = (Vec::new(), *driver, *port);
        while at != block {
            let Some((before, output, enters)) = from[at] else { break };
            way.push((at, enters, leaves));
            (at, leaves) = (before, output);
        }
        way.push((block, input, leaves));
        way.reverse();
        loops.push(Loop { blocks: way });
    }
    loops
}

/// Eigenvalue with the largest real part, with some inputs cut off.
fn fastest(diagram: &Diagram, state: &State, cuts: &[String]) -> Option<(f64, f64)> {
    if diagram.state_width() > MAX_STATES {
        return None;
    }
    let ports = LinearizePorts { cuts: cuts.to_vec(), ..LinearizePorts::default() };
    let poles = linearize(diagram, state, &ports).ok()?.poles()?;
    poles.last().map(|pole| (pole.re, pole.im))
}
