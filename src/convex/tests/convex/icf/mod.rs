//! Contracts of the convex problem: every pool's impulse is the dual derivative of its cost, its Hessian that of the
//! impulse and positive semidefinite; the assembled gradient and Hessian are those of the total cost; the solver finds
//! the minimum.
//!
//! Longer than 600 lines: all of these contracts share the random problems and the derivatives at the top.

use kinegraph_convex::contact::{
    CompliantStop, CompliantStopLaw, ContactLaw, ContactMaterial, ContactRow, FeedbackBlock, JointStops, JointStopsLaw,
    LimitedEffort, LimitedEffortLaw, LimitedRow, Problem, Rebound, RowCompliance, RowFriction, RowFrictionLaw,
    RowGroup, RowLaw, Rows, Solution, VelocityLaw,
};
use kinegraph_convex::linear_algebra::{Patterns, Places};
use kinegraph_convex::solvers::SolveFault;
use kinegraph_convex::solvers::common::assemble::Workspace;
use kinegraph_convex::solvers::common::{assemble, hessian};
use kinegraph_convex::solvers::icf::Solver;
use kinegraph_convex::solvers::icf::pools::{ContactPool, Pools};
use kinegraph_core::scalar::{partial, seed};
use kinegraph_core::{Jet, Scalar};
use nalgebra::{DMatrix, DVector, Matrix3, SymmetricEigen, Vector3};

mod exact_hessian;
mod inertia;
mod line;
mod locking;
mod primal_dual;
mod same_problem;
mod unsymmetric;
mod watch;

/// A small deterministic generator of numbers in [-1, 1).
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next()) * size
    }
    fn log(&mut self, low: f64, high: f64) -> f64 {
        (low.ln() + (self.next() * 0.5 + 0.5) * (high / low).ln()).exp()
    }
}

fn random_contact(r: &mut Random) -> ContactLaw {
    let normal = r.vector(1.0).normalize();
    let d = if r.next() > 0.5 { 0.0 } else { r.log(0.1, 100.0) };
    let vc0 = r.vector(1.0);
    let mut contact = ContactRow {
        normal,
        depth: r.next() * 1e-3,
        material: ContactMaterial {
            stiffness: r.log(1e2, 1e8),
            dissipation: d,
            static_friction: 0.9,
            dynamic_friction: 0.6,
            stiction_tolerance: r.log(1e-4, 1e-1),
            ..ContactMaterial::default()
        },
        ..ContactRow::default()
    };
    contact.measure(&vc0, 2.65 / r.log(0.1, 10.0));
    ContactLaw::new(&contact, r.log(1e-4, 1e-1))
}

fn close(a: f64, b: f64, scale: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * scale.max(a.abs()).max(b.abs()).max(1e-300)
}

#[test]
fn contact_impulse_and_hessian_are_dual_derivatives_of_the_cost() {
    let mut r = Random(1);
    for _ in 0..1000 {
        let law = random_contact(&mut r);
        let speed = r.log(1e-5, 10.0);
        let vc = r.vector(speed);
        let (impulse, hessian) = law.impulse_and_hessian(&vc);
        assert!((impulse - law.impulse(&vc)).norm() <= 1e-14 * impulse.norm());
        for i in 0..3 {
            let mut jet = vc.map(Jet::constant);
            jet[i] = seed(vc[i], 0, 1.0);
            let cost = law.cost(&jet);
            assert!(close(-partial(&cost, 0), impulse[i], impulse.norm(), 1e-11), "gradient of {law:?} at {vc}");
            let gamma = law.impulse(&jet);
            for j in 0..3 {
                let h = -partial(&gamma[j], 0);
                assert!(close(h, hessian[(j, i)], hessian.norm(), 1e-11), "Hessian of {law:?} at {vc}");
            }
        }
        assert!(SymmetricEigen::new(hessian).eigenvalues.min() >= -1e-12 * hessian.norm());
    }
}

