//! `type: frame_sensor`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::{NamedLink, PLANT, has_link, plant_beside};
use crate::files::example_files::PENDULUM;
use crate::files::form::{
    BlockSpec, BlockType, Group, Key, Needs, Optional, Position, Reader, Section, Site, SystemSpec, Text, needs,
    optional,
};
use kinegraph_systems::ErasedSystem;
use kinegraph_systems::sensors::FrameSensor;
use nalgebra::Isometry3;
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "frame_sensor",
    group: Group::Machines,
    about: "pose and velocity of a frame of a link, in the world or as seen from another link",
    example: "tip: {type: frame_sensor, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const LINK: Needs<Text> = needs("link", Text { about: "a link as `model/link`" }, "the link that it is on");
const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");
const REFERENCE: Optional<Text> =
    optional("reference", Text { about: "a link as `model/link`" }, "the world", "from where it is seen");

/// A sensor on a link of a plant.
#[derive(Clone, Debug)]
struct Form {
    plant: String,
    plant_at: Position,
    link: String,
    link_at: Position,
    X_LS: Isometry3<f64>,
    reference: Option<String>,
    reference_at: Position,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        Some((&self.plant, self.plant_at))
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = plant_beside(site, "a frame_sensor", &self.plant)?;
        let named = NamedLink { link: &self.link, key: LINK.key(), at: self.link_at };
        let known = has_link(site, plant, &named);
        let reference_known = self
            .reference
            .as_ref()
            .is_none_or(|link| has_link(site, plant, &NamedLink { link, key: REFERENCE.key(), at: self.reference_at }));
        if !(known && reference_known) {
            return None;
        }
        site.built(FrameSensor::new(plant, &self.link, self.X_LS, self.reference.as_deref()))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (plant, link) = (r.get(&PLANT), r.get(&LINK));
    let X_LS = r.get(&POSE).unwrap_or_default().isometry();
    let reference = r.get(&REFERENCE);
    let (plant_at, link_at, reference_at) = (r.at_key(PLANT), r.at_key(LINK), r.at_key(REFERENCE));
    Some(Box::new(Form { plant: plant?, plant_at, link: link?, link_at, X_LS, reference, reference_at }))
}
