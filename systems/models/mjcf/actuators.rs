//! Actuators: laws on joints, tendons and sites ([`Law`] has their kinds).
//!
//! Some numbers follow from inertias where all joints are at their references: the force of a muscle that states a
//! scale, `F₀ = scale/|M⁻¹ c|` with the moment arms c, and the damping of a servo that states a ratio ζ of it,
//! `2 ζ √(kp m)` with `m = 1/(c · M⁻¹ c)`.

use super::actuator_laws::Law;
use super::classes::Classes;
use super::contacts::Listed;
use super::element::Element;
use super::fields::Fields;
use super::inertias::Inertias;
use super::joints::Joints;
use super::length_ranges;
use super::log::Log;
use super::names::Names;
use super::recognition;
use super::schema;
use super::schema::words::Dynamics;
use super::settings::Settings;
use super::tendons::{self, Tendons};
use kinegraph_multibody::scene_data::{Activation, Actuator, Factor, LinkFrame, LinkPose, Push, PushOn, Tendon};
use kinegraph_multibody::{JointKind, Model, TendonPath};

/// An actuator, and what is known of it beside.
pub(super) struct Written<'e> {
    pub element: &'e Element,
    pub actuator: Actuator,
    /// How many activations it has in a keyframe.
    pub activations: usize,
    /// Scales of a muscle's forces (`Law::scales`), which become forces by inertias.
    scales: [f64; 2],
    damping_ratio: Option<f64>,
    /// True for a muscle on a string whose range of lengths is still to be found.
    lacks_lengths: bool,
    load: Load,
}

/// Armature and damping with which an actuator loads its joints or its tendon, whether it exerts something or not.
#[derive(Clone, Debug)]
struct Load {
    joints: Vec<(String, f64)>,
    tendon: Option<(String, f64)>,
    gear: f64,
    armature: f64,
    damping: f64,
    /// Coefficients of the second and third degree.
    more: [f64; 2],
}

/// Parts of a model that actuators may drive.
pub(super) struct Driven<'r, 'e> {
    pub joints: &'r Joints<'e>,
    pub tendons: &'r Tendons<'e>,
    pub sites: (&'r Names, &'r [LinkFrame]),
    pub bodies: &'r Listed<'r>,
}

const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Reads all actuators, in their order.
pub(super) fn read<'e>(
    root: &'e Element,
    classes: &Classes,
    driven: &Driven<'_, '_>,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Vec<Written<'e>> {
    let elements: Vec<&Element> = root.all("actuator").flat_map(|section| &section.children).collect();
    let target = |element: &Element| element.any_value("joint").or(element.any_value("tendon")).map(str::to_owned);
    let otherwise = |element: &Element| target(element).unwrap_or("actuator".to_owned());
    let named: Vec<_> = elements.iter().map(|element| (*element, otherwise(element))).collect();
    let (_, names) = Names::of("actuator", &named, log);
    let mut actuators = Vec::with_capacity(elements.len());
    for (element, name) in elements.into_iter().zip(names) {
        if !schema::is_actuator(&element.name) {
            recognition::unknown_element(element, log);
            continue;
        }
        recognition::check_attributes(element, log);
        actuators.push(read_actuator(element, name, classes, driven, settings, log));
    }
    actuators
}

