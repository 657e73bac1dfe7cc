//! Attributes that many elements have.

use super::declaration::{Attribute, at_most, flag, name, number, numbers, reference, silent, word};
use super::words::{AUTO, names};

pub(super) const NAMED: &[Attribute] = &[name("by which others refer to it")];
pub(super) const CLASS: &[Attribute] = &[reference("class", "class", "default class")];
pub(super) const CHILD_CLASS: &[Attribute] =
    &[reference("childclass", "class", "default class of all elements in it that name none")];

pub(super) const POSITION: &[Attribute] = &[numbers("pos", 3, "place in what is around it").unit("m")];
pub(super) const ORIENTATION: &[Attribute] = &[
    numbers("quat", 4, "orientation, a quaternion w x y z"),
    numbers("axisangle", 4, "orientation, an axis and the angle about it"),
    numbers("euler", 3, "orientation, angles about the axes of `eulerseq`").unit("rad"),
    numbers("xyaxes", 6, "orientation, its axes x and y"),
    numbers("zaxis", 3, "orientation, its axis z"),
];

/// Softness of constraints and contacts.
pub(super) const SOFT: &[Attribute] = &[
    at_most("solref", 2, "time constant and damping ratio; negative: stiffness and damping"),
    at_most("solimp", 5, "impedance over the depth"),
];
pub(super) const ACTIVE: &[Attribute] = &[flag("active", "whether it holds from the start")];

/// Range of a joint or a tendon, and the stops at its ends.
pub(super) const STOP: &[Attribute] = &[
    word("limited", || names(&AUTO), "whether `range` holds"),
    numbers("range", 2, "least and largest position or length"),
    at_most("solreflimit", 2, "`solref` of its stops"),
    at_most("solimplimit", 5, "`solimp` of its stops"),
];

/// Spring, damper and dry friction of a joint or a tendon.
pub(super) const PASSIVE: &[Attribute] = &[
    at_most("stiffness", 3, "of its spring, and terms of second and third degree").unit("N/m, N m/rad"),
    at_most("damping", 3, "viscous, and terms of second and third degree").unit("N s/m, N m s/rad"),
    number("frictionloss", "dry friction").unit("N, N m"),
    at_most("solreffriction", 2, "`solref` of dry friction: how it creeps"),
    at_most("solimpfriction", 5, "`solimp` of dry friction: how it creeps"),
    number("armature", "inertia along it").unit("kg, kg m²"),
];

/// Groups of viewers, and data of users.
pub(super) const KEPT: &[Attribute] = &[silent("group user")];
