//! Impedance and operational-space control of a seven-joint arm, as algebra at a state.

use kinegraph_systems::control::{
    Compensation, EndEffector, ImpedanceController, ImpedanceSettings, OperationalSpaceController,
    OperationalSpaceSettings, Task,
};
use kinegraph_systems::models::read_urdf;
use kinegraph_systems::multibody::{Armature, Base, Frame, InertiaCheck, Kinematics, Model, ModelInstance, Tree};
use kinegraph_systems::testing::{Bench, conformance};
use nalgebra::{DMatrix, DVector, Isometry3, SVector, UnitQuaternion, Vector3};
use std::path::Path;

const N: usize = 7;
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
const Q: [f64; N] = [0.3, 0.5, -0.2, -1.2, 0.4, 1.0, 0.2];
const V: [f64; N] = [0.5, -1.0, 0.7, 2.0, -0.3, 1.5, -2.0];
const POSTURE: [f64; N] = [0.0, 0.1, -0.3, -1.0, 0.2, 0.7, 0.5];

type Vector6 = SVector<f64, 6>;

/// The arm, with damping and reflected inertia in its joints.
fn model() -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/urdf/arm.urdf");
    let mut model = read_urdf(&file).unwrap().model;
    for (i, joint) in model.joints.iter_mut().enumerate() {
        joint.damping = 0.1 * i as f64;
        joint.armature = 0.05 * (7 - i) as f64;
    }
    model
}

/// A flange away from the link's origin, on an arm with a tilted base.
fn effector() -> EndEffector {
    let link = model().links.last().unwrap().name.clone();
    let X_LE = Isometry3::new(Vector3::new(0.05, -0.02, 0.1), Vector3::new(0.3, -0.4, 0.2));
    let X_WR = Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.1, 0.2, 0.3));
    EndEffector { X_LE, X_WR, ..EndEffector::new(link) }
}

/// Matrices of the arm at a state.
struct Oracle {
    X: Isometry3<f64>,
    V: Vector6,
    J: DMatrix<f64>,
    /// J̇ v.
    drift: Vector6,
    M: DMatrix<f64>,
    weight: DVector<f64>,
    /// Coriolis and centrifugal forces included.
    bias: DVector<f64>,
    damping: DVector<f64>,
}

fn oracle(v: &[f64; N]) -> Oracle {
    let (model, effector) = (model(), effector());
    let instance = ModelInstance { name: "m".into(), model: &model, base: Base::Fixed { X_WR: effector.X_WR } };
    let (tree, _) = Tree::assemble(&[instance], InertiaCheck::Strict).unwrap();
    let frame = Frame::new(tree.body(&format!("m/{}", effector.link)).unwrap(), &effector.X_LE);
    let mut k = Kinematics::default();
    tree.position_kinematics(&Q, &mut k);
    tree.velocity_kinematics(v, &mut k);
    let mut M = vec![0.0; N * N];
    tree.mass_matrix(&mut k, Armature::Included, &mut M);
    let (mut weight, mut bias) = (vec![0.0; N], vec![0.0; N]);
    tree.gravity_compensation(&mut k, &GRAVITY.into(), &mut weight);
    tree.bias(&mut k, &GRAVITY.into(), &mut bias);
    let pose = tree.X_WF(&k, &frame);
    let drift = tree.frame_acceleration(&k, &frame, |_| 0.0).to_vector();
    let column = |i: usize| tree.frame_acceleration(&k, &frame, |j| f64::from(u8::from(i == j))).to_vector() - drift;
    let R = nalgebra::Rotation3::from_matrix_unchecked(pose.R_WB);
    Oracle {
        X: Isometry3::from_parts(pose.p_WB.into(), UnitQuaternion::from_rotation_matrix(&R)),
        V: tree.V_WF(&k, &frame).to_vector(),
        J: DMatrix::from_fn(6, N, |row, i| column(i)[row]),
        drift,
        M: DMatrix::from_vec(N, N, M),
        weight: weight.into(),
        bias: bias.into(),
        damping: DVector::from_iterator(N, tree.damping().iter().zip(v).map(|(d, v)| d * v)),
    }
}

