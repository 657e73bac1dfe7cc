//! Rows of an island: their Jacobian and their laws.

use super::constraints::{row_of_group, rows_of_range};
use super::elements::{LAST_TURN, SweepRow, rows_of, turn_of};
use super::row_rules::RowRules;
use crate::choices::sweeps::SURFACE_YIELD;
use crate::inertia_groups::Groups;
use kinegraph_convex::contact::{Element, ElementVisitor, Island, Problem, visit};
use kinegraph_core::convex::surface_of;
use nalgebra::Vector3;
use std::any::TypeId;
use std::ops::Range;

/// Owner of a row's impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Owner {
    /// A contact point: its normal row; the rows of two tangents follow.
    Contact { pair: usize },
    /// One end of the range of a group's row, and the direction away from it.
    Range { group: usize, sign: f64 },
    /// Row of a bilateral group.
    Group { group: usize, row: usize },
    /// Row of an element: its kind, its number among those, and the sign of the row.
    Element { kind: TypeId, element: usize, sign: f64 },
    /// Tangent of the contact before.
    Tangent,
}

/// One row.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub owner: Owner,
    /// Its columns by groups: range in [`Rows::parts`].
    pub parts: Range<usize>,
    /// Velocity of the row while all bodies are at rest.
    pub bias: f64,
    pub target: f64,
    /// Compliance R \[1/kg\].
    pub softness: f64,
    pub lower: f64,
    pub upper: f64,
    /// Coefficient of friction, of a normal row.
    pub friction: f64,
    /// Mobility `J Y` of the row.
    pub mobility: f64,
    pub impulse: f64,
}

/// A row's columns on one group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub group: usize,
    /// Start of its columns in [`Rows::jacobian`]: `count` columns, from index `first` of the group on.
    pub start: usize,
    pub first: usize,
    pub count: usize,
    /// Start of its columns in [`Rows::response`], which has those of all indices of the group.
    pub response: usize,
}

impl Part {
    fn columns(&self) -> Range<usize> {
        self.start..self.start + self.count
    }

    fn places(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

/// All rows of one island; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub all: Vec<Row>,
    pub parts: Vec<Part>,
    /// J and `A^-1 J'`, part after part.
    pub jacobian: Vec<f64>,
    pub response: Vec<f64>,
}

/// Two unit vectors orthogonal to `normal` and to each other.
fn tangents(normal: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let other = if normal.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
    let first = normal.cross(&other).normalize();
    [first, normal.cross(&first)]
}

/// Directions of the three rows of a contact.
pub(crate) fn directions(normal: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let [first, second] = tangents(normal);
    [*normal, first, second]
}

/// Adds the rows of elements of one turn.
struct AddRows<'a> {
    rows: &'a mut Rows,
    problem: &'a Problem,
    groups: &'a Groups,
    rules: &'a RowRules,
    turn: u8,
    on_island: &'a dyn Fn(usize) -> bool,
}

impl ElementVisitor for AddRows<'_> {
    fn visit<E: Element>(&mut self) {
        let AddRows { rows, problem, groups, rules, turn, on_island } = self;
        if turn_of::<E>() != *turn {
            return;
        }
        let kind = TypeId::of::<E>();
        let elements = problem.elements.of::<E>().iter().enumerate();
        for (element, data) in elements.filter(|(_, data)| on_island(data.velocity())) {
            rows_of(data, rules, problem.step_terms.dt, &mut |found: SweepRow| {
                let row = rows.add(Owner::Element { kind, element, sign: found.sign });
                (row.target, row.softness) = (found.target, found.softness);
                (row.lower, row.upper) = (found.lower, found.upper);
                rows.put(problem, data.velocity(), found.sign, groups);
                if found.rigid {
                    rows.look_back(problem, groups, rules);
                }
            });
        }
    }
}

