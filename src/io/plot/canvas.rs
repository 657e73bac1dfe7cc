//! Canvases of pictures, their colours, and the output as SVG or PNG.

use kinegraph_engine::whole_file;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use std::io;
use std::path::Path;

/// Colours of Okabe and Ito, which can be distinguished with colour blindness.
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];

/// Reason why a plot cannot be drawn.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// There is nothing to draw.
    #[error("there is nothing to draw: {0}")]
    Nothing(&'static str),
    /// A name that ends neither in `.svg` nor in `.png`.
    #[error("a plot is written as .svg or .png")]
    Format,
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Drawing failed.
    #[error("{0}")]
    Draw(String),
}

kinegraph_core::debug_is_message!(PlotError);

/// Something that can be drawn on any kind of canvas.
pub trait Picture {
    /// Draws it.
    ///
    /// # Errors
    /// Nothing to draw; a backend that fails.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError>;
}

/// Registers the font: SVG files name it, pixels are made of it.
fn register() -> Result<(), PlotError> {
    let hack = epaint_default_fonts::HACK_REGULAR;
    register_font("monospace", FontStyle::Normal, hack).map_err(|_| PlotError::Draw("the font is broken".into()))
}

/// `picture` as the text of an SVG file.
///
/// # Errors
/// Nothing to draw.
pub(super) fn as_svg(picture: &impl Picture, size: (u32, u32)) -> Result<String, PlotError> {
    register()?;
    let mut text = String::new();
    picture.draw(&SVGBackend::with_string(&mut text, size).into_drawing_area())?;
    Ok(text)
}

/// Draws `picture` into the file at `path`, as `.svg` or `.png`, by its name.
///
/// # Errors
/// Nothing to draw, another kind of file, a file that cannot be written.
pub fn drawn(picture: &impl Picture, size: (u32, u32), path: &Path) -> Result<(), PlotError> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("svg") => Ok(whole_file::write(path, as_svg(picture, size)?.as_bytes())?),
        Some("png") => {
            register()?;
            let mut pixels = vec![0; size.0 as usize * size.1 as usize * 3];
            picture.draw(&BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area())?;
            let file = png_file(size, &pixels).map_err(|error| PlotError::Draw(error.to_string()))?;
            Ok(whole_file::write(path, &file)?)
        }
        _ => Err(PlotError::Format),
    }
}

/// PNG file of `pixels`: red, green and blue of each.
fn png_file((width, height): (u32, u32), pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels));
    written.map(|()| file)
}