impl Oracle {
    fn J6(&self) -> DMatrix<f64> {
        self.J.clone()
    }
    fn solve(&self, tau: &DVector<f64>) -> DVector<f64> {
        self.M.clone().cholesky().unwrap().solve(tau)
    }
    fn lambda(&self) -> DMatrix<f64> {
        let solved = self.M.clone().cholesky().unwrap().solve(&self.J.transpose());
        (&self.J * solved).try_inverse().unwrap()
    }
    /// Acceleration of the joints of the arm.
    fn acceleration(&self, tau: &[f64]) -> DVector<f64> {
        self.solve(&(DVector::from_column_slice(tau) - &self.bias - &self.damping))
    }
}

fn numbers(X: &Isometry3<f64>) -> [f64; 7] {
    let (p, r) = (X.translation, X.rotation);
    [p.x, p.y, p.z, r.w, r.i, r.j, r.k]
}

#[track_caller]
fn assert_close(found: impl AsRef<[f64]>, expected: impl AsRef<[f64]>) {
    let (found, expected) = (found.as_ref(), expected.as_ref());
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(found.len() == expected.len() && apart < 1e-9, "{found:?} is not {expected:?}: {apart:e}");
}

fn impedance(compensation: Compensation, nullspace: f64) -> ImpedanceController {
    let settings = ImpedanceSettings {
        nullspace_stiffness: (20.0 * nullspace).into(),
        nullspace_damping: (3.0 * nullspace).into(),
        posture: POSTURE.into(),
        compensation,
        ..ImpedanceSettings::new(effector(), ([2000.0, 500.0, 900.0], 80.0), ([60.0, 30.0, 10.0], [2.0, 3.0, 4.0]))
    };
    ImpedanceController::new(&model(), GRAVITY, settings).unwrap()
}

fn operational(task: Task) -> OperationalSpaceController {
    let settings = OperationalSpaceSettings {
        task,
        nullspace_kp: 25.0.into(),
        nullspace_kd: 10.0.into(),
        posture: POSTURE.into(),
        ..OperationalSpaceSettings::new(effector(), 100.0, 20.0)
    };
    OperationalSpaceController::new(&model(), GRAVITY, settings).unwrap()
}

fn state(v: [f64; N]) -> Vec<f64> {
    [Q, v].concat()
}

#[test]
fn conform() {
    for compensation in [Compensation::Off, Compensation::Gravity, Compensation::Bias] {
        conformance::check(&impedance(compensation, 1.0));
    }
    conformance::check(&impedance(Compensation::Gravity, 0.0));
    for task in [Task::Pose, Task::Position, Task::Orientation] {
        conformance::check(&operational(task));
    }
}

#[test]
fn an_arm_at_its_goal_carries_its_weight() {
    let o = oracle(&[0.0; N]);
    let controller = impedance(Compensation::Gravity, 0.0);
    let bench = Bench::new(&controller).input(controller.estimated_state, state([0.0; N]));
    let bench = bench.input(controller.desired_pose, numbers(&o.X));
    assert_close(bench.eval(controller.generalized_force), o.weight.as_slice());
    assert_close(bench.eval(controller.pose), numbers(&o.X));
    // Either sign and any length of a quaternion is the same orientation.
    let mut doubled = numbers(&o.X);
    doubled[3..].iter_mut().for_each(|x| *x *= -2.0);
    assert_close(bench.input(controller.desired_pose, doubled).eval(controller.generalized_force), o.weight.as_slice());
}

/// Errors computed by hand: D is E moved and turned about one axis of D, along which the rotation vector lies.
#[test]
fn spring_and_damper_act_along_the_axes_of_the_desired_frame() {
    let o = oracle(&V);
    let (shift, angle) = (Vector3::new(0.02, -0.03, 0.05), 0.7);
    let turn = UnitQuaternion::from_scaled_axis(Vector3::y() * angle);
    let R_WD = o.X.rotation * turn;
    let X_WD = Isometry3::from_parts((o.X.translation.vector + R_WD * shift).into(), R_WD);
    let V_WD = Vector6::from_column_slice(&[0.1, 0.2, -0.3, 0.4, -0.5, 0.6]);
    let controller = impedance(Compensation::Bias, 0.0);
    let tau = Bench::new(&controller)
        .input(controller.estimated_state, state(V))
        .input(controller.desired_pose, numbers(&X_WD))
        .input(controller.desired_velocity, V_WD.as_slice())
        .eval(controller.generalized_force);
    let rate = V_WD - o.V;
    let (w, v) = (R_WD.inverse() * rate.fixed_rows::<3>(0), R_WD.inverse() * rate.fixed_rows::<3>(3));
    let moment = R_WD * (Vector3::y() * (30.0 * angle) + w.component_mul(&Vector3::new(2.0, 3.0, 4.0)));
    let force = R_WD * (shift.component_mul(&Vector3::new(2000.0, 500.0, 900.0)) + v * 80.0);
    let F = DVector::from_iterator(6, moment.iter().chain(force.iter()).copied());
    assert_close(tau, (&o.bias + o.J6().tr_mul(&F)).as_slice());
}

