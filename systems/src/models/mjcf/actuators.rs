//! Actuators: laws on joints and tendons.
//!
//! All kinds are short forms of `general`: force = gain u + bias, where gain and bias are constant or affine in the
//! length `l = gear q` and its rate. Defaults of a class are elements too, each of which changes what the one before it
//! said, whichever kinds they are; a kind that is simulated replaces one that is not.
//!
//! | kind | gain | bias |
//! |---|---|---|
//! | motor | 1 | none |
//! | position | kp | (0, -kp, -kv) |
//! | velocity | kv | (0, 0, -kv) |
//! | intvelocity | kp | (0, -kp, -kv), of a control that is integrated |
//! | damper | (0, 0, -kv) | none |

use super::classes::Classes;
use super::element::Element;
use super::fields::Fields;
use super::joints::Joints;
use super::known::{self, ACTUATORS};
use super::log::Log;
use super::names::Names;
use super::settings::Settings;
use super::tendons::Tendons;
use crate::multibody::JointKind;
use crate::multibody::scene_data::Actuator;

/// An actuator, and the activation between its control and its force, if it has one.
pub(super) struct Written {
    pub actuator: Actuator,
    pub activation: bool,
}

/// A law while elements change it.
#[derive(Clone, Debug)]
struct Law {
    gain: [f64; 3],
    bias: [f64; 3],
    affine: (bool, bool),
    gear: [f64; 6],
    dynamics: Dynamics,
    damping_ratio: bool,
    lost: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Dynamics {
    None,
    Integrator,
    Filter,
    Other,
}

/// Reads all actuators, in their order.
pub(super) fn read(
    root: &Element,
    classes: &Classes,
    joints: &Joints<'_>,
    tendons: &Tendons<'_>,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Vec<Written> {
    let elements: Vec<&Element> = root.all("actuator").flat_map(|section| &section.children).collect();
    let target = |element: &Element| element.value("joint").or(element.value("tendon")).map(str::to_owned);
    let otherwise = |element: &Element| target(element).unwrap_or("actuator".to_owned());
    let named: Vec<_> = elements.iter().map(|element| (*element, otherwise(element))).collect();
    let (_, names) = Names::of("actuator", &named, log);
    let mut actuators = Vec::with_capacity(elements.len());
    for (element, name) in elements.into_iter().zip(names) {
        if !ACTUATORS.contains(&element.name.as_str()) {
            known::unknown_element(element, log);
            continue;
        }
        known::check_attributes(element, log);
        actuators.push(read_actuator(element, name, classes, joints, tendons, settings, log));
    }
    limit_efforts(&mut actuators, joints, log);
    actuators
}

/// Where the forces on a joint have different limits in the two directions, these are limits of its actuator, if there
/// is but one and it drives nothing else.
fn limit_efforts(actuators: &mut [Written], joints: &Joints<'_>, log: &mut Log<'_>) {
    for joint in &joints.all {
        let Some((least, most)) = joint.efforts.filter(|(least, most)| -least != *most) else { continue };
        let drives = |actuator: &&mut Written| actuator.actuator.joints.iter().any(|(name, _)| *name == joint.name);
        let mut driving: Vec<&mut Actuator> = actuators.iter_mut().filter(drives).map(|w| &mut w.actuator).collect();
        match &mut driving[..] {
            [] => {}
            [Actuator { joints: driven, force_range, .. }] if driven.len() == 1 && driven[0].1 != 0.0 => {
                let (a, b) = (least / driven[0].1, most / driven[0].1);
                *force_range = (force_range.0.max(a.min(b)), force_range.1.min(a.max(b)));
            }
            _ => log.differs(
                joint.part.element,
                "has different limits of force in the two directions and several actuators; the larger limit counts for \
                 both",
            ),
        }
    }
}

fn read_actuator(
    element: &Element,
    name: String,
    classes: &Classes,
    joints: &Joints<'_>,
    tendons: &Tendons<'_>,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Written {
    let layers = classes.actuator_defaults(element, log);
    let mut law = Law {
        gain: [1.0, 0.0, 0.0],
        bias: [0.0; 3],
        affine: (false, false),
        gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        dynamics: Dynamics::None,
        damping_ratio: false,
        lost: None,
    };
    for layer in layers.iter().chain([element]) {
        law.change(layer, log);
    }
    let attributes: Vec<_> = layers.iter().flat_map(|layer| layer.attributes.iter().cloned()).collect();
    let f = Fields { element, defaults: &attributes };
    let range = |range, limited, log: &mut Log<'_>| f.range(range, limited, settings.autolimits, log);
    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let control = range("ctrlrange", "ctrllimited", log).filter(|_| settings.clamp_controls);
    let mut actuator = Actuator {
        joints: Vec::new(),
        tendon: None,
        name,
        gain: if law.affine.0 { law.gain } else { [law.gain[0], 0.0, 0.0] },
        bias: if law.affine.1 { law.bias } else { [0.0; 3] },
        control_range: control.unwrap_or(free),
        force_range: range("forcerange", "forcelimited", log).unwrap_or(free),
        idle: 0.0,
    };
    match target(element, law.gear, joints, tendons, log) {
        Target::Joints(joints) => actuator.joints = joints,
        Target::Tendon(name, gear) => actuator.tendon = Some((name, gear)),
    }
    match law.dynamics {
        Dynamics::None => {}
        Dynamics::Integrator => {
            // What is connected is the integral: its range is that of the activation.
            actuator.control_range = range("actrange", "actlimited", log).unwrap_or(free);
            log.differs(
                element,
                "integrates its control; here the control is the integral, with an integrator before it",
            );
        }
        Dynamics::Filter => log.differs(element, "filters its control; here it acts at once, with a lag before it"),
        Dynamics::Other => law.lost = law.lost.or(Some("has dynamics of a kind that is not simulated")),
    }
    if law.damping_ratio {
        log.differs(element, "has a dampratio, which is not simulated");
    }
    if !settings.actuation {
        actuator.joints.clear();
        actuator.tendon = None;
    }
    if let Some(how) = law.lost {
        log.differs(element, how);
        actuator.joints.clear();
        actuator.tendon = None;
    }
    Written { actuator, activation: law.dynamics != Dynamics::None }
}

impl Law {
    /// What one element says.
    fn change(&mut self, element: &Element, log: &mut Log<'_>) {
        let f = Fields::alone(element);
        f.overlay("gear", &mut self.gear, log);
        match element.name.as_str() {
            "general" => self.change_general(&f, log),
            "motor" => {
                (self.gain, self.bias, self.affine) = ([1.0, 0.0, 0.0], [0.0; 3], (false, false));
                (self.dynamics, self.lost) = (Dynamics::None, None);
            }
            kind @ ("position" | "intvelocity") => {
                // What an element does not say, the class may have said: the gain is kp there as here.
                let was_servo = self.affine.1 && self.bias[1] != 0.0;
                let kp = f.number_or("kp", if was_servo { self.gain[0] } else { 1.0 }, log);
                let kv = f.number_or("kv", if was_servo { -self.bias[2] } else { 0.0 }, log);
                (self.gain, self.bias, self.affine) = ([kp, 0.0, 0.0], [0.0, -kp, -kv], (false, true));
                self.damping_ratio |= f.has("dampratio");
                self.lost = None;
                self.dynamics = match kind {
                    "intvelocity" => Dynamics::Integrator,
                    _ if f.number_or("timeconst", 0.0, log) > 0.0 => Dynamics::Filter,
                    _ => Dynamics::None,
                };
            }
            "velocity" => {
                let was_servo = self.affine.1 && self.bias[1] == 0.0 && self.bias[2] != 0.0;
                let kv = f.number_or("kv", if was_servo { self.gain[0] } else { 1.0 }, log);
                (self.gain, self.bias, self.affine) = ([kv, 0.0, 0.0], [0.0, 0.0, -kv], (false, true));
                (self.dynamics, self.lost) = (Dynamics::None, None);
            }
            "damper" => {
                let kv = f.number_or("kv", 1.0, log);
                (self.gain, self.bias, self.affine) = ([0.0, 0.0, -kv], [0.0; 3], (true, false));
                (self.dynamics, self.lost) = (Dynamics::None, None);
            }
            "muscle" => {
                self.dynamics = Dynamics::Other;
                self.lost = Some("is a muscle, which is not simulated");
            }
            "adhesion" => self.lost = Some("is adhesion, which is not simulated"),
            "cylinder" => self.lost = Some("is a pneumatic or hydraulic cylinder, which is not simulated"),
            "dcmotor" => self.lost = Some("is a DC motor with states of its own, which is not simulated"),
            _ => self.lost = Some("is a plugin, which is not simulated"),
        }
    }