#[test]
fn contact_without_stiffness_or_force_has_no_impulse_and_no_cost() {
    let mut contact = ContactRow {
        normal: Vector3::z(),
        depth: -1.0,
        material: ContactMaterial {
            dissipation: 1.0,
            static_friction: 0.5,
            dynamic_friction: 0.5,
            stiction_tolerance: 1e-3,
            ..ContactMaterial::default()
        },
        ..ContactRow::default()
    };
    contact.measure(&Vector3::zeros(), 2.65);
    let law = ContactLaw::new(&contact, 0.01);
    assert_eq!(law.impulse(&Vector3::new(1.0, 2.0, -3.0)), Vector3::zeros());
    assert_eq!(law.cost(&Vector3::new(1.0, 2.0, -3.0)), 0.0);
}

#[test]
fn friction_goes_from_static_to_dynamic_between_four_and_sixteen_stiction_tolerances() {
    use kinegraph_convex::contact::friction_coefficient;
    for (s, mu) in [(0.0, 1.0), (4.0, 1.0), (10.0, 0.505), (16.0, 0.01), (1e9, 0.01), (f64::INFINITY, 0.01)] {
        assert!((friction_coefficient(s, 1.0, 0.01) - mu).abs() < 1e-15, "{s}");
    }
    let falls = |i: i32| friction_coefficient(0.1 * f64::from(i), 1.0, 0.0);
    assert!((40..160).all(|i| falls(i) > falls(i + 1)));
}

#[test]
fn limit_and_effort_impulses_and_hessians_are_dual_derivatives_of_the_cost() {
    let mut r = Random(2);
    for _ in 0..1000 {
        let dt = r.log(1e-5, 0.1);
        let (lower_gap, upper_gap) = (r.next() * 0.1, r.next() * 0.1);
        let restitution = (0.5 * r.next()).max(0.0);
        let start_velocity = r.next();
        let mobility = r.log(0.1, 10.0);
        let rebound = Rebound { restitution, start_velocity, slowest: 1e-3, acceleration: 0.0, mobility };
        let (correction_speed, max_step) = (f64::INFINITY, 0.1);
        let stops = JointStops { velocity: 0, lower_gap, upper_gap, correction_speed, max_step, rebound };
        let limit = JointStopsLaw::of(&stops, r.log(0.1, 10.0), dt);
        let dissipation = if r.next() > 0.0 { 0.0 } else { r.log(0.1, 100.0) };
        let (sign, gap, stiffness) = (r.next().signum(), r.next() * 0.1, r.log(1e2, 1e8));
        let damping = if dissipation == 0.0 && r.next() > 0.0 { r.log(0.1, 1e4) } else { 0.0 };
        let data = CompliantStop { velocity: 0, sign, gap, stiffness, dissipation, damping };
        let stop = CompliantStopLaw::of(&data, dt);
        let gain = if r.next() > 0.8 { 0.0 } else { r.log(1e-3, 1e6) };
        let data = LimitedEffort { velocity: 0, gain, bias: r.next() * 10.0, limit: 5.0 };
        let effort = LimitedEffortLaw::of(&data, dt);
        let v = r.next() * r.log(1e-3, 10.0);
        let jet = seed(v, 0, 1.0);
        for (cost, impulse, hessian, value) in [
            (limit.cost(jet), limit.impulse(jet), limit.hessian(v), limit.impulse(v)),
            (stop.cost(jet), stop.impulse(jet), stop.hessian(v), stop.impulse(v)),
            (effort.cost(jet), effort.impulse(jet), effort.hessian(v), effort.impulse(v)),
        ] {
            assert!(close(-partial(&cost, 0), value, 0.0, 1e-11));
            assert!(close(-partial(&impulse, 0), hessian, 0.0, 1e-11));
            assert!(hessian >= 0.0);
        }
        // The cost is continuous across the edge of the effort limit.
        if gain > 0.0 {
            let edge = (data.bias - data.limit) / gain;
            let (a, b) = (effort.cost(edge * (1.0 - 1e-9)), effort.cost(edge * (1.0 + 1e-9)));
            assert!(close(a, b, data.bias.abs() * edge.abs() * dt, 1e-7));
        }
    }
}

/// Three cliques (6 velocities of a robot with two bodies, a free body, a robot), contacts between all of them and the
/// world.
fn fixture(r: &mut Random) -> Problem {
    fixture_of(r, false)
}

