//! Linear feedback on velocities of one or more trees and plants, far from symmetric.

use super::reference::{Reference, follow};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{Options, Rule, RuleSwitches};
use kinegraph::systems::multibody::{Base, Inertia, JointKind, Link, Model, PlantBuilder};
use kinegraph::systems::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// `f = -P q - D v` on all velocities, from the states of one or more models with one position per velocity; P and D
/// row by row.
struct Linear {
    states: Vec<In<MultibodyState>>,
    forces: Vec<Out<Dyn>>,
    p: DMatrix<f64>,
    d: DMatrix<f64>,
    ports: Ports,
}

impl Linear {
    fn new(models: &[usize], p: &[f64], d: &[f64]) -> Self {
        let mut ports = Ports::new();
        let states = (0..models.len()).map(|i| ports.input_of_width(format!("x{i}"), 2 * models[i])).collect();
        let forces = (0..models.len()).map(|i| ports.output_of_width(format!("f{i}"), models[i])).collect();
        let n = models.iter().sum();
        Linear { states, forces, p: DMatrix::from_row_slice(n, n, p), d: DMatrix::from_row_slice(n, n, d), ports }
    }
}

impl LeafSystem for Linear {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let mut row = 0;
        for &force in &self.forces {
            for f in out.slice(force) {
                let mut column = 0;
                *f = S::zero();
                for &state in &self.states {
                    let x = ctx.get(state);
                    let n = x.len() / 2;
                    for j in 0..n {
                        let (p, d) = (self.p[(row, column + j)], self.d[(row, column + j)]);
                        *f -= S::constant(p) * x[j] + S::constant(d) * x[n + j];
                    }
                    column += n;
                }
                row += 1;
            }
        }
    }
}

/// A cart of 1 kg along x and a point of 0.2 kg at the end of a weightless pole of 0.5 m, upright at zero.
fn cart_pole() -> Model {
    let point = |mass: f64, z: f64| Inertia { mass, p_BoBcm: Vector3::new(0.0, 0.0, z), I_BBcm: Matrix3::zeros() };
    let link = |name: &str, inertia| Link { name: name.into(), inertia, ..Link::default() };
    Model {
        name: "cart_pole".into(),
        links: vec![link("rail", None), link("cart", Some(point(1.0, 0.0))), link("pole", Some(point(0.2, 0.5)))],
        joints: vec![
            joint("x", JointKind::Prismatic, "rail", "cart", Vector3::x()),
            joint("hinge", JointKind::Continuous, "cart", "pole", Vector3::y()),
        ],
        ..Model::default()
    }
}

#[test]
fn a_stiff_state_feedback_that_is_not_definite_costs_few_steps() {
    // The gains of a linear-quadratic regulator, poles down to -221 1/s: force on the cart from cart and pole, far from
    // symmetric.
    let gains = [-3162.28, -5771.19, -1929.54, -1093.96];
    let mut b = DiagramBuilder::new("cart and pole");
    let plant = PlantBuilder::new().model("s", cart_pole(), Base::fixed()).initial("s/hinge", 0.4, 0.0);
    let plant = b.add("plant", plant.build().unwrap());
    let feedback = Linear::new(&[2], &[gains[0], gains[1], 0.0, 0.0], &[gains[2], gains[3], 0.0, 0.0]);
    let feedback = b.add("feedback", feedback);
    b.connect(plant.state("s"), feedback.states[0]);
    b.connect(feedback.forces[0], plant.applied_generalized_force("s"));
    let reference = Reference::new(vec![0.0, 0.4, 0.0, 0.0], 2, 4.0, 40_000, |_, x| {
        let (s, c) = x[1].sin_cos();
        let f = -(gains[0] * x[0] + gains[1] * x[1] + gains[2] * x[2] + gains[3] * x[3]) + 0.1 * s * x[3] * x[3];
        let torque = 0.2 * 9.81 * 0.5 * s;
        let (m11, m12, m22) = (1.2, 0.1 * c, 0.05);
        let det = m11 * m22 - m12 * m12;
        DVector::from_vec(vec![x[2], x[3], (m22 * f - m12 * torque) / det, (m11 * torque - m12 * f) / det])
    });
    let o = follow(&b.build().unwrap(), cenic(1e-3), 4.0, &reference);
    assert!(o.attempts <= 130 && o.end < 1e-4 && o.largest < 1e-3, "{o:?}");
}

