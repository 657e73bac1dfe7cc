//! Rows of what holds: rigid constraints, contact points that stick or slide, stops and locks. `J v + bias = 0`.

use crate::choices::contact_model::{HELD_GAP, STICKS};
use crate::integrators::FrictionPlace;
use crate::integrators::contact::ForcesAt;
use kinegraph_convex::contact::{ContactRow, Problem, RowGroup};
use kinegraph_core::convex::FEATURE_BITS;
use nalgebra::{DMatrix, DVector, Vector3};

/// A contact point, to be found again after a small motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::state_space) struct PointName {
    bodies: (usize, usize),
    key: u64,
    /// From the origin of A \[m\].
    place: Vector3<f64>,
}

impl PointName {
    /// The name of a point.
    pub fn of(row: &ContactRow) -> Self {
        PointName { bodies: (row.body_a, row.body_b), key: row.key, place: row.p_AC }
    }
}

/// One thing that holds.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::state_space) enum Item {
    /// A contact point: three rows in world axes if it sticks, else one along the normal.
    Point { name: PointName, sticks: bool },
    /// A stop of a joint beyond it, by its velocity among those of all plants, and the direction away from it.
    Stop { velocity: usize, sign: f64 },
    /// A locked velocity.
    Lock(usize),
}

/// The rows at one evaluation.
#[derive(Clone, Debug, Default)]
pub(in crate::state_space) struct Rows {
    /// Rows x velocities of all plants.
    pub jacobian: DMatrix<f64>,
    /// Velocities of the rows while nothing moves: those of moving surfaces.
    pub bias: DVector<f64>,
    /// Contact points: item, first row, and the point.
    pub points: Vec<(usize, usize, ContactRow)>,
}

impl Rows {
    /// Velocities of the rows.
    pub fn velocity(&self, v: &DVector<f64>) -> DVector<f64> {
        &self.jacobian * v + &self.bias
    }
}

/// Items that may hold at the last evaluation: with `contacts` contact points that touch and do not part.
pub(in crate::state_space) fn candidates(at: &ForcesAt, q: &[f64], contacts: bool) -> Vec<Item> {
    let mut items: Vec<Item> = at.locked().iter().map(|velocity| Item::Lock(*velocity)).collect();
    if !contacts {
        return items;
    }
    for row in at.problem().contacts.points.iter().filter(|row| row.depth >= -HELD_GAP) {
        let least = STICKS * row.start.slip_tolerance;
        // What still sinks in has met the other body; what parts from it goes on.
        if row.start.separation0 <= least {
            let sticks = row.start.slip0.norm() <= least;
            items.push(Item::Point { name: PointName::of(row), sticks });
        }
    }
    for slot in &at.layout().plants {
        let structure = at.layout().plant(at.diagram(), slot).structure();
        let least = STICKS * at.layout().plant(at.diagram(), slot).stiction_tolerance();
        for limit in structure.limits.iter().filter(|limit| limit.compliance.is_none()) {
            let x = q[slot.positions.start + limit.position];
            let velocity = slot.global.start + limit.velocity;
            let leaves = |sign: f64| sign * at.problem().trees.v0[velocity] > least;
            let beyond = limit.stops().find(|(sign, place)| sign * (x - place) <= HELD_GAP && !leaves(*sign));
            items.extend(beyond.map(|(sign, _)| Item::Stop { velocity, sign }));
        }
    }
    items
}

/// Evaluates contacts at `continuous`, those that a small motion opens, too.
pub(in crate::state_space) fn evaluate(at: &mut ForcesAt, time: f64, continuous: &[f64]) {
    const OPENED: f64 = 1e-3; // size: far beyond what the steps of differences open
    at.evaluate(time, continuous, OPENED, FrictionPlace::AtPoints);
}

