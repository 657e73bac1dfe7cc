//! `type: force_torque_sensor`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::{NamedLink, PLANT, has_link, plant_beside};
use crate::files::example_files::PENDULUM;
use crate::files::form::{
    BlockSpec, BlockType, Group, Key, Needs, Optional, Position, Reader, Section, Site, SystemSpec, Text, needs,
    optional,
};
use kinegraph_systems::ErasedSystem;
use kinegraph_systems::sensors::ForceTorqueSensor;
use nalgebra::Isometry3;
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "force_torque_sensor",
    group: Group::Machines,
    about: "force and torque on a link at a frame of it: of the joint that carries it, or of its contacts",
    example: "wrist: {type: force_torque_sensor, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const LINK: Needs<Text> = needs("link", Text { about: "a link as `model/link`" }, "the link that it is on");
const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");

/// A sensor on a link of a plant.
#[derive(Clone, Debug)]
struct Form {
    plant: String,
    plant_at: Position,
    link: String,
    link_at: Position,
    X_LS: Isometry3<f64>,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        Some((&self.plant, self.plant_at))
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = plant_beside(site, "a force_torque_sensor", &self.plant)?;
        let named = NamedLink { link: &self.link, key: LINK.key(), at: self.link_at };
        if !has_link(site, plant, &named) {
            return None;
        }
        site.built(ForceTorqueSensor::new(plant, &self.link, self.X_LS))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (plant, link) = (r.get(&PLANT), r.get(&LINK));
    let X_LS = r.get(&POSE).unwrap_or_default().isometry();
    let (plant_at, link_at) = (r.at_key(PLANT), r.at_key(LINK));
    Some(Box::new(Form { plant: plant?, plant_at, link: link?, link_at, X_LS }))
}
