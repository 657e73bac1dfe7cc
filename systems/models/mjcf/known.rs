//! The words of the format: which attributes are read, which are known and say nothing of motion, which are not
//! simulated. What the format has besides is noted as unknown; what it does not have is a fault.

use super::attach::ATTACHMENT;
use super::element::{Attribute, Element};
use super::format;
use super::log::Log;
use crate::faults::MjcfFault;
use crate::notes::MjcfNote;

/// The kind of all actuators in default classes.
pub(super) const ACTUATOR: &str = "general";

/// Elements of `<actuator>`.
pub(super) const ACTUATORS: [&str; 11] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "plugin",
];

/// Attributes that say how messages and files look, not how things move.
const SILENT: [&str; 17] = [
    ATTACHMENT,
    "name",
    "class",
    "group",
    "rgba",
    "material",
    "user",
    "childclass",
    "model",
    "width",
    "nsample",
    "mode",
    "active",
    "delay",
    "interp",
    "resolution",
    "info",
];

struct Words {
    read: &'static [&'static str],
    ignored: &'static [&'static str],
    silent: &'static [&'static str],
}

const fn words(
    read: &'static [&'static str],
    ignored: &'static [&'static str],
    silent: &'static [&'static str],
) -> Option<Words> {
    Some(Words { read, ignored, silent })
}

const POSE: [&str; 6] = ["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"];