/// The problem of [`fixture`], with all velocities in one clique if `joined`.
fn fixture_of(r: &mut Random, joined: bool) -> Problem {
    let mut p = Problem::default();
    let spd = |r: &mut Random| {
        let a = DMatrix::from_fn(6, 6, |_, _| r.next());
        &a * a.transpose() + DMatrix::identity(6, 6) * 0.5
    };
    p.clear();
    let (mut all_mass, mut all_v0, mut all_k) = (DMatrix::zeros(18, 18), Vec::new(), Vec::new());
    for c in 0..3 {
        let mass = if c == 1 { DMatrix::identity(6, 6) * 2.3 } else { spd(r) };
        let v0: Vec<f64> = (0..6).map(|_| r.next()).collect();
        let k: Vec<f64> = (0..6).map(|_| r.next()).collect();
        if !joined {
            p.add_clique(mass.as_slice(), &[0.1; 6], &k, &v0);
        }
        all_mass.view_mut((6 * c, 6 * c), (6, 6)).copy_from(&mass);
        all_v0.extend(v0);
        all_k.extend(k);
    }
    if joined {
        p.add_clique(all_mass.as_slice(), &[0.1; 18], &all_k, &all_v0);
    }
    let world = p.add_body(None, false, &[], 1.0);
    let jacobian = |r: &mut Random| (0..36).map(|_| r.next()).collect::<Vec<_>>();
    let (j1, j2, j3) = (jacobian(r), jacobian(r), jacobian(r));
    let mut body = |clique: usize, free: bool, j: &[f64], mass: f64| {
        if !joined {
            return p.add_body(Some(clique), free, if free { &[] } else { j }, mass);
        }
        let mut wide = vec![0.0; 6 * 18];
        wide[36 * clique..36 * (clique + 1)].copy_from_slice(j);
        p.add_body(Some(0), false, &wide, mass)
    };
    let b1 = body(0, false, &j1, 0.3);
    let b1b = body(0, false, &j2, 0.4);
    let b2 = body(1, true, DMatrix::<f64>::identity(6, 6).as_slice(), 2.3);
    let b3 = body(2, false, &j3, 1.5);
    p.feedback = vec![FeedbackBlock { velocities: vec![1, 3, 14], gain: vec![0.0; 9], ..FeedbackBlock::default() }];
    for (a, b) in [(b2, b1), (world, b3), (b1, b2), (b1, b1b), (b3, b1b)] {
        let p_AB = r.vector(0.1);
        // One point on two links of a tree, whose Jacobian is another.
        let points = if (a, b) == (b1, b1b) { 1 } else { 2 };
        for point in 0..points {
            let (p_BC, normal) = (r.vector(0.05), r.vector(1.0).normalize());
            // Friction of one point of each pair depends on the direction, and once there is none in one of them.
            let grain = normal.cross(&Vector3::x()).normalize() * if a == world { 1.0 } else { 0.8 };
            p.add_contact(&ContactRow {
                body_a: a,
                body_b: b,
                p_AC: p_AB + p_BC,
                p_BC,
                normal,
                grain: if point + 1 == points { grain } else { Vector3::zeros() },
                bias_velocity: r.vector(0.2),
                depth: 1.5e-3,
                material: ContactMaterial {
                    stiffness: 1e3,
                    dissipation: 0.5,
                    static_friction: 0.7,
                    dynamic_friction: 0.5,
                    stiction_tolerance: 1e-1,
                    ..ContactMaterial::default()
                },
                key: 0,
                ..ContactRow::default()
            });
        }
    }
    p.add_stops(4, 0.01, 0.02);
    p.add_stops(12, -0.01, 0.5);
    add_constraints(r, &mut p, [b1, b2, b3, world]);
    p.finish();
    let b = DMatrix::from_fn(3, 3, |_, _| r.next());
    p.feedback[0].gain = (&b * b.transpose() * 10.0).as_slice().to_vec();
    p.step_terms.force.iter_mut().for_each(|f| *f = r.next());
    p.elements.push(LimitedEffort { velocity: 8, gain: 2.3, bias: -0.5, limit: 1.0 });
    p.set_step(0.01);
    p
}

