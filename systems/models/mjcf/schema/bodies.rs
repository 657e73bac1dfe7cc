//! Bodies, their frames, inertias and joints, and what repeats and attaches them.

use super::common::{CHILD_CLASS, CLASS, KEPT, NAMED, ORIENTATION, PASSIVE, POSITION, STOP};
use super::declaration::{Attribute, Element, element, flag, ignored, number, numbers, silent, text, unread, word};
use super::words::{AUTO, JOINTS, names};

const BODY: &[Attribute] = &[
    number("gravcomp", "fraction of its weight that carries it"),
    flag("mocap", "whether it is moved from outside"),
    silent("user sleep"),
    unread("fuse simple"),
];

const INERTIAL: &[Attribute] = &[
    number("mass", "mass").amount("kg"),
    numbers("diaginertia", 3, "moments about the axes of its frame").amount("kg m²"),
    numbers("fullinertia", 6, "moments xx yy zz, products xy xz yz").unit("kg m²"),
];

const JOINT: &[Attribute] = &[
    word("type", || names(&JOINTS), "motion that it allows; `hinge` if not stated"),
    numbers("axis", 3, "axis of a hinge or a slide"),
    number("ref", "position where the body stands as written").unit("m, rad"),
    number("springref", "position where the spring is at rest").unit("m, rad"),
    numbers("springdamper", 2, "time constant and damping ratio of spring and damper").amount("s"),
    number("margin", "how far before its stops these begin").unit("m, rad"),
    word("actuatorfrclimited", || names(&AUTO), "whether `actuatorfrcrange` holds"),
    numbers("actuatorfrcrange", 2, "range of the sum of the forces of its actuators"),
    ignored("actuatorgravcomp"),
    unread("springyield"),
];

const REPLICATE: &[Attribute] = &[
    number("count", "number of copies"),
    numbers("offset", 3, "from copy to copy").unit("m"),
    numbers("euler", 3, "turn from copy to copy").unit("rad"),
    text("sep", "between names and the numbers of copies"),
    silent("name user"),
    unread("pos quat axisangle xyaxes zaxis"),
    unread(BODY_ONLY),
];

const ATTACH: &[Attribute] = &[
    text("model", "`<model>` of the file"),
    text("body", "body of it; not stated: its whole world"),
    text("prefix", "before all of its names"),
    unread("frame"),
];

pub(super) const ELEMENTS: &[Element] = &[
    element("body", BODIES, &[NAMED, CHILD_CLASS, POSITION, ORIENTATION, BODY]),
    element("frame", BODIES, &[CHILD_CLASS, POSITION, ORIENTATION, &[silent("name user"), unread(BODY_ONLY)]]),
    element("inertial", "body", &[POSITION, ORIENTATION, INERTIAL]),
    element("joint", "body frame replicate default", &[NAMED, CLASS, POSITION, STOP, PASSIVE, JOINT, KEPT]),
    element("freejoint", "body frame replicate", &[NAMED, &[word("align", || names(&AUTO), ALIGN), silent("group")]]),
    element("replicate", BODIES, &[CHILD_CLASS, REPLICATE]),
    element("attach", BODIES, &[ATTACH]).unchecked(),
];

const BODIES: &str = "worldbody body frame replicate";
const BODY_ONLY: &str = "fuse gravcomp mocap simple sleep";
const ALIGN: &str = "whether keyframes say where the frame of the inertia is";
