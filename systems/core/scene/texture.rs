//! Images on surfaces, and their mapping.

use super::FileReference;
use serde::{Deserialize, Serialize};

/// An image on a surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texture {
    /// The image.
    pub image: Image,
    /// Mapping of the image to the surface.
    pub mapping: Mapping,
}

impl From<FileReference> for Texture {
    /// The image of a file, mapped by the coordinates of the surface.
    fn from(file: FileReference) -> Self {
        Texture { image: Image::File(file), mapping: Mapping::Surface }
    }
}

/// Source of an image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Image {
    /// A file.
    File(FileReference),
    /// Six files, the sides of a cube: +x, -x, +y, -y, +z, -z.
    Sides(Vec<FileReference>),
    /// A rule by which it is drawn.
    Pattern(Pattern),
}

/// Mapping of an image to a surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Mapping {
    /// By the texture coordinates of the surface: those of its mesh file, or the usual ones of a primitive.
    Surface,
    /// Projected along z of the shape, with its upper edge towards y; the middle of an image lies at the origin.
    Plane {
        /// Number of repeats per metre along x and y.
        repeats: [f64; 2],
    },
    /// As the sides of a cube, seen from its middle in the direction of the point.
    Cube {
        /// Factors of the coordinates of the point that give the direction.
        factors: [f64; 3],
    },
}

/// An image that is drawn by a rule, as in MJCF.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// The rule.
    pub rule: PatternRule,
    /// True for six images, the sides of a cube.
    pub cube: bool,
    /// Pixels per row, and number of rows; each side of a cube has as many rows as pixels per row.
    pub size: [u32; 2],
    /// Red, green and blue, each from 0 to 1.
    pub rgb1: [f64; 3],
    /// The second colour.
    pub rgb2: [f64; 3],
    /// Marks drawn over it.
    pub mark: PatternMark,
    /// Colour of the marks.
    pub mark_rgb: [f64; 3],
    /// For random dots, the fraction of pixels that have one.
    pub density: f64,
}

/// Rules by which an image is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatternRule {
    /// The first colour.
    Flat,
    /// Two squares of the first and two of the second colour.
    Checker,
    /// A gradient from one colour to the other: with the distance from the middle; for a cube, with the elevation.
    Gradient,
}

/// Marks drawn over such an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatternMark {
    /// Nothing.
    None,
    /// Its edges.
    Edge,
    /// A cross through the middle.
    Cross,
    /// Dots in random places.
    Dots,
}
