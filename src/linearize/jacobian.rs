//! The derivative of the external system at one state, by dual numbers.
//!
//! With forces tau = g(x, z) and ż = f(x, z) of the plants' state x = (q, v) and the external state z, the columns are
//! taken along (N e_i, 0), (0, e_i) and z: `dtau/dq N`, `dtau/dv`, `dtau/dz` and the same of f. Nothing depends on a
//! step length, so one linearization serves every step that starts at the state, retries and half steps included.

use super::external::{External, Forces, collect};
use super::groups::{Group, Groups};
use crate::systems::scalar::{JET_WIDTH, partial, seed};
use crate::systems::{Jet, Scalar};
use nalgebra::DMatrix;
use std::sync::Arc;

/// Derivatives of one force (rows: all velocities) or of ż (rows: external states).
#[derive(Debug, PartialEq)]
pub struct ForceJacobian {
    /// Along the motion of each sensed position, `d/dq N`.
    pub q: DMatrix<f64>,
    /// Along each sensed velocity.
    pub v: DMatrix<f64>,
    /// Along each external state.
    pub z: DMatrix<f64>,
}

impl Default for ForceJacobian {
    fn default() -> Self {
        let empty = DMatrix::zeros(0, 0);
        ForceJacobian { q: empty.clone(), v: empty.clone(), z: empty }
    }
}

impl Clone for ForceJacobian {
    fn clone(&self) -> Self {
        ForceJacobian { q: self.q.clone(), v: self.v.clone(), z: self.z.clone() }
    }
}

impl ForceJacobian {
    /// All zero, of this size.
    fn reset(&mut self, rows: usize, sensed: usize, external: usize) {
        for (m, columns) in [(&mut self.q, sensed), (&mut self.v, sensed), (&mut self.z, external)] {
            *m = DMatrix::zeros(rows, columns);
        }
    }

    /// Whether row `i` is zero within the columns of its group.
    fn row_is_zero(&self, i: usize, group: &Group) -> bool {
        group.columns.iter().all(|&c| self.q[(i, c)] == 0.0 && self.v[(i, c)] == 0.0)
            && group.external.iter().all(|&z| self.z[(i, z)] == 0.0)
    }

    /// Whether the block of a group, with these `rows`, is finite.
    fn is_finite(&self, rows: &[usize], group: &Group) -> bool {
        let finite = |m: &DMatrix<f64>, columns: &[usize]| {
            columns.iter().all(|&c| rows.iter().all(|&row| m[(row, c)].is_finite()))
        };
        finite(&self.q, &group.columns) && finite(&self.v, &group.columns) && finite(&self.z, &group.external)
    }

    /// Copies the block of a group.
    fn copy_block(&mut self, from: &Self, rows: &[usize], group: &Group) {
        let copy = |to: &mut DMatrix<f64>, from: &DMatrix<f64>, columns: &[usize]| {
            for &c in columns {
                rows.iter().for_each(|&row| to[(row, c)] = from[(row, c)]);
            }
        };
        copy(&mut self.q, &from.q, &group.columns);
        copy(&mut self.v, &from.v, &group.columns);
        copy(&mut self.z, &from.z, &group.external);
    }
}

/// The external system linearized at one state.
#[derive(Debug, Default, PartialEq)]
pub struct Linearization {
    /// The velocities (of all plants) that the external system senses: the columns of `q` and `v`.
    pub sensed: Vec<usize>,
    /// Of the actuation.
    pub actuation: ForceJacobian,
    /// Of the other forces.
    pub applied: ForceJacobian,
    /// Of ż.
    pub external: ForceJacobian,
    /// The blocks outside which all derivatives are zero.
    pub(super) groups: Arc<Groups>,
}

impl Clone for Linearization {
    fn clone(&self) -> Self {
        Linearization {
            sensed: self.sensed.clone(),
            actuation: self.actuation.clone(),
            applied: self.applied.clone(),
            external: self.external.clone(),
            groups: self.groups.clone(),
        }
    }

    /// Does not allocate where `self` was of the same diagram (a derived one would).
    fn clone_from(&mut self, from: &Self) {
        if !Arc::ptr_eq(&self.groups, &from.groups) || self.sensed.len() != from.sensed.len() {
            *self = from.clone();
            return;
        }
        self.sensed.clone_from(&from.sensed);
        for group in from.groups.all() {
            self.actuation.copy_block(&from.actuation, &group.rows, group);
            self.applied.copy_block(&from.applied, &group.rows, group);
            self.external.copy_block(&from.external, &group.external, group);
        }
    }
}

impl Linearization {
    /// Whether all derivatives are finite numbers.
    pub fn is_finite(&self) -> bool {
        self.groups.all().iter().all(|group| {
            self.actuation.is_finite(&group.rows, group)
                && self.applied.is_finite(&group.rows, group)
                && self.external.is_finite(&group.external, group)
        })
    }

    /// Groups of external states that can have derivatives by each other.
    pub fn external_groups(&self) -> impl Iterator<Item = &[usize]> {
        self.groups.all().iter().map(|group| &*group.external).filter(|group| !group.is_empty())
    }

    /// Whether a force on velocity `row` reacts to anything.
    pub fn force_reacts(&self, row: usize) -> bool {
        let reacts = |group| !(self.actuation.row_is_zero(row, group) && self.applied.row_is_zero(row, group));
        self.groups.of_velocity(row).is_some_and(reacts)
    }

