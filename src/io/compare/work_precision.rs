//! Work-precision plot: the largest error of each run over its time or its work, both on logarithmic axes. Time depends
//! on the machine and its load; work does not.

use super::{Comparison, Row};
use crate::plot::{COLORS, Picture, PlotError, drawn};
use kinegraph_methods::METHODS;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// Width and height \[px\].
const CHART_SIZE: (u32, u32) = (1160, 640);
/// Width of the list of integrators beside the chart, and height of its lines \[px\].
const LEGEND_WIDTH: i32 = 210;
const LEGEND_LINE: i32 = 24;
/// Smallest error in the plot: smaller ones are drawn here, since zero has no logarithm.
const MIN_PLOTTED_ERROR: f64 = 1e-16;

/// Horizontal axis of the plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    /// Wall time of a run.
    #[default]
    Time,
    /// Number of convex problems solved plus evaluations of derivatives.
    Work,
}

/// A comparison with the horizontal axis of its plot.
struct Over<'a>(&'a Comparison, Axis);

/// Draws `comparison` over `axis` into the file at `path`, as `.svg` or `.png`, by its name.
///
/// # Errors
/// Nothing to draw, another kind of file, a file that cannot be written.
pub fn draw(comparison: &Comparison, axis: Axis, path: &Path) -> Result<(), PlotError> {
    drawn(&Over(comparison, axis), CHART_SIZE, path)
}

impl Picture for Over<'_> {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        plot(self, area)
    }
}

/// Work and error of a run that has a result.
fn point(row: &Row, axis: Axis) -> Option<(f64, f64)> {
    let error = row.largest_error.filter(|error| error.is_finite())?;
    let work = match axis {
        Axis::Time => row.wall_s,
        Axis::Work => row.evaluations as f64,
    };
    (row.is_done() && work > 0.0).then(|| (work, error.max(MIN_PLOTTED_ERROR)))
}

/// Smallest range of whole decades with all values.
fn decades(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    10f64.powf(low)..10f64.powf(if high > low { high } else { low + 1.0 })
}

fn plot<B: DrawingBackend>(&Over(comparison, axis): &Over<'_>, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
    let point = |row: &Row| point(row, axis);
    let fail = |error: &dyn std::fmt::Display| PlotError::Draw(error.to_string());
    let points: Vec<(f64, f64)> = comparison.rows.iter().filter_map(&point).collect();
    if points.is_empty() {
        return Err(PlotError::Nothing("no run came to its end with a finite error"));
    }
    area.fill(&WHITE).map_err(|e| fail(&e))?;
    let title = format!("{}: error and work, {} s", comparison.diagram, comparison.duration);
    let (left, legend) = area.split_horizontally(CHART_SIZE.0 as i32 - LEGEND_WIDTH);
    let mut chart = ChartBuilder::on(&left)
        .caption(title, ("monospace", 20))
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(80)
        .build_cartesian_2d(
            decades(points.iter().map(|(time, _)| *time)).log_scale(),
            decades(points.iter().map(|(_, error)| *error)).log_scale(),
        )
        .map_err(|e| fail(&e))?;
    chart
        .configure_mesh()
        .x_desc(match axis {
            Axis::Time => "time [s]",
            Axis::Work => "solves and evaluations of derivatives",
        })
        .y_desc("largest error")
        .label_style(("monospace", 14))
        .axis_desc_style(("monospace", 16))
        .x_label_formatter(&|x| format!("{x:.0e}"))
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .light_line_style(WHITE)
        .draw()
        .map_err(|e| fail(&e))?;
    let drawn = |name: &str| comparison.rows.iter().any(|row| row.integrator == name && point(row).is_some());
    // Style by the index in the table, so that a method looks the same in every picture.
    let all = METHODS.iter().map(|method| method.name).enumerate();
    for (line, (index, name)) in all.filter(|(_, name)| drawn(name)).enumerate() {
        let color = COLORS[index % COLORS.len()];
        let of_name = || comparison.rows.iter().filter(|row| row.integrator == name).filter_map(&point);
        chart.draw_series(LineSeries::new(of_name(), color.stroke_width(2))).map_err(|e| fail(&e))?;
        let (solid, stroke) = (color.filled(), color.stroke_width(2));
        let height = LEGEND_LINE * (line as i32 + 2);
        // Markers of different kinds are of different types.
        macro_rules! mark {
            ($marker:ident, $size:expr, $style:expr) => {{
                chart.draw_series(of_name().map(|at| $marker::new(at, $size, $style))).map_err(|e| fail(&e))?;
                legend.draw(&$marker::new((12, height), $size, $style)).map_err(|e| fail(&e))?;
            }};
        }
        match index % 4 {
            0 => mark!(Circle, 5, solid),
            1 => mark!(TriangleMarker, 7, solid),
            2 => mark!(Cross, 5, stroke),
            _ => mark!(Circle, 6, stroke),
        };
        let text = Text::new(name, (26, height - 8), ("monospace", 15));
        legend.draw(&text).map_err(|e| fail(&e))?;
    }
    area.present().map_err(|e| fail(&e))
}