/// A weld of a robot to the free body, a point of one robot on the other and one on the world, a compliant distance, a
/// coupler over cliques.
fn add_constraints(r: &mut Random, p: &mut Problem, [b1, b2, b3, world]: [usize; 4]) {
    p.settings.correction_speed = 2.0;
    p.add_spring(3, 2e5);
    let direction = r.vector(1.0).normalize();
    let mut arms = || (r.vector(0.3), r.vector(0.3));
    let [(p_AP, p_BQ), (p_AR, p_BS), (p_AT, p_BU)] = [arms(), arms(), arms()];
    let compliance = Some(RowCompliance { stiffness: 200.0, damping: 5.0 });
    p.add_rows(Rows::Orientation { body_a: b1, body_b: b2 }, Vector3::new(0.01, -0.02, 0.03), None);
    p.add_rows(Rows::Point { body_a: b1, p_AP, body_b: b2, p_BQ }, Vector3::new(1.0, 2.0, 3.0), None);
    p.add_rows(Rows::Point { body_a: b3, p_AP: p_AR, body_b: world, p_BQ: p_BS }, Vector3::repeat(1e-3), None);
    let distance = Rows::Distance { body_a: b3, p_AP: p_AT, body_b: b1, p_BQ: p_BU, direction };
    p.add_rows(distance, Vector3::new(0.1, 0.0, 0.0), compliance);
    p.add_rows(Rows::Coordinates { first: 0, entries: &[(2, 1.0), (15, -2.5)] }, Vector3::new(0.01, 0.0, 0.0), None);
    for (body_b, shared, creep) in [(b2, true, 3.0), (b3, true, 1e-2), (world, false, 0.5)] {
        let axes = Matrix3::from_fn(|_, _| r.next());
        let friction = RowFriction { largest: Vector3::new(1.0, 2.0, 3.0), shared, creep };
        p.add_friction_rows(Rows::Turn { body_a: b1, body_b, axes }, friction);
    }
    let friction = RowFriction { largest: Vector3::x(), shared: false, creep: 1e-2 };
    p.add_friction_rows(Rows::Coordinates { first: 2, entries: &[(0, 0.7), (3, 1.5), (13, -2.5)] }, friction);
}

/// The total cost, written without regard to speed, generic over the scalar.
fn total_cost<S: Scalar>(p: &Problem, v: &[S]) -> S {
    let mut cost = S::constant(0.0);
    let half = S::constant(0.5);
    for c in &p.trees.cliques {
        let n = c.size();
        for i in 0..n {
            for j in 0..n {
                let a = S::constant(p.step_terms.dynamics[c.block + j * n + i]);
                cost += half * v[c.velocities.start + i] * a * v[c.velocities.start + j];
            }
        }
    }
    for f in &p.feedback {
        let n = f.velocities.len();
        for i in 0..n {
            for j in 0..n {
                cost +=
                    half * S::constant(p.step_terms.dt * f.gain[j * n + i]) * v[f.velocities[i]] * v[f.velocities[j]];
            }
        }
    }
    for (r, v) in p.step_terms.momentum.iter().zip(v) {
        cost -= S::constant(*r) * *v;
    }
    let point = |body: usize, arm: &Vector3<f64>| {
        let b = &p.trees.bodies[body];
        let Some(c) = b.clique else { return Vector3::zeros() };
        let v = &v[p.trees.cliques[c].velocities.clone()];
        let mut V = [S::constant(0.0); 6];
        for (i, Vi) in V.iter_mut().enumerate() {
            for (k, vk) in v.iter().enumerate() {
                let j = if b.free { f64::from(u8::from(i == k)) } else { p.trees.jacobians[b.jacobian + 6 * k + i] };
                *Vi += S::constant(j) * *vk;
            }
        }
        Vector3::new(V[3], V[4], V[5]) + Vector3::new(V[0], V[1], V[2]).cross(&arm.map(S::constant))
    };
    for patch in &p.contacts.patches {
        for pair in &p.contacts.points[patch.points.clone()] {
            let [bias, grain] = [pair.bias_velocity, pair.grain].map(|x| x.map(S::constant));
            let motion = point(patch.body_b, &pair.p_BC) - point(patch.body_a, &pair.p_AC);
            let scaled = motion - grain * grain.dot(&motion);
            cost += ContactLaw::new(pair, p.step_terms.dt).cost(&(scaled + bias));
        }
    }
    for stops in p.elements.of::<JointStops>() {
        cost += JointStopsLaw::new(stops, &p.law_context(stops.velocity)).cost(v[stops.velocity]);
    }
    for g in &p.constraints.rows {
        let support = &p.constraints.support[g.support.clone()];
        let along = |row: usize| {
            support.iter().fold(S::constant(0.0), |sum, s| sum + S::constant(s.column[row]) * v[s.velocity])
        };
        let vc = Vector3::from_fn(|row, _| along(row));
        cost += (0..3).fold(S::zero(), |sum, row| sum + RowLaw::new(g, p.step_terms.dt).cost(row, vc[row]));
        if let Some(friction) = &g.friction {
            cost += RowFrictionLaw::new(friction, p.step_terms.dt).cost(&vc);
        }
    }
    for effort in p.elements.of::<LimitedEffort>() {
        cost += LimitedEffortLaw::new(effort, &p.law_context(effort.velocity)).cost(v[effort.velocity]);
    }
    cost
}