    /// Whether external state `z` reacts to anything.
    pub fn state_reacts(&self, z: usize) -> bool {
        self.groups.of_external(z).is_some_and(|group| !self.external.row_is_zero(z, group))
    }

    /// Reads the `rows` of a column off direction `direction` of a pass; the rows of velocities come first.
    fn read_column(&mut self, column: usize, rows: &[usize], direction: usize, forces: &Forces<Jet>) {
        let (ns, nv) = (self.sensed.len(), self.actuation.v.nrows());
        let (block, index) = if column < 2 * ns { (column / ns, column % ns) } else { (2, column - 2 * ns) };
        let entry = |jacobian: &mut ForceJacobian, row: usize, force: &Jet| {
            let m = [&mut jacobian.q, &mut jacobian.v, &mut jacobian.z];
            m[block][(row, index)] = partial(force, direction);
        };
        for &row in rows {
            if row < nv {
                entry(&mut self.actuation, row, &forces.actuation[row]);
                entry(&mut self.applied, row, &forces.applied[row]);
            } else {
                entry(&mut self.external, row - nv, &forces.derivatives[row - nv]);
            }
        }
    }
}

impl External {
    /// Number of evaluations in dual numbers that a linearization takes: one for every [`JET_WIDTH`] groups of columns,
    /// a group being columns that have no force and no external state in common (those of separate robots with
    /// controllers of their own).
    pub fn linearization_passes(&self) -> usize {
        self.plan.coloring.colors.len().div_ceil(JET_WIDTH)
    }

    /// Linearizes at `time` and `continuous`, in [`linearization_passes`](Self::linearization_passes) passes.
    pub fn linearize(&mut self, time: f64, continuous: &[f64], out: &mut Linearization) {
        let plan = self.plan.clone();
        let (nv, nz) = (plan.layout.num_velocities, plan.layout.external.len());
        out.sensed.clear();
        out.sensed.extend((0..nv).filter(|&i| plan.sensed[i]));
        let ns = out.sensed.len();
        // Every entry that can differ from zero is written below.
        if !Arc::ptr_eq(&out.groups, &plan.groups) || out.actuation.q.shape() != (nv, ns) {
            out.groups = plan.groups.clone();
            out.actuation.reset(nv, ns, nz);
            out.applied.reset(nv, ns, nz);
            out.external.reset(nz, ns, nz);
        }
        let coloring = &plan.coloring;
        if coloring.colors.is_empty() || self.nothing_reacts() {
            return;
        }
        self.evaluate_values(time, continuous);
        self.jets.set_constants(&self.values);
        for pass in coloring.colors.chunks(JET_WIDTH) {
            for (to, from) in self.continuous_jets.iter_mut().zip(continuous) {
                *to = Jet::constant(*from);
            }
            for (direction, columns) in pass.iter().enumerate() {
                columns.iter().for_each(|&column| self.seed_column(column, direction, &out.sensed, continuous));
            }
            let time = Jet::constant(time);
            plan.diagram.evaluate_schedule(&plan.reacting, time, &self.continuous_jets, &mut self.jets);
            let mut forces = std::mem::take(&mut self.forces_jets);
            collect(&plan.diagram, &plan.layout, time, &self.continuous_jets, &self.jets, &mut forces);
            for (direction, columns) in pass.iter().enumerate() {
                for &column in columns {
                    out.read_column(column, coloring.rows(column), direction, &forces);
                }
            }
            self.forces_jets = forces;
        }
    }

    /// Whether no force and no external state can depend on the state.
    fn nothing_reacts(&self) -> bool {
        self.plan.layout.external.is_empty() && !self.plan.layout.driven.contains(&true)
    }

    fn evaluate_values(&mut self, time: f64, continuous: &[f64]) {
        let mut forces = std::mem::take(&mut self.forces_values);
        self.evaluate(time, continuous, &mut forces);
        self.forces_values = forces;
    }

    /// Marks column `column` as direction `direction` of the jets.
    fn seed_column(&mut self, column: usize, direction: usize, sensed: &[usize], continuous: &[f64]) {
        let ns = sensed.len();
        if column >= 2 * ns {
            let at = self.plan.layout.external[column - 2 * ns];
            self.continuous_jets[at] = seed(continuous[at], direction, 1.0);
            return;
        }
        let velocity = sensed[column % ns];
        let Some(slot) = self.plan.layout.plants.iter().find(|s| s.global.contains(&velocity)) else { return };
        let local = velocity - slot.global.start;
        if column >= ns {
            let at = slot.velocities.start + local;
            self.continuous_jets[at] = seed(continuous[at], direction, 1.0);
            return;
        }
        let plant = self.plan.layout.plant(&self.plan.diagram, slot);
        self.unit.clear();
        self.unit.resize(slot.global.len(), 0.0);
        self.unit[local] = 1.0;
        self.rates.clear();
        self.rates.resize(slot.positions.len(), 0.0);
        plant.position_rates(&continuous[slot.positions.clone()], &self.unit, &mut self.rates);
        for (at, &rate) in slot.positions.clone().zip(&self.rates) {
            if rate != 0.0 {
                add_slope(&mut self.continuous_jets[at], direction, rate);
            }
        }
    }
}

/// Sets the slope of a jet in one direction, keeping its other slopes (a quaternion entry moves with three velocities).
fn add_slope(jet: &mut Jet, direction: usize, slope: f64) {
    *jet += seed(0.0, direction, slope);
}
