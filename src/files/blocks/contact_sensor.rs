//! `type: contact_sensor`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::OnLink;
use super::sampled_sensor::{sampled, sensor_on_link};
use crate::example_files::PENDULUM;
use crate::form::{
    BlockType, Group, NON_NEGATIVE, Number, Optional, Reader, Section, SystemSpec, WithDefault, optional, with_default,
};
use kinegraph_systems::sensors::ContactSensor;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "contact_sensor",
    group: Group::Sensors,
    about: "the sum of the contact forces on a link, and whether it is touched, sampled",
    example: "skin: {type: contact_sensor, plant: plant, link: pendulum/rod, threshold: 0.5, period: 0.005}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");
const THRESHOLD: WithDefault<Number> =
    with_default("threshold", NON_NEGATIVE, 0.0, "the force above which the link is touched [N]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let R_LS = r.get(&POSE).unwrap_or_default().isometry().rotation;
    let threshold = r.get(&THRESHOLD);
    let settings = sampled(r)?;
    sensor_on_link(on?, "a contact_sensor", move |plant, link| {
        ContactSensor::new(plant, link, R_LS, threshold, settings.clone())
    })
}
