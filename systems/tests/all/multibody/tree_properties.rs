//! Laws that the dynamics of every tree obeys, on random trees.

use super::common::{plant_and_state, positions};
use kinegraph_systems::multibody::*;
use kinegraph_systems::scalar::{JET_WIDTH, Jet, Scalar, partial, seed};
use nalgebra::{DMatrix, DVector, Isometry3, Vector3};
use proptest::prelude::*;

const GRAVITY: Vector3<f64> = Vector3::new(0.5, -0.3, -9.81);

/// A kinematics at a state.
fn kinematics<S: Scalar>(tree: &Tree, q: &[S], v: &[S]) -> Kinematics<S> {
    let mut k = Kinematics::default();
    tree.position_kinematics(q, &mut k);
    tree.velocity_kinematics(v, &mut k);
    k
}

fn mass_matrix(tree: &Tree, k: &mut Kinematics<f64>) -> DMatrix<f64> {
    let mut blocks = vec![0.0; tree.mass_matrix_len()];
    tree.mass_matrix(k, Armature::Included, &mut blocks);
    let mut M = DMatrix::zeros(tree.num_velocities(), tree.num_velocities());
    for (c, range) in tree.cliques().enumerate() {
        let block = DMatrix::from_column_slice(range.len(), range.len(), &blocks[tree.mass_matrix_block(c)]);
        M.view_mut((range.start, range.start), (range.len(), range.len())).copy_from(&block);
    }
    M
}

fn inverse_dynamics<S: Scalar>(tree: &Tree, q: &[S], v: &[S], v_dot: &[S]) -> Vec<S> {
    let mut tau = vec![S::zero(); tree.num_velocities()];
    tree.inverse_dynamics(&mut kinematics(tree, q, v), v_dot, &GRAVITY, Armature::Included, &mut tau);
    tau
}

fn close(what: &str, a: &[f64], b: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    let scale = a.iter().chain(b).fold(1.0, |max: f64, x| max.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        prop_assert!((x - y).abs() <= tolerance * scale, "{what}: {a:?} and {b:?}");
    }
    Ok(())
}

