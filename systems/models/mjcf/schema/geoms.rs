//! Geoms and sites.

use super::common::{CLASS, NAMED, ORIENTATION, POSITION, SOFT};
use super::declaration::{
    Attribute, Element, at_most, element, flag, ignored, number, numbers, reference, silent, unread, word,
};
use super::words::{FLUID_SHAPES, GEOMS, SITES, names};

const GEOM: &[Attribute] = &[
    word("type", || names(&GEOMS), "shape; `sphere` if not stated"),
    at_most("size", 3, "half sizes, radius and half length, or radius").amount("m"),
    numbers("fromto", 6, "ends of a capsule, cylinder, box or ellipsoid").unit("m"),
    reference("mesh", "mesh", "mesh of it, or to which it is fitted"),
    reference("hfield", "height field", "height field of it"),
    number("fitscale", "size relative to the mesh that it is fitted to"),
    number("mass", "mass, in place of `density`").amount("kg"),
    number("density", "density; 1000 if not stated").amount("kg/m³"),
    flag("shellinertia", "whether its surface has the mass"),
    number("contype", "bits of what it is"),
    number("conaffinity", "bits of what it touches"),
    number("condim", "1 without friction, 3 sliding, 4 spinning, 6 rolling"),
    number("priority", "of two geoms the friction of that with more counts"),
    at_most("friction", 3, "coefficient of sliding, lengths of spinning and rolling"),
    number("margin", "by how much it touches as if it were thicker"),
    number("gap", "how far adhesion reaches beyond that"),
    number("adhesion", "force that pulls along normals"),
    word("fluidshape", || names(&FLUID_SHAPES), "whether the fluid meets its ellipsoid"),
    at_most("fluidcoef", 5, "blunt, slender and angular drag, Kutta and Magnus lift"),
];

const LOOK: &[Attribute] = &[
    reference("material", "material", "how it looks"),
    numbers("rgba", 4, "its colour"),
    number("group", "drawn from 0 to 2"),
];

const SITE: &[Attribute] = &[
    word("type", || names(&SITES), "zone of touch sensors; `sphere` if not stated"),
    at_most("size", 3, "size of that zone").amount("m"),
    numbers("fromto", 6, "its ends, in place of `pos` and an orientation").unit("m"),
];

pub(super) const ELEMENTS: &[Element] = &[
    element("geom", GEOM_PLACES, &[NAMED, CLASS, POSITION, ORIENTATION, SOFT, GEOM, LOOK, GEOM_REST]),
    element("site", GEOM_PLACES, &[NAMED, CLASS, POSITION, ORIENTATION, SITE, SITE_REST]),
];

const GEOM_PLACES: &str = "worldbody body frame replicate default";
const GEOM_REST: &[Attribute] = &[ignored("solmix"), silent("user"), unread("castshadow surfacevel")];
const SITE_REST: &[Attribute] = &[silent("group rgba material user"), unread("mesh")];
