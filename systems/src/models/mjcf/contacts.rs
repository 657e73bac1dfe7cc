//! `<contact>`: pairs that never touch, and pairs that always do.

use super::element::Element;
use super::known;
use super::log::Log;
use super::names::Names;
use crate::multibody::scene_data::SceneData;

/// Reads the pairs of bodies and of geoms.
pub(super) fn read(
    root: &Element,
    bodies: (&Names, &[String]),
    geoms: (&Names, &[String]),
    scene: &mut SceneData,
    log: &mut Log<'_>,
) {
    for element in root.all("contact").flat_map(|contact| &contact.children) {
        known::check_attributes(element, log);
        match element.name.as_str() {
            "exclude" => {
                let [a, b] = ["body1", "body2"].map(|key| bodies.0.required("body", element, key, log));
                let pair = a.zip(b).map(|(a, b)| [bodies.1[a].clone(), bodies.1[b].clone()]);
                scene.apart.extend(pair);
            }
            "pair" => {
                let [a, b] = ["geom1", "geom2"].map(|key| geoms.0.required("geom", element, key, log));
                let name = |i: usize| geoms.1.get(i).cloned();
                let pair = a.zip(b).and_then(|(a, b)| Some([name(a)?, name(b)?]));
                scene.touching.extend(pair);
            }
            _ => known::unknown_element(element, log),
        }
    }
}
