//! The assembled Hessian is the dual derivative of the gradient, to rounding, in every storage.

use super::*;
use kinegraph_convex::solvers::common::hessian;

/// The gradient, written without regard to speed and sharing only the laws with the one assembled.
fn plain_gradient<S: Scalar>(p: &Problem, v: &[S]) -> Vec<S> {
    let mut g: Vec<S> = p.step_terms.momentum.iter().map(|&r| S::constant(-r)).collect();
    for c in &p.trees.cliques {
        let (n, first) = (c.size(), c.velocities.start);
        for i in 0..n {
            for j in 0..n {
                g[first + i] += S::constant(p.step_terms.dynamics[c.block + j * n + i]) * v[first + j];
            }
        }
    }
    for f in p.feedback.iter() {
        let n = f.velocities.len();
        for i in 0..n {
            for j in 0..n {
                g[f.velocities[i]] += S::constant(p.step_terms.dt * f.gain[j * n + i]) * v[f.velocities[j]];
            }
        }
    }
    // Rows of the Jacobian of a contact point, from the Jacobian of its body.
    let columns = |body: usize, arm: &Vector3<f64>| -> Vec<(usize, Vector3<f64>)> {
        let b = &p.trees.bodies[body];
        let Some(c) = b.clique else { return Vec::new() };
        let velocities = p.trees.cliques[c].velocities.clone();
        let column = |k: usize| {
            let j: Vec<f64> = (0..6)
                .map(|i| if b.free { f64::from(u8::from(i == k)) } else { p.trees.jacobians[b.jacobian + 6 * k + i] })
                .collect();
            Vector3::new(j[3], j[4], j[5]) + Vector3::new(j[0], j[1], j[2]).cross(arm)
        };
        velocities.clone().map(|v| (v, column(v - velocities.start))).collect()
    };
    for patch in &p.contacts.patches {
        for pair in &p.contacts.points[patch.points.clone()] {
            let mut j = columns(patch.body_b, &pair.p_BC);
            j.extend(columns(patch.body_a, &pair.p_AC).into_iter().map(|(i, c)| (i, -c)));
            j.iter_mut().for_each(|(_, c)| *c -= pair.grain * pair.grain.dot(c));
            let bias = pair.bias_velocity.map(S::constant);
            let vc = j.iter().fold(bias, |sum, (i, c)| sum + c.map(S::constant) * v[*i]);
            let impulse = ContactLaw::new(pair, p.step_terms.dt).impulse(&vc);
            for (i, c) in &j {
                g[*i] -= c.map(S::constant).dot(&impulse);
            }
        }
    }
    for group in &p.constraints.rows {
        let support = &p.constraints.support[group.support.clone()];
        let along = |row: usize| {
            support.iter().fold(S::constant(0.0), |sum, s| sum + S::constant(s.column[row]) * v[s.velocity])
        };
        let vc = Vector3::from_fn(|row, _| along(row));
        let mut impulse = Vector3::from_fn(|row, _| RowLaw::new(group, p.step_terms.dt).impulse(row, vc[row]));
        if let Some(friction) = &group.friction {
            impulse += RowFrictionLaw::new(friction, p.step_terms.dt).impulse(&vc);
        }
        support.iter().for_each(|s| g[s.velocity] -= s.column.map(S::constant).dot(&impulse));
    }
    for stops in p.elements.of::<JointStops>() {
        g[stops.velocity] -= JointStopsLaw::new(stops, &p.law_context(stops.velocity)).impulse(v[stops.velocity]);
    }
    for effort in p.elements.of::<LimitedEffort>() {
        g[effort.velocity] -=
            LimitedEffortLaw::new(effort, &p.law_context(effort.velocity)).impulse(v[effort.velocity]);
    }
    g
}

#[test]
fn the_assembled_hessian_is_the_dual_derivative_of_the_gradient() {
    let mut r = Random(31);
    for round in 0..40 {
        let p = fixture_of(&mut r, round % 4 == 3);
        let n = p.size();
        let v: Vec<f64> = (0..n).map(|_| r.next()).collect();
        let mut assembly = Assembly::default();
        let g = gradient_at(&p, &v, &mut assembly);
        let plain = plain_gradient(&p, &v);
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let size = norm(&g).max(norm(&p.step_terms.momentum));
        g.iter().zip(&plain).for_each(|(a, b)| assert!(close(*a, *b, size, 64.0 * f64::EPSILON), "{a} and {b}"));
        let mut dense = vec![0.0; n * n];
        hessian_at(&p, &v, &mut assembly, &mut dense);
        // The same in blocks; the fixture is one island, and every clique touches every other.
        let sizes: Vec<u32> = p.trees.cliques.iter().map(|c| c.size() as u32).collect();
        let edges: Vec<_> = (0..sizes.len() as u32).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let mut patterns = Patterns::default();
        let id = patterns.find(&sizes, &edges);
        let pattern = patterns.get(id);
        let mut blocks = vec![0.0; pattern.numbers()];
        let Assembly { pools, work } = &mut assembly;
        hessian::hessian(&p, &p.islands()[0], &v, pools, work, Some(pattern), &mut blocks);
        let size = norm(&dense);
        for j in 0..n {
            let mut jets: Vec<Jet> = v.iter().map(|&x| Jet::constant(x)).collect();
            jets[j] = seed(v[j], 0, 1.0);
            let column = plain_gradient(&p, &jets);
            for i in j..n {
                let (exact, h) = (partial(&column[i], 0), dense[j * n + i]);
                assert!(close(exact, h, size, 8.0 * f64::EPSILON), "Hessian {i},{j}: {exact} and {h}");
                let (a, b) = (p.clique_of(i), p.clique_of(j));
                let (i, j) = (i - p.trees.cliques[a].velocities.start, j - p.trees.cliques[b].velocities.start);
                assert_eq!(h, blocks[Places::Sparse(pattern).block(a, b).entry(i, j)]);
            }
        }
    }
}
