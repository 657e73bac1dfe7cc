//! Cameras, lights, and what viewers and users keep: nothing of it moves anything.

use super::declaration::{Attribute, Element, element, silent, silent_reference};

const CAMERA: &[Attribute] = &[
    silent(
        "axisangle class euler focal focalpixel fovy ipd mode name output pos principal principalpixel projection quat",
    ),
    silent("resolution sensorsize user xyaxes zaxis"),
    TARGET,
];

const LIGHT: &[Attribute] = &[
    silent(
        "active ambient attenuation bulbradius castshadow class cutoff diffuse dir directional exponent intensity mode",
    ),
    silent("name pos range softness specular texture type"),
    TARGET,
];

const TARGET: Attribute = silent_reference("target", "body");

const RGBA: &[Attribute] = &[
    silent("actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint contactforce"),
    silent("contactfriction contactgap contactpoint contacttorque crankbroken fog force frustum haze inertia joint"),
    silent("light rangefinder selectpoint slidercrank"),
];

const SCALE: &[Attribute] = &[
    silent("actuatorlength actuatorwidth camera com connect constraint contactheight contactwidth forcewidth"),
    silent("framelength framewidth frustum jointlength jointwidth light selectpoint slidercrank"),
];

const GLOBAL: &[Attribute] = &[
    silent("azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth offheight offwidth"),
    silent("orthographic realtime"),
];

const MAP: &[Attribute] = &[
    silent("actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness stiffnessrot torque zfar"),
    silent("znear"),
];

pub(super) const ELEMENTS: &[Element] = &[
    element("camera", PLACES, &[CAMERA]).silent(),
    element("light", PLACES, &[LIGHT]).silent(),
    element("visual custom", "mujoco", &[]).silent(),
    element("statistic", "mujoco", &[STATISTIC]).silent(),
    element("global", "visual", &[GLOBAL]).silent(),
    element("quality", "visual", &[&[silent("numquads numslices numstacks offsamples shadowsize")]]).silent(),
    element("headlight", "visual", &[&[silent("active ambient diffuse specular")]]).silent(),
    element("map", "visual", &[MAP]).silent(),
    element("scale", "visual", &[SCALE]).silent(),
    element("rgba", "visual", &[RGBA]).silent(),
    element("numeric", "custom", &[&[silent("data name size")]]).silent(),
    element("text", "custom", &[&[silent("data name")]]).silent(),
    element("tuple", "custom", &[&[silent("name")]]).silent(),
    element("element", "tuple", &[&[silent("objname objtype prm")]]).silent(),
];

const PLACES: &str = "worldbody body frame replicate default";
const STATISTIC: &[Attribute] = &[silent("center extent meaninertia meanmass meansize")];
