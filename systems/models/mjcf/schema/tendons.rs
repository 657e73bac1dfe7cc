//! Tendons, and the places that strings go along.

use super::common::{CLASS, KEPT, NAMED, PASSIVE, STOP};
use super::declaration::{Attribute, Element, element, ignored, list, number, reference, silent, unread};

const TENDON: &[Attribute] = &[
    list("springlength", "length where the spring is at rest, or the range where it is slack").unit("m, rad"),
    ignored("margin actuatorfrclimited actuatorfrcrange"),
    unread("springyield"),
];

const DRAWN: &[Attribute] = &[silent("material rgba width")];

const WRAPPED: &[Attribute] = &[
    reference("geom", "geom", "sphere or cylinder that it wraps over"),
    reference("sidesite", "site", "site on whose side it does"),
];

pub(super) const ELEMENTS: &[Element] = &[
    element("fixed", "tendon", &[NAMED, CLASS, STOP, PASSIVE, TENDON, KEPT]),
    element("spatial", "tendon", &[NAMED, CLASS, STOP, PASSIVE, TENDON, KEPT, DRAWN]),
    element("tendon", "default", &[STOP, PASSIVE, TENDON, KEPT, DRAWN]),
    element("joint", "fixed", &[&[reference("joint", "joint", "a joint"), number("coef", "its coefficient")]]),
    element("site", "spatial", &[&[reference("site", "site", "point that it goes through")]]).unchecked(),
    element("geom", "spatial", &[WRAPPED]).unchecked(),
    element("pulley", "spatial", &[&[number("divisor", "of the lengths behind it")]]).unchecked(),
];