fn of(element: &str) -> Option<Words> {
    match element {
        "mujoco" | "mujocoinclude" | "default" => words(&[], &[], &[]),
        "compiler" => words(
            &[
                "angle",
                "coordinate",
                "eulerseq",
                "autolimits",
                "alignfree",
                "inertiafromgeom",
                "inertiagrouprange",
                "balanceinertia",
                "boundmass",
                "boundinertia",
                "settotalmass",
                "meshdir",
                "assetdir",
                "strippath",
            ],
            &["fitaabb"],
            &[
                "texturedir",
                "fusestatic",
                "discardvisual",
                "usethread",
                "convexhull",
                "exactmeshinertia",
                "saveinertial",
                "conflict",
            ],
        ),
        "option" => words(
            &["gravity", "wind", "density", "viscosity", "actuatorgroupdisable"],
            &["magnetic", "o_margin", "o_solref", "o_solimp", "o_friction"],
            &[
                "timestep",
                "apirate",
                "impratio",
                "integrator",
                "cone",
                "jacobian",
                "solver",
                "iterations",
                "tolerance",
                "ls_iterations",
                "ls_tolerance",
                "noslip_iterations",
                "noslip_tolerance",
                "mpr_iterations",
                "mpr_tolerance",
                "ccd_iterations",
                "ccd_tolerance",
                "sdf_iterations",
                "sdf_initpoints",
                "sleep_tolerance",
                "collision",
            ],
        ),
        "flag" => words(
            &[
                "constraint",
                "equality",
                "frictionloss",
                "limit",
                "contact",
                "passive",
                "spring",
                "damper",
                "gravity",
                "clampctrl",
                "actuation",
                "filterparent",
            ],
            &["override"],
            &[
                "warmstart",
                "refsafe",
                "sensor",
                "midphase",
                "nativeccd",
                "eulerdamp",
                "autoreset",
                "energy",
                "fwdinv",
                "invdiscrete",
                "multiccd",
                "island",
                "sleep",
                "sensornoise",
                "diagexact",
            ],
        ),
        "body" => {
            words(&["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "gravcomp", "mocap"], &[], &["sleep"])
        }
        "frame" | "worldbody" => words(&POSE, &[], &[]),
        "inertial" => words(
            &["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "mass", "diaginertia", "fullinertia"],
            &[],
            &[],
        ),
        "freejoint" => words(&["align"], &[], &[]),
        "joint" => words(
            &[
                "type",
                "pos",
                "axis",
                "springdamper",
                "stiffness",
                "limited",
                "range",
                "actuatorfrclimited",
                "actuatorfrcrange",
                "ref",
                "springref",
                "damping",
                "armature",
                "frictionloss",
                "joint",
                "coef",
                "joint1",
                "joint2",
                "polycoef",
                "margin",
                "solreflimit",
                "solimplimit",
                "solref",
                "solimp",
                "solreffriction",
                "solimpfriction",
            ],
            &["actuatorgravcomp"],
            &[],
        ),
        "geom" => words(
            &[
                "type",
                "contype",
                "conaffinity",
                "condim",
                "size",
                "priority",
                "friction",
                "mass",
                "density",
                "shellinertia",
                "solmix",
                "solref",
                "solimp",
                "fromto",
                "pos",
                "quat",
                "axisangle",
                "euler",
                "xyaxes",
                "zaxis",
                "mesh",
                "hfield",
                "fluidshape",
                "fluidcoef",
                "fitscale",
                "margin",
                "gap",
                "adhesion",
            ],
            &[],
            &[],
        ),
        "site" => words(&["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto"], &[], &["type", "size"]),
        "hfield" => words(&["file", "nrow", "ncol", "elevation", "size"], &[], &["content_type"]),
        "mesh" => words(
            &["file", "scale", "refpos", "refquat", "inertia", "vertex", "face"],
            &["builtin", "params", "maxhullvert", "smoothnormal"],
            &["normal", "texcoord", "content_type", "texturedir", "material", "octree_maxdepth"],
        ),
        "exclude" => words(&["body1", "body2"], &[], &[]),
        "pair" => words(
            &["geom1", "geom2", "condim", "friction", "solref", "solimp", "margin", "gap", "adhesion"],
            &["solreffriction"],
            &[],
        ),
        "fixed" => words(
            &[
                "stiffness",
                "damping",
                "frictionloss",
                "limited",
                "range",
                "springlength",
                "armature",
                "solreflimit",
                "solimplimit",
                "solreffriction",
                "solimpfriction",
            ],
            &["margin"],
            &["actuatorfrclimited", "actuatorfrcrange"],
        ),
        "spatial" => words(
            &[
                "stiffness",
                "damping",
                "frictionloss",
                "limited",
                "range",
                "springlength",
                "armature",
                "solreflimit",
                "solimplimit",
                "solreffriction",
                "solimpfriction",
            ],
            &["margin"],
            &["actuatorfrclimited", "actuatorfrcrange", "width"],
        ),
        "connect" => words(&["body1", "body2", "anchor", "site1", "site2", "active", "solref", "solimp"], &[], &[]),
        "weld" => words(
            &["body1", "body2", "relpose", "anchor", "site1", "site2", "active", "torquescale", "solref", "solimp"],
            &[],
            &[],
        ),
        "tendon" => words(
            &[
                "tendon1",
                "tendon2",
                "polycoef",
                "active",
                "stiffness",
                "damping",
                "limited",
                "range",
                "solref",
                "solimp",
            ],
            &[],
            &["solreflimit", "solimplimit", "springlength", "frictionloss", "margin", "armature"],
        ),
        "key" => words(&["qpos", "qvel", "act", "ctrl"], &["mpos", "mquat"], &["time"]),
        _ => None,
    }
}

const ACTUATOR_WORDS: Words = Words {
    read: &[
        "ctrllimited",
        "forcelimited",
        "actlimited",
        "ctrlrange",
        "forcerange",
        "actrange",
        "gear",
        "joint",
        "jointinparent",
        "tendon",
        "site",
        "body",
        "cranksite",
        "slidersite",
        "cranklength",
        "refsite",
        "dyntype",
        "gaintype",
        "biastype",
        "dynprm",
        "gainprm",
        "biasprm",
        "kp",
        "kv",
        "dampratio",
        "timeconst",
        "inheritrange",
        "lengthrange",
        "actearly",
        "tausmooth",
        "range",
        "force",
        "scale",
        "lmin",
        "lmax",
        "vmax",
        "fpmax",
        "fvmax",
        "area",
        "diameter",
        "bias",
        "actdim",
        "gain",
        "damping",
        "armature",
    ],
    ignored: &[],
    silent: &[],
};

/// The element that an element counts as: actuators of all kinds as one.
pub(super) fn kind(element: &str) -> &str {
    if ACTUATORS.contains(&element) { ACTUATOR } else { element }
}

/// The kind under which default classes keep an element.
pub(super) fn default_kind(element: &str) -> Option<&'static str> {
    let kinds = ["mesh", "material", "joint", "geom", "site", "camera", "light", "pair", "equality", "tendon"];
    if ACTUATORS.contains(&element) {
        return Some(ACTUATOR);
    }
    kinds.into_iter().find(|kind| *kind == element)
}

/// Notes attributes that are not read.
pub(super) fn check_attributes(element: &Element, log: &mut Log<'_>) {
    let words = if ACTUATORS.contains(&element.name.as_str()) { Some(ACTUATOR_WORDS) } else { of(&element.name) };
    let Some(words) = words else { return };
    for attribute in &element.attributes {
        let name = attribute.name.as_str();
        if words.read.contains(&name) || words.silent.contains(&name) || SILENT.contains(&name) {
            continue;
        }
        if words.ignored.contains(&name) {
            log.ignored(&attribute.at, &element.name, Some(name));
        } else {
            unknown_attribute(element, attribute, log);
        }
    }
}

/// Notes attributes of an element in a default class.
pub(super) fn check_default(element: &Element, log: &mut Log<'_>) {
    if !matches!(element.name.as_str(), "equality" | "material" | "camera" | "light") {
        check_attributes(element, log);
    }
}

/// Faults an attribute that the format does not have, and notes one that it has.
fn unknown_attribute(element: &Element, attribute: &Attribute, log: &mut Log<'_>) {
    let name = attribute.name.as_str();
    let Some(words) = format::attributes(&element.name).filter(|words| !words.contains(&name)) else {
        let kind = MjcfNote::Unknown { element: element.name.clone(), attribute: Some(name.to_owned()) };
        return log.note(&attribute.at, kind);
    };
    let nearest = log.nearest(name, words);
    let kind = MjcfFault::UnknownAttribute { element: element.describe(), attribute: name.to_owned(), nearest };
    log.fault(&attribute.at, kind);
}

/// Faults an element that the format does not have; notes one that it does not have there.
pub(super) fn unknown_element(element: &Element, log: &mut Log<'_>) {
    let elements = format::elements();
    if !elements.contains(&element.name.as_str()) {
        let nearest = log.nearest(&element.name, elements);
        let kind = MjcfFault::UnknownElement { element: element.name.clone(), nearest };
        return log.fault(&element.at, kind);
    }
    log.note(&element.at, MjcfNote::Unknown { element: element.name.clone(), attribute: None });
}

/// Notes the children that are neither `read` nor `silent`; those `ignored` are known.
pub(super) fn check_children(element: &Element, read: &[&str], ignored: &[&str], silent: &[&str], log: &mut Log<'_>) {
    for child in &element.children {
        let name = child.name.as_str();
        if ignored.contains(&name) {
            log.ignored(&child.at, name, None);
        } else if !read.contains(&name) && !silent.contains(&name) {
            unknown_element(child, log);
        }
    }
}
