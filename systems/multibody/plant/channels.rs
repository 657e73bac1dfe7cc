//! Names of the numbers that a plant's ports carry.

use crate::Tree;

/// `MODEL.LINK.part` for every link but the world.
pub(super) fn link_channels(tree: &Tree, parts: &[&str]) -> Vec<String> {
    let links = tree.bodies()[1..].iter().map(|b| b.name.replacen('/', ".", 1));
    links.flat_map(|b| parts.iter().map(move |p| format!("{b}.{p}")).collect::<Vec<_>>()).collect()
}
