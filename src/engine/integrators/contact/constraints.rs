//! Constraints of plants in the convex problem, and their impulses in a solve.

use super::point::StepPoint;
use kinegraph_convex::contact::{self, BodyExtent, Problem, RowCompliance, RowName, Rows, STICTION_PART};
use kinegraph_core::convex::{
    BodyStructure, Compliance, ConstraintRows, Coordinate, NO_CONSTRAINT, PlantPoint, PlantStructure, RowFriction,
    RowMeasure,
};
use nalgebra::{Matrix3, Vector3};

/// The impulse of one run of rows of a constraint within a step.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintImpulse {
    /// The plant, counted over the plants of the diagram.
    pub plant: usize,
    /// Rows: constraint, bodies and points.
    pub rows: ConstraintRows,
    /// Impulse by the measure of the rows. Orientation: torque on B, in world \[N m s\]. Point: force on B at C, in
    /// world \[N s\]. Turn and Shift: these before the transpose of their map. Distance: the first number, along the
    /// direction, on B at Q. Coordinates: the first number, times the coefficient of each velocity. A gets the opposite
    /// at the same point (of a distance, at P).
    pub impulse: [f64; 3],
}

/// Adds the rows of a plant's active constraints, in order; `body` and `velocity` are its first body and velocity.
/// Redundant rows are dropped.
pub(super) fn add(
    problem: &mut Problem,
    structure: &PlantStructure,
    data: &PlantPoint,
    first: [usize; 2],
    stiction_tolerance: f64,
) {
    let before = problem.num_row_groups();
    add_all(problem, structure, data, first, stiction_tolerance);
    problem.drop_redundant_rows(before);
}

/// Adds the rows as [`add`] does, redundant ones, too.
pub(super) fn add_all(
    problem: &mut Problem,
    structure: &PlantStructure,
    data: &PlantPoint,
    [body, velocity]: [usize; 2],
    stiction_tolerance: f64,
) {
    let is_rigid = |rows: &&ConstraintRows| rows.compliance.is_none() && rows.friction.is_none();
    for held in data.constraints.iter().filter(is_rigid).filter_map(|rows| bodies(&rows.measure)).flatten() {
        problem.set_extent(body + held, extent(&structure.bodies[held], &data.R_WB[held]));
    }
    let mut named = RowName { plant: body, constraint: NO_CONSTRAINT, part: 0 };
    // Ranges and friction of tendons are always all present: their order names them.
    let mut nameless = 0;
    let p = |p_WC: &[f64; 3], of: usize| Vector3::from(*p_WC) - Vector3::from(data.p_WB[of]);
    for rows in &data.constraints {
        let measure = match &rows.measure {
            RowMeasure::Orientation { body_a: a, body_b: b } => {
                Rows::Orientation { body_a: body + a, body_b: body + b }
            }
            RowMeasure::Point { body_a: a, body_b: b, p_WC } => {
                Rows::Point { body_a: body + a, p_AP: p(p_WC, *a), body_b: body + b, p_BQ: p(p_WC, *b) }
            }
            RowMeasure::Turn { body_a: a, body_b: b, axes } => {
                Rows::Turn { body_a: body + a, body_b: body + b, axes: Matrix3::from(*axes) }
            }
            RowMeasure::Shift { body_a: a, body_b: b, p_WC, axes, turn } => Rows::Shift {
                body_a: body + a,
                p_AP: p(p_WC, *a),
                body_b: body + b,
                p_BQ: p(p_WC, *b),
                axes: Matrix3::from(*axes),
                turn: Matrix3::from(*turn),
            },
            RowMeasure::Distance { body_a: a, body_b: b, p_WP, p_WQ, direction } => Rows::Distance {
                body_a: body + a,
                p_AP: p(p_WP, *a),
                body_b: body + b,
                p_BQ: p(p_WQ, *b),
                direction: Vector3::from(*direction),
            },
            RowMeasure::Coordinates(plant) => {
                let used = plant.iter().rposition(|(_, coefficient)| *coefficient != 0.0).map_or(1, |last| last + 1);
                Rows::Coordinates { first: velocity, entries: &plant[..used] }
            }
            RowMeasure::Arms { first, count } => {
                Rows::Coordinates { first: velocity, entries: &data.arms[*first..first + count] }
            }
        };
        if rows.constraint == NO_CONSTRAINT {
            (named.constraint, named.part) = (NO_CONSTRAINT, nameless);
        } else if rows.constraint == named.constraint {
            named.part += 1;
        } else {
            (named.constraint, named.part) = (rows.constraint, 0);
        }
        if let Some(range) = rows.range {
            let group = problem.add_range(measure, rows.violation[0], range);
            problem.set_name(group, named);
            nameless += 1;
            continue;
        }
        match (&rows.friction, &rows.measure) {
            (Some(RowFriction::Largest { forces, creep }), _) => {
                let largest = Vector3::from(*forces);
                let creep = creep.max(STICTION_PART * stiction_tolerance);
                let friction = contact::RowFriction { largest, shared: false, creep };
                let group = problem.add_friction_rows(measure, friction);
                problem.set_name(group, named);
                nameless += 1;
                continue;
            }
            (Some(RowFriction::OfContacts { normal }), RowMeasure::Turn { body_a, body_b, .. }) => {
                let creep = stiction_tolerance * problem.settings.scales.unit(Coordinate::Angle);
                problem.add_resistance(measure, [body + body_a, body + body_b], Vector3::from(*normal), creep);
                continue;
            }
            _ => {}
        }
        let law = |c: Compliance| RowCompliance { stiffness: c.stiffness, damping: c.damping };
        let compliance = rows.compliance.map(|laws| laws.map(law));
        let group = problem.add_rows_by_axis(measure, Vector3::from(rows.violation), compliance);
        problem.set_name(group, named);
        if rows.material {
            problem.set_material(group);
        }
    }
}

