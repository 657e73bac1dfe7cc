//! Connected parts of the external system: groups of velocities and external states that can have derivatives with
//! respect to each other.
//!
//! Ten robots with a controller each have ten groups. All matrices of a linearization and of its law are zero outside
//! the blocks of the groups, so that work on them is done block by block: separate copies of a scene cost what they
//! cost alone, and each is computed as if it were alone. Like the coloring, groups are a matter of structure and are
//! found once for a diagram, and with them the patterns of all matrices.

use super::coloring::Coloring;
use super::group_matrix::GroupPattern;
use kinegraph_convex::linear_algebra::DisjointSets;
use std::collections::HashSet;
use std::sync::Arc;

/// Condition for sparse columns of a group.
#[derive(Clone, Copy, Debug)]
pub struct Sparsity {
    /// More rows than this number, and
    pub max_dense_rows: usize,
    /// fewer entries than one in this number.
    pub empty_per_entry: usize,
}

impl Default for Sparsity {
    fn default() -> Self {
        Sparsity { max_dense_rows: 128, empty_per_entry: 8 }
    }
}

/// A group; its blocks are `rows` x `columns` and so on. All lists are in increasing order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Velocities (of all plants) on which forces may react.
    pub rows: Vec<usize>,
    /// Sensed velocities, as columns of the linearization.
    pub columns: Vec<usize>,
    /// External states.
    pub external: Vec<usize>,
    /// True if forces, and if the rates of external states, have sparse columns.
    pub sparse_forces: bool,
    pub sparse_rates: bool,
}

/// Patterns of all matrices, by their rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatrixPatterns {
    /// Forces by motion (positions or velocities) and by external states.
    pub force_by_motion: Arc<GroupPattern>,
    pub force_by_state: Arc<GroupPattern>,
    /// Rates of external states by motion and by external states.
    pub rate_by_motion: Arc<GroupPattern>,
    pub rate_by_state: Arc<GroupPattern>,
    /// Patterns with all entries of a group: gains (rows: velocities) and responses (rows: external states) to
    /// velocities.
    pub gain: Arc<GroupPattern>,
    pub response: Arc<GroupPattern>,
}

/// All groups in which anything reacts to anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    all: Vec<Group>,
    pub patterns: MatrixPatterns,
    of_velocity: Vec<Option<usize>>,
    of_external: Vec<Option<usize>>,
}

impl Groups {
    /// Groups of `nv` velocities, of which `sensed` have columns, and `nz` external states.
    pub fn new(coloring: &Coloring, sensed: &[usize], nv: usize, nz: usize, sparsity: Sparsity) -> Self {
        let ns = sensed.len();
        let node = |column: usize| if column < 2 * ns { sensed[column % ns] } else { nv + column - 2 * ns };
        let mut sets = DisjointSets::default();
        sets.reset(nv + nz);
        let mut takes_part = vec![false; nv + nz];
        // Rows that many columns reach are joined once.
        let mut joined = HashSet::new();
        for column in 0..2 * ns + nz {
            let rows = coloring.rows(column);
            let Some(&one) = rows.first() else { continue };
            takes_part[node(column)] = true;
            sets.join(node(column), one);
            if joined.insert(coloring.reach(column)) {
                for &row in rows {
                    takes_part[row] = true;
                    sets.join(one, row);
                }
            }
        }
        let mut groups = Groups::default();
        let mut number: Vec<Option<usize>> = vec![None; nv + nz];
        let of: Vec<Option<usize>> = (0..nv + nz)
            .map(|i| {
                let root = sets.root(i);
                takes_part[i].then(|| {
                    *number[root].get_or_insert_with(|| {
                        groups.all.push(Group::default());
                        groups.all.len() - 1
                    })
                })
            })
            .collect();
        let part = |i: usize| of[i].map(|group| (i, group));
        (0..nv).filter_map(part).for_each(|(velocity, group)| groups.all[group].rows.push(velocity));
        (0..nz).filter_map(|z| part(nv + z)).for_each(|(i, group)| groups.all[group].external.push(i - nv));
        for (column, &velocity) in sensed.iter().enumerate() {
            if let Some(group) = of[velocity] {
                groups.all[group].columns.push(column);
            }
        }
        groups.of_external = of[nv..].to_vec();
        groups.of_velocity = of;
        groups.of_velocity.truncate(nv);
        groups.find_patterns(coloring, nv, ns, nz, sparsity);
        groups
    }

