//! Linear models as tables.

use super::console::Console;
use crate::linearize::state_space::{HeldKind, HeldPart};
use crate::simulate::{EquilibriumFound, LinearizeReport, MeasuredPoint};
use std::io;

pub(super) fn summarize(report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<()> {
    let at = if report.trimmed { "equilibrium" } else { "operating point" };
    let (time, rate) = (short(report.time), short(report.largest_rate));
    writeln!(console.out, "{}: {at} at t = {time} s, largest rate {rate}", report.diagram)?;
    if let Some(period) = report.period {
        writeln!(console.out, "discrete time, period {} s: x[k+1] = A x[k] + B u[k], poles in z", short(period))?;
    }
    let out = &mut *console.out;
    if let Some(removed) = &report.removed {
        let (unreachable, unobservable) = (removed.unreachable.len(), removed.unobservable.len());
        writeln!(
            out,
            "minimal to {}: {} of {} states removed, {unreachable} that no input moves, {unobservable} that no output \
             shows",
            short(removed.tolerance),
            unreachable + unobservable,
            removed.states
        )?;
        for (what, poles) in [("no input moves", &removed.unreachable), ("no output shows", &removed.unobservable)] {
            let shown: Vec<String> = poles.iter().map(|pole| complex(pole.re, pole.im)).collect();
            if !shown.is_empty() {
                writeln!(out, "  poles that {what}: {}", shown.join("  "))?;
            }
        }
    }
    if let Some(reduction) = &report.reduction {
        let values: Vec<String> = reduction.hankel.iter().map(|value| short(*value)).collect();
        writeln!(out, "reduced from {} to {} states", reduction.states, report.states.len())?;
        writeln!(out, "  Hankel singular values: {}", values.join("  "))?;
        if reduction.unstable > 0 {
            writeln!(out, "  {} states are not stable and stay as they are", reduction.unstable)?;
        }
        writeln!(out, "  error of the response at most {} at every frequency", short(reduction.error_bound))?;
    }
    let values = |values: &[f64]| values.iter().map(|value| vec![*value]).collect::<Vec<_>>();
    let value = ["value".to_owned()];
    table(out, "states", &report.states, &value, &values(&report.state_values))?;
    table(out, "inputs", &report.inputs, &value, &values(&report.input_values))?;
    let (names, chosen): (Vec<String>, Vec<f64>) =
        report.chosen_inputs.iter().map(|input| (input.name.clone(), input.value)).unzip();
    table(out, "inputs that the search chose", &names, &value, &values(&chosen))?;
    show_held(report, out)?;
    table(out, "A", &report.states, &report.states, &report.a)?;
    table(out, "B", &report.states, &report.inputs, &report.b)?;
    table(out, "C", &report.outputs, &report.states, &report.c)?;
    table(out, "D", &report.outputs, &report.inputs, &report.d)?;
    for (title, roots) in [("poles", &report.poles), ("zeros", &report.zeros)] {
        let rows: Vec<Vec<f64>> = roots.iter().map(|root| vec![root.re, root.im]).collect();
        let numbers: Vec<String> = (1..=rows.len()).map(|number| number.to_string()).collect();
        table(out, title, &numbers, &["re".to_owned(), "im".to_owned()], &rows)?;
    }
    Ok(())
}

/// Part of the friction that is left below which bodies are about to slide.
const SMALL_MARGIN: f64 = 0.1;

/// Contacts and what holds, with their forces.
fn show_held(report: &LinearizeReport, out: &mut dyn io::Write) -> io::Result<()> {
    if !report.held.is_empty() {
        writeln!(out, "\n{}", if report.contact == "hold" { "held" } else { "contacts and constraints" })?;
    }
    for part in &report.held {
        let (what, force) = (part.names.join(" and "), short(part.force));
        let HeldPart { plant, points, friction, slip, margin, .. } = part;
        match part.kind {
            HeldKind::Constraint => writeln!(out, "  {plant}: constraint {what}: {force} N or N m")?,
            HeldKind::Stop => writeln!(out, "  {plant}: {what} at its stop: {force} N or N m")?,
            HeldKind::Lock => writeln!(out, "  {plant}: {what} is locked: {force} N or N m")?,
            HeldKind::Sticks => {
                let left = margin.map_or_else(String::new, |left| format!(", {} % of it left", short(100.0 * left)));
                let friction = short(*friction);
                writeln!(out, "  {plant}: {what} stick in {points} points: {force} N, friction {friction} N{left}")?;
            }
            HeldKind::Slides => {
                let (friction, slip) = (short(*friction), short(*slip));
                writeln!(
                    out,
                    "  {plant}: {what} slide in {points} points at {slip} m/s: {force} N, friction {friction} N"
                )?;
            }
        }
    }
    Ok(())
}

pub(super) fn show_margins(report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<()> {
    let Some(margins) = &report.margins else {
        let (inputs, outputs) = (report.inputs.len(), report.outputs.len());
        return writeln!(
            console.err,
            "note: margins are those of one input and one output, here there are {inputs} and {outputs}"
        );
    };
    let loop_is = if report.opened { "the loop as it is" } else { "negative feedback of the output" };
    writeln!(console.out, "\nmargins of {loop_is}")?;
    let at = |w: Option<f64>| w.map_or_else(String::new, |w| format!("  at {} rad/s", short(w)));
    let shown = |value: Option<f64>, unit: &str| match value {
        Some(value) => format!("{}{unit}", short(value)),
        None => "none: the response does not cross".to_owned(),
    };
    let decibels = margins.gain.map_or_else(String::new, |gain| format!(" ({} dB)", short(20.0 * gain.log10())));
    writeln!(console.out, "  gain              {}{decibels}{}", shown(margins.gain, ""), at(margins.gain_frequency))?;
    writeln!(console.out, "  phase             {}{}", shown(margins.phase_deg, " deg"), at(margins.phase_frequency))?;
    writeln!(console.out, "  delay             {}", shown(margins.delay_s, " s"))?;
    let bound = if margins.peaks_are_lower_bounds { " (or more)" } else { "" };
    for (name, peak, frequency) in [
        ("peak sensitivity", margins.peak_sensitivity, margins.peak_frequency),
        ("peak complementary", margins.peak_complementary, margins.complementary_frequency),
    ] {
        writeln!(console.out, "  {name:<17} {}{}{bound}", short(peak), at(Some(frequency)))?;
    }
    match margins.closed_loop_stable {
        Some(true) => writeln!(console.out, "  the closed loop is stable"),
        Some(false) => writeln!(console.out, "  the closed loop is not stable"),
        None => Ok(()),
    }
}

/// The equilibria that were found.
pub(super) fn show_equilibria(report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<()> {
    if report.equilibria.is_empty() {
        return Ok(());
    }
    let out = &mut *console.out;
    writeln!(out, "{} equilibria, the nearest first", report.equilibria.len())?;
    let names: Vec<String> = (1..=report.equilibria.len()).map(|number| number.to_string()).collect();
    let columns = [report.equilibrium_states.as_slice(), &report.inputs, &["growth".to_owned()]].concat();
    let row = |found: &EquilibriumFound| [found.states.as_slice(), &found.inputs, &[found.growth]].concat();
    let rows: Vec<Vec<f64>> = report.equilibria.iter().map(row).collect();
    table(out, "", &names, &columns, &rows)?;
    let stable: Vec<String> =
        names.iter().zip(&report.equilibria).filter(|(_, e)| e.stable).map(|(n, _)| n.clone()).collect();
    let list = if stable.is_empty() { "none".to_owned() } else { stable.join(", ") };
    writeln!(out, "stable: {list}\n")
}

/// Measured responses beside those of the model.
pub(super) fn show_measured(report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<()> {
    let out = &mut *console.out;
    for response in &report.measured {
        writeln!(out, "\nmeasured from {} to {}", response.input, response.output)?;
        let names: Vec<String> = response.points.iter().map(|point| short(point.w)).collect();
        let columns = ["re", "im", "model re", "model im", "deviation"].map(str::to_owned);
        let row = |p: &MeasuredPoint| vec![p.re, p.im, p.linear_re, p.linear_im, p.deviation];
        let rows: Vec<Vec<f64>> = response.points.iter().map(row).collect();
        table(out, "rad/s", &names, &columns, &rows)?;
        let worst = response.points.iter().max_by(|a, b| a.deviation.total_cmp(&b.deviation));
        if let Some(worst) = worst {
            let (deviation, w) = (short(100.0 * worst.deviation), short(worst.w));
            writeln!(out, "largest deviation from the model {deviation} % at {w} rad/s")?;
        }
    }
    Ok(())
}

/// The largest gain over all frequencies.
pub(super) fn show_peak_gain(report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<()> {
    match &report.peak_gain {
        Some(peak) => {
            let bound = if peak.lower_bound { " (or more: a delayed signal has no finite model)" } else { "" };
            writeln!(console.out, "\npeak gain {} at {} rad/s{bound}", short(peak.gain), short(peak.frequency))
        }
        None if report.inputs.is_empty() || report.outputs.is_empty() => Ok(()),
        None => writeln!(console.out, "\nno peak gain: the model is not stable"),
    }
}

/// A complex number in one word.
pub(super) fn complex(re: f64, im: f64) -> String {
    match im {
        0.0 => short(re),
        im if im < 0.0 => format!("{}-{}i", short(re), short(-im)),
        im => format!("{}+{}i", short(re), short(im)),
    }
}

/// Table with names at the left and on top; empty for an empty matrix.
pub(super) fn table(
    out: &mut dyn io::Write,
    title: &str,
    rows: &[String],
    columns: &[String],
    entries: &[Vec<f64>],
) -> io::Result<()> {
    if rows.is_empty() || columns.is_empty() {
        return Ok(());
    }
    let length = |name: &str| name.chars().count();
    let left = rows.iter().map(|name| length(name)).max().unwrap_or(0).max(length(title));
    let shown: Vec<Vec<String>> = entries.iter().map(|row| row.iter().map(|x| short(*x)).collect()).collect();
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(j, name)| shown.iter().map(|row| length(&row[j])).max().unwrap_or(0).max(length(name)))
        .collect();
    write!(out, "\n{title:<left$}")?;
    for (name, width) in columns.iter().zip(&widths) {
        write!(out, "  {name:>width$}")?;
    }
    writeln!(out)?;
    for (name, row) in rows.iter().zip(&shown) {
        write!(out, "{name:<left$}")?;
        for (entry, width) in row.iter().zip(&widths) {
            write!(out, "  {entry:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Number with six digits.
pub(super) fn short(x: f64) -> String {
    crate::files::node::show_rounded(x + 0.0, 5)
}

/// Writes the notes: parts that a model leaves out, and those that stand for others in it.
pub(super) fn notes(report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<()> {
    if let Some(order) = report.pade_order {
        let rest = match report.period {
            None if report.exact_delays => "responses and margins have the delays themselves",
            None => "and so in all that is made from them",
            Some(_) => "delays of signals that change at events only are exact",
        };
        writeln!(console.err, "note: in A, B, C, D each delay is a rational function of degree {order}; {rest}")?;
    }
    if report.rounded_delays > 0.0 {
        writeln!(
            console.err,
            "note: the delays have no common divisor that is not tiny: in step responses they are changed by up to {} s",
            short(report.rounded_delays)
        )?;
    }
    if !report.cut_by.is_empty() {
        writeln!(
            console.err,
            "note: samples and delays cut paths of the model, what they hold counts as constant and loops that they \
             close are open: {}{}",
            report.cut_by.join(", "),
            if report.period.is_none() {
                " (--sampled makes a model in discrete time, with the samples in it)"
            } else {
                ""
            }
        )?;
    }
    if !report.flat.is_empty() {
        writeln!(
            console.err,
            "note: these blocks pass nothing on where the model was made, and what leads through them alone is zero in \
             it: {}",
            report.flat.join(", ")
        )?;
    }
    for part in report.held.iter().filter(|part| part.margin.is_some_and(|margin| margin < SMALL_MARGIN)) {
        let (what, left) = (part.names.join(" and "), short(100.0 * part.margin.unwrap_or_default()));
        writeln!(
            console.err,
            "note: {}: {what} are about to slide: {left} % of the friction that they can have is left",
            part.plant
        )?;
    }
    let touches = report.held.iter().any(|part| part.points > 0);
    if report.contact == "hold" && report.held.is_empty() {
        writeln!(console.err, "note: nothing touches or holds at the operating point: --contact hold changes nothing")?;
    } else if report.contact == "hold" && touches {
        writeln!(
            console.err,
            "note: forces that equilibrium does not determine are as near to those of the contact law as it allows, and \
             of least norm where nothing is compressed"
        )?;
    } else if report.contact == "law" && report.trimmed && touches {
        writeln!(
            console.err,
            "note: regularized friction has no force at rest: normal forces alone hold this equilibrium (--contact hold \
             lets friction carry loads)"
        )?;
    }
    if !report.without_contact.is_empty() {
        let left_out = report.without_contact.join(", ");
        writeln!(console.err, "note: left out, as if they did not touch: {left_out}")?;
    }
    Ok(())
}
