//! Reader of a map in the diagram file: returns typed values and records every fault.
//!
//! After a wrong value, reading goes on, so that all faults of a file are reported together. The keys that were asked
//! for are the valid keys of the map; [`Reader::finish`] reports all others. A block's reader should therefore ask for
//! all of its keys first and use `?` last.

use super::fault::FaultKind;
use super::item::{Decode, Item, Parameter, Path};
use super::live_number::LiveNumber;
use super::loader::Loader;
use super::node::{Entry, Node, Position, Value, shorten};
use super::parameter::{Declaration, Key, Optional};
use super::quantity;
use kinegraph_core::names::nearest;
use kinegraph_core::sizes;
use kinegraph_core::unit::Dimension;

/// Reader of one map.
pub struct Reader<'a> {
    item: Item<'a>,
    entries: &'a [Entry],
    asked: Vec<&'static str>,
    /// Required keys that are missing, each with a description of valid values.
    missing: Vec<(&'static str, String)>,
    /// Lengths of lists with one number per signal, by their keys.
    lists: Vec<(&'static str, usize)>,
    /// Numbers that may change during a run.
    live: Vec<LiveNumber>,
    /// Units of the output, as far as they are written with the numbers that make it.
    outputs: Option<Vec<Option<Dimension>>>,
    /// Parameters asked for, if they are to be listed.
    listing: Option<Vec<Parameter>>,
}

impl<'a> Reader<'a> {
    /// Creates a reader of `item`; records a fault and returns `None` if it is not a map.
    pub fn new(item: Item<'a>) -> Option<Self> {
        match &item.node.value {
            Value::Map(entries) => {
                let (asked, missing, lists) = (Vec::new(), Vec::new(), Vec::new());
                Some(Reader { item, entries, asked, missing, lists, live: Vec::new(), outputs: None, listing: None })
            }
            _ => {
                item.wrong("a map of keys and values");
                None
            }
        }
    }

    /// Collects faults and finds files.
    pub fn loader(&self) -> &'a Loader {
        self.item.loader
    }

    /// Place where the map begins.
    pub fn at(&self) -> Position {
        self.item.node.at
    }

    /// Place of the value of `key`; the place of the map if the key is missing.
    pub fn at_key(&self, key: impl Key) -> Position {
        self.entry(key.key()).map_or(self.at(), |entry| entry.node.at)
    }

    /// True if the map has this key.
    pub fn has(&self, key: impl Key) -> bool {
        self.entry(key.key()).is_some()
    }

    /// Reads the value of a parameter. Faults of the value are recorded; a missing required key is recorded by
    /// [`finish`](Self::finish).
    pub fn get<D: Declaration>(&mut self, parameter: &D) -> D::Value {
        self.read(parameter, parameter.required())
    }

    /// Reads a parameter that is optional elsewhere, but required here.
    pub fn get_required<D: Decode>(&mut self, parameter: &Optional<D>) -> Option<D::Output> {
        self.read(parameter, Some(parameter.expects()))
    }

    fn read<D: Declaration>(&mut self, parameter: &D, required: Option<String>) -> D::Value {
        let key = parameter.name();
        self.asked.push(key);
        if let Some(listing) = &mut self.listing {
            listing.push(parameter.describe());
        }
        let entry = self.entry(key);
        if let (None, Some(expected)) = (entry, required) {
            self.missing.push((key, expected));
        }
        if parameter.is_live() {
            self.live.extend(LiveNumber::of(&parameter.describe(), entry.map(|entry| &entry.node)));
        }
        let path = Path::Key(self.item.path, key);
        let ranges = if entry.is_some() { sizes::of_declaration(parameter.about()) } else { Vec::new() };
        let value = parameter.decode(entry.map(|entry| Item {
            node: &entry.node,
            path: &path,
            loader: self.item.loader,
            ranges: &ranges,
        }));
        if let Some(length) = parameter.list_length(&value) {
            self.lists.push((key, length));
        }
        value
    }

    /// Units of the number or of the numbers at `key`, where they are written with one.
    pub fn units(&self, key: impl Key) -> Option<Vec<Option<Dimension>>> {
        let of = |node: &Node| match &node.value {
            Value::Text(text) => quantity::read(text).map(|(_, unit)| unit.dimension),
            Value::Number(_) => self.loader().derivations().unit(node.at).map(|unit| unit.dimension),
            _ => None,
        };
        let node = &self.entry(key.key())?.node;
        let units = match &node.value {
            Value::List(nodes) => nodes.iter().map(of).collect(),
            _ => vec![of(node)],
        };
        units.iter().any(Option::is_some).then_some(units)
    }

    /// States that the output has the unit of the numbers at `key`, if they are written with one, times a power of the
    /// second. Numbers in another unit than those of a key before are a fault.
    pub fn output_is(&mut self, key: impl Key, seconds: i32) {
        let Some(units) = self.units(&key) else { return };
        self.output_has(key, seconds, units);
    }

    /// States the units of the output's numbers, which the file at `key` has.
    pub(crate) fn output_of_file(&mut self, key: impl Key, units: Vec<Option<Dimension>>) {
        if units.iter().any(Option::is_some) {
            self.output_has(key, 0, units);
        }
    }

    fn output_has(&mut self, key: impl Key, seconds: i32, units: Vec<Option<Dimension>>) {
        let times = |unit: Option<Dimension>| unit.and_then(|unit| unit.times(Dimension::SECOND, seconds));
        let units: Vec<Option<Dimension>> = units.into_iter().map(times).collect();
        let Some(before) = &mut self.outputs else {
            self.outputs = Some(units);
            return;
        };
        let width = before.len().max(units.len());
        let at =
            |units: &[Option<Dimension>], i: usize| units.get(if units.len() == 1 { 0 } else { i }).copied().flatten();
        let pairs: Vec<_> = (0..width).map(|i| (at(before, i), at(&units, i))).collect();
        let unlike = pairs.iter().find_map(|pair| match pair {
            (Some(a), Some(b)) if !a.fits(*b) => Some((*a, *b)),
            _ => None,
        });
        *before = pairs.into_iter().map(|(a, b)| a.or(b)).collect();
        if let Some((before, here)) = unlike {
            self.conflict(
                key,
                format!("{here} here, but the other numbers of the block are in {before}: write all in one"),
            );
        }
    }

    /// Units of the output that keys stated.
    pub(super) fn output_units(&self) -> Option<&[Option<Dimension>]> {
        self.outputs.as_deref()
    }

    /// Numbers read so far that may change during a run.
    pub fn live(&self) -> &[LiveNumber] {
        &self.live
    }

    /// Lengths of the lists with one number per signal read so far, by their keys.
    pub fn lists(&self) -> &[(&'static str, usize)] {
        &self.lists
    }

    /// Records that the value of `key` conflicts with others.
    pub fn conflict(&self, key: impl Key, message: impl Into<String>) {
        let path = self.path_of(&key);
        self.report(self.at_key(key), FaultKind::Conflict { path, message: message.into() });
    }

    /// Records that the value of `key` has the right type, but is not as `expected`.
    pub fn wrong(&self, key: impl Key, expected: impl Into<String>, found: impl Into<String>) {
        let path = self.path_of(&key);
        self.report(self.at_key(key), FaultKind::Value { path, expected: expected.into(), found: found.into() });
    }

    /// Records a fault at a place.
    pub fn report(&self, at: Position, kind: FaultKind) {
        self.item.loader.report(at, kind);
    }

    /// Path of the value of `key` in the tree.
    pub fn path_of(&self, key: impl Key) -> String {
        Path::Key(self.item.path, key.key()).to_string()
    }

    /// True if the map has a key that was not asked for.
    pub(super) fn has_strangers(&self) -> bool {
        self.entries.iter().any(|entry| self.asked.iter().all(|asked| *asked != entry.key))
    }

    /// Reports every key that was not asked for, and every required key that is missing.
    pub fn finish(mut self) {
        let strangers = self.entries.iter().filter(|entry| self.asked.iter().all(|asked| *asked != entry.key));
        for entry in strangers.collect::<Vec<_>>() {
            // Once faults are only counted, suggestions are not shown.
            let names = self.asked.iter().copied().take_while(|_| !self.loader().is_full());
            let nearest = nearest(&entry.key, names);
            // A missing key that is misspelt is one fault, not two.
            self.missing.retain(|(key, _)| nearest.as_deref() != Some(*key));
            let valid = self.asked.iter().map(|asked| (*asked).to_owned()).collect();
            let (path, key) = (self.item.path.to_string(), shorten(&entry.key));
            self.report(entry.key_at, FaultKind::UnknownKey { path, key, nearest, valid });
        }
        self.abandon();
    }

    /// Reports the missing keys only, for a map of unknown kind, in which other keys cannot be judged.
    pub fn abandon(self) {
        for (key, expected) in &self.missing {
            let path = self.item.path.to_string();
            self.report(self.at(), FaultKind::MissingKey { path, key: (*key).into(), expected: expected.clone() });
        }
    }

    fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

/// Parameters that `read` asks an empty map for.
pub fn parameters_of<T>(read: impl FnOnce(&mut Reader<'_>) -> T) -> Vec<Parameter> {
    let loader = Loader::of_program(std::path::Path::new(""));
    parameters_asked(&Node::from(Value::Map(Vec::new())), &loader, read)
}

/// Parameters that `read` asks a map for.
pub(super) fn parameters_asked<T>(
    node: &Node,
    loader: &Loader,
    read: impl FnOnce(&mut Reader<'_>) -> T,
) -> Vec<Parameter> {
    let Some(mut reader) = Reader::new(Item { node, path: &Path::Root, loader, ranges: &[] }) else {
        return Vec::new();
    };
    reader.listing = Some(Vec::new());
    drop(read(&mut reader));
    reader.listing.unwrap_or_default()
}