/// Size of a body with the orientation `R_WB`.
fn extent(body: &BodyStructure, R_WB: &[f64; 9]) -> BodyExtent {
    let center = Matrix3::from_column_slice(R_WB) * Vector3::from(body.center_of_mass);
    // The moments of inertia sum up to twice that about the centre.
    let about_center = 0.5 * body.moments.iter().sum::<f64>();
    let gyration = if body.mass > 0.0 { (about_center / body.mass).max(0.0).sqrt() } else { 0.0 };
    BodyExtent { center, gyration }
}

/// Writes the force of rows of this `measure` to the place of the multipliers of a constraint: torque, then force; a
/// single number comes first.
pub(super) fn write_multiplier(measure: &RowMeasure, force: &Vector3<f64>, to: &mut [f64; 6]) {
    match measure {
        RowMeasure::Orientation { .. } => to[..3].copy_from_slice(force.as_slice()),
        RowMeasure::Point { .. } => to[3..].copy_from_slice(force.as_slice()),
        RowMeasure::Turn { axes, .. } => to[..3].copy_from_slice(Matrix3::from(*axes).tr_mul(force).as_slice()),
        RowMeasure::Shift { axes, .. } => to[3..].copy_from_slice(Matrix3::from(*axes).tr_mul(force).as_slice()),
        RowMeasure::Distance { .. } | RowMeasure::Coordinates(_) | RowMeasure::Arms { .. } => to[0] = force.x,
    }
}

/// Bodies that rows connect.
fn bodies(measure: &RowMeasure) -> Option<[usize; 2]> {
    match *measure {
        RowMeasure::Orientation { body_a, body_b }
        | RowMeasure::Point { body_a, body_b, .. }
        | RowMeasure::Turn { body_a, body_b, .. }
        | RowMeasure::Shift { body_a, body_b, .. }
        | RowMeasure::Distance { body_a, body_b, .. } => Some([body_a, body_b]),
        RowMeasure::Coordinates(_) | RowMeasure::Arms { .. } => None,
    }
}

/// Marks the bodies that a plant's active constraints connect.
pub(super) fn mark_bodies(data: &PlantPoint, wanted: &mut [bool]) {
    let held = data.constraints.iter().filter_map(|rows| bodies(&rows.measure));
    held.flatten().for_each(|body| wanted[body] = true);
}

impl StepPoint {
    /// Appends the impulses of all active constraints in the last step from this point. Divided by the length of that
    /// step they are its mean forces.
    pub fn constraint_impulses(&self, out: &mut Vec<ConstraintImpulse>) {
        out.clear();
        // Groups stand in the problem in the order in which the plants listed them.
        let listed = self.plants.iter().enumerate().flat_map(|(p, data)| data.constraints.iter().map(move |r| (p, r)));
        out.extend(listed.enumerate().map(|(group, (plant, rows))| {
            let impulse = self.solution.rows[group].into();
            ConstraintImpulse { plant, rows: *rows, impulse }
        }));
    }

    /// Adds the forces of the constraints of plant `plant` in the last step of length `h` from this point: to
    /// `wrenches` the spatial forces on its bodies (torque, force; in world, about the body's origin), to `generalized`
    /// the forces on its velocities, of which `first` is the first of all plants. Couplers act on velocities only.
    pub fn add_constraint_forces(
        &self,
        plant: usize,
        first: usize,
        h: f64,
        wrenches: &mut [[f64; 6]],
        generalized: &mut [f64],
    ) {
        let before: usize = self.plants[..plant].iter().map(|data| data.constraints.len()).sum();
        let data = &self.plants[plant];
        let mut push = |body: usize, p_WC: Option<&[f64; 3]>, torque: Vector3<f64>, force: Vector3<f64>| {
            let arm = p_WC.map_or(Vector3::zeros(), |p| Vector3::from(*p) - Vector3::from(data.p_WB[body]));
            let torque = torque + arm.cross(&force);
            wrenches[body].iter_mut().zip(torque.iter().chain(force.iter())).for_each(|(sum, x)| *sum += x);
        };
        for (group, rows) in (before..).zip(&data.constraints) {
            let force = self.solution.rows[group] / h;
            let none = Vector3::zeros();
            match &rows.measure {
                RowMeasure::Orientation { body_a, body_b } => {
                    push(*body_b, None, force, none);
                    push(*body_a, None, -force, none);
                }
                RowMeasure::Turn { body_a, body_b, axes } => {
                    let torque = Matrix3::from(*axes).tr_mul(&force);
                    push(*body_b, None, torque, none);
                    push(*body_a, None, -torque, none);
                }
                RowMeasure::Shift { body_a, body_b, p_WC, axes, turn } => {
                    let (torque, force) = (Matrix3::from(*turn).tr_mul(&force), Matrix3::from(*axes).tr_mul(&force));
                    push(*body_b, Some(p_WC), torque, force);
                    push(*body_a, Some(p_WC), -torque, -force);
                }
                RowMeasure::Point { body_a, body_b, p_WC } => {
                    push(*body_b, Some(p_WC), none, force);
                    push(*body_a, Some(p_WC), none, -force);
                }
                RowMeasure::Distance { body_a, body_b, p_WP, p_WQ, direction } => {
                    let force = Vector3::from(*direction) * force.x;
                    push(*body_b, Some(p_WQ), none, force);
                    push(*body_a, Some(p_WP), none, -force);
                }
                RowMeasure::Coordinates(_) | RowMeasure::Arms { .. } => {}
            }
            self.problem.add_row_impulse(group, &(self.solution.rows[group] * (1.0 / h)), first, generalized);
        }
    }
}
