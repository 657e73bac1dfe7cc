//! Materials and textures: how geoms look. Nothing of it moves anything, so that what cannot be drawn is a note.
//!
//! Images on geoms without coordinates of their own lie as in MuJoCo's renderer: a flat image is laid along z and
//! repeated `texrepeat` times over the geom, or over two metres with `texuniform`; the sides of a cube are those that
//! the direction of a point from the origin meets, in the unit box of the geom or, with `texuniform`, in metres.

use super::classes::Classes;
use super::element::Element;
use super::fields::Fields;
use super::geoms::Form;
use super::log::Log;
use super::schema::words::{MARKS, PATTERNS, TEXTURES};
use super::settings::Settings;
use super::solids::Solid;
use kinegraph_core::scene::{Appearance, FileReference, Image, Mapping, Pattern, PatternMark, PatternRule, Texture};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Colour of a geom that says nothing, which stands behind that of its material.
const PLAIN: [f64; 4] = [0.5, 0.5, 0.5, 1.0];
/// The sides of a cube, as attributes name them: +x, -x, +y, -y, +z, -z.
const SIDES: [&str; 6] = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
/// Most pixels of a row of an image that is drawn by a rule.
const MAX_SIDE: f64 = 4096.0;

/// An image as written.
struct Written {
    image: Image,
    cube: bool,
}

/// A material as written.
struct Material {
    rgba: [f64; 4],
    texture: Option<String>,
    repeat: [f64; 2],
    uniform: bool,
}

/// The materials of a model.
pub(super) struct Materials {
    textures: HashMap<String, Written>,
    materials: HashMap<String, Material>,
}

impl Materials {
    /// Reads the materials of a model.
    pub fn read(root: &Element, classes: &Classes, settings: &Settings, log: &mut Log<'_>) -> Self {
        let assets = |kind: &'static str| root.all("asset").flat_map(move |asset| asset.all(kind));
        let mut textures = HashMap::new();
        for element in assets("texture") {
            let f = Fields::alone(element);
            let stem = f.text("file").and_then(|file| Path::new(file).file_stem());
            let name = f.text("name").map(str::to_owned).or(stem.map(|stem| stem.to_string_lossy().into_owned()));
            if let (Some(name), Some(texture)) = (name, texture(&f, settings, log)) {
                textures.entry(name).or_insert(texture);
            }
        }
        let mut materials = HashMap::new();
        for element in assets("material") {
            let defaults = classes.defaults(element, "material", log);
            let f = Fields { element, defaults };
            let Some(name) = f.text("name") else { continue };
            let of_layer = || element.all("layer").find(|layer| layer.value("role").is_none_or(|role| role == "rgb"));
            let texture = f.text("texture").or_else(|| of_layer()?.value("texture")).map(str::to_owned);
            let material = Material {
                rgba: f.exactly("rgba", log).unwrap_or([1.0; 4]),
                texture,
                repeat: f.exactly("texrepeat", log).unwrap_or([1.0; 2]),
                uniform: f.flag("texuniform", false, log),
            };
            materials.entry(name.to_owned()).or_insert(material);
        }
        Materials { textures, materials }
    }

    /// How a geom of this form looks; `None` where the file says nothing.
    pub fn of(&self, f: &Fields<'_>, form: Form, log: &mut Log<'_>) -> Option<Arc<Appearance>> {
        let own = f.list("rgba", log).and_then(|list| <[f64; 4]>::try_from(list).ok());
        let name = f.text("material").unwrap_or_default();
        let material = self.materials.get(name);
        if !name.is_empty() && material.is_none() {
            log.differs(f.element, "has a material that the file does not have");
        }
        let rgba = own.filter(|own| material.is_none() || *own != PLAIN).or(material.map(|material| material.rgba))?;
        let texture = material.and_then(|material| {
            let texture = self.textures.get(material.texture.as_deref()?)?;
            let mapping = mapping(material, texture.cube, half_size(form), matches!(form, Form::Mesh(_)));
            Some(Texture { image: texture.image.clone(), mapping })
        });
        let rgba = Some(rgba.map(|x| x.clamp(0.0, 1.0)));
        Some(Arc::new(Appearance { name: name.to_owned(), rgba, texture }))
    }
}

