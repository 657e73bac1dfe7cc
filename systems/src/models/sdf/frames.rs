//! Frames by name: links, joints, models and frames, each at a pose in another one. Names of what stands in a model in
//! the model begin with its name, `arm::link`.

use crate::models::faults::SdfFault;
use crate::models::report::Report;
use crate::models::xml::{Attribute, Element};
use crate::names::nearest;
use nalgebra::Isometry3;
use std::collections::HashMap;
use std::ops::Range;

/// The frame of the model, in the scope of each.
pub(super) const MODEL: &str = "__model__";
/// What stands still.
pub(super) const WORLD: &str = "world";

/// A name where it is written.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub name: String,
    pub span: Range<usize>,
    /// The element that names it.
    pub element: String,
}

impl Written {
    pub fn of(name: &Attribute<'_, '_>, element: Element<'_, '_>) -> Self {
        Written { name: name.value.to_owned(), span: name.span.clone(), element: element.describe() }
    }

    /// The link that a frame of this name is fixed to; a fault if there is none.
    pub fn link(&self, links: &HashMap<String, String>, report: &mut Report<'_>) -> Option<String> {
        let found = links.get(&self.name).cloned();
        if found.is_none() {
            let (element, name) = (self.element.clone(), self.name.clone());
            report.fault(self.span.clone(), SdfFault::NoLink { element, name }.into());
        }
        found
    }

    /// The name in the whole file of what is meant in `scope`.
    pub fn within(&self, scope: &str) -> Written {
        let name = if self.name == WORLD { WORLD.to_owned() } else { format!("{scope}{}", self.name) };
        Written { name, ..self.clone() }
    }
}

/// What a frame is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Link,
    /// A joint, a frame or a model: fixed to what the frame of this name is fixed to.
    FixedTo(String),
}

/// A frame as stated.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    pub kind: Kind,
    pub X: Isometry3<f64>,
    pub relative_to: Written,
}

/// All frames of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Stock {
    stated: HashMap<String, Stated>,
    /// Links by other names.
    aliases: HashMap<String, String>,
}

/// All frames in that of the model.
pub(super) struct Frames {
    /// The pose of each.
    pub poses: HashMap<String, Isometry3<f64>>,
    /// The link that each is fixed to.
    pub links: HashMap<String, String>,
}

impl Stock {
    /// Adds a frame; one of the same name is a fault.
    pub fn add(&mut self, name: String, stated: Stated, span: Range<usize>, report: &mut Report<'_>) {
        if self.stated.insert(name.clone(), stated).is_some() {
            report.fault(span, SdfFault::DuplicateFrame { name }.into());
        }
    }

    /// Lets what is fixed to `name` be fixed to a link.
    pub fn alias(&mut self, name: String, link: String) {
        self.aliases.insert(name, link);
    }

    /// Whether there is a frame of this name.
    pub fn has(&self, name: &str) -> bool {
        self.stated.contains_key(name)
    }

    /// Finds all poses, and what each is fixed to.
    pub fn resolve(self, report: &mut Report<'_>) -> Frames {
        let mut poses = HashMap::from([(MODEL.to_owned(), Isometry3::identity())]);
        let mut names: Vec<&String> = self.stated.keys().collect();
        names.sort();
        for name in &names {
            self.find_pose(name, &mut poses, report);
        }
        let links = names.iter().filter_map(|name| Some(((*name).clone(), self.link(name)?))).collect();
        Frames { poses, links }
    }

    fn find_pose(&self, name: &str, poses: &mut HashMap<String, Isometry3<f64>>, report: &mut Report<'_>) {
        // Outwards to a pose that is known, then back.
        let mut path: Vec<&str> = Vec::new();
        let mut at = name;
        while !poses.contains_key(at) {
            if let Some(first) = path.iter().position(|other| *other == at) {
                let frames: Vec<String> = path[first..].iter().map(|name| (*name).to_owned()).collect();
                let span = self.stated[at].relative_to.span.clone();
                report.fault(span, SdfFault::FrameRing { frames }.into());
                break;
            }
            let Some(stated) = self.stated.get(at) else { break };
            path.push(at);
            let Written { name, span, element } = &stated.relative_to;
            if !self.stated.contains_key(name) && !poses.contains_key(name) {
                let nearest = nearest(name, self.stated.keys());
                let (element, name) = (element.clone(), name.clone());
                report.fault(span.clone(), SdfFault::UnknownFrame { element, name, nearest }.into());
            }
            at = name;
        }
        for name in path.into_iter().rev() {
            let stated = &self.stated[name];
            let X = poses.get(&stated.relative_to.name).copied().unwrap_or_else(Isometry3::identity) * stated.X;
            poses.insert(name.to_owned(), X);
        }
    }

    /// The link that a frame is fixed to.
    fn link(&self, name: &str) -> Option<String> {
        let mut at = name;
        // A chain longer than there are frames is a ring.
        for _ in 0..=self.stated.len() {
            if let Some(link) = self.aliases.get(at) {
                return Some(link.clone());
            }
            match &self.stated.get(at)?.kind {
                Kind::Link => return Some(at.to_owned()),
                Kind::FixedTo(next) => at = next,
            }
        }
        None
    }
}

/// A name that the format, not the file, gives.
pub(super) fn here(name: &str, element: Element<'_, '_>) -> Written {
    Written { name: name.to_owned(), span: element.span(), element: element.describe() }
}
