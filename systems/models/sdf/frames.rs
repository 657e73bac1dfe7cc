//! Frames by name: links, joints, models and frames, each at a pose in another one. Names within a nested model begin
//! with its name, `arm::link`.

use crate::faults::SdfFault;
use crate::report::{Origin, Report};
use crate::xml::{Attribute, Element};
use kinegraph_core::names::nearest;
use nalgebra::Isometry3;
use std::collections::HashMap;

/// The frame of the model, in the scope of each; in the scope of a world, the frame of the world.
pub(super) const MODEL: &str = "__model__";
/// The fixed frame.
pub(super) const WORLD: &str = "world";

/// Maximum number of nested models.
pub(super) const MAX_LEVELS: usize = 16;

/// A name with the place where it is written.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub name: String,
    pub at: Origin,
    /// The element that names it.
    pub element: String,
}

impl Written {
    pub fn of(name: &Attribute<'_, '_>, element: Element<'_, '_>, report: &Report<'_>) -> Self {
        let at = report.origin(name.span.clone());
        Written { name: name.value.to_owned(), at, element: element.describe() }
    }

    /// The link that a frame of this name is fixed to; a fault if there is none.
    pub fn link(&self, links: &HashMap<String, String>, report: &mut Report<'_>) -> Option<String> {
        let found = links.get(&self.name).cloned();
        if found.is_none() {
            let (element, name) = (self.element.clone(), self.name.clone());
            report.fault_at(&self.at, SdfFault::NoLink { element, name }.into());
        }
        found
    }
}

/// Kind of a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Link,
    /// A joint, a frame or a model: fixed to the link of the frame of this name.
    FixedTo(String),
}

/// A frame with its stated pose.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    pub kind: Kind,
    pub X: Isometry3<f64>,
    pub relative_to: Written,
    /// The inner frame to which the pose applies, if it is not the frame itself.
    pub placed_by: Option<Written>,
}

/// All frames of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Stock {
    stated: HashMap<String, Stated>,
    /// Other names of links.
    aliases: HashMap<String, String>,
}

/// Poses of all frames in the frame of the model.
pub(super) struct Frames {
    /// Pose of each frame.
    pub poses: HashMap<String, Isometry3<f64>>,
    /// Link that each frame is fixed to.
    pub links: HashMap<String, String>,
}

impl Stock {
    /// Adds a frame; a duplicate name is a fault.
    pub fn add(&mut self, name: String, stated: Stated, element: Element<'_, '_>, report: &mut Report<'_>) {
        if self.stated.insert(name.clone(), stated).is_some() {
            report.fault(element.span(), SdfFault::DuplicateFrame { name }.into());
        }
    }

    /// Makes frames fixed to `name` fixed to a link.
    pub fn alias(&mut self, name: String, link: String) {
        self.aliases.insert(name, link);
    }

    /// True if there is a frame of this name.
    pub fn has(&self, name: &str) -> bool {
        self.stated.contains_key(name)
    }

    /// Resolves all poses, and the link of each frame.
    pub fn resolve(self, report: &mut Report<'_>) -> Frames {
        let mut poses = HashMap::from([(MODEL.to_owned(), Isometry3::identity())]);
        let mut names: Vec<&String> = self.stated.keys().collect();
        names.sort();
        for name in &names {
            self.find_pose(name, &mut poses, report);
        }
        let mut found: HashMap<&str, Option<&str>> = HashMap::new();
        for name in &names {
            self.find_link(name, &mut found);
        }
        let named = names.iter().filter_map(|name| Some(((*name).clone(), (*found.get(name.as_str())?)?.to_owned())));
        let links = named.collect();
        Frames { poses, links }
    }

