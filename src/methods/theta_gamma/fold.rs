//! Compliant rows without bounds, such as beams of fibres, folded into the inertia.
//!
//! Such a row has the impulse `λ = (t - b - J v)/R`. With S the Jacobian of those rows and C that of all others,
//!
//! ```text
//! (A + S' R^-1 S) v = r + S' R^-1 (t - b) + C' λ_C
//! ```
//!
//! so that sweeps pass over C alone, and the response of a contact, `(A + S' R^-1 S)^-1 C'`, is that of the whole
//! fibre. Sweeps over the rows of a chain would propagate an impulse from node to node, and very slowly where stretch
//! is a thousand times stiffer than bending. Velocities that such rows couple form one group; its matrix is factored by
//! blocks, once per solve (2.5 of the notes on XDE: `X_a` touches the cliques of two fibres). The Jacobian of a contact
//! has columns for the nodes it touches; its response, on all nodes of both fibres, is computed when it first acts.
//!
//! Newton's method keeps the rows as they are: its blocks are nodes, whose couplings are sparse.

use crate::inertia_groups::{Group, Groups};
use crate::sweeps::{IMMOVABLE, Owner, Part, Row, Rows};
use kinegraph_convex::linear_algebra::{BlockCholesky, DisjointSets, Patterns, Places};

/// Rows and groups that sweeps work on; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Fold {
    /// True if any row is folded; if not, sweeps use the original rows.
    active: bool,
    pub rows: Rows,
    pub groups: Groups,
    sets: DisjointSets,
    /// Location of each group: group of `groups`, first index there, number among the blocks of that group.
    home: Vec<Home>,
    lists: Vec<Vec<usize>>,
    /// Original row of each row of `rows`.
    of_row: Vec<usize>,
    /// Folded rows, by the groups of the fold.
    folded: Vec<usize>,
    /// For each group of the fold, the original groups that it joins.
    members: Vec<Vec<usize>>,
    pub responses: Responses,
    /// Velocities of the problem without the impulses of `rows`.
    base: Vec<f64>,
    rest: Vec<f64>,
    local: Vec<f64>,
    sizes: Vec<u32>,
}

/// Factors of the groups of the fold, and a flag for each row with a known response.
#[derive(Clone, Debug, Default)]
pub(super) struct Responses {
    factors: Vec<Factor>,
    patterns: Patterns,
    known: Vec<bool>,
}

/// A factor and its pattern.
#[derive(Clone, Debug, Default)]
struct Factor {
    sizes: Vec<u32>,
    edges: Vec<(u32, u32)>,
    values: BlockCholesky,
}

impl Responses {
    /// Computes the response and the mobility of row `i`, unless they are known.
    pub fn find(&mut self, rows: &mut Rows, groups: &Groups, i: usize) {
        if std::mem::replace(&mut self.known[i], true) {
            return;
        }
        for k in rows.all[i].parts.clone() {
            let Part { group, start, first, count, .. } = rows.parts[k];
            let at = rows.response.len();
            rows.response.resize(at + groups.all()[group].velocities.len(), 0.0);
            let response = &mut rows.response[at..];
            response[first..first + count].copy_from_slice(&rows.jacobian[start..start + count]);
            self.solve(group, response);
            rows.parts[k].response = at;
        }
        rows.all[i].mobility = rows.coupling(i, i);
    }

