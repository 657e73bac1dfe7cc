//! Effective weights of contact points: velocity per impulse \[1/kg\].
//!
//! ```text
//! body_inertia     w = 1/3 Σ_c Σ_b (1/m_b + s' I_b^-1 s),   s = R_b'((x_b - o_b) × c),   c = t1, t2, n
//! diag_delassus    w = |J diag(A)^-1 J'|_F / 3
//! block_delassus   W = J A^-1 J',   w_n = n' W n,   w_t = |P W P|_F / 2,   P = 1 - n n'
//! ```
//!
//! The first uses the two bodies alone, with their moments of inertia but not the products, and treats a link of a
//! robot as a free body. The second is that of Drake. The third is the exact response of the bodies. None depends on
//! the choice of tangents.

use super::inertia::InertiaFactors;
use super::options::WeightMode;
use kinegraph_convex::contact::{Body, ContactRow, Patch, Problem};
use kinegraph_convex::linear_algebra::RealScalar;
use nalgebra::{Matrix3, Vector3};

/// Bodies of less mass \[kg\] do not contribute to the weight.
const MASSLESS: f64 = 1e-12; // rounding

/// The effective weight of one contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Along the normal \[1/kg\].
    pub normal: f64,
    /// Along the surface \[1/kg\].
    pub tangential: f64,
}

/// Scalars of both factors and small matrices.
pub trait Float: RealScalar + nalgebra::RealField {}
impl<T: RealScalar + nalgebra::RealField> Float for T {}

/// Computes weights; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Weights<T: Float> {
    /// Columns of the Jacobian of a contact point, for the velocities of a clique.
    columns: Vec<Vector3<T>>,
}

fn near<T: Float>(x: f64) -> T {
    <T as RealScalar>::nearest(x)
}

fn vector<T: Float>(x: &Vector3<f64>) -> Vector3<T> {
    Vector3::new(near(x.x), near(x.y), near(x.z))
}

impl<T: Float> Weights<T> {
    /// Weight of a contact point of `patch`. The factors are those of A, for [`WeightMode::BlockDelassus`].
    pub fn weight(
        &mut self,
        mode: WeightMode,
        problem: &Problem,
        factors: &InertiaFactors<T>,
        patch: &Patch,
        pair: &ContactRow,
    ) -> Weight {
        let bodies = [(patch.body_a, &pair.p_AC), (patch.body_b, &pair.p_BC)];
        let even = |w: T| Weight { normal: w.value(), tangential: w.value() };
        match mode {
            WeightMode::BodyInertia => {
                let one = |(body, p): (usize, &Vector3<f64>)| of_body::<T>(&problem.trees.bodies[body], p);
                even(bodies.map(one).into_iter().fold(T::ZERO, |sum, w| sum + w))
            }
            WeightMode::DiagDelassus => {
                let w = self
                    .delassus(problem, bodies, pair, |problem, clique, columns| of_diagonal(problem, clique, columns));
                even(frobenius(&w) * near::<T>(1.0 / 3.0))
            }
            WeightMode::BlockDelassus => {
                let w = self.delassus(problem, bodies, pair, |problem, clique, columns| {
                    of_factor(factors.of(problem, clique), columns)
                });
                let n = vector::<T>(&pair.normal);
                let projected = Matrix3::identity() - n * n.transpose();
                let tangential = frobenius(&(projected * w * projected)) * near::<T>(0.5);
                Weight { normal: RealScalar::value(n.dot(&(w * n))), tangential: tangential.value() }
            }
        }
    }

