//! `type: depth_camera`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::OnLink;
use super::sampled_sensor::{sampled, sensor_on_link};
use crate::files::example_files::PENDULUM;
use crate::files::form::{
    BlockType, Count, Group, Needs, Number, Optional, POSITIVE, Reader, Section, SystemSpec, WithDefault, needs,
    optional, with_default,
};
use kinegraph_systems::sensors::{DepthCamera, Lens};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "depth_camera",
    group: Group::Sensors,
    about: "a picture of distances along the axis of a camera to the first collision shape, sampled",
    example: "camera: {type: depth_camera, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, columns: 8, rows: 6, field_of_view: 60°, max_depth: 10, period: 0.1, noise: 0.005}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const POSE: Optional<Section<Pose>> = optional(
    "pose",
    SECTION,
    "identity",
    "of the camera in the frame of the link: it looks along z, x is right and y down in the picture",
);
/// More than the largest sensors of cameras have along a side. A picture of a million columns took 20 s.
const MAX_PIXELS: usize = 16_384;
const COLUMNS: Needs<Count> = needs("columns", Count { limit: MAX_PIXELS }, "pixels of a row");
const ROWS: Needs<Count> = needs("rows", Count { limit: MAX_PIXELS }, "rows of the picture");
const FIELD_OF_VIEW: WithDefault<Number> =
    with_default("field_of_view", POSITIVE, 1.0, "angle between the left and the right edge of the picture [rad]");
const MAX_DEPTH: Needs<Number> = needs("max_depth", POSITIVE, "the end of the range, read where there is nothing [m]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let X_LS = r.get(&POSE).unwrap_or_default().isometry();
    let (columns, rows) = (r.get(&COLUMNS), r.get(&ROWS));
    let field_of_view = r.get(&FIELD_OF_VIEW);
    let max_depth = r.get(&MAX_DEPTH);
    let settings = sampled(r);
    let (lens, settings) = (Lens { columns: columns?, rows: rows?, field_of_view, max_depth: max_depth? }, settings?);
    sensor_on_link(on?, "a depth_camera", move |plant, link| {
        DepthCamera::new(plant, link, X_LS, &lens, settings.clone())
    })
}
