//! The units of all wires, inferred from those that blocks declare and from the rules of blocks ([`UnitRule`]).
//!
//! Known units move forward, from outputs through wires to inputs and by the rules of blocks to outputs. A number whose
//! unit is not known fits every other: nothing that could be right is refused. A number keeps the unit that it got
//! first, so the pass ends, also where wires form a circle.

use super::alias::Alias;
use super::fault::{BuildError, Side, UnlikeUnits};
use super::lookup::Lookup;
use super::selection::WrittenWires;
use super::stated_units::{OutputUnits, StatedUnits};
use super::wiring::{InputSource, Wiring};
use kinegraph_core::Ports;
use kinegraph_core::unit::Dimension;
use kinegraph_core::unit_rules::UnitRule;
use std::collections::{HashMap, VecDeque};

/// Maximum number of faults of units; one wrong unit gives faults in all that follows.
const MAX_FAULTS: usize = 20;

struct Units<'a> {
    lookup: &'a Lookup<'a>,
    wiring: &'a Wiring,
    /// Place of the outputs of each block in `known`.
    starts: Vec<usize>,
    known: OutputUnits,
    stated: HashMap<usize, &'a StatedUnits>,
}

/// A number of a block's input.
#[derive(Clone, Copy)]
struct Place {
    block: usize,
    input: usize,
    element: usize,
}

/// Infers the units of all outputs, and reports wires of unlike units.
pub(super) fn infer(
    lookup: &Lookup<'_>,
    wiring: &Wiring,
    stated: &[(String, StatedUnits)],
    written: &WrittenWires,
    faults: &mut Vec<BuildError>,
) -> OutputUnits {
    let ports = || lookup.blocks.iter().map(|(_, system)| system.ports());
    let mut width = 0;
    let mut starts = Vec::new();
    for ports in ports() {
        starts.push(width);
        width += ports.outputs_width();
    }
    let stated = stated.iter().filter_map(|(name, units)| Some((*lookup.by_name.get(name.as_str())?, units))).collect();
    let mut units = Units { lookup, wiring, starts, known: vec![None; width], stated };
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); wiring.len()];
    for (reader, sources) in wiring.iter().enumerate() {
        for source in sources {
            if let InputSource::Output(from, _) = source {
                readers[*from].push(reader);
            }
        }
    }
    let mut queue: VecDeque<usize> = (0..wiring.len()).collect();
    let mut is_waiting = vec![true; wiring.len()];
    while let Some(block) = queue.pop_front() {
        is_waiting[block] = false;
        if units.update(block) {
            for &reader in &readers[block] {
                if !std::mem::replace(&mut is_waiting[reader], true) {
                    queue.push_back(reader);
                }
            }
        }
    }
    let mut found = Vec::new();
    for block in 0..wiring.len() {
        units.check(block, written, &mut found);
    }
    found.truncate(MAX_FAULTS);
    faults.append(&mut found);
    units.known
}

