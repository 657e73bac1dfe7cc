//! Finds the redundant rows of rigid constraints of a problem, and drops them.
//!
//! For the measure, see `redundant_rows.rs`.

use super::problem::Problem;
use super::redundant_rows::{
    Entry, NullVector, ROUNDING, RedundantRows, RedundantSet, factor_with_pivots, find_null_vectors,
};
use super::support::Support;
use crate::choices::redundant_rows::{REDUNDANT, TAKES_PART, WEAK};
use nalgebra::Vector3;
use std::ops::Range;

impl Problem {
    /// Removes from the rigid constraints from group `first` on the parts that no velocity changes. Call after adding
    /// all.
    pub fn drop_redundant_rows(&mut self, first: usize) {
        if !self.constraints.rows[first..].iter().any(|group| group.compliance.is_none() && group.friction.is_none()) {
            return;
        }
        let mut work = std::mem::take(&mut self.constraints.redundant);
        self.sort_into_sets(first, &mut work);
        let mut at = 0;
        while at < work.order.len() {
            let end = at + work.order[at..].partition_point(|(root, _)| *root == work.order[at].0);
            self.drop_within(at..end, &mut work);
            at = end;
        }
        self.constraints.redundant = work;
    }

    /// Sorts the rigid groups from `first` on by the velocities that they share.
    fn sort_into_sets(&self, first: usize, work: &mut RedundantRows) {
        let RedundantRows { sets, order, scales, columns, .. } = work;
        sets.reset(self.trees.v0.len());
        columns.clear();
        columns.resize(self.trees.v0.len(), 0.0);
        scales.clear();
        scales.resize(self.constraints.rows.len(), 0.0);
        order.clear();
        for (g, group) in self.constraints.rows.iter().enumerate().skip(first) {
            let support = &self.constraints.support[group.support.clone()];
            let Some(start) = support.first() else { continue };
            if group.compliance.is_some() || group.friction.is_some() {
                continue;
            }
            support.iter().for_each(|s| sets.join(start.velocity, s.velocity));
            order.push((start.velocity, g));
            scales[g] = support.iter().fold(0.0, |scale: f64, s| scale.max(s.free));
            for s in support {
                columns[s.velocity] = columns[s.velocity].max(s.free / scales[g]);
            }
        }
        order.iter_mut().for_each(|(root, _)| *root = sets.root(*root));
        order.sort_unstable();
    }

    fn drop_within(&mut self, groups: Range<usize>, work: &mut RedundantRows) {
        let (velocity, first) = (work.order[groups.start].0, work.vectors.len());
        self.drop_empty_rows(groups.clone(), work);
        self.gather_rows(groups.clone(), work);
        if self.drop_single_rows(groups.clone(), work) {
            self.gather_rows(groups.clone(), work);
        }
        let n = work.rows.len();
        let rank = factor_with_pivots(&mut work.gram, n, &mut work.pivots, REDUNDANT);
        if let Some(last) = rank.checked_sub(1) {
            let part = work.gram[last * n + last];
            if part * part < WEAK && work.weakest.is_none_or(|(_, weakest)| part < weakest) {
                work.weakest = Some((work.rows[work.pivots[last]].0, part));
            }
        }
        if rank < n {
            find_null_vectors(n, rank, work);
            self.add_null_vectors(n, n - rank, work);
            self.clean_columns(groups, n, n - rank, work);
        }
        let vectors = first..work.vectors.len();
        if !vectors.is_empty() {
            let open = work.vectors[vectors.clone()].iter().fold(0.0, |open: f64, v| open.max(v.violation.abs()));
            let entries = work.vectors[vectors.clone()].iter().flat_map(|v| &work.entries[v.entries.clone()]);
            let lever = entries.fold(0.0, |lever: f64, entry| lever.max(entry.scale));
            work.sets_found.push(RedundantSet { velocity, rows: vectors.len(), open, lever, vectors });
        }
    }

