//! Rows that yield, in both directions and without bounds, as a part of the inertia: beams of fibres above all.
//!
//! Such a row has the impulse `λ = (t - b - J v)/R`. With S those rows and C all others,
//!
//! ```text
//! (A + S' R^-1 S) v = r + S' R^-1 (t - b) + C' λ_C
//! ```
//!
//! so that sweeps pass over C alone, and the response of a contact, `(A + S' R^-1 S)^-1 C'`, is that of the whole
//! fibre. Sweeps over the rows of a chain would carry a push from node to node, hardly at all through stretch that is a
//! thousand times stiffer than bending. What such rows join is one group; its matrix is factored by blocks, once a
//! solve, and only for its own rows (2.5 of the notes on XDE: `X_a` touches the cliques of two fibres).
//!
//! Newton's method keeps the rows as they are: its blocks are nodes, whose couplings are sparse.

use crate::linear_algebra::{BlockCholesky, DisjointSets, Patterns, Places};
use crate::solvers::common::inertia_groups::{Group, Groups};
use crate::solvers::common::sweeps::{IMMOVABLE, Owner, Part, Row, Rows};

/// The rows and groups that sweeps see; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Fold {
    /// Whether any row is folded; if not, sweeps see what there is.
    active: bool,
    pub rows: Rows,
    pub groups: Groups,
    sets: DisjointSets,
    /// Of each group what it belongs to: group of `groups`, first place there, number among the blocks of that.
    home: Vec<Home>,
    lists: Vec<Vec<usize>>,
    /// The row that each row of `rows` is.
    of_row: Vec<usize>,
    /// Rows that are folded, by the groups of the fold.
    folded: Vec<usize>,
    /// Of each group of the fold: the groups that it joins, and the parts of `rows` on it.
    members: Vec<Vec<usize>>,
    on_group: Vec<Vec<usize>>,
    /// By velocity of the problem: what velocities are without the impulses of `rows`.
    base: Vec<f64>,
    rest: Vec<f64>,
    local: Vec<f64>,
    factor: BlockCholesky,
    patterns: Patterns,
    sizes: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Home {
    group: usize,
    first: usize,
    block: usize,
}

/// Whether a row yields to both sides by a law without bounds.
fn yields(row: &Row) -> bool {
    matches!(row.owner, Owner::Group { .. })
        && row.softness > 0.0
        && row.softness.is_finite()
        && row.lower == f64::NEG_INFINITY
        && row.upper == f64::INFINITY
}

/// The group of the fold of a row that is folded.
fn group_of(rows: &Rows, home: &[Home], i: usize) -> Option<usize> {
    rows.parts[rows.all[i].parts.clone()].first().map(|part| home[part.group].group)
}

