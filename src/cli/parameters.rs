//! `kinegraph parameters FILE`: the parameters of a diagram file.

use super::console::{Console, DONE, WRONG_INPUT};
use super::{report, scenario};
use crate::files::node::show_number;
use crate::files::{Catalog, FileParameter, Override};
use clap::Args;
use serde_json::json;
use std::io;
use std::path::PathBuf;

/// List the parameters of a diagram file: value, unit, range and where each is used
#[derive(Debug, Args)]
pub(super) struct Parameters {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// Replace a value of the file, e.g. parameters.m=3
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

impl Parameters {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let loaded = match scenario::part(catalog, &self.file, &self.overrides) {
            Ok(loaded) => loaded,
            Err(error) => {
                report::faults(&error.faults, &error.name, &error.text, console)?;
                return Ok(WRONG_INPUT);
            }
        };
        let parameters = &loaded.diagram.parameters;
        if self.json {
            let all: Vec<serde_json::Value> = parameters.iter().map(as_json).collect();
            writeln!(console.out, "{:#}", json!({ "parameters": all }))?;
        } else if parameters.is_empty() {
            writeln!(console.out, "{}: no parameters", self.file.display())?;
        } else {
            table(parameters, console)?;
        }
        Ok(DONE)
    }
}

fn as_json(one: &FileParameter) -> serde_json::Value {
    json!({
        "name": one.name,
        "value": one.value,
        "unit": one.unit,
        "range": one.range,
        "about": one.about,
        "formula": one.formula,
        "used": one.uses,
    })
}

fn table(parameters: &[FileParameter], console: &mut Console<'_>) -> io::Result<()> {
    let rows: Vec<[String; 3]> = parameters.iter().map(|one| [one.name.clone(), value(one), range(one)]).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (names, values, ranges) = (width(0), width(1), width(2));
    for (row, one) in rows.iter().zip(parameters) {
        let [name, value, range] = row;
        let used = if one.uses.is_empty() { "not used".to_owned() } else { one.uses.join(", ") };
        writeln!(console.out, "{name:<names$}  {value:<values$}  {range:<ranges$}  {used}")?;
        let notes = [one.about.as_str(), one.formula.as_deref().unwrap_or("")];
        let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
        if !notes.is_empty() {
            writeln!(console.out, "{:<names$}  {}", "", notes.join("; "))?;
        }
    }
    Ok(())
}

fn value(one: &FileParameter) -> String {
    format!("{} {}", show_number(one.value), one.unit).trim_end().to_owned()
}

fn range(one: &FileParameter) -> String {
    one.range.map_or_else(|| "any".to_owned(), |[low, high]| format!("{} to {}", show_number(low), show_number(high)))
}
