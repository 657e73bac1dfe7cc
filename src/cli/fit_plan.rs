//! `kinegraph fit FILES --plan`: what experiments would show.

use super::console::{Console, DONE};
use super::numbers::short;
use crate::fit::{Experiment, PlanReport};
use serde_json::json;
use std::io;

pub(super) fn print(found: &PlanReport, as_json: bool, console: &mut Console<'_>) -> io::Result<u8> {
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
