//! `type: lidar`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::OnLink;
use super::sampled_sensor::{sampled, sensor_on_link};
use crate::example_files::PENDULUM;
use crate::form::{
    BlockType, Count, Group, ListOf, MAX_WIDTH, NUMBER, Needs, Number, Optional, POSITIVE, Reader, Section, SystemSpec,
    Vector, WithDefault, needs, optional, with_default,
};
use kinegraph_systems::sensors::{Lidar, Scan};
use std::f64::consts::PI;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "lidar",
    group: Group::Sensors,
    about: "distances along many rays of a scan to the first collision shape, sampled",
    example: "lidar: {type: lidar, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, columns: 12, azimuths: [-90°, 90°], elevations: [0, 10°], max_range: 20, period: 0.1, noise: 0.02}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");
const COLUMNS: Needs<Count> = needs("columns", Count { limit: MAX_WIDTH }, "how many azimuths there are");
const AZIMUTHS: WithDefault<Vector<2>> = with_default(
    "azimuths",
    Vector { about: "[first, last] in rad" },
    [-PI, PI],
    "the first and the last, from x towards y; of a whole turn the last stands one angle before the first [rad]",
);
const ELEVATIONS: Optional<ListOf<Number>> = optional(
    "elevations",
    ListOf { each: NUMBER, about: "a list of angles, one for each layer" },
    "one layer, flat",
    "angles of the layers above the plane of x and y [rad]",
);
const MAX_RANGE: Needs<Number> = needs("max_range", POSITIVE, "the end of the range, read where there is nothing [m]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let X_LS = r.get(&POSE).unwrap_or_default().isometry();
    let (columns, azimuths) = (r.get(&COLUMNS), r.get(&AZIMUTHS));
    let elevations = r.get(&ELEVATIONS).unwrap_or_else(|| vec![0.0]);
    let max_range = r.get(&MAX_RANGE);
    let settings = sampled(r);
    let (scan, settings) = (Scan { columns: columns?, azimuths, elevations, max_range: max_range? }, settings?);
    sensor_on_link(on?, "a lidar", move |plant, link| Lidar::new(plant, link, X_LS, &scan, settings.clone()))
}
