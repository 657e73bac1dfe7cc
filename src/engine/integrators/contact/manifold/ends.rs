//! Rigid constraints in convex steps: the velocities at their ends, and position corrections.
//!
//! A convex step brings rows J v to rest by their directions at its start. At its end they have turned, by an angle of
//! the first order, and the velocity along them is wrong by as much: the acceleration of a body on a curved path is
//! missing altogether. So every convex step, half steps included, ends with the projection
//!
//! ```text
//! v := v + M⁻¹ J' y,   J v = 0,   J and M at the end
//! ```
//!
//! which never adds energy; full and half steps then differ by an error that can be extrapolated. Its impulses y are
//! part of the constraint impulses of the step. The velocity of position corrections in the problem is taken out of the
//! velocities as well: it is a displacement, which contacts within the problem resist.

use super::evaluate::evaluate;
use super::redundant;
use super::stops::{self, Stop};
use super::system::RowSystem;
use crate::integrators::contact::constraints;
use crate::integrators::contact::point::{PointScratch, PositionCorrections, StepPoint};
use crate::integrators::contact::scales::Scales;
use crate::integrators::tuning::CenicTuning;
use crate::linearize::External;
use kinegraph_convex::contact::{Problem, RowGroup};
use kinegraph_core::convex::Switches;
use nalgebra::Vector3;
use std::sync::Arc;

/// Projects the ends of convex steps; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub struct EndProjection {
    /// Plants at the end projected last.
    point: StepPoint,
    system: RowSystem,
    stops: Vec<Stop>,
    x: Vec<f64>,
    moved: Vec<f64>,
    scratch: Vec<f64>,
    tuning: CenicTuning,
    scales: Arc<Scales>,
}

impl EndProjection {
    /// Projection with these numbers of the step and these scales of the run.
    pub fn new(tuning: &CenicTuning, scales: &Arc<Scales>) -> Self {
        let system = RowSystem::new(scales);
        EndProjection { tuning: *tuning, scales: scales.clone(), system, ..EndProjection::default() }
    }

    /// Projects the velocities of `continuous` to those that rigid constraints allow there, with these switches.
    /// `false`, with nothing changed, if there is no solution.
    pub fn project(&mut self, external: &External, switches: &[Switches], continuous: &mut [f64]) -> bool {
        self.switch(switches);
        let layout = external.layout();
        evaluate(&mut self.point, external.diagram(), layout, continuous, false);
        self.system.collect_constraints(&mut self.point.problem);
        layout.gather_velocities(continuous, &mut self.x);
        if !self.system.solve(|_| 0.0, redundant, &mut self.x) {
            return false;
        }
        layout.scatter_velocities(&self.x, continuous);
        true
    }

    /// Adds the forces of the last [`stop`](Self::stop) to those in `held`, one entry for each group of rows.
    pub fn add_forces(&self, held: &mut [Vector3<f64>]) {
        for (group, axis, force) in self.system.forces() {
            if let Some(held) = held.get_mut(group) {
                held[axis] += force;
            }
        }
    }

    /// Adds the impulses of the last projection to those in `held`, one entry for each group of rows of `problem`.
    pub fn add_impulses(&self, problem: &Problem, held: &mut [Vector3<f64>]) {
        for (group, axis, impulse) in self.impulses_in(problem) {
            if let Some(held) = held.get_mut(group) {
                held[axis] += impulse;
            }
        }
    }

    /// Impulses of the last projection, where `problem` has their rows: group, row, impulse.
    fn impulses_in<'a>(&'a self, problem: &'a Problem) -> impl Iterator<Item = (usize, usize, f64)> + 'a {
        let own = &self.point.problem.constraints.rows;
        let mut ahead = 0;
        self.system.forces().filter_map(move |(group, axis, impulse)| {
            let found = problem.same_rows(&own[group], group + ahead)?;
            ahead = found.saturating_sub(group);
            Some((found, axis, impulse))
        })
    }

    /// Writes the change of velocities by the impulses of the last projection, in `problem`, that of the start of the
    /// step.
    pub fn read_change(&self, problem: &mut Problem, change: &mut Vec<f64>) {
        change.clear();
        change.resize(problem.size(), 0.0);
        for (group, axis, impulse) in self.impulses_in(problem) {
            problem.add_row_impulse(group, &(Vector3::ith(axis, impulse)), 0, change);
        }
        for clique in 0..problem.trees.cliques.len() {
            let own = &mut change[problem.velocities_of(clique)];
            if own.iter().any(|x| *x != 0.0) && !problem.solve_mass(clique, own) {
                own.fill(0.0);
            }
        }
    }

    /// Changes accelerations `x` at `point` so that they vanish along the rows of rigid constraints and of stops where
    /// joints are, by forces that [`add_forces`](Self::add_forces) adds. `false` if there is no solution.
    pub fn stop(&mut self, external: &External, point: &mut StepPoint, x: &mut [f64]) -> bool {
        let (tuning, scales) = (self.tuning, &self.scales);
        let (continuous, stops) = (&point.state.continuous, &mut self.stops);
        stops.clear();
        let all = stops::rigid(external.diagram(), external.layout());
        stops.extend(all.filter(|stop| stop.gap(continuous) <= scales.off(stop.velocity)));
        self.system.collect_all(&mut point.problem, stops, continuous);
        self.system.solve(|_| 0.0, |_| tuning.compliant_part, x)
    }

