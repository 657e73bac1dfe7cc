//! Drawing pictures and tables.

use crate::chart::{Curve, Figure, Panel, Style};
use kinegraph::plot::{COLORS, Picture, PlotError};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Sizes around panels \[px\].
const TITLE: i32 = 40;
const LEFT_MARGIN: i32 = 76;
const RIGHT: i32 = 16;
const TOP: i32 = 30;
const BOTTOM: i32 = 50;
/// Height of a line of the legend, width of a letter \[px\].
const LINE: i32 = 24;
const LETTER: i32 = 8;
const GRAY: RGBColor = RGBColor(215, 215, 215);
const INK: RGBColor = RGBColor(40, 40, 40);

/// The colours of all plots, then two more.
fn color(index: usize) -> RGBColor {
    let more = [RGBColor(240, 228, 66), RGBColor(170, 170, 170)];
    COLORS.iter().chain(&more).cycle().nth(index).copied().unwrap_or(INK)
}

fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError::Draw(error.to_string())
}

/// Draws text, anchored as `h` and `v` say.
fn text<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    words: &str,
    at: (i32, i32),
    size: i32,
    (h, v): (HPos, VPos),
    upright: bool,
) -> Result<(), PlotError> {
    let font = ("monospace", size).into_font();
    let font = if upright { font.transform(FontTransform::Rotate270) } else { font };
    let style = TextStyle::from(font).color(&INK).pos(Pos::new(h, v));
    area.draw_text(words, &style, at).map_err(failed)
}

/// A figure on a canvas.
pub struct Grid<'a>(pub &'a Figure);

impl Grid<'_> {
    /// Its size \[px\].
    pub fn size(&self) -> (u32, u32) {
        let columns = self.0.rows.iter().map(Vec::len).max().unwrap_or(0) as u32;
        let (width, height) = self.0.panel;
        let width = width * columns;
        (width, height * self.0.rows.len() as u32 + TITLE as u32 + self.legend(width as i32).1 as u32)
    }

    /// Where the entries of the legend stand, below a figure of this width, and the height of it.
    fn legend(&self, width: i32) -> (Vec<(i32, i32)>, i32) {
        let (mut x, mut y, mut places) = (LEFT_MARGIN / 2, 0, Vec::new());
        for (name, _) in &self.0.legend {
            let wide = 44 + LETTER * name.chars().count() as i32 + 14;
            if x + wide > width && x > LEFT_MARGIN / 2 {
                (x, y) = (LEFT_MARGIN / 2, y + LINE);
            }
            places.push((x, y));
            x += wide;
        }
        let height = if places.is_empty() { 10 } else { y + LINE + 12 };
        (places, height)
    }
}

impl Picture for Grid<'_> {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        area.fill(&WHITE).map_err(failed)?;
        let (width, height) = self.size();
        text(area, &self.0.title, (LEFT_MARGIN / 2, 12), 19, (HPos::Left, VPos::Top), false)?;
        let (wide, high) = (self.0.panel.0 as i32, self.0.panel.1 as i32);
        for (i, row) in self.0.rows.iter().enumerate() {
            for (j, one) in row.iter().enumerate() {
                panel(area, one, (j as i32 * wide, TITLE + i as i32 * high), (wide, high))?;
            }
        }
        let (places, tall) = self.legend(width as i32);
        let top = height as i32 - tall + LINE / 2;
        for ((name, style), (x, y)) in self.0.legend.iter().zip(places) {
            let y = top + y;
            if self.0.filled {
                let corner = [(x + 8, y - 7), (x + 32, y + 7)];
                area.draw(&Rectangle::new(corner, color(style.color).filled())).map_err(failed)?;
            } else {
                stroke(area, &[(x + 4, y), (x + 36, y)], *style)?;
                mark(area, (x + 20, y), *style, false)?;
            }
            text(area, name, (x + 44, y), 14, (HPos::Left, VPos::Center), false)?;
        }
        area.present().map_err(failed)
    }
}

