//! Images drawn by a rule, pixel for pixel as MuJoCo draws them for its files; only random dots are at other places.

use kinegraph_engine::scene::{Pattern, PatternMark, PatternRule};
use std::f64::consts::FRAC_PI_2;

/// Red, green and blue of every pixel, row by row: one image, or the sides of a cube +x, -x, +y, -y, +z, -z.
pub fn drawn(pattern: &Pattern) -> Vec<Vec<u8>> {
    (0..if pattern.cube { 6 } else { 1 }).map(|side| side_of(pattern, side)).collect()
}

/// Index of the upper side of a cube.
const UP: usize = 2;
/// Index of the lower side of a cube.
const DOWN: usize = 3;
/// Sides of a cube whose squares are swapped.
const TURNED: [usize; 2] = [4, 5];

fn side_of(pattern: &Pattern, side: usize) -> Vec<u8> {
    let Pattern { rule, cube, rgb1, rgb2, mark, mark_rgb, density, .. } = pattern;
    let [width, height] = pattern.size.map(|pixels| pixels as usize);
    // Coordinate from -1 to 1, upwards.
    let along = |i: usize, of: usize| if of > 1 { 2.0 * i as f64 / (of - 1) as f64 - 1.0 } else { 0.0 };
    let mut random = 42_u64;
    let mut pixels = Vec::with_capacity(3 * width * height);
    for row in 0..height {
        for column in 0..width {
            let (x, y) = (along(column, width), -along(row, height));
            let is_first = (row < height / 2) == (column < width / 2);
            let away = (1.0 + x * x + y * y).sqrt();
            // Weight of the first colour.
            let part = match rule {
                PatternRule::Flat => f64::from(!(*cube && side == DOWN)),
                PatternRule::Checker => f64::from(is_first != (*cube && TURNED.contains(&side))),
                PatternRule::Gradient if !cube => 1.0 - sigmoid(2.0 * x.hypot(y) - 1.0),
                PatternRule::Gradient if side == UP => sigmoid(1.0 - (1.0 / away).acos() / FRAC_PI_2),
                PatternRule::Gradient if side == DOWN => sigmoid((1.0 / away).acos() / FRAC_PI_2 - 1.0),
                PatternRule::Gradient => sigmoid((y / away).asin() / FRAC_PI_2),
            };
            let marked = match mark {
                PatternMark::None => false,
                PatternMark::Edge => row == 0 || row + 1 == height || column == 0 || column + 1 == width,
                PatternMark::Cross => row == height / 2 || column == width / 2,
                PatternMark::Dots => next(&mut random) < *density,
            };
            let rgb = |i: usize| if marked { mark_rgb[i] } else { part * rgb1[i] + (1.0 - part) * rgb2[i] };
            pixels.extend([0, 1, 2].map(|i| (255.0 * rgb(i).clamp(0.0, 1.0)) as u8));
        }
    }
    pixels
}

/// Rises from 0 to 1 while its argument goes from -1 to 1.
fn sigmoid(x: f64) -> f64 {
    (0.5 * (1.0 + x / (1.0 + x * x).sqrt() * std::f64::consts::SQRT_2)).clamp(0.0, 1.0)
}

/// Next pseudorandom number from 0 to 1 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
/// generators", 2014).
fn next(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) as f64 / u64::MAX as f64
}
