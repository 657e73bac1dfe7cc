//! Channels over time: one panel per unit, below each other with one axis of time.
//!
//! Two samples at one time are an event: lines are broken there, and a thin line marks it. Channels that change at
//! sample times are drawn as steps.

use super::Series;
use super::canvas::{COLORS, Picture, PlotError, as_svg, drawn};
use super::thinned::{COLUMNS, Thinned};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Width of a plot, and height of a panel, of the title and of the axis of time \[px\].
const PLOT_WIDTH: u32 = 1160;
const PANEL_HEIGHT: u32 = 230;
const TITLE_HEIGHT: u32 = 44;
const AXIS_HEIGHT: u32 = 44;
/// Width of the names beside a panel, and height of each name.
const LEGEND_WIDTH: i32 = 300;
const LEGEND_LINE: i32 = 19;
/// Maximum number of lines of a panel, so that it can be read.
pub const MAX_LINES: usize = 10;
/// Maximum number of panels.
pub const MAX_PANELS: usize = 12;
/// With more events than this none are marked, since the marks would hide the lines.
const MAX_EVENTS: usize = 60;

/// Channels over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimePlot {
    /// Title.
    pub title: String,
    /// Times \[s\], in order; an event has two equal ones.
    pub times: Vec<f64>,
    /// The channels.
    pub series: Vec<Series>,
    /// Name of the column that replaces time, for the table of a sweep, whose rows are points in any order.
    pub over: Option<String>,
}

/// Draws `plot` into the file at `path`, as `.svg` or `.png`, by its name.
///
/// # Errors
/// Nothing to draw, another kind of file, a file that cannot be written.
pub fn draw(plot: &TimePlot, path: &Path) -> Result<(), PlotError> {
    let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let (panels, size) = Panels::of(plot, is_png)?;
    drawn(&panels, size, path)
}

/// `plot` as the text of an SVG file.
///
/// # Errors
/// Nothing to draw.
pub fn svg(plot: &TimePlot) -> Result<String, PlotError> {
    let (panels, size) = Panels::of(plot, false)?;
    as_svg(&panels, size)
}

struct Panels<'a> {
    plot: &'a TimePlot,
    panels: Vec<Panel<'a>>,
    /// True for pixels: their renderer does not bevel sharp joints of lines, so lines end there.
    is_png: bool,
}

impl<'a> Panels<'a> {
    /// The panels of a plot, and their size \[px\].
    fn of(plot: &'a TimePlot, is_png: bool) -> Result<(Self, (u32, u32)), PlotError> {
        let panels = plot.panels();
        if panels.is_empty() || plot.times.is_empty() {
            return Err(PlotError::Nothing("no channel was recorded"));
        }
        let height = TITLE_HEIGHT + AXIS_HEIGHT + PANEL_HEIGHT * panels.len() as u32;
        Ok((Panels { plot, panels, is_png }, (PLOT_WIDTH, height)))
    }
}

/// The channels of one unit, or a part of them.
#[derive(Debug, PartialEq)]
pub struct Panel<'a> {
    /// Unit of all its lines.
    pub unit: &'a str,
    /// Its lines.
    pub series: Vec<&'a Series>,
    /// Number of channels of the plot that are not drawn, set in the last panel.
    pub left_out: usize,
}

