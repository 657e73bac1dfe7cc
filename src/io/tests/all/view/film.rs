//! Films of a run.

use kinegraph_io::view::film::GifFilm;
use kinegraph_io::view::{FilmFormat, PageFilm, PagePicture, PageView};
use std::path::Path;

fn png(shade: u8) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 8, 6);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let pixels: Vec<u8> = (0..48).flat_map(|i| [shade, i, 0, 255]).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}

/// Fifteen frames at 30 per second take 3, 4, 3 hundredths of a second in turn: half a second in all.
#[test]
fn the_times_of_a_gif_add_up() {
    let mut film = GifFilm::new((8, 6), 30.0);
    (0..15).for_each(|i| film.add(&png(16 * i)).unwrap());
    assert!(film.add(b"no picture").is_err());
    let bytes = film.end().unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!((frame.width, frame.height), (8, 6));
        delays.push(frame.delay);
    }
    assert_eq!((delays.len(), delays.iter().sum::<u16>()), (15, 50), "{delays:?}");
}

#[test]
fn the_address_of_a_film_has_its_settings() {
    let picture = PagePicture::new(PageView::Scene, (640, 400));
    let film = PageFilm { picture, fps: 25.0, speed: 0.5, format: FilmFormat::WebM };
    assert_eq!(film.wish(), "picture=scene&size=640x400&film=webm&fps=25&speed=0.5");
    let formats = ["a.mp4", "a.WEBM", "a.gif", "a.avi", "a"].map(|name| FilmFormat::of(Path::new(name)));
    assert_eq!(formats, [Some(FilmFormat::Mp4), Some(FilmFormat::WebM), Some(FilmFormat::Gif), None, None]);
}
