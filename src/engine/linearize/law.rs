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
mod parts;
mod stages;

use crate::choices::effort_limits::FREE_EFFORT;
pub use stages::LawSpan;

use self::gain::{factor_sparse, gain, is_diagonal};
use self::parts::{Efforts, Gains, LawOptions, Scratch, Span, StateResponse};
use super::coupling::Coupling;
use super::effort_limits::{effort_limit, effort_limits};
use super::external::{External, Forces};
use super::feedback::Feedback;
use super::gate::Gate;
use super::group_matrix::GroupMatrix;
use super::groups::Group;
use super::jacobian::Linearization;
use super::stabilizing::{Projection, Split};
use kinegraph_convex::contact::{FeedbackBlock, LimitedEffort, Problem};
use nalgebra::DVector;
use std::sync::Arc;

/// Feedback has a real unstable pole near 1/dt: the step is too long to follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// First velocity of the block of feedback (among those of all plants).
    pub velocity: usize,
}

/// The law of one step, with its workspace.
#[derive(Clone, Debug, Default)]
pub struct Law {
    options: LawOptions,
    coupling: Coupling,
    projection: Projection,
    gate: Gate,
    span: Span,
    /// Column of each velocity among the sensed ones.
    column: Vec<Option<usize>>,
    response: StateResponse,
    gains: Gains,
    efforts: Efforts,
    scratch: Scratch,
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
        Law { options: LawOptions { rejects, ..LawOptions::default() }, ..Law::default() }
    }

    /// Makes open-loop inputs be read at the end of the step, not at its middle.
    pub fn read_open_loop_at_the_end(&mut self) {
        self.span.open_loop_at = 1.0;
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
        (self.span.dt, self.span.state_step, self.span.share, self.options.decoupled) = (dt, dt, 1.0, false);
        let layout = external.shared_layout();
        let nz = layout.external.len();
        self.start(linear, feedback != Feedback::Explicit);
        if external.is_absent() {
            self.write_nothing(layout.num_velocities, problem);
            return Ok(());
        }
        if feedback == Feedback::Explicit {
            external.evaluate(time, continuous, &mut self.scratch.forces);
            self.read_drift(nz);
            self.write_explicit(external, problem);
            return Ok(());
        }
        self.scratch.predicted.clear();
        self.scratch.predicted.extend_from_slice(continuous);
        layout.gather_velocities(continuous, &mut self.scratch.velocities);
        let diagram = external.diagram().clone();
        layout.advance_positions(
            &diagram,
            continuous,
            &self.scratch.velocities,
            dt,
            &mut self.scratch.predicted,
            &mut self.scratch.rates,
        );
        external.evaluate(time + dt, &self.scratch.predicted, &mut self.scratch.forces);
        self.read_open_loop_at_the_middle(external, linear, &layout.driven, time + self.span.open_loop_at * dt);
        self.read_drift(nz);
        self.eliminate(linear);
        self.find_columns(linear, layout.num_velocities);
        self.mark_near_limits(external, linear, guess, problem);
        self.write(external, feedback, problem)
    }

    /// Makes room for the matrices of a step, in which the external state is implicit or not.
    fn start(&mut self, linear: &Linearization, implicit: bool) {
        if !Arc::ptr_eq(&self.gains.groups, &linear.groups) {
            self.gains.groups = linear.groups.clone();
        }
        let patterns = &linear.groups.patterns;
        self.gains.actuation.take_pattern(&patterns.gain);
        self.gains.applied.take_pattern(&patterns.gain);
        if implicit {
            self.response.columns.take_pattern(&patterns.response);
        } else {
            self.response.columns = GroupMatrix::default();
        }
    }

    /// Adds to the forces the effect of the drift of the external state within `dt`.
    fn add_drift(&mut self, linear: &Linearization, dt: f64) {
        for (forces, part) in [
            (&mut self.scratch.forces.actuation, &linear.actuation),
            (&mut self.scratch.forces.applied, &linear.applied),
        ] {
            for group in linear.groups.all() {
                for &z in &group.external {
                    let drift = self.response.drift[z];
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
        if self.response.drift.len() != nz {
            self.response.drift = DVector::zeros(nz);
        }
        self.response.drift.copy_from_slice(&self.scratch.forces.derivatives);
    }

    /// Computes W f and W F~, group by group: W is I where nothing reacts.
    fn eliminate_external_state(&mut self, linear: &Linearization) {
        let (f, dt) = (&linear.external, self.span.state_step);
        for group in linear.groups.all() {
            let Group { columns, external, .. } = group;
            let n = external.len();
            if n == 0 {
                continue;
            }
            let solved = &mut self.response.solved;
            solved.clear();
            solved.extend(external.iter().map(|&z| self.response.drift[z]));
            // A singular W gives numbers that are not finite: the step is rejected.
            if group.sparse_rates {
                self.response.place.resize(f.z.nrows(), 0);
                let place = &mut self.response.place;
                external.iter().enumerate().for_each(|(at, &z)| place[z] = at);
                solved.resize(n * (columns.len() + 1), 0.0);
                for (side, &c) in solved.chunks_exact_mut(n).skip(1).zip(columns) {
                    let ((rows, q), (_, v)) = (f.q.column(c), f.v.column(c));
                    rows.iter().zip(q).zip(v).for_each(|((&z, q), v)| side[place[z]] = dt * q + v);
                }
                factor_sparse(&mut self.response.sparse_w, &f.z, external, place, dt);
                self.response.sparse_w.solve(solved);
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
                    let w = self.response.w.start(n);
                    for (j, (column, &z)) in w.chunks_exact_mut(n).zip(external).enumerate() {
                        column.iter_mut().zip(f.z.column(z).1).for_each(|(w, f)| *w = -dt * f);
                        column[j] += 1.0;
                    }
                    self.response.w.factor();
                    self.response.w.solve(solved);
                }
            }
            let (drift, response) = solved.split_at(n);
            external.iter().zip(drift).for_each(|(&z, x)| self.response.drift[z] = *x);
            for (&c, response) in columns.iter().zip(response.chunks_exact(n)) {
                self.response.columns.column_mut(c).copy_from_slice(response);
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
        let any_state = (0..self.scratch.forces.derivatives.len()).any(|row| !linear.state_reacts(row));
        if !any_force && !any_state {
            return;
        }
        external.evaluate(middle, &self.scratch.predicted, &mut self.scratch.middle);
        for row in (0..driven.len()).filter(|&row| open(row)) {
            self.scratch.forces.actuation[row] = self.scratch.middle.actuation[row];
            self.scratch.forces.applied[row] = self.scratch.middle.applied[row];
        }
        for row in 0..self.scratch.forces.derivatives.len() {
            if !linear.state_reacts(row) {
                self.scratch.forces.derivatives[row] = self.scratch.middle.derivatives[row];
            }
        }
    }

    /// Writes an empty law: there is nothing outside the plants.
    fn write_nothing(&mut self, nv: usize, problem: &mut Problem) {
        for forces in [&mut self.scratch.forces.actuation, &mut self.scratch.forces.applied] {
            forces.clear();
            forces.resize(nv, 0.0);
        }
        self.efforts.clamped.clear();
        self.efforts.clamped.resize(nv, false);
        self.column.clear();
        self.column.resize(nv, None);
        problem.elements.remove::<LimitedEffort>();
        problem.step_terms.force.fill(0.0);
    }

    fn write_explicit(&mut self, external: &External, problem: &mut Problem) {
        problem.elements.remove::<LimitedEffort>();
        let limits = effort_limits(external, self.span.share);
        for (i, limit) in limits.enumerate() {
            problem.step_terms.force[i] =
                self.scratch.forces.actuation[i].clamp(-limit, limit) + self.scratch.forces.applied[i];
        }
        self.efforts.clamped.clear();
    }

    /// Marks the rows whose effort comes near its limit at the velocities at the start of the step or at the guess.
    fn mark_near_limits(&mut self, external: &External, linear: &Linearization, guess: &[f64], problem: &Problem) {
        let v0 = problem.start_velocity();
        self.efforts.clamped.clear();
        for (row, limit) in effort_limits(external, self.span.share).enumerate() {
            let tau = self.scratch.forces.actuation[row];
            let mut near = tau.abs() > FREE_EFFORT * limit;
            if limit.is_finite() && !near {
                let at_guess = self.effort_change(linear, row, guess, v0);
                near = (tau + at_guess).abs() > FREE_EFFORT * limit;
            }
            self.efforts.clamped.push(near);
        }
    }

    /// `-K_i (v - v0)` of the actuator on velocity `row`.
    fn effort_change(&self, linear: &Linearization, row: usize, v: &[f64], v0: &[f64]) -> f64 {
        let columns = linear.groups.of_velocity(row).map_or(&[][..], |group| &group.columns);
        columns
            .iter()
            .map(|&c| (c, linear.sensed[c]))
            .map(|(c, j)| -self.gains.actuation[(row, c)] * (v[j] - v0[j]))
            .sum()
    }

    fn write(&mut self, external: &External, feedback: Feedback, problem: &mut Problem) -> Result<(), TooLong> {
        problem.elements.remove::<LimitedEffort>();
        for (row, limit) in effort_limits(external, self.span.share).enumerate() {
            let tau = self.scratch.forces.actuation[row];
            problem.step_terms.force[row] = self.scratch.forces.applied[row]
                + if self.efforts.clamped[row] { tau.clamp(-limit, limit) } else { tau };
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
        for &row in block.velocities.iter().filter(|&&row| self.efforts.clamped[row]) {
            if !self.reacts_to_others(block, row, feedback) {
                self.clamp_alone(external, row, problem);
            }
        }
        if feedback != Feedback::Full {
            block.unsymmetric = false;
            block.gain.clone_from(&self.scratch.k);
            block.gain.iter_mut().for_each(|k| *k = k.max(0.0));
            return Ok(());
        }
        // A step that cannot be rejected falls back on P.
        let needed = self.options.decoupled || !self.options.rejects;
        let Split { convex, definite } = if coupled && !needed {
            // The step has K itself.
            let definite = self.projection.is_definite(n, &self.scratch.k, &mut block.gain);
            Split { convex: false, definite }
        } else {
            self.projection.split(n, &self.scratch.k, &self.scratch.mass, self.span.dt, needed, &mut block.gain)
        };
        if self.options.decoupled {
            block.unsymmetric = false;
            return Ok(());
        }
        block.unsymmetric = coupled || !convex;
        if !definite && !self.gate_allows(external, block, problem) {
            if self.options.rejects {
                return Err(TooLong { velocity: block.velocities[0] });
            }
            // P and the antisymmetric part.
            block.unsymmetric = true;
            for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
                block.gain[j * n + i] += 0.5 * (self.scratch.k[j * n + i] - self.scratch.k[i * n + j]);
            }
        } else if block.unsymmetric {
            block.gain.clone_from(&self.scratch.k);
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
            if self.efforts.clamped[row]
                && self.scratch.forces.actuation[row].abs() > effort_limit(external, row, self.span.share)
            {
                for (j, &column) in block.velocities.iter().enumerate() {
                    self.scratch.mass[j * n + i] = self.column[column].map_or(0.0, |c| self.gains.applied[(row, c)]);
                }
            } else {
                (0..n).for_each(|j| self.scratch.mass[j * n + i] = self.scratch.k[j * n + i]);
            }
        }
        self.gate.allows(problem, block, &self.scratch.mass, self.span.dt)
    }

    /// Collects K (without the rows that have a scalar law) and the mass matrix of a block. Returns whether a clamped
    /// row reacts to others.
    fn gather(&mut self, block: &FeedbackBlock, feedback: Feedback, problem: &Problem) -> bool {
        let mut coupled = false;
        let mut alone = std::mem::take(&mut self.scratch.alone);
        alone.clear();
        for &i in &block.velocities {
            let own = self.efforts.clamped[i] && !self.reacts_to_others(block, i, feedback);
            coupled |= self.efforts.clamped[i] && !own;
            alone.push(own);
        }
        self.scratch.k.clear();
        self.scratch.mass.clear();
        for &j in &block.velocities {
            problem.push_mass_column(j, &block.velocities, &mut self.scratch.mass);
            let Some(c) = self.column[j] else {
                self.scratch.k.extend(block.velocities.iter().map(|_| 0.0));
                continue;
            };
            let (actuation, applied) = (&self.gains.actuation, &self.gains.applied);
            let dropped = self.options.decoupled && self.efforts.clamped[j];
            self.scratch.k.extend(block.velocities.iter().zip(&alone).map(|(&i, &alone)| {
                let actuation = if alone || dropped { 0.0 } else { actuation[(i, c)] };
                actuation + applied[(i, c)]
            }));
        }
        self.scratch.alone = alone;
        coupled
    }

    /// Computes the changes of the actuators' efforts when the velocities become `v`: the reaction of the gains that
    /// the solve had, which are not K where the convex step has only a part of it, without the part of the other
    /// forces.
    fn reactions(&mut self, v: &[f64], problem: &Problem) {
        let v0 = problem.start_velocity();
        self.efforts.reaction.clear();
        self.efforts.reaction.resize(v0.len(), 0.0);
        for block in &problem.feedback {
            for (column, &j) in block.gain.chunks_exact(block.velocities.len()).zip(&block.velocities) {
                for (&gain, &i) in column.iter().zip(&block.velocities) {
                    self.efforts.reaction[i] -= gain * (v[j] - v0[j]);
                }
            }
            for &j in &block.velocities {
                let Some(c) = self.column[j] else { continue };
                let (rows, gains) = self.gains.applied.column(c);
                rows.iter().zip(gains).for_each(|(&i, gain)| self.efforts.reaction[i] += gain * (v[j] - v0[j]));
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
        for (row, limit) in effort_limits(external, self.span.share).enumerate() {
            if !limit.is_finite() || self.efforts.clamped[row] {
                continue;
            }
            let effort = self.scratch.forces.actuation[row] + self.efforts.reaction[row];
            let of_row = |block: &FeedbackBlock| block.limited.iter().any(|limited| limited.velocity == row);
            if effort.abs() > limit && !problem.feedback.iter().any(of_row) {
                self.efforts.clamped[row] = true;
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
        if self.options.rejects || self.options.decoupled || !problem.feedback.iter().any(|block| block.unsymmetric) {
            return Ok(false);
        }
        self.options.decoupled = true;
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
        states.iter().zip(&self.response.drift).for_each(|(&at, rate)| next[at] = *rate);
        if self.response.columns.nrows() > 0 {
            for &c in linear.groups.all().iter().flat_map(|group| &group.columns) {
                let column = linear.sensed[c];
                let change = v[column] - problem.start_velocity()[column];
                let (rows, response) = self.response.columns.column(c);
                rows.iter().zip(response).for_each(|(&z, response)| next[states[z]] += response * change);
            }
        }
        states.iter().for_each(|&at| next[at] = continuous[at] + self.span.state_step * next[at]);
    }
}
