//! `kinegraph fit FILE --torques MODEL`: inertial parameters of an arm from recorded torques.

use super::console::{Console, DONE, WRONG_INPUT};
use super::numbers::short;
use super::outputs::{OutputFormat, Outputs};
use super::report;
use crate::fit::arm::{ArmFit, ArmReport};
use crate::fit::{FitAsked, FitError};
use crate::sweep::{Template, Variation};
use crate::whole_file;
use serde_json::json;
use std::io;
use std::path::Path;

/// A fit of an arm.
pub(super) struct Asked<'a> {
    pub file: &'a Path,
    pub asked: &'a FitAsked,
    pub out: Option<&'a Path>,
    pub json: bool,
}

pub(super) fn execute(asked: &Asked<'_>, template: &Template, console: &mut Console<'_>) -> io::Result<u8> {
    let scenario = match template.scenario(&Variation::default()) {
        Ok(scenario) => scenario,
        Err(error) => {
            report::faults(&error.faults, &error.name, &error.text, console)?;
            return Ok(WRONG_INPUT);
        }
    };
    let data = &asked.asked.data;
    if data.is_empty() {
        writeln!(console.err, "{}", FitError::NO_DATA)?;
        return Ok(WRONG_INPUT);
    }
    let found = ArmFit::asked(&scenario.diagram, asked.asked);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            writeln!(console.err, "{error}")?;
            return Ok(WRONG_INPUT);
        }
    };
    if let Some(out) = asked.out
        && let Err(message) = Outputs::new(data.clone()).claim("--out", out, &OutputFormat::ANY)
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
