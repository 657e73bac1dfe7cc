//! The link that a sensor is on.

use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::names::{did_you_mean, nearest};

/// A link that the plant of a sensor does not have.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("the plant has no link `{link}`{}", did_you_mean(nearest))]
pub struct UnknownLink {
    /// The name.
    pub link: String,
    /// The most similar name there is.
    pub nearest: Option<String>,
}

kinegraph_core::debug_is_message!(UnknownLink);

/// Index of a link among the links of a plant, without the world.
pub(super) fn place_of(plant: &dyn ConvexPlant, link: &str) -> Result<usize, UnknownLink> {
    let links = plant.structure().bodies[1..].iter().map(|body| body.name.as_str());
    let place = links.clone().position(|name| name == link);
    place.ok_or_else(|| UnknownLink { link: link.into(), nearest: nearest(link, links) })
}