    /// Collects the rows of a set, and their products.
    fn gather_rows(&self, groups: Range<usize>, work: &mut RedundantRows) {
        let RedundantRows { order, scales, columns, rows, gram, .. } = work;
        let of = |g: usize| &self.constraints.support[self.constraints.rows[g].support.clone()];
        rows.clear();
        for &(_, g) in &order[groups] {
            rows.extend((0..3).filter(|&k| of(g).iter().any(|s| s.column[k] != 0.0)).map(|k| (g, k)));
        }
        let n = rows.len();
        gram.clear();
        gram.resize(n * n, 0.0);
        let mut j = 0;
        while j < n {
            let of_j = rows[j..].iter().take_while(|row| row.0 == rows[j].0).count();
            let mut i = j;
            while i < n {
                let of_i = rows[i..].iter().take_while(|row| row.0 == rows[i].0).count();
                let (g, h) = (rows[i].0, rows[j].0);
                let both = scales[g] * scales[h];
                let (mut a, mut b) = (of(g).iter().peekable(), of(h).iter().peekable());
                while let (Some(s), Some(t)) = (a.peek(), b.peek()) {
                    match s.velocity.cmp(&t.velocity) {
                        std::cmp::Ordering::Less => _ = a.next(),
                        std::cmp::Ordering::Greater => _ = b.next(),
                        std::cmp::Ordering::Equal => {
                            let scale = both * columns[s.velocity] * columns[s.velocity];
                            for y in j..j + of_j {
                                for x in i..i + of_i {
                                    gram[y * n + x] += s.column[rows[x].1] * t.column[rows[y].1] / scale;
                                }
                            }
                            a.next();
                            b.next();
                        }
                    }
                }
                i += of_i;
            }
            j += of_j;
        }
        for j in 0..n {
            for i in 0..j {
                gram[j * n + i] = gram[i * n + j];
            }
        }
    }

    /// Removes exactly the rows of a set that are redundant by themselves: only by rounding would the others depend on
    /// what is left of them. Returns whether there are any.
    fn drop_single_rows(&mut self, groups: Range<usize>, work: &mut RedundantRows) -> bool {
        let n = work.rows.len();
        let mut any = false;
        for i in 0..n {
            if work.gram[i * n + i] >= REDUNDANT {
                continue;
            }
            let (group, axis) = work.rows[i];
            self.drop_row(group, axis, work);
            any = true;
        }
        if !any {
            return false;
        }
        for &(_, g) in &work.order[groups] {
            work.support.clear();
            let support = &self.constraints.support[self.constraints.rows[g].support.clone()];
            work.support.extend(support.iter().filter(|s| s.column != Vector3::zeros()));
            if work.support.len() < support.len() {
                self.set_support(g, &work.support);
            } else {
                let group = &self.constraints.rows[g];
                self.constraints.rows[g].delassus = self.row_delassus(group.support.clone(), group.count);
            }
        }
        true
    }

    /// Removes one row.
    fn drop_row(&mut self, group: usize, axis: usize, work: &mut RedundantRows) {
        let entries = work.entries.len()..work.entries.len() + 1;
        work.entries.push(Entry { group, axis, weight: 1.0, scale: work.scales[group] });
        let rows = &mut self.constraints.rows[group];
        work.vectors.push(NullVector { entries, violation: rows.violation[axis] });
        rows.violation[axis] = 0.0;
        (rows.correction, rows.farthest) = (-rows.violation, rows.violation.norm());
        self.constraints.support[rows.support.clone()].iter_mut().for_each(|s| s.column[axis] = 0.0);
    }

    /// Removes the violation along rows without any coefficients.
    fn drop_empty_rows(&mut self, groups: Range<usize>, work: &mut RedundantRows) {
        for i in groups {
            let g = work.order[i].1;
            for axis in 0..self.constraints.rows[g].count {
                let of_row = |s: &Support| s.column[axis] != 0.0;
                let open = self.constraints.rows[g].violation[axis].abs() > ROUNDING * work.scales[g];
                if open && !self.constraints.support[self.constraints.rows[g].support.clone()].iter().any(of_row) {
                    self.drop_row(g, axis, work);
                }
            }
        }
    }

    /// Sets other columns for a group.
    fn set_support(&mut self, group: usize, support: &[Support]) {
        let start = self.constraints.support.len();
        self.constraints.support.extend_from_slice(support);
        let range = start..start + support.len();
        self.constraints.rows[group].support = range.clone();
        self.constraints.rows[group].delassus = self.row_delassus(range, self.constraints.rows[group].count);
    }

    /// Stores the null vectors that were found, and removes their part from the violations.
    fn add_null_vectors(&mut self, n: usize, count: usize, work: &mut RedundantRows) {
        let RedundantRows { vectors, entries, scales, rows, null, .. } = work;
        for vector in null.chunks_exact(n).take(count) {
            let start = entries.len();
            let weights = rows.iter().zip(vector).filter(|(_, weight)| weight.abs() > ROUNDING);
            entries.extend(weights.map(|(&(group, axis), &weight)| Entry {
                group,
                axis,
                weight,
                scale: scales[group],
            }));
            vectors.push(NullVector { entries: start..entries.len(), violation: 0.0 });
        }
        let first = vectors.len() - count;
        for vector in &mut vectors[first..] {
            let of = &entries[vector.entries.clone()];
            let violation: f64 =
                of.iter().map(|e| e.weight / e.scale * self.constraints.rows[e.group].violation[e.axis]).sum();
            vector.violation = violation * of.iter().fold(0.0, |scale: f64, e| scale.max(e.scale));
            for e in of {
                self.constraints.rows[e.group].violation[e.axis] -= e.weight * e.scale * violation;
            }
        }
        for &(group, _) in rows.iter() {
            let rows = &mut self.constraints.rows[group];
            (rows.correction, rows.farthest) = (-rows.violation, rows.violation.norm());
        }
    }

