//! Pictures in little space.

use kinegraph_io::view::small_png::{decoded, small_png};
use png::{BitDepth, ColorType, Encoder};

pub fn picture(color: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let pixels: Vec<u8> = (0..64).flat_map(|y| (0..64).map(move |x| (x, y))).flat_map(|(x, y)| color(x, y)).collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 64, 64);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}

#[test]
fn few_colours_stay_as_they_are_and_many_come_near() {
    // The best palette for a plane of colours is a grid of 16 by 16, with a mean error of 4 in red and in green, so of
    // 2 over all four bytes.
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