    /// Sum of `J X J'` over the cliques of two bodies; `of` computes the term of a clique from its columns of J.
    fn delassus(
        &mut self,
        problem: &Problem,
        bodies: [(usize, &Vector3<f64>); 2],
        pair: &ContactRow,
        of: impl Fn(&Problem, usize, &mut [Vector3<T>]) -> Matrix3<T>,
    ) -> Matrix3<T> {
        let [a, b] = bodies.map(|(body, _)| problem.trees.bodies[body].clique);
        let mut sum = Matrix3::zeros();
        if let Some(clique) = b {
            self.start(problem, clique);
            self.add_columns(problem, bodies[1].0, bodies[1].1, pair, T::ONE);
            if a == b {
                self.add_columns(problem, bodies[0].0, bodies[0].1, pair, -T::ONE);
            }
            sum += of(problem, clique, &mut self.columns);
        }
        if let Some(clique) = a.filter(|_| a != b) {
            self.start(problem, clique);
            self.add_columns(problem, bodies[0].0, bodies[0].1, pair, T::ONE);
            sum += of(problem, clique, &mut self.columns);
        }
        if pair.has_grain() {
            let grain = vector::<T>(&pair.grain);
            let scale = Matrix3::identity() - grain * grain.transpose();
            return scale * sum * scale;
        }
        sum
    }

    fn start(&mut self, problem: &Problem, clique: usize) {
        self.columns.clear();
        self.columns.resize(problem.trees.cliques[clique].size(), Vector3::zeros());
    }

    /// Adds the velocity of the point p of a body per velocity of its clique, along the surface where friction acts.
    fn add_columns(&mut self, problem: &Problem, body: usize, p: &Vector3<f64>, pair: &ContactRow, sign: T) {
        let (body, p) = (&problem.trees.bodies[body], vector::<T>(p));
        let (turn, normal) = (vector::<T>(&pair.turn), vector::<T>(&pair.normal));
        if body.free {
            for i in 0..3 {
                self.columns[i] += Vector3::ith(i, sign).cross(&p) + turn * (normal[i] * sign);
                self.columns[3 + i][i] += sign;
            }
            return;
        }
        for (i, c) in problem.moving_columns(body) {
            let (w, v) = (vector::<T>(&Vector3::new(c[0], c[1], c[2])), vector::<T>(&Vector3::new(c[3], c[4], c[5])));
            self.columns[i] += (v + w.cross(&p) + turn * normal.dot(&w)) * sign;
        }
    }
}

/// Mean over three directions of the response of a free body.
fn of_body<T: Float>(body: &Body, p: &Vector3<f64>) -> T {
    if body.clique.is_none() || body.mass <= MASSLESS {
        return T::ZERO;
    }
    // Σ_c (r × c)' X (r × c) over orthonormal c is the trace of [r]' X [r].
    let r = vector::<T>(&(p - body.inertia.center));
    let mobility = body.inertia.inverse.map(near::<T>);
    let cross = r.cross_matrix();
    let turning = (cross.transpose() * mobility * cross).trace();
    T::ONE / near::<T>(body.mass) + turning * near::<T>(1.0 / 3.0)
}

/// `J diag(A)^-1 J'`.
fn of_diagonal<T: Float>(problem: &Problem, clique: usize, columns: &[Vector3<T>]) -> Matrix3<T> {
    let clique = &problem.trees.cliques[clique];
    let diagonal = problem.step_terms.dynamics[clique.block..].iter().step_by(clique.size() + 1);
    let mut sum = Matrix3::zeros();
    for (c, a) in columns.iter().zip(diagonal) {
        sum += c * (c / near::<T>(*a)).transpose();
    }
    sum
}

/// `J A^-1 J'` with the factor of A; overwrites the columns.
fn of_factor<T: Float>(factor: &[T], columns: &mut [Vector3<T>]) -> Matrix3<T> {
    let n = columns.len();
    let mut sum = Matrix3::zeros();
    for j in 0..n {
        let y = columns[j] * factor[j * n + j];
        sum += y * y.transpose();
        for i in j + 1..n {
            columns[i] -= y * factor[j * n + i];
        }
    }
    sum
}

fn frobenius<T: Float>(m: &Matrix3<T>) -> T {
    let squares = m.iter().fold(T::ZERO, |sum, x| sum + *x * *x);
    squares.root()
}