impl Rows {
    /// Collects the rows of an island.
    pub fn enter(&mut self, problem: &Problem, island: &Island, groups: &Groups, rules: &RowRules) {
        self.all.clear();
        self.parts.clear();
        self.jacobian.clear();
        for &p in &island.patches {
            let pairs = problem.contacts.patches[p].points.clone();
            let surface = |i: &usize| surface_of(problem.contacts.points[*i].key).is_some();
            let stiffness: f64 =
                pairs.clone().filter(surface).map(|i| problem.contacts.points[i].material.stiffness).sum();
            for i in pairs {
                let bodies = [problem.contacts.patches[p].body_a, problem.contacts.patches[p].body_b];
                let normal = self.all.len();
                self.add_contact(problem, bodies, i, groups, rules);
                let pair = &problem.contacts.points[i];
                if surface(&i) && pair.material.stiffness > 0.0 {
                    self.all[normal].softness =
                        SURFACE_YIELD * pair.start.mobility * stiffness / pair.material.stiffness;
                }
            }
        }
        for &g in &island.rows {
            self.add_group(problem, g, groups, rules);
        }
        let on_island =
            |velocity: usize| !problem.trees.locked[velocity] && problem.island_of(velocity) == island.index;
        for turn in 0..=LAST_TURN {
            visit(&mut AddRows { rows: self, problem, groups, rules, turn, on_island: &on_island });
        }
    }

    fn add_contact(&mut self, problem: &Problem, [a, b]: [usize; 2], i: usize, groups: &Groups, rules: &RowRules) {
        let pair = &problem.contacts.points[i];
        let axes = directions(&pair.normal);
        let count = if rules.spin { 4 } else { 3 };
        for k in 0..count {
            let direction = if k < 3 { pair.scaled(&axes[k]) } else { axes[0] };
            let row = self.add(if k == 0 { Owner::Contact { pair: i } } else { Owner::Tangent });
            row.bias = if k < 3 { axes[k].dot(&pair.bias_velocity) / rules.ratio } else { 0.0 };
            for (body, arm, sign) in [(b, &pair.p_BC, 1.0), (a, &pair.p_AC, -1.0)] {
                let Some(clique) = problem.trees.bodies[body].clique else { continue };
                for (local, velocity) in problem.velocities_of(clique).enumerate() {
                    let (w, v) = problem.body_column(body, local);
                    let along = if k < 3 { direction.dot(&(v + w.cross(arm))) } else { direction.dot(&w) };
                    self.put(problem, velocity, sign * along, groups);
                }
            }
            let v0 = self.look_back(problem, groups, rules);
            if k == 0 {
                let Some(row) = self.all.last_mut() else { continue };
                row.target = rules.target_of_contact(pair.depth, v0, problem.settings.correction_speed) / rules.ratio;
                row.friction = pair.start.friction;
                (row.lower, row.upper) = (0.0, f64::INFINITY);
            }
        }
    }

    /// Changes the bias of the last row so that it measures `u/ratio`. Returns `J v0`.
    fn look_back(&mut self, problem: &Problem, groups: &Groups, rules: &RowRules) -> f64 {
        let Some(row) = self.all.last_mut() else { return 0.0 };
        let mut v0 = 0.0;
        for part in &self.parts[row.parts.clone()] {
            let velocities = &groups.all()[part.group].velocities;
            v0 += self.jacobian[part.start..]
                .iter()
                .zip(velocities)
                .map(|(j, &at)| j * problem.trees.v0[at])
                .sum::<f64>();
        }
        row.bias += (1.0 - rules.ratio) / rules.ratio * v0;
        v0
    }