    fn solve(&mut self, group: usize, values: &mut [f64]) {
        let Responses { factors, patterns, .. } = self;
        let Factor { sizes, edges, values: factor } = &mut factors[group];
        let pattern = patterns.find(sizes, edges);
        factor.solve(&patterns.get(pattern), values);
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Home {
    group: usize,
    first: usize,
    block: usize,
}

/// True if a row is compliant in both directions without bounds.
fn yields(row: &Row) -> bool {
    matches!(row.owner, Owner::Group { .. })
        && row.softness > 0.0
        && row.softness.is_finite()
        && row.lower == f64::NEG_INFINITY
        && row.upper == f64::INFINITY
}

/// Group of the fold of a folded row.
fn group_of(rows: &Rows, home: &[Home], i: usize) -> Option<usize> {
    rows.parts[rows.all[i].parts.clone()].first().map(|part| home[part.group].group)
}

impl Fold {
    /// True if sweeps use [`rows`](Self::rows).
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Folds the compliant rows; `v` becomes the velocities that follow from the impulses of the other rows.
    pub fn enter(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64]) {
        self.folded.clear();
        self.folded.extend((0..rows.all.len()).filter(|&i| yields(&rows.all[i])));
        self.active = !self.folded.is_empty() && groups.all().iter().all(Group::is_symmetric);
        if !self.active {
            return;
        }
        self.join(rows, groups);
        self.take_rows(rows);
        self.sort(rows);
        self.find_rest(rows, groups, v);
        for group in 0..self.groups.all().len() {
            if !self.factor(group, rows, groups) {
                self.active = false;
                return;
            }
        }
        self.responses.known.clear();
        self.responses.known.resize(self.rows.all.len(), false);
        self.apply_all(v);
        self.unfold(rows, groups, v);
    }

    /// Finds which groups belong together, and their velocities.
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
        // Number of blocks so far of each list.
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

    /// Takes the rows that are not folded, on the groups of the fold.
    fn take_rows(&mut self, rows: &Rows) {
        let Fold { rows: own, home, of_row, .. } = self;
        own.all.clear();
        own.parts.clear();
        own.jacobian.clear();
        of_row.clear();
        for (i, row) in rows.all.iter().enumerate().filter(|(_, row)| !yields(row)) {
            let from = own.parts.len();
            for part in &rows.parts[row.parts.clone()] {
                let Home { group, first, .. } = home[part.group];
                let entries = &rows.jacobian[part.start..part.start + part.count];
                let known = own.parts[from..].iter_mut().find(|p| p.group == group);
                let start = own.jacobian.len();
                let Some(known) = known else {
                    own.jacobian.extend_from_slice(entries);
                    own.parts.push(Part { group, start, first, count: part.count, response: 0 });
                    continue;
                };
                // Two nodes of a fibre: all nodes from the first to the last.
                let before = *known;
                let from = before.first.min(first);
                let to = (before.first + before.count).max(first + part.count);
                *known = Part { start, first: from, count: to - from, ..before };
                own.jacobian.resize(start + to - from, 0.0);
                let at = start + before.first - from;
                own.jacobian.copy_within(before.start..before.start + before.count, at);
                own.jacobian[start + first - from..][..part.count].copy_from_slice(entries);
            }
            own.all.push(Row { parts: from..own.parts.len(), ..row.clone() });
            of_row.push(i);
        }
        own.response.clear();
    }

    /// Sorts original groups and folded rows by the groups of the fold.
    fn sort(&mut self, rows: &Rows) {
        let Fold { home, folded, members, groups, .. } = self;
        members.resize(groups.all().len().max(members.len()), Vec::new());
        members.iter_mut().for_each(Vec::clear);
        home.iter().enumerate().for_each(|(number, home)| members[home.group].push(number));
        folded.sort_unstable_by_key(|&i| (group_of(rows, home, i), i));
    }

    /// Computes `r + S' R^-1 (t - b)`, by velocity: A v without the impulses of the rows.
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

    /// Factors a group, and computes its velocities without the impulses of `rows`; returns `false` if its matrix has
    /// no factor.
    fn factor(&mut self, group: usize, rows: &Rows, groups: &Groups) -> bool {
        let Fold { home, folded, members, responses, local, rest, base, .. } = self;
        let Responses { factors, patterns, .. } = responses;
        factors.resize_with(factors.len().max(group + 1), Factor::default);
        let Factor { sizes, edges, values: factor } = &mut factors[group];
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
        let velocities = &self.groups.all()[group].velocities;
        base.resize(rest.len(), 0.0);
        local.clear();
        local.extend(velocities.iter().map(|&at| rest[at]));
        factor.solve(&pattern, local);
        velocities.iter().zip(local.iter()).for_each(|(&at, x)| base[at] = *x);
        true
    }

    /// Adds the effect of the impulses of all rows to the velocities.
    fn apply_all(&mut self, v: &mut [f64]) {
        let Fold { rows, groups, responses, base, .. } = self;
        for &at in groups.all().iter().flat_map(|group| &group.velocities) {
            v[at] = base[at];
        }
        for i in 0..rows.all.len() {
            let impulse = rows.all[i].impulse;
            if impulse != 0.0 {
                responses.find(rows, groups, i);
                rows.apply(i, impulse, groups, v);
            }
        }
    }

    /// Computes the impulses of the folded rows and writes all impulses to `rows`.
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

    /// Takes the impulses of `rows` and updates `v`.
    pub fn take(&mut self, rows: &Rows, v: &mut [f64]) {
        for (row, &i) in self.rows.all.iter_mut().zip(&self.of_row) {
            row.impulse = rows.all[i].impulse;
        }
        self.apply_all(v);
    }
}
