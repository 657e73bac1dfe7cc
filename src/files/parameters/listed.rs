//! The parameters of a file as they are listed.

use super::table::{State, Table};
use crate::node::Position;

/// A parameter of a diagram file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileParameter {
    /// Its name.
    pub name: String,
    /// Its value, in SI units.
    pub value: f64,
    /// Its unit; empty if the file states none.
    pub unit: String,
    /// Smallest and largest value, if the file states them.
    pub range: Option<[f64; 2]>,
    /// Its meaning; empty if the file states none.
    pub about: String,
    /// The formula of its value, as it is written; `None` for a number.
    pub formula: Option<String>,
    /// Paths of the values that use it.
    pub uses: Vec<String>,
    /// Place of its name.
    pub at: Position,
}

impl Table<'_> {
    /// The parameters with their values, in the order of the file; those with faults are left out.
    pub(super) fn listed(&self) -> Vec<FileParameter> {
        let rows = self.rows().iter().filter_map(|row| {
            let State::Known(Some(value)) = row.state else { return None };
            let unit = row.declared.unit.as_ref().filter(|unit| unit.name != "1");
            let mut uses = row.uses.clone();
            uses.dedup();
            Some(FileParameter {
                name: row.declared.name.clone(),
                value,
                unit: unit.map_or_else(String::new, |unit| unit.name.clone()),
                range: row.range,
                about: row.declared.about.clone(),
                formula: row.formula.clone(),
                uses,
                at: row.declared.at,
            })
        });
        rows.collect()
    }
}
