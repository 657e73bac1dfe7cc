//! Derivations of values that formulas made, by the places of the formulas: faults of such values name them.

use crate::node::Position;
use kinegraph_core::unit::Unit;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Derivations of the values of one file.
#[derive(Debug, Default)]
pub(crate) struct Derivations(Mutex<Found>);

#[derive(Debug, Default)]
struct Found {
    /// Derivation of each value, by its place and the number of the copy of a repeated diagram, if it belongs to one.
    made: BTreeMap<(Position, Option<usize>), String>,
    /// Units of values that are those of a parameter, by place.
    units: BTreeMap<Position, Unit>,
    /// Places of formulas whose faults were recorded.
    faulty: BTreeSet<Position>,
    /// Repeated diagrams of which a copy has faults.
    faulty_rows: BTreeSet<String>,
}

impl Derivations {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the derivation of the value at a place, of this copy of a repeated diagram.
    pub fn made(&self, at: Position, copy: Option<usize>, from: String) {
        self.found().made.insert((at, copy), from);
    }

    /// Records the unit of the value at a place, which is that of a parameter.
    pub fn made_in(&self, at: Position, unit: Unit) {
        self.found().units.insert(at, unit);
    }

    /// Unit of the value at a place, if it is that of a parameter with a unit.
    pub fn unit(&self, at: Position) -> Option<Unit> {
        self.found().units.get(&at).cloned()
    }

    /// Records that the formula at a place has a fault, which was reported.
    pub fn fail(&self, at: Position) {
        self.found().faulty.insert(at);
    }

    /// True if the formula at a place has a fault: what follows from it is no further fault.
    pub fn is_faulty(&self, at: Position) -> bool {
        self.found().faulty.contains(&at)
    }

    /// Derivation of the value at a place, if a formula made it.
    pub fn of(&self, at: Position, copy: Option<usize>) -> Option<String> {
        self.found().made.get(&(at, copy)).cloned()
    }

    /// Records that a copy of this repeated diagram has faults.
    pub fn fail_row(&self, row: &str) {
        self.found().faulty_rows.insert(row.to_owned());
    }

    /// True if a copy of this repeated diagram has faults.
    pub fn is_faulty_row(&self, row: &str) -> bool {
        self.found().faulty_rows.contains(row)
    }
}
