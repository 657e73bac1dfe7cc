//! Linear law of one step: the action of the external system within a step of length dt.
//!
//! From the state (q0, v0, z0) the plants move to `x~ = (q0 + dt N v0, v0)` if they keep their velocity. Linearly
//! implicit in v and z,
//!
//! ```text
//! F~  = dt F_q N + F_v,   W = (I - dt F_z)^-1,   z' = z0 + dt W (f(x~, z0) + F~ (v - v0))
//! tau(v) = tau~ - K (v - v0),   tau~ = g(x~, z0) + dt G_z W f(x~, z0),   K = -(dt G_q N + G_v + dt G_z W F~)
//! ```
//!
//! Setpoints inside feedback are read at the end of the step (implicit Euler), open-loop inputs at its middle. Where
//! the positive semidefinite part P of K is nearly all of it, the convex step has P, and the rest acts explicitly,
//! inside tau~; where it is not, the step has K itself. Where an effort limit is near, a row that reacts to its own
//! velocity alone gets the clamped scalar law, and one that reacts to others is clamped as a row of K. Feedback that
//! destabilizes faster than the step can follow rejects it, or acts explicitly where the step is fixed.

mod clamped_rows;
mod gain;
mod net_forces;
mod stages;

use crate::choices::effort_limits::FREE_EFFORT;
pub use stages::LawSpan;

use self::gain::{factor_sparse, gain, is_diagonal};
use super::coupling::Coupling;
use super::effort_limits::{effort_limit, effort_limits};
use super::external::{External, Forces};
use super::feedback::Feedback;
use super::gate::Gate;
use super::group_matrix::GroupMatrix;
use super::groups::{Group, Groups};
use super::jacobian::Linearization;
use super::stabilizing::{Projection, Split};
use kinegraph_convex::contact::{FeedbackBlock, LimitedEffort, Problem};
use kinegraph_convex::linear_algebra::{Lu, SparseLu};
use nalgebra::DVector;
use std::sync::Arc;

/// Feedback has a real unstable pole near 1/dt: the step is too long to follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// First velocity of the block of feedback (among those of all plants).
    pub velocity: usize,
}

/// The law of one step, with its workspace.
#[derive(Clone, Debug)]
pub struct Law {
    /// True if a step that is too long can be rejected. If not, feedback that destabilizes too fast acts explicitly.
    rejects: bool,
    /// True if efforts at their limits are decoupled and only P acts implicitly, which always has a solution.
    decoupled: bool,
    coupling: Coupling,
    projection: Projection,
    gate: Gate,
    forces: Forces<f64>,
    middle: Forces<f64>,
    predicted: Vec<f64>,
    rates: Vec<f64>,
    velocities: Vec<f64>,
    /// Column of each velocity among the sensed ones.
    column: Vec<Option<usize>>,
    /// I - dt F_z.
    w: Lu,
    sparse_w: SparseLu,
    /// Place of each external state in its group, where the group is sparse.
    place: Vec<usize>,
    /// W f and W F~ of the external state; the latter has no columns where the external state is explicit.
    drift: DVector<f64>,
    response: GroupMatrix,
    dt: f64,
    /// Time over which the external state is implicit, and the part of an effort (and of its limit) that this law
    /// represents: all of both, unless a scheme sets them ([`begin`](Self::begin)).
    state_step: f64,
    share: f64,
    /// Time at which open-loop inputs are read, in parts of the step.
    open_loop_at: f64,
    /// For each row, true if it is near or at its effort limit.
    clamped: Vec<bool>,
    /// Changes of the efforts within the step, and which of them depend on any velocity.
    reaction: Vec<f64>,
    reacts: Vec<bool>,
    /// Forces of actuators and of all other inputs at the solution.
    net_actuation: Vec<f64>,
    net_applied: Vec<f64>,
    /// The gains K of this step, of the actuators and of all other forces (rows: all velocities, columns: sensed ones).
    k_actuation: GroupMatrix,
    k_applied: GroupMatrix,
    /// Groups: the gains and the response are zero outside of their blocks.
    groups: Arc<Groups>,
    /// W f and W F~ of one group.
    solved: Vec<f64>,
    /// K and the mass matrix of one block (or K for the gate), and which of its rows have a scalar law.
    alone: Vec<bool>,
    k: Vec<f64>,
    mass: Vec<f64>,
}

