//! Laws of methods with rigid bodies.

use super::elements::ROWS;
use kinegraph_engine::integrators::{Family, Motion, Support};

/// Steps of rigid bodies, row by row.
pub const RIGID: Family = Family {
    name: "rigid",
    motion: Motion::Steps,
    form: ROWS,
    contact: Support::By("rigid; stiffness and dissipation are not used"),
    friction: Support::Fully,
    by_materials: false,
};