/// A line through pixels, as `style` says.
fn stroke<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    pixels: &[(i32, i32)],
    style: Style,
) -> Result<(), PlotError> {
    if style.scattered || pixels.len() < 2 {
        return Ok(());
    }
    let ink = color(style.color).stroke_width(2);
    if !style.dashed {
        return area.draw(&PathElement::new(pixels.to_vec(), ink)).map_err(failed);
    }
    // Dashes of equal length along the way, whatever the distance of the points.
    let (mut dash, mut left, mut on) = (vec![pixels[0]], 7.0, true);
    for ends in pixels.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = dx.hypot(dy);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let at = (from.0 + (dx * gone / length).round() as i32, from.1 + (dy * gone / length).round() as i32);
            dash.push(at);
            if on {
                area.draw(&PathElement::new(std::mem::take(&mut dash), ink)).map_err(failed)?;
            }
            (dash, on) = (vec![at], !on);
            left = if on { 7.0 } else { 4.0 };
        }
        left -= length - gone;
        dash.push(to);
    }
    if on { area.draw(&PathElement::new(dash, ink)).map_err(failed) } else { Ok(()) }
}

/// A marker, of a shape of its own for each colour.
fn mark<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    at: (i32, i32),
    style: Style,
    hollow: bool,
) -> Result<(), PlotError> {
    if !style.marked {
        return Ok(());
    }
    let ink = color(style.color);
    let (x, y) = at;
    let corners: &[(i32, i32)] = match style.color % 4 {
        0 => {
            return area
                .draw(&Circle::new(at, 4, if hollow { ink.stroke_width(1) } else { ink.filled() }))
                .map_err(failed);
        }
        1 => &[(x, y - 6), (x - 5, y + 4), (x + 5, y + 4)],
        2 => &[(x - 4, y - 4), (x + 4, y - 4), (x + 4, y + 4), (x - 4, y + 4)],
        _ => &[(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)],
    };
    if hollow {
        let closed: Vec<(i32, i32)> = corners.iter().chain(&corners[..1]).copied().collect();
        area.draw(&PathElement::new(closed, ink.stroke_width(1))).map_err(failed)
    } else {
        area.draw(&Polygon::new(corners.to_vec(), ink.filled())).map_err(failed)
    }
}

fn panel<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    panel: &Panel,
    (left, top): (i32, i32),
    (width, height): (i32, i32),
) -> Result<(), PlotError> {
    let (x0, x1, y0, y1) = (left + LEFT_MARGIN, left + width - RIGHT, top + height - BOTTOM, top + TOP);
    let all = || panel.curves.iter().flat_map(|curve| curve.points.iter().chain(&curve.beyond));
    let boxed = || panel.boxes.iter();
    let xs = panel.x.span(all().map(|p| p.0).chain(boxed().flat_map(|b| [b.0, b.1])));
    let ys = panel
        .y
        .span(all().map(|p| p.1).chain(boxed().flat_map(|b| [b.2, b.3])).chain(panel.levels.iter().map(|l| l.0)));
    let along = |(low, high): (f64, f64), x: f64, from: i32, to: i32| {
        let part = ((x - low) / (high - low)).clamp(-0.5, 1.5);
        from + (part * f64::from(to - from)).round() as i32
    };
    let px = |x: f64| along(xs, panel.x.length(x), x0, x1);
    let py = |y: f64| along(ys, panel.y.length(y), y0, y1);
    let line =
        |from, to, ink: RGBColor| area.draw(&PathElement::new(vec![from, to], ink.stroke_width(1))).map_err(failed);

    if panel.names.is_empty() {
        for (x, name) in panel.x.ticks(xs) {
            let x = along(xs, x, x0, x1);
            line((x, y0), (x, y1), GRAY)?;
            text(area, &name, (x, y0 + 6), 13, (HPos::Center, VPos::Top), false)?;
        }
    }
    for (x, name) in &panel.names {
        text(area, name, (px(*x), y0 + 6), 13, (HPos::Center, VPos::Top), false)?;
    }
    for (x, note) in &panel.notes {
        text(area, note, (px(*x), y0 + 24), 13, (HPos::Center, VPos::Top), false)?;
    }
    for (y, name) in panel.y.ticks(ys) {
        let y = along(ys, y, y0, y1);
        line((x0, y), (x1, y), GRAY)?;
        text(area, &name, (x0 - 6, y), 13, (HPos::Right, VPos::Center), false)?;
    }
    for &(from, to, low, high, index) in &panel.boxes {
        let corners = [(px(from), py(high)), (px(to), py(low))];
        area.draw(&Rectangle::new(corners, color(index).filled())).map_err(failed)?;
    }
    for (y, name) in &panel.levels {
        let y = py(*y);
        line((x0, y), (x1, y), INK)?;
        text(area, name, (x0 + 5, y + 4), 12, (HPos::Left, VPos::Top), false)?;
    }
    for curve in &panel.curves {
        draw_curve(area, curve, &px, &py, [x0, x1, y1, y0])?;
    }
    area.draw(&Rectangle::new([(x0, y1), (x1, y0)], INK.stroke_width(1))).map_err(failed)?;
    text(area, &panel.title, ((x0 + x1) / 2, y1 - 8), 15, (HPos::Center, VPos::Bottom), false)?;
    text(area, &panel.x.label, ((x0 + x1) / 2, y0 + 26), 14, (HPos::Center, VPos::Top), false)?;
    text(area, &panel.y.label, (left + 14, (y0 + y1) / 2), 14, (HPos::Center, VPos::Top), true)
}