impl Default for Law {
    fn default() -> Self {
        Law {
            rejects: true,
            decoupled: false,
            coupling: Coupling::default(),
            projection: Projection::default(),
            gate: Gate::default(),
            forces: Forces::default(),
            middle: Forces::default(),
            predicted: Vec::new(),
            rates: Vec::new(),
            velocities: Vec::new(),
            column: Vec::new(),
            w: Lu::default(),
            sparse_w: SparseLu::default(),
            place: Vec::new(),
            drift: DVector::zeros(0),
            response: GroupMatrix::default(),
            dt: 0.0,
            state_step: 0.0,
            share: 1.0,
            open_loop_at: 0.5,
            clamped: Vec::new(),
            reaction: Vec::new(),
            reacts: Vec::new(),
            net_actuation: Vec::new(),
            net_applied: Vec::new(),
            k_actuation: GroupMatrix::default(),
            k_applied: GroupMatrix::default(),
            groups: Arc::default(),
            solved: Vec::new(),
            alone: Vec::new(),
            k: Vec::new(),
            mass: Vec::new(),
        }
    }
}

/// A step for which a law is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct LawStep<'a> {
    /// Time at the start \[s\].
    pub time: f64,
    /// Continuous state at the start.
    pub continuous: &'a [f64],
    /// Length \[s\].
    pub dt: f64,
    /// Velocities expected at the end.
    pub guess: &'a [f64],
}

impl Law {
    /// A law for steps that can be rejected (and shortened), or cannot: then feedback that destabilizes too fast acts
    /// explicitly.
    pub fn new(rejects: bool) -> Self {
        Law { rejects, ..Law::default() }
    }

    /// Makes open-loop inputs be read at the end of the step, not at its middle.
    pub fn read_open_loop_at_the_end(&mut self) {
        self.open_loop_at = 1.0;
    }

    /// Groups the velocities that the linearization couples: each group becomes one feedback block of the problem.
    pub fn couple(&mut self, external: &External, linear: &Linearization, feedback: Feedback, problem: &mut Problem) {
        self.coupling.couple(external, linear, feedback, problem);
    }

    /// Evaluates the law for a step and writes it into `problem`: `force`, `feedback` gains and limited efforts.
    ///
    /// # Errors
    /// The step is too long for feedback that destabilizes; `problem` is not complete.
    pub fn apply(
        &mut self,
        external: &mut External,
        linear: &Linearization,
        feedback: Feedback,
        step: LawStep<'_>,
        problem: &mut Problem,
    ) -> Result<(), TooLong> {
        let LawStep { time, continuous, dt, guess } = step;
        (self.dt, self.state_step, self.share, self.decoupled) = (dt, dt, 1.0, false);
        let layout = external.shared_layout();
        let nz = layout.external.len();
        self.start(linear, feedback != Feedback::Explicit);
        if external.is_absent() {
            self.write_nothing(layout.num_velocities, problem);
            return Ok(());
        }
        if feedback == Feedback::Explicit {
            external.evaluate(time, continuous, &mut self.forces);
            self.read_drift(nz);
            self.write_explicit(external, problem);
            return Ok(());
        }
        self.predicted.clear();
        self.predicted.extend_from_slice(continuous);
        layout.gather_velocities(continuous, &mut self.velocities);
        let diagram = external.diagram().clone();
        layout.advance_positions(&diagram, continuous, &self.velocities, dt, &mut self.predicted, &mut self.rates);
        external.evaluate(time + dt, &self.predicted, &mut self.forces);
        self.read_open_loop_at_the_middle(external, linear, &layout.driven, time + self.open_loop_at * dt);
        self.read_drift(nz);
        self.eliminate(linear);
        self.find_columns(linear, layout.num_velocities);
        self.mark_near_limits(external, linear, guess, problem);
        self.write(external, feedback, problem)
    }

