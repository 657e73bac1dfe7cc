//! `type: force_torque_sensor`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::OnLink;
use crate::example_files::PENDULUM;
use crate::form::{BlockSpec, BlockType, Group, Optional, Position, Reader, Section, Site, SystemSpec, optional};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::sensors::ForceTorqueSensor;
use nalgebra::Isometry3;
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "force_torque_sensor",
    group: Group::Sensors,
    about: "force and torque on a link at a frame of it: of the joint that carries it, or of its contacts",
    example: "wrist: {type: force_torque_sensor, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");

/// A sensor on a link of a plant.
#[derive(Clone, Debug)]
struct Form {
    on: OnLink,
    X_LS: Isometry3<f64>,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        Some(self.on.beside())
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = self.on.plant(site, "a force_torque_sensor")?;
        site.built(ForceTorqueSensor::new(plant, &self.on.link, self.X_LS))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let X_LS = r.get(&POSE).unwrap_or_default().isometry();
    Some(Box::new(Form { on: on?, X_LS }))
}
