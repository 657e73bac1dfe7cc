//! Mechanical energy of plants that no input drives.

use super::point::StepPoint;
use super::step::ContactStep;
use crate::choices::energy::SURFACE_GAIN;
use crate::integrators::MechanicalEnergy;
use kinegraph_convex::contact::{ContactRow, recoverable_energy};
use nalgebra::Vector3;

impl ContactStep {
    /// Energy at a prepared point of the plants that no input drives, where contacts may be off by `accuracy`. `None`
    /// if there are none, if it is not known what changes the energy, or if a joint is beyond a rigid stop or a rigid
    /// constraint is off, which position corrections return. The energy of beams is a part of that of their plant. A
    /// pin that holds a fibre is off in every long step, as the piece beside it turns: the energy of its return is
    /// allowed for. So is the apparent gain of contact surfaces, whose polygons press in their centroids.
    pub(in crate::integrators) fn energy_at(&self, point: &StepPoint, accuracy: f64) -> Option<MechanicalEnergy> {
        let ContactStep { plan, external, .. } = self;
        let (diagram, layout) = (external.diagram(), external.layout());
        let tuning = &plan.options.tuning;
        let (mut energy, mut any) = (MechanicalEnergy::default(), false);
        let mut pairs = point.problem.contacts.points.iter();
        let mut group = 0;
        for ((slot, data), keeps) in layout.plants.iter().zip(&point.plants).zip(&plan.keeps_energy) {
            let pairs = pairs.by_ref().take(data.contacts.len());
            // Deeper contacts are an error by themselves: none of their energy is discounted.
            let shallow = |pair: &ContactRow| pair.depth < tuning.shallow * plan.scales.length(accuracy);
            let (stored, unrecoverable) = pairs.fold((0.0, 0.0), |(stored, unrecoverable), pair| {
                let of_pair = pair.stored_energy();
                let lost = if shallow(pair) { of_pair - pair.recoverable_energy() } else { 0.0 };
                (stored + of_pair, unrecoverable + lost)
            });
            let first = group;
            group += data.constraints.len();
            if !keeps {
                continue;
            }
            let plant = layout.plant(diagram, slot);
            let structure = plant.structure();
            let (q, v) =
                (&point.state.continuous[slot.positions.clone()], &point.state.continuous[slot.velocities.clone()]);
            let mut rigid = structure.limits.iter().filter(|limit| limit.compliance.is_none());
            if rigid.any(|limit| !(limit.lower..=limit.upper).contains(&q[limit.position])) {
                return None;
            }
            let mass: f64 = structure.bodies.iter().filter(|body| body.clique.is_some()).map(|body| body.mass).sum();
            let weight = mass * Vector3::from(structure.gravity).norm();
            let on_beams = data.constraints.iter().any(|rows| rows.material);
            let groups = &point.problem.constraints.rows[first..group];
            for (rows, group) in data.constraints.iter().zip(groups).filter(|(rows, _)| !rows.material) {
                if let Some(range) = &rows.range {
                    // The energy of a range is a part of the energy of the plant.
                    let beyond = range.excess(rows.violation[0]).abs();
                    energy.near |= beyond > 0.0;
                    if beyond < tuning.shallow * plan.scales.length(accuracy) {
                        let held = 0.5 * range.stop.stiffness * beyond * beyond;
                        energy.unrecoverable += held - recoverable_energy(held, range.stop.dissipation, group.delassus);
                    }
                    continue;
                }
                if rows.compliance.is_some() {
                    let held = rows.stored_energy();
                    energy.total += held;
                    energy.moving += held;
                    continue;
                }
                let is_off = plan.scales.is_off(rows, slot.global.start);
                if is_off && !on_beams {
                    return None;
                }
                if is_off {
                    energy.corrected += weight * Vector3::from(rows.violation).norm();
                }
            }
            energy.near |= !data.contacts.is_empty() || on_beams;
            any = true;
            let (mut twice_kinetic, mut at) = (0.0, 0);
            for range in &structure.cliques {
                let (n, v) = (range.len(), &v[range.clone()]);
                let columns = data.mass_matrix[at..at + n * n].chunks_exact(n.max(1));
                twice_kinetic +=
                    columns.zip(v).map(|(m, vj)| m.iter().zip(v).map(|(m, vi)| m * vi).sum::<f64>() * vj).sum::<f64>();
                at += n * n;
            }
            energy.weight += weight * plan.scales.length(1.0);
            let moving = 0.5 * twice_kinetic + stored;
            energy.moving += moving;
            if !plant.contact_has_energy() {
                energy.corrected += SURFACE_GAIN * moving;
            }
            let potential = plant.potential_energy(q, data);
            energy.total +=
                potential.map_or_else(|| plant.energy(q, v), |potential| 0.5 * twice_kinetic + potential) + stored;
            energy.unrecoverable += unrecoverable;
        }
        any.then_some(energy)
    }
}
