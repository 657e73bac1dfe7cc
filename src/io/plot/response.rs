//! Frequency responses: size and phase over frequency (Bode), or in the complex plane (Nyquist).

use super::Series;
use super::canvas::{COLORS, Picture, PlotError, drawn};
use super::time_plot::{TimePlot, draw, label, range};
use kinegraph_engine::linearize::state_space::{decibels, phases};
use kinegraph_engine::simulate::{FrequencyResponse, LinearizeReport, Margins, ResponsePoint};
use nalgebra::Complex;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Size of a picture, and height of its title \[px\].
const BODE_SIZE: (u32, u32) = (1160, 760);
const NYQUIST_SIZE: (u32, u32) = (900, 860);
const TITLE_HEIGHT: i32 = 44;
/// Height of a name in the legend \[px\].
const LEGEND_LINE: i32 = 19;
/// Largest part of the complex plane that is drawn: a loop with an integrator comes from infinity.
const MAX_DRAWN: f64 = 4.0;
/// Maximum number of responses, so that they can be distinguished.
const MAX_LINES: usize = 7;

/// Draws size \[dB\] and phase \[deg\] of the responses of a report over frequency.
///
/// # Errors
/// No responses, another kind of file, a file that cannot be written.
pub fn bode(report: &LinearizeReport, path: &Path) -> Result<(), PlotError> {
    drawn(&Bode(Lines::of(report)?), BODE_SIZE, path)
}

/// Draws the responses of a report in the complex plane, beside -1. A loop that is open at its input is drawn with the
/// sign with which it is closed.
///
/// # Errors
/// No responses, another kind of file, a file that cannot be written.
pub fn nyquist(report: &LinearizeReport, path: &Path) -> Result<(), PlotError> {
    drawn(&Nyquist(Lines::of(report)?), NYQUIST_SIZE, path)
}

/// Draws the step responses of a report over time.
///
/// # Errors
/// No responses, another kind of file, a file that cannot be written.
pub fn steps(report: &LinearizeReport, path: &Path) -> Result<(), PlotError> {
    let Some(first) = report.step.first() else {
        return Err(PlotError::Nothing("a step response needs an input and an output: --input, --output"));
    };
    let series = report.step.iter().take(MAX_LINES).map(|step| Series {
        name: format!("{} to {}", step.input, step.output),
        unit: String::new(),
        sampled: report.period.is_some(),
        values: step.y.clone(),
    });
    let title = format!("{}: unit steps", report.diagram);
    draw(&TimePlot { title, times: first.t.clone(), series: series.collect(), over: None }, path)
}

/// Frequencies and values of a response.
type Points = Vec<(f64, Complex<f64>)>;

/// The responses that are drawn.
struct Lines<'a> {
    title: &'a str,
    responses: Vec<(String, Points)>,
    margins: Option<Margins>,
    /// Measured points of each response.
    measured: Vec<Points>,
}

struct Bode<'a>(Lines<'a>);
struct Nyquist<'a>(Lines<'a>);

impl<'a> Lines<'a> {
    fn of(report: &'a LinearizeReport) -> Result<Self, PlotError> {
        let sign = if report.opened { -1.0 } else { 1.0 };
        let point = |point: &ResponsePoint| (point.w, Complex::new(point.re, point.im) * sign);
        let line = |response: &FrequencyResponse| {
            let points = response.points.iter().map(point).filter(|(_, value)| value.re.is_finite());
            (format!("{} to {}", response.input, response.output), points.collect::<Vec<_>>())
        };
        let mut responses: Vec<_> = report.responses.iter().map(line).filter(|(_, points)| points.len() > 1).collect();
        responses.truncate(MAX_LINES);
        if responses.is_empty() {
            return Err(PlotError::Nothing("a response needs an input and an output: --input, --output"));
        }
        let measured = report.measured.iter().map(|response| {
            response.points.iter().map(|point| (point.w, Complex::new(point.re, point.im) * sign)).collect()
        });
        let measured = measured.take(responses.len()).collect();
        Ok(Lines { title: &report.diagram, responses, margins: report.margins, measured })
    }

    /// Range of all frequencies.
    fn frequencies(&self) -> Range<f64> {
        let all = self.responses.iter().flat_map(|(_, points)| points.iter().map(|(w, _)| *w));
        let (low, high) = all.fold((f64::INFINITY, 0.0_f64), |(low, high), w| (low.min(w), high.max(w)));
        low..high
    }

    fn legend<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        for (i, (name, _)) in self.responses.iter().enumerate() {
            let y = 12 + LEGEND_LINE * i as i32;
            let line = PathElement::new(vec![(420, y + 6), (440, y + 6)], COLORS[i % COLORS.len()].stroke_width(2));
            area.draw(&line).map_err(fail)?;
            area.draw(&Text::new(name.clone(), (448, y), ("monospace", 14))).map_err(fail)?;
        }
        Ok(())
    }
}

fn fail(error: impl std::fmt::Display) -> PlotError {
    PlotError::Draw(error.to_string())
}

impl Picture for Bode<'_> {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        let lines = &self.0;
        area.fill(&WHITE).map_err(fail)?;
        let head = TITLE_HEIGHT + LEGEND_LINE * (lines.responses.len() as i32 - 1);
        let (title, rest) = area.split_vertically(head);
        title.draw(&Text::new(lines.title.to_owned(), (16, 12), ("monospace", 20))).map_err(fail)?;
        lines.legend(&title)?;
        let sizes = |points: &[(f64, Complex<f64>)]| points.iter().map(|(_, value)| decibels(*value)).collect();
        let angles = |points: &[(f64, Complex<f64>)]| {
            phases(&points.iter().map(|(_, value)| *value).collect::<Vec<Complex<f64>>>())
        };
        let (upper, lower) = rest.split_vertically((rest.dim_in_pixel().1 / 2) as i32);
        panel(&upper, lines, "size [dB]", "", sizes, 0.0)?;
        panel(&lower, lines, "phase [deg]", "frequency [rad/s]", angles, -180.0)?;
        area.present().map_err(fail)
    }
}

