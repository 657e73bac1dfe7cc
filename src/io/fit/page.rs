//! A fit as a page for the browser, complete in one file: values, correlations, what is left open, and the differences
//! over time and frequency.

use super::report::{FitReport, FittedNumber, FittedSeries};
use crate::plot::{PlotError, Series, TimePlot, svg};
use kinegraph_diagram::graph::escape;
use kinegraph_files::node::show_rounded;
use std::f64::consts::TAU;
use std::fmt::Write;

/// Channels of recordings that are drawn; a page with more is not read.
const MAX_DRAWN: usize = 12;
/// Numbers up to which the table of correlations is printed.
const MAX_CORRELATED: usize = 20;
/// Frequencies of a spectrum.
const FREQUENCIES: usize = 240;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1180px;padding:0 1rem;color:#222;\
background:#fff}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse}td,th{padding:\
.25rem .7rem;border-bottom:1px solid #ddd;text-align:right;font-variant-numeric:tabular-nums}td:first-child,th:first-child\
{text-align:left}.open{color:#a33}.c td{border:1px solid #fff;min-width:3.2rem}svg{max-width:100%;height:auto}ul{padding-\
left:1.2rem}";

/// The page of a fit of the diagram called `name`.
///
/// # Errors
/// A plot cannot be drawn.
pub fn page(report: &FitReport, name: &str) -> Result<String, PlotError> {
    let mut out = String::new();
    let title = escape(&format!("{name}: fit"));
    let _ = write!(out, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>");
    let _ = write!(out, "<style>{STYLE}</style><h1>{title}</h1>");
    let ended = if report.converged { "converged" } else { "<span class=\"open\">not converged</span>" };
    let (iterations, runs) = (report.iterations, report.runs);
    let _ = write!(out, "<p>{iterations} iterations, {runs} runs with derivatives, {ended}.</p>");
    values(&mut out, report);
    let open: Vec<String> = report.undetermined.iter().map(super::Undetermined::words).collect();
    list(&mut out, "What the recordings leave open", "open", &open);
    list(&mut out, "Notes", "", &report.notes);
    correlations(&mut out, report);
    channels(&mut out, report);
    let shown = report.series.iter().filter(|series| series.times.len() > 1);
    for series in shown.clone().take(MAX_DRAWN) {
        drawn(&mut out, series)?;
    }
    let left = shown.count().saturating_sub(MAX_DRAWN);
    if left > 0 {
        let _ = write!(out, "<p>{left} more are not drawn.</p>");
    }
    out.push_str("</html>\n");
    Ok(out)
}

fn values(out: &mut String, report: &FitReport) {
    out.push_str("<h2>Values</h2><table><tr><th>number<th>value<th>interval of 95 %<th>start");
    for one in &report.parameters {
        let interval = match one.range {
            Some([low, high]) => format!("<td>{} to {}", short(low), short(high)),
            None => "<td class=\"open\">not determined".to_owned(),
        };
        let FittedNumber { name, value, start, at_bound, .. } = one;
        let bound = if *at_bound { " <span class=\"open\">at its bound</span>" } else { "" };
        let (name, value, start) = (escape(name), long(*value), short(*start));
        let _ = write!(out, "<tr><td>{name}{bound}<td>{value}{interval}<td>{start}");
    }
    out.push_str("</table>");
}

fn list(out: &mut String, title: &str, class: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = write!(out, "<h2>{title}</h2><ul class=\"{class}\">");
    items.iter().for_each(|item| _ = write!(out, "<li>{}", escape(item)));
    out.push_str("</ul>");
}

fn correlations(out: &mut String, report: &FitReport) {
    let count = report.parameters.len();
    if !(2..=MAX_CORRELATED).contains(&count) {
        return;
    }
    out.push_str("<h2>Correlations</h2><table class=\"c\">");
    for (i, one) in report.parameters.iter().enumerate() {
        let _ = write!(out, "<tr><td>{}", escape(&one.name));
        for j in 0..=i {
            let is_known = one.interval.is_some() && report.parameters[j].interval.is_some();
            let c = report.correlations[i][j];
            let hue = if c < 0.0 { "0,114,178" } else { "213,94,0" };
            let strength = c.abs() * 0.75;
            match is_known {
                true => _ = write!(out, "<td style=\"background:rgba({hue},{strength:.2})\">{c:.2}"),
                false => out.push_str("<td>"),
            }
        }
    }
    out.push_str("</table>");
}

fn channels(out: &mut String, report: &FitReport) {
    out.push_str(
        "<h2>Channels</h2><table><tr><th>channel<th>samples<th>differences at the start<th>at the end (root mean square)",
    );
    for one in &report.channels {
        let [before, after] = one.rms.map(short);
        let _ = write!(out, "<tr><td>{}<td>{}<td>{before}<td>{after}", escape(&one.channel), one.samples);
    }
    out.push_str("</table>");
}

fn drawn(out: &mut String, series: &FittedSeries) -> Result<(), PlotError> {
    let line = |name: &str, unit: &str, values: Vec<f64>| Series {
        name: name.to_owned(),
        unit: unit.to_owned(),
        sampled: false,
        values,
    };
    let run = |which: usize| -> Vec<f64> {
        series.data.iter().zip(&series.differences[which]).map(|(data, difference)| data + difference).collect()
    };
    let unit = if series.unit.is_empty() { "-" } else { &series.unit };
    let of = format!("{} in {}", series.channel, file_name(&series.file));
    let _ = write!(out, "<h2>{}</h2>", escape(&of));
    let over_time = TimePlot {
        title: series.channel.clone(),
        times: series.times.clone(),
        series: vec![
            line("recording", unit, series.data.clone()),
            line("run, fitted", unit, run(1)),
            line("run at the start", unit, run(0)),
        ],
        over: None,
    };
    out.push_str(&svg(&over_time)?);
    let differences = TimePlot {
        title: "difference, fitted run".to_owned(),
        times: series.times.clone(),
        series: vec![line("run - recording", unit, series.differences[1].clone())],
        over: None,
    };
    out.push_str(&svg(&differences)?);
    let (frequencies, amplitudes) = spectrum(&series.times, &series.differences[1]);
    if frequencies.len() > 1 {
        let spectrum = TimePlot {
            title: "amplitude of the difference".to_owned(),
            times: frequencies,
            series: vec![line("run - recording", unit, amplitudes)],
            over: Some("frequency [Hz]".to_owned()),
        };
        out.push_str(&svg(&spectrum)?);
    }
    Ok(())
}

/// Frequencies \[Hz\] and amplitudes of the harmonics of `values`, whose times need not be even.
fn spectrum(times: &[f64], values: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (count, span) = (times.len(), times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0));
    if count < 8 || span <= 0.0 {
        return (Vec::new(), Vec::new());
    }
    let mean = values.iter().sum::<f64>() / count as f64;
    let highest = (count - 1) as f64 / (2.0 * span);
    let lines = FREQUENCIES.min(count / 2);
    let frequencies: Vec<f64> = (1..=lines).map(|k| highest * k as f64 / lines as f64).collect();
    let amplitude = |frequency: &f64| {
        let (mut re, mut im) = (0.0, 0.0);
        for (t, x) in times.iter().zip(values) {
            let (sin, cos) = (TAU * frequency * t).sin_cos();
            (re, im) = (re + (x - mean) * cos, im + (x - mean) * sin);
        }
        2.0 * (re * re + im * im).sqrt() / count as f64
    };
    let amplitudes = frequencies.iter().map(amplitude).collect();
    (frequencies, amplitudes)
}

fn file_name(path: &str) -> String {
    std::path::Path::new(path).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn short(x: f64) -> String {
    show_rounded(x, 3)
}

fn long(x: f64) -> String {
    show_rounded(x, 6)
}