/// Random stable loops on one to four sliders of 1 kg: `f = -P q - D v` with oscillators of 1 to 200 1/s in directions
/// that are far from orthogonal. Errors keep to the accuracy, whether free steps or convex ones follow the loop.
#[test]
fn random_regulators_keep_to_the_accuracy() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for case in 0..10 {
        let n = 1 + case % 4;
        let directions = DMatrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) + 1.2 * (random() - 0.5));
        let Some(inverse) = directions.clone().try_inverse() else { continue };
        let rates = DVector::from_fn(n, |_, _| 200.0_f64.powf(random()));
        let damping = DVector::from_fn(n, |_, _| 0.1 + 1.5 * random());
        let p = &directions * DMatrix::from_diagonal(&rates.map(|w| w * w)) * &inverse;
        let d = &directions * DMatrix::from_diagonal(&rates.component_mul(&damping)) * &inverse;
        let names = ["a", "b", "c", "d"];
        let mut x0 = vec![0.0; 2 * n];
        let mut plant = PlantBuilder::new();
        for i in 0..n {
            (x0[i], x0[n + i]) = (random() - 0.5, random() - 0.5);
            plant = plant.model(names[i], slider(1.0), Base::fixed());
            plant = plant.initial(format!("{}/x", names[i]), x0[i], x0[n + i]);
        }
        let mut b = DiagramBuilder::new("regulator");
        let plant = b.add("plant", plant.build().unwrap());
        let rows = |m: &DMatrix<f64>| m.transpose().as_slice().to_vec();
        let feedback = b.add("feedback", Linear::new(&vec![1; n], &rows(&p), &rows(&d)));
        for (i, model) in names.into_iter().enumerate().take(n) {
            b.connect(plant.state(model), feedback.states[i]);
            b.connect(feedback.forces[i], plant.applied_generalized_force(model));
        }
        let diagram = b.build().unwrap();
        let reference = Reference::new(x0, n, 1.0, 4000, |_, x| {
            let (q, v) = (x.rows(0, n), x.rows(n, n));
            let a = -(&p * q) - &d * v;
            DVector::from_iterator(2 * n, v.iter().chain(a.iter()).copied())
        });
        for accuracy in [1e-3, 1e-4, 1e-5] {
            let o = follow(&diagram, cenic(accuracy), 1.0, &reference);
            assert!(o.largest < 20.0 * accuracy, "case {case} at {accuracy:e}: {o:?}, rates {rates}");
        }
    }
}

/// Two sliders of 1 kg along x, each a tree of its own, under `f = -5 q - (d I + w S) v`, S the quarter turn.
fn gyroscope(w: f64, d: f64) -> Diagram {
    let mut b = DiagramBuilder::new("gyroscope");
    let plant = PlantBuilder::new().model("a", slider(1.0), Base::fixed()).model("b", slider(1.0), Base::fixed());
    let plant = b.add("plant", plant.initial("a/x", 1.0, 0.0).initial("b/x", 0.0, 3.0).build().unwrap());
    let feedback = b.add("feedback", Linear::new(&[1, 1], &[5.0, 0.0, 0.0, 5.0], &[d, w, -w, d]));
    for (i, model) in ["a", "b"].into_iter().enumerate() {
        b.connect(plant.state(model), feedback.states[i]);
        b.connect(feedback.forces[i], plant.applied_generalized_force(model));
    }
    b.build().unwrap()
}

#[test]
fn gyroscopic_feedback_between_two_trees_costs_few_steps() {
    for (w, most, largest) in [(1000.0, 30, 0.01), (100.0, 60, 0.03)] {
        let reference = Reference::new(vec![1.0, 0.0, 0.0, 3.0], 2, 2.0, 200 * w as usize, |_, x| {
            let (a, b) = (-5.0 * x[0] - x[2] - w * x[3], -5.0 * x[1] - x[3] + w * x[2]);
            DVector::from_vec(vec![x[2], x[3], a, b])
        });
        let o = follow(&gyroscope(w, 1.0), plain_cenic(1e-3), 2.0, &reference);
        assert!(o.attempts <= most && o.largest < largest, "{o:?}");
    }
}

#[test]
fn a_gyroscopic_step_is_the_linearly_implicit_one() {
    // (1 + dt (d + 5 dt)) dv + dt w S dv = dt (-5 (q0 + dt v0) - (d + w S) v0).
    let (w, d, dt) = (30.0, 1.0, 0.05);
    let simulation = run(&gyroscope(w, d), icf(dt), dt);
    let s = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -1.0, 0.0]);
    let (q0, v0) = (DVector::from_vec(vec![1.0, 0.0]), DVector::from_vec(vec![0.0, 3.0]));
    let a = DMatrix::identity(2, 2) * (1.0 + dt * (d + 5.0 * dt)) + &s * (dt * w);
    let force = (&q0 + &v0 * dt) * -5.0 - &v0 * d - s * &v0 * w;
    let v = &v0 + a.lu().solve(&(force * dt)).unwrap();
    for (found, exact) in simulation.state().continuous[2..].iter().zip(v.iter()) {
        assert!((found - exact).abs() < 1e-12, "{found} instead of {exact}");
    }
}

