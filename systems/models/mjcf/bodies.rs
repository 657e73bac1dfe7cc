//! The tree of bodies: everything that stands in `<worldbody>`, with frames folded into what they hold.

use super::classes::Classes;
use super::composites;
use super::element::Element;
use super::flexible;
use super::log::Log;
use super::names::Names;
use super::orientation;
use super::recognition;
use super::settings::Settings;
use crate::faults::MjcfFault;
use nalgebra::Isometry3;

/// Something in a body: an element, its class from outside, and the pose of the frames around it in the body.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub element: &'a Element,
    pub class: usize,
    pub X_BF: Isometry3<f64>,
}

/// A body as written. The first is the world.
pub(super) struct Body<'a> {
    pub element: &'a Element,
    pub name: String,
    pub parent: usize,
    pub X_PB: Isometry3<f64>,
    pub inertial: Option<&'a Element>,
    pub joints: Vec<Part<'a>>,
    pub geoms: Vec<Part<'a>>,
    pub sites: Vec<Part<'a>>,
    /// The part of its weight that carries it.
    pub carried: f64,
    /// True if it is moved from outside.
    pub mocap: bool,
    /// Its plugin.
    pub plugin: Option<&'a Element>,
}

/// All bodies, parents first, and their names.
pub(super) struct Bodies<'a> {
    pub bodies: Vec<Body<'a>>,
    pub names: Names,
}

impl<'a> Bodies<'a> {
    /// Reads the bodies of a model. Several `<worldbody>` are one.
    pub fn read(root: &'a Element, classes: &Classes, settings: &Settings, log: &mut Log<'_>) -> Self {
        let mut walk = Walk { classes, settings, bodies: vec![Body::new(root, 0, Isometry3::identity())] };
        for world in root.all("worldbody") {
            let class = classes.childclass(world, 0, log);
            walk.contents(world, 0, Isometry3::identity(), class, log);
        }
        let mut bodies = walk.bodies;
        let elements: Vec<_> = bodies.iter().enumerate().map(|(i, b)| (b.element, format!("body{i}"))).collect();
        // The outermost element's name is no name of a body.
        let (mut names, found) = Names::of("body", &elements[1..], log);
        names.shift("world");
        for (body, name) in bodies[1..].iter_mut().zip(found) {
            body.name = name;
        }
        bodies[0].name = "world".to_owned();
        Bodies { bodies, names }
    }
}

impl<'a> Body<'a> {
    fn new(element: &'a Element, parent: usize, X_PB: Isometry3<f64>) -> Self {
        let (joints, geoms, sites) = Default::default();
        let (name, inertial, carried, mocap, plugin) = (String::new(), None, 0.0, false, None);
        Body { element, name, parent, X_PB, inertial, joints, geoms, sites, carried, mocap, plugin }
    }
}

struct Walk<'a, 'c> {
    classes: &'c Classes,
    settings: &'c Settings,
    bodies: Vec<Body<'a>>,
}

impl<'a> Walk<'a, '_> {
    /// A body that hangs on `parent`, with what is in it.
    fn body(&mut self, element: &'a Element, parent: usize, X_BF: Isometry3<f64>, class: usize, log: &mut Log<'_>) {
        let f = super::fields::Fields::alone(element);
        let X_PB = X_BF * orientation::pose(&f, self.settings, log);
        let mocap = f.flag("mocap", false, log);
        let carried = f.number_or("gravcomp", 0.0, log);
        let index = self.bodies.len();
        self.bodies.push(Body { carried, mocap, ..Body::new(element, parent, X_PB) });
        let class = self.classes.childclass(element, class, log);
        self.contents(element, index, Isometry3::identity(), class, log);
    }

    /// The contents of a body, or of a frame in it at `X_BF`.
    fn contents(&mut self, element: &'a Element, body: usize, X_BF: Isometry3<f64>, class: usize, log: &mut Log<'_>) {
        recognition::check_attributes(element, log);
        for child in &element.children {
            let part = Part { element: child, class, X_BF };
            match child.name.as_str() {
                "body" => self.body(child, body, X_BF, class, log),
                composites::CHAIN => {
                    let (mut parent, mut X_BF) = (body, X_BF);
                    for link in &child.children {
                        let index = self.bodies.len();
                        self.body(link, parent, X_BF, self.classes.bare(), log);
                        (parent, X_BF) = (index, Isometry3::identity());
                    }
                }
                "plugin" => self.bodies[body].plugin = Some(child),
                "frame" => {
                    let f = super::fields::Fields::alone(child);
                    let X = X_BF * orientation::pose(&f, self.settings, log);
                    let class = self.classes.childclass(child, class, log);
                    self.contents(child, body, X, class, log);
                }
                "inertial" => self.bodies[body].inertial = Some(child),
                "joint" | "freejoint" if body == 0 => {
                    log.fault(&child.at, MjcfFault::JointOfWorld { element: child.describe() });
                }
                "joint" | "freejoint" => self.bodies[body].joints.push(part),
                "geom" => self.bodies[body].geoms.push(part),
                "site" => self.bodies[body].sites.push(part),
                "camera" | "light" => {}
                "flexcomp" => flexible::note(child, log),
                _ => recognition::unknown_element(child, log),
            }
        }
    }
}
