//! `kinegraph fit FILE --torques MODEL`: inertial parameters of an arm from recorded torques.

use super::console::{Console, DONE, WRONG_INPUT};
use super::numbers::short;
use super::outputs::{OutputFormat, Outputs};
use super::report;
use crate::files::{Catalog, Override};
use crate::fit::Match;
use crate::fit::arm::{ArmFit, ArmOptions, ArmReport};
use crate::sweep::{Template, Variation};
use crate::whole_file;
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};

/// Options of a fit of an arm.
pub(super) struct Asked<'a> {
    pub file: &'a Path,
    pub overrides: &'a [Override],
    pub data: &'a [PathBuf],
    pub matches: &'a [Match],
    pub model: &'a str,
    pub options: ArmOptions,
    pub out: Option<&'a Path>,
    pub json: bool,
}

pub(super) fn execute(asked: &Asked<'_>, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
    let opened = Template::open_over(catalog.clone(), asked.file, asked.overrides.to_vec());
    let scenario = match opened.and_then(|template| template.scenario(&Variation::default())) {
        Ok(scenario) => scenario,
        Err(error) => {
            report::faults(&error.faults, &error.name, &error.text, console)?;
            return Ok(WRONG_INPUT);
        }
    };
    let found = ArmFit::new(&scenario.diagram, asked.model)
        .and_then(|arm| arm.solve(asked.data, asked.matches, &asked.options));
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            writeln!(console.err, "{error}")?;
            return Ok(WRONG_INPUT);
        }
    };
    if let Some(out) = asked.out
        && let Err(message) = Outputs::new(asked.data.to_vec()).claim("--out", out, &OutputFormat::ANY)
    {
        writeln!(console.err, "{message}")?;
        return Ok(WRONG_INPUT);
    }
    match asked.json {
        true => writeln!(console.out, "{:#}", json!(found))?,
        false => table(&found, console)?,
    }
    if let Some(out) = asked.out {
        write(&found, &std::fs::read_to_string(asked.file).unwrap_or_default(), out, console)?;
    }
    Ok(DONE)
}

fn write(found: &ArmReport, text: &str, out: &Path, console: &mut Console<'_>) -> io::Result<()> {
    if let Some(written) = found.written(text) {
        return whole_file::write(out, written.as_bytes());
    }
    whole_file::write(out, found.entries_alone().as_bytes())?;
    writeln!(
        console.err,
        "note: {} has the links and joints alone: in the diagram file {} is not a model without `links` and `joints` of \
         its own",
        out.display(),
        found.model
    )
}

fn table(found: &ArmReport, console: &mut Console<'_>) -> io::Result<()> {
    let out = &mut *console.out;
    let width = found.parameters.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    for one in &found.parameters {
        let interval = one.interval.map_or("not determined".to_owned(), |half| format!("+- {half:.1e} (95 %)"));
        write!(out, "{:<width$}  {} {interval}, file {}", one.name, short(one.value), short(one.file))?;
        match one.sum == one.name {
            true => writeln!(out)?,
            false => writeln!(out, "; known is only {}", one.sum)?,
        }
    }
    if !found.idle.is_empty() {
        writeln!(out, "no torque depends on {}", found.idle.join(", "))?;
    }
    for words in found.open() {
        writeln!(out, "the recordings leave this open: {words}")?;
    }
    for joint in &found.joints {
        writeln!(
            out,
            "{}: root mean square of the torque {}, of differences {}, with possible masses {}, of the file {}",
            joint.joint,
            short(joint.torque),
            short(joint.fitted),
            short(joint.possible),
            short(joint.file)
        )?;
    }
    if let Some(window) = found.window {
        writeln!(out, "derivatives are those of cubics over {window} samples")?;
    }
    if !found.is_possible {
        writeln!(out, "note: no links with possible masses have these values; those that come nearest differ")?;
    }
    for note in &found.notes {
        writeln!(out, "note: {note}")?;
    }
    let (parameters, samples, joints) = (found.parameters.len(), found.samples, found.joints.len());
    writeln!(out, "{parameters} base parameters from {samples} samples of {joints} joints")
}
