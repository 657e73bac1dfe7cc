//! Cables and their plugin, ropes, flexible bodies and skins.

use super::common::{NAMED, ORIENTATION};
use super::declaration::{Attribute, Element, at_most, element, list, number, numbers, silent, text, word};
use super::words::{CABLE_ENDS, names};

const COMPOSITE: &[Attribute] = &[
    text("type", "cable, rope or loop; others are noted"),
    text("prefix", "before all of its names"),
    at_most("count", 3, "number of vertices, or of bodies of a rope"),
    list("vertex", "vertices, in place of a curve").unit("m"),
    text("curve", "functions along the axes: s, cos(s), sin(s), 0"),
    at_most("size", 3, "numbers of these functions"),
    word("initial", || names(&CABLE_ENDS), "joint of the first body"),
    numbers("offset", 3, "place of the first vertex").unit("m"),
    number("spacing", "from body to body of a rope"),
];

const FLEXCOMP: &[Attribute] = &[
    number("mass", "mass that is missing"),
    text("type", "by which `count` counts"),
    list("count", "points that are missing"),
    silent("axisangle cellcount dim dof element euler file flatskin group inertiabox material mesh name origin point"),
    silent("pos quat radius rgba rigid scale spacing texcoord xyaxes zaxis"),
];

const FLEX: &[Attribute] = &[
    text("body", "bodies that it holds together"),
    silent("active cellcount class dim dof element elemtexcoord flatskin flex group material name node nodecoord"),
    silent("radius rgba solimp solref texcoord vertex"),
];

const SKIN: &[Attribute] = &[silent("face file group inflate material name rgba texcoord vertex")];
const CONFIG: &[Attribute] = &[text("key", "twist, bend or flat"), text("value", "its value")];
const PLUGIN: &[Attribute] = &[text("plugin", "`mujoco.elasticity.cable` is simulated")];
const OF_BODY: &[Attribute] = &[text("instance", "instance that stiffens its joint"), PLUGIN[0]];

pub(super) const ELEMENTS: &[Element] = &[
    element("composite", "worldbody body frame replicate", &[ORIENTATION, COMPOSITE]).older(),
    element("joint", "composite", &[&[text("kind", "of a rope: main, twist or stretch")]]).older(),
    element("plugin", "extension", &[PLUGIN]).unchecked(),
    element("plugin", "body composite", &[OF_BODY]).unchecked(),
    element("plugin", "asset", &[]).silent(),
    element("instance", "plugin", &[NAMED]).unchecked(),
    element("config", "plugin instance", &[CONFIG]).unchecked(),
    element("flexcomp", "worldbody body frame replicate", &[FLEXCOMP]).unchecked(),
    element("flex", "deformable", &[FLEX]).unchecked(),
    element("skin", "asset deformable", &[SKIN]).unchecked(),
    element("bone", "skin", &[&[silent("bindpos bindquat body vertid vertweight")]]).silent(),
    element("edge", "flexcomp flex", &[&[silent("damping equality solimp solref stiffness")]]).silent(),
    element("elasticity", "flexcomp flex", &[ELASTICITY]).silent(),
    element("contact", "flexcomp flex", &[CONTACT]).silent(),
    element("pin", "flexcomp", &[&[silent("grid gridrange id range")]]).silent(),
    element("deformable", "mujoco", &[]).unchecked(),
];

const ELASTICITY: &[Attribute] = &[silent("damping elastic2d poisson section sectionsize shear thickness yield young")];
const CONTACT: &[Attribute] = &[
    silent("activelayers conaffinity condim contype friction gap margin passive priority selfcollide"),
    silent("solimp solmix solref"),
];
