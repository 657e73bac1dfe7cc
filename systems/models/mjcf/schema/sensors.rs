//! Sensors.

use super::common::NAMED;
use super::declaration::{Attribute, Element, element, number, reference, silent, word};
use super::words::{OBJECTS, names};

const COMMON: &[Attribute] =
    &[number("cutoff", "largest reading; zero: none"), silent("delay interp interval noise nsample user")];
const AT_SITE: &[Attribute] = &[reference("site", "site", "site that it stands at")];
const OF_JOINT: &[Attribute] = &[reference("joint", "joint", "joint that it measures")];
const OF_TENDON: &[Attribute] = &[reference("tendon", "tendon", "tendon that it measures")];
const OF_ACTUATOR: &[Attribute] = &[reference("actuator", "actuator", "actuator that it measures")];
const OF_SUBTREE: &[Attribute] = &[reference("body", "body", "body at the root of the subtree")];
const OF_OBJECT: &[Attribute] = &[
    word("objtype", || names(&OBJECTS), "sort of what it measures"),
    reference("objname", "object", "what it measures"),
];
const SEEN_FROM: &[Attribute] = &[
    word("reftype", || names(&OBJECTS), "sort of what it measures from"),
    reference("refname", "object", "what it measures from"),
];

pub(super) const ELEMENTS: &[Element] = &[
    sensor("accelerometer gyro velocimeter force torque magnetometer touch", &[NAMED, COMMON, AT_SITE]),
    sensor("rangefinder", &[NAMED, COMMON, AT_SITE, &[silent("camera data")]]),
    sensor("jointpos jointvel ballquat ballangvel", &[NAMED, COMMON, OF_JOINT]),
    sensor("jointlimitpos jointlimitvel jointlimitfrc jointactuatorfrc", &[NAMED, COMMON, OF_JOINT]),
    sensor("tendonpos tendonvel", &[NAMED, COMMON, OF_TENDON]),
    sensor("actuatorpos actuatorvel actuatorfrc", &[NAMED, COMMON, OF_ACTUATOR]),
    sensor("framepos framequat framexaxis frameyaxis framezaxis", &[NAMED, COMMON, OF_OBJECT, SEEN_FROM]),
    sensor("framelinvel frameangvel", &[NAMED, COMMON, OF_OBJECT, SEEN_FROM]),
    sensor("framelinacc frameangacc", &[NAMED, COMMON, OF_OBJECT]),
    sensor("subtreecom subtreelinvel subtreeangmom", &[NAMED, COMMON, OF_SUBTREE]),
    sensor("e_potential e_kinetic clock", &[NAMED, COMMON]),
    lost("tendonlimitpos tendonlimitvel tendonlimitfrc tendonactuatorfrc", &[NAMED, LOST, &[silent("noise tendon")]]),
    lost("camprojection", &[NAMED, LOST, &[silent("camera noise site")]]),
    lost("insidesite", &[NAMED, LOST, &[silent("enclosed noise objname objtype site")]]),
    lost("distance normal fromto", &[NAMED, LOST, &[silent("body1 body2 geom1 geom2 noise")]]),
    lost("contact", &[NAMED, LOST, CONTACT]),
    lost("tactile", &[NAMED, LOST, &[silent("geom mesh")]]),
    lost("user", &[NAMED, &[silent("cutoff datatype dim needstage noise objname objtype user")]]),
    lost(
        "plugin",
        &[NAMED, &[silent("cutoff delay instance interp nsample objname objtype plugin refname reftype user")]],
    ),
];

const LOST: &[Attribute] = &[silent("cutoff delay interp interval nsample user")];
const CONTACT: &[Attribute] = &[silent("body1 body2 data geom1 geom2 noise num reduce site subtree1 subtree2")];

const fn sensor(names: &'static str, groups: &'static [&'static [Attribute]]) -> Element {
    element(names, "sensor", groups).unchecked()
}

/// Sensors that measure what is not simulated, or is not physics.
const fn lost(names: &'static str, groups: &'static [&'static [Attribute]]) -> Element {
    element(names, "sensor", groups).ignored()
}
