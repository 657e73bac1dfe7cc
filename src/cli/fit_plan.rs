//! `kinegraph fit FILES --plan`: what experiments would show.

use super::console::{Console, DONE, WRONG_INPUT};
use super::numbers::short;
use crate::files::{Catalog, Override};
use crate::fit::{Experiment, Fit, FitError, Fitted, Match, Noise, PlanReport};
use crate::gradient::FileGradientError;
use crate::sweep::{Axis, Sweep, Template};
use serde_json::json;
use std::io;
use std::path::PathBuf;

/// Options of a plan.
pub(super) struct Asked<'a> {
    pub files: &'a [PathBuf],
    pub overrides: &'a [Override],
    pub data: &'a [PathBuf],
    pub matches: &'a [Match],
    pub numbers: Vec<Fitted>,
    pub noise: &'a [Noise],
    pub vary: &'a [Axis],
}

/// The experiments: every file with every combination of the values that are varied.
pub(super) fn report(asked: &Asked<'_>, catalog: &Catalog) -> Result<Option<PlanReport>, FitError> {
    let sweep = Sweep { vary: asked.vary.to_vec(), ..Sweep::default() };
    let mut experiments = Vec::new();
    for file in asked.files {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        for variation in (0..sweep.len()).filter_map(|index| sweep.variation(index)) {
            let mut overrides = asked.overrides.to_vec();
            let own = variation.overrides.iter();
            overrides.extend(own.map(|(path, value)| Override::flag_of("--vary", path, value)));
            let template = Template::open_over(catalog.clone(), file, overrides)
                .map_err(|error| FitError::File(FileGradientError::Load(error)))?;
            let (numbers, matches) = (asked.numbers.clone(), asked.matches.to_vec());
            let fit = match asked.data.is_empty() {
                true => Fit::planned(template, &text, numbers, matches, None)?,
                false => Fit::new(template, &text, numbers, matches, asked.data)?,
            };
            let values: Vec<String> =
                variation.overrides.iter().map(|(path, value)| format!("{path}={value}")).collect();
            let file = file.display();
            let name = if values.is_empty() { file.to_string() } else { format!("{file} with {}", values.join(" ")) };
            experiments.push(fit.with_noise(asked.noise)?.experiment(&name)?);
        }
    }
    Ok(PlanReport::of(experiments))
}

pub(super) fn print(found: &Option<PlanReport>, as_json: bool, console: &mut Console<'_>) -> io::Result<u8> {
    let Some(found) = found else { return Ok(WRONG_INPUT) };
    if as_json {
        writeln!(console.out, "{:#}", json!(found))?;
        return Ok(DONE);
    }
    for (at, one) in found.experiments.iter().enumerate() {
        writeln!(console.out, "experiment {}: {}, {} samples", at + 1, one.name, one.samples)?;
        table(one, console)?;
    }
    if let Some(together) = &found.together {
        writeln!(console.out, "{}, {} samples", together.name, together.samples)?;
        table(together, console)?;
        writeln!(console.out, "experiment {} is the most informative", found.best + 1)?;
        for (name, at) in found.best_of.iter().filter(|(_, at)| *at != found.best) {
            writeln!(console.out, "for {name} alone it is experiment {}", at + 1)?;
        }
    }
    Ok(DONE)
}

fn table(one: &Experiment, console: &mut Console<'_>) -> io::Result<()> {
    let width = one.parameters.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    for number in &one.parameters {
        let interval = match number.interval {
            Some(half) => format!("would be known to +- {half:.1e} (95 %)"),
            None => "would not be determined".to_owned(),
        };
        writeln!(console.out, "  {:<width$}  {} {interval}", number.name, short(number.value))?;
    }
    for open in &one.undetermined {
        writeln!(console.out, "  it would leave this open: {}", open.words())?;
    }
    Ok(())
}