fn read_actuator<'e>(
    element: &'e Element,
    name: String,
    classes: &Classes,
    driven: &Driven<'_, '_>,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Written<'e> {
    let layers = classes.actuator_defaults(element, log);
    let mut law = Law::default();
    for layer in layers.iter().chain([element]) {
        law.change(&Fields::alone(layer), log);
    }
    let attributes: Vec<_> = layers.iter().flat_map(|layer| layer.attributes.iter().cloned()).collect();
    let f = Fields { element, defaults: &attributes };
    // Kinds that need a range have it, whatever the compiler says of others; in a class they give it to all kinds.
    let needs = |element: &Element| matches!(element.name.as_str(), "damper" | "intvelocity" | "adhesion");
    let always = layers.iter().chain([element]).any(needs);
    let limits = always || settings.of(element).autolimits;
    let range = |range, limited, log: &mut Log<'_>| f.range(range, limited, limits, log);
    let mut activated = range("actrange", "actlimited", log);
    let mut control = range("ctrlrange", "ctrllimited", log);
    if let Some(inherited) = inherited_range(element, &law, driven) {
        let (of, written) = match law.dynamics {
            Dynamics::Integrator => (&mut activated, "actrange"),
            _ => (&mut control, "ctrlrange"),
        };
        if !f.has(written) {
            *of = Some(inherited);
        }
    }
    let [gain, bias] = law.factors();
    let mut actuator = Actuator {
        joints: Vec::new(),
        tendon: None,
        push: None,
        contacts: None,
        name,
        gain,
        bias,
        activation: law.activation().map(|of| Activation { law: of, initial: 0.0, range: activated.unwrap_or(FREE) }),
        control_range: control.filter(|_| settings.clamp_controls).unwrap_or(FREE),
        force_range: range("forcerange", "forcelimited", log).unwrap_or(FREE),
        idle: 0.0,
    };
    match target(&f, law.gear, driven, log) {
        Target::Joints(joints) => actuator.joints = joints,
        Target::Tendon(name, gear) => actuator.tendon = Some((name, gear)),
        Target::Push(push) => actuator.push = Some(push),
        Target::Contacts(link) => actuator.contacts = Some(link),
    }
    let (damping, more) = if settings.dampers { f.polynomial("damping", log) } else { (0.0, [0.0; 2]) };
    let (joints, tendon) = (actuator.joints.clone(), actuator.tendon.clone());
    let armature = f.magnitude_or("armature", 0.0, log);
    let load = Load { joints, tendon, gear: law.gear[0], armature, damping, more };
    if f.flag("actearly", false, log) {
        log.differs(element, "acts early: by the activation one step ahead there, by that of now here");
    }
    let group = f.number_or("group", 0.0, log);
    if !settings.actuation || settings.idle_groups.contains(&group) {
        drive_nothing(&mut actuator);
    }
    if let Some(how) = law.lost {
        log.differs(element, how);
        drive_nothing(&mut actuator);
    }
    let (scales, damping_ratio) = (law.scales(), law.damping_ratio());
    let activations = law.activations();
    let mut written = Written { element, actuator, activations, scales, damping_ratio, lacks_lengths: false, load };
    written.find_lengths(driven, log);
    written
}

/// Says between which lengths a muscle works.
fn set_lengths(actuator: &mut Actuator, lengths: (f64, f64)) {
    for factor in [&mut actuator.gain, &mut actuator.bias] {
        if let Factor::Muscle(muscle) = factor {
            muscle.lengths = lengths;
        }
    }
}

/// A muscle of which nobody knows between which lengths it works.
fn lose_muscle(element: &Element, actuator: &mut Actuator, log: &mut Log<'_>) {
    drive_nothing(actuator);
    (actuator.gain, actuator.bias) = (Factor::ZERO, Factor::ZERO);
    log.differs(element, "is a muscle without lengthrange on joints without ranges, which is not simulated");
}

fn drive_nothing(actuator: &mut Actuator) {
    actuator.joints.clear();
    (actuator.tendon, actuator.push, actuator.contacts, actuator.activation) = (None, None, None, None);
}

/// Range of the controls of a servo, as a part of the range of its joint or tendon; `None` unless it is inherited.
fn inherited_range(element: &Element, law: &Law, driven: &Driven<'_, '_>) -> Option<(f64, f64)> {
    let part = Some(law.inherited_range).filter(|part| *part > 0.0)?;
    let (least, most) = match element.value("joint").or(element.value("jointinparent")) {
        Some(name) => driven.joints.all.iter().find(|joint| joint.name == name)?.limits?,
        None => {
            let index = driven.tendons.names.get(element.value("tendon")?)?;
            driven.tendons.tendons[index].range?.0
        }
    };
    let (middle, half) = ((least + most) / 2.0, part * (most - least) / 2.0);
    Some((middle - half, middle + half))
}