    /// Removes from the columns of the rows of a set the part along the null vectors, and rounding.
    fn clean_columns(&mut self, groups: Range<usize>, n: usize, count: usize, work: &mut RedundantRows) {
        let RedundantRows { order, scales, columns, rows, null, velocities, moved, support, .. } = work;
        velocities.clear();
        for &(_, g) in &order[groups.clone()] {
            velocities
                .extend(self.constraints.support[self.constraints.rows[g].support.clone()].iter().map(|s| s.velocity));
        }
        velocities.sort_unstable();
        velocities.dedup();
        // Motion of the combinations, velocity by velocity; zero where that is rounding.
        let width = velocities.len();
        moved.clear();
        moved.resize(count * width, 0.0);
        for (q, vector) in null.chunks_exact(n).take(count).enumerate() {
            let mut largest = 0.0_f64;
            for (&(g, k), weight) in rows.iter().zip(vector) {
                for s in &self.constraints.support[self.constraints.rows[g].support.clone()] {
                    let Ok(v) = velocities.binary_search(&s.velocity) else { continue };
                    moved[q * width + v] += weight * s.column[k] / (scales[g] * columns[s.velocity]);
                }
            }
            for x in &moved[q * width..][..width] {
                largest = largest.max(x.abs());
            }
            if largest < ROUNDING {
                moved[q * width..][..width].fill(0.0);
            }
        }
        let mut i = 0;
        for &(_, g) in &order[groups] {
            let of_group = rows[i..].iter().take_while(|row| row.0 == g).count();
            let own = i..i + of_group;
            i += of_group;
            support.clear();
            support.extend_from_slice(&self.constraints.support[self.constraints.rows[g].support.clone()]);
            let mut changed = false;
            for (v, &velocity) in velocities.iter().enumerate() {
                let mut change = Vector3::zeros();
                for (q, vector) in null.chunks_exact(n).take(count).enumerate() {
                    own.clone().for_each(|r| change[rows[r].1] += vector[r] * moved[q * width + v]);
                }
                let unit = scales[g] * columns[velocity];
                match support.iter_mut().find(|s| s.velocity == velocity) {
                    Some(s) => {
                        let before = s.column;
                        s.column -= change * unit;
                        s.column.iter_mut().filter(|x| x.abs() <= ROUNDING * unit).for_each(|x| *x = 0.0);
                        changed |= s.column != before;
                    }
                    None if change.amax() > ROUNDING => {
                        let clique = self.clique_of(velocity);
                        support.push(Support { velocity, clique, column: -change * unit, free: 0.0 });
                        changed = true;
                    }
                    None => {}
                }
            }
            if !changed {
                continue;
            }
            support.retain(|s| s.column != Vector3::zeros());
            support.sort_unstable_by_key(|s| s.velocity);
            self.set_support(g, support);
        }
    }

    /// Removes from `values`, one for each row of each group, the part along combinations of rows that no motion
    /// changes.
    pub fn project_rows(&self, values: &mut [Vector3<f64>]) {
        for vector in &self.constraints.redundant.vectors {
            let of = &self.constraints.redundant.entries[vector.entries.clone()];
            let sum: f64 = of.iter().map(|e| e.weight / e.scale * values[e.group][e.axis]).sum();
            of.iter().for_each(|e| values[e.group][e.axis] -= e.weight * e.scale * sum);
        }
    }

    /// Sets of constraints with redundant rows.
    pub fn redundant_sets(&self) -> &[RedundantSet] {
        &self.constraints.redundant.sets_found
    }

    /// Groups of rows that take part in the redundant combinations of a set, in order.
    pub fn groups_of(&self, set: &RedundantSet) -> Vec<usize> {
        let RedundantRows { vectors, entries, .. } = &self.constraints.redundant;
        let of = vectors[set.vectors.clone()].iter().flat_map(|vector| &entries[vector.entries.clone()]);
        let mut groups: Vec<usize> = of.filter(|e| e.weight.abs() > TAKES_PART).map(|e| e.group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Group with the weakest row that is not redundant, and the ratio of its motion to that with free bodies, if there
    /// is any.
    pub fn weakest_row(&self) -> Option<(usize, f64)> {
        self.constraints.redundant.weakest
    }

    /// True if some combination of rows is redundant.
    pub fn has_redundant_rows(&self) -> bool {
        !self.constraints.redundant.vectors.is_empty()
    }
}
