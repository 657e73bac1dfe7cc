//! Poles over a parameter in the complex plane, with the edge of stability.

use super::canvas::{COLORS, Picture, PlotError, drawn};
use super::time_plot::label;
use kinegraph_engine::linearize::state_space::RootLocus;
use nalgebra::Complex;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// Size of a picture, and height of its title \[px\].
const SIZE: (u32, u32) = (900, 860);
const TITLE_HEIGHT: i32 = 44;

/// Draws the branches of a locus: crosses at the first value, circles at the last one, and the crossings of the edge of
/// stability, the imaginary axis or in discrete time the unit circle.
///
/// # Errors
/// No poles, another kind of file, a file that cannot be written.
pub fn root_locus(parameter: &str, discrete: bool, locus: &RootLocus, path: &Path) -> Result<(), PlotError> {
    if locus.branches.iter().all(Vec::is_empty) {
        return Err(PlotError::Nothing("the model has no poles"));
    }
    drawn(&Plane { parameter, discrete, locus }, SIZE, path)
}

struct Plane<'a> {
    parameter: &'a str,
    discrete: bool,
    locus: &'a RootLocus,
}

fn fail(error: impl std::fmt::Display) -> PlotError {
    PlotError::Draw(error.to_string())
}

impl Picture for Plane<'_> {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        area.fill(&WHITE).map_err(fail)?;
        let (title, rest) = area.split_vertically(TITLE_HEIGHT);
        let (from, to) = (self.locus.values.first().unwrap_or(&0.0), self.locus.values.last().unwrap_or(&0.0));
        let text = format!("poles, {} from {from} (cross) to {to} (circle)", self.parameter);
        title.draw(&Text::new(text, (16, 12), ("monospace", 17))).map_err(fail)?;
        let all = || self.locus.branches.iter().flatten();
        let start = if self.discrete { 1.05 } else { 0.0 };
        let far = all().fold(start, |most: f64, pole| most.max(pole.re.abs()).max(pole.im.abs())).max(1e-9);
        let right = all().fold(start, |most: f64, pole| most.max(pole.re));
        let left = all().fold(-start, |least: f64, pole| least.min(pole.re));
        let high = all().fold(start, |most: f64, pole| most.max(pole.im.abs()));
        let room = 0.08 * far;
        let (across, up) = (left - room..right + room, -(high + room)..high + room);
        let mut chart = ChartBuilder::on(&rest)
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(across.clone(), up.clone())
            .map_err(fail)?;
        chart
            .configure_mesh()
            .x_desc("real")
            .y_desc("imaginary")
            .label_style(("monospace", 14))
            .axis_desc_style(("monospace", 15))
            .x_label_formatter(&|x| label(*x, &across))
            .y_label_formatter(&|y| label(*y, &up))
            .light_line_style(WHITE)
            .draw()
            .map_err(fail)?;
        let grey = RGBColor(150, 150, 150);
        let edge: Vec<(f64, f64)> = match self.discrete {
            true => (0..=180).map(|degree| f64::from(2 * degree).to_radians()).map(|a| (a.cos(), a.sin())).collect(),
            false => vec![(0.0, up.start), (0.0, up.end)],
        };
        chart.draw_series(LineSeries::new(edge, grey.stroke_width(2))).map_err(fail)?;
        let place = |pole: &Complex<f64>| (pole.re, pole.im);
        let count = self.locus.branches.iter().map(Vec::len).max().unwrap_or(0);
        for branch in 0..count {
            let color = COLORS[branch % COLORS.len()];
            let line: Vec<(f64, f64)> =
                self.locus.branches.iter().filter_map(|poles| poles.get(branch).map(place)).collect();
            chart.draw_series(LineSeries::new(line.iter().copied(), color.stroke_width(2))).map_err(fail)?;
            let first = line.first().map(|at| Cross::new(*at, 6, color.stroke_width(2)));
            chart.draw_series(first).map_err(fail)?;
            chart.draw_series(line.last().map(|at| Circle::new(*at, 5, color.filled()))).map_err(fail)?;
        }
        let red = RGBColor(200, 0, 0);
        let crossings = self.locus.crossings.iter().flat_map(|crossing| {
            let (re, im) = crossing.pole;
            [(re, im), (re, -im)]
        });
        chart.draw_series(crossings.map(|at| Circle::new(at, 7, red.stroke_width(2)))).map_err(fail)?;
        area.present().map_err(fail)
    }
}
