//! The rows of an island: what they measure, and by which law they answer.

use super::CORRECTION;
use crate::contact::{CompliantStop, Island, JointFriction, JointStops, LimitedEffort, Problem, RowCompliance};
use crate::solvers::inertia_groups::Groups;
use nalgebra::Vector3;
use std::ops::Range;

/// Whose impulse a row is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solvers) enum Owner {
    /// A contact point: its normal row; the rows of two tangents follow.
    Contact {
        pair: usize,
    },
    /// Row of a bilateral group.
    Group {
        group: usize,
        row: usize,
    },
    /// A lower (sign 1) or upper (-1) stop.
    Stop {
        element: usize,
        sign: f64,
    },
    /// A stop that gives way.
    CompliantStop {
        element: usize,
    },
    Effort {
        element: usize,
    },
    /// Dry friction of a joint.
    Friction {
        element: usize,
    },
    /// The tangent of the contact before.
    Tangent,
}

/// One row.
#[derive(Clone, Debug)]
pub(in crate::solvers) struct Row {
    pub owner: Owner,
    /// Its columns on groups, and where they stand in [`Rows::jacobian`] and [`Rows::response`].
    pub parts: Range<usize>,
    /// Velocity that the row measures while everything rests.
    pub bias: f64,
    pub target: f64,
    /// R \[1/kg\].
    pub softness: f64,
    pub lower: f64,
    pub upper: f64,
    /// Coefficient of friction, of a normal row.
    pub friction: f64,
    /// `J Y` of the row.
    pub mobility: f64,
    pub impulse: f64,
}

/// A row's columns on one group.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Part {
    pub group: usize,
    pub start: usize,
}

/// All rows of one island; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(in crate::solvers) struct Rows {
    pub all: Vec<Row>,
    pub parts: Vec<Part>,
    /// J and `A^-1 J'`, part after part, each of the size of its group.
    pub jacobian: Vec<f64>,
    pub response: Vec<f64>,
}

/// Two directions across a unit vector and each other.
fn tangents(normal: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let other = if normal.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
    let first = normal.cross(&other).normalize();
    [first, normal.cross(&first)]
}

/// The directions of the three rows of a contact.
pub(in crate::solvers) fn directions(normal: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let [first, second] = tangents(normal);
    [*normal, first, second]
}

/// When the laws of rigid rows hold, and how violations are removed.
///
/// Laws are about velocities `u = ratio J v + (1 - ratio) J v0` at a time that the gap in them is measured by. A row
/// measures `u/ratio`, which moves with its impulse as `J v` does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solvers) struct RowRules {
    /// The time from the start of the step at which the laws hold, in parts of the step that the problem is made for.
    pub ratio: f64,
    /// That time \[s\].
    pub time: f64,
    /// The part of a violation that is removed in a second \[1/s\].
    pub correction: f64,
    /// What is left of the violation of a contact \[m\].
    pub slop: f64,
    /// Largest speed at which the violation of a contact is removed \[m/s\], if less than that of the plant.
    pub speed: f64,
    /// The part of the speed at which bodies strike each other that contacts give back.
    pub restitution: f64,
    /// Whether contacts have a fourth row: the rate at which the bodies turn against each other about the normal.
    pub spin: bool,
}

impl RowRules {
    /// Laws at the end of a step of length `dt`.
    pub fn at_the_end(dt: f64) -> Self {
        let (ratio, correction) = (1.0, CORRECTION / dt);
        RowRules { ratio, time: dt, correction, slop: 0.0, speed: f64::INFINITY, restitution: 0.0, spin: false }
    }

    /// The velocity u that removes the violation `g0 >= 0` by and by, or lets a gap `-g0` close.
    fn target(&self, g0: f64, speed: f64) -> f64 {
        if g0 < 0.0 { g0 / self.time } else { (self.correction * g0).min(speed) }
    }

    /// The same of a contact that is struck at the rate `v0` of its gap.
    fn target_of_contact(&self, g0: f64, v0: f64, speed: f64) -> f64 {
        let g0 = if g0 < 0.0 { g0 } else { (g0 - self.slop).max(0.0) };
        let target = self.target(g0, speed.min(self.speed));
        if self.restitution > 0.0 && v0 < 0.0 && v0 < target { target.max(-self.restitution * v0) } else { target }
    }
}