/// Inputs of assembly besides the problem.
struct Assembly {
    pools: Pools,
    work: Workspace,
}

impl Default for Assembly {
    fn default() -> Self {
        Assembly { pools: Pools::new(ContactPool::default()), work: Workspace::default() }
    }
}

fn gradient_at(p: &Problem, v: &[f64], assembly: &mut Assembly) -> Vec<f64> {
    let Assembly { pools, work } = assembly;
    work.resize(p);
    pools.set_step(p);
    for island in p.islands() {
        pools.contact.evaluate(p, island, v);
        assemble::gradient(p, island, v, pools, &mut work.gradient);
    }
    work.gradient.clone()
}

/// The Hessian of the first island, dense, with the values of contacts in their pool.
fn hessian_at(p: &Problem, v: &[f64], Assembly { pools, work }: &mut Assembly, h: &mut [f64]) {
    work.enter(p, &p.islands()[0]);
    hessian::hessian(p, &p.islands()[0], v, pools, work, None, h);
}

#[test]
fn row_impulses_are_dual_derivatives_of_the_cost_and_those_of_an_implicit_spring() {
    let mut r = Random(7);
    for i in 0..1000 {
        let dt = r.log(1e-6, 0.1);
        let mut axis = || RowCompliance { stiffness: r.log(1e-2, 1e4), damping: r.log(1e-2, 10.0) };
        let compliance = (i % 3 > 0).then(|| [axis(), axis(), axis()]);
        let damper = |c: RowCompliance| RowCompliance { stiffness: 0.0, ..c };
        let compliance = compliance.map(|laws| if i % 3 == 1 { laws } else { laws.map(damper) });
        let (violation, delassus) = (r.vector(0.1), r.log(0.1, 10.0));
        let (correction, expected) = (-violation, Vector3::zeros());
        let correction_speed = f64::INFINITY;
        let (farthest, softness) = (correction.norm(), r.log(1e-6, 1e-3));
        let group = RowGroup {
            support: 0..0,
            violation,
            correction,
            farthest,
            expected,
            compliance,
            material: false,
            correction_speed,
            delassus,
            count: 3,
            softness,
            friction: None,
            range: None,
            bend: 0.0,
            origin: None,
        };
        let law = RowLaw::new(&group, dt);
        let vc = r.vector(1.0);
        for row in 0..3 {
            let jet = seed(vc[row], 0, 1.0);
            assert!(close(-partial(&law.cost(row, jet), 0), law.impulse(row, vc[row]), 0.0, 1e-12));
            assert!(close(-partial(&law.impulse(row, jet), 0), law.hessian()[row], 0.0, 1e-12));
            assert_eq!(law.impulses(&vc)[row], law.impulse(row, vc[row]));
        }
        // A spring; or the way within the step, to a small part of what it takes to stop all.
        let expected = match compliance {
            Some(laws) => Vector3::from_fn(|row, _| {
                let RowCompliance { stiffness: k, damping: c } = laws[row];
                -(violation[row] * k + vc[row] * (dt * k + c)) * dt
            }),
            None => (correction / dt - vc) / (softness * delassus),
        };
        assert!((law.impulses(&vc) - expected).norm() <= 1e-12 * expected.norm(), "{law:?}");
        // The expected force takes no velocity.
        let expected = r.vector(100.0);
        let ready = RowLaw::new(&RowGroup { expected, ..group.clone() }, dt);
        if compliance.is_none() {
            let gained = ready.impulses(&vc) - law.impulses(&vc) - expected * dt;
            assert!(gained.norm() <= 1e-9 * law.impulses(&vc).norm());
        }
        // Bounded: the target of a rigid row is cut, its direction kept.
        let slow = RowLaw::new(&RowGroup { correction_speed: 1e-3, ..group }, dt);
        let [target, whole] = [slow, law].map(|law| law.impulses(&Vector3::zeros()).component_div(&law.hessian()));
        if compliance.is_none() && whole.norm() > 1e-3 {
            assert!((target.norm() - 1e-3).abs() < 1e-15 && target.dot(&violation) < 0.0);
        } else {
            assert_eq!(target, whole);
        }
    }
}

