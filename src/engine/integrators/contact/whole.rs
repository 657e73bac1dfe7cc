//! Reports of plants for a step that was solved in halves: its impulses, spread over the whole of it.
//!
//! The records of a step have its second half. The forces `a` and `b` of both halves and `f` of the full step are means
//! over their solves. The force of a contact over the step is `(a + b)/2`, and where the end is extrapolated `2 (a +
//! b)/2 - f`, as with the velocities: reports integrate to the change of momentum. Points that share a name (their
//! bodies and their key) are not extrapolated.

use super::parts::Halves;
use super::record::read_out;
use super::step::ContactStep;
use super::whole_reports::{Second, WholeStep};
use crate::integrators::Candidate;
use kinegraph_core::step_record::{ContactReport, StepRecord};
use nalgebra::Vector3;

impl ContactStep {
    /// Writes to `discrete` the reports of plants on a step whose second half is in the `records`.
    pub(super) fn read_out_whole(&mut self, step: Halves<'_>, records: &mut [StepRecord], discrete: &mut [f64]) {
        let touches = step.start.problem.num_contacts() > 0 || step.middle.problem.num_contacts() > 0;
        if !touches {
            read_out(&self.external, records, &mut step.middle.plants, discrete);
            return;
        }
        let mut whole = std::mem::take(&mut self.whole);
        whole.second.resize_with(records.len(), Second::default);
        self.find_extrapolated(&step, &mut whole);
        self.external.layout().gather_velocities(&step.end.continuous, &mut whole.velocity);
        let mut first_body = 0;
        for (p, record) in records.iter_mut().enumerate() {
            first_body += self.spread(p, first_body, &step, &mut whole, record);
        }
        read_out(&self.external, records, &mut step.middle.plants, discrete);
        for (record, second) in records.iter_mut().zip(&mut whole.second) {
            second.swap(record);
        }
        self.whole = whole;
    }

    /// Finds the cliques whose kept velocities differ from those of the half steps.
    fn find_extrapolated(&self, step: &Halves<'_>, whole: &mut WholeStep) {
        let movers = &self.plan.movers;
        whole.extrapolated.clear();
        whole.extrapolated.resize(step.start.problem.num_cliques(), false);
        for (entry, (solved, kept)) in step.solved_end.iter().zip(&step.end.continuous).enumerate() {
            if let Some(clique) = movers.clique_of(entry).filter(|_| movers.is_velocity[entry]) {
                whole.extrapolated[clique] |= solved != kept;
            }
        }
    }

    /// Puts the forces over the whole step on plant `p`, the bodies of which begin at `first_body`, into its `record`.
    /// Returns the number of its bodies.
    fn spread(
        &self,
        p: usize,
        first_body: usize,
        step: &Halves<'_>,
        whole: &mut WholeStep,
        record: &mut StepRecord,
    ) -> usize {
        let Halves { start, middle, h, full, half, end, .. } = step;
        let WholeStep { extrapolated, velocity, second, wrenches, generalized } = whole;
        let slot = &self.external.layout().plants[p];
        let bodies = record.wrenches.len();
        let own = first_body..first_body + bodies;
        let is_extrapolated = |a: usize, b: usize| {
            let moved =
                |body: usize| start.problem.trees.bodies[body].clique.is_some_and(|clique| extrapolated[clique]);
            moved(b) || moved(a)
        };
        let only = |solved: &Candidate, (a, b, key): (usize, usize, u64)| solved.forces.get_only([a, b], key);
        // Force on the body of a force of the law at the start of the step.
        let on_body = |force: &Vector3<f64>, name: (usize, usize, u64)| {
            let mut rows = start.problem.contacts.points.iter();
            let row = rows.find(|row| (row.body_a, row.body_b, row.key) == name);
            row.map_or(*force, |row| row.scaled(force))
        };
        let to = &mut second[p].contacts;
        to.clear();
        to.extend(record.contacts.iter().map(|contact| {
            let name = (first_body + contact.body_a, first_body + contact.body_b, contact.key);
            let b = Vector3::from(contact.force);
            let is_alone = only(end, name).is_some();
            let [a, f] = [half, full].map(|solved| only(solved, name).filter(|_| is_alone).unwrap_or_default());
            let [a, f] = if contact.grain == [0.0; 3] { [a, f] } else { [a, f].map(|f| on_body(&f, name)) };
            let force = if is_extrapolated(name.0, name.1) && is_alone { a + b - f } else { (a + b) * 0.5 };
            ContactReport { force: force.into(), ..*contact }
        }));
        // Contacts that ceased, and contacts that share a name with others.
        let first = start.problem.contact_impulses(&start.solution).filter(|(row, found)| {
            let joined = || only(end, (row.body_a, row.body_b, row.key)).is_some();
            own.contains(&row.body_b) && found.impulse != Vector3::zeros() && !joined()
        });
        to.extend(first.map(|(row, found)| {
            let name = (row.body_a, row.body_b, row.key);
            let (a, f) = (found.impulse / (0.5 * h), only(full, name).unwrap_or_default());
            let [a, f] = [a, f].map(|f| row.scaled(&f));
            let ceased = end.forces.get([name.0, name.1], name.2).is_none() && only(half, name).is_some();
            let body = row.body_b - first_body;
            ContactReport {
                body_a: row.body_a - first_body,
                body_b: body,
                p_WC: (Vector3::from(middle.plants[p].p_WB[body]) + row.p_BC).into(),
                normal: row.normal.into(),
                friction_offset: row.friction_offset().into(),
                force: if ceased && is_extrapolated(name.0, name.1) { a - f } else { a * 0.5 }.into(),
                ..ContactReport::default()
            }
        }));
        // The second half with its own length and the acceleration of the whole.
        let v0 = &start.problem.start_velocity()[slot.global.clone()];
        let ends = v0.iter().zip(&velocity[slot.global.clone()]).zip(&record.v);
        second[p].velocity.clear();
        second[p].velocity.extend(ends.map(|((v0, v1), v)| v + record.length * ((v1 - v0) / h)));
        second[p].wrenches.clone_from(&record.wrenches);
        if !middle.plants[p].constraints.is_empty() {
            for (point, wrenches) in [&**start, &**middle].into_iter().zip(&mut *wrenches) {
                wrenches.clear();
                wrenches.resize(bodies, [0.0; 6]);
                generalized.clear();
                generalized.resize(slot.global.len(), 0.0);
                point.add_constraint_forces(p, slot.global.start, 0.5 * h, wrenches, generalized);
            }
            let [a, b] = &*wrenches;
            for (sum, (a, b)) in second[p].wrenches.iter_mut().zip(a.iter().zip(b)) {
                sum.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += 0.5 * (a - b));
            }
        }
        second[p].swap(record);
        bodies
    }
}
