//! Blocks of the gain matrix: the velocities that feedback couples.
//!
//! Velocities i and j belong together where a force on i reacts to the motion of j, directly or through external state
//! that the plants move and that moves them in turn. Blocks join islands, so that everything that reacts is solved
//! together.

use super::external::External;
use super::feedback::Feedback;
use super::group_matrix::GroupMatrix;
use super::groups::Group;
use super::jacobian::Linearization;
use kinegraph_convex::contact::Problem;
use kinegraph_convex::linear_algebra::DisjointSets;

/// Rows and values of the entries of a column.
fn entries(m: &GroupMatrix, column: usize) -> impl Iterator<Item = (&usize, &f64)> {
    let (rows, values) = m.column(column);
    rows.iter().zip(values)
}

/// Workspace of the search for blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Coupling {
    /// Sets over all velocities, then all external states.
    sets: DisjointSets,
    /// For each external state, whether the plants move it, and whether it moves them.
    moved: Vec<bool>,
    moving: Vec<bool>,
    /// For each velocity, true if it takes part in feedback.
    takes_part: Vec<bool>,
    /// Block that begins at each velocity.
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
                self.join_directly(driven, linear);
                self.moved.resize(nz, false);
                self.moving.resize(nz, false);
                for group in linear.groups.all().iter().filter(|group| !group.external.is_empty()) {
                    self.join_through_state(driven, linear, group);
                }
            }
        }
        self.write(problem);
    }

    /// Joins each force with the velocities that it reacts to directly.
    fn join_directly(&mut self, driven: &[bool], linear: &Linearization) {
        for (c, &column) in linear.sensed.iter().enumerate() {
            for part in [&linear.actuation, &linear.applied] {
                for (&row, x) in entries(&part.q, c).chain(entries(&part.v, c)) {
                    if driven[row] && *x != 0.0 {
                        self.takes_part[row] = true;
                        self.takes_part[column] = true;
                        self.sets.join(row, column);
                    }
                }
            }
        }
    }

    fn join_through_state(&mut self, driven: &[bool], linear: &Linearization, group: &Group) {
        let (nv, f, states) = (driven.len(), &linear.external, &group.external);
        for &z in states {
            (self.moved[z], self.moving[z]) = (false, false);
        }
        for &c in &group.columns {
            for (&z, x) in entries(&f.q, c).chain(entries(&f.v, c)) {
                self.moved[z] |= *x != 0.0;
            }
        }
        for &z in states {
            let mut forces = entries(&linear.actuation.z, z).chain(entries(&linear.applied.z, z));
            self.moving[z] = forces.any(|(&row, x)| driven[row] && *x != 0.0);
        }
        // Reachability from state to state: forwards and backwards in turns, since chains mostly follow one order.
        let mut forwards = true;
        loop {
            let mut grown = false;
            for at in 0..states.len() {
                let j = states[if forwards { at } else { states.len() - 1 - at }];
                for (&i, _) in entries(&f.z, j).filter(|(_, x)| **x != 0.0) {
                    if self.moved[j] && !self.moved[i] || self.moving[i] && !self.moving[j] {
                        self.moved[i] |= self.moved[j];
                        self.moving[j] |= self.moving[i];
                        grown = true;
                    }
                }
            }
            if !grown {
                break;
            }
            forwards = !forwards;
        }
        for &z in states.iter().filter(|&&z| self.moved[z] && self.moving[z]) {
            for (&row, x) in entries(&linear.actuation.z, z).chain(entries(&linear.applied.z, z)) {
                if driven[row] && *x != 0.0 {
                    self.takes_part[row] = true;
                    self.sets.join(row, nv + z);
                }
            }
            for (&to, x) in entries(&f.z, z) {
                if *x != 0.0 && self.moved[to] && self.moving[to] {
                    self.sets.join(nv + z, nv + to);
                }
            }
        }
        for (c, column) in group.columns.iter().map(|&c| (c, linear.sensed[c])) {
            for (&z, x) in entries(&f.q, c).chain(entries(&f.v, c)) {
                if *x != 0.0 && self.moved[z] && self.moving[z] {
                    self.takes_part[column] = true;
                    self.sets.join(column, nv + z);
                }
            }
        }
    }

    /// Writes the groups as blocks, in the memory of the existing blocks.
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
