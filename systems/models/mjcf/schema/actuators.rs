//! Actuators. All kinds share one default, so that what one kind has is known of all.

use super::common::{CLASS, NAMED};
use super::declaration::{
    Attribute, Element, at_most, element, flag, list, number, numbers, reference, silent, unread, word,
};
use super::words::{AUTO, DYNAMICS, FACTORS, names};

const COMMON: &[Attribute] = &[
    NAMED[0],
    CLASS[0],
    numbers("ctrlrange", 2, "range of the control"),
    number("group", "by which `actuatorgroupdisable` names it"),
    silent("delay interp nsample user"),
];
const CONTROL_LIMITED: &[Attribute] = &[word("ctrllimited", || names(&AUTO), "whether `ctrlrange` holds")];
const FORCE: &[Attribute] = &[
    word("forcelimited", || names(&AUTO), "whether `forcerange` holds"),
    numbers("forcerange", 2, "range of the force"),
];
const ACTIVATION_RANGE: &[Attribute] = &[
    word("actlimited", || names(&AUTO), "whether `actrange` holds"),
    numbers("actrange", 2, "range of the activation"),
];

/// Transmission along joints, tendons and rods, and the load that an actuator is to these.
const ALONG: &[Attribute] = &[
    reference("joint", "joint", "joint that it drives"),
    reference("jointinparent", "joint", "ball or free joint that it drives in the axes of the parent"),
    reference("tendon", "tendon", "tendon that it pulls"),
    reference("cranksite", "site", "site of a crank"),
    reference("slidersite", "site", "site of the slider that it drives"),
    number("cranklength", "length of the rod between both"),
    at_most("gear", 6, "factor of length and force, or along six components"),
    numbers("lengthrange", 2, "lengths between which a muscle works"),
    at_most("damping", 3, "viscous, and terms of second and third degree"),
    number("armature", "inertia along it").unit("kg, kg m²"),
];
const AT_SITE: &[Attribute] =
    &[reference("site", "site", "site that it drives"), reference("refsite", "site", "site in whose frame it does")];
const BODY: &[Attribute] = &[reference("body", "body", "body whose contacts it presses")];

const DYNAMIC: &[Attribute] = &[
    word("dyntype", || names(&DYNAMICS), "dynamics of the activation"),
    list("dynprm", "numbers of these dynamics"),
    number("actdim", "number of activations"),
    flag("actearly", "whether the next activation acts, which is noted"),
];
const GENERAL: &[Attribute] = &[
    word("gaintype", || names(&FACTORS), "type of the gain"),
    list("gainprm", "numbers of the gain"),
    word("biastype", || names(&FACTORS), "type of the bias"),
    list("biasprm", "numbers of the bias"),
    unread("ffrange input velrange"),
];
const INHERIT: &[Attribute] = &[number("inheritrange", "part of the range of its joint or tendon that it has")];
const SERVO: &[Attribute] = &[
    number("kp", "stiffness, or gain"),
    number("kv", "damping"),
    number("dampratio", "damping ratio, in place of `kv`"),
];
const DAMPED: &[Attribute] = &[number("kv", "gain, or damping")];
const FILTER: &[Attribute] = &[number("timeconst", "of the filter of the control").amount("s")];
const CYLINDER: &[Attribute] = &[
    number("area", "of the piston: the gain"),
    number("diameter", "of the piston, in place of `area`").amount("m"),
    at_most("bias", 3, "bias, and its factors of length and velocity"),
];
const MUSCLE: &[Attribute] = &[
    at_most("timeconst", 2, "time constants of activation and deactivation").amount("s"),
    number("tausmooth", "width of the transition between both").amount("s"),
    at_most("range", 2, "operating range of lengths"),
    number("force", "peak active force at rest; negative: by `scale`"),
    number("scale", "force per unit of acceleration"),
    number("lmin", "least length that is active"),
    number("lmax", "largest length that is active"),
    number("vmax", "velocity at which there is no force"),
    number("fpmax", "passive force at `lmax`"),
    number("fvmax", "active force at the largest lengthening"),
];
const DC_MOTOR: &[Attribute] =
    &[unread("cogging controller inductance input lugre motorconst nominal resistance saturation thermal")];
const PID: &[Attribute] = &[unread("dampratio ffrange imax inheritrange input ki kp kv posrange slewmax velrange")];
const ORIENTATION: &[Attribute] =
    &[reference("joint", "joint", "joint that it drives"), unread("dampratio input kp kv")];
const PLUGIN: &[Attribute] = &[reference("site", "site", "site that it drives"), unread("instance plugin")];

pub(super) const ELEMENTS: &[Element] = &[
    actuator(
        "general",
        &[COMMON, CONTROL_LIMITED, FORCE, ACTIVATION_RANGE, ALONG, AT_SITE, BODY, DYNAMIC, GENERAL, INHERIT],
    ),
    actuator("motor", &[COMMON, CONTROL_LIMITED, FORCE, ALONG, AT_SITE]),
    actuator("position", &[COMMON, CONTROL_LIMITED, FORCE, ALONG, AT_SITE, INHERIT, SERVO, FILTER]),
    actuator("velocity", &[COMMON, CONTROL_LIMITED, FORCE, ALONG, AT_SITE, DAMPED]),
    actuator("intvelocity", &[COMMON, CONTROL_LIMITED, FORCE, ACTIVATION_RANGE, ALONG, AT_SITE, INHERIT, SERVO]),
    actuator("damper", &[COMMON, FORCE, ALONG, AT_SITE, DAMPED]),
    actuator("cylinder", &[COMMON, CONTROL_LIMITED, FORCE, ALONG, AT_SITE, FILTER, CYLINDER]),
    actuator("muscle", &[COMMON, CONTROL_LIMITED, FORCE, ALONG, MUSCLE]),
    actuator("adhesion", &[COMMON, FORCE, BODY, &[number("gain", "force per unit of control")]]),
    actuator("dcmotor", &[COMMON, CONTROL_LIMITED, ALONG, AT_SITE, DC_MOTOR]),
    actuator("pid", &[COMMON, CONTROL_LIMITED, FORCE, ALONG, AT_SITE, PID]),
    actuator("orientation", &[COMMON, FORCE, AT_SITE, ORIENTATION]),
    actuator("plugin", &[COMMON, CONTROL_LIMITED, FORCE, ACTIVATION_RANGE, ALONG, DYNAMIC, PLUGIN]),
];

const fn actuator(name: &'static str, groups: &'static [&'static [Attribute]]) -> Element {
    element(name, "actuator default", groups)
}