    fn find_pose(&self, name: &str, poses: &mut HashMap<String, Isometry3<f64>>, report: &mut Report<'_>) {
        // Outwards to a known pose, then back.
        let (mut path, mut passed): (Vec<&str>, HashMap<&str, usize>) = Default::default();
        let mut at = name;
        while !poses.contains_key(at) {
            if let Some(&first) = passed.get(at) {
                let frames: Vec<String> = path[first..].iter().map(|name| (*name).to_owned()).collect();
                report.fault_at(&self.stated[at].relative_to.at, SdfFault::FrameRing { frames }.into());
                break;
            }
            let Some(stated) = self.stated.get(at) else { break };
            passed.insert(at, path.len());
            path.push(at);
            self.check(&stated.relative_to, poses, report);
            at = &stated.relative_to.name;
        }
        for name in path.into_iter().rev() {
            let stated = &self.stated[name];
            let own = stated.X * self.placement(name, report);
            let X = poses.get(&stated.relative_to.name).copied().unwrap_or_else(Isometry3::identity) * own;
            poses.insert(name.to_owned(), X);
        }
    }

    fn check(&self, written: &Written, poses: &HashMap<String, Isometry3<f64>>, report: &mut Report<'_>) {
        let Written { name, at, element } = written;
        if !self.stated.contains_key(name) && !poses.contains_key(name) {
            let nearest = (!report.is_full()).then(|| nearest(name, self.names(""))).flatten();
            let (element, name) = (element.clone(), name.clone());
            report.fault_at(at, SdfFault::UnknownFrame { element, name, nearest }.into());
        }
    }

    /// Pose of a frame in its placement frame.
    fn placement(&self, name: &str, report: &mut Report<'_>) -> Isometry3<f64> {
        let Some(placing) = &self.stated[name].placed_by else { return Isometry3::identity() };
        match self.pose_within(&placing.name, name, 0) {
            Some(X) => X.inverse(),
            None => {
                let nearest = nearest(&placing.name, self.names(name.trim_end_matches(MODEL)));
                let (element, name) = (placing.element.clone(), placing.name.clone());
                let kind = match self.stated.contains_key(&name) {
                    true => SdfFault::FrameRing { frames: vec![name] },
                    false => SdfFault::UnknownFrame { element, name, nearest },
                };
                report.fault_at(&placing.at, kind.into());
                Isometry3::identity()
            }
        }
    }

    /// The names that begin with `scope`, sorted.
    fn names(&self, scope: &str) -> Vec<&String> {
        let mut names: Vec<&String> = self.stated.keys().filter(|name| name.starts_with(scope)).collect();
        names.sort();
        names
    }

    /// Pose of a frame in another one along its chain; `None` if the chain does not lead there.
    fn pose_within(&self, name: &str, outer: &str, level: usize) -> Option<Isometry3<f64>> {
        let (mut at, mut X) = (name, Isometry3::identity());
        // A chain longer than there are frames is a ring.
        for _ in 0..=self.stated.len() {
            if at == outer {
                return Some(X);
            }
            let stated = self.stated.get(at)?;
            let placed = match &stated.placed_by {
                Some(_) if level > MAX_LEVELS => return None,
                Some(placing) => self.pose_within(&placing.name, at, level + 1)?.inverse(),
                None => Isometry3::identity(),
            };
            X = stated.X * placed * X;
            at = &stated.relative_to.name;
        }
        None
    }

    /// Finds the link that a frame is fixed to, and those of all frames on the way; `None` if there is none.
    fn find_link<'s>(&'s self, name: &'s str, found: &mut HashMap<&'s str, Option<&'s str>>) {
        let (mut at, mut path) = (name, Vec::new());
        let link = loop {
            if let Some(known) = found.get(at) {
                break *known;
            }
            path.push(at);
            // Preliminary: a chain that leads back here is a ring, and fixed to nothing.
            found.insert(at, None);
            if let Some(link) = self.aliases.get(at) {
                break Some(link);
            }
            match self.stated.get(at).map(|stated| &stated.kind) {
                Some(Kind::Link) => break Some(at),
                Some(Kind::FixedTo(next)) => at = next,
                None => break None,
            }
        };
        found.extend(path.into_iter().map(|name| (name, link)));
    }
}

/// A name given by the format, not by the file.
pub(super) fn here(name: &str, element: Element<'_, '_>, report: &Report<'_>) -> Written {
    Written { name: name.to_owned(), at: report.origin(element.span()), element: element.describe() }
}
