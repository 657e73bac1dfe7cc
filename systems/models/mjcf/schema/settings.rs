//! The file as a whole: the outermost element, compiler, options, sizes, classes, includes.

use super::common::{CHILD_CLASS, CLASS};
use super::declaration::{
    Attribute, Element, at_most, element, flag, ignored, list, number, numbers, silent, text, unread, word,
};
use super::words::{ANGLES, COORDINATES, FROM_GEOM, SWITCH, names};

const COMPILER: &[Attribute] = &[
    word("angle", || names(&ANGLES), "unit of angles; `degree` if not stated"),
    word("coordinate", || names(&COORDINATES), "`global` is a fault"),
    text("eulerseq", "axes of `euler`, three letters of x, y, z, X, Y, Z"),
    flag("autolimits", "whether a `range` alone holds"),
    flag("alignfree", "`align` of all free joints"),
    word("inertiafromgeom", || names(&FROM_GEOM), "whether inertias come from geoms"),
    numbers("inertiagrouprange", 2, "groups of geoms that have mass"),
    flag("balanceinertia", "whether impossible inertias become those of balls"),
    number("boundmass", "least mass of a body").unit("kg"),
    number("boundinertia", "least moment of inertia of a body").unit("kg m²"),
    number("settotalmass", "mass that all bodies together are scaled to").unit("kg"),
    text("meshdir", "folder of meshes and height fields"),
    text("texturedir", "folder of textures"),
    text("assetdir", "folder of both"),
    flag("strippath", "whether folders in the names of files are dropped"),
    ignored("fitaabb"),
    silent("fusestatic discardvisual usethread saveinertial conflict"),
    // Of other versions.
    silent("convexhull exactmeshinertia"),
    unread("passthrough savecanonical savecompiled"),
];

const OPTION: &[Attribute] = &[
    numbers("gravity", 3, "acceleration of free fall").unit("m/s²"),
    at_most("wind", 3, "velocity of the fluid").unit("m/s"),
    number("density", "of the fluid").amount("kg/m³"),
    number("viscosity", "of the fluid"),
    numbers("magnetic", 3, "field that magnetometers measure"),
    list("actuatorgroupdisable", "groups of actuators that exert nothing"),
    ignored("o_margin o_solref o_solimp o_friction"),
    silent("timestep impratio integrator cone jacobian solver iterations tolerance ls_iterations ls_tolerance"),
    silent("noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints"),
    silent("sleep_tolerance"),
    // Of other versions.
    silent("apirate mpr_iterations mpr_tolerance collision"),
];

const SWITCHES: &[Attribute] = &[
    switch("constraint", "all constraints and contacts"),
    switch("equality", "`<equality>`"),
    switch("frictionloss", "dry friction"),
    switch("limit", "ranges"),
    switch("contact", "contacts"),
    switch("passive", "springs and dampers"),
    switch("spring", "springs"),
    switch("damper", "dampers"),
    switch("gravity", "gravity"),
    switch("clampctrl", "ranges of controls"),
    switch("actuation", "actuators"),
    switch("filterparent", "whether a body and its parent do not touch"),
    ignored("override"),
    silent("warmstart refsafe sensor midphase nativeccd eulerdamp autoreset energy fwdinv invdiscrete multiccd"),
    silent("island sleep diagexact"),
    // Of another version.
    silent("sensornoise"),
    unread("ipc speculative"),
];

const fn switch(name: &'static str, meaning: &'static str) -> Attribute {
    word(name, || names(&SWITCH), meaning)
}

pub(super) const ELEMENTS: &[Element] = &[
    element("mujoco", "mujoco", &[&[text("model", "name of the model")]]),
    element("mujocoinclude", "", &[&[silent("model")]]),
    element("compiler", "mujoco", &[COMPILER]),
    element("option", "mujoco", &[OPTION]),
    element("flag", "option", &[SWITCHES]),
    element("default", "mujoco default", &[CLASS]),
    element("include", "mujoco", &[&[text("file", "what stands in place of it")]]).unchecked(),
    element("worldbody", "mujoco", &[CHILD_CLASS, &[silent(POSE)], &[silent("name user"), unread(BODY_ONLY)]]),
    element("asset contact equality tendon actuator sensor keyframe extension", "mujoco", &[]).unchecked(),
    element("lengthrange", "compiler", &[LENGTH_RANGE]).silent(),
    element("size", "mujoco", &[SIZE]).silent(),
];

const POSE: &str = "pos quat axisangle euler xyaxes zaxis";
const BODY_ONLY: &str = "fuse gravcomp mocap simple sleep";
const LENGTH_RANGE: &[Attribute] =
    &[silent("accel interval inttotal maxforce mode timeconst timestep tolrange useexisting uselimit")];
const SIZE: &[Attribute] = &[
    silent("memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom nuser_jnt nuser_sensor"),
    silent("nuser_site nuser_tendon nuserdata"),
];
