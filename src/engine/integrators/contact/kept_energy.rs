//! Plants whose energy changes by nothing but dissipation.

use kinegraph_core::ConvexPlant;
use kinegraph_core::convex::ConstraintKind;

/// True if the energy of a plant changes by nothing but dissipation. `driven`: the velocities that inputs drive.
pub(super) fn is_kept(plant: &dyn ConvexPlant, driven: &[bool]) -> bool {
    !driven.contains(&true)
        && !plant.has_moving_surfaces()
        && plant.switch_inputs().is_empty()
        && (plant.reach().iter().any(|&reach| reach > 0.0) || has_beams(plant) || plant.has_ranges())
}

/// True if a plant has beams. Beams turn with their nodes: their energy at the end of a step differs from that of its
/// linear geometry.
fn has_beams(plant: &dyn ConvexPlant) -> bool {
    plant.structure().constraints.iter().any(|constraint| constraint.kind == ConstraintKind::Beam)
}