    /// Changes accelerations at `point`, by all other forces, to those compatible with rigid constraints and with the
    /// stops that joints rest on.
    pub fn lead(&mut self, external: &External, point: &mut StepPoint, accelerations: [&mut [f64]; 2]) {
        let (scales, continuous) = (&self.scales, &point.state.continuous);
        let rests = |stop: &Stop| {
            let (gap, speed) = (stop.gap(continuous), stop.rate(continuous));
            gap <= scales.off(stop.velocity) && speed <= scales.sticks(stop.velocity)
        };
        self.stops.clear();
        self.stops.extend(stops::rigid(external.diagram(), external.layout()).filter(rests));
        let has_rows = point.problem.has_rigid_rows();
        if !has_rows && self.stops.is_empty() {
            return;
        }
        let StepPoint { plants, scratch: PointScratch { wanted, .. }, .. } = point;
        for (slot, data) in external.layout().plants.iter().zip(plants).filter(|_| has_rows) {
            let plant = external.layout().plant(external.diagram(), slot);
            wanted.clear();
            wanted.resize(plant.structure().bodies.len(), false);
            constraints::mark_bodies(data, wanted);
            plant.bias_accelerations(wanted, data);
        }
        let part = self.tuning.compliant_part;
        let EndProjection { system, stops, x: led, .. } = self;
        point.with_state(|state, point| system.collect(point, stops, true, &state.continuous));
        for x in accelerations {
            led.clear();
            led.extend_from_slice(x);
            if system.solve(|row| -row.curvature, |_| part, led) {
                x.copy_from_slice(led);
            }
        }
    }

    /// Finds the displacements of the rows of rigid constraints of `problem` that remove their violations: as far as is
    /// possible for all together, so that rows which conflict, or nearly depend on each other, throw nothing about.
    pub fn find_corrections(&mut self, problem: &mut Problem, corrections: &mut PositionCorrections) {
        let PositionCorrections { rows, displacement } = corrections;
        rows.clear();
        rows.extend(problem.constraints.rows.iter().map(|group| (group.correction, group.farthest)));
        displacement.clear();
        let rounding = self.scales.rounding();
        let off = |group: &RowGroup| group.compliance.is_none() && group.violation.amax() > rounding;
        if !problem.constraints.rows.iter().any(off) {
            return;
        }
        let part = self.tuning.nearly_redundant;
        self.system.collect_constraints(problem);
        displacement.resize(problem.size(), 0.0);
        if !self.system.solve(|row| -row.violation, |_| part, displacement) {
            displacement.clear();
            return;
        }
        for (group, (way, _)) in rows.iter_mut().enumerate() {
            *way = problem.row_velocity(group, displacement);
        }
        for island in problem.islands() {
            let rigid = island.rows.iter().filter(|&&g| problem.constraints.rows[g].compliance.is_none());
            let farthest = rigid.clone().map(|&g| rows[g].0.norm()).fold(0.0, f64::max);
            rigid.for_each(|&g| rows[g].1 = farthest);
        }
    }

    /// Adds the effect of rigid constraints to the `rates` of motion at `continuous`, with these switches. `false` if
    /// there is no solution.
    pub fn add_to_rates(
        &mut self,
        external: &External,
        switches: &[Switches],
        continuous: &[f64],
        rates: &mut [f64],
    ) -> bool {
        self.switch(switches);
        let layout = external.layout();
        evaluate(&mut self.point, external.diagram(), layout, continuous, true);
        self.system.collect(&mut self.point, &[], false, continuous);
        layout.gather_velocities(rates, &mut self.x);
        let found = self.system.solve(|row| -row.curvature, redundant, &mut self.x);
        layout.scatter_velocities(&self.x, rates);
        found
    }

    /// Projects `continuous`, the end of a step by such rates, to the positions and velocities that rigid constraints
    /// allow. `false` if there is no solution.
    pub fn take_back(&mut self, external: &External, switches: &[Switches], continuous: &mut [f64]) -> bool {
        if !self.project(external, switches, continuous) {
            return false;
        }
        self.x.fill(0.0);
        let part = self.tuning.nearly_redundant;
        if !self.system.solve(|row| -row.violation, |_| part, &mut self.x) {
            return false;
        }
        if self.x.iter().any(|x| *x != 0.0) {
            self.moved.clear();
            self.moved.extend_from_slice(continuous);
            let (layout, diagram) = (external.layout(), external.diagram());
            layout.advance_positions(diagram, &self.moved, &self.x, 1.0, continuous, &mut self.scratch);
        }
        true
    }

    /// Sets the switches that hold over a step.
    fn switch(&mut self, switches: &[Switches]) {
        let own = &mut self.point.switches;
        own.resize_with(switches.len(), Switches::default);
        own.iter_mut().zip(switches).for_each(|(own, other)| own.clone_from(other));
    }
}