#[test]
fn constraints_act_equally_on_both_sides_whatever_the_order_of_the_bodies() {
    let mut r = Random(8);
    let (p_AP, p_BQ) = (r.vector(0.3), r.vector(0.3));
    let violation = r.vector(0.01);
    let solve = |swapped: bool| {
        let mut p = Problem::default();
        p.clear();
        for m in [2.0, 0.5] {
            let mass = DMatrix::identity(6, 6) * m;
            p.add_clique(mass.as_slice(), &[0.0; 6], &[0.0; 6], &[0.0; 6]);
        }
        let (a, b) = (p.add_body(Some(0), true, &[], 2.0), p.add_body(Some(1), true, &[], 0.5));
        let group = if swapped {
            p.add_rows(Rows::Point { body_a: b, p_AP: p_BQ, body_b: a, p_BQ: p_AP }, -violation, None)
        } else {
            p.add_rows(Rows::Point { body_a: a, p_AP, body_b: b, p_BQ }, violation, None)
        };
        p.finish();
        assert_eq!(p.islands().len(), 1);
        p.set_step(0.01);
        let mut solution = Solution::default();
        let report = Solver::default().solve_from(&p, 1e-8, &[0.0; 12], &mut solution).unwrap();
        assert_eq!((report.iterations, report.linesearch_evaluations), (1, 0));
        let impulse = solution.rows[group];
        (solution.velocity, impulse)
    };
    let ((v, gamma), (other, opposite)) = (solve(false), solve(true));
    for (a, b) in v.iter().zip(&other) {
        assert!((a - b).abs() < 1e-12);
    }
    assert!((gamma + opposite).norm() < 1e-12 * gamma.norm());
    // Momentum: 2 v_A = -gamma, 0.5 v_B = gamma, and the point meets its target to the regularization.
    assert!((Vector3::new(v[9], v[10], v[11]) * 0.5 - gamma).norm() < 1e-12 * gamma.norm());
    assert!((Vector3::new(v[3], v[4], v[5]) * 2.0 + gamma).norm() < 1e-12 * gamma.norm());
}

#[test]
fn a_spring_is_symplectic_where_the_step_resolves_it_and_implicit_where_it_does_not() {
    let (m, q0, v0, dt) = (2.0, 0.01, 0.4, 0.05);
    let step = |k: f64, q: f64, v: f64| {
        let mut p = Problem::default();
        p.clear();
        p.add_clique(&[m], &[0.0], &[k * q], &[v]);
        p.add_spring(0, k);
        p.finish();
        p.set_step(dt);
        let mut next = [v];
        Solver::default().solve_for(&p, 1e-8, &mut next).unwrap();
        next[0]
    };
    // Resolved: Euler's symplectic step. Stiff: backward Euler, to the order of 1/s, s = dt² k/m.
    let explicit = v0 - dt * 1e2 / m * q0;
    assert!((step(1e2, q0, v0) - explicit).abs() < 1e-15);
    let implicit = (m * v0 - dt * 1e9 * q0) / (m + dt * dt * 1e9);
    assert!((step(1e9, q0, v0) - implicit).abs() < 1e-5 * implicit.abs());
    // Stable at every stiffness: the energy of an oscillation never grows over a hundred steps.
    for k in [1e-2, 1.0, 1e2, 1e3, 1e4, 1e6, 1e9] {
        let (mut q, mut v) = (q0, v0);
        let energy = |q: f64, v: f64| m * v * v + k * q * q;
        let start = energy(q, v);
        for _ in 0..100 {
            v = step(k, q, v);
            q += dt * v;
        }
        assert!(energy(q, v) < 3.0 * start, "stiffness {k}");
    }
}