impl TimePlot {
    /// Panels in the order of first use of their units.
    pub fn panels(&self) -> Vec<Panel<'_>> {
        let mut units: Vec<&str> = Vec::new();
        for series in &self.series {
            if !units.contains(&series.unit.as_str()) {
                units.push(&series.unit);
            }
        }
        let mut panels = Vec::new();
        for unit in units {
            let own: Vec<&Series> = self.series.iter().filter(|series| series.unit == unit).collect();
            panels.extend(own.chunks(MAX_LINES).map(|part| Panel { unit, series: part.to_vec(), left_out: 0 }));
        }
        let drawn = panels.len().min(MAX_PANELS);
        let left_out = panels.drain(drawn..).map(|panel| panel.series.len()).sum();
        if let Some(last) = panels.last_mut() {
            last.left_out = left_out;
        }
        panels
    }

    /// Parts of the run between events.
    pub fn pieces(&self) -> Vec<Range<usize>> {
        if self.over.is_some() {
            return std::iter::once(0..self.times.len()).collect();
        }
        let mut pieces = Vec::new();
        let mut start = 0;
        for i in 1..self.times.len() {
            if self.times[i] == self.times[i - 1] {
                pieces.push(start..i);
                start = i;
            }
        }
        pieces.push(start..self.times.len());
        pieces
    }

    /// Points of a line between two events, thinned to the pixels. Values that are not numbers break the line.
    pub fn points(&self, series: &Series, piece: Range<usize>) -> Vec<(f64, f64)> {
        let mut points = Thinned::over(&time_range(&self.times));
        let mut before = None;
        for i in piece {
            let time = drawable(self.times[i]);
            let value = if series.values[i].is_finite() { drawable(series.values[i]) } else { f64::NAN };
            if let Some(before) = before.filter(|_| series.sampled) {
                points.push((time, before));
            }
            points.push((time, value));
            before = Some(value);
        }
        points.finish()
    }
}

/// Splits a line into parts that rise or fall throughout, and so have no sharp angles. A sharp angle would be drawn as
/// a spike that reaches beyond its points.
pub fn monotone(points: &[(f64, f64)]) -> Vec<&[(f64, f64)]> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for i in 1..points.len().saturating_sub(1) {
        let (before, after) = (points[i].1 - points[i - 1].1, points[i + 1].1 - points[i].1);
        if before * after < 0.0 {
            parts.push(&points[start..=i]);
            start = i;
        }
    }
    parts.push(&points[start..]);
    parts
}

/// Limits a value so that a canvas can place it: the width of a range of such values, with its margin, stays finite.
fn drawable(value: f64) -> f64 {
    const MAX_DRAWN: f64 = f64::MAX / 1e6;
    value.clamp(-MAX_DRAWN, MAX_DRAWN)
}

/// Range of the time axis, widened so that its marks differ.
pub fn time_range(times: &[f64]) -> Range<f64> {
    let ends = times.iter().map(|time| drawable(*time));
    let (first, last) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if last > first && last - first >= 1e-9 * first.abs().max(last.abs()) {
        return first..last;
    }
    first..first + (1e-9 * first.abs()).max(1.0)
}

/// Range of the values of a panel, with a margin.
pub fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let finite = values.filter(|value| value.is_finite()).map(drawable);
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low > high {
        return -1.0..1.0;
    }
    // A constant gets a range around it.
    let air = (0.06 * (high - low)).max(1e-9 * low.abs().max(high.abs())).max(1e-12);
    let air = if high > low { air } else { air.max(0.1 * high.abs()).max(1e-3) };
    low - air..high + air
}

/// Label of an axis over `span`: `0.001`, `1e-7`, `1234567`. Rounding errors near zero are removed.
pub fn label(x: f64, span: &Range<f64>) -> String {
    let x = if x.abs() < 1e-9 * (span.end - span.start) { 0.0 } else { x };
    let rounded = format!("{x:.4e}").parse::<f64>().unwrap_or(x);
    match rounded.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e5).contains(&size) => format!("{rounded:e}"),
        _ => format!("{rounded}"),
    }
}

/// The end of a name that is too long for the list.
fn shortened(name: &str) -> String {
    const MAX_CHARACTERS: usize = 32;
    // A control character would break the picture.
    let name: String = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let count = name.chars().count();
    if count <= MAX_CHARACTERS {
        name
    } else {
        format!("…{}", name.chars().skip(count - MAX_CHARACTERS + 1).collect::<String>())
    }
}