/// The rows of rigid constraints and of `items` at the last evaluation.
pub(in crate::state_space) fn rows(at: &ForcesAt, items: &[Item]) -> Rows {
    let problem = at.problem();
    let n = problem.size();
    let (mut all, mut bias): (Vec<DVector<f64>>, Vec<f64>) = Default::default();
    let mut points = Vec::new();
    for group in problem.constraints.rows.iter().filter(|group| is_rigid(group)) {
        for axis in 0..group.count {
            let mut row = DVector::zeros(n);
            for support in &problem.constraints.support[group.support.clone()] {
                row[support.velocity] += support.column[axis];
            }
            all.push(row);
            bias.push(0.0);
        }
    }
    for (i, item) in items.iter().enumerate() {
        match item {
            Item::Lock(velocity) | Item::Stop { velocity, .. } => {
                let mut row = DVector::zeros(n);
                row[*velocity] = 1.0;
                all.push(row);
                bias.push(0.0);
            }
            Item::Point { name, sticks } => {
                let count = if *sticks { 3 } else { 1 };
                let Some(point) = find(problem, *name) else {
                    all.resize(all.len() + count, DVector::zeros(n));
                    bias.resize(bias.len() + count, 0.0);
                    continue;
                };
                points.push((i, all.len(), *point));
                let jacobian = jacobian(problem, point);
                if *sticks {
                    (0..3).for_each(|axis| all.push(jacobian.row(axis).transpose()));
                    bias.extend(point.bias_velocity.iter());
                } else {
                    all.push(jacobian.tr_mul(&point.normal));
                    bias.push(point.normal.dot(&point.bias_velocity));
                }
            }
        }
    }
    let jacobian = DMatrix::from_fn(all.len(), n, |i, j| all[i][j]);
    Rows { jacobian, bias: DVector::from_vec(bias), points }
}

/// Number of rows of rigid constraints, which come first.
pub(in crate::state_space) fn constraint_rows(at: &ForcesAt) -> usize {
    at.problem().constraints.rows.iter().filter(|group| is_rigid(group)).map(|group| group.count).sum()
}

fn is_rigid(group: &RowGroup) -> bool {
    group.compliance.is_none() && !group.acts_otherwise()
}

/// The point of the same two shapes that is nearest to where this one was: edges and corners are numbered anew as
/// bodies move.
pub(in crate::state_space) fn find(problem: &Problem, name: PointName) -> Option<&ContactRow> {
    let shapes = name.key >> FEATURE_BITS;
    let of_shapes = |row: &&ContactRow| (row.body_a, row.body_b) == name.bodies && row.key >> FEATURE_BITS == shapes;
    let away = |row: &&ContactRow| ((row.p_AC - name.place).norm_squared(), row.key != name.key);
    let nearer = |a: &(f64, bool), b: &(f64, bool)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    problem.contacts.points.iter().filter(of_shapes).min_by(|a, b| nearer(&away(a), &away(b)))
}

/// Velocity of a contact point, B against A, by the velocities of all plants.
pub(in crate::state_space) fn jacobian(problem: &Problem, point: &ContactRow) -> DMatrix<f64> {
    let mut unit = vec![0.0; problem.size()];
    let mut jacobian = DMatrix::zeros(3, problem.size());
    let cliques = [point.body_a, point.body_b].map(|body| problem.trees.bodies[body].clique);
    let velocities = cliques.into_iter().flatten().flat_map(|clique| problem.velocities_of(clique));
    for j in velocities {
        unit[j] = 1.0;
        let (a, b) = (problem.body_velocity(point.body_a, &unit), problem.body_velocity(point.body_b, &unit));
        unit[j] = 0.0;
        jacobian.set_column(j, &point.velocity_between(&a, &b));
    }
    jacobian
}

/// Friction per normal force on B at a point that slides.
pub(in crate::state_space) fn friction(point: &ContactRow) -> Vector3<f64> {
    let start = &point.start;
    -start.slip0 * (start.friction / start.slip0.norm().hypot(start.slip_tolerance))
}
