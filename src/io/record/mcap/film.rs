//! Reads the pictures of cameras from a recording.

use base64::Engine;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The pictures of one camera.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFilm {
    /// Name of the camera's output, such as `camera.depth`.
    pub name: String,
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// Names of the labels 1, 2, …, which are the values of pixels (0: nothing); `None` if pixels are distances \[m\].
    pub labels: Option<Vec<String>>,
    /// Pictures, each as its time \[s\] and its pixels row by row.
    pub pictures: Vec<(f64, Vec<f32>)>,
}

/// The fields of a `foxglove.RawImage` that are read.
#[derive(Deserialize)]
struct RawImage<'a> {
    width: usize,
    height: usize,
    encoding: &'a str,
    data: &'a str,
}

/// Message with the name of each label, by its number.
#[derive(Deserialize)]
struct Labels {
    labels: BTreeMap<String, String>,
}

/// Adds the content of a message: a picture, or the names of labels (topics that end in `/labels`). Other messages,
/// pictures in other encodings or of another size than the first, and damaged ones are ignored.
pub(super) fn take(films: &mut Vec<RecordedFilm>, topic: &str, time: f64, data: &[u8]) {
    let named = topic.trim_start_matches('/');
    if let Some(topic) = named.strip_suffix("/labels") {
        let Ok(Labels { labels }) = serde_json::from_slice(data) else { return };
        let names = (1..=labels.len()).map(|label| labels.get(&label.to_string()).cloned().unwrap_or_default());
        let name = path(topic);
        films.push(RecordedFilm { name, columns: 0, rows: 0, labels: Some(names.collect()), pictures: Vec::new() });
        return;
    }
    let Ok(image) = serde_json::from_slice::<RawImage<'_>>(data) else { return };
    let Ok(bytes) = base64::engine::general_purpose::STANDARD.decode(image.data) else { return };
    let numbers: Vec<f32> = match image.encoding {
        "32FC1" => bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        "16UC1" => bytes.as_chunks::<2>().0.iter().map(|bytes| f32::from(u16::from_le_bytes(*bytes))).collect(),
        _ => return,
    };
    if image.width.checked_mul(image.height) != Some(numbers.len()) || numbers.is_empty() {
        return;
    }
    let name = path(named);
    let place = films.iter().position(|film| film.name == name).unwrap_or_else(|| {
        films.push(RecordedFilm { name, columns: 0, rows: 0, labels: None, pictures: Vec::new() });
        films.len() - 1
    });
    let film = &mut films[place];
    if film.pictures.is_empty() {
        (film.columns, film.rows) = (image.width, image.height);
    }
    if (film.columns, film.rows) == (image.width, image.height) {
        film.pictures.push((time, numbers));
    }
}

/// Name of the output that a topic belongs to: `camera.depth` for `camera/depth`.
fn path(topic: &str) -> String {
    topic.replace('/', ".")
}