impl Rows {
    /// Collects the rows of an island.
    pub fn enter(&mut self, problem: &Problem, island: &Island, groups: &Groups, rules: &RowRules) {
        self.all.clear();
        self.parts.clear();
        self.jacobian.clear();
        for &p in &island.patches {
            for i in problem.patches[p].pairs.clone() {
                let bodies = (problem.patches[p].body_a, problem.patches[p].body_b);
                self.add_contact(problem, bodies, i, groups, rules);
            }
        }
        for &g in &island.rows {
            self.add_group(problem, g, groups, rules);
        }
        let on_island = |velocity: usize| !problem.locked[velocity] && problem.island_of(velocity) == island.index;
        let stops = problem.elements.of::<JointStops>().iter().enumerate();
        for (element, stops) in stops.filter(|(_, stops)| on_island(stops.velocity)) {
            for (sign, gap) in [(1.0, stops.lower_gap), (-1.0, stops.upper_gap)] {
                if gap.is_finite() {
                    let row = self.add(Owner::Stop { element, sign });
                    let target = rules.target(-gap, stops.correction_speed);
                    row.target = stops.rebound.speed(sign, target, rules.time).unwrap_or(target) / rules.ratio;
                    (row.lower, row.upper) = (0.0, f64::INFINITY);
                    self.put(problem, stops.velocity, sign, groups);
                    self.look_back(problem, groups, rules);
                }
            }
        }
        let compliant = problem.elements.of::<CompliantStop>().iter().enumerate();
        for (element, stop) in compliant.filter(|(_, stop)| on_island(stop.velocity)) {
            let dt = problem.dt;
            // The damping of the force that the stop has now.
            let gain = stop.stiffness * (dt + stop.dissipation * (-stop.gap).max(0.0));
            let row = self.add(Owner::CompliantStop { element });
            (row.softness, row.target) = (1.0 / (dt * gain), -stop.gap * stop.stiffness / gain);
            (row.lower, row.upper) = (0.0, f64::INFINITY);
            self.put(problem, stop.velocity, stop.sign, groups);
        }
        let frictions = problem.elements.of::<JointFriction>().iter().enumerate();
        for (element, friction) in frictions.filter(|(_, friction)| on_island(friction.velocity)) {
            let row = self.add(Owner::Friction { element });
            (row.lower, row.upper) = (-problem.dt * friction.force, problem.dt * friction.force);
            self.put(problem, friction.velocity, 1.0, groups);
            self.look_back(problem, groups, rules);
        }
        let efforts = problem.elements.of::<LimitedEffort>().iter().enumerate();
        for (element, effort) in efforts.filter(|(_, effort)| on_island(effort.velocity)) {
            let row = self.add(Owner::Effort { element });
            (row.lower, row.upper) = (-problem.dt * effort.limit, problem.dt * effort.limit);
            if effort.gain > 0.0 {
                (row.softness, row.target) = (1.0 / (problem.dt * effort.gain), effort.bias / effort.gain);
            } else {
                let impulse = (problem.dt * effort.bias).clamp(row.lower, row.upper);
                (row.lower, row.upper) = (impulse, impulse);
            }
            self.put(problem, effort.velocity, 1.0, groups);
        }
    }

    fn add_contact(&mut self, problem: &Problem, (a, b): (usize, usize), i: usize, groups: &Groups, rules: &RowRules) {
        let pair = &problem.pairs[i];
        let axes = directions(&pair.contact.normal);
        let count = if rules.spin { 4 } else { 3 };
        for k in 0..count {
            let direction = axes[k % 3];
            let row = self.add(if k == 0 { Owner::Contact { pair: i } } else { Owner::Tangent });
            row.bias = if k < 3 { direction.dot(&pair.bias_velocity) / rules.ratio } else { 0.0 };
            for (body, arm, sign) in [(b, &pair.p_BC, 1.0), (a, &pair.p_AC, -1.0)] {
                let Some(clique) = problem.bodies[body].clique else { continue };
                for (local, velocity) in problem.velocities_of(clique).enumerate() {
                    let (w, v) = problem.body_column(body, local);
                    let along = if k < 3 { direction.dot(&(v + w.cross(arm))) } else { direction.dot(&w) };
                    self.put(problem, velocity, sign * along, groups);
                }
            }
            let v0 = self.look_back(problem, groups, rules);
            if k == 0 {
                let Some(row) = self.all.last_mut() else { continue };
                row.target = rules.target_of_contact(pair.depth, v0, problem.correction_speed) / rules.ratio;
                row.friction = pair.contact.friction;
                (row.lower, row.upper) = (0.0, f64::INFINITY);
            }
        }
    }

