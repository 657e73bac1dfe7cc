//! `type: frame_sensor`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::{NamedLink, OnLink, has_link};
use crate::example_files::PENDULUM;
use crate::form::{
    BlockSpec, BlockType, Group, Key, Optional, Position, Reader, Section, Site, SystemSpec, Text, optional,
};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::sensors::FrameSensor;
use nalgebra::Isometry3;
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "frame_sensor",
    group: Group::Sensors,
    about: "pose and velocity of a frame of a link, in the world or as seen from another link",
    example: "tip: {type: frame_sensor, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");
const REFERENCE: Optional<Text> =
    optional("reference", Text { about: "a link as `model/link`" }, "the world", "from where it is seen");

/// A sensor on a link of a plant.
#[derive(Clone, Debug)]
struct Form {
    on: OnLink,
    X_LS: Isometry3<f64>,
    reference: Option<String>,
    reference_at: Position,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        Some(self.on.beside())
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = self.on.plant(site, "a frame_sensor")?;
        let named = |link| NamedLink { link, key: REFERENCE.key(), at: self.reference_at };
        if !self.reference.as_deref().is_none_or(|link| has_link(site, plant, &named(link))) {
            return None;
        }
        site.built(FrameSensor::new(plant, &self.on.link, self.X_LS, self.reference.as_deref()))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let X_LS = r.get(&POSE).unwrap_or_default().isometry();
    let (reference, reference_at) = (r.get(&REFERENCE), r.at_key(REFERENCE));
    Some(Box::new(Form { on: on?, X_LS, reference, reference_at }))
}
