//! Facts about a diagram by path. A snapshot stores them, so that a resume can detect another diagram.

use super::fact::{Digest, Fact};
use super::structure::{Block, Diagram, Source};
use kinegraph_core::ConvexPlant;
use kinegraph_core::port::Sampling;
use kinegraph_core::random::is_seed;
use std::fmt::{self, Write};

/// Up to this many periodic events of a block are facts of their own.
const MAX_TICKS: usize = 100;

/// Digest of the printed form of `value`.
fn digest(value: fmt::Arguments<'_>) -> String {
    let mut digest = Digest::default();
    // Writing to a digest does not fail.
    let _ = digest.write_fmt(value);
    digest.finish()
}

impl Diagram {
    /// Facts about the diagram, sorted by path: types of blocks, wires, fixed values, periods, seeds, contents of
    /// plants, and, if there is a diagram file, the entries of the file for each block. Parameters of blocks that a
    /// program made are not included: only the blocks know them.
    pub fn facts(&self) -> &[Fact] {
        self.inner.facts.get_or_init(|| {
            let described =
                self.inner.described.iter().map(|(_, Fact(path, text))| Fact(format!("systems.{path}"), text.clone()));
            let mut facts: Vec<Fact> = described.collect();
            let mut fixed = self.inner.fixed.iter();
            for block in self.blocks() {
                self.facts_of(block, &mut fixed, &mut facts);
            }
            if self.inner.solve_loops {
                facts.push(Fact("algebraic_loops".into(), "solve".into()));
            }
            let accuracies = self.inner.accuracies.iter();
            facts
                .extend(accuracies.map(|(path, error)| Fact(format!("outputs.accuracy.{path}"), format!("{error:?}"))));
            facts.sort();
            facts
        })
    }

    fn facts_of<'a>(
        &self,
        block: &Block,
        fixed: &mut impl Iterator<Item = &'a (std::ops::Range<usize>, Vec<f64>)>,
        facts: &mut Vec<Fact>,
    ) {
        let (name, ports) = (&block.name, block.system.ports());
        facts.push(Fact(format!("{name}: type"), short_type(block.system.type_name())));
        for (input, source) in ports.inputs().iter().zip(&block.sources) {
            let from = match source {
                Source::Unconnected => continue,
                Source::Output { block: from, port } => {
                    let from = &self.blocks()[*from];
                    format!("from {}.{}", from.name, from.system.ports().outputs()[*port].name)
                }
                Source::Fixed => {
                    let values = fixed.next().map_or(&[][..], |(_, values)| values);
                    digest(format_args!("fixed {values:?}"))
                }
            };
            facts.push(Fact(format!("{name}.{}", input.name), from));
        }
        let (once, many) = (|tick: &&Sampling| tick.is_once(), ports.ticks().len() > MAX_TICKS);
        if many {
            let times: Vec<f64> = ports.ticks().iter().filter(once).map(|tick| tick.offset).collect();
            facts.push(Fact(format!("{name}: times"), digest(format_args!("{times:?}"))));
        }
        for (i, tick) in ports.ticks().iter().enumerate().filter(|(_, tick)| !(many && tick.is_once())) {
            facts.push(Fact(format!("{name}: period {i}"), format!("{:?} s from {:?} s", tick.period, tick.offset)));
        }
        for run in ports.discrete().iter().filter(|run| is_seed(run)) {
            facts.push(Fact(format!("{name}: seed"), format!("{:?}", run.initial)));
        }
        if let Some(plant) = block.system.as_plant() {
            facts_of_plant(name, plant, facts);
        }
    }
}

fn facts_of_plant(name: &str, plant: &dyn ConvexPlant, facts: &mut Vec<Fact>) {
    let structure = plant.structure();
    facts.push(Fact(format!("{name}: gravity"), format!("{:?}", structure.gravity)));
    facts.push(Fact(format!("{name}: bodies, joints and constraints"), digest(format_args!("{structure:?}"))));
    facts.push(Fact(format!("{name}: reach of shapes"), digest(format_args!("{:?}", plant.reach()))));
}

/// Name of a type without its modules.
pub fn short_type(name: &str) -> String {
    let mut short = String::new();
    for (i, part) in name.split("::").enumerate() {
        if i > 0 {
            // A module stands between the last bracket or comma and `::`.
            let kept = short.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
            short.truncate(kept);
        }
        short.push_str(part);
    }
    short
}
