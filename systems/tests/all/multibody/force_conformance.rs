//! Rules for every force between bodies, whatever its law. A force enrols with one line: how to make one at random
//! between two floating bodies.
//!
//! - at rest it is minus the derivative of its energy, computed by dual numbers, in every direction;
//! - its velocity-dependent part takes energy out of any motion, and none out of a common one;
//! - the bodies get equal and opposite forces, and equal and opposite torques about any point;
//! - its energy is not negative.

use kinegraph_systems::convex::{Compliance, ConstraintRows, RowMeasure};
use kinegraph_systems::models::{LoadOptions, parse_mjcf};
use kinegraph_systems::multibody::fibre::BeamLaw;
use kinegraph_systems::multibody::plant::bushing::BushingLaw;
use kinegraph_systems::multibody::plant::model::PlantModel;
use kinegraph_systems::multibody::plant::ranges::Ranges;
use kinegraph_systems::multibody::plant::spatial_tendon::{PlacedTendon, place, with_motion};
use kinegraph_systems::multibody::plant::strings::{StringMotion, with_plain};
use kinegraph_systems::multibody::rotation_vector::rotation_vector;
use kinegraph_systems::multibody::spatial::SpatialVector;
use kinegraph_systems::multibody::{Base, InertiaCheck, Kinematics, ModelInstance, Tree};
use kinegraph_systems::scalar::{Jet, Scalar, partial, seed};
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};

/// A small deterministic generator.
struct Random(u64);

impl Random {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// A force between the bodies of a tree.
trait Force {
    /// Stored energy \[J\], where `k` has the positions.
    fn energy<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> S;

    /// Adds its generalized forces, where `k` has positions and the velocities `v`.
    fn add(&self, tree: &Tree, k: &Kinematics<f64>, v: &[f64], forces: &mut [f64]);
}

impl Force for PlacedTendon {
    fn energy<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> S {
        PlacedTendon::energy(self, tree, k)
    }
    fn add(&self, tree: &Tree, k: &Kinematics<f64>, v: &[f64], forces: &mut [f64]) {
        PlacedTendon::add(self, &StringMotion { tree, k, plain: None, v }, Ranges::Included, forces);
    }
}

/// A law between two frames that is applied as constraint rows.
trait RowsLaw {
    fn rows(&self, bodies: [usize; 2], poses: &[Isometry3<f64>; 2], out: &mut Vec<ConstraintRows>);

    /// Energy with the second frame at `x`, rotated by `R`, in the first.
    fn energy<S: Scalar>(&self, x: &Vector3<S>, R: &Matrix3<S>) -> S;
}

impl RowsLaw for BushingLaw {
    fn rows(&self, bodies: [usize; 2], [first, second]: &[Isometry3<f64>; 2], out: &mut Vec<ConstraintRows>) {
        BushingLaw::rows(self, 0, bodies, first, second, out);
    }
    fn energy<S: Scalar>(&self, x: &Vector3<S>, R: &Matrix3<S>) -> S {
        self.energy_at(x, &rotation_vector(R))
    }
}

impl RowsLaw for BeamLaw {
    fn rows(&self, bodies: [usize; 2], [first, second]: &[Isometry3<f64>; 2], out: &mut Vec<ConstraintRows>) {
        BeamLaw::rows(self, 0, bodies, first, second, out);
    }
    fn energy<S: Scalar>(&self, x: &Vector3<S>, R: &Matrix3<S>) -> S {
        self.energy_at(x, R)
    }
}

/// A law of rows between frames of two bodies.
struct Between<L> {
    law: L,
    bodies: [usize; 2],
    X_BF: [Isometry3<f64>; 2],
}

impl<L: RowsLaw> Force for Between<L> {
    fn energy<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> S {
        let [(R_WA, p_WA), (R_WC, p_WC)] = [0, 1].map(|i| {
            let (X, X_BF) = (tree.X_WB(k, self.bodies[i]), &self.X_BF[i]);
            let R_BF = X_BF.rotation.to_rotation_matrix().matrix().map(S::constant);
            (X.R_WB * R_BF, X.p_WB + X.R_WB * X_BF.translation.vector.map(S::constant))
        });
        let R_AW = R_WA.transpose();
        self.law.energy(&(R_AW * (p_WC - p_WA)), &(R_AW * R_WC))
    }

