//! Contacts, equalities and keyframes.

use super::common::{ACTIVE, CLASS, NAMED, SOFT};
use super::declaration::{
    Attribute, Element, at_most, element, ignored, list, number, numbers, reference, silent, unread,
};

const EXCLUDE: &[Attribute] =
    &[reference("body1", "body", "a body"), reference("body2", "body", "what it does not touch"), silent("name")];

const PAIR: &[Attribute] = &[
    reference("geom1", "geom", "a geom"),
    reference("geom2", "geom", "what it touches"),
    number("condim", "as of geoms"),
    at_most("friction", 5, "coefficients along two tangents, lengths of spinning and of rolling about two"),
    number("margin", "as of geoms"),
    number("gap", "as of geoms"),
    number("adhesion", "as of geoms"),
    ignored("solreffriction"),
    silent("name"),
];

/// Ends of an equality.
const ENDS: &[Attribute] = &[
    reference("body1", "body", "a body"),
    reference("body2", "body", "what it is held to; the world if not stated"),
    reference("site1", "site", "a site, in place of bodies"),
    reference("site2", "site", "the site that it is held to"),
];

const WELD: &[Attribute] = &[
    numbers("anchor", 3, "point of the second body").unit("m"),
    numbers("relpose", 7, "pose of the second body in the first").unit("m"),
    number("torquescale", "factor of rotations"),
];

const JOINTS: &[Attribute] = &[
    reference("joint1", "joint", "a joint"),
    reference("joint2", "joint", "the joint that it follows"),
    at_most("polycoef", 5, "polynomial by which it does"),
];

const TENDONS: &[Attribute] = &[
    reference("tendon1", "tendon", "a tendon"),
    reference("tendon2", "tendon", "the tendon that it follows"),
    at_most("polycoef", 5, "polynomial by which it does"),
];

const KEY: &[Attribute] = &[
    list("qpos", "positions").unit("m, rad"),
    list("qvel", "velocities").unit("m/s, rad/s"),
    list("act", "activations"),
    list("ctrl", "controls"),
    ignored("mpos mquat"),
    silent("time"),
    unread("plastic"),
];

pub(super) const ELEMENTS: &[Element] = &[
    element("exclude", "contact", &[EXCLUDE]),
    element("pair", "contact default", &[CLASS, SOFT, PAIR]),
    element("connect", "equality", &[NAMED, CLASS, ACTIVE, SOFT, ENDS, &[CONNECTED]]),
    element("weld", "equality", &[NAMED, CLASS, ACTIVE, SOFT, ENDS, WELD]),
    element("joint", "equality", &[NAMED, CLASS, ACTIVE, SOFT, JOINTS]),
    element("tendon", "equality", &[NAMED, CLASS, ACTIVE, SOFT, TENDONS]),
    element("equality", "default", &[ACTIVE, SOFT]).unchecked(),
    element("flex", "equality", &[NAMED]).ignored(),
    element("flexstrain", "equality", &[NAMED, &[silent("active cell class flex solimp solref")]]).ignored(),
    element("flexvert distance", "equality", &[NAMED]).ignored().older(),
    element("key", "keyframe", &[NAMED, KEY]),
];

const CONNECTED: Attribute = numbers("anchor", 3, "point of the first body").unit("m");