/// For unequal stiffnesses the torques of the spring are still the gradient of its energy `½ φᵀ K φ`.
#[test]
fn the_spring_is_conservative() {
    let o = oracle(&[0.0; N]);
    let goal = Isometry3::new(o.X.translation.vector + Vector3::new(0.05, 0.02, -0.08), Vector3::new(1.0, -0.5, 0.8))
        * o.X.rotation;
    let controller = impedance(Compensation::Off, 0.0);
    let bench = Bench::new(&controller).input(controller.desired_pose, numbers(&goal));
    let at = |q: &[f64]| bench.clone().input(controller.estimated_state, [q, &[0.0; N]].concat());
    let energy = |q: &[f64]| {
        let X = at(q).eval(controller.pose);
        let rotation = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(X[3], X[4], X[5], X[6]));
        let shift = goal.rotation.inverse() * (goal.translation.vector - Vector3::new(X[0], X[1], X[2]));
        let phi = goal.rotation.inverse() * (goal.rotation * rotation.inverse()).scaled_axis();
        let with = |x: Vector3<f64>, k: [f64; 3]| 0.5 * x.component_mul(&x).dot(&Vector3::from(k));
        with(shift, [2000.0, 500.0, 900.0]) + with(phi, [60.0, 30.0, 10.0])
    };
    let tau = at(&Q).eval(controller.generalized_force);
    for i in 0..N {
        let h = 1e-5;
        let [above, below] = [h, -h].map(|h| {
            let mut q = Q;
            q[i] += h;
            energy(&q)
        });
        let slope = (above - below) / (2.0 * h);
        assert!((tau[i] + slope).abs() < 1e-6 * (1.0 + slope.abs()), "joint {i}: {} and {slope}", tau[i]);
    }
}

#[test]
fn nullspace_torques_do_not_accelerate_the_end_effector() {
    let o = oracle(&V);
    let (with, without) = (impedance(Compensation::Gravity, 1.0), impedance(Compensation::Gravity, 0.0));
    let goal = numbers(&(o.X * Isometry3::new(Vector3::new(0.1, 0.0, 0.05), Vector3::new(0.2, 0.3, 0.0))));
    let tau = |c: &ImpedanceController, posture: Option<[f64; N]>| {
        let bench = Bench::new(c).input(c.estimated_state, state(V)).input(c.desired_pose, goal);
        let bench = posture.iter().fold(bench, |bench, q| bench.input(c.posture, q));
        DVector::from_vec(bench.eval(c.generalized_force))
    };
    let own = tau(&with, None) - tau(&without, None);
    assert!(own.norm() > 1.0, "the nullspace torques act");
    let moved = o.J6() * o.solve(&own);
    assert!(moved.amax() < 1e-9, "{moved}");
    // They are those of a spring to the posture as far as that leaves the end effector alone.
    let spring = DVector::from_fn(N, |i, _| 20.0 * (POSTURE[i] - Q[i]) - 3.0 * V[i]);
    let projected = &spring - o.J6().tr_mul(&(o.lambda() * (o.J6() * o.solve(&spring))));
    assert_close(own.as_slice(), projected.as_slice());
    // The input takes the place of the parameter.
    assert_close(tau(&with, Some(POSTURE)).as_slice(), tau(&with, None).as_slice());
    let away = tau(&with, Some([0.5; N])) - tau(&with, None);
    assert!(away.norm() > 1.0, "{away}");
}