    /// Applies its rows as a step does: force by violation and rate along each.
    fn add(&self, tree: &Tree, k: &Kinematics<f64>, _v: &[f64], forces: &mut [f64]) {
        let poses = [0, 1].map(|i| {
            let X = tree.X_WB(k, self.bodies[i]);
            let turn = nalgebra::Rotation3::from_matrix_unchecked(X.R_WB);
            Isometry3::from_parts(X.p_WB.into(), UnitQuaternion::from_rotation_matrix(&turn)) * self.X_BF[i]
        });
        let mut rows = Vec::new();
        self.law.rows(self.bodies, &poses, &mut rows);
        let arm = |body: usize, p: &Vector3<f64>| p - tree.X_WB(k, body).p_WB;
        let motion = |body: usize, p: &Vector3<f64>| tree.V_WB(k, body).motion_at(&arm(body, p));
        for ConstraintRows { measure, violation, compliance, .. } in &rows {
            let law = compliance.unwrap();
            let force = |rate: Vector3<f64>| {
                Vector3::from_fn(|i, _| -law[i].stiffness * violation[i] - law[i].damping * rate[i])
            };
            let mut push = |body: usize, torque: Vector3<f64>, force: Vector3<f64>| {
                tree.add_spatial_force(k, body, &SpatialVector::new(torque, force), forces);
            };
            match measure {
                RowMeasure::Turn { body_a, body_b, axes } => {
                    let (axes, o) = (Matrix3::from(*axes), Vector3::zeros());
                    let rate = axes * (motion(*body_b, &o).angular - motion(*body_a, &o).angular);
                    let torque = axes.tr_mul(&force(rate));
                    push(*body_b, torque, Vector3::zeros());
                    push(*body_a, -torque, Vector3::zeros());
                }
                RowMeasure::Shift { body_a, body_b, p_WC, axes, turn } => {
                    let (axes, turn, p) = (Matrix3::from(*axes), Matrix3::from(*turn), Vector3::from(*p_WC));
                    let (b, a) = (motion(*body_b, &p), motion(*body_a, &p));
                    let along = force(axes * (b.linear - a.linear) + turn * (b.angular - a.angular));
                    let (pull, torque) = (axes.tr_mul(&along), turn.tr_mul(&along));
                    push(*body_b, arm(*body_b, &p).cross(&pull) + torque, pull);
                    push(*body_a, -arm(*body_a, &p).cross(&pull) - torque, -pull);
                }
                _ => panic!("rows of another kind"),
            }
        }
    }
}

/// A file of two floating bodies, with additional elements.
fn file(inside: [&str; 2], more: &str) -> String {
    let body = |name: &str, inside: &str| {
        format!(
            r#"<body name="{name}"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{inside}</body>"#
        )
    };
    let bodies = body("b0", inside[0]) + &body("b1", inside[1]);
    format!("<mujoco><worldbody>{bodies}</worldbody>{more}</mujoco>")
}

fn model(text: &str) -> PlantModel {
    let model = parse_mjcf(text, "test.xml", &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
    let (actuated, collisions, excluded, start) = Default::default();
    PlantModel { name: "m".into(), model, base: Base::fixed(), actuated, collisions, excluded, start }
}

fn tree(model: &PlantModel) -> Tree {
    let instance = ModelInstance { name: model.name.clone(), model: &model.model, base: model.base.clone() };
    Tree::assemble(&[instance], InertiaCheck::Strict).unwrap().0
}

fn vector(r: &mut Random, size: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| r.uniform(-size, size))
}

fn frames(r: &mut Random) -> [Isometry3<f64>; 2] {
    [(); 2].map(|()| {
        let turn = UnitQuaternion::from_scaled_axis(vector(r, 1.0));
        Isometry3::from_parts(Translation3::from(vector(r, 0.2)), turn)
    })
}

/// Beams of any reference, with similar stiffness along and across, so that no part hides another.
fn beam(r: &mut Random) -> (Tree, Between<BeamLaw>) {
    let tree = tree(&model(&file(["", ""], "")));
    let mut stiffness = |most: f64| [(); 3].map(|()| r.uniform(0.1, most));
    let (stretch, bend) = (stiffness(50.0), stiffness(2.0));
    let law = BeamLaw {
        length: r.uniform(0.2, 1.0),
        stretch,
        bend,
        stretch_reference: Vector3::x() + vector(r, 0.2),
        bend_reference: vector(r, 0.5),
        damping: r.uniform(0.0, 0.1),
    };
    let bodies = ["m/b0", "m/b1"].map(|name| tree.body(name).unwrap());
    (tree, Between { law, bodies, X_BF: frames(r) })
}

fn bushing(r: &mut Random) -> (Tree, Between<BushingLaw>) {
    let tree = tree(&model(&file(["", ""], "")));
    let mut compliance =
        |k: f64| [(); 3].map(|()| Compliance { stiffness: r.uniform(0.0, k), damping: r.uniform(0.0, 0.1 * k) });
    let law = BushingLaw { linear: compliance(100.0), angular: compliance(2.0) };
    let X_BF = frames(r);
    let bodies = ["m/b0", "m/b1"].map(|name| tree.body(name).unwrap());
    (tree, Between { law, bodies, X_BF })
}

fn spatial_tendon(r: &mut Random) -> (Tree, PlacedTendon) {
    let (stiffness, damping) = (r.uniform(1.0, 100.0), r.uniform(0.0, 10.0));
    let (rest, end) = (r.uniform(0.1, 0.5), r.uniform(0.3, 0.8));
    let inside = [
        r#"<site name="a" pos="0.1 0 0.05"/><site name="c" pos="-0.1 0.1 0"/><site name="side" pos="0.3 0 0.2"/>
        <geom name="drum" type="cylinder" size="0.06 0.2" pos="0.1 0 0.2" contype="0" conaffinity="0"/>"#,
        r#"<site name="b" pos="0 -0.1 -0.05"/><site name="d" pos="0.1 0 0"/>"#,
    ];
    let more = format!(
        r#"<tendon><spatial stiffness="{stiffness}" damping="{damping}" springlength="0.05 {rest}" limited="true"
        range="0 {end}"><site site="a"/><geom geom="drum" sidesite="side"/><site site="b"/><pulley divisor="2"/>
        <site site="c"/><site site="d"/></spatial></tendon>"#
    );
    let model = model(&file(inside, &more));
    let tree = tree(&model);
    let mut faults = Vec::new();
    let placed = place(&tree, &[model], &mut faults);
    assert!(faults.is_empty(), "{faults:?}");
    (tree, placed.into_iter().next().expect("a tendon"))
}

/// A state in which the bodies are about as far apart as the forces reach.
fn state(r: &mut Random) -> Vec<f64> {
    let mut q = Vec::new();
    for _ in 0..2 {
        let turn = UnitQuaternion::from_scaled_axis(vector(r, 1.0));
        q.extend([turn.w, turn.i, turn.j, turn.k]);
        q.extend(vector(r, 0.3).iter());
    }
    q
}

fn forces(force: &impl Force, tree: &Tree, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut k = Kinematics::default();
    tree.position_kinematics(q, &mut k);
    tree.velocity_kinematics(v, &mut k);
    let mut forces = vec![0.0; v.len()];
    force.add(tree, &k, v, &mut forces);
    forces
}

/// The derivative of the energy along every velocity, by dual numbers.
fn slopes(force: &impl Force, tree: &Tree, q: &[f64]) -> Vec<f64> {
    let n = tree.num_velocities();
    let along = |i: usize| {
        let mut v = vec![0.0; n];
        v[i] = 1.0;
        let mut rates = vec![0.0; q.len()];
        tree.position_rates(q, &v, &mut rates);
        let q: Vec<Jet> = q.iter().zip(&rates).map(|(q, rate)| seed(*q, 0, *rate)).collect();
        let mut k = Kinematics::default();
        tree.position_kinematics(&q, &mut k);
        partial(&force.energy(tree, &k), 0)
    };
    (0..n).map(along).collect()
}

fn power(forces: &[f64], v: &[f64]) -> f64 {
    forces.iter().zip(v).map(|(f, v)| f * v).sum()
}

/// Force, and torque about the origin of the world, of the generalized forces on both bodies.
fn sums(q: &[f64], forces: &[f64]) -> [Vector3<f64>; 2] {
    let mut sums = [Vector3::zeros(); 2];
    for (q, f) in q.chunks_exact(7).zip(forces.chunks_exact(6)) {
        let (torque, force) = (Vector3::from_column_slice(&f[..3]), Vector3::from_column_slice(&f[3..]));
        sums[0] += force;
        sums[1] += torque + Vector3::from_column_slice(&q[4..]).cross(&force);
    }
    sums
}

fn check<F: Force>(make: fn(&mut Random) -> (Tree, F)) {
    let mut r = Random(5);
    let (mut acted, mut damped) = (0, 0);
    for _ in 0..60 {
        let (tree, force) = make(&mut r);
        let q = state(&mut r);
        let still = vec![0.0; tree.num_velocities()];
        let at_rest = forces(&force, &tree, &q, &still);
        let scale = at_rest.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
        for (i, (f, slope)) in at_rest.iter().zip(slopes(&force, &tree, &q)).enumerate() {
            assert!((f + slope).abs() < 1e-9 * scale, "{i}: {f} and {slope} at {q:?}");
        }
        let mut k = Kinematics::default();
        tree.position_kinematics(&q, &mut k);
        assert!(force.energy::<f64>(&tree, &k) >= 0.0);
        let v: Vec<f64> = still.iter().map(|_| r.uniform(-1.0, 1.0)).collect();
        let moving = forces(&force, &tree, &q, &v);
        let difference: Vec<f64> = moving.iter().zip(&at_rest).map(|(a, b)| a - b).collect();
        let taken = power(&difference, &v);
        assert!(taken <= 1e-12 * scale, "brings energy in: {taken} W at {q:?} with {v:?}");
        for forces in [&at_rest, &moving] {
            for sum in sums(&q, forces) {
                assert!(sum.norm() < 1e-11 * scale, "{sum} is left at {q:?}");
            }
        }
        // Both bodies move as one.
        let (w, u) = (vector(&mut r, 1.0), vector(&mut r, 1.0));
        let common =
            |q: &[f64]| (u + w.cross(&Vector3::from_column_slice(&q[4..]))).iter().copied().collect::<Vec<_>>();
        let v: Vec<f64> =
            q.chunks_exact(7).flat_map(|q| w.iter().copied().chain(common(q)).collect::<Vec<_>>()).collect();
        let together = forces(&force, &tree, &q, &v);
        assert!(together.iter().zip(&at_rest).all(|(a, b)| (a - b).abs() < 1e-10 * scale), "{together:?} {at_rest:?}");
        acted += usize::from(at_rest.iter().any(|f| *f != 0.0));
        damped += usize::from(taken < -1e-6);
    }
    assert!(acted > 30 && damped > 30, "acted {acted} times, damped {damped} times");
}

/// Enrols forces.
macro_rules! enrol {
    ($($name:ident;)*) => {
        $(
            mod $name {
                #[test]
                fn keeps_the_contract_of_forces() {
                    super::check(super::$name);
                }
            }
        )*
    };
}

enrol! {
    beam;
    bushing;
    spatial_tendon;
}

/// A string over the last of three hinges.
fn string_of_chain() -> (Tree, PlacedTendon) {
    let body = |pos: &str, axis: &str, more: &str| {
        format!(r#"<body pos="{pos}"><joint axis="{axis}"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{more}"#)
    };
    let inner = body("0.3 0 0", "1 0 0.5", r#"<site name="b" pos="0.1 0.1 -0.05"/>"#);
    let middle = body("0.3 0.1 0", "0 0 1", &format!(r#"<site name="a" pos="0.1 0 0.05"/>{inner}</body>"#));
    let text = format!(
        r#"<mujoco><worldbody>{}{middle}</body></body></worldbody><tendon><spatial stiffness="30" damping="2"
        springlength="0.05"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"#,
        body("0 0 1", "0 1 0", "")
    );
    let model = model(&text);
    let tree = tree(&model);
    let mut faults = Vec::new();
    let placed = place(&tree, &[model], &mut faults);
    assert!(faults.is_empty(), "{faults:?}");
    (tree, placed.into_iter().next().expect("a tendon"))
}

/// Lengths and moment arms in plain numbers give the same forces and derivatives as those in dual numbers, whichever
/// position varies.
#[test]
fn strings_pull_alike_in_plain_and_in_dual_numbers() {
    let mut r = Random(7);
    for case in 0..40 {
        let is_chain = case % 2 == 0;
        let (tree, tendon) = if is_chain { string_of_chain() } else { spatial_tendon(&mut r) };
        let q = if is_chain { (0..3).map(|_| r.uniform(-1.0, 1.0)).collect() } else { state(&mut r) };
        assert_eq!(tendon.velocities.len(), if is_chain { 1 } else { 12 });
        let q: Vec<Jet> = q.into_iter().map(Jet::constant).collect();
        let v: Vec<Jet> = (0..tree.num_velocities()).map(|i| seed(r.uniform(-1.0, 1.0), i % 6, 1.0)).collect();
        let pulled = |q: &[Jet], by_plain: bool| {
            let mut forces = vec![Jet::constant(0.0); v.len()];
            with_motion(&tree, q, &v, |k| {
                with_plain(&tree, q, |plain| {
                    let plain = plain.filter(|_| by_plain);
                    tendon.add(&StringMotion { tree: &tree, k, plain, v: &v }, Ranges::Included, &mut forces);
                });
            });
            forces
        };
        for position in 0..=q.len() {
            let mut moved = q.clone();
            if let Some(q) = moved.get_mut(position) {
                *q = seed(q.value(), 6, 1.0);
            }
            for (a, b) in pulled(&moved, true).iter().zip(&pulled(&moved, false)) {
                let near = |a: f64, b: f64| (a - b).abs() < 1e-10 * (1.0 + b.abs());
                assert!(near(a.value(), b.value()), "{a} {b}");
                assert!((0..7).all(|i| near(partial(a, i), partial(b, i))), "{position}: {a} {b}");
            }
        }
    }
}