impl Picture for Panels<'_> {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        let fail = |error: &dyn std::fmt::Display| PlotError::Draw(error.to_string());
        let plot = self.plot;
        area.fill(&WHITE).map_err(|e| fail(&e))?;
        let (title, rest) = area.split_vertically(TITLE_HEIGHT as i32);
        title.draw(&Text::new(shortened(&plot.title), (16, 14), ("monospace", 20))).map_err(|e| fail(&e))?;
        let time = time_range(&plot.times);
        let pieces = Some(plot.pieces()).filter(|pieces| pieces.len() <= COLUMNS as usize);
        // With so many events, a line would not stand out from the gap beside it.
        let pieces = pieces.unwrap_or_else(|| std::iter::once(0..plot.times.len()).collect());
        let mut below = rest;
        for (k, panel) in self.panels.iter().enumerate() {
            let at_end = k + 1 == self.panels.len();
            let (own, others) = below.split_vertically((PANEL_HEIGHT + if at_end { AXIS_HEIGHT } else { 0 }) as i32);
            below = others;
            let (left, legend) = own.split_horizontally(PLOT_WIDTH as i32 - LEGEND_WIDTH);
            let values = range(panel.series.iter().flat_map(|series| series.values.iter().copied()));
            let mut chart = ChartBuilder::on(&left)
                .margin_left(16)
                .margin_right(8)
                .margin_bottom(if at_end { 0 } else { 14 })
                .margin_top(4)
                .x_label_area_size(if at_end { AXIS_HEIGHT } else { 0 })
                .y_label_area_size(88)
                .build_cartesian_2d(time.clone(), values.clone())
                .map_err(|e| fail(&e))?;
            chart
                .configure_mesh()
                .x_desc(plot.over.as_deref().map_or_else(|| "time [s]".to_owned(), shortened))
                .y_desc(if panel.unit.is_empty() { String::new() } else { format!("[{}]", panel.unit) })
                .label_style(("monospace", 14))
                .axis_desc_style(("monospace", 15))
                .x_label_formatter(&|x| label(*x, &time))
                .y_label_formatter(&|y| label(*y, &values))
                .y_labels(6)
                .light_line_style(WHITE)
                .draw()
                .map_err(|e| fail(&e))?;
            if pieces.len() <= MAX_EVENTS {
                let (low, high) = (chart.y_range().start, chart.y_range().end);
                let events = pieces.iter().skip(1).map(|piece| plot.times[piece.start]);
                let marks = events.map(|t| PathElement::new(vec![(t, low), (t, high)], RGBColor(190, 190, 190)));
                chart.draw_series(marks).map_err(|e| fail(&e))?;
            }
            for (i, series) in panel.series.iter().enumerate() {
                let color = COLORS[i % COLORS.len()];
                // Colours repeat after seven lines; further lines are dashed.
                let dashed = i >= COLORS.len();
                if plot.over.is_some() {
                    let rows = plot.times.iter().copied().zip(series.values.iter().copied());
                    let points = rows.filter(|(x, y)| x.is_finite() && y.is_finite());
                    let points = points.map(|(x, y)| Circle::new((drawable(x), drawable(y)), 3, color.filled()));
                    chart.draw_series(points).map_err(|e| fail(&e))?;
                }
                for piece in pieces.iter().filter(|_| plot.over.is_none()) {
                    for part in plot.points(series, piece.clone()).split(|(_, value)| !value.is_finite()) {
                        let style = color.stroke_width(2);
                        if dashed {
                            let points = part.iter().copied();
                            chart.draw_series(DashedLineSeries::new(points, 7, 5, style)).map_err(|e| fail(&e))?;
                            continue;
                        }
                        let lines = if self.is_png { monotone(part) } else { vec![part] };
                        for line in lines {
                            chart.draw_series(LineSeries::new(line.iter().copied(), style)).map_err(|e| fail(&e))?;
                        }
                    }
                }
                let y = 10 + LEGEND_LINE * i as i32;
                let strokes: &[(i32, i32)] = if dashed { &[(0, 7), (12, 19)] } else { &[(0, 19)] };
                for (from, to) in strokes {
                    let line = PathElement::new(vec![(4 + from, y + 5), (4 + to, y + 5)], color.stroke_width(2));
                    legend.draw(&line).map_err(|e| fail(&e))?;
                }
                legend.draw(&Text::new(shortened(&series.name), (28, y), ("monospace", 14))).map_err(|e| fail(&e))?;
            }
            if panel.left_out > 0 {
                let text = format!("{} more are not drawn", panel.left_out);
                let at = (28, 10 + LEGEND_LINE * panel.series.len() as i32);
                legend.draw(&Text::new(text, at, ("monospace", 14))).map_err(|e| fail(&e))?;
            }
        }
        area.present().map_err(|e| fail(&e))
    }
}