    /// Makes room for the matrices of a step, in which the external state is implicit or not.
    fn start(&mut self, linear: &Linearization, implicit: bool) {
        if !Arc::ptr_eq(&self.groups, &linear.groups) {
            self.groups = linear.groups.clone();
        }
        let patterns = &linear.groups.patterns;
        self.k_actuation.take_pattern(&patterns.gain);
        self.k_applied.take_pattern(&patterns.gain);
        if implicit {
            self.response.take_pattern(&patterns.response);
        } else {
            self.response = GroupMatrix::default();
        }
    }

    /// Adds to the forces the effect of the drift of the external state within `dt`.
    fn add_drift(&mut self, linear: &Linearization, dt: f64) {
        for (forces, part) in
            [(&mut self.forces.actuation, &linear.actuation), (&mut self.forces.applied, &linear.applied)]
        {
            for group in linear.groups.all() {
                for &z in &group.external {
                    let drift = self.drift[z];
                    let (rows, by_state) = part.z.column(z);
                    rows.iter().zip(by_state).for_each(|(&row, g)| forces[row] += dt * g * drift);
                }
            }
        }
    }

    fn find_columns(&mut self, linear: &Linearization, nv: usize) {
        self.column.clear();
        self.column.resize(nv, None);
        for (c, &row) in linear.sensed.iter().enumerate() {
            self.column[row] = Some(c);
        }
    }

    fn read_drift(&mut self, nz: usize) {
        if self.drift.len() != nz {
            self.drift = DVector::zeros(nz);
        }
        self.drift.copy_from_slice(&self.forces.derivatives);
    }

    /// Computes W f and W F~, group by group: W is I where nothing reacts.
    fn eliminate_external_state(&mut self, linear: &Linearization) {
        let (f, dt) = (&linear.external, self.state_step);
        for group in linear.groups.all() {
            let Group { columns, external, .. } = group;
            let n = external.len();
            if n == 0 {
                continue;
            }
            let solved = &mut self.solved;
            solved.clear();
            solved.extend(external.iter().map(|&z| self.drift[z]));
            // A singular W gives numbers that are not finite: the step is rejected.
            if group.sparse_rates {
                self.place.resize(f.z.nrows(), 0);
                let place = &mut self.place;
                external.iter().enumerate().for_each(|(at, &z)| place[z] = at);
                solved.resize(n * (columns.len() + 1), 0.0);
                for (side, &c) in solved.chunks_exact_mut(n).skip(1).zip(columns) {
                    let ((rows, q), (_, v)) = (f.q.column(c), f.v.column(c));
                    rows.iter().zip(q).zip(v).for_each(|((&z, q), v)| side[place[z]] = dt * q + v);
                }
                factor_sparse(&mut self.sparse_w, &f.z, external, place, dt);
                self.sparse_w.solve(solved);
            } else {
                solved.extend(columns.iter().flat_map(|&c| {
                    let (q, v) = (f.q.column(c).1, f.v.column(c).1);
                    q.iter().zip(v).map(|(q, v)| dt * q + v)
                }));
                if is_diagonal(&f.z, external) {
                    for (j, &z) in external.iter().enumerate() {
                        let w = 1.0 - dt * f.z.column(z).1[j];
                        solved.iter_mut().skip(j).step_by(n).for_each(|x| *x /= w);
                    }
                } else {
                    let w = self.w.start(n);
                    for (j, (column, &z)) in w.chunks_exact_mut(n).zip(external).enumerate() {
                        column.iter_mut().zip(f.z.column(z).1).for_each(|(w, f)| *w = -dt * f);
                        column[j] += 1.0;
                    }
                    self.w.factor();
                    self.w.solve(solved);
                }
            }
            let (drift, response) = solved.split_at(n);
            external.iter().zip(drift).for_each(|(&z, x)| self.drift[z] = *x);
            for (&c, response) in columns.iter().zip(response.chunks_exact(n)) {
                self.response.column_mut(c).copy_from_slice(response);
            }
        }
    }

