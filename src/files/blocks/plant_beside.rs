//! What blocks that are made for a plant of their file have in common: its name, and the names of its links.

use crate::files::form::{FaultKind, Key, Needs, Position, Site, Text, needs};
use crate::files::names::unknown;
use kinegraph_systems::convex::ConvexPlant;

/// The plant's block.
pub(super) const PLANT: Needs<Text> =
    needs("plant", Text { about: "the name of the plant's block" }, "the plant's block, in the same file");

/// The plant beside a block that calls itself `what`, under the name that stands at a place; `None` after a fault was
/// recorded.
pub(super) fn plant_beside<'a>(
    site: &Site<'a>,
    what: &str,
    (name, at): (&str, Position),
) -> Option<&'a dyn ConvexPlant> {
    let Some(other) = site.beside else {
        site.fault(format!("{what} is made for another block of its file, the plant"));
        return None;
    };
    let plant = other.as_plant();
    if plant.is_none() {
        let (path, message) = (format!("{}.{}", site.path, PLANT.key()), format!("`{name}` is no multibody_plant"));
        site.loader.report(at, FaultKind::Conflict { path, message });
    }
    plant
}

/// Reports `link`, the value of the parameter `key` at a place, if `plant` has no such link; whether it has.
pub(super) fn has_link(site: &Site<'_>, plant: &dyn ConvexPlant, key: &str, (link, at): (&str, Position)) -> bool {
    let links = plant.structure().bodies[1..].iter().map(|body| body.name.as_str());
    let known = links.clone().any(|name| name == link);
    if !known {
        let loader = site.loader;
        loader.report(at, unknown(link, "link", format!("{}.{key}", site.path), links, loader));
    }
    known
}
