//! Images on surfaces, and their mapping.

use super::FileReference;
use serde::{Deserialize, Serialize};

/// An image on a surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texture {
    /// What it shows.
    pub image: Image,
    /// How it lies on the surface.
    pub mapping: Mapping,
}

impl From<FileReference> for Texture {
    /// The image of a file, mapped by the coordinates of the surface.
    fn from(file: FileReference) -> Self {
        Texture { image: Image::File(file), mapping: Mapping::Surface }
    }
}

/// Where an image comes from.
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

/// How an image lies on a surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Mapping {
    /// By the coordinates that the surface has: those of its mesh file, or what is usual for a primitive.
    Surface,
    /// Along z of the shape, its upper edge towards y; a middle of it lies at the origin.
    Plane {
        /// How often it is repeated along x and y in a metre.
        repeats: [f64; 2],
    },
    /// As the sides of a cube, seen from its middle in the direction of the point.
    Cube {
        /// Factors of the coordinates of the point, which give the direction.
        factors: [f64; 3],
    },
}

/// An image that is drawn by a rule, as MJCF has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// The rule.
    pub rule: PatternRule,
    /// Whether it is six images, the sides of a cube.
    pub cube: bool,
    /// Pixels of a row, and rows; of a cube each side has as many rows as pixels of a row.
    pub size: [u32; 2],
    /// Red, green and blue, each from 0 to 1.
    pub rgb1: [f64; 3],
    /// The second colour.
    pub rgb2: [f64; 3],
    /// What is drawn over it.
    pub mark: PatternMark,
    /// The colour of that.
    pub mark_rgb: [f64; 3],
    /// Of random dots, the part of the pixels that has one.
    pub density: f64,
}

/// What an image shows that is drawn by a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatternRule {
    /// The first colour.
    Flat,
    /// Two squares of the first and two of the second colour.
    Checker,
    /// From one colour to the other: with the distance from the middle, of a cube with the elevation.
    Gradient,
}

/// What is drawn over such an image.
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