impl Written<'_> {
    /// Gives a muscle that does not state its range of lengths that of its joint or tendon.
    fn find_lengths(&mut self, driven: &Driven<'_, '_>, log: &mut Log<'_>) {
        let unknown = |factor: &Factor| matches!(factor, Factor::Muscle(m) if m.lengths.0 == m.lengths.1);
        if !unknown(&self.actuator.gain) && !unknown(&self.actuator.bias) {
            return;
        }
        let scaled = |(least, most): (f64, f64), gear: f64| {
            let (a, b) = (least * gear, most * gear);
            (a.min(b), a.max(b))
        };
        let found = match (&self.actuator.joints[..], &self.actuator.tendon) {
            ([(name, gear)], _) => {
                let joint = driven.joints.all.iter().find(|joint| joint.name == *name);
                joint.and_then(|joint| joint.limits).map(|limits| scaled(limits, *gear))
            }
            (_, Some((name, gear))) => {
                let tendon = driven.tendons.tendons.iter().find(|tendon| tendon.spatial.as_ref() == Some(name));
                tendon.and_then(|tendon| tendon.range).map(|(range, _)| scaled(range, *gear))
            }
            _ => None,
        };
        match found {
            Some(lengths) => {
                set_lengths(&mut self.actuator, lengths);
                log.differs(self.element, "states no lengthrange: that of its joint or tendon is taken");
            }
            None if self.actuator.tendon.is_some() => self.lacks_lengths = true,
            None => lose_muscle(self.element, &mut self.actuator, log),
        }
    }

    fn asks_for_inertias(&self) -> bool {
        let scaled = |factor: &Factor| matches!(factor, Factor::Muscle(muscle) if muscle.force < 0.0);
        self.lacks_lengths || self.damping_ratio.is_some() || scaled(&self.actuator.gain) || scaled(&self.actuator.bias)
    }
}