    fn add_group(&mut self, problem: &Problem, g: usize, groups: &Groups, rules: &RowRules) {
        let group = &problem.constraints.rows[g];
        if group.range.is_some() {
            rows_of_range(group, problem.step_terms.dt, &mut |found: SweepRow| {
                let row = self.add(Owner::Range { group: g, sign: found.sign });
                (row.target, row.softness) = (found.target, found.softness);
                (row.lower, row.upper) = (found.lower, found.upper);
                for s in &problem.constraints.support[group.support.clone()] {
                    self.put(problem, s.velocity, found.sign * s.column.x, groups);
                }
            });
            return;
        }
        for k in 0..3 {
            let support = &problem.constraints.support[group.support.clone()];
            if support.iter().all(|s| s.column[k] == 0.0) {
                continue;
            }
            let found = row_of_group(group, k, rules, problem.step_terms.dt);
            let row = self.add(Owner::Group { group: g, row: k });
            (row.target, row.softness) = (found.target, found.softness);
            (row.lower, row.upper) = (found.lower, found.upper);
            for s in support {
                self.put(problem, s.velocity, s.column[k], groups);
            }
            if found.rigid {
                self.look_back(problem, groups, rules);
            }
        }
    }

    fn add(&mut self, owner: Owner) -> &mut Row {
        let at = self.parts.len();
        let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
        self.all.push(Row {
            owner,
            parts: at..at,
            bias: 0.0,
            target: 0.0,
            softness: 0.0,
            lower,
            upper,
            friction: 0.0,
            mobility: 0.0,
            impulse: 0.0,
        });
        let last = self.all.len() - 1;
        &mut self.all[last]
    }

    /// Adds `value` to the entry of the last row at a velocity.
    fn put(&mut self, problem: &Problem, velocity: usize, value: f64, groups: &Groups) {
        if value == 0.0 {
            return;
        }
        let (group, place) = groups.place_of(problem, velocity);
        let Some(row) = self.all.last_mut() else { return };
        let known = self.parts[row.parts.clone()].iter().find(|part| part.group == group).map(|part| part.start);
        let start = known.unwrap_or_else(|| {
            let (start, count) = (self.jacobian.len(), groups.all()[group].velocities.len());
            self.jacobian.resize(start + count, 0.0);
            self.parts.push(Part { group, start, first: 0, count, response: start });
            row.parts.end += 1;
            start
        });
        self.jacobian[start + place] += value;
    }

    /// Computes `A^-1 J'` and the mobilities; parts have columns on all of their groups.
    pub fn respond(&mut self, groups: &mut Groups) {
        self.response.clone_from(&self.jacobian);
        for row in &mut self.all {
            row.mobility = 0.0;
            for part in &self.parts[row.parts.clone()] {
                let range = part.columns();
                groups.solve(part.group, &mut self.response[range.clone()]);
                let products = self.jacobian[range.clone()].iter().zip(&self.response[range]);
                row.mobility += products.map(|(j, y)| j * y).sum::<f64>();
            }
        }
    }

    /// Velocity that row `i` measures at `v`.
    pub fn velocity(&self, i: usize, groups: &Groups, v: &[f64]) -> f64 {
        let row = &self.all[i];
        let mut sum = row.bias;
        for part in &self.parts[row.parts.clone()] {
            let velocities = &groups.all()[part.group].velocities[part.places()];
            sum += self.jacobian[part.columns()].iter().zip(velocities).map(|(j, &at)| j * v[at]).sum::<f64>();
        }
        sum
    }

    /// Adds the effect of the change `impulse` of the impulse of row `i` to the velocities.
    pub fn apply(&self, i: usize, impulse: f64, groups: &Groups, v: &mut [f64]) {
        for part in &self.parts[self.all[i].parts.clone()] {
            let velocities = &groups.all()[part.group].velocities;
            for (y, &at) in self.response[part.response..].iter().zip(velocities) {
                v[at] += y * impulse;
            }
        }
    }

    /// `J_i A^-1 J_k'`.
    pub fn coupling(&self, i: usize, k: usize) -> f64 {
        let mut sum = 0.0;
        for a in &self.parts[self.all[i].parts.clone()] {
            for b in self.parts[self.all[k].parts.clone()].iter().filter(|b| b.group == a.group) {
                let products = self.jacobian[a.columns()].iter().zip(&self.response[b.response + a.first..]);
                sum += products.map(|(j, y)| j * y).sum::<f64>();
            }
        }
        sum
    }
}
