//! Mean contact forces over a step of a method for differential equations.
//!
//! A method with the weights b advances velocities by `h sum_i b_i a_i`, with the accelerations in its stages. So the
//! mean `sum_i b_i f_i` of the forces there, contact by contact, made the change of momentum. Plants report this mean
//! over the step; the force at the end, where an impact may have just begun or ended, does not give its impulse.
//! Records of the step have the forces at its end, and without force the contacts that ceased within it.

use super::point::StepPoint;
use crate::integrators::mean_weights::MeanWeights;
use crate::linearize::External;
use kinegraph_core::step_record::{ContactReport, StepRecord};
use nalgebra::Vector3;

/// An active contact, with the index of its plant.
type Acting = (usize, ContactReport);

/// The forces in the stages of a step; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct MeanForces {
    /// Forces at the start of the step, then in the stages of the last attempt.
    stages: Vec<Vec<Acting>>,
    /// For each plant, the contents of its record at the end of the step, while the records have means.
    at_end: Vec<AtEnd>,
}

/// Contents of a record.
#[derive(Clone, Debug, Default)]
struct AtEnd {
    contacts: Vec<ContactReport>,
    velocity: Vec<f64>,
}

impl AtEnd {
    /// Exchanges these contents with those of `record`.
    fn swap(&mut self, record: &mut StepRecord) {
        std::mem::swap(&mut record.contacts, &mut self.contacts);
        std::mem::swap(&mut record.velocity, &mut self.velocity);
    }
}

impl MeanForces {
    /// Notes the contact forces at `point`, where the rates were evaluated, as those of a stage; 0 is the start.
    pub fn note(&mut self, stage: usize, external: &External, point: &StepPoint) {
        if self.stages.len() <= stage {
            self.stages.resize_with(stage + 1, Vec::new);
        }
        let noted = &mut self.stages[stage];
        noted.clear();
        let (layout, diagram) = (external.layout(), external.diagram());
        let mut pairs = point.problem.contact_impulses(&point.solution).peekable();
        let mut first = 0;
        for (p, slot) in layout.plants.iter().enumerate() {
            let end = first + layout.plant(diagram, slot).structure().bodies.len();
            while let Some((row, found)) = pairs.next_if(|(row, _)| row.body_b < end) {
                if found.impulse == Vector3::zeros() {
                    continue;
                }
                let body = row.body_b - first;
                let report = ContactReport {
                    body_a: row.body_a - first,
                    body_b: body,
                    p_WC: (Vector3::from(point.plants[p].p_WB[body]) + row.p_BC).into(),
                    normal: row.normal.into(),
                    // Impulse over one second.
                    force: row.scaled(&found.impulse).into(),
                    key: row.key,
                    ..ContactReport::default()
                };
                noted.push((p, report));
            }
            first = end;
        }
    }

    /// Puts the means by the `weights` of the stages and of the end into the `records` of a step, which have the forces
    /// at its end; `start` has the velocities of plant p at the start of the step. Returns whether anything touches; if
    /// not, records stay.
    pub fn spread<'a>(
        &mut self,
        weights: MeanWeights,
        start: impl Fn(usize) -> &'a [f64],
        records: &mut [StepRecord],
    ) -> bool {
        let MeanForces { stages, at_end } = self;
        let MeanWeights { stages: weights, end: last } = weights;
        let acts = |contact: &ContactReport| contact.force != [0.0; 3];
        let any = weights.iter().zip(&*stages).any(|(_, stage)| !stage.is_empty())
            || records.iter().any(|record| record.contacts.iter().any(acts));
        if weights.is_empty() || !any {
            return false;
        }
        at_end.resize_with(records.len(), AtEnd::default);
        for (p, (record, own)) in records.iter_mut().zip(at_end).enumerate() {
            let AtEnd { contacts, velocity } = &mut *own;
            contacts.clear();
            let of_end = |contact: &ContactReport| ContactReport { force: contact.force.map(|f| last * f), ..*contact };
            contacts.extend(record.contacts.iter().map(of_end));
            let lasting = contacts.len();
            for (weight, stage) in weights.iter().zip(&*stages) {
                // Points that share a name stand in one order.
                let mut from = [0, lasting];
                for (_, report) in stage.iter().filter(|(plant, _)| *plant == p) {
                    let name = |contact: &ContactReport| (contact.body_a, contact.body_b, contact.key);
                    let next = |contacts: &[ContactReport], from: usize| {
                        contacts.iter().skip(from).position(|contact| name(contact) == name(report)).map(|i| from + i)
                    };
                    let place = match next(&contacts[..lasting], from[0]) {
                        Some(place) => {
                            from[0] = place + 1;
                            place
                        }
                        None => {
                            let place = next(contacts, from[1]).unwrap_or_else(|| {
                                contacts.push(ContactReport { force: [0.0; 3], ..*report });
                                contacts.len() - 1
                            });
                            from[1] = place + 1;
                            place
                        }
                    };
                    let force = &mut contacts[place].force;
                    force.iter_mut().zip(report.force).for_each(|(sum, f)| *sum += weight * f);
                }
            }
            let ceased = contacts[lasting..].iter().map(|contact| ContactReport { force: [0.0; 3], ..*contact });
            record.contacts.extend(ceased);
            // As long as the step, with its mean acceleration.
            velocity.clear();
            velocity.extend(record.v.iter().zip(start(p)).map(|(v1, v0)| v1 + (v1 - v0)));
            own.swap(record);
        }
        true
    }

    /// Puts the forces at the end back into the `records`.
    pub fn restore(&mut self, records: &mut [StepRecord]) {
        records.iter_mut().zip(&mut self.at_end).for_each(|(record, own)| own.swap(record));
    }
}
