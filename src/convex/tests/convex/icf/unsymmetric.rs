//! Feedback gains that are no Hessian of a cost, with and without effort limits.

use super::*;

/// The fixture with a gain that has no cost: a symmetric positive part and `ratio` times as much of an antisymmetric
/// one, times `size`.
fn unsymmetric_fixture(r: &mut Random, size: f64, ratio: f64) -> Problem {
    let mut p = fixture(r);
    let (b, c) = (DMatrix::from_fn(3, 3, |_, _| r.next()), DMatrix::from_fn(3, 3, |_, _| r.next()));
    let k = (&b * b.transpose() + (&c - c.transpose()) * (0.5 * ratio)) * size;
    p.feedback[0].gain = k.as_slice().to_vec();
    p.feedback[0].unsymmetric = true;
    p.set_step(0.01);
    p
}

/// F without looking at how it is assembled: the gradient of the same problem without the feedback, and the feedback.
fn root_residual(p: &mut Problem, v: &[f64]) -> f64 {
    let block = std::mem::take(&mut p.feedback[0]);
    let none = FeedbackBlock { velocities: vec![1, 3, 14], gain: vec![0.0; 9], ..FeedbackBlock::default() };
    p.feedback[0] = none;
    let dt = p.step_terms.dt;
    p.set_step(dt);
    let mut f = gradient_at(p, v, &mut Assembly::default());
    let dv: Vec<f64> = block.velocities.iter().map(|&j| v[j] - p.trees.v0[j]).collect();
    for (i, &row) in block.velocities.iter().enumerate() {
        f[row] += dt * (0..3).map(|j| block.gain[3 * j + i] * dv[j]).sum::<f64>();
    }
    for (l, limited) in block.limited.iter().enumerate() {
        let asked = limited.effort - (0..3).map(|j| block.limited_gain[3 * l + j] * dv[j]).sum::<f64>();
        f[limited.velocity] -= dt * asked.clamp(-limited.limit, limited.limit);
    }
    p.feedback[0] = block;
    p.set_step(dt);
    f.iter().zip(&p.trees.scale).map(|(f, d)| (f * d).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn a_gain_without_a_cost_is_solved_as_surely_as_one_with() {
    let mut r = Random(7);
    for (size, ratio) in [(1e2, 0.3), (1e2, 3.0), (1e3, 30.0), (1e5, 3.0)] {
        let mut most = 0;
        for _ in 0..40 {
            let mut p = unsymmetric_fixture(&mut r, size, ratio);
            let mut v = p.start_velocity().to_vec();
            most = most.max(Solver::default().solve_for(&p, 1e-8, &mut v).unwrap().iterations);
            let scale =
                p.step_terms.momentum.iter().zip(&p.trees.scale).map(|(m, d)| (m * d).powi(2)).sum::<f64>().sqrt();
            let residual = root_residual(&mut p, &v);
            assert!(residual < 1e-6 * scale.max(1.0), "{residual:e} of {scale:e}");
            let mut other: Vec<f64> = v.iter().map(|x| x + r.next() * 5.0).collect();
            Solver::default().solve_for(&p, 1e-8, &mut other).unwrap();
            for (a, b) in v.iter().zip(&other) {
                assert!((a - b).abs() < 1e-5, "{a} and {b}");
            }
        }
        assert!(most <= 20, "{most} iterations at {size:e}, {ratio}");
    }
}

#[test]
fn without_an_antisymmetric_part_the_root_is_the_minimum() {
    let mut r = Random(8);
    for _ in 0..20 {
        let mut p = unsymmetric_fixture(&mut r, 50.0, 0.0);
        let mut root = p.start_velocity().to_vec();
        Solver::default().solve_for(&p, 1e-8, &mut root).unwrap();
        p.feedback[0].unsymmetric = false;
        let mut minimum = p.start_velocity().to_vec();
        Solver::default().solve_for(&p, 1e-8, &mut minimum).unwrap();
        for (a, b) in root.iter().zip(&minimum) {
            assert!((a - b).abs() < 1e-6, "{a} and {b}");
        }
    }
}

#[test]
fn coupled_efforts_are_clamped_row_by_row_or_need_a_shorter_step() {
    let mut r = Random(9);
    let (mut at_limit, mut within, mut first) = (0, 0, 0);
    for case in 0..60 {
        let mut p = unsymmetric_fixture(&mut r, 1e3, if case % 2 == 0 { 0.0 } else { 1.0 });
        let block = &mut p.feedback[0];
        // All of the gain belongs to limited efforts, except that on the last velocity.
        for i in 0..2 {
            let limited = LimitedRow { velocity: block.velocities[i], effort: 300.0 * r.next(), limit: 60.0 };
            block.limited.push(limited);
            for j in 0..3 {
                block.limited_gain.push(std::mem::take(&mut block.gain[3 * j + i]));
            }
        }
        let solved = (0..6).find_map(|halvings| {
            p.set_step(0.01 * 0.5_f64.powi(halvings));
            let mut v = p.start_velocity().to_vec();
            Solver::default().solve_for(&p, 1e-8, &mut v).ok().map(|_| (halvings, v))
        });
        let (halvings, v) = solved.unwrap();
        first += usize::from(halvings == 0);
        assert!(root_residual(&mut p, &v) < 1e-5);
        for (_, effort) in p.feedback[0].limited_efforts(&v, &p.trees.v0) {
            if effort.abs() == 60.0 { at_limit += 1 } else { within += 1 }
        }
    }
    assert!(at_limit > 10 && within > 10 && first > 40, "{at_limit} at the limit, {within} within, {first} at once");
}

#[test]
fn a_locked_velocity_neither_reacts_nor_is_reacted_to() {
    let dt = 0.01;
    for (effort, exact) in [(1000.0, 1.0 + dt * 5.0), (2.0, 1.0 + dt * 2.0 / (1.0 + dt * 100.0))] {
        let mut p = Problem::default();
        p.clear();
        p.add_clique(&[1.0], &[0.0], &[0.0], &[1.0]);
        p.add_clique(&[1.0], &[0.0], &[0.0], &[3.0]);
        p.lock(1);
        let limited = [0, 1].map(|velocity| LimitedRow { velocity, effort, limit: 5.0 }).to_vec();
        p.feedback = vec![FeedbackBlock {
            velocities: vec![0, 1],
            gain: vec![0.0; 4],
            unsymmetric: true,
            limited,
            limited_gain: vec![100.0, 50.0, -20.0, 70.0],
        }];
        p.finish();
        p.set_step(dt);
        let mut v = vec![1.0, 0.0];
        Solver::default().solve_for(&p, 1e-8, &mut v).unwrap();
        assert!((v[0] - exact).abs() < 1e-12 && v[1] == 0.0, "{v:?}");
    }
}