/// The factors of a geom that has the unit box: half of its extent along each axis; 1 where it has no end.
fn half_size(form: Form) -> [f64; 3] {
    match form {
        Form::Plane(half) => {
            let [a, b] = half.map(|x| if x.is_finite() { x } else { 1.0 });
            [a, b, 1.0]
        }
        Form::Solid(Solid::Sphere { r }) => [r; 3],
        Form::Solid(Solid::Capsule { r, l } | Solid::Cylinder { r, l }) => [r, r, l],
        Form::Solid(Solid::Box(half) | Solid::Ellipsoid(half)) => half.into(),
        _ => [1.0; 3],
    }
}

fn mapping(material: &Material, cube: bool, half: [f64; 3], has_own: bool) -> Mapping {
    let Material { repeat: [u, v], uniform, .. } = *material;
    match (cube, uniform) {
        (true, true) => Mapping::Cube { factors: [1.0; 3] },
        (true, false) => Mapping::Cube { factors: half.map(|x| 1.0 / x) },
        (false, _) if has_own => Mapping::Surface,
        (false, true) => Mapping::Plane { repeats: [u / 2.0, v / 2.0] },
        (false, false) => Mapping::Plane { repeats: [u / (2.0 * half[0]), v / (2.0 * half[1])] },
    }
}

fn texture(f: &Fields<'_>, settings: &Settings, log: &mut Log<'_>) -> Option<Written> {
    let kind = f.word("type", &TEXTURES, Some(true), log);
    // What stands around the scene is on no geom.
    let cube = kind?;
    if let Some(rule) = f.word("builtin", &PATTERNS, None, log) {
        return Some(Written { image: Image::Pattern(pattern(f, rule, cube, log)), cube });
    }
    let file = |written: &str| {
        let uri = written.to_owned();
        FileReference { file: found(f.element, written, settings, log), uri }
    };
    let image = match (f.text("file"), cube) {
        (Some(one), _) if !cube || !f.has("gridlayout") => Image::File(file(one)),
        (Some(_), _) => {
            log.differs(f.element, "has its sides in a grid, and is not drawn");
            return None;
        }
        (None, true) => {
            let sides = SIDES.map(|side| f.text(side));
            let first = sides.iter().flatten().next()?;
            Image::Sides(sides.iter().map(|side| file(side.unwrap_or(first))).collect())
        }
        (None, false) => return None,
    };
    Some(Written { image, cube })
}

fn pattern(f: &Fields<'_>, rule: PatternRule, cube: bool, log: &mut Log<'_>) -> Pattern {
    let mut pixels = |name| f.number_or(name, 0.0, log).clamp(1.0, MAX_SIDE) as u32;
    let width = pixels("width");
    let height = if cube { width } else { pixels("height") };
    Pattern {
        rule,
        cube,
        size: [width, height],
        rgb1: f.exactly("rgb1", log).unwrap_or([0.8; 3]),
        rgb2: f.exactly("rgb2", log).unwrap_or([0.5; 3]),
        mark: f.word("mark", &MARKS, PatternMark::None, log),
        mark_rgb: f.exactly("markrgb", log).unwrap_or_default(),
        density: f.number_or("random", 0.01, log),
    }
}

/// The path of an image; `None` where there is none that may be opened.
fn found(element: &Element, written: &str, settings: &Settings, log: &Log<'_>) -> Option<String> {
    let settings = settings.of(element);
    let name = Path::new(written);
    let name = if settings.strip_path { Path::new(name.file_name()?) } else { name };
    let folder = settings.folder.as_deref().unwrap_or(log.folder());
    let places = [folder.join(&settings.texture_folder).join(name), log.folder_of(&element.at).join(name)];
    let path = places.iter().find(|path| log.options().access.check(path).is_ok())?;
    Some(path.display().to_string())
}
