//! Common part of blocks that belong to a plant of their file: its name, and the names of its links.

use crate::form::{FaultKind, Key, Needs, Position, Reader, Site, Text, needs};
use crate::names::unknown;
use kinegraph_core::convex::ConvexPlant;

/// The plant's block.
pub(super) const PLANT: Needs<Text> =
    needs("plant", Text { about: "the name of the plant's block" }, "the plant's block, in the same file");

/// Finds the plant `name` for a block that messages call `what`; `None` after a fault was recorded.
pub(super) fn plant_beside<'a>(site: &Site<'a>, what: &str, name: &str) -> Option<&'a dyn ConvexPlant> {
    let Some(other) = site.beside else {
        site.fault(format!("{what} is made for another block of its file, the plant"));
        return None;
    };
    let plant = other.as_plant();
    if plant.is_none() {
        let (path, message) = (format!("{}.{}", site.path, PLANT.key()), format!("`{name}` is no multibody_plant"));
        site.loader.report(site.place_of(PLANT.key()), FaultKind::Conflict { path, message });
    }
    plant
}

/// A link that a parameter names.
pub(super) struct NamedLink<'a> {
    /// As `model/link`.
    pub link: &'a str,
    /// The key of the parameter.
    pub key: &'a str,
    /// Place of the name.
    pub at: Position,
}

/// Returns true if `plant` has the link; otherwise records a fault.
pub(super) fn has_link(site: &Site<'_>, plant: &dyn ConvexPlant, named: &NamedLink<'_>) -> bool {
    let NamedLink { link, key, at } = *named;
    let links = plant.structure().bodies[1..].iter().map(|body| body.name.as_str());
    let known = links.clone().any(|name| name == link);
    if !known {
        let loader = site.loader;
        loader.report(at, unknown(link, "link", format!("{}.{key}", site.path), links, loader));
    }
    known
}

/// The link that the block is attached to.
const LINK: Needs<Text> = needs("link", Text { about: "a link as `model/link`" }, "the link that it is on");

/// Parameters of a block on a link of a plant.
#[derive(Clone, Debug)]
pub(super) struct OnLink {
    plant: String,
    plant_at: Position,
    /// The link, as `model/link`.
    pub link: String,
    link_at: Position,
}

impl OnLink {
    /// Reads `plant` and `link`; `None` after a fault.
    pub fn read(r: &mut Reader<'_>) -> Option<Self> {
        let (plant, link) = (r.get(&PLANT), r.get(&LINK));
        let (plant_at, link_at) = (r.at_key(PLANT), r.at_key(LINK));
        Some(OnLink { plant: plant?, plant_at, link: link?, link_at })
    }

    /// Name of the plant and its place.
    pub fn beside(&self) -> (&str, Position) {
        (&self.plant, self.plant_at)
    }

    /// Returns the plant, if it has the link; `None` after a fault. Messages call the block `what`.
    pub fn plant<'a>(&self, site: &Site<'a>, what: &str) -> Option<&'a dyn ConvexPlant> {
        let plant = plant_beside(site, what, &self.plant)?;
        let named = NamedLink { link: &self.link, key: LINK.key(), at: self.link_at };
        has_link(site, plant, &named).then_some(plant)
    }
}
