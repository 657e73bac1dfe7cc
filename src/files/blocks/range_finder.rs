//! `type: range_finder`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::OnLink;
use super::sampled_sensor::{sampled, sensor_on_link};
use crate::example_files::PENDULUM;
use crate::form::{BlockType, Group, Needs, Number, Optional, POSITIVE, Reader, Section, SystemSpec, needs, optional};
use kinegraph_systems::sensors::RangeFinder;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "range_finder",
    group: Group::Sensors,
    about: "distance along x of the sensor to the first collision shape, sampled",
    example: "finder: {type: range_finder, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, max_range: 5, period: 0.02, noise: 0.01}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");
const MAX_RANGE: Needs<Number> = needs("max_range", POSITIVE, "the end of the range, read where there is nothing [m]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let X_LS = r.get(&POSE).unwrap_or_default().isometry();
    let max_range = r.get(&MAX_RANGE);
    let settings = sampled(r);
    let (max_range, settings) = (max_range?, settings?);
    sensor_on_link(on?, "a range_finder", move |plant, link| {
        RangeFinder::new(plant, link, X_LS, max_range, settings.clone())
    })
}
