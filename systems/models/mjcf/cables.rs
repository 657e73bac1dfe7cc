//! `<plugin plugin="mujoco.elasticity.cable">`: the joints between the bodies of a cable resist twist and bending.
//!
//! Of two bodies in a row the turn ψ from the axes of the first to those of the second holds the energy
//! `Σ K_i (ψ_i - ψ0_i)²/(2 L)`, with `K = (G J, E I_y, E I_z)` of the section of the second body's first geom, `L` the
//! distance of their origins, and ψ0 what ψ is at the references (zero where the cable is `flat`). `twist` is G, `bend`
//! is E \[Pa\].
//!
//! The reference gives the torque `K (ψ - ψ0)/L` in the axes of the first body. Here it is the gradient of the energy:
//! the same where it is parallel to ψ (all K alike and ψ0 zero, or all turns about one axis); elsewhere it is turned by
//! ψ/2, half way to the second body. So both agree as pieces become short, and only a gradient gives back what it took.

use super::bodies::Bodies;
use super::element::{At, Element};
use super::geoms::{Form, Geom};
use super::log::Log;
use super::solids::Solid;
use crate::faults::MjcfFault;
use kinegraph_multibody::scene_data::Bend;
use nalgebra::Vector3;
use std::f64::consts::PI;

/// The plugin of cables.
const CABLE: &str = "mujoco.elasticity.cable";

/// An instance of the plugin.
struct Instance<'a> {
    name: &'a str,
    twist: f64,
    bend: f64,
    flat: bool,
}

/// Reads the stiffness of the joints of cables.
pub(super) fn read(root: &Element, bodies: &Bodies<'_>, geoms: &[Geom<'_>], log: &mut Log<'_>) -> Vec<Bend> {
    let mut instances = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    for plugin in root.all("extension").flat_map(|extension| extension.all("plugin")) {
        if plugin.value("plugin") == Some(CABLE) {
            instances.extend(plugin.all("instance").filter_map(|instance| read_instance(instance, log)));
        } else {
            log.differs(plugin, "is not simulated");
            others.extend(plugin.all("instance").filter_map(|instance| instance.value("name")));
        }
    }
    let of = |body: usize| bodies.bodies[body].plugin.and_then(|plugin| plugin.value("instance"));
    let mut first_geom = vec![None; bodies.bodies.len()];
    geoms.iter().rev().for_each(|geom| first_geom[geom.body] = Some(geom));
    let mut bends = Vec::new();
    for (b, body) in bodies.bodies.iter().enumerate() {
        let Some(plugin) = body.plugin else { continue };
        let Some(written) = plugin.attribute("instance") else {
            // An instance of its own for one body: nothing is before it. Other plugins are not simulated.
            if plugin.value("plugin") != Some(CABLE) {
                log.differs(plugin, "is not simulated");
            }
            continue;
        };
        let name = written.value.trim();
        let Some(instance) = instances.iter().find(|instance| instance.name == name) else {
            if others.contains(&name) {
                log.differs(plugin, "is not simulated");
            } else {
                let nearest = log.nearest(name, instances.iter().map(|instance| instance.name));
                let (element, name) = (plugin.describe(), name.to_owned());
                log.fault(&written.at, MjcfFault::Unknown { element, what: "plugin instance", name, nearest });
            }
            continue;
        };
        let Some([torsion, about_y, about_z]) = first_geom[b].and_then(moments) else {
            log.differs(plugin, "has no stiffness there: the first geom of its body is no capsule, cylinder or box");
            continue;
        };
        // The first body of a cable has none before it.
        if of(body.parent) != Some(name) {
            continue;
        }
        let length = body.X_PB.translation.vector.norm();
        let stiffness = [instance.twist * torsion, instance.bend * about_y, instance.bend * about_z];
        if stiffness == [0.0; 3] {
            continue;
        }
        if length <= 0.0 {
            let text = "stands where the body before it stands: between them no length is bent".to_owned();
            log.fault(&body.element.at, MjcfFault::Other { element: body.element.describe(), text });
            continue;
        }
        let rest = if instance.flat { Vector3::zeros() } else { body.X_PB.rotation.scaled_axis() };
        let links = [body.parent, b].map(|b| bodies.bodies[b].name.clone());
        bends.push(Bend { links, length, stiffness, rest });
    }
    bends
}

fn read_instance<'a>(element: &'a Element, log: &mut Log<'_>) -> Option<Instance<'a>> {
    let mut instance = Instance { name: element.value("name")?, twist: 0.0, bend: 0.0, flat: false };
    for config in element.all("config") {
        let value = config.attribute("value");
        let (text, at): (&str, &At) = value.map_or(("", &config.at), |value| (value.value.trim(), &value.at));
        let number = |log: &mut Log<'_>| {
            let found = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0);
            if found.is_none() {
                let text = format!("has the value `{text}`, but needs a number, zero or more");
                log.fault(at, MjcfFault::Other { element: config.describe(), text });
            }
            found.unwrap_or(0.0)
        };
        match config.value("key") {
            Some("twist") => instance.twist = number(log),
            Some("bend") => instance.bend = number(log),
            Some("flat") => instance.flat = text == "true",
            // How stresses are coloured.
            Some("vmax") => {}
            key => {
                let nearest = key.and_then(|key| log.nearest(key, ["twist", "bend", "flat", "vmax"]));
                let (element, name) = (config.describe(), key.unwrap_or_default().to_owned());
                log.fault(&config.at, MjcfFault::Unknown { element, what: "key", name, nearest });
            }
        }
    }
    Some(instance)
}

/// Torsion constant, and moments of area about y and z \[m⁴\].
fn moments(geom: &Geom<'_>) -> Option<[f64; 3]> {
    match geom.form {
        Form::Solid(Solid::Capsule { r, .. } | Solid::Cylinder { r, .. }) => {
            let second = 0.25 * PI * r.powi(4);
            Some([2.0 * second, second, second])
        }
        Form::Solid(Solid::Box(half)) => {
            let (long, short) = (half.y.max(half.z), half.y.min(half.z));
            let slim = short / long;
            // Roark, table 10.7, of half sides.
            let torsion = long * short.powi(3) * (16.0 / 3.0 - 3.36 * slim * (1.0 - slim.powi(4) / 12.0));
            Some([torsion, 4.0 / 3.0 * half.y * half.z.powi(3), 4.0 / 3.0 * half.z * half.y.powi(3)])
        }
        _ => None,
    }
}
