//! Linear models as tables.

use super::console::Console;
use crate::simulate::LinearizeReport;
use std::io;

pub(super) fn summarize(report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<()> {
    let at = if report.trimmed { "equilibrium" } else { "operating point" };
    let (time, rate) = (short(report.time), short(report.largest_rate));
    writeln!(console.out, "{}: {at} at t = {time} s, largest rate {rate}", report.diagram)?;
    if let Some(period) = report.period {
        writeln!(console.out, "discrete time, period {} s: x[k+1] = A x[k] + B u[k], poles in z", short(period))?;
    }
    let out = &mut *console.out;
    let values = |values: &[f64]| values.iter().map(|value| vec![*value]).collect::<Vec<_>>();
    let value = ["value".to_owned()];
    table(out, "states", &report.states, &value, &values(&report.state_values))?;
    table(out, "inputs", &report.inputs, &value, &values(&report.input_values))?;
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
    let (peak, frequency) = (short(margins.peak_sensitivity), Some(margins.peak_frequency));
    writeln!(console.out, "  peak sensitivity  {peak}{}", at(frequency))
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
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    crate::files::node::show_number(rounded + 0.0)
}

/// What a model leaves out, and what stands for other things in it.
pub(super) fn notes(report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<()> {
    if let Some(order) = report.pade_order {
        let rest = match report.period {
            None => "responses and margins have the delays themselves",
            Some(_) => "delays of signals that change at events only are exact",
        };
        writeln!(console.err, "note: in A, B, C, D each delay is a rational function of degree {order}; {rest}")?;
    }
    if !report.cut_by.is_empty() {
        writeln!(
            console.err,
            "note: samples and delays cut paths of the model, what they hold counts as constant and loops that they \
             close are open: {}{}",
            report.cut_by.join(", "),
            if report.period.is_none() { " (--sampled makes a model in discrete time, with the samples in it)" } else { "" }
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
    for plant in &report.without_constraints {
        writeln!(
            console.err,
            "note: the constraints of `{plant}` are left out: the model moves as if they were not there"
        )?;
    }
    if !report.without_contact.is_empty() {
        let left_out = report.without_contact.join(", ");
        writeln!(console.err, "note: left out, as if they did not touch: {left_out}")?;
    }
    Ok(())
}
