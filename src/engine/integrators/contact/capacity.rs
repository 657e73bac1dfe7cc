//! A bound on the number of contact points.

use crate::integrators::{Capacity, Overflow, Statistics, StepFailure};
use kinegraph_core::convex::PlantPoint;

/// Drops the shallowest contact points of all plants beyond the capacity, and counts them; the others keep their order.
/// `scratch` is memory.
pub(super) fn bound(
    capacity: Capacity,
    plants: &mut [PlantPoint],
    scratch: &mut Vec<(f64, usize, usize)>,
    statistics: &mut Statistics,
) -> Result<(), StepFailure> {
    let (most, found) = (capacity.max_rigid_contact, plants.iter().map(|plant| plant.contacts.len()).sum::<usize>());
    if found <= most || capacity.on_overflow == Overflow::Grow {
        return Ok(());
    }
    if capacity.on_overflow == Overflow::Error {
        return Err(StepFailure::TooManyContacts { found, most });
    }
    scratch.clear();
    for (p, plant) in plants.iter().enumerate() {
        scratch.extend(plant.contacts.iter().enumerate().map(|(c, contact)| (contact.depth, p, c)));
    }
    // The deepest first; of equal ones the first.
    scratch.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    scratch.truncate(most);
    scratch.sort_unstable_by_key(|&(_, p, c)| (p, c));
    let mut kept = scratch.iter().peekable();
    for (p, plant) in plants.iter_mut().enumerate() {
        let mut c = 0;
        plant.contacts.retain(|_| {
            c += 1;
            kept.next_if(|&&(_, plant, contact)| (plant, contact) == (p, c - 1)).is_some()
        });
    }
    statistics.truncate(found - most);
    Ok(())
}
