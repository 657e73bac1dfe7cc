//! Records of a solved step, plant by plant.

use super::constraints::write_multiplier;
use super::point::StepPoint;
use crate::linearize::{External, Feedback, Law};
use kinegraph_convex::contact::{Element, ElementVisitor, Report, visit};
use kinegraph_core::convex::{JointLimit, PlantPoint};
use kinegraph_core::step_record::{ContactReport, StepRecord};
use kinegraph_diagram::State;
use nalgebra::Vector3;
use std::ops::Range;

/// Writes the reports of plants on the step of `records`, from `points`, one per plant, to the discrete state.
pub fn read_out(external: &External, records: &[StepRecord], points: &mut [PlantPoint], discrete: &mut [f64]) {
    let (layout, diagram) = (external.layout(), external.diagram());
    for ((slot, record), data) in layout.plants.iter().zip(records).zip(points) {
        let range = diagram.blocks()[slot.block].discrete.clone();
        layout.plant(diagram, slot).read_out(record, data, &mut discrete[range]);
    }
}

/// Contents of a record besides the solution of a problem.
pub(super) struct RecordedStep<'a> {
    /// Time at the end, and length of the step \[s\].
    pub times: (f64, f64),
    /// Time \[s\] over which the solution has impulses.
    pub span: f64,
    /// Velocities at the end of the step.
    pub velocity: &'a [f64],
    /// Efforts of actuators, within their limits.
    pub actuation: &'a [f64],
    /// Forces of all other inputs.
    pub applied: &'a [f64],
}

/// Velocities of all plants at the end of a step.
#[derive(Debug)]
pub struct FoundVelocities<'a> {
    /// Length of the step \[s\].
    pub h: f64,
    /// Length of the step whose problem was solved \[s\].
    pub span: f64,
    /// Velocities of the solution, by which its forces are known.
    pub by_solver: &'a [f64],
    /// Velocities at the end.
    pub led_to: &'a [f64],
}

/// Fills one record per plant for the step from `point` that `found` its velocities.
/// `law` and `external` must have served that step last. Does not allocate once the records have their size.
pub fn record(
    external: &External,
    law: &mut Law,
    feedback: Feedback,
    point: &StepPoint,
    found: &FoundVelocities<'_>,
    records: &mut Vec<StepRecord>,
) {
    let &FoundVelocities { h, span, by_solver: v, led_to: velocity } = found;
    law.split_forces(external, feedback, v, &point.problem);
    let State { time, continuous, .. } = &point.state;
    let (actuation, applied) = (law.net_actuation(), law.net_applied());
    let reported = RecordedStep { times: (time + h, h), span, velocity, actuation, applied };
    fill(external, point, *time, continuous, &reported, point.problem.passive_forces(v), records);
}

