//! Constraints of plants in the convex problem, and what they did in a solve.

use super::step::IcfPoint;
use crate::contact::{JointStops, Problem, RowCompliance, Rows};
use crate::systems::convex::{ConstraintRows, PlantPoint, RowMeasure};
use nalgebra::Vector3;

/// The impulse of one run of rows of a constraint within a step.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintImpulse {
    /// The plant, counted over the plants of the diagram.
    pub plant: usize,
    /// The rows: constraint, bodies and points.
    pub rows: ConstraintRows,
    /// Orientation: torque on B, in world \[N m s\]. Point: force on B at C, in world \[N s\]. Distance: the first
    /// number, along the direction, on B at Q. Coordinates: the first number, times the coefficient of each velocity. A
    /// gets the opposite at the same point (of a distance, at P).
    pub impulse: [f64; 3],
}

/// Adds the rows of a plant's active constraints, in order; `body` and `velocity` are its first body and velocity.
pub(super) fn add(problem: &mut Problem, data: &PlantPoint, body: usize, velocity: usize) {
    let p = |p_WC: &[f64; 3], of: usize| Vector3::from(*p_WC) - Vector3::from(data.p_WB[of]);
    for rows in &data.constraints {
        let entries;
        let measure = match &rows.measure {
            RowMeasure::Orientation { body_a: a, body_b: b } => {
                Rows::Orientation { body_a: body + a, body_b: body + b }
            }
            RowMeasure::Point { body_a: a, body_b: b, p_WC } => {
                Rows::Point { body_a: body + a, p_AP: p(p_WC, *a), body_b: body + b, p_BQ: p(p_WC, *b) }
            }
            RowMeasure::Distance { body_a: a, body_b: b, p_WP, p_WQ, direction } => Rows::Distance {
                body_a: body + a,
                p_AP: p(p_WP, *a),
                body_b: body + b,
                p_BQ: p(p_WQ, *b),
                direction: Vector3::from(*direction),
            },
            RowMeasure::Coordinates(plant) => {
                entries = plant.map(|(v, coefficient)| (velocity + v, coefficient));
                Rows::Coordinates(&entries)
            }
        };
        let compliance = rows.compliance.map(|c| RowCompliance { stiffness: c.stiffness, damping: c.damping });
        problem.add_rows(measure, Vector3::from(rows.violation), compliance);
    }
}

/// Marks the bodies that a plant's active constraints hold on to.
pub(super) fn mark_bodies(data: &PlantPoint, wanted: &mut [bool]) {
    for rows in &data.constraints {
        match rows.measure {
            RowMeasure::Orientation { body_a, body_b }
            | RowMeasure::Point { body_a, body_b, .. }
            | RowMeasure::Distance { body_a, body_b, .. } => (wanted[body_a], wanted[body_b]) = (true, true),
            RowMeasure::Coordinates(_) => {}
        }
    }
}

impl IcfPoint {
    /// The impulses of all active constraints in the last step from this point: divided by the length of that step they
    /// are its mean forces.
    pub fn constraint_impulses(&self, out: &mut Vec<ConstraintImpulse>) {
        out.clear();
        // Groups stand in the problem in the order in which the plants listed them.
        let listed = self.plants.iter().enumerate().flat_map(|(p, data)| data.constraints.iter().map(move |r| (p, r)));
        out.extend(listed.enumerate().map(|(group, (plant, rows))| {
            let impulse = self.solution.rows[group].into();
            ConstraintImpulse { plant, rows: *rows, impulse }
        }));
    }

