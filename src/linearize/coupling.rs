//! Which velocities feedback couples: the blocks of the gain matrix.
//!
//! Velocities i and j belong together where a force on i reacts to the motion of j, directly or through external state
//! that the plants move and that moves them in turn. Blocks join islands, so that what reacts is solved together.

use super::external::External;
use super::feedback::Feedback;
use super::groups::Group;
use super::jacobian::{ForceJacobian, Linearization};
use crate::contact::Problem;
use crate::linear_algebra::DisjointSets;

/// Workspace of the search for blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Coupling {
    /// Over all velocities, then all external states.
    sets: DisjointSets,
    /// Whether external state i is moved by the plants, and whether it moves them.
    moved: Vec<bool>,
    moving: Vec<bool>,
    /// Whether a velocity takes part in feedback.
    takes_part: Vec<bool>,
    /// The block that begins at a velocity.
    block: Vec<usize>,
}

impl Coupling {
    /// Groups the velocities: each group becomes one feedback block of the problem.
    pub(super) fn couple(
        &mut self,
        external: &External,
        linear: &Linearization,
        feedback: Feedback,
        problem: &mut Problem,
    ) {
        let driven = &external.layout().driven;
        let (nv, nz) = (driven.len(), external.layout().external.len());
        self.sets.reset(nv + nz);
        self.takes_part.clear();
        self.takes_part.resize(nv, false);
        match feedback {
            Feedback::Explicit => {}
            Feedback::Diagonal => {
                for &row in linear.sensed.iter().filter(|&&row| driven[row]) {
                    self.takes_part[row] = linear.force_reacts(row);
                }
            }
            Feedback::Full => {
                for row in (0..nv).filter(|&row| driven[row]) {
                    self.join_row(row, linear);
                }
                self.moved.resize(nz, false);
                self.moving.resize(nz, false);
                for group in linear.groups.all().iter().filter(|group| !group.external.is_empty()) {
                    self.join_through_state(driven, linear, group);
                }
            }
        }
        self.write(problem);
    }

    fn join_row(&mut self, row: usize, linear: &Linearization) {
        let Some(group) = linear.groups.of_velocity(row) else { return };
        for (c, column) in group.columns.iter().map(|&c| (c, linear.sensed[c])) {
            let reacts = |f: &ForceJacobian| f.q[(row, c)] != 0.0 || f.v[(row, c)] != 0.0;
            if reacts(&linear.actuation) || reacts(&linear.applied) {
                self.takes_part[row] = true;
                self.takes_part[column] = true;
                self.sets.join(row, column);
            }
        }
    }

    fn join_through_state(&mut self, driven: &[bool], linear: &Linearization, group: &Group) {
        let (nv, f, states) = (driven.len(), &linear.external, &group.external);
        let forces = |row: usize, z: usize| linear.actuation.z[(row, z)] != 0.0 || linear.applied.z[(row, z)] != 0.0;
        for &z in states {
            self.moved[z] = group.columns.iter().any(|&c| f.q[(z, c)] != 0.0 || f.v[(z, c)] != 0.0);
            self.moving[z] = group.rows.iter().any(|&row| driven[row] && forces(row, z));
        }
        // What is reached from state to state.
        loop {
            let mut grown = false;
            let pairs = states.iter().flat_map(|&j| states.iter().map(move |&i| (i, j)));
            for (i, j) in pairs.filter(|&at| f.z[at] != 0.0) {
                if self.moved[j] && !self.moved[i] || self.moving[i] && !self.moving[j] {
                    self.moved[i] |= self.moved[j];
                    self.moving[j] |= self.moving[i];
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        for &z in states {
            if !(self.moved[z] && self.moving[z]) {
                continue;
            }
            for &row in group.rows.iter().filter(|&&row| driven[row] && forces(row, z)) {
                self.takes_part[row] = true;
                self.sets.join(row, nv + z);
            }
            for (c, column) in group.columns.iter().map(|&c| (c, linear.sensed[c])) {
                if f.q[(z, c)] != 0.0 || f.v[(z, c)] != 0.0 {
                    self.takes_part[column] = true;
                    self.sets.join(column, nv + z);
                }
            }
            for &other in states {
                if f.z[(z, other)] != 0.0 && self.moved[other] && self.moving[other] {
                    self.sets.join(nv + z, nv + other);
                }
            }
        }
    }

    /// Writes the groups as blocks, in the memory of the blocks that are there.
    fn write(&mut self, problem: &mut Problem) {
        let blocks = &mut problem.feedback;
        let mut count = 0;
        self.block.clear();
        self.block.resize(self.takes_part.len(), usize::MAX);
        for velocity in 0..self.takes_part.len() {
            if !self.takes_part[velocity] {
                continue;
            }
            // The root of a group is its first velocity.
            let root = self.sets.root(velocity);
            if self.block[root] == usize::MAX {
                self.block[root] = count;
                if blocks.len() == count {
                    blocks.push(Default::default());
                }
                blocks[count].velocities.clear();
                count += 1;
            }
            let block = self.block[root];
            blocks[block].velocities.push(velocity);
        }
        blocks.truncate(count);
        for block in blocks.iter_mut() {
            let n = block.velocities.len();
            block.gain.clear();
            block.gain.resize(n * n, 0.0);
            block.unsymmetric = false;
            block.limited.clear();
            block.limited_gain.clear();
        }
    }
}
