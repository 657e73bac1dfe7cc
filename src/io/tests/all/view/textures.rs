//! Images on surfaces as sent to the page.

use base64::Engine;
use kinegraph_io::view::small_png::decoded;
use kinegraph_io::view::textures::{MAX_HANDED_ON, address, encoded};
use png::ColorType;

fn bytes(address: &str) -> Vec<u8> {
    let text = address.strip_prefix("data:image/png;base64,").unwrap();
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

/// A reduced image keeps its two halves of two colours, and an image that is small enough is sent unchanged.
#[test]
fn large_images_are_made_smaller() {
    let png = |[w, h]: [u32; 2]| {
        let pixels = (0..w * h).flat_map(|i| if i % w < w / 2 { [200, 0, 0, 255] } else { [0, 100, 0, 255] });
        encoded([w, h], ColorType::Rgba, &pixels.collect::<Vec<u8>>()).unwrap()
    };
    let small = png([32, 8]);
    assert_eq!(bytes(&address(&small).unwrap()), small);
    let (width, height, pixels) = decoded(&bytes(&address(&png([3000, 300])).unwrap())).unwrap();
    assert_eq!((width, height), (1000, 100));
    assert_eq!((&pixels[..4], &pixels[4 * 999..4 * 1000]), (&[200, 0, 0, 255][..], &[0, 100, 0, 255][..]));
}

#[test]
fn invalid_and_too_large_images_are_left_out() {
    let mut bomb = encoded([1, 1], ColorType::Rgba, &[0; 4]).unwrap();
    bomb[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
    for file in [&bomb[..], b"\x89PNG", b"GIF89a", b"RIFFxxxxWAVE", b""] {
        assert_eq!(address(file), None);
    }
    let jpeg = |bytes: usize| [&[0xff, 0xd8][..], &vec![0; bytes]].concat();
    assert!(address(&jpeg(100)).unwrap().starts_with("data:image/jpeg;base64,"));
    assert_eq!(address(&jpeg(MAX_HANDED_ON as usize)), None);
}