#[test]
fn a_loop_that_runs_away_rejects_steps_that_cannot_follow_it() {
    // Two sliders, x¨ = 400 x in the direction (1, 1) only: a real pole at 20 1/s.
    let mut b = DiagramBuilder::new("runaway");
    let plant = PlantBuilder::new().model("a", slider(1.0), Base::fixed()).model("b", slider(1.0), Base::fixed());
    let plant = b.add("plant", plant.initial("a/x", 1e-3, 0.0).initial("b/x", 1e-3, 0.0).build().unwrap());
    let feedback = b.add("feedback", Linear::new(&[1, 1], &[-200.0; 4], &[0.0; 4]));
    for (i, model) in ["a", "b"].into_iter().enumerate() {
        b.connect(plant.state(model), feedback.states[i]);
        b.connect(feedback.forces[i], plant.applied_generalized_force(model));
    }
    let diagram = b.build().unwrap();
    let exact = 1e-3 * (20.0_f64 * 0.3).cosh();
    // A fixed step of 40 ms has 1 - 400 dt^2 = 0.36 and cannot shrink: the force of the start acts on.
    let fixed = run(&diagram, icf(0.04), 0.04).state().continuous[2];
    assert!((fixed - 0.04 * 400.0 * 1e-3).abs() < 1e-12, "{fixed}");
    // With error control the step shrinks instead, however loose the accuracy: at once by the pole, or by the gate of
    // feedback, which rejects steps that are too long.
    let loose = Options { extrapolate: false, ..cenic(0.999) };
    let longest = run(&diagram, loose, 0.3).statistics().largest_step;
    assert!(longest < 0.5001 / 20.0, "{longest}");
    let rejected = run(&diagram, Options { rules: RuleSwitches::ALL.without(Rule::Growth), ..loose }, 0.3);
    let longest = rejected.statistics().largest_step;
    assert!(longest <= 1.0 / 800.0_f64.sqrt() && rejected.statistics().rejected_steps > 0, "{longest}");
    for (accuracy, error) in [(0.999, 0.1), (1e-8, 1e-6)] {
        let found = run(&diagram, cenic(accuracy), 0.3).state().continuous[0];
        assert!((found / exact - 1.0).abs() < error, "{found} instead of {exact}");
    }
}

/// One step of two sliders under `f = -P q - D v` from (q0, v0), linearly implicit.
fn implicit_step(p: [f64; 4], d: [f64; 4], q0: [f64; 2], v0: [f64; 2], dt: f64) -> DVector<f64> {
    let (p, d) = (DMatrix::from_row_slice(2, 2, &p), DMatrix::from_row_slice(2, 2, &d));
    let (q0, v0) = (DVector::from_row_slice(&q0), DVector::from_row_slice(&v0));
    let force = -&p * (&q0 + &v0 * dt) - &d * &v0;
    v0 + (DMatrix::identity(2, 2) + (&p * dt + &d) * dt).lu().solve(&(force * dt)).unwrap()
}

#[test]
fn sensing_another_body_joins_it_to_the_step_whichever_plant_it_is_in() {
    // A slider is pulled towards another, which feels nothing and moves on.
    let (p, d, v0, dt) = ([900.0, -900.0, 0.0, 0.0], [60.0, -60.0, 0.0, 0.0], [0.0, 3.0], 0.05);
    let exact = implicit_step(p, d, [0.0, 0.2], v0, dt);
    let slider_at = |name: &str, q: f64, v: f64, plant: PlantBuilder| {
        plant.model(name, slider(1.0), Base::fixed()).initial(format!("{name}/x"), q, v)
    };
    for plants in [1, 2] {
        let mut b = DiagramBuilder::new("chase");
        let first = slider_at("a", 0.0, v0[0], PlantBuilder::new());
        let feedback = Linear::new(&[1, 1], &p, &d);
        let ends = if plants == 1 {
            let plant = b.add("plant", slider_at("b", 0.2, v0[1], first).build().unwrap());
            ["a", "b"].map(|model| (plant.state(model), plant.applied_generalized_force(model)))
        } else {
            let first = b.add("first", first.build().unwrap());
            let second = b.add("second", slider_at("b", 0.2, v0[1], PlantBuilder::new()).build().unwrap());
            [
                (first.state("a"), first.applied_generalized_force("a")),
                (second.state("b"), second.applied_generalized_force("b")),
            ]
        };
        let feedback = b.add("feedback", feedback);
        for (i, (state, force)) in ends.into_iter().enumerate() {
            b.connect(state, feedback.states[i]);
            b.connect(feedback.forces[i], force);
        }
        let simulation = run(&b.build().unwrap(), icf(dt), dt);
        let x = &simulation.state().continuous;
        let v = if plants == 1 { [x[2], x[3]] } else { [x[1], x[3]] };
        assert!((v[0] - exact[0]).abs() < 1e-12 && (v[1] - exact[1]).abs() < 1e-12, "{v:?} instead of {exact}");
    }
}