#[test]
fn assembled_gradient_and_hessian_are_those_of_the_total_cost() {
    let mut r = Random(3);
    for _ in 0..20 {
        let p = fixture(&mut r);
        assert_eq!(p.islands().len(), 1);
        let n = p.size();
        let v: Vec<f64> = (0..n).map(|_| r.next()).collect();
        let mut work = Assembly::default();
        let g = gradient_at(&p, &v, &mut work);
        let norm = g.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut h = vec![0.0; n * n];
        hessian_at(&p, &v, &mut work, &mut h);
        for i in 0..n {
            let mut jet: Vec<Jet> = v.iter().map(|&x| Jet::constant(x)).collect();
            jet[i] = seed(v[i], 0, 1.0);
            let d = partial(&total_cost(&p, &jet), 0);
            assert!(close(d, g[i], norm, 1e-11), "gradient {i}: {d} and {}", g[i]);
            // The Hessian against a central difference of the gradient (its pools are checked with duals above), which
            // rounding of the gradient makes inexact: stops are stiff.
            let e = 1e-6;
            let scale = 1.0 + 8.0 * f64::EPSILON * norm / e / 1e-5;
            let (mut plus, mut minus) = (v.clone(), v.clone());
            plus[i] += e;
            minus[i] -= e;
            let (gp, gm) = (gradient_at(&p, &plus, &mut work), gradient_at(&p, &minus, &mut work));
            for j in i..n {
                let fd = (gp[j] - gm[j]) / (2.0 * e);
                assert!(close(fd, h[i * n + j], scale, 1e-5), "Hessian {j},{i}: {fd} and {}", h[i * n + j]);
            }
        }
    }
}

#[test]
fn newton_finds_the_minimum_from_anywhere_and_needs_no_iteration_there() {
    let mut r = Random(4);
    for _ in 0..50 {
        let p = fixture(&mut r);
        let mut solver = Solver::default();
        let mut v = p.start_velocity().to_vec();
        let report = solver.solve_for(&p, 1e-8, &mut v).unwrap();
        assert!(report.iterations > 0);
        let g = gradient_at(&p, &v, &mut Assembly::default());
        assert!(g.iter().all(|g| g.abs() < 1e-6), "{g:?}");
        let again = solver.solve_for(&p, 1e-7, &mut v.clone()).unwrap();
        assert!(again.iterations <= 1);
        let mut other: Vec<f64> = v.iter().map(|x| x + r.next() * 5.0).collect();
        solver.solve_for(&p, 1e-8, &mut other).unwrap();
        for (a, b) in v.iter().zip(&other) {
            assert!((a - b).abs() < 1e-6, "{a} and {b}");
        }
    }
}

#[test]
fn a_problem_without_constraints_takes_one_iteration_and_no_line_search() {
    let mut p = Problem::default();
    p.clear();
    let m = Matrix3::new(2.0, 0.3, 0.1, 0.3, 1.5, 0.0, 0.1, 0.0, 0.9);
    p.add_clique(m.as_slice(), &[0.2, 0.0, 1.0], &[1.0, -2.0, 0.5], &[0.1, 0.2, 0.3]);
    p.finish();
    p.set_step(0.01);
    let mut v = vec![0.0; 3];
    let report = Solver::default().solve_for(&p, 1e-8, &mut v).unwrap();
    let counts = (report.iterations, report.factorizations, report.linesearch_evaluations, report.unsettled);
    assert_eq!(counts, (1, 1, 0, 0));
    let a = DMatrix::from_column_slice(3, 3, m.as_slice())
        + DMatrix::from_diagonal(&DVector::from_vec(vec![0.002, 0.0, 0.01]));
    let r = &a * DVector::from_vec(vec![0.1, 0.2, 0.3]) - DVector::from_vec(vec![0.01, -0.02, 0.005]);
    // The bias contains the damping force -D v0 of the start of the step in a plant; here k is given as is.
    let exact = a.lu().solve(&r).unwrap();
    assert!((DVector::from_vec(v) - exact).norm() < 1e-14);
}

