//! Small pictures: a palette of at most 256 colours, found by a neural network (A. H. Dekker, "Kohonen neural networks
//! for optimal colour quantization", 1994) if there are more.

use color_quant::NeuQuant;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, FilterType, Transformations};
use std::collections::BTreeSet;

/// Colours of a palette.
const MAX_COLORS: usize = 256;
/// The network is trained with one in this many pixels.
const PIXELS_PER_SAMPLE: i32 = 3;

/// Reduces an opaque picture to at most 256 colours.
pub fn small_png(file: &[u8]) -> Result<Vec<u8>, String> {
    let (width, height, pixels) = decoded(file).map_err(|error| error.to_string())?;
    let (palette, places) = quantized(&pixels);
    encoded(width, height, &palette, &places).map_err(|error| error.to_string())
}

/// Width, height, and red, green, blue and alpha of every pixel.
pub fn decoded(file: &[u8]) -> Result<(u32, u32, Vec<u8>), png::DecodingError> {
    let mut decoder = Decoder::new(file);
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let mut reader = decoder.read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size()];
    let frame = reader.next_frame(&mut pixels)?;
    pixels.truncate(frame.buffer_size());
    if frame.color_type == ColorType::GrayscaleAlpha {
        pixels = pixels.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect();
    }
    Ok((frame.width, frame.height, pixels))
}

/// Palette of red, green, blue, and the index of every pixel in it.
fn quantized(pixels: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let color = |pixel: &[u8]| [pixel[0], pixel[1], pixel[2]];
    let all: BTreeSet<[u8; 3]> = pixels.chunks_exact(4).map(color).collect();
    if all.len() <= MAX_COLORS {
        let all: Vec<[u8; 3]> = all.into_iter().collect();
        let place = |pixel: &[u8]| all.binary_search(&color(pixel)).map_or(0, |place| place as u8);
        let places = pixels.chunks_exact(4).map(place).collect();
        return (all.concat(), places);
    }
    let network = NeuQuant::new(PIXELS_PER_SAMPLE, MAX_COLORS, pixels);
    let places = pixels.chunks_exact(4).map(|pixel| network.index_of(pixel) as u8).collect();
    (network.color_map_rgb(), places)
}

fn encoded(width: u32, height: u32, palette: &[u8], places: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.to_vec());
    encoder.set_compression(Compression::Best);
    // Differences between indices of a palette have no meaning.
    encoder.set_filter(FilterType::NoFilter);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(places));
    written.map(|()| file)
}