/// Gives joints and tendons the armature and the damping of what drives them: reflected, times the gear squared.
pub(super) fn load(actuators: &[Written<'_>], model: &mut Model, log: &mut Log<'_>) {
    for Written { element, actuator, load, .. } in actuators {
        let Load { gear, armature, damping, more, .. } = *load;
        let square = gear * gear;
        let (damping, damper) = (damping * square, more.map(|x| x * square));
        let damps = damping != 0.0 || damper != [0.0; 2];
        match (&load.joints[..], &load.tendon) {
            _ if square == 0.0 || !damps && armature == 0.0 => {}
            (_, Some((name, _))) => {
                if let Some(tendon) = model.scene.spatial_tendons.iter_mut().find(|tendon| tendon.name == *name) {
                    tendon.damping += damping;
                    tendon.terms.damper.iter_mut().zip(damper).for_each(|(sum, more)| *sum += more);
                    tendon.armature += armature * square;
                    if tendon.armature != 0.0 && tendons::wraps(&tendon.path) {
                        tendon.armature = 0.0;
                        log.differs(element, tendons::HEAVY_WRAP);
                    }
                }
            }
            ([], None) => log.differs(element, "drives no joint or tendon that could have its armature and damping"),
            (joints, None) => {
                let along: Vec<_> = joints.iter().map(|(name, by)| (name.clone(), by / gear)).collect();
                let mut load = Tendon::new(format!("{}~load", actuator.name), along);
                (load.damping, load.terms.damper) = (damping, damper);
                match joints {
                    [(name, coefficient)] => {
                        let own = model.joints.iter_mut().find(|joint| joint.name == *name);
                        own.into_iter().for_each(|joint| joint.armature += armature * coefficient * coefficient);
                    }
                    _ => load.armature = armature * square,
                }
                if damps || load.armature != 0.0 {
                    model.scene.tendons.push(load);
                }
            }
        }
    }
}

/// Finds what follows from inertias, and gives the actuators to the model.
pub(super) fn resolve(actuators: Vec<Written<'_>>, joints: &Joints<'_>, model: &mut Model, log: &mut Log<'_>) {
    let inertias = actuators.iter().any(Written::asks_for_inertias).then(|| Inertias::of(model)).flatten();
    for (i, Written { element, scales, damping_ratio, .. }) in actuators.iter().enumerate() {
        if !actuators[i].asks_for_inertias() {
            continue;
        }
        if actuators[i].lacks_lengths && model.scene.actuators[i].tendon.is_some() {
            match inertias.as_ref().and_then(|inertias| lengths_of(inertias, joints, model, i)) {
                Some(lengths) => {
                    set_lengths(&mut model.scene.actuators[i], lengths);
                    log.differs(element, "states no lengthrange: it is what the ranges of its joints allow");
                }
                None => {
                    lose_muscle(element, &mut model.scene.actuators[i], log);
                    continue;
                }
            }
        }
        let arms = inertias.as_ref().and_then(|inertias| inertias.arms(model, &model.scene.actuators[i]));
        let Some((inertias, arms)) = inertias.as_ref().zip(arms) else {
            log.differs(element, "depends on an inertia that could not be found: it is not simulated");
            drive_nothing(&mut model.scene.actuators[i]);
            continue;
        };
        let Actuator { gain, bias, .. } = &mut model.scene.actuators[i];
        for (factor, scale) in [&mut *gain, &mut *bias].into_iter().zip(scales) {
            if let Factor::Muscle(muscle) = factor
                && muscle.force < 0.0
            {
                muscle.force = scale / inertias.acceleration(&arms);
            }
        }
        if let (Some(ratio), Factor::Affine([kp, ..]), Factor::Affine(bias)) = (damping_ratio, gain, bias) {
            bias[2] = -2.0 * ratio * (*kp * inertias.inertia(&arms).unwrap_or(0.0)).max(0.0).sqrt();
        }
    }
}

/// Between which lengths the string of an actuator is, times its gear.
fn lengths_of(inertias: &Inertias, joints: &Joints<'_>, model: &Model, actuator: usize) -> Option<(f64, f64)> {
    let (name, gear) = model.scene.actuators[actuator].tendon.as_ref()?;
    let tendon = model.scene.spatial_tendons.iter().find(|tendon| tendon.name == *name)?;
    let path = TendonPath::new(&inertias.tree, "m", &tendon.path).ok()?;
    let (least, most) = length_ranges::of_path(inertias, joints, &path)?;
    let (a, b) = (least * gear, most * gear);
    Some((a.min(b), a.max(b)))
}

/// Target of an actuator.
enum Target {
    /// Joints with their coefficients.
    Joints(Vec<(String, f64)>),
    /// A spatial tendon, and the coefficient of its length.
    Tendon(String, f64),
    /// Something along six components.
    Push(Push),
    /// Contacts of a link.
    Contacts(String),
}

/// Finds the target of an actuator.
fn target(f: &Fields<'_>, gear: [f64; 6], driven: &Driven<'_, '_>, log: &mut Log<'_>) -> Target {
    let Driven { joints, tendons, sites, bodies } = driven;
    let element = f.element;
    let none = || Target::Joints(Vec::new());
    for key in ["joint", "jointinparent"] {
        if element.attribute(key).is_none() {
            continue;
        }
        let Some(joint) = joints.names.named("joint", element, key, log).map(|i| &joints.all[i]) else {
            return none();
        };
        if matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic) {
            return Target::Joints(vec![(joint.name.clone(), gear[0])]);
        }
        let in_parent = key == "jointinparent";
        return Target::Push(Push { gear, on: PushOn::Joint { joint: joint.name.clone(), in_parent } });
    }
    if element.attribute("tendon").is_some() {
        let Some(tendon) = tendons.names.named("tendon", element, "tendon", log) else { return none() };
        if let Some(name) = &tendons.tendons[tendon].spatial {
            return Target::Tendon(name.clone(), gear[0]);
        }
        let along = tendons.tendons[tendon].joints.iter();
        return Target::Joints(along.map(|(joint, coefficient)| (joint.clone(), gear[0] * coefficient)).collect());
    }
    if element.attribute("site").is_some() {
        let mut pose = |key| {
            let site = &sites.1[sites.0.named("site", element, key, log)?];
            Some(LinkPose { link: site.link.clone(), X_LF: site.X_LF })
        };
        let Some(frame) = pose("site") else { return none() };
        let reference = element.attribute("refsite").and_then(|_| pose("refsite"));
        return Target::Push(Push { gear, on: PushOn::Frame { frame, reference } });
    }
    if element.attribute("cranksite").is_some() {
        let mut pose = |key| {
            let site = &sites.1[sites.0.required("site", element, key, log)?];
            Some(LinkPose { link: site.link.clone(), X_LF: site.X_LF })
        };
        let (Some(crank), Some(slider)) = (pose("cranksite"), pose("slidersite")) else { return none() };
        let rod = f.number_or("cranklength", 0.0, log);
        if rod <= 0.0 {
            f.fault_range("cranklength", rod, "greater than zero", log);
            return none();
        }
        return Target::Push(Push { gear, on: PushOn::Crank { crank, slider, rod } });
    }
    if element.attribute("body").is_some() {
        let Some(body) = bodies.names.named("body", element, "body", log) else { return none() };
        return Target::Contacts(bodies.titles[body].clone());
    }
    log.differs(element, "acts at nothing that is simulated");
    none()
}