/// Fills one record per plant with the solution of `point`, at the time and the `continuous` state, and with
/// `reported`; `passive` gives the forces of damping and springs.
pub(super) fn fill(
    external: &External,
    point: &StepPoint,
    time: f64,
    continuous: &[f64],
    reported: &RecordedStep<'_>,
    mut passive: impl Iterator<Item = f64>,
    records: &mut Vec<StepRecord>,
) {
    let (layout, diagram) = (external.layout(), external.diagram());
    let &RecordedStep { times: (end, h), span, velocity: v, actuation, applied } = reported;
    records.resize_with(layout.plants.len(), StepRecord::default);
    // Plants, and their elements, stand in the problem one after the other.
    let mut pairs = point.problem.contact_impulses(&point.solution).peekable();
    let (mut first_body, mut group) = (0, 0);
    for (p, (slot, record)) in layout.plants.iter().zip(records.iter_mut()).enumerate() {
        let plant = layout.plant(diagram, slot);
        let structure = plant.structure();
        (record.end, record.length) = (end, h);
        copy(&mut record.q, &continuous[slot.positions.clone()]);
        copy(&mut record.v, &continuous[slot.velocities.clone()]);
        copy(&mut record.velocity, &v[slot.global.clone()]);
        copy(&mut record.actuation, &actuation[slot.global.clone()]);
        copy(&mut record.applied, &applied[slot.global.clone()]);
        record.passive.clear();
        record.passive.extend(passive.by_ref().take(slot.global.len()));
        record.stops.clear();
        // Adding to minus zero keeps a number as it is, zeros too.
        record.stops.resize(structure.limits.len(), -0.0);
        visit(&mut AddElements { point, velocities: slot.global.clone(), limits: &structure.limits, record });
        record.wrenches.clear();
        record.wrenches.resize(structure.bodies.len(), [0.0; 6]);
        plant.add_input_wrenches(&external.context(p, time, continuous), &mut record.wrenches);
        record.constraints.clear();
        record.constraints.resize(slot.global.len(), 0.0);
        let (first, wrenches) = (slot.global.start, &mut record.wrenches);
        point.add_constraint_forces(p, first, span, wrenches, &mut record.constraints);
        record.multipliers.clear();
        record.multipliers.resize(structure.constraints.len(), [0.0; 6]);
        for rows in &point.plants[p].constraints {
            let force = point.solution.rows[group] / span;
            if let Some(multiplier) = record.multipliers.get_mut(rows.constraint) {
                write_multiplier(&rows.measure, &force, multiplier);
            }
            group += 1;
        }
        let bodies = first_body..first_body + structure.bodies.len();
        record.contacts.clear();
        let own = std::iter::from_fn(|| pairs.next_if(|(row, _)| row.body_b < bodies.end));
        record.contacts.extend(own.map(|(row, found)| {
            let (a, b) = (row.body_a - first_body, row.body_b - first_body);
            let separation_speed = row.normal.dot(&found.velocity);
            let slip = found.velocity - row.normal * separation_speed;
            let slip = match row.has_grain() {
                true => row.unscaled(&slip).unwrap_or_else(|| point.problem.sliding(row, &point.solution.velocity)),
                false => slip,
            };
            ContactReport {
                body_a: a,
                body_b: b,
                p_WC: (Vector3::from(point.plants[p].p_WB[b]) + row.p_BC).into(),
                normal: row.normal.into(),
                force: row.scaled(&(found.impulse / point.problem.step())).into(),
                friction_offset: row.friction_offset().into(),
                slip_velocity: slip.into(),
                separation_speed,
                depth: row.depth,
                static_friction: row.material.static_friction,
                grain: row.grain.into(),
                key: row.key,
            }
        }));
        first_body = bodies.end;
    }
}

/// Adds the forces of the elements of a plant to its record.
struct AddElements<'a> {
    point: &'a StepPoint,
    velocities: Range<usize>,
    limits: &'a [JointLimit],
    record: &'a mut StepRecord,
}

impl ElementVisitor for AddElements<'_> {
    fn visit<E: Element>(&mut self) {
        let AddElements { point: StepPoint { problem, solution, .. }, velocities, limits, record } = self;
        if E::REPORT == Report::Actuation {
            return;
        }
        let all = problem.elements.of::<E>();
        let start = all.partition_point(|element| element.velocity() < velocities.start);
        let own = all[start..].iter().take_while(|element| element.velocity() < velocities.end);
        let mut limits = limits.iter().enumerate().peekable();
        for (element, force) in own.zip(problem.forces_of::<E>(solution).skip(start)) {
            let velocity = element.velocity() - velocities.start;
            if E::REPORT == Report::Passive {
                record.passive[velocity] += force;
                continue;
            }
            // Stops stand in the order of limits.
            while limits.next_if(|(_, limit)| limit.velocity != velocity).is_some() {}
            if let Some((limit, _)) = limits.peek() {
                record.stops[*limit] += force;
            }
        }
    }
}

fn copy(to: &mut Vec<f64>, from: &[f64]) {
    to.clear();
    to.extend_from_slice(from);
}
