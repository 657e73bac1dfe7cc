//! Reports of a step on the manifold: the forces of constraints and stops at its end.

use super::Manifold;
use crate::integrators::contact::constraints::write_multiplier;
use crate::linearize::External;
use kinegraph_core::step_record::StepRecord;
use nalgebra::Vector3;

impl Manifold {
    /// Adds to the records of a step of length `h` the forces of constraints and stops at its end, the state that was
    /// settled last.
    pub fn record(&mut self, external: &External, h: f64, records: &mut [StepRecord]) {
        if !self.settled.known || self.is_idle() {
            return;
        }
        let layout = external.layout();
        let forces = &mut self.point.solution.rows;
        forces.clear();
        forces.resize(self.point.problem.num_row_groups(), Vector3::zeros());
        for (group, axis, force) in self.system.forces() {
            forces[group][axis] = force;
        }
        let mut group = 0;
        for (p, (slot, record)) in layout.plants.iter().zip(records.iter_mut()).enumerate() {
            let rates = self.rates[slot.velocities.clone()].iter();
            record.velocity.clear();
            record.velocity.extend(record.v.iter().zip(rates).map(|(v, a)| v + h * a));
            let first = slot.global.start;
            self.point.add_constraint_forces(p, first, 1.0, &mut record.wrenches, &mut record.constraints);
            for rows in &self.point.plants[p].constraints {
                let force = self.point.solution.rows[group];
                if let Some(multiplier) = record.multipliers.get_mut(rows.constraint) {
                    write_multiplier(&rows.measure, &force, multiplier);
                }
                group += 1;
            }
        }
        for (stop, force) in self.stops.held.iter().zip(&self.stops.pressure) {
            records[stop.plant].stops[stop.limit] += stop.sign * force;
        }
    }
}