    /// Adds what the constraints of plant `plant` did in the last step of length `h` from this point: to `wrenches` the
    /// spatial forces on its bodies (torque, force; in world, about the body's origin), to `generalized` the forces on its velocities, of which `first` is the first of all plants. Couplers
    /// act on velocities only.
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
                RowMeasure::Point { body_a, body_b, p_WC } => {
                    push(*body_b, Some(p_WC), none, force);
                    push(*body_a, Some(p_WC), none, -force);
                }
                RowMeasure::Distance { body_a, body_b, p_WP, p_WQ, direction } => {
                    let force = Vector3::from(*direction) * force.x;
                    push(*body_b, Some(p_WQ), none, force);
                    push(*body_a, Some(p_WP), none, -force);
                }
                RowMeasure::Coordinates(_) => {}
            }
            self.problem.add_row_impulse(group, &(self.solution.rows[group] * (1.0 / h)), first, generalized);
        }
    }

    /// The impulses of all joint limits in the same step, as generalized impulses: velocity (of all plants), impulse
    /// \[N s, N m s\].
    pub fn stop_impulses(&self) -> impl Iterator<Item = (usize, f64)> {
        let stops = self.problem.elements.of::<JointStops>().iter().map(|stops| stops.velocity);
        stops.zip(self.solution.impulses_of::<JointStops>().iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::DiagramBuilder;
    use crate::integrators::contact::{IcfOptions, IcfStep};
    use crate::integrators::{Candidate, OneStep, Statistics};
    use kinegraph_systems::multibody::plant::{Attachment, Constraint};
    use kinegraph_systems::multibody::{Base, Inertia, Joint, JointKind, Link, Model, PlantBuilder};
    use nalgebra::{Isometry3, Matrix3};

    /// Two free bodies and two carriages under every kind of constraint, all capturing the start.
    fn constrained() -> (crate::diagram::Diagram, Vec<&'static str>) {
        let body = |name: &str| {
            let inertia =
                Inertia { mass: 2.0, p_BoBcm: Vector3::new(0.1, 0.0, 0.2), I_BBcm: Matrix3::identity() * 0.1 };
            Link { name: name.into(), inertia: Some(inertia), collisions: Vec::new() }
        };
        let solid = Model { name: "solid".into(), links: vec![body("body")], ..Model::default() };
        let mut arm = Model {
            name: "arm".into(),
            links: vec![Link { name: "base".into(), ..Link::default() }],
            ..Model::default()
        };
        for (i, axis) in [Vector3::z(), Vector3::y()].into_iter().enumerate() {
            let parent = arm.links[i].name.clone();
            arm.links.push(body(&format!("l{i}")));
            arm.joints.push(Joint {
                X_PF: Isometry3::translation(0.0, 0.3, 0.1),
                axis,
                ..Joint::new(format!("j{i}"), JointKind::Continuous, parent, format!("l{i}"))
            });
        }
        let turned = |p: [f64; 3], r: [f64; 3]| Isometry3::new(p.into(), r.into());
        let (on_arm, on_body) =
            (Attachment::at("arm/l1", [0.1, 0.2, 0.3]), Attachment::at("one/body", [0.0, -0.2, 0.1]));
        let on_other = Attachment::new("two/body", turned([0.3, 0.0, 0.1], [0.5, 0.1, 0.2]));
        let plant = PlantBuilder::new()
            .model("arm", arm, Base::fixed())
            .model("one", solid.clone(), Base::floating(turned([0.5, 0.1, 0.2], [0.3, 0.2, -0.4])))
            .model("two", solid, Base::floating(turned([-0.5, 0.3, 0.7], [-0.1, 0.9, 0.4])))
            .initial("arm/j0", 0.4, 0.0)
            .initial("arm/j1", -0.7, 0.0)
            .constraint(Constraint::weld("a", on_arm.clone(), on_body.clone()).capturing())
            .constraint(Constraint::ball("b", on_other.clone(), on_arm.clone()).capturing())
            .constraint(Constraint::distance("c", on_body, on_other.clone(), 0.0).capturing())
            .constraint(Constraint::weld("d", on_other, Attachment::world(Isometry3::identity())).capturing())
            .constraint(Constraint::coupler("e", ["arm/j0", "arm/j1"], 2.5, 0.0).capturing());
        let mut builder = DiagramBuilder::new("constrained");
        builder.add("plant", plant.build().unwrap());
        (builder.build().unwrap(), vec!["orientation", "point", "point", "distance", "orientation", "point", "coupler"])
    }

    /// The rows measure the rate of the violation: `J v` is its derivative along the motion, here where it is zero.
    #[test]
    fn rows_are_the_rates_of_violations() {
        let (diagram, names) = constrained();
        let mut simulation = crate::simulate::Simulation::new(&diagram, Default::default()).unwrap();
        simulation.advance_to(1e-9).unwrap(); // the constraints capture
        let state = simulation.state().clone();
        let (mut step, mut counts) = (IcfStep::new(IcfOptions::default()), Statistics::default());
        step.initialize(&diagram).unwrap();
        let mut prepared = |continuous: &[f64]| {
            let (mut point, mut at) = (IcfPoint::default(), state.clone());
            at.continuous.copy_from_slice(continuous);
            step.prepare(&at, 1e-3, &mut point, &mut counts).unwrap();
            point
        };
        let point = prepared(&state.continuous);
        let num_velocities = point.problem.size();
        let layout = crate::linearize::Layout::new(&diagram);
        let h = 1e-5;
        for velocity in 0..num_velocities {
            let mut v = vec![0.0; num_velocities];
            v[velocity] = 1.0;
            let violations = [-h, h].map(|dt| {
                let mut moved = state.continuous.clone();
                layout.advance_positions(&diagram, &state.continuous, &v, dt, &mut moved, &mut Vec::new());
                prepared(&moved).plants[0].constraints.iter().map(|r| Vector3::from(r.violation)).collect::<Vec<_>>()
            });
            for (group, name) in names.iter().enumerate() {
                let rate = (violations[1][group] - violations[0][group]) / (2.0 * h);
                let found = point.problem.row_velocity(group, &v);
                assert!((rate - found).norm() < 1e-6, "{name} {group}, velocity {velocity}: {rate} and {found}");
            }
        }
    }

    /// What the constraints report is what moved the plant: M (v - v0)/h + k = their generalized forces, which on free
    /// bodies are the wrenches.
    #[test]
    fn reported_forces_balance_the_motion() {
        let (diagram, _) = constrained();
        let (mut step, mut point, mut counts) =
            (IcfStep::new(IcfOptions::default()), IcfPoint::default(), Statistics::default());
        step.initialize(&diagram).unwrap();
        let mut simulation = crate::simulate::Simulation::new(&diagram, Default::default()).unwrap();
        simulation.advance_to(1e-3).unwrap();
        let (mut next, h) = (Candidate::default(), 1e-2);
        step.prepare(simulation.state(), h, &mut point, &mut counts).unwrap();
        let v0 = step.velocity_at(&point).to_vec();
        next.velocity.clone_from(&v0);
        step.step(&mut point, h, 1e-8, &mut next, &mut counts).unwrap();
        let (mut wrenches, mut forces) = (vec![[0.0; 6]; point.plants[0].p_WB.len()], vec![0.0; v0.len()]);
        point.add_constraint_forces(0, 0, h, &mut wrenches, &mut forces);
        let weight = 2.0 * 9.81;
        for (i, force) in forces.iter().enumerate() {
            let inertia: f64 =
                (0..v0.len()).map(|j| point.problem.mass_entry(i, j) * (next.velocity[j] - v0[j])).sum::<f64>() / h;
            let sum = inertia + point.plants[0].bias[i];
            assert!((sum - force).abs() < 1e-5 * weight, "velocity {i}: {sum} and {force}");
        }
        // Velocities: two of the arm, then six of each free body; bodies: world, base, two links, two free ones.
        for (body, velocity) in [(4, 2), (5, 8)] {
            for i in 0..6 {
                assert!((wrenches[body][i] - forces[velocity + i]).abs() < 1e-9 * weight);
            }
        }
        let total: Vector3<f64> = wrenches.iter().map(|w| Vector3::new(w[3], w[4], w[5])).sum();
        assert!(total.norm() < 1e-9 * weight && wrenches[0][5] < -1.0, "action and reaction");
    }

    /// A body of 2 kg held at one end of an arm: the impulses per step are its weight and the moment of its weight.
    #[test]
    fn the_impulses_of_a_weld_at_rest_carry_the_weight() {
        let inertia = Inertia { mass: 2.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() * 0.1 };
        let body = Link { name: "body".into(), inertia: Some(inertia), collisions: Vec::new() };
        let model = Model { name: "m".into(), links: vec![body], ..Model::default() };
        let hold = Constraint::weld(
            "hold",
            Attachment::world(Isometry3::identity()),
            Attachment::at("m/body", [0.3, 0.0, 0.0]),
        );
        let base = Base::floating(Isometry3::translation(-0.3, 0.0, 0.0));
        let mut builder = DiagramBuilder::new("held");
        builder.add("plant", PlantBuilder::new().model("m", model, base).constraint(hold).build().unwrap());
        let diagram = builder.build().unwrap();
        let (mut step, mut point, mut counts) =
            (IcfStep::new(IcfOptions::default()), IcfPoint::default(), Statistics::default());
        let (mut state, mut next, h) = (diagram.initial_state(), Candidate::default(), 0.01);
        step.initialize(&diagram).unwrap();
        let mut impulses = Vec::new();
        for _ in 0..20 {
            step.prepare(&state, h, &mut point, &mut counts).unwrap();
            next.velocity.clear();
            next.velocity.extend_from_slice(step.velocity_at(&point));
            step.step(&mut point, h, 1e-8, &mut next, &mut counts).unwrap();
            point.constraint_impulses(&mut impulses);
            state.continuous.clone_from(&next.continuous);
            state.time += h;
        }
        let [torque, force] = [0, 1].map(|i: usize| Vector3::from(impulses[i].impulse) / h);
        assert!(matches!(impulses[0].rows.measure, RowMeasure::Orientation { body_a: 0, body_b: 1 }));
        assert!((force - Vector3::new(0.0, 0.0, 2.0 * 9.81)).norm() < 1e-4, "{force}");
        // The weight, 0.3 m along -x of the held point, turns the body about -y.
        assert!((torque - Vector3::new(0.0, 0.3 * 2.0 * 9.81, 0.0)).norm() < 1e-4, "{torque}");
    }
}
