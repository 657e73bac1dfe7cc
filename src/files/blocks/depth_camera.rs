//! `type: depth_camera`.

use super::lens;
use super::plant_beside::OnLink;
use super::sampled_sensor::{sampled, sensor_on_link};
use crate::example_files::PENDULUM;
use crate::form::{BlockType, Group, Reader, SystemSpec};
use kinegraph_systems::sensors::DepthCamera;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "depth_camera",
    group: Group::Sensors,
    about: "a picture of distances along the axis of a camera to the first collision shape, sampled",
    example: "camera: {type: depth_camera, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, columns: 8, rows: 6, field_of_view: 60°, max_depth: 10, period: 0.1, noise: 0.005}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let X_LS = lens::pose(r);
    let lens = lens::read(r);
    let settings = sampled(r);
    let (lens, settings) = (lens?, settings?);
    sensor_on_link(on?, "a depth_camera", move |plant, link| {
        DepthCamera::new(plant, link, X_LS, &lens, settings.clone())
    })
}
