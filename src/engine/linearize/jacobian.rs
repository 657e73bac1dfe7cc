//! Derivative of the external system at one state, by dual numbers.
//!
//! With forces tau = g(x, z) and ż = f(x, z) of the plants' state x = (q, v) and the external state z, the columns are
//! taken along (N e_i, 0), (0, e_i) and z: `dtau/dq N`, `dtau/dv`, `dtau/dz` and those of f. Nothing depends on a step
//! length, so one linearization serves every step that starts at the state, retries and half steps included.

use super::external::{External, Forces, collect};
use super::group_matrix::{GroupMatrix, GroupPattern};
use super::groups::Groups;
use kinegraph_core::scalar::{JET_WIDTH, partial, seed};
use kinegraph_core::{Jet, Scalar};
use std::sync::Arc;

/// Derivatives of one force (rows: all velocities) or of ż (rows: external states).
#[derive(Debug, Default, PartialEq)]
pub struct ForceJacobian {
    /// Along the motion of each sensed position, `d/dq N`.
    pub q: GroupMatrix,
    /// Along each sensed velocity.
    pub v: GroupMatrix,
    /// Along each external state.
    pub z: GroupMatrix,
}

impl Clone for ForceJacobian {
    fn clone(&self) -> Self {
        ForceJacobian { q: self.q.clone(), v: self.v.clone(), z: self.z.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        self.q.clone_from(&from.q);
        self.v.clone_from(&from.v);
        self.z.clone_from(&from.z);
    }
}

impl ForceJacobian {
    fn take_patterns(&mut self, by_motion: &Arc<GroupPattern>, by_state: &Arc<GroupPattern>) {
        self.q.take_pattern(by_motion);
        self.v.take_pattern(by_motion);
        self.z.take_pattern(by_state);
    }

    fn is_finite(&self) -> bool {
        [&self.q, &self.v, &self.z].iter().all(|m| m.values().iter().all(|x| x.is_finite()))
    }

    /// Marks the rows that are not zero.
    fn mark_rows(&self, reacts: &mut [bool]) {
        for m in [&self.q, &self.v, &self.z] {
            for column in 0..m.ncols() {
                let (rows, values) = m.column(column);
                rows.iter().zip(values).for_each(|(&row, x)| reacts[row] |= *x != 0.0);
            }
        }
    }
}

/// The external system linearized at one state.
#[derive(Debug, Default, PartialEq)]
pub struct Linearization {
    /// Velocities (of all plants) that the external system senses: the columns of `q` and `v`.
    pub sensed: Vec<usize>,
    /// Derivatives of the actuation.
    pub actuation: ForceJacobian,
    /// Derivatives of the other forces.
    pub applied: ForceJacobian,
    /// Derivatives of ż.
    pub external: ForceJacobian,
    /// For each velocity, whether a force on it reacts to anything; likewise for external states.
    forces_react: Vec<bool>,
    states_react: Vec<bool>,
    /// Groups: all derivatives are zero outside of their blocks.
    pub(super) groups: Arc<Groups>,
}

impl Clone for Linearization {
    fn clone(&self) -> Self {
        let mut copy = Linearization::default();
        copy.clone_from(self);
        copy
    }

    /// Does not allocate if `self` belongs to the same diagram (a derived one would).
    fn clone_from(&mut self, from: &Self) {
        if !Arc::ptr_eq(&self.groups, &from.groups) {
            self.groups = from.groups.clone();
        }
        self.sensed.clone_from(&from.sensed);
        self.actuation.clone_from(&from.actuation);
        self.applied.clone_from(&from.applied);
        self.external.clone_from(&from.external);
        self.forces_react.clone_from(&from.forces_react);
        self.states_react.clone_from(&from.states_react);
    }
}

impl Linearization {
    /// True if all derivatives are finite numbers.
    pub fn is_finite(&self) -> bool {
        self.actuation.is_finite() && self.applied.is_finite() && self.external.is_finite()
    }

    /// Groups of external states that can have derivatives by each other.
    pub fn external_groups(&self) -> impl Iterator<Item = &[usize]> {
        self.groups.all().iter().map(|group| &*group.external).filter(|group| !group.is_empty())
    }

    /// True if a force on velocity `row` reacts to anything.
    pub fn force_reacts(&self, row: usize) -> bool {
        self.forces_react[row]
    }

    /// True if external state `z` reacts to anything.
    pub fn state_reacts(&self, z: usize) -> bool {
        self.states_react[z]
    }

    /// Computes the forces `-dtau/dq N x` or `-dtau/dv x` with which all inputs answer velocities `x` of all plants;
    /// the reaction of the external state is left out.
    pub fn push_back(&self, x: &[f64], by_velocity: bool, forces: &mut Vec<f64>) {
        forces.clear();
        forces.resize(x.len(), 0.0);
        for of in [&self.actuation, &self.applied] {
            let gains = if by_velocity { &of.v } else { &of.q };
            if gains.values().is_empty() {
                continue;
            }
            for (column, &velocity) in self.sensed.iter().enumerate() {
                let (rows, values) = gains.column(column);
                rows.iter().zip(values).for_each(|(&row, gain)| forces[row] -= gain * x[velocity]);
            }
        }
    }

    /// Makes room for the derivatives of a diagram. Existing values stay.
    fn start(&mut self, groups: &Arc<Groups>) {
        if !Arc::ptr_eq(&self.groups, groups) {
            self.groups = groups.clone();
        }
        let patterns = &groups.patterns;
        self.actuation.take_patterns(&patterns.force_by_motion, &patterns.force_by_state);
        self.applied.take_patterns(&patterns.force_by_motion, &patterns.force_by_state);
        self.external.take_patterns(&patterns.rate_by_motion, &patterns.rate_by_state);
        for (reacts, m) in [(&mut self.forces_react, &self.actuation.q), (&mut self.states_react, &self.external.q)] {
            reacts.clear();
            reacts.resize(m.nrows(), false);
        }
    }

    /// Reads the `rows` of a column off direction `direction` of a pass; the rows of velocities come first.
    fn read_column(&mut self, column: usize, rows: &[usize], direction: usize, forces: &Forces<Jet>) {
        let (ns, nv) = (self.sensed.len(), self.forces_react.len());
        let (block, index) = if column < 2 * ns { (column / ns, column % ns) } else { (2, column - 2 * ns) };
        let entry = |jacobian: &mut ForceJacobian, row: usize, force: &Jet| {
            let m = [&mut jacobian.q, &mut jacobian.v, &mut jacobian.z];
            m[block].set(row, index, partial(force, direction));
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
        out.sensed.clear();
        out.sensed.extend((0..plan.layout.num_velocities).filter(|&i| plan.sensed[i]));
        // Every entry that can differ from zero is written below.
        out.start(&plan.groups);
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
        out.actuation.mark_rows(&mut out.forces_react);
        out.applied.mark_rows(&mut out.forces_react);
        out.external.mark_rows(&mut out.states_react);
    }

    /// True if no force and no external state can depend on the state.
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