    /// Reads rows that react to nothing, which are open loop, at the middle of the step.
    fn read_open_loop_at_the_middle(
        &mut self,
        external: &mut External,
        linear: &Linearization,
        driven: &[bool],
        middle: f64,
    ) {
        let open = |row: usize| !linear.force_reacts(row);
        let any_force = (0..driven.len()).any(|row| driven[row] && open(row));
        let any_state = (0..self.forces.derivatives.len()).any(|row| !linear.state_reacts(row));
        if !any_force && !any_state {
            return;
        }
        external.evaluate(middle, &self.predicted, &mut self.middle);
        for row in (0..driven.len()).filter(|&row| open(row)) {
            self.forces.actuation[row] = self.middle.actuation[row];
            self.forces.applied[row] = self.middle.applied[row];
        }
        for row in 0..self.forces.derivatives.len() {
            if !linear.state_reacts(row) {
                self.forces.derivatives[row] = self.middle.derivatives[row];
            }
        }
    }

    /// Writes an empty law: there is nothing outside the plants.
    fn write_nothing(&mut self, nv: usize, problem: &mut Problem) {
        for forces in [&mut self.forces.actuation, &mut self.forces.applied] {
            forces.clear();
            forces.resize(nv, 0.0);
        }
        self.clamped.clear();
        self.clamped.resize(nv, false);
        self.column.clear();
        self.column.resize(nv, None);
        problem.elements.remove::<LimitedEffort>();
        problem.force.fill(0.0);
    }

    fn write_explicit(&mut self, external: &External, problem: &mut Problem) {
        problem.elements.remove::<LimitedEffort>();
        let limits = effort_limits(external, self.share);
        for (i, limit) in limits.enumerate() {
            problem.force[i] = self.forces.actuation[i].clamp(-limit, limit) + self.forces.applied[i];
        }
        self.clamped.clear();
    }

    /// Marks the rows whose effort comes near its limit at the velocities at the start of the step or at the guess.
    fn mark_near_limits(&mut self, external: &External, linear: &Linearization, guess: &[f64], problem: &Problem) {
        let v0 = problem.start_velocity();
        self.clamped.clear();
        for (row, limit) in effort_limits(external, self.share).enumerate() {
            let tau = self.forces.actuation[row];
            let mut near = tau.abs() > FREE_EFFORT * limit;
            if limit.is_finite() && !near {
                let at_guess = self.effort_change(linear, row, guess, v0);
                near = (tau + at_guess).abs() > FREE_EFFORT * limit;
            }
            self.clamped.push(near);
        }
    }

    /// `-K_i (v - v0)` of the actuator on velocity `row`.
    fn effort_change(&self, linear: &Linearization, row: usize, v: &[f64], v0: &[f64]) -> f64 {
        let columns = linear.groups.of_velocity(row).map_or(&[][..], |group| &group.columns);
        columns.iter().map(|&c| (c, linear.sensed[c])).map(|(c, j)| -self.k_actuation[(row, c)] * (v[j] - v0[j])).sum()
    }

    fn write(&mut self, external: &External, feedback: Feedback, problem: &mut Problem) -> Result<(), TooLong> {
        problem.elements.remove::<LimitedEffort>();
        for (row, limit) in effort_limits(external, self.share).enumerate() {
            let tau = self.forces.actuation[row];
            problem.force[row] =
                self.forces.applied[row] + if self.clamped[row] { tau.clamp(-limit, limit) } else { tau };
        }
        let mut blocks = std::mem::take(&mut problem.feedback);
        let written = blocks.iter_mut().try_for_each(|block| self.write_block(external, block, feedback, problem));
        problem.feedback = blocks;
        written
    }