impl<'a> Units<'a> {
    fn ports(&self, block: usize) -> &'a Ports {
        self.lookup.blocks[block].1.ports()
    }

    /// Sets units of outputs of a block that follow from those of its inputs; true if one was set.
    fn update(&mut self, block: usize) -> bool {
        let ports = self.ports(block);
        let mut changed = false;
        match self.stated.get(&block).copied() {
            Some(StatedUnits::Any) => return false,
            Some(StatedUnits::Outputs(units)) => {
                for place in ports.outputs().first().map_or(0..0, |first| 0..first.width) {
                    let unit = units.get(if units.len() == 1 { 0 } else { place }).copied().flatten();
                    changed |= self.set(block, place, unit);
                }
            }
            None => {}
        }
        for output in ports.outputs() {
            for place in 0..output.width {
                let unit = output.unit(place);
                changed |= !unit.is_empty() && self.set(block, output.range.start + place, Dimension::read(unit));
            }
        }
        for rule in ports.unit_rules() {
            changed |= self.apply(block, ports, rule);
        }
        changed
    }

    fn apply(&mut self, block: usize, ports: &Ports, rule: &UnitRule) -> bool {
        let mut changed = false;
        match rule {
            UnitRule::Alike { inputs, outputs } => {
                for output in outputs.iter().map(|&output| &ports.outputs()[output]) {
                    for place in 0..output.width {
                        let unit = inputs.iter().find_map(|&input| self.unit_at(block, input, place));
                        changed |= self.set(block, output.range.start + place, unit);
                    }
                }
            }
            UnitRule::Product { output, factor, inputs } => {
                let output = &ports.outputs()[*output];
                for place in 0..output.width {
                    let factor = if let [one] = factor.as_slice() { Some(one) } else { factor.get(place) };
                    let mut unit = factor.copied().flatten();
                    for &(input, power) in inputs {
                        let of_input = self.unit_at(block, input, place);
                        unit = unit.zip(of_input).and_then(|(unit, other)| unit.times(other, power));
                    }
                    changed |= self.set(block, output.range.start + place, unit);
                }
            }
            UnitRule::Gather { output, from } => {
                let start = ports.outputs()[*output].range.start;
                for (place, source) in from.iter().enumerate() {
                    let unit = source.and_then(|(input, element)| self.unit_of(Place { block, input, element }));
                    changed |= self.set(block, start + place, unit);
                }
            }
        }
        changed
    }

    /// Sets the unit of an output number of a block that has none yet.
    fn set(&mut self, block: usize, place: usize, unit: Option<Dimension>) -> bool {
        let known = &mut self.known[self.starts[block] + place];
        let is_new = known.is_none() && unit.is_some();
        if is_new {
            *known = unit;
        }
        is_new
    }

    /// Unit of the number of an input at a place; an input of one number has it at every place.
    fn unit_at(&self, block: usize, input: usize, place: usize) -> Option<Dimension> {
        let is_one = self.ports(block).inputs()[input].width == 1;
        self.unit_of(Place { block, input, element: if is_one { 0 } else { place } })
    }

    fn unit_of(&self, Place { block, input, element }: Place) -> Option<Dimension> {
        let InputSource::Output(from, port) = self.wiring[block][input] else { return None };
        let output = &self.ports(from).outputs()[port];
        (element < output.width).then(|| self.known[self.starts[from] + output.range.start + element]).flatten()
    }

    /// Reports the wires to a block that carry other units than it asks for.
    fn check(&self, block: usize, written: &WrittenWires, faults: &mut Vec<BuildError>) {
        if matches!(self.stated.get(&block), Some(StatedUnits::Any)) {
            return;
        }
        let ports = self.ports(block);
        for (index, input) in ports.inputs().iter().enumerate() {
            let unlike = (0..input.width).find_map(|element| {
                let place = Place { block, input: index, element };
                let (unit, wanted) = (self.unit_of(place)?, Dimension::read(input.unit(element))?);
                (!unit.fits(wanted)).then_some((place, unit, wanted))
            });
            if let Some((place, unit, wanted)) = unlike {
                faults.push(self.fault(place, unit, wanted, None, written));
            }
        }
        for rule in ports.unit_rules() {
            let UnitRule::Alike { inputs, .. } = rule else { continue };
            self.check_alike(block, inputs, written, faults);
        }
    }

    /// Reports the inputs whose unit is not that of the first of them.
    fn check_alike(&self, block: usize, inputs: &[usize], written: &WrittenWires, faults: &mut Vec<BuildError>) {
        let ports = self.ports(block);
        let width = inputs.iter().map(|&input| ports.inputs()[input].width).max().unwrap_or(0);
        let mut reported = vec![false; inputs.len()];
        for place in 0..width {
            let known = inputs.iter().enumerate().filter_map(|(i, &input)| {
                let element = if ports.inputs()[input].width == 1 { 0 } else { place };
                let place = Place { block, input, element };
                Some((i, place, self.unit_of(place)?))
            });
            let mut known = known.collect::<Vec<_>>().into_iter();
            let Some((_, first, wanted)) = known.next() else { continue };
            for (i, place, unit) in known.filter(|(.., unit)| !unit.fits(wanted)) {
                if !std::mem::replace(&mut reported[i], true) {
                    faults.push(self.fault(place, unit, wanted, Some(first), written));
                }
            }
        }
    }

    fn fault(
        &self,
        place: Place,
        unit: Dimension,
        wanted: Dimension,
        like: Option<Place>,
        written: &WrittenWires,
    ) -> BuildError {
        let (output, input) = self.ends(place, written);
        let like = like.map(|first| {
            let (output, input) = self.ends(first, written);
            format!("{output} -> {input}")
        });
        let factor = wanted.times(unit, -1).map_or_else(String::new, |factor| factor.to_string());
        let block = self.lookup.blocks[place.block].0.clone();
        // Of a wire with several numbers the first that does not fit is named.
        let elements = self.ports(place.block).inputs()[place.input].width;
        let number = (elements > 1).then_some(place.element);
        let (from, to) = (unit.to_string(), wanted.to_string());
        let units = Box::new(UnlikeUnits { number, from, to, like, factor, block });
        BuildError::UnitMismatch { output, input, units }
    }

    /// Paths of the output and of the input of the wire to a number, as the user wrote them.
    fn ends(&self, place: Place, written: &WrittenWires) -> (String, String) {
        let Place { block, input, element } = place;
        let InputSource::Output(from, port) = self.wiring[block][input] else {
            return (String::new(), self.lookup.input_path((block, input)));
        };
        if let Some(ends) = written.get(&self.lookup.blocks[from].0).and_then(|wires| wires.get(element)?.clone()) {
            return ends;
        }
        let blocks = self.lookup.blocks;
        let alias = |side, port: (usize, usize), other: usize| {
            // The name used for the wire is that of the outermost diagram that does not hold its other end.
            let is_used = |alias: &&Alias| {
                let within = blocks[other].0.strip_prefix(alias.diagram.as_str());
                let holds = alias.diagram.is_empty() || within.is_some_and(|rest| rest.starts_with('/'));
                alias.side == side && alias.ports.contains(&port) && !holds
            };
            let named = self.lookup.aliases.iter().enumerate().filter(|(_, alias)| is_used(alias));
            named.min_by_key(|(_, alias)| alias.diagram.len()).map(|(at, _)| at)
        };
        let output = self.lookup.named_output(alias(Side::Output, (from, port), block), (from, port));
        let input = self.lookup.named_input(alias(Side::Input, (block, input), from), (block, input));
        (output, input)
    }
}
