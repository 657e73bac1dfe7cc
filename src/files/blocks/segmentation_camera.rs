//! `type: segmentation_camera`.

use super::lens;
use super::plant_beside::OnLink;
use super::sampled_sensor::{LATENCY, sensor_on_link};
use super::sampling::sampling;
use crate::example_files::PENDULUM;
use crate::form::{BlockType, Group, Reader, SystemSpec};
use kinegraph_systems::sensors::{SegmentationCamera, Shutter};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "segmentation_camera",
    group: Group::Sensors,
    about: "which body and which collision shape stands in each pixel of a camera, sampled; 0 is nothing",
    example: "camera: {type: segmentation_camera, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, columns: 8, rows: 6, field_of_view: 60°, max_depth: 10, period: 0.1}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let X_LS = lens::pose(r);
    let lens = lens::read(r);
    let sampling = sampling(r);
    let latency = r.get(&LATENCY);
    let (lens, shutter) = (lens?, Shutter { sampling: sampling?, latency });
    sensor_on_link(on?, "a segmentation_camera", move |plant, link| {
        SegmentationCamera::new(plant, link, X_LS, &lens, shutter)
    })
}
