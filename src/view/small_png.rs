//! Pictures in little space: a palette of at most 256 colours, found by a neural network (A. H. Dekker, "Kohonen neural
//! networks for optimal colour quantization", 1994) where there are more.

use color_quant::NeuQuant;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, FilterType, Transformations};
use std::collections::BTreeSet;

/// Colours of a palette.
const MAX_COLORS: usize = 256;
/// The network is trained with one pixel in so many.
const PIXELS_PER_SAMPLE: i32 = 3;

/// The same picture, opaque, of at most 256 colours.
pub fn small_png(file: &[u8]) -> Result<Vec<u8>, String> {
    let (width, height, pixels) = decoded(file).map_err(|error| error.to_string())?;
    let (palette, places) = quantized(&pixels);
    encoded(width, height, &palette, &places).map_err(|error| error.to_string())
}

/// Width, height, and red, green, blue and alpha of every pixel.
pub(super) fn decoded(file: &[u8]) -> Result<(u32, u32, Vec<u8>), png::DecodingError> {
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

/// A palette of red, green, blue, and for every pixel its place there.
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
    // Differences of places in a palette mean nothing.
    encoder.set_filter(FilterType::NoFilter);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(places));
    written.map(|()| file)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn picture(color: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
        let pixels: Vec<u8> =
            (0..64).flat_map(|y| (0..64).map(move |x| (x, y))).flat_map(|(x, y)| color(x, y)).collect();
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, 64, 64);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        file
    }

    #[test]
    fn few_colours_stay_as_they_are_and_many_come_near() {
        // The best palette for a plane of colours is a grid of 16 by 16: off by 4 on average in red and green, so by 2
        // over all four bytes.
        for (file, most) in [
            (picture(|x, y| [(x / 8 * 20) as u8, (y / 8 * 20) as u8, 7, 255]), 0.0),
            (picture(|x, y| [(4 * x) as u8, (4 * y) as u8, 90, 255]), 3.0 * 2.0),
        ] {
            let small = small_png(&file).unwrap();
            let ((.., old), (width, height, new)) = (decoded(&file).unwrap(), decoded(&small).unwrap());
            assert_eq!((width, height), (64, 64));
            let away: f64 = old.iter().zip(&new).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
            let mean = away / old.len() as f64;
            assert!(mean <= most, "{mean} of at most {most}");
        }
        assert!(small_png(b"no picture").is_err());
    }
}
