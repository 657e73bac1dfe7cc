//! Assets: meshes, height fields, textures, materials, other models.

use super::common::{CLASS, NAMED};
use super::declaration::{
    Attribute, Element, element, flag, ignored, list, number, numbers, reference, silent, text, word,
};
use super::words::{FILLED, MARKS, PATTERNS, TEXTURES, names};

const MESH: &[Attribute] = &[
    text("file", "file of its triangles"),
    list("vertex", "points, in place of a file").unit("m"),
    list("face", "triangles of these points; not stated: their hull"),
    numbers("scale", 3, "factors along its axes"),
    numbers("refpos", 3, "point of the file that becomes its origin").unit("m"),
    numbers("refquat", 4, "orientation of the file that becomes none"),
    word("inertia", || names(&FILLED), "what of it has mass; `legacy` if not stated"),
    ignored("builtin params maxhullvert smoothnormal"),
    silent("normal texcoord content_type material"),
    // Of other versions.
    silent("texturedir octree_maxdepth"),
];

const HEIGHT_FIELD: &[Attribute] = &[
    text("file", "PNG image, or file of the format"),
    number("nrow", "rows of `elevation`"),
    number("ncol", "columns of it"),
    list("elevation", "heights, in place of a file"),
    numbers("size", 4, "half extents along x and y, greatest height, depth of the block below").amount("m"),
    silent("content_type"),
];

const TEXTURE: &[Attribute] = &[
    word("type", || names(&TEXTURES), "flat, or the sides of a cube; `skybox` is not drawn"),
    word("builtin", || names(&PATTERNS), "rule by which it is drawn"),
    text("file", "image"),
    text("fileright", "image of a side"),
    text("fileleft", "image of a side"),
    text("fileup", "image of a side"),
    text("filedown", "image of a side"),
    text("filefront", "image of a side"),
    text("fileback", "image of a side"),
    text("gridlayout", "sides in one image, which is not drawn"),
    number("width", "pixels of a row"),
    number("height", "rows"),
    numbers("rgb1", 3, "first colour"),
    numbers("rgb2", 3, "second colour"),
    word("mark", || names(&MARKS), "what is drawn over it"),
    numbers("markrgb", 3, "colour of that"),
    number("random", "part of the pixels that are dots"),
    silent("class colorspace content_type embed gridsize hflip nchannel vflip"),
];

const MATERIAL: &[Attribute] = &[
    numbers("rgba", 4, "colour"),
    reference("texture", "texture", "its texture"),
    numbers("texrepeat", 2, "how often it is repeated"),
    flag("texuniform", "whether it is repeated over lengths"),
    silent("emission metallic reflectance roughness shininess specular"),
];

const LAYER: &[Attribute] =
    &[reference("texture", "texture", "texture of the layer"), text("role", "`rgb` is drawn; other roles are not")];

pub(super) const ELEMENTS: &[Element] = &[
    element("mesh", "asset default", &[NAMED, CLASS, MESH]),
    element("hfield", "asset", &[NAMED, HEIGHT_FIELD]),
    element("texture", "asset", &[NAMED, TEXTURE]).unchecked(),
    element("material", "asset default", &[NAMED, CLASS, MATERIAL]).unchecked(),
    element("layer", "material", &[LAYER]).unchecked(),
    element("model", "asset", &[NAMED, &[text("file", "file of the model"), silent("content_type")]]).unchecked(),
];
