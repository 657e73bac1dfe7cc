//! `type: magnetometer`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::OnLink;
use super::sampled_sensor::{sampled, sensor_on_link};
use crate::example_files::PENDULUM;
use crate::form::{
    BlockType, Group, Optional, Reader, Section, SystemSpec, Vector, WithDefault, optional, with_default,
};
use kinegraph_systems::sensors::Magnetometer;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "magnetometer",
    group: Group::Sensors,
    about: "the magnetic field in the axes of a sensor on a link, sampled",
    example: "compass: {type: magnetometer, plant: plant, link: pendulum/rod, magnetic_field: [2.0e-5, 0, -4.5e-5], period: 0.01, noise: 1.0e-7}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");
const MAGNETIC_FIELD: WithDefault<Vector<3>> = with_default(
    "magnetic_field",
    Vector { about: "[x, y, z] in T" },
    [0.0, 2e-5, -4.5e-5],
    "in the axes of the world [T]; by default that of middle latitudes, with y to the north",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let R_LS = r.get(&POSE).unwrap_or_default().isometry().rotation;
    let field = r.get(&MAGNETIC_FIELD);
    let settings = sampled(r)?;
    sensor_on_link(on?, "a magnetometer", move |plant, link| {
        Magnetometer::new(plant, link, R_LS, field, settings.clone())
    })
}