impl Fold {
    /// Whether sweeps pass over [`rows`](Self::rows).
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Folds what yields; `v` becomes what follows from the impulses that the other rows have.
    pub fn enter(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64]) {
        self.folded.clear();
        self.folded.extend((0..rows.all.len()).filter(|&i| yields(&rows.all[i])));
        self.active = !self.folded.is_empty() && groups.all().iter().all(Group::is_symmetric);
        if !self.active {
            return;
        }
        self.join(rows, groups);
        self.take_rows(rows, groups);
        self.sort(rows);
        self.find_rest(rows, groups, v);
        for group in 0..self.groups.all().len() {
            if !self.respond(group, rows, groups) {
                self.active = false;
                return;
            }
        }
        for i in 0..self.rows.all.len() {
            self.rows.all[i].mobility = self.rows.coupling(i, i, &self.groups);
        }
        self.apply_all(v);
        self.unfold(rows, groups, v);
    }

    /// Which groups belong together, and their velocities.
    fn join(&mut self, rows: &Rows, groups: &Groups) {
        let count = groups.all().len();
        self.sets.reset(count);
        for &i in &self.folded {
            for pair in rows.parts[rows.all[i].parts.clone()].windows(2) {
                self.sets.join(pair[0].group, pair[1].group);
            }
        }
        self.home.clear();
        self.home.resize(count, Home::default());
        self.lists.iter_mut().for_each(Vec::clear);
        let mut found = 0;
        // Blocks so far of each list.
        self.sizes.clear();
        for number in 0..count {
            let root = self.sets.root(number);
            if root == number {
                self.home[number].group = found;
                found += 1;
            }
        }
        self.lists.resize(found.max(self.lists.len()), Vec::new());
        self.sizes.resize(found, 0);
        for number in 0..count {
            let group = self.home[self.sets.root(number)].group;
            let list = &mut self.lists[group];
            self.home[number] = Home { group, first: list.len(), block: self.sizes[group] as usize };
            self.sizes[group] += 1;
            list.extend_from_slice(&groups.all()[number].velocities);
        }
        self.groups.list(&self.lists[..found]);
    }

    /// The rows that are not folded, on the groups of the fold.
    fn take_rows(&mut self, rows: &Rows, groups: &Groups) {
        let Fold { rows: own, home, of_row, groups: joined, .. } = self;
        own.all.clear();
        own.parts.clear();
        own.jacobian.clear();
        of_row.clear();
        for (i, row) in rows.all.iter().enumerate().filter(|(_, row)| !yields(row)) {
            let from = own.parts.len();
            for part in &rows.parts[row.parts.clone()] {
                let Home { group, first, .. } = home[part.group];
                let known = own.parts[from..].iter().find(|p| p.group == group).map(|p| p.start);
                let start = known.unwrap_or_else(|| {
                    let start = own.jacobian.len();
                    own.jacobian.resize(start + joined.all()[group].velocities.len(), 0.0);
                    own.parts.push(Part { group, start });
                    start
                });
                let n = groups.all()[part.group].velocities.len();
                let entries = &rows.jacobian[part.start..part.start + n];
                own.jacobian[start + first..start + first + n].copy_from_slice(entries);
            }
            own.all.push(Row { parts: from..own.parts.len(), ..row.clone() });
            of_row.push(i);
        }
        own.response.clone_from(&own.jacobian);
    }

    /// What belongs to each group.
    fn sort(&mut self, rows: &Rows) {
        let Fold { home, folded, members, on_group, rows: own, groups, .. } = self;
        for lists in [&mut *members, &mut *on_group] {
            lists.resize(groups.all().len().max(lists.len()), Vec::new());
            lists.iter_mut().for_each(Vec::clear);
        }
        home.iter().enumerate().for_each(|(number, home)| members[home.group].push(number));
        own.parts.iter().enumerate().for_each(|(part, on)| on_group[on.group].push(part));
        folded.sort_unstable_by_key(|&i| (group_of(rows, home, i), i));
    }

    /// `r + S' R^-1 (t - b)`, by velocity: A v without the impulses that the rows have.
    fn find_rest(&mut self, rows: &Rows, groups: &Groups, v: &[f64]) {
        self.rest.clear();
        self.rest.resize(v.len(), 0.0);
        for group in groups.all() {
            let n = group.velocities.len();
            for (&at, column) in group.velocities.iter().zip(group.inertia.chunks_exact(n)) {
                for (&to, a) in group.velocities.iter().zip(column) {
                    self.rest[to] += a * v[at];
                }
            }
        }
        for row in &rows.all {
            let of_law = if yields(row) { (row.target - row.bias) / row.softness } else { 0.0 };
            let impulse = of_law - row.impulse;
            if impulse == 0.0 {
                continue;
            }
            for part in &rows.parts[row.parts.clone()] {
                let velocities = &groups.all()[part.group].velocities;
                for (&at, j) in velocities.iter().zip(&rows.jacobian[part.start..]) {
                    self.rest[at] += j * impulse;
                }
            }
        }
    }

    /// Factors a group; finds the responses of its rows, and its velocities without their impulses. `false` if its
    /// matrix has no factor.
    fn respond(&mut self, group: usize, rows: &Rows, groups: &Groups) -> bool {
        let Fold { home, folded, members, on_group, sizes, edges, patterns, factor, local, rest, base, .. } = self;
        let (own, joined) = (&mut self.rows, &self.groups);
        sizes.clear();
        sizes.extend(members[group].iter().map(|&number| groups.all()[number].velocities.len() as u32));
        edges.clear();
        let [from, to] = [group, group + 1]
            .map(|group| folded.partition_point(|&i| group_of(rows, home, i).is_none_or(|g| g < group)));
        for &i in &folded[from..to] {
            let parts = &rows.parts[rows.all[i].parts.clone()];
            for a in parts {
                for b in parts {
                    let (a, b) = (home[a.group].block as u32, home[b.group].block as u32);
                    if a > b && !edges.contains(&(b, a)) {
                        edges.push((b, a));
                    }
                }
            }
        }
        let pattern = patterns.find(sizes, edges);
        let pattern = patterns.get(pattern);
        let places = Places::Sparse(pattern);
        let h = factor.start(&pattern);
        for &number in &members[group] {
            let inertia = &groups.all()[number].inertia;
            let at = home[number].block;
            let (n, block) = (groups.all()[number].velocities.len(), places.block(at, at));
            for j in 0..n {
                for i in j..n {
                    h[block.entry(i, j)] += inertia[j * n + i];
                }
            }
        }
        for &i in &folded[from..to] {
            let parts = &rows.parts[rows.all[i].parts.clone()];
            let weight = 1.0 / rows.all[i].softness;
            for a in parts {
                for b in parts.iter().filter(|b| home[a.group].block >= home[b.group].block) {
                    let block = places.block(home[a.group].block, home[b.group].block);
                    let size = |part: &Part| groups.all()[part.group].velocities.len();
                    let [x, y] = [a, b].map(|part| &rows.jacobian[part.start..part.start + size(part)]);
                    for (j, y) in y.iter().enumerate().filter(|(_, y)| **y != 0.0) {
                        let first = if a.group == b.group { j } else { 0 };
                        for (i, x) in x.iter().enumerate().skip(first) {
                            h[block.entry(i, j)] += weight * x * y;
                        }
                    }
                }
            }
        }
        if !factor.factor(&pattern) {
            return false;
        }
        let velocities = &joined.all()[group].velocities;
        base.resize(rest.len(), 0.0);
        local.clear();
        local.extend(velocities.iter().map(|&at| rest[at]));
        factor.solve(&pattern, local);
        velocities.iter().zip(local.iter()).for_each(|(&at, x)| base[at] = *x);
        for part in on_group[group].iter().map(|&part| own.parts[part]) {
            factor.solve(&pattern, &mut own.response[part.start..part.start + velocities.len()]);
        }
        true
    }

    /// Velocities by the impulses of the rows.
    fn apply_all(&self, v: &mut [f64]) {
        for &at in self.groups.all().iter().flat_map(|group| &group.velocities) {
            v[at] = self.base[at];
        }
        for (i, row) in self.rows.all.iter().enumerate().filter(|(_, row)| row.impulse != 0.0) {
            self.rows.apply(i, row.impulse, &self.groups, v);
        }
    }

    /// Gives `rows` the impulses of the fold.
    pub fn unfold(&self, rows: &mut Rows, groups: &Groups, v: &[f64]) {
        for (row, &i) in self.rows.all.iter().zip(&self.of_row) {
            rows.all[i].impulse = row.impulse;
        }
        for &i in &self.folded {
            if rows.all[i].mobility + rows.all[i].softness >= IMMOVABLE {
                let away = rows.all[i].target - rows.velocity(i, groups, v);
                rows.all[i].impulse = away / rows.all[i].softness;
            }
        }
    }

    /// Takes the impulses of `rows`; `v` follows.
    pub fn take(&mut self, rows: &Rows, v: &mut [f64]) {
        for (row, &i) in self.rows.all.iter_mut().zip(&self.of_row) {
            row.impulse = rows.all[i].impulse;
        }
        self.apply_all(v);
    }
}
