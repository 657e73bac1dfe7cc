//! Images on surfaces as sent to the page: addresses that contain the files themselves. Large images are reduced.

use super::patterns;
use super::shape_use::MeshUse;
use super::small_png::decoded;
use base64::Engine;
use kinegraph_engine::scene::{Image, Pattern};
use kinegraph_models::{FileAccess, MeshImage};
use png::{BitDepth, ColorType, Encoder};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Maximum number of pixels of a side; larger images are reduced.
const MAX_SIDE: u32 = 1024;
/// Maximum number of pixels of a PNG file that is read.
const MAX_PIXELS: u64 = 1 << 24;
/// Maximum size of a file that is read \[bytes\].
const MAX_FILE: u64 = 32 << 20;
/// Maximum size of a file that is sent unchanged \[bytes\].
pub const MAX_HANDED_ON: u64 = 4 << 20;
/// Maximum total size of the images of a scene \[bytes\].
const MAX_BYTES: usize = 48 << 20;

/// An image on surfaces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextureImages {
    /// Its number.
    pub id: usize,
    /// Addresses that hold the files (`data:image/png;base64,…`): one, or the sides of a cube, +x, -x, +y, -y, +z and
    /// -z.
    pub images: Vec<String>,
    /// The shapes whose appearance has it.
    pub uses: Vec<MeshUse>,
}

/// The images of a scene, each once.
pub(super) struct Textures<'a> {
    pub all: Vec<TextureImages>,
    /// Files that may be opened.
    access: &'a FileAccess,
    /// Facts about each image.
    known: Vec<Known>,
    bytes: usize,
}

#[derive(PartialEq)]
enum Known {
    Scene(Image),
    Mesh(MeshImage),
}

impl<'a> Textures<'a> {
    /// Creates an empty list; only files that `access` allows are read.
    pub fn new(access: &'a FileAccess) -> Self {
        Textures { all: Vec::new(), access, known: Vec::new(), bytes: 0 }
    }

    /// Adds a shape whose appearance has an image.
    pub fn add(&mut self, image: &Image, found: MeshUse) {
        let access = self.access;
        let id = self.id(Known::Scene(image.clone()), || match image {
            Image::File(file) => of_files([file.file.as_deref()], access),
            Image::Sides(files) => of_files(files.iter().map(|file| file.file.as_deref()), access),
            Image::Pattern(pattern) => of_pattern(pattern),
        });
        if let Some(id) = id {
            self.all[id].uses.push(found);
        }
    }

    /// Id of an image of a mesh; `None` if it cannot be shown.
    pub fn of_mesh(&mut self, image: &MeshImage) -> Option<usize> {
        let access = self.access;
        self.id(Known::Mesh(image.clone()), || match image {
            MeshImage::File(path) => of_files([path.to_str()], access),
            MeshImage::Within(bytes) => Some(vec![address(bytes)?]),
        })
    }

    fn id(&mut self, known: Known, read: impl FnOnce() -> Option<Vec<String>>) -> Option<usize> {
        let id = match self.known.iter().position(|other| *other == known) {
            Some(id) => id,
            None => {
                let mut images = read().unwrap_or_default();
                self.bytes += images.iter().map(String::len).sum::<usize>();
                if self.bytes > MAX_BYTES {
                    images.clear();
                }
                self.known.push(known);
                self.all.push(TextureImages { id: self.all.len(), images, uses: Vec::new() });
                self.all.len() - 1
            }
        };
        (!self.all[id].images.is_empty()).then_some(id)
    }
}

fn of_files<'a>(files: impl IntoIterator<Item = Option<&'a str>>, access: &FileAccess) -> Option<Vec<String>> {
    files.into_iter().map(|file| of_file(Path::new(file?), access)).collect()
}

fn of_file(path: &Path, access: &FileAccess) -> Option<String> {
    access.check(path).ok()?;
    path.metadata().ok().filter(|data| data.is_file() && data.len() <= MAX_FILE)?;
    address(&std::fs::read(path).ok()?)
}

fn of_pattern(pattern: &Pattern) -> Option<Vec<String>> {
    // A pattern looks the same with fewer pixels.
    let size = pattern.size.map(|pixels| pixels.clamp(1, MAX_SIDE));
    let pattern = Pattern { size, ..pattern.clone() };
    let png = |pixels: Vec<u8>| Some(written("png", &encoded(size, ColorType::Rgb, &pixels)?));
    patterns::drawn(&pattern).into_iter().map(png).collect()
}

/// Address that contains a PNG, JPEG or WebP file; `None` for other files and for too large ones.
pub fn address(file: &[u8]) -> Option<String> {
    let small_enough = file.len() as u64 <= MAX_HANDED_ON;
    match file {
        [0x89, b'P', b'N', b'G', ..] => {
            let size = png_size(file).filter(|[w, h]| u64::from(*w) * u64::from(*h) <= MAX_PIXELS)?;
            if size.iter().all(|pixels| *pixels <= MAX_SIDE) && small_enough {
                return Some(written("png", file));
            }
            let (.., pixels) = decoded(file).ok()?;
            let (size, pixels) = reduced(size, &pixels);
            Some(written("png", &encoded(size, ColorType::Rgba, &pixels)?))
        }
        [0xff, 0xd8, ..] if small_enough => Some(written("jpeg", file)),
        [b'R', b'I', b'F', b'F', ..] if small_enough && file.get(8..12) == Some(b"WEBP") => Some(written("webp", file)),
        _ => None,
    }
}

fn written(kind: &str, file: &[u8]) -> String {
    format!("data:image/{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(file))
}

/// Width and height, from the beginning of the file.
fn png_size(file: &[u8]) -> Option<[u32; 2]> {
    let number = |at: usize| Some(u32::from_be_bytes(file.get(at..at + 4)?.try_into().ok()?));
    Some([number(16)?, number(20)?]).filter(|size| size.iter().all(|pixels| *pixels > 0))
}

/// Reduces an image by averaging squares of pixels, so that no side is too large.
fn reduced(size: [u32; 2], pixels: &[u8]) -> ([u32; 2], Vec<u8>) {
    let by = size[0].max(size[1]).div_ceil(MAX_SIDE).max(1);
    let [width, height] = size.map(|pixels| (pixels / by).max(1));
    let mut means = Vec::with_capacity(4 * (width * height) as usize);
    for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
        let inside = |first: u32, of: u32| first * by..((first + 1) * by).min(of);
        let square = inside(row, size[1]).flat_map(|y| inside(column, size[0]).map(move |x| (y, x)));
        let (mut sums, mut count) = ([0_u32; 4], 0);
        for (y, x) in square {
            let at = 4 * (y as usize * size[0] as usize + x as usize);
            sums.iter_mut().zip(&pixels[at..at + 4]).for_each(|(sum, byte)| *sum += u32::from(*byte));
            count += 1;
        }
        means.extend(sums.map(|sum| (sum / count.max(1)) as u8));
    }
    ([width, height], means)
}

pub fn encoded(size: [u32; 2], color: ColorType, pixels: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size[0], size[1]);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels)).ok()?;
    Some(file)
}
