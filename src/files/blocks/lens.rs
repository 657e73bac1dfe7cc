//! Common part of camera forms: the pose and the lens.

use super::multibody_plant::pose::{Pose, SECTION};
use crate::form::{
    Count, Needs, Number, Optional, POSITIVE, Reader, Section, WithDefault, needs, optional, with_default,
};
use kinegraph_systems::sensors::Lens;
use nalgebra::Isometry3;

const POSE: Optional<Section<Pose>> = optional(
    "pose",
    SECTION,
    "identity",
    "of the camera in the frame of the link: it looks along z, x is right and y down in the picture",
);
/// Maximum number of pixels along a side, more than the largest camera sensors have. A picture of a million columns
/// took 20 s.
const MAX_PIXELS: usize = 16_384;
const COLUMNS: Needs<Count> = needs("columns", Count { limit: MAX_PIXELS }, "pixels of a row");
const ROWS: Needs<Count> = needs("rows", Count { limit: MAX_PIXELS }, "rows of the picture");
const FIELD_OF_VIEW: WithDefault<Number> =
    with_default("field_of_view", POSITIVE, 1.0, "angle between the left and the right edge of the picture [rad]");
const MAX_DEPTH: Needs<Number> = needs("max_depth", POSITIVE, "the end of the range, read where there is nothing [m]");

/// Reads `pose`.
pub(super) fn pose(r: &mut Reader<'_>) -> Isometry3<f64> {
    r.get(&POSE).unwrap_or_default().isometry()
}

/// Reads `columns`, `rows`, `field_of_view` and `max_depth`; `None` after a fault.
pub(super) fn read(r: &mut Reader<'_>) -> Option<Lens> {
    let (columns, rows) = (r.get(&COLUMNS), r.get(&ROWS));
    let field_of_view = r.get(&FIELD_OF_VIEW);
    let max_depth = r.get(&MAX_DEPTH);
    Some(Lens { columns: columns?, rows: rows?, field_of_view, max_depth: max_depth? })
}