    fn find_patterns(&mut self, coloring: &Coloring, nv: usize, ns: usize, nz: usize, sparsity: Sparsity) {
        let forces = |column: usize| {
            let rows = coloring.rows(column);
            &rows[..rows.partition_point(|&row| row < nv)]
        };
        let rates = |column: usize| {
            let rows = coloring.rows(column);
            &rows[rows.partition_point(|&row| row < nv)..]
        };
        let columns = |group: &Group| -> Vec<usize> {
            group.columns.iter().copied().chain(group.external.iter().map(|z| 2 * ns + z)).collect()
        };
        let is_sparse = |rows: usize, columns: &[usize], of: &dyn Fn(usize) -> usize| {
            let entries = || columns.iter().map(|&column| of(column)).sum::<usize>();
            rows > sparsity.max_dense_rows && sparsity.empty_per_entry * entries() < rows * columns.len()
        };
        for group in &mut self.all {
            let columns = columns(group);
            group.sparse_forces = is_sparse(group.rows.len(), &columns, &|column| forces(column).len());
            group.sparse_rates = is_sparse(group.external.len(), &columns, &|column| rates(column).len());
        }
        let force = |group: &Group, column: usize| {
            group.sparse_forces.then(|| (coloring.reach(column), forces(column).to_vec()))
        };
        let rate = |group: &Group, column: usize| {
            let rows = || rates(column).iter().map(|row| row - nv).collect();
            group.sparse_rates.then(|| (coloring.reach(column), rows()))
        };
        let force_by_state = |group: &Group, z: usize| force(group, 2 * ns + z);
        let rate_by_state = |group: &Group, z: usize| rate(group, 2 * ns + z);
        fn by_motion(group: &Group) -> (&[usize], &[usize]) {
            (&group.rows, &group.columns)
        }
        fn rates_by_motion(group: &Group) -> (&[usize], &[usize]) {
            (&group.external, &group.columns)
        }
        let patterns = MatrixPatterns {
            force_by_motion: Arc::new(GroupPattern::new(self, nv, ns, by_motion, Some(&force))),
            force_by_state: Arc::new(GroupPattern::new(
                self,
                nv,
                nz,
                |group| (&group.rows, &group.external),
                Some(&force_by_state),
            )),
            rate_by_motion: Arc::new(GroupPattern::new(self, nz, ns, rates_by_motion, Some(&rate))),
            rate_by_state: Arc::new(GroupPattern::new(
                self,
                nz,
                nz,
                |group| (&group.external, &group.external),
                Some(&rate_by_state),
            )),
            gain: Arc::new(GroupPattern::new(self, nv, ns, by_motion, None)),
            response: Arc::new(GroupPattern::new(self, nz, ns, rates_by_motion, None)),
        };
        self.patterns = patterns;
    }

    /// Number of values of the matrices of a linearization and of its law, and of the largest matrix that is factored.
    pub fn matrix_sizes(&self) -> usize {
        let MatrixPatterns { force_by_motion, force_by_state, rate_by_motion, rate_by_state, gain, response } =
            &self.patterns;
        let forces = 2 * (2 * force_by_motion.len() + force_by_state.len());
        let rates = 2 * rate_by_motion.len() + rate_by_state.len();
        let factored = |group: &Group| if group.sparse_rates { 0 } else { group.external.len().pow(2) };
        forces + rates + 2 * gain.len() + response.len() + self.all.iter().map(factored).max().unwrap_or(0)
    }

    /// All groups.
    pub fn all(&self) -> &[Group] {
        &self.all
    }

    /// Groups of a part of the motion, whose members are numbers of velocities (`nv` of them in all) and, after those,
    /// of external states, each with the root of its part.
    pub fn among<'a>(&'a self, part: &'a [(usize, usize)], nv: usize) -> impl Iterator<Item = &'a Group> {
        part.iter().filter_map(move |&(_, i)| {
            let group = if i < nv { self.of_velocity(i) } else { self.of_external(i - nv) }?;
            let first = group.rows.first().copied().or(group.external.first().map(|z| nv + z));
            (first == Some(i)).then_some(group)
        })
    }

    /// The group of a velocity.
    pub fn of_velocity(&self, velocity: usize) -> Option<&Group> {
        Some(&self.all[(*self.of_velocity.get(velocity)?)?])
    }

    /// The group of an external state.
    pub fn of_external(&self, z: usize) -> Option<&Group> {
        Some(&self.all[(*self.of_external.get(z)?)?])
    }
}