/// Jets of `values` with the slopes `slope`.
fn along(values: &[f64], slope: &[f64]) -> Vec<Jet> {
    values.iter().zip(slope).map(|(x, s)| seed(*x, 0, *s)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn mass_matrix_and_bias_make_inverse_dynamics((plant, x) in plant_and_state()) {
        let tree = plant.tree(Vector3::zeros());
        let n = tree.num_velocities();
        let (q, v, v_dot) = (positions(&tree, &x), &x[60..60 + n], &x[120..120 + n]);
        let mut k = kinematics(&tree, &q, v);
        let M = mass_matrix(&tree, &mut k);
        prop_assert!(M == M.transpose());
        prop_assert!(n == 0 || M.clone().cholesky().is_some());
        let mut bias = vec![0.0; n];
        tree.bias(&mut k, &GRAVITY, &mut bias);
        let expected = &M * DVector::from_column_slice(v_dot) + DVector::from_vec(bias);
        close("tau", &inverse_dynamics(&tree, &q, v, v_dot), expected.as_slice(), 1e-12)?;
        // Forward dynamics takes the forces back to the motion.
        let mut back = vec![0.0; n];
        tree.forward_dynamics(&mut k, expected.as_slice(), &GRAVITY, Armature::Included, &mut back);
        let force = &M * (DVector::from_vec(back) - DVector::from_column_slice(v_dot));
        close("M (v̇ - v̇)", force.as_slice(), &vec![0.0; n], 1e-11 * expected.amax().max(1.0))?;
        // Kinetic energy by bodies and by the matrix.
        let v_vector = DVector::from_column_slice(v);
        let energy = tree.kinetic_energy(&mut k) + tree.armature_energy(v);
        close("energy", &[energy], &[0.5 * (&M * &v_vector).dot(&v_vector)], 1e-12)?;
    }

    #[test]
    fn inverse_dynamics_is_linear_in_the_inertial_parameters((plant, x) in plant_and_state()) {
        let tree = plant.tree(Vector3::zeros());
        let n = tree.num_velocities();
        let (q, v, v_dot) = (positions(&tree, &x), &x[60..60 + n], &x[120..120 + n]);
        let mut k = kinematics(&tree, &q, v);
        let parts = tree.moving_parts();
        let mut Y = vec![0.0; n * 10 * parts.len()];
        tree.inertial_regressor(&mut k, v_dot, &GRAVITY, &mut Y);
        let parameters: Vec<f64> = parts.iter().flat_map(|part| part.parameters).collect();
        let Y = DMatrix::from_vec(n, parameters.len(), Y);
        let mut tau = vec![0.0; n];
        tree.inverse_dynamics(&mut k, v_dot, &GRAVITY, Armature::Ignored, &mut tau);
        close("tau", (Y * DVector::from_vec(parameters)).as_slice(), &tau, 1e-12)?;
        let mass: f64 = parts.iter().map(|part| part.parameters[0]).sum();
        prop_assert!(mass <= tree.total_mass() * (1.0 + 1e-12));
    }

    #[test]
    fn jet_derivative_is_the_central_difference((plant, x) in plant_and_state()) {
        let tree = plant.tree(Vector3::zeros());
        let n = tree.num_velocities();
        let q = positions(&tree, &x);
        let (v, v_dot) = (&x[60..60 + n], &x[120..120 + n]);
        let slopes = [&x[150..150 + q.len()], &x[180..180 + n], &x[90..90 + n]];
        let jets = inverse_dynamics(&tree, &along(&q, slopes[0]), &along(v, slopes[1]), &along(v_dot, slopes[2]));
        let at = |h: f64| {
            let step = |x: &[f64], s: &[f64]| x.iter().zip(s).map(|(x, s)| x + h * s).collect::<Vec<_>>();
            inverse_dynamics(&tree, &step(&q, slopes[0]), &step(v, slopes[1]), &step(v_dot, slopes[2]))
        };
        let h = 1e-5;
        let difference: Vec<f64> = at(h).iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        close("value", &jets.iter().map(|j| j.value()).collect::<Vec<_>>(), &at(0.0), 1e-12)?;
        close("derivative", &jets.iter().map(|j| partial(j, 0)).collect::<Vec<_>>(), &difference, 1e-6)?;
    }

    /// The partial derivatives of the dynamics equal those of a recursion over dual numbers, whatever the joints.
    #[test]
    fn slopes_of_inverse_dynamics_are_those_of_the_recursion((plant, x) in plant_and_state(), any in any::<bool>()) {
        let plant = if any { plant } else { plant.with_single_axes() };
        let tree = plant.tree(Vector3::zeros());
        let n = tree.num_velocities();
        let q = positions(&tree, &x);
        let (v, v_dot) = (&x[60..60 + n], &x[120..120 + n]);
        let jets = |values: &[f64], from: usize| -> Vec<Jet> {
            let slope = |i: usize, d: usize| x[(from + 3 * i + 11 * d) % x.len()];
            let jet = |(i, value): (usize, &f64)| Jet::with_partials(*value, &std::array::from_fn(|d| slope(i, d)));
            values.iter().enumerate().map(jet).collect()
        };
        let (q, v, v_dot) = (jets(&q, 150), jets(v, 180), jets(v_dot, 90));
        let expected = inverse_dynamics(&tree, &q, &v, &v_dot);
        let mut found = vec![Jet::constant(0.0); n];
        tree.inverse_dynamics_at((&q, &v), &GRAVITY, Armature::Included, &mut found, |i| v_dot[i]);
        for d in 0..JET_WIDTH {
            let all = |jets: &[Jet]| jets.iter().map(|jet| partial(jet, d)).collect::<Vec<_>>();
            close("slopes", &all(&found), &all(&expected), 1e-11)?;
        }
        let plain = |jets: &[Jet]| jets.iter().map(|jet| jet.value()).collect::<Vec<_>>();
        let values = inverse_dynamics(&tree, &plain(&q), &plain(&v), &plain(&v_dot));
        if tree.joints().iter().all(|joint| joint.velocities.len() == 1) {
            prop_assert_eq!(plain(&found), values);
        }
    }

    #[test]
    fn jacobians_give_velocities_and_forces((plant, x) in plant_and_state()) {
        let tree = plant.tree(Vector3::zeros());
        let n = tree.num_velocities();
        let (q, v) = (positions(&tree, &x), &x[60..60 + n]);
        let k = kinematics(&tree, &q, v);
        let cliques: Vec<_> = tree.cliques().collect();
        for body in 0..tree.bodies().len() {
            let mut J = vec![0.0; tree.body_jacobian_len(body)];
            tree.body_jacobian(&k, body, &mut J);
            let V = tree.V_WB(&k, body);
            let F = SpatialVector::from_slice(&x[120..126]);
            let mut tau = vec![0.0; n];
            tree.add_spatial_force(&k, body, &F, &mut tau);
            let Some(clique) = tree.bodies()[body].clique else {
                prop_assert!(J.is_empty() && V == SpatialVector::zero() && tau.iter().all(|t| *t == 0.0));
                continue;
            };
            let range = cliques[clique].clone();
            let J = DMatrix::from_column_slice(6, range.len(), &J);
            if tree.is_free(body) {
                prop_assert!(J == DMatrix::identity(6, 6));
            }
            let Jv = &J * DVector::from_column_slice(&v[range.clone()]);
            close("V_WB", Jv.as_slice(), &V.to_array(), 1e-13)?;
            let mut expected = vec![0.0; n];
            expected[range].copy_from_slice((J.transpose() * F.to_vector()).as_slice());
            close("forces", &tau, &expected, 1e-12)?;
        }
    }

    /// Motion of frames against J, M and differences in time.
    #[test]
    fn frames_move_as_their_bodies_do((plant, x) in plant_and_state()) {
        let tree = plant.tree(Vector3::zeros());
        let n = tree.num_velocities();
        let (q, v, v_dot) = (positions(&tree, &x), &x[60..60 + n], &x[120..120 + n]);
        let tau = &x[150..150 + n];
        let X_BF = Isometry3::new(Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]));
        let mut k = kinematics(&tree, &q, v);
        let M = mass_matrix(&tree, &mut k);
        let mut rates = vec![0.0; q.len()];
        tree.position_rates(&q, v, &mut rates);
        let moving = kinematics(&tree, &along(&q, &rates), &along(v, v_dot));
        for body in 0..tree.bodies().len() {
            let frame = Frame::new(body, &X_BF);
            let (X_WB, X_WF) = (tree.X_WB(&k, body), tree.X_WF(&k, &frame));
            let arm = X_WF.p_WB - X_WB.p_WB;
            close("arm", (X_WB.R_WB.transpose() * arm).as_slice(), X_BF.translation.vector.as_slice(), 1e-14)?;
            let turned = X_WB.R_WB * X_BF.rotation.to_rotation_matrix().matrix();
            close("axes", turned.as_slice(), X_WF.R_WB.as_slice(), 1e-14)?;
            // Velocity by the pose, acceleration by the velocity.
            let jet = tree.X_WF(&moving, &frame);
            let V = tree.V_WF(&k, &frame);
            close("velocity", jet.p_WB.map(|x| partial(&x, 0)).as_slice(), V.linear.as_slice(), 1e-12)?;
            let A = tree.frame_acceleration(&k, &frame, |i| v_dot[i]);
            let rate = tree.V_WF(&moving, &frame).to_array().map(|x| partial(&x, 0));
            close("acceleration", &A.to_array(), &rate, 1e-11)?;
            // The Jacobian, column by column.
            let column = |i: usize| {
                let unit = |j: usize| f64::from(u8::from(i == j));
                let rest = tree.frame_acceleration(&k, &frame, |_| 0.0);
                (tree.frame_acceleration(&k, &frame, unit) - rest).to_vector()
            };
            let J = DMatrix::from_fn(6, n, |row, i| column(i)[row]);
            close("J v", (&J * DVector::from_column_slice(v)).as_slice(), &V.to_array(), 1e-11)?;
            let F = SpatialVector::from_slice(&x[180..186]);
            let mut forces = vec![0.0; n];
            tree.add_frame_force(&k, &frame, &F, &mut forces);
            close("J^T F", &forces, (J.transpose() * F.to_vector()).as_slice(), 1e-11)?;
            let solved = if n == 0 { DMatrix::zeros(0, 6) } else { M.clone().cholesky().unwrap().solve(&J.transpose()) };
            let expected = &J * &solved;
            let inverse = tree.inverse_operational_inertia(&mut k, &frame, Armature::Included);
            close("J M^-1 J^T", inverse.as_slice(), expected.as_slice(), 1e-10)?;
            let moved = tree.frame_acceleration_of_forces(&mut k, &frame, tau);
            let expected = solved.transpose() * DVector::from_column_slice(tau);
            close("J M^-1 tau", &moved.to_array(), expected.as_slice(), 1e-10)?;
        }
    }

    #[test]
    fn velocities_are_rates_of_poses((plant, x) in plant_and_state()) {
        let tree = plant.tree(Vector3::zeros());
        let n = tree.num_velocities();
        let (q, v) = (positions(&tree, &x), &x[60..60 + n]);
        let mut rates = vec![0.0; q.len()];
        tree.position_rates(&q, v, &mut rates);
        let mut back = vec![0.0; n];
        tree.velocities_of_rates(&q, &rates, &mut back);
        close("N⁺ N v", &back, v, 1e-13)?;
        let k = kinematics(&tree, &q, v);
        let mut jets = Kinematics::default();
        tree.position_kinematics(&along(&q, &rates), &mut jets);
        let h = 1e-5;
        let moved = [h, -h].map(|h| {
            let mut next = vec![0.0; q.len()];
            tree.integrate_positions(&q, v, h, &mut next);
            kinematics(&tree, &next, v)
        });
        for body in 0..tree.bodies().len() {
            let (V, pose) = (tree.V_WB(&k, body), tree.X_WB(&k, body));
            let R_dot = V.angular.cross_matrix() * pose.R_WB;
            let jet = tree.X_WB(&jets, body);
            close("Ṗ by jets", jet.p_WB.map(|x| partial(&x, 0)).as_slice(), V.linear.as_slice(), 1e-12)?;
            close("Ṙ by jets", jet.R_WB.map(|x| partial(&x, 0)).as_slice(), R_dot.as_slice(), 1e-12)?;
            let [a, b] = [&moved[0], &moved[1]].map(|k| tree.X_WB(k, body));
            close("ṗ by steps", ((a.p_WB - b.p_WB) / (2.0 * h)).as_slice(), V.linear.as_slice(), 1e-7)?;
            close("Ṙ by steps", ((a.R_WB - b.R_WB) / (2.0 * h)).as_slice(), R_dot.as_slice(), 1e-7)?;
        }
    }

    #[test]
    fn power_of_the_forces_is_the_rate_of_energy((plant, x) in plant_and_state()) {
        let tree = plant.tree(Vector3::zeros());
        let n = tree.num_velocities();
        let (q, v, v_dot) = (positions(&tree, &x), &x[60..60 + n], &x[120..120 + n]);
        let mut rates = vec![0.0; q.len()];
        tree.position_rates(&q, v, &mut rates);
        let v_jets = along(v, v_dot);
        let mut k = kinematics(&tree, &along(&q, &rates), &v_jets);
        let energy = tree.kinetic_energy(&mut k) + tree.armature_energy(&v_jets) + tree.potential_energy(&k, &GRAVITY);
        let power: f64 = inverse_dynamics(&tree, &q, v, v_dot).iter().zip(v).map(|(t, v)| t * v).sum();
        let scale = 1.0 + energy.value().abs() + power.abs();
        prop_assert!((partial(&energy, 0) - power).abs() < 1e-11 * scale, "{} and {power}", partial(&energy, 0));
    }

    #[test]
    fn distance_from_the_origin_loses_no_digits((plant, x) in plant_and_state()) {
        let far = Vector3::new(2e6, -3e6, 1e6);
        let (here, there) = (plant.tree(Vector3::zeros()), plant.tree(far));
        let n = here.num_velocities();
        let (q, v, v_dot) = (positions(&here, &x), &x[60..60 + n], &x[120..120 + n]);
        let mut q_far = q.clone();
        // Of the quaternions, those of floating bases are followed by a position.
        for i in here.joints().iter().filter(|j| j.kind == JointKind::Floating).map(|j| j.positions.start) {
            for axis in 0..3 {
                q_far[i + 4 + axis] += far[axis];
            }
        }
        let (a, b) = (inverse_dynamics(&here, &q, v, v_dot), inverse_dynamics(&there, &q_far, v, v_dot));
        close("tau", &a, &b, 1e-12)?;
        let (mut k, mut k_far) = (kinematics(&here, &q, v), kinematics(&there, &q_far, v));
        close("M", mass_matrix(&here, &mut k).as_slice(), mass_matrix(&there, &mut k_far).as_slice(), 1e-12)?;
        for body in 0..here.bodies().len() {
            close("V", &here.V_WB(&k, body).to_array(), &there.V_WB(&k_far, body).to_array(), 1e-12)?;
        }
    }
}
