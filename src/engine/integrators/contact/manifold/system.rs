//! The smallest change of velocities, accelerations or displacements that satisfies constraints and stops.
//!
//! For a motion `x0` without them, rows J with wanted values b lead to
//!
//! ```text
//! min 1/2 |x - x0|²_M   where  J x = b,  or J x >= b of one-sided rows:
//! x = x0 + M⁻¹ J' y,   S y = b - J x0,   S = J M⁻¹ J'      (y >= 0 of one-sided rows, zero where J x > b)
//! ```
//!
//! island by island. The active set of one-sided rows is found by principal pivots on the least index, which end for
//! every positive definite S (Murty 1974, Note on a Bard-type scheme for solving the complementarity problem).
//! Redundant rows share the load: a small part of its diagonal is added to S.

use super::curvature::curvature;
use super::stops::Stop;
use crate::integrators::contact::point::StepPoint;
use crate::integrators::contact::scales::Scales;
use kinegraph_convex::contact::Problem;
use kinegraph_convex::linear_algebra::Cholesky;
use nalgebra::Vector3;
use std::ops::Range;
use std::sync::Arc;

/// Pressure of a one-sided row that counts as none, as a part of the largest that it could have.
const PRESSES: f64 = 1e-13; // rounding

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    source: Source,
    /// Its velocities and coefficients, in order.
    entries: Range<usize>,
    /// Velocities `M⁻¹ j'` by a unit impulse along it, in the same manner.
    answers: Range<usize>,
    one_sided: bool,
    /// Its violation; of a stop, the gap.
    pub violation: f64,
    /// The largest violation of the rows of its group.
    pub size: f64,
    /// Its acceleration while no velocity changes.
    pub curvature: f64,
    /// Speed at which its violation is removed.
    pub correction_speed: f64,
    /// Part of its unit that counts as 1 m does.
    unit: f64,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// A group of rows of the problem, and the index of the row in it.
    Group(usize, usize),
    Stop(Stop),
}

/// The rows of one island.
#[derive(Clone, Debug)]
struct Block {
    rows: Range<usize>,
    /// Offset of its S, column major.
    schur: usize,
    /// True if a constraint is among them.
    constrained: bool,
}

/// The rows at a state, and the last solution; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RowSystem {
    rows: Vec<Row>,
    entries: Vec<(usize, f64)>,
    answers: Vec<(usize, f64)>,
    blocks: Vec<Block>,
    schur: Vec<f64>,
    /// Multipliers, whether each row is active, and the residual of each without any.
    y: Vec<f64>,
    on: Vec<bool>,
    short: Vec<f64>,
    stops: Vec<(usize, Stop)>,
    factor: Cholesky,
    acting: Vec<usize>,
    rhs: Vec<f64>,
    dense: Vec<f64>,
    of_groups: Vec<Vector3<f64>>,
    scales: Arc<Scales>,
}

impl RowSystem {
    /// System with these scales of the run.
    pub fn new(scales: &Arc<Scales>) -> Self {
        RowSystem { scales: scales.clone(), ..RowSystem::default() }
    }

    /// Collects the rows of all rigid constraints of a problem.
    pub fn collect_constraints(&mut self, problem: &mut Problem) {
        self.collect_all(problem, &[], &[]);
    }

    /// Collects the rows of all rigid constraints of a problem, and those of `stops`, one-sided, at `continuous`.
    pub fn collect_all(&mut self, problem: &mut Problem, stops: &[Stop], continuous: &[f64]) {
        self.add_rows(problem, stops, true, continuous);
        self.find_answers(problem);
        self.find_schur(problem.size());
    }

    /// Collects the rows of all rigid constraints where `point` was evaluated, and those of `stops`, whose gaps are
    /// those of `continuous`.
    pub fn collect(&mut self, point: &mut StepPoint, stops: &[Stop], one_sided: bool, continuous: &[f64]) {
        let StepPoint { problem, plants, .. } = point;
        self.add_rows(problem, stops, one_sided, continuous);
        // Groups stand in the problem in the order in which the plants listed them.
        let (mut first, mut velocity) = (0, 0);
        for data in plants.iter() {
            for row in &mut self.rows {
                if let Source::Group(group, axis) = row.source
                    && let Some(rows) = group.checked_sub(first).and_then(|i| data.constraints.get(i))
                {
                    let v = problem.start_velocity().get(velocity..).unwrap_or_default();
                    row.curvature = curvature(rows, data, v)[axis];
                    row.unit = self.scales.unit_of(rows, velocity);
                }
            }
            first += data.constraints.len();
            velocity += data.bias.len();
        }
        if problem.has_redundant_rows() {
            self.project_curvature(problem);
        }
        self.find_answers(problem);
        self.find_schur(problem.size());
    }

