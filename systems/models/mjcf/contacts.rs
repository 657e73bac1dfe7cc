//! `<contact>`: pairs that never touch, and pairs that always do, with a surface of their own.

use super::classes::Classes;
use super::element::Element;
use super::log::Log;
use super::names::Names;
use super::recognition;
use super::surfaces;
use kinegraph_multibody::scene_data::SceneData;
use std::collections::HashSet;

/// Things of one kind: by what names elements refer to them, and what each is called in the model.
pub(super) struct Listed<'a> {
    pub names: &'a Names,
    pub titles: &'a [String],
}

/// The names of geoms that a pair says of that they touch, whatever their own bits say.
pub(super) fn paired(root: &Element) -> HashSet<&str> {
    let pairs = root.all("contact").flat_map(|contact| contact.all("pair"));
    pairs.flat_map(|pair| ["geom1", "geom2"].into_iter().filter_map(|key| pair.value(key))).collect()
}

/// Parts of a model that pairs are read with.
pub(super) struct Touched<'a> {
    pub bodies: Listed<'a>,
    pub geoms: Listed<'a>,
    /// For each geom, the mass that moves with it \[kg\].
    pub masses: Vec<f64>,
    /// True if contact is enabled.
    pub enabled: bool,
    /// Gravity \[m/s²\].
    pub g: f64,
}

/// Reads the pairs of bodies and of geoms.
pub(super) fn read(
    root: &Element,
    classes: &Classes,
    Touched { bodies, geoms, masses, enabled, g }: &Touched<'_>,
    scene: &mut SceneData,
    log: &mut Log<'_>,
) {
    for element in root.all("contact").flat_map(|contact| &contact.children) {
        recognition::check_attributes(element, log);
        match element.name.as_str() {
            "exclude" => {
                let [a, b] = ["body1", "body2"].map(|key| bodies.names.required("body", element, key, log));
                let pair = a.zip(b).map(|(a, b)| [bodies.titles[a].clone(), bodies.titles[b].clone()]);
                scene.apart.extend(pair);
            }
            "pair" => {
                let [a, b] = ["geom1", "geom2"].map(|key| geoms.names.required("geom", element, key, log));
                let f = classes.fields(element, "pair", 0, log);
                let pair = a.zip(b).and_then(|(a, b)| {
                    let shapes = [geoms.titles.get(a)?.clone(), geoms.titles.get(b)?.clone()];
                    Some(surfaces::pair(&f, shapes, [masses[a], masses[b]], *g, log))
                });
                scene.touching.extend(pair.filter(|_| *enabled));
            }
            _ => recognition::unknown_element(element, log),
        }
    }
}