/// The parts of a curve between numbers that are none, cut off at the edges of the panel.
fn draw_curve<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    curve: &Curve,
    px: &impl Fn(f64) -> i32,
    py: &impl Fn(f64) -> i32,
    [left, right, top, bottom]: [i32; 4],
) -> Result<(), PlotError> {
    for part in curve.points.split(|(x, y)| !x.is_finite() || !y.is_finite()) {
        let pixels = part.iter().map(|&(x, y)| (px(x), py(y).clamp(top, bottom)));
        let pixels: Vec<(i32, i32)> = pixels.filter(|(x, _)| (left..=right).contains(x)).collect();
        stroke(area, &pixels, curve.style)?;
        for at in pixels {
            mark(area, at, curve.style, false)?;
        }
    }
    for &(x, y) in &curve.beyond {
        mark(area, (px(x), py(y)), Style { marked: true, ..curve.style }, true)?;
    }
    Ok(())
}

/// Words in rows and columns.
pub struct TextTable {
    /// Title above the table.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// The rows, all as wide as the head.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    fn widths(&self) -> Vec<i32> {
        let count = |text: &String| text.chars().count() as i32;
        let column = |j: usize| self.rows.iter().map(|row| count(&row[j])).max().unwrap_or(0).max(count(&self.head[j]));
        (0..self.head.len()).map(|j| LETTER * column(j) + 28).collect()
    }

    /// Its size \[px\].
    pub fn size(&self) -> (u32, u32) {
        let title = 12 * self.title.chars().count() as i32;
        let width = self.widths().iter().sum::<i32>().max(title) + 2 * RIGHT;
        (width as u32, (TITLE + LINE * (self.rows.len() as i32 + 1) + 24) as u32)
    }
}

impl Picture for TextTable {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        area.fill(&WHITE).map_err(failed)?;
        text(area, &self.title, (RIGHT, 12), 19, (HPos::Left, VPos::Top), false)?;
        let widths = self.widths();
        let whole: i32 = widths.iter().sum();
        for (i, row) in std::iter::once(&self.head).chain(&self.rows).enumerate() {
            let y = TITLE + LINE / 2 + LINE * i as i32 + if i > 0 { 6 } else { 0 };
            let mut x = RIGHT;
            for (j, (cell, width)) in row.iter().zip(&widths).enumerate() {
                // Names stand left, numbers right.
                if j == 0 {
                    text(area, cell, (x, y), 14, (HPos::Left, VPos::Center), false)?;
                } else {
                    text(area, cell, (x + width - 14, y), 14, (HPos::Right, VPos::Center), false)?;
                }
                x += width;
            }
        }
        let y = TITLE + LINE + 2;
        area.draw(&PathElement::new(vec![(RIGHT, y), (RIGHT + whole, y)], INK.stroke_width(1))).map_err(failed)?;
        area.present().map_err(failed)
    }
}