    /// Removes from the curvatures the part along combinations of rows that no motion changes.
    fn project_curvature(&mut self, problem: &Problem) {
        self.of_groups.clear();
        self.of_groups.resize(problem.num_row_groups(), Vector3::zeros());
        for row in &self.rows {
            if let Source::Group(group, axis) = row.source {
                self.of_groups[group][axis] = row.curvature;
            }
        }
        problem.project_rows(&mut self.of_groups);
        for row in &mut self.rows {
            if let Source::Group(group, axis) = row.source {
                row.curvature = self.of_groups[group][axis];
            }
        }
    }

    fn add_rows(&mut self, problem: &Problem, stops: &[Stop], one_sided: bool, continuous: &[f64]) {
        self.rows.clear();
        self.entries.clear();
        self.answers.clear();
        self.blocks.clear();
        self.stops.clear();
        self.stops.extend(stops.iter().map(|stop| (problem.island_of(stop.velocity), *stop)));
        self.stops.sort_unstable_by_key(|(island, stop)| (*island, stop.velocity, stop.sign < 0.0));
        let mut next = 0;
        for island in 0..problem.islands().len() {
            let start = self.rows.len();
            for i in 0..problem.islands()[island].rows.len() {
                let group = problem.islands()[island].rows[i];
                self.add_group(problem, group);
            }
            let constrained = self.rows.len() > start;
            while let Some((_, stop)) = self.stops.get(next).filter(|(of, _)| *of == island) {
                let (gap, speed) = (stop.gap(continuous), stop.correction_speed);
                let at = self.entries.len();
                self.entries.push((stop.velocity, stop.sign));
                self.rows.push(Row {
                    source: Source::Stop(*stop),
                    entries: at..at + 1,
                    answers: 0..0,
                    one_sided,
                    violation: gap,
                    size: gap.abs(),
                    curvature: 0.0,
                    correction_speed: speed,
                    unit: self.scales.unit(stop.velocity),
                });
                next += 1;
            }
            if self.rows.len() > start {
                self.blocks.push(Block { rows: start..self.rows.len(), schur: 0, constrained });
            }
        }
    }

    fn add_group(&mut self, problem: &Problem, group: usize) {
        let rows = &problem.constraints.rows[group];
        if rows.compliance.is_some() {
            return;
        }
        let support = &problem.constraints.support[rows.support.clone()];
        for axis in 0..3 {
            let at = self.entries.len();
            let column = support.iter().map(|s| (s.velocity, s.column[axis]));
            self.entries.extend(column.filter(|(_, coefficient)| *coefficient != 0.0));
            if self.entries.len() > at {
                self.rows.push(Row {
                    source: Source::Group(group, axis),
                    entries: at..self.entries.len(),
                    answers: 0..0,
                    one_sided: false,
                    violation: rows.violation[axis],
                    size: rows.violation.norm(),
                    curvature: 0.0,
                    correction_speed: rows.correction_speed,
                    unit: 1.0,
                });
            }
        }
    }

    /// `M⁻¹ j'` of every row.
    fn find_answers(&mut self, problem: &mut Problem) {
        for row in &mut self.rows {
            let start = self.answers.len();
            let mut at = row.entries.start;
            while at < row.entries.end {
                let clique = problem.clique_of(self.entries[at].0);
                let velocities = problem.velocities_of(clique);
                self.rhs.clear();
                self.rhs.resize(velocities.len(), 0.0);
                while at < row.entries.end && velocities.contains(&self.entries[at].0) {
                    self.rhs[self.entries[at].0 - velocities.start] = self.entries[at].1;
                    at += 1;
                }
                if !problem.solve_mass(clique, &mut self.rhs) {
                    self.rhs.fill(f64::NAN);
                }
                self.answers.extend(velocities.zip(self.rhs.iter().copied()));
            }
            row.answers = start..self.answers.len();
        }
    }

    fn find_schur(&mut self, size: usize) {
        let RowSystem { rows, entries, answers, blocks, schur, dense, .. } = self;
        schur.clear();
        dense.clear();
        dense.resize(size, 0.0);
        for block in blocks {
            block.schur = schur.len();
            for column in &rows[block.rows.clone()] {
                let answer = &answers[column.answers.clone()];
                answer.iter().for_each(|(v, x)| dense[*v] = *x);
                schur.extend(rows[block.rows.clone()].iter().map(|row| along(&entries[row.entries.clone()], dense)));
                answer.iter().for_each(|(v, _)| dense[*v] = 0.0);
            }
        }
    }

    /// True if any row moves at `v`, or any stop is approached, by more than `speed` \[m/s\] or its equivalent.
    pub fn moves_wrongly(&self, v: &[f64], speed: f64) -> bool {
        self.rows.iter().any(|row| {
            let rate = along(&self.entries[row.entries.clone()], v) / row.unit;
            if row.one_sided { rate < -speed } else { rate.abs() > speed }
        })
    }