    fn change_general(&mut self, f: &Fields<'_>, log: &mut Log<'_>) {
        let laws = [("fixed", 0), ("none", 0), ("affine", 1), ("muscle", 2), ("dcmotor", 2), ("user", 2)];
        for (name, affine) in [("gaintype", &mut self.affine.0), ("biastype", &mut self.affine.1)] {
            match f.word(name, &laws, if *affine { 1 } else { 0 }, log) {
                2 => self.lost = Some("has a gain or bias of a kind that is not simulated"),
                kind => *affine = kind == 1,
            }
        }
        for (name, values) in [("gainprm", &mut self.gain), ("biasprm", &mut self.bias)] {
            let Some(list) = f.list(name, log) else { continue };
            list.iter().zip(values.iter_mut()).for_each(|(written, value)| *value = *written);
        }
        let kinds = [
            ("none", Dynamics::None),
            ("integrator", Dynamics::Integrator),
            ("filter", Dynamics::Filter),
            ("filterexact", Dynamics::Filter),
            ("muscle", Dynamics::Other),
            ("dcmotor", Dynamics::Other),
            ("user", Dynamics::Other),
        ];
        self.dynamics = f.word("dyntype", &kinds, self.dynamics, log);
    }
}

/// What an actuator drives.
enum Target {
    /// Joints with their coefficients.
    Joints(Vec<(String, f64)>),
    /// A spatial tendon, and the coefficient of its length.
    Tendon(String, f64),
}

/// What an actuator drives.
fn target(element: &Element, gear: [f64; 6], joints: &Joints<'_>, tendons: &Tendons<'_>, log: &mut Log<'_>) -> Target {
    let none = || Target::Joints(Vec::new());
    for key in ["joint", "jointinparent"] {
        if element.attribute(key).is_none() {
            continue;
        }
        let Some(joint) = joints.names.named("joint", element, key, log).map(|i| &joints.all[i]) else {
            return none();
        };
        if !matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic) {
            log.differs(element, "drives a ball or free joint, which is not simulated");
            return none();
        }
        return Target::Joints(vec![(joint.name.clone(), gear[0])]);
    }
    if element.attribute("tendon").is_some() {
        let Some(tendon) = tendons.names.named("tendon", element, "tendon", log) else { return none() };
        if let Some(name) = &tendons.tendons[tendon].spatial {
            return Target::Tendon(name.clone(), gear[0]);
        }
        let along = tendons.tendons[tendon].joints.iter();
        return Target::Joints(along.map(|(joint, coefficient)| (joint.clone(), gear[0] * coefficient)).collect());
    }
    log.differs(element, "acts at a site, a body or a crank, which is not simulated");
    none()
}