    /// Makes the last row measure `u/ratio`. Returns `J v0`.
    fn look_back(&mut self, problem: &Problem, groups: &Groups, rules: &RowRules) -> f64 {
        let Some(row) = self.all.last_mut() else { return 0.0 };
        let mut v0 = 0.0;
        for part in &self.parts[row.parts.clone()] {
            let velocities = &groups.all()[part.group].velocities;
            v0 += self.jacobian[part.start..].iter().zip(velocities).map(|(j, &at)| j * problem.v0[at]).sum::<f64>();
        }
        row.bias += (1.0 - rules.ratio) / rules.ratio * v0;
        v0
    }

    fn add_group(&mut self, problem: &Problem, g: usize, groups: &Groups, rules: &RowRules) {
        let group = &problem.rows[g];
        let dt = problem.dt;
        let speed = (rules.correction * group.violation.norm()).max(f64::MIN_POSITIVE);
        let slowed = (group.correction_speed / speed).min(1.0);
        for k in 0..3 {
            let support = &problem.support[group.support.clone()];
            if support.iter().all(|s| s.column[k] == 0.0) {
                continue;
            }
            let row = self.add(Owner::Group { group: g, row: k });
            row.target = -rules.correction * group.violation[k] * slowed / rules.ratio;
            if let Some(RowCompliance { stiffness, damping }) = group.compliance {
                let gain = dt * stiffness + damping;
                if gain == 0.0 {
                    (row.lower, row.upper) = (0.0, 0.0);
                } else {
                    (row.softness, row.target) = (1.0 / (dt * gain), -group.violation[k] * stiffness / gain);
                }
            }
            for s in support {
                self.put(problem, s.velocity, s.column[k], groups);
            }
            if group.compliance.is_none() {
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

    /// Adds to the entry of the last row at a velocity.
    fn put(&mut self, problem: &Problem, velocity: usize, value: f64, groups: &Groups) {
        if value == 0.0 {
            return;
        }
        let (group, place) = groups.place_of(problem, velocity);
        let Some(row) = self.all.last_mut() else { return };
        let known = self.parts[row.parts.clone()].iter().find(|part| part.group == group).map(|part| part.start);
        let start = known.unwrap_or_else(|| {
            let start = self.jacobian.len();
            self.jacobian.resize(start + groups.all()[group].velocities.len(), 0.0);
            self.parts.push(Part { group, start });
            row.parts.end += 1;
            start
        });
        self.jacobian[start + place] += value;
    }

    /// Finds `A^-1 J'` and the mobilities.
    pub fn respond(&mut self, groups: &mut Groups) {
        self.response.clone_from(&self.jacobian);
        for row in &mut self.all {
            row.mobility = 0.0;
            for part in &self.parts[row.parts.clone()] {
                let n = groups.all()[part.group].velocities.len();
                let range = part.start..part.start + n;
                groups.solve(part.group, &mut self.response[range.clone()]);
                let products = self.jacobian[range.clone()].iter().zip(&self.response[range]);
                row.mobility += products.map(|(j, y)| j * y).sum::<f64>();
            }
        }
    }

    /// What row `i` measures when the velocities are `v`.
    pub fn velocity(&self, i: usize, groups: &Groups, v: &[f64]) -> f64 {
        let row = &self.all[i];
        let mut sum = row.bias;
        for part in &self.parts[row.parts.clone()] {
            let velocities = &groups.all()[part.group].velocities;
            sum += self.jacobian[part.start..].iter().zip(velocities).map(|(j, &at)| j * v[at]).sum::<f64>();
        }
        sum
    }

    /// Moves the velocities by the change `impulse` of the impulse of row `i`.
    pub fn apply(&self, i: usize, impulse: f64, groups: &Groups, v: &mut [f64]) {
        for part in &self.parts[self.all[i].parts.clone()] {
            let velocities = &groups.all()[part.group].velocities;
            for (y, &at) in self.response[part.start..].iter().zip(velocities) {
                v[at] += y * impulse;
            }
        }
    }

    /// `J_i A^-1 J_k'`.
    pub fn coupling(&self, i: usize, k: usize, groups: &Groups) -> f64 {
        let mut sum = 0.0;
        for a in &self.parts[self.all[i].parts.clone()] {
            for b in self.parts[self.all[k].parts.clone()].iter().filter(|b| b.group == a.group) {
                let n = groups.all()[a.group].velocities.len();
                let products = self.jacobian[a.start..a.start + n].iter().zip(&self.response[b.start..b.start + n]);
                sum += products.map(|(j, y)| j * y).sum::<f64>();
            }
        }
        sum
    }
}
