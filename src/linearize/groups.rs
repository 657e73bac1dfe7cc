//! Connected parts of the external system: groups of velocities and external states that can have derivatives with
//! respect to each other.
//!
//! Ten robots with a controller each have ten groups. All matrices of a linearization and of its law are zero outside
//! the blocks of the groups, so that work on them is done block by block: separate copies of a scene cost what they
//! cost alone, and each is computed as if it were alone. Like the coloring, groups are a matter of structure and are
//! found once for a diagram.

use super::coloring::Coloring;
use crate::linear_algebra::DisjointSets;
use std::collections::HashSet;

/// One group; its blocks are `rows` x `columns` and so on. All lists rise.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Group {
    /// Velocities (of all plants) on which forces may react.
    pub rows: Vec<usize>,
    /// Sensed velocities, as columns of the linearization.
    pub columns: Vec<usize>,
    /// External states.
    pub external: Vec<usize>,
}

/// All groups in which anything reacts to anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Groups {
    all: Vec<Group>,
    of_velocity: Vec<Option<usize>>,
    of_external: Vec<Option<usize>>,
}

impl Groups {
    /// The groups of `nv` velocities, of which `sensed` have columns, and `nz` external states.
    pub fn new(coloring: &Coloring, sensed: &[usize], nv: usize, nz: usize) -> Self {
        let ns = sensed.len();
        let node = |column: usize| if column < 2 * ns { sensed[column % ns] } else { nv + column - 2 * ns };
        let mut sets = DisjointSets::default();
        sets.reset(nv + nz);
        let mut takes_part = vec![false; nv + nz];
        // The rows that many columns reach are joined once.
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
        groups
    }

    /// All groups.
    pub fn all(&self) -> &[Group] {
        &self.all
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