#[test]
fn separate_islands_give_the_bits_of_one_copy() {
    let mut r = Random(5);
    let one = fixture(&mut r);
    let mut v1 = one.start_velocity().to_vec();
    Solver::default().solve_for(&one, 1e-6, &mut v1).unwrap();
    // A second clique set, nothing in common: an extra free falling body before the fixture changes none of its bits.
    let mut r = Random(5);
    let mut two = fixture(&mut r);
    two.add_clique(&[1.0], &[0.0], &[9.81], &[0.0]);
    let (gain, force) = (two.feedback[0].gain.clone(), two.step_terms.force.clone());
    two.finish();
    two.feedback[0].gain = gain;
    two.step_terms.force[..force.len()].copy_from_slice(&force);
    two.set_step(0.01);
    assert_eq!(two.islands().len(), 2);
    let mut v2 = two.start_velocity().to_vec();
    Solver::default().solve_for(&two, 1e-6, &mut v2).unwrap();
    assert_eq!(v1[..], v2[..v1.len()]);
    assert_eq!(v2[18], -0.0981);
}

#[test]
fn numerical_trouble_is_a_value_not_a_panic() {
    let mut r = Random(6);
    let mut p = fixture(&mut r);
    p.step_terms.force[0] = f64::NAN;
    p.set_step(0.01);
    let mut v = p.start_velocity().to_vec();
    assert_eq!(Solver::default().solve_for(&p, 1e-6, &mut v).unwrap_err().fault, SolveFault::NotFinite);
    let mut p = Problem::default();
    p.clear();
    p.add_clique(&[-1.0], &[0.0], &[1.0], &[0.0]);
    p.finish();
    p.set_step(0.01);
    assert!(Solver::default().solve_for(&p, 1e-6, &mut [0.0]).is_err());
}

/// A wheel at rest, with a load on its axle: every turning moment is rounding, and no velocity is small beside its own
/// rounding. That is solved at once, however short the step.
#[test]
fn what_moves_nothing_is_at_rest() {
    let mut r = Random(23);
    for _ in 0..300 {
        let mut noise = |size: f64| size * r.next();
        let mut p = Problem::default();
        p.clear();
        p.add_clique(&[0.02], &[0.0], &[noise(1e-17)], &[noise(1e-28)]);
        let world = p.add_body(None, false, &[], 1.0);
        let wheel = p.add_body(Some(0), false, &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0], 1.0);
        let p_BC = Vector3::from_fn(|_, _| noise(1e-17));
        for key in 0..3 {
            p.add_contact(&ContactRow {
                body_a: world,
                body_b: wheel,
                p_AC: Vector3::zeros(),
                p_BC: p_BC + Vector3::from_fn(|_, _| noise(1e-18)),
                normal: Vector3::z(),
                bias_velocity: Vector3::zeros(),
                depth: 0.04,
                material: ContactMaterial {
                    stiffness: 1e5,
                    dissipation: 10.0,
                    static_friction: 0.5,
                    dynamic_friction: 0.5,
                    stiction_tolerance: 1e-4,
                    ..ContactMaterial::default()
                },
                key,
                ..ContactRow::default()
            });
        }
        p.finish();
        p.set_step(1e-7 * 10_f64.powf(5.0 * r.next().abs()));
        let mut v = p.start_velocity().to_vec();
        let report = Solver::default().solve_for(&p, 1e-6, &mut v).unwrap();
        assert!(
            report.iterations <= 2 && v[0].abs() * p.step_terms.dt < 1e-15,
            "{} iterations, {}",
            report.iterations,
            v[0]
        );
    }
}