    /// Writes the gain of one block, and the laws of its rows at their limits.
    fn write_block(
        &mut self,
        external: &External,
        block: &mut FeedbackBlock,
        feedback: Feedback,
        problem: &mut Problem,
    ) -> Result<(), TooLong> {
        let n = block.velocities.len();
        let coupled = self.gather(block, feedback, problem);
        block.limited.clear();
        block.limited_gain.clear();
        for &row in block.velocities.iter().filter(|&&row| self.clamped[row]) {
            if !self.reacts_to_others(block, row, feedback) {
                self.clamp_alone(external, row, problem);
            }
        }
        if feedback != Feedback::Full {
            block.unsymmetric = false;
            block.gain.clone_from(&self.k);
            block.gain.iter_mut().for_each(|k| *k = k.max(0.0));
            return Ok(());
        }
        // A step that cannot be rejected falls back on P.
        let needed = self.decoupled || !self.rejects;
        let Split { convex, definite } = if coupled && !needed {
            // The step has K itself.
            let definite = self.projection.is_definite(n, &self.k, &mut block.gain);
            Split { convex: false, definite }
        } else {
            self.projection.split(n, &self.k, &self.mass, self.dt, needed, &mut block.gain)
        };
        if self.decoupled {
            block.unsymmetric = false;
            return Ok(());
        }
        block.unsymmetric = coupled || !convex;
        if !definite && !self.gate_allows(external, block, problem) {
            if self.rejects {
                return Err(TooLong { velocity: block.velocities[0] });
            }
            // P and the antisymmetric part.
            block.unsymmetric = true;
            for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
                block.gain[j * n + i] += 0.5 * (self.k[j * n + i] - self.k[i * n + j]);
            }
        } else if block.unsymmetric {
            block.gain.clone_from(&self.k);
        }
        if coupled {
            self.clamp_rows(external, block, problem);
        }
        Ok(())
    }

    /// True if the step is short enough for a gain with a negative part. Efforts beyond their limits at the start do
    /// not react.
    fn gate_allows(&mut self, external: &External, block: &FeedbackBlock, problem: &Problem) -> bool {
        let n = block.velocities.len();
        for (i, &row) in block.velocities.iter().enumerate() {
            if self.clamped[row] && self.forces.actuation[row].abs() > effort_limit(external, row, self.share) {
                for (j, &column) in block.velocities.iter().enumerate() {
                    self.mass[j * n + i] = self.column[column].map_or(0.0, |c| self.k_applied[(row, c)]);
                }
            } else {
                (0..n).for_each(|j| self.mass[j * n + i] = self.k[j * n + i]);
            }
        }
        self.gate.allows(problem, block, &self.mass, self.dt)
    }

    /// Collects K (without the rows that have a scalar law) and the mass matrix of a block. Returns whether a clamped
    /// row reacts to others.
    fn gather(&mut self, block: &FeedbackBlock, feedback: Feedback, problem: &Problem) -> bool {
        let mut coupled = false;
        let mut alone = std::mem::take(&mut self.alone);
        alone.clear();
        for &i in &block.velocities {
            let own = self.clamped[i] && !self.reacts_to_others(block, i, feedback);
            coupled |= self.clamped[i] && !own;
            alone.push(own);
        }
        self.k.clear();
        self.mass.clear();
        for &j in &block.velocities {
            problem.push_mass_column(j, &block.velocities, &mut self.mass);
            let Some(c) = self.column[j] else {
                self.k.extend(block.velocities.iter().map(|_| 0.0));
                continue;
            };
            let (actuation, applied) = (&self.k_actuation, &self.k_applied);
            let dropped = self.decoupled && self.clamped[j];
            self.k.extend(block.velocities.iter().zip(&alone).map(|(&i, &alone)| {
                let actuation = if alone || dropped { 0.0 } else { actuation[(i, c)] };
                actuation + applied[(i, c)]
            }));
        }
        self.alone = alone;
        coupled
    }

    /// Computes the changes of the actuators' efforts when the velocities become `v`: the reaction of the gains that
    /// the solve had, which are not K where the convex step has only a part of it, without the part of the other
    /// forces.
    fn reactions(&mut self, v: &[f64], problem: &Problem) {
        let v0 = problem.start_velocity();
        self.reaction.clear();
        self.reaction.resize(v0.len(), 0.0);
        for block in &problem.feedback {
            for (column, &j) in block.gain.chunks_exact(block.velocities.len()).zip(&block.velocities) {
                for (&gain, &i) in column.iter().zip(&block.velocities) {
                    self.reaction[i] -= gain * (v[j] - v0[j]);
                }
            }
            for &j in &block.velocities {
                let Some(c) = self.column[j] else { continue };
                let (rows, gains) = self.k_applied.column(c);
                rows.iter().zip(gains).for_each(|(&i, gain)| self.reaction[i] += gain * (v[j] - v0[j]));
            }
        }
    }

    /// Clamps in `problem` the rows counted as unlimited whose effort at the solution `v` exceeds its limit. Returns
    /// whether there were any: the problem must then be solved again.
    ///
    /// # Errors
    /// Errors of [`apply`](Self::apply).
    pub fn clamp_exceeded(
        &mut self,
        external: &External,
        feedback: Feedback,
        v: &[f64],
        problem: &mut Problem,
    ) -> Result<bool, TooLong> {
        if feedback == Feedback::Explicit {
            return Ok(false);
        }
        self.reactions(v, problem);
        let mut exceeded = false;
        for (row, limit) in effort_limits(external, self.share).enumerate() {
            if !limit.is_finite() || self.clamped[row] {
                continue;
            }
            let effort = self.forces.actuation[row] + self.reaction[row];
            let of_row = |block: &FeedbackBlock| block.limited.iter().any(|limited| limited.velocity == row);
            if effort.abs() > limit && !problem.feedback.iter().any(of_row) {
                self.clamped[row] = true;
                exceeded = true;
            }
        }
        if exceeded {
            self.write(external, feedback, problem)?;
        }
        Ok(exceeded)
    }

    /// Gives `problem` a law that is certainly convex, after a solve that failed where steps cannot be rejected.
    /// Returns whether that changes anything.
    ///
    /// # Errors
    /// Errors of [`apply`](Self::apply).
    pub fn decouple(
        &mut self,
        external: &External,
        feedback: Feedback,
        problem: &mut Problem,
    ) -> Result<bool, TooLong> {
        if self.rejects || self.decoupled || !problem.feedback.iter().any(|block| block.unsymmetric) {
            return Ok(false);
        }
        self.decoupled = true;
        self.write(external, feedback, problem)?;
        Ok(true)
    }

    /// Advances the external state of the diagram from `continuous` to `next`, with the solution `v`.
    pub fn advance_external(
        &self,
        external: &External,
        linear: &Linearization,
        problem: &Problem,
        v: &[f64],
        continuous: &[f64],
        next: &mut [f64],
    ) {
        // The rates are stored in the places of the states.
        let states = &external.layout().external;
        states.iter().zip(&self.drift).for_each(|(&at, rate)| next[at] = *rate);
        if self.response.nrows() > 0 {
            for &c in linear.groups.all().iter().flat_map(|group| &group.columns) {
                let column = linear.sensed[c];
                let change = v[column] - problem.start_velocity()[column];
                let (rows, response) = self.response.column(c);
                rows.iter().zip(response).for_each(|(&z, response)| next[states[z]] += response * change);
            }
        }
        states.iter().for_each(|&at| next[at] = continuous[at] + self.state_step * next[at]);
    }
}
