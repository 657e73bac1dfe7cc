//! The quadratic program by its optimality conditions, friction against a simplex method and closed forms.

use kinegraph_methods::volume::friction::Friction;
use kinegraph_methods::volume::qp::{QuadraticProgram, dot};
use kinegraph_methods::volume::{Kinetic, VolumeOptions};
use std::f64::consts::TAU;

struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Maximizes c'x with A x = b, x >= 0, by the simplex method with Bland's rule; `None` if there is no such x.
fn simplex(columns: &[Vec<f64>], b: &[f64], c: &[f64]) -> Option<f64> {
    let (m, n) = (b.len(), columns.len());
    // Rows with signs such that b >= 0, with artificial variables for the start.
    let sign: Vec<f64> = b.iter().map(|x| if *x < 0.0 { -1.0 } else { 1.0 }).collect();
    let mut table: Vec<Vec<f64>> = (0..m)
        .map(|i| {
            let mut row: Vec<f64> = columns.iter().map(|column| sign[i] * column[i]).collect();
            row.extend((0..m).map(|j| f64::from(u8::from(i == j))));
            row.push(b[i].abs());
            row
        })
        .collect();
    let mut basis: Vec<usize> = (n..n + m).collect();
    let mut run = |cost: &dyn Fn(usize) -> f64, limit: usize| -> f64 {
        for _ in 0..10_000 {
            let reduced = |j: usize| cost(j) - (0..m).map(|i| cost(basis[i]) * table[i][j]).sum::<f64>();
            let Some(enter) = (0..limit).find(|&j| !basis.contains(&j) && reduced(j) > 1e-11) else { break };
            let rows = (0..m).filter(|&i| table[i][enter] > 1e-12);
            let ratio = |i: usize| table[i][n + m] / table[i][enter];
            let Some(leave) = rows.min_by(|&i, &j| ratio(i).total_cmp(&ratio(j)).then(basis[i].cmp(&basis[j]))) else {
                break;
            };
            let pivot = table[leave][enter];
            table[leave].iter_mut().for_each(|x| *x /= pivot);
            let row = table[leave].clone();
            for i in (0..m).filter(|&i| i != leave) {
                let factor = table[i][enter];
                table[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            }
            basis[leave] = enter;
        }
        (0..m).map(|i| cost(basis[i]) * table[i][n + m]).sum()
    };
    let left = run(&|j| if j >= n { -1.0 } else { 0.0 }, n + m);
    if left < -1e-9 {
        return None;
    }
    Some(run(&|j| if j >= n { -1e6 } else { c[j] }, n))
}

const A: f64 = 0.05;
const SQUARE: [[f64; 2]; 4] = [[A, A], [-A, A], [-A, -A], [A, -A]];

/// Forces at the corners along the edges of the pyramid, as columns [f1, f2, fn, t1, t2, tn].
fn generators(outline: &[[f64; 2]], mu: f64, sides: usize, phase: f64) -> Vec<[f64; 6]> {
    let edges = |[x, y]: [f64; 2]| {
        (0..sides).map(move |side| {
            let (sin, cos) = (TAU * (side as f64 + phase) / sides as f64).sin_cos();
            [mu * cos, mu * sin, 1.0, y, -x, x * mu * sin - y * mu * cos]
        })
    };
    outline.iter().flat_map(|&p| edges(p)).collect()
}

/// The largest torque about the normal together with the force `f` along the first tangent.
fn torque_limit(f: f64, sides: usize, phase: f64) -> Option<f64> {
    let all = generators(&SQUARE, 0.5, sides, phase);
    let columns: Vec<Vec<f64>> = all.iter().map(|g| vec![g[0] / 2.0, g[1] / 2.0, g[2], g[3] / A, g[4] / A]).collect();
    let worth: Vec<f64> = all.iter().map(|g| g[5]).collect();
    simplex(&columns, &[f / 2.0, 0.0, 4.9, 0.0, 0.0], &worth)
}

#[test]
fn the_limits_of_a_pressed_square_are_those_of_the_source() {
    let table = [
        (0.0, [0.122500, 0.173241, 0.173241, 0.173241]),
        (0.6125, [0.122500, 0.155301, 0.161307, 0.162798]),
        (1.2250, [0.122500, 0.122500, 0.135687, 0.136155]),
        (1.8375, [0.061250, 0.079190, 0.093411, 0.094634]),
        (2.2050, [0.024500, 0.041824, 0.054182, 0.056847]),
    ];
    let mut friction = Friction::default();
    for (f, torques) in table {
        for (sides, torque) in [4, 8, 16, 32].into_iter().zip(torques) {
            let limit = torque_limit(f, sides, 0.0).unwrap();
            assert!((limit - torque).abs() < 1e-6, "{f} {sides} {limit} {torque}");
            let options = VolumeOptions { sides, ..VolumeOptions::default() };
            let mut holds = |t: f64| friction.holds(&[f, 0.0, 4.9, 0.0, 0.0, t], &SQUARE, 0.5, &options);
            assert!(holds(limit * (1.0 - 1e-7)) && !holds(limit * (1.0 + 1e-7)), "{f} {sides}");
        }
    }
    // A pyramid with an edge along the force has the whole limit, one with a side there has its cosine.
    for (sides, phase, limit) in [(4, 0.0, 2.45), (8, 0.0, 2.45), (8, 0.5, 2.2635), (4, 0.5, 1.7324), (16, 0.5, 2.4029)]
    {
        let options = VolumeOptions { sides, phase, ..VolumeOptions::default() };
        let mut holds = |f: f64| friction.holds(&[f, 0.0, 4.9, 0.0, 0.0, 0.0], &SQUARE, 0.5, &options);
        assert!(holds(limit * 0.9999) && !holds(limit * 1.0001), "{sides} {phase}");
    }
}

#[test]
fn a_grid_of_forces_and_torques_is_classified_as_the_linear_program_does() {
    let (mut friction, mut held) = (Friction::default(), 0);
    for sides in [4, 8, 16] {
        let options = VolumeOptions { sides, ..VolumeOptions::default() };
        for i in 0..40 {
            let f = 2.5 * (f64::from(i) + 0.5) / 40.0;
            let limit = torque_limit(f, sides, 0.0);
            for j in 0..40 {
                let torque = 0.18 * (f64::from(j) + 0.5) / 40.0;
                let holds = friction.holds(&[f, 0.0, 4.9, 0.0, 0.0, torque], &SQUARE, 0.5, &options);
                assert_eq!(holds, limit.is_some_and(|limit| torque <= limit), "{sides} {f} {torque} {limit:?}");
                held += usize::from(holds);
            }
        }
    }
    assert!(held > 1000);
}

#[test]
fn random_wrenches_are_held_where_the_linear_program_says() {
    let (mut random, mut friction) = (Random(5), Friction::default());
    let (options, mut counts) = (VolumeOptions::default(), [0; 2]);
    for _ in 0..10_000 {
        let mut corners = 3 + (random.between(0.0, 4.0) as usize);
        let start = random.between(0.0, TAU);
        let outline: Vec<[f64; 2]> = (0..corners)
            .map(|l| {
                let (sin, cos) = (start + TAU * l as f64 / corners as f64).sin_cos();
                [0.05 * cos, 0.03 * sin]
            })
            .collect();
        corners = outline.len();
        let all = generators(&outline, 0.5, 8, 0.0);
        // A sum of generators, scaled in its plane: about half of them are beyond the limit.
        let mut wrench = [0.0; 6];
        for _ in 0..corners {
            let (part, g) = (random.between(0.0, 1.0), all[random.between(0.0, all.len() as f64) as usize]);
            wrench.iter_mut().zip(g).for_each(|(w, x)| *w += part * x);
        }
        let more = random.between(0.5, 2.5);
        [0, 1, 5].into_iter().for_each(|k| wrench[k] *= more);
        let columns: Vec<Vec<f64>> =
            all.iter().map(|g| vec![g[0], g[1], g[2], g[3] / 0.05, g[4] / 0.05, g[5] / 0.05]).collect();
        let b = [wrench[0], wrench[1], wrench[2], wrench[3] / 0.05, wrench[4] / 0.05, wrench[5] / 0.05];
        // Factor by which the wrench may grow in its plane: one is the boundary.
        let free: Vec<Vec<f64>> = columns.iter().cloned().chain([vec![-b[0], -b[1], 0.0, 0.0, 0.0, -b[5]]]).collect();
        let mut worth = vec![0.0; columns.len()];
        worth.push(1.0);
        let growth = simplex(&free, &[0.0, 0.0, b[2], b[3], b[4], 0.0], &worth).unwrap();
        if (growth - 1.0).abs() < 1e-9 {
            continue;
        }
        let holds = friction.holds(&wrench, &outline, 0.5, &options);
        assert_eq!(holds, growth > 1.0, "{wrench:?} {growth}");
        counts[usize::from(holds)] += 1;
    }
    assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
}

#[test]
fn sliding_patches_keep_their_normal_force_and_oppose_the_motion() {
    let (mut random, mut friction) = (Random(9), Friction::default());
    for kinetic in [Kinetic::LeastSquares, Kinetic::LinearProgram] {
        // Translation: mu_k N against the motion. Rotation about the centre: the arm is that of the corners.
        let n = 4.9;
        let straight =
            friction.sliding(&[-3.0, 0.0, n, 0.0, 0.0, 0.0], &SQUARE, 0.3, [1.0, 0.0, 0.0], kinetic).unwrap();
        assert!(
            (straight[0] + 0.3 * n).abs() < 1e-9 && straight[1].abs() < 1e-9 && straight[5].abs() < 1e-7,
            "{straight:?}"
        );
        let turning = friction.sliding(&[0.0, 0.0, n, 0.0, 0.0, -1.0], &SQUARE, 0.3, [0.0, 0.0, 2.0], kinetic).unwrap();
        assert!((turning[5] + 0.3 * n * A * 2.0_f64.sqrt()).abs() < 1e-9, "{turning:?}");
        for _ in 0..500 {
            let mut draw = |size: f64| random.between(-size, size);
            let center = [draw(0.04), draw(0.04)];
            let wrench = [draw(5.0), draw(5.0), n, n * center[1], -n * center[0], draw(0.3)];
            let motion = [draw(1.0), draw(1.0), draw(20.0)];
            let found = friction.sliding(&wrench, &SQUARE, 0.3, motion, kinetic).unwrap();
            assert_eq!(found[2..5], wrench[2..5]);
            let power = found[0] * motion[0] + found[1] * motion[1] + found[5] * motion[2];
            assert!(power <= 1e-12 && found[0].hypot(found[1]) <= 0.3 * n * (1.0 + 1e-9), "{found:?}");
        }
        assert!(friction.sliding(&[1.0, 0.0, n, 0.0, 0.0, 0.0], &SQUARE, 0.3, [0.0; 3], kinetic).is_none());
    }
}

#[test]
fn programs_meet_their_conditions_of_optimality() {
    let mut random = Random(3);
    let mut program = QuadraticProgram::default();
    let mut acting = 0;
    for case in 0..300 {
        let n = 2 + case % 11;
        let (equations, count) = (case % 3, 3 + case % 17);
        let root: Vec<f64> = (0..n * n).map(|_| random.between(-1.0, 1.0)).collect();
        program.start(n);
        for i in 0..n {
            program.gradient[i] = random.between(-1.0, 1.0);
            for j in 0..n {
                let sum: f64 = (0..n).map(|k| root[k * n + i] * root[k * n + j]).sum();
                program.hessian[i * n + j] = sum + if i == j { 0.01 } else { 0.0 };
            }
        }
        // Constraints that a known point satisfies, so that the program has a solution.
        let inside: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        let equations = equations.min(n - 1);
        for i in 0..count {
            let row: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
            let slack = if i < equations { 0.0 } else { random.between(0.0, 0.5) };
            program.constrain(dot(&row, &inside) - slack).copy_from_slice(&row);
        }
        program.equations = equations;
        assert!(program.solve(), "{case}");
        let x = &program.solution;
        let mut gradient: Vec<f64> = (0..n)
            .map(|i| program.gradient[i] + (0..n).map(|j| program.hessian[j * n + i] * x[j]).sum::<f64>())
            .collect();
        for (i, row) in program.constraints.chunks_exact(n).enumerate() {
            let (slack, u) = (dot(row, x) - program.bounds[i], program.multiplier(i));
            assert!(
                if i < equations { slack.abs() < 1e-9 } else { slack > -1e-9 && u > -1e-9 && (slack * u).abs() < 1e-8 },
                "{case} {i} {slack} {u}"
            );
            acting += usize::from(i >= equations && u > 1e-9);
            gradient.iter_mut().zip(row).for_each(|(g, a)| *g -= u * a);
        }
        assert!(dot(&gradient, &gradient).sqrt() < 1e-8, "{case} {gradient:?}");
    }
    assert!(acting > 200);
    // Contradictory constraints, and a Hessian that is not positive definite.
    program.start(1);
    program.hessian[0] = 1.0;
    program.constrain(1.0)[0] = 1.0;
    program.constrain(1.0)[0] = -1.0;
    assert!(!program.solve());
    program.start(1);
    assert!(!program.solve());
}