    /// Changes `x` so that each row gets its `wanted` value. `softness` is the part of the diagonal of S added to it,
    /// for islands with constraints (`true`) and with stops alone. `false` if there is no solution.
    pub fn solve(&mut self, wanted: impl Fn(&Row) -> f64, softness: impl Fn(bool) -> f64, x: &mut [f64]) -> bool {
        let count = self.rows.len();
        self.y.clear();
        self.y.resize(count, 0.0);
        self.short.clear();
        let entries = &self.entries;
        self.short.extend(self.rows.iter().map(|row| wanted(row) - along(&entries[row.entries.clone()], x)));
        self.on.clear();
        self.on.resize(count, true);
        for b in 0..self.blocks.len() {
            if !self.solve_block(b, softness(self.blocks[b].constrained)) {
                return false;
            }
        }
        for (row, y) in self.rows.iter().zip(&self.y).filter(|(_, y)| **y != 0.0) {
            self.answers[row.answers.clone()].iter().for_each(|(v, answer)| x[*v] += answer * y);
        }
        x.iter().all(|x| x.is_finite())
    }

    /// Adds to the velocities `x`, which were found last, the rebound of stops: the part `restitution` of the impulses
    /// that they took. Returns whether there was any.
    pub fn rebound(&self, restitution: impl Fn(&Stop) -> f64, x: &mut [f64]) -> bool {
        let mut any = false;
        for ((row, on), y) in self.rows.iter().zip(&self.on).zip(&self.y) {
            let Source::Stop(stop) = &row.source else { continue };
            let part = if *on { restitution(stop) } else { 0.0 };
            if part > 0.0 && *y > 0.0 {
                any = true;
                self.answers[row.answers.clone()].iter().for_each(|(v, answer)| x[*v] += part * answer * y);
            }
        }
        any
    }

    fn solve_block(&mut self, block: usize, softness: f64) -> bool {
        let Block { rows, schur, .. } = self.blocks[block].clone();
        let (first, m) = (rows.start, rows.len());
        let entry = |s: &[f64], i: usize, j: usize| s[schur + j * m + i];
        // A row that cannot move takes no part.
        for i in 0..m {
            self.on[first + i] = entry(&self.schur, i, i) > 0.0;
        }
        if (0..m).any(|i| entry(&self.schur, i, i).is_nan()) {
            return false;
        }
        let hardest = (0..m).filter(|i| self.on[first + i]).map(|i| self.short[first + i].abs()).fold(0.0, f64::max);
        if hardest == 0.0 {
            // No row violates its condition, and none presses.
            (0..m).filter(|i| self.rows[first + i].one_sided).for_each(|i| self.on[first + i] = false);
            return true;
        }
        for _ in 0..50 + 10 * m {
            self.acting.clear();
            self.acting.extend((0..m).filter(|i| self.on[first + i]));
            let n = self.acting.len();
            let matrix = self.factor.start(n);
            for (c, &j) in self.acting.iter().enumerate() {
                for (r, &i) in self.acting.iter().enumerate().skip(c) {
                    matrix[c * n + r] = entry(&self.schur, i, j);
                }
                matrix[c * n + c] *= 1.0 + softness;
            }
            if !self.factor.factor() {
                return false;
            }
            self.rhs.clear();
            self.rhs.extend(self.acting.iter().map(|i| self.short[first + i]));
            self.factor.solve(&mut self.rhs);
            self.y[rows.clone()].fill(0.0);
            self.acting.iter().zip(&self.rhs).for_each(|(i, y)| self.y[first + i] = *y);
            let wrong = (0..m).find(|&i| {
                let row = first + i;
                let own = entry(&self.schur, i, i);
                if !self.rows[row].one_sided || own <= 0.0 {
                    return false;
                }
                if self.on[row] {
                    return self.y[row] * own <= PRESSES * hardest;
                }
                let gained: f64 = (0..m).map(|j| entry(&self.schur, i, j) * self.y[first + j]).sum();
                self.short[row] - gained > 10.0 * PRESSES * hardest // rounding
            });
            match wrong {
                Some(i) => self.on[first + i] = !self.on[first + i],
                None => return true,
            }
        }
        false
    }

    /// Active stops of the last solution, in order.
    pub fn pressing(&self) -> impl Iterator<Item = Stop> + '_ {
        self.acting_stops().map(|(stop, _)| stop)
    }

    /// Their pressures, in the same order.
    pub fn pressures(&self) -> impl Iterator<Item = f64> + '_ {
        self.acting_stops().map(|(_, y)| y)
    }

    fn acting_stops(&self) -> impl Iterator<Item = (Stop, f64)> + '_ {
        let rows = self.rows.iter().zip(&self.on).zip(&self.y);
        rows.filter_map(|((row, on), y)| match row.source {
            Source::Stop(stop) if *on => Some((stop, *y)),
            _ => None,
        })
    }

    /// Multipliers of the rows of constraints: group, row, force.
    pub fn forces(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.rows.iter().zip(&self.y).filter_map(|(row, y)| match row.source {
            Source::Group(group, axis) => Some((group, axis, *y)),
            Source::Stop(_) => None,
        })
    }
}

/// The product of a row with a vector of all velocities.
fn along(entries: &[(usize, f64)], x: &[f64]) -> f64 {
    entries.iter().map(|(v, coefficient)| coefficient * x[*v]).sum()
}