/// Draws a value of the responses over frequency, with a level, and lines at the crossings of the margins.
fn panel<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    lines: &Lines<'_>,
    name: &str,
    below: &str,
    of: impl Fn(&[(f64, Complex<f64>)]) -> Vec<f64>,
    level: f64,
) -> Result<(), PlotError> {
    let values: Vec<Vec<f64>> = lines.responses.iter().map(|(_, points)| of(points)).collect();
    let (over, span) = (lines.frequencies(), range(values.iter().flatten().copied()));
    let mut chart = ChartBuilder::on(area)
        .margin_left(16)
        .margin_right(24)
        .margin_top(4)
        .margin_bottom(8)
        .x_label_area_size(if below.is_empty() { 22 } else { 44 })
        .y_label_area_size(88)
        .build_cartesian_2d((over.start..over.end).log_scale(), span.clone())
        .map_err(fail)?;
    chart
        .configure_mesh()
        .x_desc(below)
        .y_desc(name)
        .label_style(("monospace", 14))
        .axis_desc_style(("monospace", 15))
        .x_label_formatter(&|x| label(*x, &over))
        .y_label_formatter(&|y| label(*y, &span))
        .light_line_style(WHITE)
        .draw()
        .map_err(fail)?;
    let grey = RGBColor(190, 190, 190);
    if span.contains(&level) {
        let line = PathElement::new(vec![(over.start, level), (over.end, level)], grey);
        chart.draw_series(std::iter::once(line)).map_err(fail)?;
    }
    let margins = lines.margins.unwrap_or_default();
    let crossings =
        [margins.phase_frequency, margins.gain_frequency].into_iter().flatten().filter(|w| over.contains(w));
    let marks = crossings.map(|w| PathElement::new(vec![(w, span.start), (w, span.end)], grey));
    chart.draw_series(marks).map_err(fail)?;
    for (i, ((_, points), values)) in lines.responses.iter().zip(&values).enumerate() {
        let line = points.iter().map(|(w, _)| *w).zip(values.iter().copied());
        chart.draw_series(LineSeries::new(line, COLORS[i % COLORS.len()].stroke_width(2))).map_err(fail)?;
        // Measured points lie on the turn of the line that is nearest.
        let measured = lines.measured.get(i).map_or(&[][..], Vec::as_slice);
        let near =
            |w: f64| points.iter().zip(values).min_by(|a, b| (a.0.0 / w).ln().abs().total_cmp(&(b.0.0 / w).ln().abs()));
        let place = |((w, _), value): (&(f64, Complex<f64>), f64)| match near(*w) {
            Some((_, line)) if level != 0.0 => (*w, value - 360.0 * ((value - line) / 360.0).round()),
            _ => (*w, value),
        };
        let places = measured.iter().zip(of(measured)).map(place).filter(|(w, _)| over.contains(w));
        let circles = places.map(|at| Circle::new(at, 4, COLORS[i % COLORS.len()].stroke_width(2)));
        chart.draw_series(circles).map_err(fail)?;
    }
    Ok(())
}

impl Picture for Nyquist<'_> {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        let lines = &self.0;
        area.fill(&WHITE).map_err(fail)?;
        let head = TITLE_HEIGHT + LEGEND_LINE * (lines.responses.len() as i32 - 1);
        let (title, rest) = area.split_vertically(head);
        title.draw(&Text::new(lines.title.to_owned(), (16, 12), ("monospace", 20))).map_err(fail)?;
        lines.legend(&title)?;
        let all = || lines.responses.iter().flat_map(|(_, points)| points.iter().map(|(_, value)| *value));
        let farthest = all().map(|value| value.re.abs().max(value.im.abs())).fold(1.2, f64::max).min(MAX_DRAWN);
        let span = -1.05 * farthest..1.05 * farthest;
        let mut chart = ChartBuilder::on(&rest)
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(span.clone(), span.clone())
            .map_err(fail)?;
        chart
            .configure_mesh()
            .x_desc("real")
            .y_desc("imaginary")
            .label_style(("monospace", 14))
            .axis_desc_style(("monospace", 15))
            .x_label_formatter(&|x| label(*x, &span))
            .y_label_formatter(&|y| label(*y, &span))
            .light_line_style(WHITE)
            .draw()
            .map_err(fail)?;
        let turn = (0..=180).map(|degree| f64::from(2 * degree).to_radians());
        let circle = turn.map(|angle| (angle.cos(), angle.sin()));
        chart.draw_series(LineSeries::new(circle, RGBColor(190, 190, 190))).map_err(fail)?;
        for (i, (_, points)) in lines.responses.iter().enumerate() {
            let color = COLORS[i % COLORS.len()];
            // Negative frequencies mirror it.
            for (sign, width) in [(1.0, 2), (-1.0, 1)] {
                let is_far = |(_, value): &(f64, Complex<f64>)| value.re.abs().max(value.im.abs()) > span.end;
                for part in points.split(is_far) {
                    let line = part.iter().map(|(_, value)| (value.re, sign * value.im));
                    chart.draw_series(LineSeries::new(line, color.stroke_width(width))).map_err(fail)?;
                }
            }
        }
        let point = Circle::new((-1.0, 0.0), 5, RGBColor(200, 0, 0).filled());
        chart.draw_series(std::iter::once(point)).map_err(fail)?;
        area.present().map_err(fail)
    }
}
