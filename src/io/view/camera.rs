//! Pictures of cameras as sent to the page: PNG files of one byte per pixel, with the meaning of the bytes.

use crate::record::mcap::{RecordedFilm, RecordedPicture};
use base64::Engine;
use kinegraph_core::picture::Shows;
use kinegraph_diagram::Diagram;
use kinegraph_engine::simulate::Sample;
use png::{BitDepth, ColorType, Compression, Encoder, FilterType};
use serde::{Deserialize, Serialize};

/// Maximum total size of the pictures sent \[bytes\]: the page keeps all of them.
pub const MAX_BYTES: usize = 64 << 20;

/// A camera whose pictures are recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraFacts {
    /// The output that gives the pictures: `camera.depth`.
    pub name: String,
    /// Pixels of a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// Names of the labels, from 1 on; `None` where pixels are distances \[m\].
    pub labels: Option<Vec<String>>,
}

/// A picture of a camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Photo {
    /// Index of the camera.
    pub camera: usize,
    /// From when on it is seen \[s\].
    pub time: f64,
    /// Distances that the bytes 0 and 255 stand for \[m\]; bytes of labels are the labels.
    pub range: [f64; 2],
    /// A PNG file in base64; empty where there were too many pictures, from here on.
    pub png: String,
}

/// The cameras of a run, whose pictures are sent while it goes on.
#[derive(Default)]
pub(super) struct Cameras {
    pictures: Vec<RecordedPicture>,
    sent: usize,
}

impl Cameras {
    /// Cameras among the outputs that are recorded as pictures or scans, with their facts.
    pub fn of(diagram: &Diagram, wanted: &[String]) -> (Self, Vec<CameraFacts>) {
        let (mut pictures, mut facts) = (Vec::new(), Vec::new());
        for recorded in RecordedPicture::all(diagram, wanted) {
            let picture = recorded.picture();
            let labels = match &picture.shows {
                Shows::Depth { .. } => None,
                Shows::Labels { names, .. } => Some(names.clone()),
                Shows::Ranges { .. } => continue,
            };
            let (columns, rows) = (picture.columns, picture.rows);
            facts.push(CameraFacts { name: recorded.path(diagram), columns, rows, labels });
            pictures.push(recorded);
        }
        (Cameras { pictures, sent: 0 }, facts)
    }

    /// Calls `send` with every picture that is new at this sample.
    pub fn take(&mut self, sample: &Sample<'_>, mut send: impl FnMut(Photo)) {
        for (camera, recorded) in self.pictures.iter_mut().enumerate() {
            if self.sent > MAX_BYTES {
                return;
            }
            let picture = recorded.picture();
            let (columns, are_labels) = (picture.columns, matches!(picture.shows, Shows::Labels { .. }));
            let Some((_, numbers)) = recorded.next(sample) else { continue };
            let photo = photo(camera, sample.time(), columns, are_labels, numbers.iter().copied());
            send(within(photo, &mut self.sent));
        }
    }
}

/// Cameras of a recording, and their pictures in order of time.
pub(super) fn of_films(films: &[RecordedFilm]) -> (Vec<CameraFacts>, Vec<Photo>) {
    let facts = films.iter().map(|film| CameraFacts {
        name: film.name.clone(),
        columns: film.columns,
        rows: film.rows,
        labels: film.labels.clone(),
    });
    let mut all: Vec<(f64, usize, &[f32])> = Vec::new();
    for (camera, film) in films.iter().enumerate() {
        all.extend(film.pictures.iter().map(|(time, numbers)| (*time, camera, &numbers[..])));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sent, mut photos) = (0, Vec::new());
    for (time, camera, numbers) in all {
        if sent > MAX_BYTES {
            break;
        }
        let film = &films[camera];
        let numbers = numbers.iter().map(|x| f64::from(*x));
        photos.push(within(photo(camera, time, film.columns, film.labels.is_some(), numbers), &mut sent));
    }
    (facts.collect(), photos)
}

/// Returns the picture, or an empty one if the limit is exceeded.
pub fn within(photo: Photo, sent: &mut usize) -> Photo {
    *sent += photo.png.len();
    if *sent > MAX_BYTES { Photo { png: String::new(), ..photo } } else { photo }
}

pub fn photo(
    camera: usize,
    time: f64,
    columns: usize,
    are_labels: bool,
    numbers: impl ExactSizeIterator<Item = f64> + Clone,
) -> Photo {
    let rows = numbers.len() / columns.max(1);
    let finite = || numbers.clone().filter(|x| x.is_finite());
    let range = [finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max)];
    let [low, high] = if range[0] <= range[1] { range } else { [0.0; 2] };
    // Values that are not numbers are drawn as the farthest.
    let byte = |x: f64| match are_labels {
        true => x.clamp(0.0, 255.0) as u8,
        false if high > low && x.is_finite() => (255.0 * (x - low) / (high - low)).round() as u8,
        false => 255,
    };
    let bytes: Vec<u8> = numbers.clone().map(byte).collect();
    let png = encoded(columns as u32, rows as u32, &bytes).unwrap_or_default();
    Photo { camera, time, range: [low, high], png: base64::engine::general_purpose::STANDARD.encode(png) }
}

fn encoded(width: u32, height: u32, bytes: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    // A pixel is mostly like the one above it.
    encoder.set_filter(FilterType::Up);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(bytes))?;
    Ok(file)
}
