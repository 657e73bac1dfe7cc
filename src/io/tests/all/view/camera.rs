//! Pictures of cameras as sent to the page.

use base64::Engine;
use kinegraph_io::view::Photo;
use kinegraph_io::view::camera::{MAX_BYTES, photo, within};
use kinegraph_io::view::small_png::decoded;

fn bytes(photo: &Photo) -> (u32, u32, Vec<u8>) {
    let png = base64::engine::general_purpose::STANDARD.decode(&photo.png).unwrap();
    let (width, height, pixels) = decoded(&png).unwrap();
    (width, height, pixels.chunks_exact(4).map(|pixel| pixel[0]).collect())
}

#[test]
fn distances_are_read_back_to_a_step_of_their_range() {
    let distances: Vec<f64> = (0..24).map(|i| 1.0 + 0.37 * f64::from(i * i)).collect();
    let photo = photo(0, 0.5, 6, false, distances.iter().copied());
    let (width, height, bytes) = bytes(&photo);
    let [low, high] = photo.range;
    assert_eq!((width, height, low), (6, 4, 1.0));
    for (byte, distance) in bytes.iter().zip(&distances) {
        assert!((low + f64::from(*byte) / 255.0 * (high - low) - distance).abs() <= 0.51 * (high - low) / 255.0);
    }
}

#[test]
fn labels_are_themselves_and_strange_numbers_are_far() {
    let labels = photo(0, 0.0, 3, true, [0.0, 2.0, 1.0, 300.0, 7.0, 0.0].into_iter());
    assert_eq!(bytes(&labels), (3, 2, vec![0, 2, 1, 255, 7, 0]));
    let none = photo(0, 0.0, 2, false, [f64::NAN, f64::INFINITY, 4.0, 4.0].into_iter());
    assert_eq!((bytes(&none), none.range), ((2, 2, vec![255; 4]), [4.0; 2]));
}

#[test]
fn a_page_gets_so_many_pictures_and_no_more() {
    let mut sent = MAX_BYTES - 10;
    let last = within(photo(0, 0.0, 2, true, [0.0; 4].into_iter()), &mut sent);
    assert!(last.png.is_empty() && sent > MAX_BYTES);
}