/// The arm has `V̇ = A_d + kd (V_d - V) + kp e`; in the nullspace of the task, the posture's acceleration.
#[test]
fn the_task_accelerates_as_its_error_asks() {
    let o = oracle(&V);
    let (shift, turn) = (Vector3::new(0.1, -0.2, 0.05), Vector3::new(0.4, -0.3, 0.6));
    let X_WD = Isometry3::from_parts(
        (o.X.translation.vector + shift).into(),
        UnitQuaternion::from_scaled_axis(turn) * o.X.rotation,
    );
    let V_WD = Vector6::from_column_slice(&[0.1, 0.2, -0.3, 0.4, -0.5, 0.6]);
    let A_WD = Vector6::from_column_slice(&[1.0, -2.0, 0.5, 3.0, 2.0, -1.0]);
    let e = Vector6::from_iterator(turn.iter().chain(shift.iter()).copied());
    let expected = A_WD + (V_WD - o.V) * 20.0 + e * 100.0;
    let posture = DVector::from_fn(N, |i, _| 25.0 * (POSTURE[i] - Q[i]) - 10.0 * V[i]);
    for (task, rows) in [(Task::Pose, 0..6), (Task::Position, 3..6), (Task::Orientation, 0..3)] {
        let c = operational(task);
        let tau = Bench::new(&c)
            .input(c.estimated_state, state(V))
            .input(c.desired_pose, numbers(&X_WD))
            .input(c.desired_velocity, V_WD.as_slice())
            .input(c.desired_acceleration, A_WD.as_slice())
            .eval(c.generalized_force);
        let v_dot = o.acceleration(&tau);
        let J = o.J.rows(rows.start, rows.len()).into_owned();
        let found = &J * &v_dot + o.drift.rows(rows.start, rows.len());
        assert_close(found.as_slice(), expected.rows(rows.start, rows.len()).as_slice());
        // M (v̇ - a₀) is a force of the task: it does no work on motion that leaves the task alone.
        let force = &o.M * (&v_dot - &posture);
        let null = J.clone().svd(false, true).v_t.unwrap();
        let leftover = &force - null.tr_mul(&(&null * &force));
        assert!(leftover.amax() < 1e-8 * force.amax().max(1.0), "{task:?}: {leftover}");
    }
}

/// An outstretched arm cannot move along itself: forces stay bounded, and other directions are followed exactly.
#[test]
fn near_a_singular_posture_forces_stay_bounded() {
    for bend in [0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2] {
        let c = operational(Task::Position);
        let stretched = [0.0, 0.4, 0.0, -bend, 0.0, 0.0, 0.0];
        let bench = Bench::new(&c).input(c.estimated_state, [stretched, [0.0; N]].concat());
        let pose = bench.clone().input(c.desired_pose, [0.0; 7].map(|_: f64| 0.5)).eval(c.pose);
        let mut goal = pose.clone();
        goal[..3].iter_mut().for_each(|x| *x += 0.1);
        let tau = bench.input(c.desired_pose, goal).eval(c.generalized_force);
        assert!(tau.iter().all(|tau| tau.abs() < 3000.0), "{bend}: {tau:?}");
    }
}

#[test]
fn mismatched_arguments_are_named_in_the_fault() {
    let settings = |end_effector| ImpedanceSettings::new(end_effector, (1.0, 1.0), (1.0, 1.0));
    let fault = |settings| ImpedanceController::new(&model(), GRAVITY, settings).err().unwrap().to_string();
    let link = effector().link;
    let misspelt = format!("{link}x");
    assert_eq!(
        fault(settings(EndEffector::new(&misspelt))),
        format!("the model has no link `{misspelt}`; did you mean `{link}`?")
    );
    let root = model().links[0].name.clone();
    let text = fault(settings(EndEffector::new(&root)));
    assert_eq!(text, format!("link `{root}` is fixed to the root of the model: no joint moves it"));
    let wrong = ImpedanceSettings { translational_damping: (-1.0).into(), ..settings(effector()) };
    assert_eq!(fault(wrong), "translational_damping[0] is -1, expected a number that is not negative");
    let wrong = ImpedanceSettings { posture: [0.0; 3].into(), ..settings(effector()) };
    assert_eq!(fault(wrong), "posture has 3 elements, expected 7");
    let heavy = EndEffector { largest_mass: Some(0.0), ..effector() };
    assert_eq!(fault(settings(heavy)), "largest_mass[0] is 0, expected a number above 0");
    let settings = OperationalSpaceSettings::new(effector(), [1.0; 3], 1.0);
    let fault = OperationalSpaceController::new(&model(), GRAVITY, settings).err().unwrap().to_string();
    assert_eq!(fault, "kp has 3 elements, expected 6");
}
