//! Compiles a checked wiring into an immutable diagram: layout of signals and state, and the schedule.

use super::builder::DiagramBuilder;
use super::companions;
use super::dependencies::Dependencies;
use super::exports;
use super::fault::{BYTES_OF_A_NUMBER, BuildError, BuildErrors, MAX_NUMBERS};
use super::loops;
use super::schedule::Schedule;
use super::selection;
use super::structure::{Block, ControlledOutput, Diagram, Inner, Source};
use super::tearing;
use super::units;
use super::wiring::{self, InputSource, Wiring};
use kinegraph_core::ErasedSystem;
use kinegraph_core::memory;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

impl DiagramBuilder {
    /// Checks the wiring and compiles it.
    ///
    /// # Errors
    /// All faults of the diagram together, each with the full paths of the ports concerned.
    pub fn build(mut self) -> Result<Diagram, BuildErrors> {
        let mut faults = Vec::new();
        let added = companions::add(&mut self);
        let selection::Expanded { lost, written } = selection::expand(&mut self, &mut faults);
        let lookup = exports::lookup(&self, &mut faults);
        let mut wiring = wiring::resolve(&lookup, &self.wires, &self.fixed, &mut faults);
        companions::wire(&added, &self.blocks, &mut wiring);
        faults.retain(|fault| !matches!(fault, BuildError::Unconnected { input, .. } if lost.contains(input)));
        let mut dependencies = Dependencies::new(self.blocks.iter().map(|(_, system)| &**system), &wiring);
        let loops = loops::find(&dependencies);
        if self.solve_loops {
            let width = |(block, port): (usize, usize)| self.blocks[block].1.ports().outputs()[port].width;
            tearing::close_loops(&mut dependencies, &loops, width);
        } else {
            faults.extend(loops::faults(&loops, &dependencies, &lookup));
        }
        let units = units::infer(&lookup, &wiring, &self.units, &written, &mut faults);
        faults.extend(bad_samplings(&self.blocks));
        faults.extend(too_large(&self.blocks));
        if !faults.is_empty() {
            return Err(BuildErrors(faults));
        }
        let (by_id, aliases) = (lookup.by_id, lookup.aliases);
        let by_name = lookup.by_name.into_iter().map(|(name, index)| (name.to_owned(), index)).collect();
        let schedule = Schedule::new(&dependencies, &vec![true; dependencies.len()]);
        let scratch_width = self.blocks.iter().map(|(_, system)| system.ports().outputs_width()).max().unwrap_or(0);
        let layout = Layout::new(self.blocks, wiring);
        let mut inner = Inner {
            name: self.name,
            blocks: layout.blocks,
            by_name,
            by_id,
            nested: self.nested.into_iter().map(|(_, path)| path).collect(),
            aliases,
            fixed: layout.fixed,
            solve_loops: self.solve_loops,
            accuracies: self.accuracies,
            controlled: Vec::new(),
            described: self.described,
            stated_units: self.units,
            units,
            facts: OnceLock::new(),
            dependencies,
            schedule,
            arena_width: layout.arena_width,
            state_width: layout.state_width,
            discrete_width: layout.discrete_width,
            scratch_width,
        };
        inner.controlled = controlled(&inner)?;
        Ok(Diagram { inner: Arc::new(inner) })
    }
}

/// The outputs under error control.
fn controlled(inner: &Inner) -> Result<Vec<ControlledOutput>, BuildErrors> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for (output, accuracy) in &inner.accuracies {
        let Some((block, port)) = inner.find_output(output) else {
            let fault = "there is no such output `block.port`".to_owned();
            faults.push(BuildError::Controlled { output: output.clone(), fault });
            continue;
        };
        match accuracy.clone().expand("accuracy", inner.blocks[block].outputs[port].len()) {
            Ok(accuracies) if accuracies.iter().all(|accuracy| *accuracy > 0.0) => {
                found.push(ControlledOutput { block, port, accuracies });
            }
            Ok(_) => {
                let fault = "accuracies are positive".to_owned();
                faults.push(BuildError::Controlled { output: output.clone(), fault });
            }
            Err(error) => faults.push(BuildError::Controlled { output: output.clone(), fault: error.to_string() }),
        }
    }
    if faults.is_empty() { Ok(found) } else { Err(BuildErrors(faults)) }
}

/// Fault if the diagram has more numbers than are allowed.
fn too_large(blocks: &[(String, Arc<dyn ErasedSystem>)]) -> Option<BuildError> {
    let ports = blocks.iter().map(|(_, system)| system.ports());
    let numbers: usize = ports.map(|p| p.outputs_width() + p.continuous_width() + p.discrete_width()).sum();
    if numbers > MAX_NUMBERS {
        return Some(BuildError::TooLarge { numbers });
    }
    let what = || format!("a diagram of {numbers} numbers of outputs and state");
    memory::ask(what, BYTES_OF_A_NUMBER * numbers as u64).err().map(BuildError::from)
}

/// Faults of periodic events whose times cannot be counted.
fn bad_samplings(blocks: &[(String, Arc<dyn ErasedSystem>)]) -> Vec<BuildError> {
    let events = blocks.iter().flat_map(|(name, system)| system.ports().ticks().iter().map(move |s| (name, s)));
    let bad = events.filter(|(_, s)| !(s.period >= 1e-9 && s.period.is_finite() && s.offset.is_finite()));
    bad.map(|(name, s)| BuildError::BadSampling { block: name.clone(), period: s.period, offset: s.offset }).collect()
}

/// Layout of the arena (all outputs block by block, then the fixed values) and of the state (block by block).
struct Layout {
    blocks: Vec<Block>,
    fixed: Vec<(Range<usize>, Vec<f64>)>,
    arena_width: usize,
    state_width: usize,
    discrete_width: usize,
}

impl Layout {
    fn new(systems: Vec<(String, Arc<dyn ErasedSystem>)>, wiring: Wiring) -> Self {
        let (mut arena, mut state, mut held) = (0, 0, 0);
        let mut blocks = Vec::with_capacity(systems.len());
        for (name, system) in systems {
            let ports = system.ports();
            let outputs = ports.outputs().iter().map(|o| arena + o.range.start..arena + o.range.end).collect();
            let states = state..state + ports.continuous_width();
            arena += ports.outputs_width();
            state = states.end;
            let discrete = held..held + ports.discrete_width();
            held = discrete.end;
            let (inputs, sources) = (Vec::new(), Vec::new());
            blocks.push(Block { name, system, state: states, discrete, inputs, sources, outputs });
        }
        let mut fixed = Vec::new();
        for (block, wires) in wiring.into_iter().enumerate() {
            for wire in wires {
                let (range, source) = match wire {
                    InputSource::Unconnected => (None, Source::Unconnected),
                    InputSource::Output(from, port) => {
                        (Some(blocks[from].outputs[port].clone()), Source::Output { block: from, port })
                    }
                    InputSource::Fixed(values) => {
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
        Layout { blocks, fixed, arena_width: arena, state_width: state, discrete_width: held }
    }
}
